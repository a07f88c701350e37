"""A child process with pipes: every wait has a deadline, and it is always terminated.

The process cannot block its caller, even if it does not read, does not answer, prints without end or leaves
child processes.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence

from garabench.agents.context import AgentContext
from garabench.agents.external.env_vars import agent_environment
from garabench.agents.external.process_tree import GRACE_SECONDS, MARK, signal_all, wait_for_end
from garabench.agents.external.watchdog import Watchdog
from garabench.records.bounded_log import BoundedLog

_CHUNK = 64 * 1024
_POLL_SECONDS = 0.25
"""Interval in seconds of checking whether the process is alive and whether the run is stopping."""
_EXIT_SECONDS = 2.0
"""Longest time between the end of a program's output and its exit."""
_KILL_SECONDS = 10.0
"""Longest time in which the system ends killed processes."""
_MAX_INCOMING = 4 * 1024 * 1024
_FROM_OUTSIDE = frozenset({signal.SIGHUP, signal.SIGINT, signal.SIGKILL, signal.SIGTERM})
"""Signals that others send to end a program; it receives all others for what it does itself."""
_SHELL_STATUS = 128
"""A shell and ``docker run`` exit with this plus the signal that ended their program."""


class ChildExitedError(Exception):
    """The program exited or closed its output before it answered."""


class ChildTimeoutError(Exception):
    """The program missed a deadline, or the run is stopping."""


class LineTooLongError(Exception):
    """A line of output is too long; `start` is its beginning."""

    def __init__(self, start: bytes) -> None:
        super().__init__(start)
        self.start = start


class AgentProcess:
    """A running program.

    Attributes:
        log: Log of its output.
        mark: A unique environment value that its child processes inherit.
    """

    def __init__(
        self,
        argv: Sequence[str],
        log: BoundedLog,
        context: AgentContext,
        *,
        env: Mapping[str, str] | None = None,
        reads_output: bool = True,
    ) -> None:
        """Start the program in a new session.

        Args:
            argv: The program and its arguments; no shell is involved.
            log: Receives its standard error, and its standard output unless `reads_output`.
            context: The episode's context, for the clock and the stop flag.
            env: Variables in addition to those passed on from the environment.
            reads_output: Whether its standard output is read by `read_line`.

        Raises:
            OSError: The program cannot be started.
            InputError: The list of environment variables to pass on is invalid.
        """
        self.log = log
        self._context = context
        self._clock = context.clock
        self._reads_output = reads_output
        self.mark = os.urandom(12).hex()
        self._watchdog = Watchdog(self.mark)
        try:
            self._process = subprocess.Popen(
                list(argv),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={
                    "PYTHONUNBUFFERED": "1",
                    **agent_environment(os.environ),
                    **(env or {}),
                    MARK: self.mark,
                },
                start_new_session=True,
                bufsize=0,
            )
        except OSError:
            self._watchdog.release()
            raise
        process = self._process
        self._watchdog.watch_group(process.pid)
        assert process.stdin and process.stdout and process.stderr  # noqa: S101 - all three are pipes
        self._stdin, self._stdout, self._stderr = process.stdin, process.stdout, process.stderr
        self._outgoing = b""
        self._incoming = bytearray()
        self._output_ended = False  # no more standard output will arrive
        self._has_exitedflowed = False
        self._selector = selectors.DefaultSelector()
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe.fileno(), False)
        for pipe in (self._stdout, self._stderr):
            self._selector.register(pipe, selectors.EVENT_READ)

    def send(self, data: bytes, seconds: float) -> None:
        """Write to its standard input.

        Raises:
            ChildTimeoutError: It did not read all of it in time.
            ChildExitedError: It exited or closed its input.
        """
        if self._stdin.closed:
            raise ChildExitedError
        self._outgoing = data
        self._selector.register(self._stdin, selectors.EVENT_WRITE)
        try:
            if not self._pump(lambda: not self._outgoing or self._stdin.closed, seconds):
                raise ChildTimeoutError
        finally:
            if not self._stdin.closed:
                self._selector.unregister(self._stdin)
        if self._outgoing:
            raise ChildExitedError

    def close_input(self) -> None:
        """Close its standard input."""
        if not self._stdin.closed:
            with contextlib.suppress(OSError):
                self._stdin.close()

    def read_line(self, seconds: float, limit: int) -> bytes:
        """Read the next non-blank line of its standard output.

        Args:
            seconds: The longest wait.
            limit: Maximum number of bytes of a line.

        Raises:
            ChildTimeoutError: No line arrived in time.
            ChildExitedError: It exited or closed its output.
            LineTooLongError: The line exceeds the limit.
        """
        deadline = self._clock.monotonic() + seconds
        while True:
            self._incoming = self._incoming.lstrip()  # ignore blank lines
            end = self._incoming.find(b"\n")
            if self._has_exitedflowed or end > limit or (end < 0 and len(self._incoming) > limit):
                raise LineTooLongError(bytes(self._incoming[:_CHUNK]))
            if end >= 0:
                line = bytes(self._incoming[:end])
                del self._incoming[: end + 1]
                return line
            if self._output_ended:
                raise ChildExitedError
            remaining = deadline - self._clock.monotonic()
            if (remaining <= 0 or not self._read_more(remaining)) and b"\n" not in self._incoming:
                raise ChildTimeoutError

    def wait(self, seconds: float) -> int | None:
        """Wait for the program to exit.

        Returns:
            Its exit status, negative for a signal; None if it is still running.
        """
        self._pump(lambda: self._has_exited, seconds)
        return self._status()

    def terminate(self) -> None:
        """Terminate the program and all its descendants, with SIGTERM and then SIGKILL; call it once."""
        self.close_input()
        self._signal(signal.SIGTERM)
        self._pump(lambda: self._has_exited, GRACE_SECONDS, even_if_stopped=True)
        self._signal(signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_KILL_SECONDS)
        wait_for_end(self.mark, None, _KILL_SECONDS)
        self._watchdog.release()
        self._pump(lambda: False, 0, even_if_stopped=True)  # its last output
        self._selector.close()
        for pipe in (self._stdout, self._stderr):
            pipe.close()
        self.log.close()

    @property
    def exit_text(self) -> str:
        """How it ended, for a message."""
        self._pump(lambda: self._has_exited, _EXIT_SECONDS)
        last = f"; last output: {self.log.last_line}" if self.log.last_line else ""
        status = self._status()
        if status is None:
            return f"closed its output{last}"
        if status >= 0:
            return f"exited with status {status}{last}"
        with contextlib.suppress(ValueError):
            return f"was killed by {signal.Signals(-status).name}{last}"
        return f"was killed by signal {-status}{last}"

    @property
    def killed_from_outside(self) -> bool:
        """Whether a signal ended it that it does not receive for what it does itself.

        The kernel's out-of-memory killer, a batch system and a person at a terminal send such signals.
        GaraBench sends them only in `terminate`.
        """
        self._pump(lambda: self._has_exited, _EXIT_SECONDS)
        status = self._status()
        if status is None:
            return False
        return (-status if status < 0 else status - _SHELL_STATUS) in _FROM_OUTSIDE

    @property
    def _has_exited(self) -> bool:
        """Whether it has exited."""
        return self._status() is not None

    def _status(self) -> int | None:
        """Return its exit status without reaping it, so that its id is not reused before `terminate`."""
        if self._process.returncode is not None or not hasattr(os, "waitid"):
            return self._process.poll()
        found = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if found is None:
            return None
        return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status

    def _signal(self, number: int) -> None:
        signal_all(self.mark, self._process.pid if self._process.returncode is None else None, number)

    def _read_more(self, seconds: float) -> bool:
        """Wait for more standard output or its end; return whether either arrived."""
        before = len(self._incoming)
        return self._pump(lambda: len(self._incoming) > before, seconds, or_ended=True)

    def _pump(
        self,
        done: Callable[[], bool],
        seconds: float,
        *,
        or_ended: bool = False,
        even_if_stopped: bool = False,
    ) -> bool:
        """Transfer data over the pipes until `done`; return whether it is.

        Args:
            done: Returns whether to stop.
            seconds: The longest wait.
            or_ended: Whether to return as soon as its output has ended, too.
            even_if_stopped: Whether to continue although the run is stopping.
        """
        deadline = self._clock.monotonic() + seconds
        while True:
            if done():
                return True
            remaining = deadline - self._clock.monotonic()
            ready = self._selector.select(max(0.0, min(remaining, _POLL_SECONDS)))
            self._output_ended = self._output_ended or (not ready and self._has_exited)
            for key, _ in ready:
                if key.fileobj is self._stdin:
                    self._write()
                else:
                    self._read(key.fileobj)
            if or_ended and self._output_ended:
                return True
            if remaining <= 0 or (self._context.stop() and not even_if_stopped):
                return done()

    def _write(self) -> None:
        try:
            written = os.write(self._stdin.fileno(), self._outgoing[:_CHUNK])
            self._outgoing = self._outgoing[written:]
        except BlockingIOError:
            pass
        except OSError:  # it closed its input
            self._selector.unregister(self._stdin)
            self.close_input()

    def _read(self, pipe: object) -> None:
        incoming = pipe is self._stdout and self._reads_output
        source = self._stdout if pipe is self._stdout else self._stderr
        try:
            data = os.read(source.fileno(), _CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._selector.unregister(source)
            self._output_ended = self._output_ended or source is self._stdout
        elif not incoming:
            self.log.write(data)
        elif len(self._incoming) < _MAX_INCOMING:
            self._incoming += data
        else:
            self._has_exitedflowed = True
