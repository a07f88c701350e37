"""Find the journals that earlier runs have left for a device, under any of its serials."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from garabench.device.adb import Adb
from garabench.device.undo.identity import identify_device
from garabench.device.undo.journal import SUFFIX, Journal
from garabench.device.undo.lease import HeldLease, leased
from garabench.errors import DeviceBusyError, DeviceError

_MAX_HEADER_LENGTH = 10_000
"""Bytes of a journal's first line."""


@dataclass(frozen=True, slots=True)
class Leftovers:
    """The leftover journals that concern a device.

    Attributes:
        journals: Journals of the device with changes to undo, newest first.
        messages: Messages about journals of other devices that had the same serial.
    """

    journals: tuple[Journal, ...]
    messages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _JournalHeader:
    """The header of a journal: its path, the device's serial and its identity."""

    path: Path
    serial: str
    device: str


def has_any_journal(folder: Path) -> bool:
    """Return whether there is a journal of any device."""
    return any(folder.glob(f"*{SUFFIX}"))


@contextlib.contextmanager
def leftovers_of(adb: Adb, held: HeldLease, device: str) -> Iterator[Leftovers]:
    """Open the leftover journals of a device, and hold the leases of its other serials during the block.

    An old journal without an identity counts as belonging to the device that has its serial now.

    Args:
        adb: The device.
        held: The lease of its serial.
        device: Its identity, from `claim`.

    Raises:
        InputError: A journal is damaged.
        HarnessError: One cannot be read.
    """
    names, others = set(), []
    for header in _headers(held.folder):
        if header.device == device:
            names.add(header.serial)
        elif header.device and header.serial == held.serial:
            others.append(
                f"the undo journal of another device that had this serial before ({header.path}) "
                "is not applied to this device"
            )
    with contextlib.ExitStack() as stack:
        journals = [Journal.at(held.serial, held.folder), Journal.at(held.serial, held.folder, device)]
        for name in sorted(names - {held.serial}):
            try:
                stack.enter_context(leased(name, held.folder))
            except DeviceBusyError:
                continue  # the other process uses a copy of this device, since this one is not leased
            if not _is_copy(Adb(name, adb.clock), adb, device):
                journals.append(Journal.at(name, held.folder, device))
        yield Leftovers(tuple(sorted(filter(_is_open, journals), key=_written, reverse=True)), tuple(others))


def _is_open(journal: Journal) -> bool:
    return bool(journal.entries)


def _written(journal: Journal) -> float:
    return journal.path.stat().st_mtime if journal.path is not None else 0.0


def _is_copy(other: Adb, adb: Adb, device: str) -> bool:
    """Return whether another serial reaches a copy of this device, to which that serial's journal belongs."""
    try:
        if other.listed() != "device":
            return False
        found = identify_device(other)
    except DeviceError:
        return False
    return found.device == device and found.mark != identify_device(adb).mark


def _headers(folder: Path) -> Iterator[_JournalHeader]:
    """Read the headers of the journals; a damaged one is reported when it is opened."""
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError, RecursionError):
            with path.open("rb") as file:
                data = json.loads(file.readline(_MAX_HEADER_LENGTH))
            yield _JournalHeader(path, str(data["serial"]), str(data.get("device", "")))
