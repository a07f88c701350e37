"""Leases: a device is used by one run of this user on this computer at a time.

A lease is taken on the device's serial before anything connects to it. A device can have several serials
(``localhost:5555`` and ``emulator-5554``, USB and Wi-Fi), so each lease also has a unique mark, which
`garabench.device.undo.identity.claim` sets on the device itself.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import platformdirs

from garabench.errors import DeviceBusyError, HarnessError

_MAX_LENGTH = 80


def leases_folder() -> Path:
    """Return the folder of leases and journals, below ``GARABENCH_STATE`` or the user's state folder."""
    return Path(os.environ.get("GARABENCH_STATE") or platformdirs.user_state_path("garabench")) / "devices"


def name_of(serial: str) -> str:
    """Return a file name for a serial, which may have any characters."""
    return hashlib.sha256(serial.encode("utf-8", "surrogatepass")).hexdigest()[:20]


@dataclass(frozen=True, slots=True)
class HeldLease:
    """A lease that this process holds.

    Attributes:
        serial: The leased serial.
        mark: A unique mark, set on the device itself while the lease lasts.
        folder: The folder of leases and journals.
    """

    serial: str
    mark: str
    folder: Path


@contextlib.contextmanager
def leased(serial: str, folder: Path | None = None) -> Iterator[HeldLease]:
    """Lease a device for the block; a lease ends with the process that holds it, even by a kill.

    Raises:
        DeviceBusyError: Another process, or another part of this one, holds the lease.
        HarnessError: The lease cannot be written.
    """
    folder = folder or leases_folder()
    path = folder / f"{name_of(serial)}.lease"
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = _locked(path, serial)
    except OSError as error:
        raise _unwritable(serial, path, error) from error
    with file:
        held = HeldLease(serial, secrets.token_hex(16), folder)
        file.truncate(0)
        file.write(f"{os.getpid()} {held.mark}\n")
        file.flush()
        try:
            yield held
        finally:
            with contextlib.suppress(OSError):  # a leftover file is harmless, like that of a killed process
                path.unlink()


def _locked(path: Path, serial: str) -> TextIO:
    """Open and lock the file of a lease; retry if its last holder has just removed the file."""
    while True:
        file = path.open("a+", encoding="utf-8")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            with file:
                file.seek(0)
                raise _busy(serial, file.read(_MAX_LENGTH)) from error
        except OSError:
            file.close()
            raise
        with contextlib.suppress(FileNotFoundError):
            if path.stat().st_ino == os.fstat(file.fileno()).st_ino:
                return file
        file.close()


def check_free(mark: str, serial: str, folder: Path) -> None:
    """Check that no process holds the lease with this mark.

    Args:
        mark: The mark read from a device.
        serial: The device, for the message.
        folder: The folder of leases.

    Raises:
        DeviceBusyError: A process holds it.
        HarnessError: The leases cannot be read.
    """
    for path in sorted(folder.glob("*.lease")):
        try:
            with path.open(encoding="utf-8") as file:
                content = file.read(_MAX_LENGTH)
                if mark not in content.split()[1:]:
                    continue
                try:
                    fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
                except BlockingIOError as error:
                    raise _busy(serial, content) from error
        except FileNotFoundError:
            continue  # it has just been released
        except OSError as error:
            raise _unwritable(serial, path, error) from error


@contextlib.contextmanager
def marks_locked(folder: Path) -> Iterator[None]:
    """Lock the marks: no other process of this user reads or sets marks during the block; waits for the lock.

    Raises:
        HarnessError: The folder cannot be written.
    """
    path = folder / "marks.lock"
    try:
        file = path.open("a", encoding="utf-8")
    except OSError as error:
        raise _unwritable("the devices", path, error) from error
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _busy(serial: str, content: str) -> DeviceBusyError:
    holder = (content.split() or [""])[0]
    by = f"process {holder}" if holder.isdecimal() else "another process"
    return DeviceBusyError(f"{serial} is in use by another run ({by}): wait for it to end, or stop it")


def _unwritable(serial: str, path: Path, error: OSError) -> HarnessError:
    return HarnessError(f"cannot write the lease of {serial}: {path}: {error.strerror}")
