"""A program in a process of its own: spoken to by pipes, with a limit on every wait, and ended for certain.

Nothing that it does can hold its caller: it may not read, not answer, say more than can be kept, or leave
processes behind.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence

from garabench.agents.own.boundedlog import BoundedLog
from garabench.agents.own.descendants import GRACE, MARK, marked, signal_all
from garabench.agents.own.surroundings import passed_on
from garabench.agents.own.watchdog import Watchdog
from garabench.agents.setting import Setting

_CHUNK = 64 * 1024
_SLICE = 0.25
"""Seconds after which it is looked whether the process is still there and whether the run is to stop."""
_DYING = 2.0
"""The longest between the end of a program's output and its own end."""
_KILLED = 10.0
"""Seconds that the system may take to end what was killed."""
_MOMENT = 0.02
_MOST_HEARD = 4 * 1024 * 1024


class Ended(Exception):
    """The program has ended, or closed its output, before it answered."""


class Late(Exception):
    """The program did not do in time what was waited for, or the run is to stop."""


class TooLong(Exception):
    """A line of the program is longer than any answer; `start` is its beginning."""

    def __init__(self, start: bytes) -> None:
        super().__init__(start)
        self.start = start


class Child:
    """A running program.

    Attributes:
        log: Where what it says to people goes.
        mark: A name that no other program has; its processes inherit it.
    """

    def __init__(
        self,
        argv: Sequence[str],
        log: BoundedLog,
        setting: Setting,
        *,
        env: Mapping[str, str] | None = None,
        speaks: bool = True,
    ) -> None:
        """Start it, in a session of its own.

        Args:
            argv: The program and its arguments; no shell reads them.
            log: Takes its standard error, and its standard output unless it `speaks`.
            setting: For the clock, and to know when to stop.
            env: Added to what of the environment is passed on.
            speaks: Whether its standard output is read by `read_line`.

        Raises:
            OSError: It cannot be started.
            InputError: What is to be passed on of the environment cannot be read.
        """
        self.log = log
        self._setting = setting
        self._clock = setting.clock
        self._speaks = speaks
        self.mark = os.urandom(12).hex()
        self._watchdog = Watchdog(self.mark)
        try:
            self._process = subprocess.Popen(
                list(argv),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={"PYTHONUNBUFFERED": "1", **passed_on(os.environ), **(env or {}), MARK: self.mark},
                start_new_session=True,
                bufsize=0,
            )
        except OSError:
            self._watchdog.release()
            raise
        process = self._process
        self._watchdog.tell(process.pid)
        assert process.stdin and process.stdout and process.stderr  # noqa: S101 - all three are pipes
        self._stdin, self._stdout, self._stderr = process.stdin, process.stdout, process.stderr
        self._to_say = b""
        self._heard = bytearray()
        self._silent = False  # whether nothing more can come from its standard output
        self._flooded = False
        self._selector = selectors.DefaultSelector()
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe.fileno(), False)
        for pipe in (self._stdout, self._stderr):
            self._selector.register(pipe, selectors.EVENT_READ)

    def say(self, data: bytes, seconds: float) -> None:
        """Write to its standard input.

        Raises:
            Late: It did not read all of it in time.
            Ended: It has ended, or closed its input.
        """
        if self._stdin.closed:
            raise Ended
        self._to_say = data
        self._selector.register(self._stdin, selectors.EVENT_WRITE)
        try:
            if not self._pump(lambda: not self._to_say or self._stdin.closed, seconds):
                raise Late
        finally:
            if not self._stdin.closed:
                self._selector.unregister(self._stdin)
        if self._to_say:
            raise Ended

    def hush(self) -> None:
        """Close its standard input: nothing more will be said."""
        if not self._stdin.closed:
            with contextlib.suppress(OSError):
                self._stdin.close()

    def read_line(self, seconds: float, most: int) -> bytes:
        """Read a line that is not blank from its standard output.

        Args:
            seconds: The longest wait.
            most: Bytes of the longest line.

        Raises:
            Late: None came in time.
            Ended: It has ended, or closed its output.
            TooLong: The line has more bytes.
        """
        deadline = self._clock.monotonic() + seconds
        while True:
            self._heard = self._heard.lstrip()  # blank lines say nothing
            end = self._heard.find(b"\n")
            if self._flooded or end > most or (end < 0 and len(self._heard) > most):
                raise TooLong(bytes(self._heard[:_CHUNK]))
            if end >= 0:
                line = bytes(self._heard[:end])
                del self._heard[: end + 1]
                return line
            if self._silent:
                raise Ended
            left = deadline - self._clock.monotonic()
            if (left <= 0 or not self._hear_more(left)) and b"\n" not in self._heard:
                raise Late

    def wait(self, seconds: float) -> int | None:
        """Let it go on for a while.

        Returns:
            Its exit status, negative for a signal, when it has ended; else None.
        """
        self._pump(lambda: self._over, seconds)
        return self._status()

    def end(self) -> None:
        """End it with all that it has started, first by request and then by force; call it once."""
        self.hush()
        self._signal(signal.SIGTERM)
        self._pump(lambda: self._over, GRACE, even_if_stopped=True)
        self._signal(signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_KILLED)
        deadline = self._clock.monotonic() + _KILLED
        while marked(self.mark) and self._clock.monotonic() < deadline:
            self._clock.sleep(_MOMENT)  # the system is ending them
        self._watchdog.release()
        self._pump(lambda: False, 0, even_if_stopped=True)  # what it said last
        self._selector.close()
        for pipe in (self._stdout, self._stderr):
            pipe.close()
        self.log.close()

    @property
    def died(self) -> str:
        """How it ended, for a message to a person."""
        self._pump(lambda: self._over, _DYING)
        last = f"; its last words: {self.log.last_line}" if self.log.last_line else ""
        status = self._status()
        if status is None:
            return f"closed its output{last}"
        if status >= 0:
            return f"ended with status {status}{last}"
        with contextlib.suppress(ValueError):
            return f"was ended by {signal.Signals(-status).name}{last}"
        return f"was ended by signal {-status}{last}"

    @property
    def _over(self) -> bool:
        """Whether it has ended."""
        return self._status() is not None

    def _status(self) -> int | None:
        """Its exit status; it is not reaped for that, so that its number stays its own until `end`."""
        if self._process.returncode is not None or not hasattr(os, "waitid"):
            return self._process.poll()
        found = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if found is None:
            return None
        return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status

    def _signal(self, number: int) -> None:
        signal_all(self.mark, self._process.pid if self._process.returncode is None else None, number)

    def _hear_more(self, seconds: float) -> bool:
        """Wait for more on its standard output, or for the end of it; whether one of them came."""
        before = len(self._heard)
        return self._pump(lambda: len(self._heard) > before, seconds, or_ended=True)

    def _pump(
        self,
        done: Callable[[], bool],
        seconds: float,
        *,
        or_ended: bool = False,
        even_if_stopped: bool = False,
    ) -> bool:
        """Move what can be moved until `done`; whether it is.

        Args:
            done: Whether to go on.
            seconds: The longest wait.
            or_ended: Whether to return as soon as its output has ended, too.
            even_if_stopped: Whether to go on although the run is to stop.
        """
        deadline = self._clock.monotonic() + seconds
        while True:
            if done():
                return True
            left = deadline - self._clock.monotonic()
            ready = self._selector.select(max(0.0, min(left, _SLICE)))
            self._silent = self._silent or (not ready and self._over)
            for key, _ in ready:
                if key.fileobj is self._stdin:
                    self._write()
                else:
                    self._read(key.fileobj)
            if or_ended and self._silent:
                return True
            if left <= 0 or (self._setting.stop() and not even_if_stopped):
                return done()

    def _write(self) -> None:
        try:
            written = os.write(self._stdin.fileno(), self._to_say[:_CHUNK])
            self._to_say = self._to_say[written:]
        except BlockingIOError:
            pass
        except OSError:  # it reads no more
            self._selector.unregister(self._stdin)
            self.hush()

    def _read(self, pipe: object) -> None:
        heard = pipe is self._stdout and self._speaks
        source = self._stdout if pipe is self._stdout else self._stderr
        try:
            data = os.read(source.fileno(), _CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._selector.unregister(source)
            self._silent = self._silent or source is self._stdout
        elif not heard:
            self.log.write(data)
        elif len(self._heard) < _MOST_HEARD:
            self._heard += data
        else:
            self._flooded = True
