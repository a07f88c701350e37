"""The named snapshots of a running phone that an emulator's console saves and loads."""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from garabench.core.memory_image import UnsupportedObjectError
from garabench.errors import InputError
from garabench.virtual.phone_backend import PhoneBackend, SavedPhone

_MAX_SNAPSHOTS = 256
_HEADER = "List of snapshots present on all disks:"
_NONE = "There is no snapshot available."
_COLUMNS = ("ID", "TAG", "VM SIZE", "DATE", "VM CLOCK")


@dataclass(frozen=True, slots=True, eq=False)
class _Entry:
    saved: SavedPhone
    at: dt.datetime


class EmulatorSnapshots:
    """Snapshots of a running phone by name; they last as long as its process."""

    def __init__(self, backend: PhoneBackend, folder: Path | None = None) -> None:
        """Create an empty set of a phone's snapshots.

        Args:
            backend: The phone.
            folder: A folder that gets an empty entry for each snapshot, as an AVD's folder lists them.
        """
        self._backend = backend
        self._folder = folder
        self._entries: dict[str, _Entry] = {}

    def save(self, name: str) -> None:
        """Save a snapshot; it replaces an earlier one of that name.

        Raises:
            InputError: The phone cannot be saved, or there are too many snapshots.
        """
        if name not in self._entries and len(self._entries) >= _MAX_SNAPSHOTS:
            raise InputError(f"{_MAX_SNAPSHOTS} snapshots are already saved")
        try:
            self._entries[name] = _Entry(self._backend.save(), self._backend.phone.clock.wall())
        except UnsupportedObjectError as error:
            raise InputError(f"the phone cannot be saved now: {error}") from error
        if self._folder is not None and "/" not in name and name not in (".", ".."):
            (self._folder / name).mkdir(parents=True, exist_ok=True)

    def load(self, name: str) -> None:
        """Continue from a snapshot, which can be loaded again.

        Raises:
            InputError: There is no such snapshot.
        """
        self._backend.load(self._entry(name).saved)

    def delete(self, name: str) -> None:
        """Delete a snapshot.

        Raises:
            InputError: There is no such snapshot.
        """
        self._entry(name)
        del self._entries[name]
        if self._folder is not None and "/" not in name:
            with contextlib.suppress(OSError):
                (self._folder / name).rmdir()

    def _entry(self, name: str) -> _Entry:
        if name not in self._entries:
            raise InputError(f"Device 'cache' does not have the requested snapshot '{name}'")
        return self._entries[name]

    def lines(self) -> Iterator[str]:
        """Iterate over the lines of ``avd snapshot list``, in the columns of QEMU."""
        if not self._entries:
            yield _NONE
            return
        yield _HEADER
        yield _row(*_COLUMNS)
        for name, entry in self._entries.items():
            seconds, milliseconds = divmod(entry.saved.phone.uptime_ms, 1000)
            minutes, seconds = divmod(seconds, 60)
            clock = f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02}.{milliseconds:03}"
            yield _row("--", name, "0B", f"{entry.at:%Y-%m-%d %H:%M:%S}", clock)


def _row(number: str, tag: str, size: str, date: str, clock: str) -> str:
    return f"{number:<10}{tag:<20}{size:>7}{date:>20}{clock:>15}"
