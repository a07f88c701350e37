"""Undo the changes in the journal, newest first, and verify each."""

from __future__ import annotations

import contextlib
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass

from garabench.core.clock_reading import Instant
from garabench.core.device_changes import CONSOLE, Argv, StateQuery
from garabench.core.device_switches import unattended_settings
from garabench.core.user_settings import USER_SETTING_QUERIES
from garabench.device import console
from garabench.device.adb import Adb
from garabench.device.adb_command import adb_command
from garabench.device.undo.clock_shift import undo_shift
from garabench.device.undo.entry import Scope, UndoEntry
from garabench.device.undo.journal import Journal
from garabench.device.undo.setting_commands import run_setting_commands
from garabench.device.undo.state_reader import StateReader, settings_table_of
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


def restore_device(
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
    entries = [
        (number, entry)
        for number, entry in journal.entries
        if number > after and (scope is None or entry.scope is scope)
    ]
    _undo_settings_at_once(adb, state, [entry for _, entry in entries])
    of_user, unchanged = dict(_user_entries(entries)), frozenset[int]()
    for number, entry in entries:
        if number in of_user and not unchanged:  # now that the changes of episodes are undone
            unchanged = _unchanged(state, of_user)
            journal.done_all(unchanged)
        if number in unchanged:
            continue
        restoration = _restore_entry(adb, state, number, entry)
        if not restoration.problem:
            journal.done(number)
        restorations.append(restoration)
        on_restored(restoration)
    return tuple(restorations)


def restore_or_fail(adb: Adb, journal: Journal, scope: Scope | None = None) -> tuple[Restoration, ...]:
    """Undo the open changes as `restore_device` does, and raise if one could not be undone.

    Raises:
        RestoreError: A change is not undone; the message has the command to undo it by hand.
    """
    return _without_problems(adb, restore_device(adb, journal, scope))


def restore_user_settings(adb: Adb, journal: Journal, state: StateReader) -> tuple[Restoration, ...]:
    """Restore the settings of the user that differ from those at the start of the run.

    Their entries stay in the journal: the next episode may change them again. Where no run has recorded them,
    nothing is read.

    Args:
        adb: The device.
        journal: Its journal.
        state: Reads the settings; the caller may have started it with `recorded_user_settings`.

    Returns:
        What was restored.

    Raises:
        RestoreError: A setting could not be restored.
        DeviceError: The device is gone, or a setting cannot be read.
    """
    entries = dict(_user_entries(journal.entries))
    unchanged = _unchanged(state, entries)
    changed = [(number, entry) for number, entry in entries.items() if number not in unchanged]
    if not changed:
        return ()
    run_setting_commands(adb, [argv for _, entry in changed for argv in entry.undo_commands])
    state.forget()
    return _without_problems(
        adb, tuple(_restore_entry(adb, state, number, entry) for number, entry in changed)
    )


def recorded_user_settings(journal: Journal) -> tuple[StateQuery, ...]:
    """Return what reads the settings of the user that a run has recorded.

    Args:
        journal: The device's journal.
    """
    return tuple(entry.query for _, entry in _user_entries(journal.entries))


def _user_entries(entries: Iterable[tuple[int, UndoEntry]]) -> Iterator[tuple[int, UndoEntry]]:
    for number, entry in entries:
        if entry.scope is Scope.RUN and entry.query.argv in USER_SETTING_QUERIES:
            yield number, entry


def _unchanged(state: StateReader, entries: Mapping[int, UndoEntry]) -> frozenset[int]:
    """Return the numbers of the entries whose settings are as recorded."""
    readings = state.read_settings(entry.query for entry in entries.values())
    return frozenset(number for number, entry in entries.items() if readings[entry.query] in entry.expected)


def _without_problems(adb: Adb, restorations: tuple[Restoration, ...]) -> tuple[Restoration, ...]:
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
    adb, lines = f"{adb_command()} -s {shlex.quote(serial)}", []
    for argv in entry.undo_commands:
        if argv[0] == CONSOLE:
            lines.append(f"{adb} {shlex.join(argv)}")
        else:  # quoted twice, since the device's shell splits the line again
            lines.append(f"{adb} shell {shlex.quote(shlex.join(argv))}")
    return " && ".join(lines)


def _clock_by_hand(serial: str, argv: Argv, original: Instant) -> str:
    """Return a command that computes the time in the shell: the local clock plus the former difference."""
    ahead = round(original.wall - original.host)
    adb = f"{adb_command()} -s {shlex.quote(serial)}"
    return f"{adb} shell {shlex.join(argv)} $(( ($(date +%s) + {ahead}) * 1000 ))"


def _undo_settings_at_once(adb: Adb, state: StateReader, entries: Sequence[UndoEntry]) -> None:
    """Undo changed settings with one wait for all, where each command takes seconds.

    A setting that was surely changed is undone while the tables are read for the others. Nothing is verified
    here: what is not restored afterwards is undone again, one entry after the other.
    """
    if adb.starts_fast:
        return
    changes_of_query = Counter(entry.query for entry in entries)
    settings = [
        entry
        for entry in entries
        if len(entry.undo_commands) == 1
        and settings_table_of(entry.query) is not None
        and changes_of_query[entry.query] == 1  # the order of several matters
    ]
    with closing(state), contextlib.suppress(CommandError):
        state.start(entry.query for entry in entries)
        at_once = [entry for entry in settings if _is_surely_changed(entry)]
        if at_once:
            run_setting_commands(adb, [argv for entry in at_once for argv in entry.undo_commands])
        unverified = [entry for entry in at_once if state.read(entry.query) not in entry.expected]
        changed = [
            entry
            for entry in settings
            if entry not in at_once and state.read(entry.query) not in entry.expected
        ]
        if len(changed) > 1:
            run_setting_commands(adb, [argv for entry in changed for argv in entry.undo_commands])
            state.forget(entry.query for entry in changed)
        state.forget(entry.query for entry in unverified)


def _is_surely_changed(entry: UndoEntry) -> bool:
    """Return whether a recorded state was changed at once; other states of a run may have stayed."""
    return entry.scope is Scope.EPISODE or entry.query in {change.query for change in unattended_settings()}


def _restore_entry(adb: Adb, state: StateReader, number: int, entry: UndoEntry) -> Restoration:
    try:
        if entry.clock is not None:
            now, problem = undo_shift(adb, entry.clock)
            return Restoration(number, entry, f"at {now}", problem)
        reading = state.read(entry.query)
        if reading in entry.expected:
            return Restoration(number, entry, reading)
        output = ""
        state.forget()  # an undo may also change what another entry reads
        for argv in entry.undo_commands:
            result = console.run_in_shell_or_console(adb, argv)
            output = result.reason if result.failed else output
        reading = state.read_until(entry.query, lambda reading: reading in entry.expected)
    except CommandError as error:
        return Restoration(number, entry, "", str(error))
    if reading in entry.expected:
        return Restoration(number, entry, reading)
    expected = " or ".join(map(repr, entry.expected))
    problem = output or f"it reads {reading!r}, not {expected}"
    return Restoration(number, entry, reading, problem)
