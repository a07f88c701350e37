"""The lease of a device: one run at a time, on this computer and for this user.

A lease is taken by the device's name before anything connects to it. Since a device may have several names
(``localhost:5555`` and ``emulator-5554``, USB and Wi-Fi), each lease has a mark of its own, too, which
`garabench.device.undo.identity.claim` leaves on the device itself.
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

from garabench.errors import DeviceBusy, HarnessError

_LONGEST = 80


def default_folder() -> Path:
    """Where leases and journals are, unless ``GARABENCH_STATE`` names another folder."""
    return Path(os.environ.get("GARABENCH_STATE") or platformdirs.user_state_path("garabench")) / "devices"


def name_of(serial: str) -> str:
    """A device's name among files: its serial may hold anything."""
    return hashlib.sha256(serial.encode("utf-8", "surrogatepass")).hexdigest()[:20]


@dataclass(frozen=True, slots=True)
class Held:
    """A lease that this process holds.

    Attributes:
        serial: The name by which it was taken.
        mark: What tells the device that is held from all others, as long as it is held.
        folder: Where leases and journals are.
    """

    serial: str
    mark: str
    folder: Path


@contextlib.contextmanager
def leased(serial: str, folder: Path | None = None) -> Iterator[Held]:
    """Keep a device for this process; a lease ends with the process that holds it, even by a kill.

    Raises:
        DeviceBusy: Another process, or another part of this one, has it.
        HarnessError: The lease cannot be written.
    """
    folder = folder or default_folder()
    path = folder / f"{name_of(serial)}.lease"
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = _locked(path, serial)
    except OSError as error:
        raise _unwritable(serial, path, error) from error
    with file:
        held = Held(serial, secrets.token_hex(16), folder)
        file.truncate(0)
        file.write(f"{os.getpid()} {held.mark}\n")
        file.flush()
        try:
            yield held
        finally:
            with contextlib.suppress(OSError):  # one that stays says no more than one of a process that died
                path.unlink()


def _locked(path: Path, serial: str) -> TextIO:
    """The file of a lease, held; not one that its last holder has just removed, which others do not see."""
    while True:
        file = path.open("a+", encoding="utf-8")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            with file:
                file.seek(0)
                raise _busy(serial, file.read(_LONGEST)) from error
        except OSError:
            file.close()
            raise
        with contextlib.suppress(FileNotFoundError):
            if path.stat().st_ino == os.fstat(file.fileno()).st_ino:
                return file
        file.close()


def check_free(mark: str, serial: str, folder: Path) -> None:
    """See that nobody holds the lease of a mark any more.

    Args:
        mark: As a device tells it.
        serial: The device, for the message.
        folder: Where leases are.

    Raises:
        DeviceBusy: A process holds it.
        HarnessError: The leases cannot be read.
    """
    for path in sorted(folder.glob("*.lease")):
        try:
            with path.open(encoding="utf-8") as file:
                said = file.read(_LONGEST)
                if mark not in said.split()[1:]:
                    continue
                try:
                    fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
                except BlockingIOError as error:
                    raise _busy(serial, said) from error
        except FileNotFoundError:
            continue  # it was given up just now
        except OSError as error:
            raise _unwritable(serial, path, error) from error


@contextlib.contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Have no other process of this user read and leave marks meanwhile; waits for its turn.

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


def _busy(serial: str, said: str) -> DeviceBusy:
    holder = (said.split() or [""])[0]
    by = f"process {holder}" if holder.isdecimal() else "another process"
    return DeviceBusy(f"{serial} is in use by another run ({by}): wait until it has ended, or end it")


def _unwritable(serial: str, path: Path, error: OSError) -> HarnessError:
    return HarnessError(f"the lease of {serial} cannot be written: {path}: {error.strerror}")
