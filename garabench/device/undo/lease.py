"""The lease of a device: one run at a time, on this computer and for this user."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import platformdirs

from garabench.errors import DeviceBusy, HarnessError


def default_folder() -> Path:
    """Where leases and journals are, unless ``GARABENCH_STATE`` names another folder."""
    return Path(os.environ.get("GARABENCH_STATE") or platformdirs.user_state_path("garabench")) / "devices"


def name_of(serial: str) -> str:
    """A device's name among files: its serial may hold anything."""
    return hashlib.sha256(serial.encode("utf-8", "surrogatepass")).hexdigest()[:20]


@contextlib.contextmanager
def leased(serial: str, folder: Path | None = None) -> Iterator[None]:
    """Keep a device for this process; a lease ends with the process that holds it, even by a kill.

    Raises:
        DeviceBusy: Another process, or another part of this one, has it.
        HarnessError: The lease cannot be written.
    """
    path = (folder or default_folder()) / f"{name_of(serial)}.lease"
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = path.open("a+", encoding="utf-8")
    except OSError as error:
        raise HarnessError(f"the lease of {serial} cannot be written: {path}: {error.strerror}") from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            file.seek(0)
            holder = file.read(20).strip()
            by = f"process {holder}" if holder.isdecimal() else "another process"
            raise DeviceBusy(
                f"{serial} is in use by another run ({by}): wait until it has ended, or end it"
            ) from error
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield
