"""A process beside each program, which ends it when GaraBench is killed: no orphan drives a phone on."""

from __future__ import annotations

import contextlib
import subprocess
import sys

from garabench.agents.own import descendants

_END_SECONDS = 5.0


class Watchdog:
    """Watches over one program from before it starts until `release`."""

    def __init__(self, mark: str) -> None:
        """Start it.

        Args:
            mark: The value of `descendants.MARK` in the program's environment.

        Raises:
            OSError: It cannot be started.
        """
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(descendants.__file__), mark],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # what is sent to our whole group is not for it
            bufsize=0,
        )

    def tell(self, group: int) -> None:
        """Say which process group the program leads; some systems tell of no environment."""
        self._say(str(group))

    def release(self) -> None:
        """The program has ended with all that it has started; harmless when that was said."""
        if self._process.returncode is not None:
            return
        self._say(descendants.RELEASE)
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:  # stopped, or starved of time
            self._process.kill()
            self._process.wait()

    def _say(self, line: str) -> None:
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):  # it was killed
                self._process.stdin.write(line.encode() + b"\n")
