"""What earlier runs have left open on a device, under whichever name they reached it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from garabench.device.adb import Adb
from garabench.device.undo.identity import identify
from garabench.device.undo.journal import SUFFIX, Journal
from garabench.device.undo.lease import Held, leased
from garabench.errors import DeviceBusy, DeviceError

_LONGEST_HEAD = 10_000
"""Bytes of a journal's first line."""


@dataclass(frozen=True, slots=True)
class Left:
    """The journals that concern a device.

    Attributes:
        journals: Those of this device with something to put back, the one written last first.
        others: What is said of those that other devices of this name have left.
    """

    journals: tuple[Journal, ...]
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Head:
    """How a journal begins: where it is, by which name the device was reached, and which it is."""

    path: Path
    serial: str
    device: str


def any_left(folder: Path) -> bool:
    """Whether there is a journal of any device."""
    return any(folder.glob(f"*{SUFFIX}"))


@contextlib.contextmanager
def left_on(adb: Adb, held: Held, device: str) -> Iterator[Left]:
    """The journals of a device, for as long as the block lasts: other names' leases are held in it, too.

    A journal of before devices were told apart is that of whatever has its name now.

    Args:
        adb: The device.
        held: The lease of its name.
        device: Which device it is, as `claim` told.

    Raises:
        InputError: A journal is damaged.
        HarnessError: One cannot be read.
    """
    names, others = set(), []
    for head in _heads(held.folder):
        if head.device == device:
            names.add(head.serial)
        elif head.device and head.serial == held.serial:
            others.append(
                f"a journal of another device, which had this name before, is kept ({head.path}); "
                "this one is not touched"
            )
    with contextlib.ExitStack() as stack:
        journals = [Journal.at(held.serial, held.folder), Journal.at(held.serial, held.folder, device)]
        for name in sorted(names - {held.serial}):
            try:
                stack.enter_context(leased(name, held.folder))
            except DeviceBusy:
                continue  # this device is not held by anybody else: a copy of it is
            if not _is_copy(Adb(name, adb.clock), adb, device):
                journals.append(Journal.at(name, held.folder, device))
        yield Left(tuple(sorted(filter(_is_open, journals), key=_written, reverse=True)), tuple(others))


def _is_open(journal: Journal) -> bool:
    return bool(journal.entries)


def _written(journal: Journal) -> float:
    return journal.path.stat().st_mtime if journal.path is not None else 0.0


def _is_copy(other: Adb, adb: Adb, device: str) -> bool:
    """Whether another name reaches a copy of this device, which the journal of that name is of."""
    try:
        if other.listed() != "device":
            return False
        found = identify(other)
    except DeviceError:
        return False
    return found.device == device and found.mark != identify(adb).mark


def _heads(folder: Path) -> Iterator[_Head]:
    """How the journals begin; one that is damaged is told when it is opened by its own name."""
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError, RecursionError):
            with path.open("rb") as file:
                data = json.loads(file.readline(_LONGEST_HEAD))
            yield _Head(path, str(data["serial"]), str(data.get("device", "")))
