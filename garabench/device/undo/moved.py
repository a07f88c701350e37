"""Move a device's clock so that it can be put back to what it would have been by then."""

from __future__ import annotations

from garabench.core.changes import Argv, Probe
from garabench.core.instants import ASK, Instant
from garabench.device import console
from garabench.device.adb import Adb
from garabench.device.undo.entry import Entry, Scope
from garabench.device.undo.journal import Journal
from garabench.errors import CommandFailed

WHAT = "the device's clock"
SET: Argv = ("cmd", "alarm", "set-time")
"""Takes milliseconds since 1970; adb's shell holds ``SET_TIME`` for it."""


def read_instant(adb: Adb) -> Instant:
    """The device's date and time, with its uptime.

    Raises:
        CommandFailed: It does not tell.
        DeviceError: It is gone.
    """
    before = adb.clock.now().timestamp()
    said = console.run(adb, ASK).stdout
    return Instant.parse(said, (before + adb.clock.now().timestamp()) / 2)


def move(adb: Adb, journal: Journal, seconds: float, *, why: str, scope: Scope = Scope.EPISODE) -> Instant:
    """Set a device's clock forward, or back by a negative number; in the journal before it is done.

    Returns:
        A moment after it, by which is seen whether the clock is still the moved one.

    Raises:
        CommandFailed: It is not seen to be moved; some makers' shells may not set the clock.
        DeviceError: The device is gone.
        HarnessError: The journal cannot be written.
    """
    before = read_instant(adb)
    journal.open(Entry(WHAT, why, scope, (SET,), Probe(ASK), (str(before),), clock=before))
    said = _set(adb, before.wall + seconds)
    now = read_instant(adb)
    wanted = Instant(before.wall + seconds, before.uptime, before.boot, before.host)
    if not wanted.goes_on(now):
        problem = said or f"it is at {now}"
        raise CommandFailed(f"{WHAT} was not changed by {' '.join(SET)!r}: {problem}", argv=SET)
    return now


def put_back(adb: Adb, was: Instant) -> tuple[Instant, str]:
    """Set a device's clock to what it would be if it had been left alone; as it is when it was.

    Returns:
        What it is then, and what is wrong, or nothing.

    Raises:
        CommandFailed: It does not tell.
        DeviceError: It is gone.
    """
    now = read_instant(adb)
    if was.goes_on(now):
        return now, ""
    said = _set(adb, was.due(now))
    now = read_instant(adb)
    return now, "" if was.goes_on(now) else said or f"it is at {now}"


def _set(adb: Adb, wall: float) -> str:
    """Set it; what was said against it, or empty: old builds end with 0 though they refuse."""
    result = console.run(adb, (*SET, str(round(wall * 1000))))
    return next(reversed(result.output.strip().splitlines()), "")
