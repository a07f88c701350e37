"""Change a device so that it can be undone: read the state, record it, change it, verify the change."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from contextlib import closing

from garabench.core.device_changes import Change, StateQuery
from garabench.core.device_switches import run_settings, unattended_settings
from garabench.core.user_settings import user_settings
from garabench.device import console
from garabench.device.adb import Adb
from garabench.device.undo.entry import Scope, UndoEntry
from garabench.device.undo.journal import Journal
from garabench.device.undo.setting_commands import run_setting_commands
from garabench.device.undo.state_reader import StateReader
from garabench.errors import CommandError


def read_query(adb: Adb, query: StateQuery) -> str:
    """Return what a query reads.

    Raises:
        CommandError: The device printed an error instead.
        DeviceError: The device is gone, or its console rejected the command.
    """
    result = console.run_in_shell_or_console(adb, query.argv)
    return query.read(result.check_reading("read a state").output)


def read_until(adb: Adb, query: StateQuery, holds: Callable[[str], bool]) -> str:
    """Read a query until a condition holds; see `StateReader.read_until`."""
    return StateReader(adb).read_until(query, holds)


def record_change(
    adb: Adb,
    journal: Journal,
    change: Change,
    *,
    sdk: int,
    purpose: str,
    scope: Scope,
    reading: str | None = None,
) -> str:
    """Record in the journal how to restore a state, and return its reading.

    Args:
        adb: The device.
        journal: Its journal.
        change: The change.
        sdk: Android's API level.
        purpose: The purpose of the change.
        scope: How long the change lasts.
        reading: The state, if it was just read; None reads it.

    Raises:
        CommandError: The state cannot be read or could not be restored.
        HarnessError: The journal cannot be written.
    """
    if reading is None:
        reading = read_query(adb, change.query)
    back, expected = change.undo(reading, sdk)
    journal.open(UndoEntry(change.subject, purpose, scope, back, change.query, expected))
    return reading


def apply(
    adb: Adb, journal: Journal, change: Change, *, sdk: int, purpose: str, scope: Scope = Scope.EPISODE
) -> bool:
    """Change something so that it can be undone.

    Args:
        adb: The device.
        journal: Its journal.
        change: The change.
        sdk: Android's API level.
        purpose: The purpose of the change.
        scope: How long the change lasts.

    Returns:
        Whether anything was changed; False if the state was already as requested.

    Raises:
        CommandError: The change could not be verified, or could not be undone.
        DeviceError: The device is gone.
        HarnessError: The journal cannot be written.
    """
    before = read_query(adb, change.query)
    if change.is_in_effect(before):
        return False
    record_change(adb, journal, change, sdk=sdk, purpose=purpose, scope=scope, reading=before)
    results = [console.run_in_shell_or_console(adb, argv) for argv in change.commands]
    failed = [result for result in results if result.failed]
    after = read_query(adb, change.query) if failed else read_until(adb, change.query, change.is_in_effect)
    if not change.is_in_effect(after):
        output = "".join(result.output for result in results)
        reason = [result.reason for result in failed] or output.strip().splitlines()[-1:]
        reason = reason or [f"it still reads {after!r}"]
        raise CommandError(
            f"{' '.join(change.commands[0])!r} did not change {change.subject}: {reason[0]}",
            argv=change.commands[0],
            exit_code=results[-1].exit_code,
            output=output,
        )
    return True


def record_run_state(adb: Adb, journal: Journal, *, sdk: int) -> None:
    """Record the state that is restored after a run, whether the run, an agent or a follow-up changes it.

    Raises:
        DeviceError: The device is gone, or a state cannot be read.
        HarnessError: The journal cannot be written.
    """
    state = StateReader(adb)
    changes = [change for change in run_settings(sdk) if not journal.has(change.subject, Scope.RUN)]
    with closing(state):
        state.start(change.query for change in changes)
        for change in changes:
            reading = state.read(change.query)
            record_change(adb, journal, change, sdk=sdk, purpose="the run", scope=Scope.RUN, reading=reading)


def record_user_settings(adb: Adb, journal: Journal, *, sdk: int) -> None:
    """Record the settings of the user that are restored before each episode and after a run.

    Raises:
        DeviceError: The device is gone, or a setting cannot be read.
        HarnessError: The journal cannot be written.
    """
    state, entries = StateReader(adb), []
    changes = [change for change in user_settings(sdk) if not journal.has(change.subject, Scope.RUN)]
    with closing(state):
        state.start(change.query for change in changes)
        readings = state.read_settings(change.query for change in changes)
    for change in changes:
        with contextlib.suppress(CommandError):  # in a state that has no command, such as a vendor's
            back, expected = change.undo(readings[change.query], sdk)
            entries.append(UndoEntry(change.subject, "the run", Scope.RUN, back, change.query, expected))
    journal.open_all(entries)


def apply_unattended(adb: Adb, journal: Journal, *, sdk: int) -> tuple[str, ...]:
    """Keep the screen on and switch animations off until the run ends.

    Returns:
        Why a setting could not be changed; a run is possible without it.

    Raises:
        DeviceError: The device is gone.
        HarnessError: The journal cannot be written.
    """
    state = StateReader(adb)
    changes = []
    for change in unattended_settings():
        reading = state.read(change.query)
        if not change.is_in_effect(reading):
            record_change(adb, journal, change, sdk=sdk, purpose="the run", scope=Scope.RUN, reading=reading)
            changes.append(change)
    failures = run_setting_commands(adb, [argv for change in changes for argv in change.commands])
    state.forget()
    problems = []
    for change in changes:
        reading = state.read_until(change.query, change.is_in_effect)
        if not change.is_in_effect(reading):
            reason = failures.get(change.commands[0], f"it still reads {reading!r}")
            problems.append(f"{' '.join(change.commands[0])!r} did not change {change.subject}: {reason}")
    return tuple(problems)
