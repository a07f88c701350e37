"""Undo the changes in the journal, newest first, and verify each."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass

from garabench.core.clock_reading import Instant
from garabench.core.device_changes import CONSOLE, Argv
from garabench.device import console
from garabench.device.adb import Adb
from garabench.device.undo.clock_shift import undo_shift
from garabench.device.undo.entry import Scope, UndoEntry
from garabench.device.undo.journal import Journal
from garabench.device.undo.state_reader import StateReader
from garabench.errors import CommandError, RestoreError


@dataclass(frozen=True, slots=True)
class Restoration:
    """The result of undoing one change.

    Attributes:
        number: Its number in the journal.
        entry: The change.
        reading: The state after it.
        problem: Why the state is not restored; empty if it is.
    """

    number: int
    entry: UndoEntry
    reading: str
    problem: str = ""

    def __str__(self) -> str:
        if not self.problem:
            return f"restored {self.entry.subject}: {self.reading or 'as before'}"
        return f"could not restore {self.entry.subject}: {self.problem}"


def restore(
    adb: Adb,
    journal: Journal,
    scope: Scope | None = None,
    *,
    after: int = 0,
    on_restored: Callable[[Restoration], None] = lambda restoration: None,
) -> tuple[Restoration, ...]:
    """Undo the open changes; idempotent, and resumable after a kill.

    A change that cannot be undone stays in the journal; the others are undone nevertheless.

    Args:
        adb: The device.
        journal: Its journal.
        scope: Undo only changes of this scope; default all.
        after: Undo only changes recorded after this number.
        on_restored: Called with each result at once, since the device may be lost halfway.

    Raises:
        DeviceError: The device is gone; the remaining changes stay in the journal.
        HarnessError: The journal cannot be written.
    """
    restorations = []
    state = StateReader(adb)
    for number, entry in journal.entries:
        if number <= after or (scope is not None and entry.scope is not scope):
            continue
        restoration = _restore_entry(adb, state, number, entry)
        if not restoration.problem:
            journal.done(number)
        restorations.append(restoration)
        on_restored(restoration)
    return tuple(restorations)


def restore_or_fail(adb: Adb, journal: Journal, scope: Scope | None = None) -> tuple[Restoration, ...]:
    """Undo the open changes as `restore` does, and raise if one could not be undone.

    Raises:
        RestoreError: A change is not undone; the message has the command to undo it by hand.
    """
    restorations = restore(adb, journal, scope)
    if failed := [each for each in restorations if each.problem]:
        problems = "; ".join(f"{each} (by hand: {by_hand(adb.serial, each.entry)})" for each in failed)
        raise RestoreError(
            f"{adb.serial} was not fully restored: {problems}. "
            f"Retry with: garabench device restore {adb.serial}; after restoring by hand, add --forget"
        )
    return restorations


def by_hand(serial: str, entry: UndoEntry) -> str:
    """Return the commands that undo a change, for the user's terminal."""
    if entry.clock is not None:
        return _clock_by_hand(serial, entry.undo_commands[0], entry.clock)
    lines = []
    for argv in entry.undo_commands:
        if argv[0] == CONSOLE:
            lines.append(shlex.join(["adb", "-s", serial, *argv]))
        else:  # quoted twice, since the device's shell splits the line again
            lines.append(shlex.join(["adb", "-s", serial, "shell", shlex.join(argv)]))
    return " && ".join(lines)


def _clock_by_hand(serial: str, argv: Argv, original: Instant) -> str:
    """Return a command that computes the time in the shell: the local clock plus the former difference."""
    ahead = round(original.wall - original.host)
    return f"adb -s {shlex.quote(serial)} shell {shlex.join(argv)} $(( ($(date +%s) + {ahead}) * 1000 ))"


def _restore_entry(adb: Adb, state: StateReader, number: int, entry: UndoEntry) -> Restoration:
    try:
        if entry.clock is not None:
            now, problem = undo_shift(adb, entry.clock)
            return Restoration(number, entry, f"at {now}", problem)
        reading = state.read(entry.probe)
        if reading in entry.expected:
            return Restoration(number, entry, reading)
        output = ""
        state.forget()  # an undo may also change what another entry reads
        for argv in entry.undo_commands:
            result = console.run(adb, argv)
            output = result.reason if result.failed else output
        reading = state.read_until(entry.probe, lambda reading: reading in entry.expected)
    except CommandError as error:
        return Restoration(number, entry, "", str(error))
    if reading in entry.expected:
        return Restoration(number, entry, reading)
    expected = " or ".join(map(repr, entry.expected))
    problem = output or f"it reads {reading!r}, not {expected}"
    return Restoration(number, entry, reading, problem)
