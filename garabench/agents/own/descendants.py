"""Find the processes that a program has left behind, also those that have left its session, and end them.

Started as a script it is a watchdog: it ends a program whose starter was killed before it could do so. It
waits at the other end of a pipe of its starter's, which the system closes however that one ends; only Linux
could signal a parent's death otherwise. As a script this file is alone, and imports nothing of GaraBench.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from pathlib import Path

MARK = "GARABENCH_PROCESS"
"""Environment variable that every process of a program inherits."""
RELEASE = "released"
"""The line by which the watchdog is told that there is nothing left to do."""
GRACE = 2.0
"""Seconds between the request to end and the end by force."""
_PROC = Path("/proc")
_POLL = 0.05


def marked(mark: str) -> tuple[int, ...]:
    """The processes of this user whose environment has the mark; none where the system does not tell.

    The adb server is left out: whoever calls ``adb`` first starts it, and all others need it from then on.

    Args:
        mark: The value of `MARK`.
    """
    wanted = f"{MARK}={mark}".encode()
    found: list[int] = []
    for folder in _PROC.glob("[0-9]*"):
        try:
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                words = (folder / "cmdline").read_bytes().split(b"\0")
                if b"fork-server" not in words:
                    found.append(int(folder.name))
        except OSError:  # another user's, or gone
            continue
    return tuple(found)


def signal_all(mark: str, group: int | None, number: int) -> bool:
    """Send a signal to all processes of a program.

    Args:
        mark: The value of `MARK` in their environment.
        group: The program's process group; None for one that is not there any more.
        number: The signal; 0 for none.

    Returns:
        Whether there was one.
    """
    found = False
    if group is not None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, number)
            found = True
    for pid in marked(mark):  # what has left the group
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)
            found = True
    return found


def watch(mark: str) -> None:
    """Wait for the starter's end, and end the program unless it has been released before.

    The standard input has the program's process group as its first line, and `RELEASE` as its last.

    Args:
        mark: The value of `MARK` in its environment.
    """
    said = sys.stdin.read().split()
    if RELEASE in said:
        return
    group = int(said[0]) if said and said[0].isdigit() else None
    if not signal_all(mark, group, signal.SIGTERM):
        return
    moment, deadline = threading.Event(), time.monotonic() + GRACE
    while signal_all(mark, group, 0) and time.monotonic() < deadline:
        moment.wait(_POLL)
    signal_all(mark, group, signal.SIGKILL)


if __name__ == "__main__":
    watch(sys.argv[1])
