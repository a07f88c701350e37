"""The lock of a run: one process at a time performs or prunes it."""

from __future__ import annotations

import contextlib
import fcntl
from collections.abc import Iterator
from pathlib import Path

from garabench.core.clock import SystemClock
from garabench.errors import InputError
from garabench.records.disk import disk_error
from garabench.records.run_layout import LOCK

_TRIES, _PAUSE_S = 4, 0.05
"""Attempts at a lock: `is_locked` holds it for some microseconds."""


def is_locked(folder: Path) -> bool:
    """Return whether a process performs or prunes a run; also true if that cannot be known.

    The file system must pass locks on to the computer of that process, as NFS and SMB do.
    """
    try:
        with (folder / LOCK).open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:  # BlockingIOError: it is held; else the file system has no locks
        return True
    return False


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Prevent every other process from performing or pruning a run, since both move its files.

    The operating system releases the lock when this process ends, however it ends. `fcntl.flock` is
    enough for that; the package filelock would be another dependency, and the leases of devices, which check
    that their file was not replaced, need `fcntl` anyway.

    Raises:
        InputError: Another process holds it.
        RecordError: The folder cannot be written.
    """
    path = folder / LOCK
    try:
        file = path.open("a", encoding="utf-8")
    except OSError as error:
        raise disk_error(error, path) from error
    with file:
        for last in (*[False] * (_TRIES - 1), True):
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError as error:
                if last:
                    raise InputError(
                        f"{folder} is in use by another process", hint="Wait until it ends, or stop it."
                    ) from error
                SystemClock().sleep(_PAUSE_S)
        yield
