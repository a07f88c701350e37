"""Find and terminate the processes of a program, including those that left its session.

Run as a script, this file is the watchdog of a program: it terminates the program when its starter was killed
before it could do so. The watchdog waits at the other end of a pipe, which the system closes however the
starter ends; other means to detect a parent's death exist only on Linux. This file imports nothing from
GaraBench.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys

import psutil

MARK = "GARABENCH_PROCESS"
"""Environment variable that every process of a program inherits."""
RELEASE = "released"
"""The line that releases the watchdog."""
GRACE_SECONDS = 2.0
"""Seconds between SIGTERM and SIGKILL."""


def find_marked(mark: str) -> tuple[psutil.Process, ...]:
    """Find this user's processes whose environment has the mark.

    The adb server is excluded: the first program that calls ``adb`` starts it, and all others need it.

    Args:
        mark: The value of `MARK`.
    """
    found: list[psutil.Process] = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):  # another user's, a zombie, or gone
            if process.environ().get(MARK) == mark and "fork-server" not in process.cmdline():
                found.append(process)
    return tuple(found)


def signal_all(mark: str, group: int | None, number: int) -> bool:
    """Send a signal to all processes of a program.

    Args:
        mark: The value of `MARK` in their environment.
        group: The program's process group; None once it has ended.
        number: The signal.

    Returns:
        Whether there was a process to signal.
    """
    found = False
    if group is not None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, number)
            found = True
    for process in find_marked(mark):  # those that left the group
        with contextlib.suppress(psutil.Error):
            process.send_signal(number)
            found = True
    return found


def wait_for_end(mark: str, group: int | None, seconds: float) -> None:
    """Wait until all processes of a program have ended, or for a number of seconds.

    Args:
        mark: The value of `MARK` in their environment.
        group: The program's process group; None once it has ended.
        seconds: The longest wait.
    """
    processes = {process.pid: process for process in find_marked(mark)}
    for process in psutil.process_iter() if group is not None else ():
        with contextlib.suppress(psutil.Error, OSError):
            if os.getpgid(process.pid) == group:
                processes.setdefault(process.pid, process)
    psutil.wait_procs(list(processes.values()), timeout=seconds)


def watch_starter(mark: str) -> None:
    """Wait for the starter's end, and terminate the program unless it was released before.

    The first line of the standard input is the program's process group, the last line `RELEASE`.

    Args:
        mark: The value of `MARK` in the program's environment.
    """
    lines = sys.stdin.read().split()
    if RELEASE in lines:
        return
    group = int(lines[0]) if lines and lines[0].isdigit() else None
    if signal_all(mark, group, signal.SIGTERM):
        wait_for_end(mark, group, GRACE_SECONDS)
        signal_all(mark, group, signal.SIGKILL)


if __name__ == "__main__":
    watch_starter(sys.argv[1])
