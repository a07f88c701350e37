"""Shift a device's clock, and later set it to the time that it would have shown without the shift."""

from __future__ import annotations

from garabench.core.clock_reading import READ_CLOCK, Instant
from garabench.core.device_changes import Argv, StateQuery
from garabench.device import console
from garabench.device.adb import Adb
from garabench.device.undo.entry import Scope, UndoEntry
from garabench.device.undo.journal import Journal
from garabench.errors import CommandError

WHAT = "the device's clock"
SET: Argv = ("cmd", "alarm", "set-time")
"""Expects milliseconds since 1970; adb's shell has the permission ``SET_TIME``."""


def read_instant(adb: Adb) -> Instant:
    """Read the device's date and time together with its uptime.

    Raises:
        CommandError: The device does not report them.
        DeviceError: The device is gone.
    """
    before = adb.clock.now().timestamp()
    output = console.run_in_shell_or_console(adb, READ_CLOCK).stdout
    return Instant.parse(output, (before + adb.clock.now().timestamp()) / 2)


def shift_clock(
    adb: Adb, journal: Journal, seconds: float, *, purpose: str, scope: Scope = Scope.EPISODE
) -> Instant:
    """Set a device's clock forward, or back by a negative number, and record it in the journal first.

    Returns:
        An instant after the shift, for checking later whether the clock is still shifted.

    Raises:
        CommandError: The clock original not shifted; some vendors do not let the shell set it.
        DeviceError: The device is gone.
        HarnessError: The journal cannot be written.
    """
    before = read_instant(adb)
    journal.open(
        UndoEntry(WHAT, purpose, scope, (SET,), StateQuery(READ_CLOCK), (str(before),), clock=before)
    )
    output = _set(adb, before.wall + seconds)
    now = read_instant(adb)
    expected = Instant(before.wall + seconds, before.uptime, before.boot, before.host)
    if not expected.agrees_with(now):
        problem = output or f"it reads {now}"
        raise CommandError(f"{' '.join(SET)!r} did not change {WHAT}: {problem}", argv=SET)
    return now


def undo_shift(adb: Adb, original: Instant) -> tuple[Instant, str]:
    """Set a device's clock to the time it would show without the shift; do nothing if it already shows it.

    Returns:
        The clock's reading afterwards, and what is wrong (empty if nothing).

    Raises:
        CommandError: The device does not report its time.
        DeviceError: The device is gone.
    """
    now = read_instant(adb)
    if original.agrees_with(now):
        return now, ""
    output = _set(adb, original.expected_wall(now))
    now = read_instant(adb)
    return now, "" if original.agrees_with(now) else output or f"it reads {now}"


def _set(adb: Adb, wall: float) -> str:
    """Set the clock and return the last line of output: old builds exit with 0 even when they refuse."""
    result = console.run_in_shell_or_console(adb, (*SET, str(round(wall * 1000))))
    return next(reversed(result.output.strip().splitlines()), "")
