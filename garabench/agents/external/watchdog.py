"""A process that terminates a program when GaraBench is killed, so that no orphan drives a phone."""

from __future__ import annotations

import contextlib
import subprocess
import sys

from garabench.agents.external import process_tree

_EXIT_SECONDS = 5.0


class Watchdog:
    """The watchdog of one program, from before the program starts until `release`."""

    def __init__(self, mark: str) -> None:
        """Start it.

        Args:
            mark: The value of `process_tree.MARK` in the program's environment.

        Raises:
            OSError: It cannot be started.
        """
        self._process = subprocess.Popen(
            # -P: modules in the folder of that file must not shadow others.
            [sys.executable, "-P", str(process_tree.__file__), mark],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # signals to this process group must not reach it
            bufsize=0,
        )

    def watch_group(self, group: int) -> None:
        """Report the program's process group, for systems that hide environments."""
        self._send(str(group))

    def release(self) -> None:
        """Report that the program and all its processes have ended; idempotent."""
        if self._process.returncode is not None:
            return
        self._send(process_tree.RELEASE)
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()
        try:
            self._process.wait(_EXIT_SECONDS)
        except subprocess.TimeoutExpired:  # stopped or starved
            self._process.kill()
            self._process.wait()

    def _send(self, line: str) -> None:
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):  # it was killed
                self._process.stdin.write(line.encode() + b"\n")
