"""Put back what the journal says was changed, the newest first, each seen to be back."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass

from garabench.core.changes import CONSOLE, Argv
from garabench.core.instants import Instant
from garabench.device import console
from garabench.device.adb import Adb
from garabench.device.undo.change import read, read_until
from garabench.device.undo.entry import Entry, Scope
from garabench.device.undo.journal import Journal
from garabench.device.undo.moved import put_back
from garabench.errors import CommandFailed, NotRestored


@dataclass(frozen=True, slots=True)
class Restored:
    """What became of one change.

    Attributes:
        number: In the journal.
        entry: The change.
        reading: What the device reads now.
        problem: Why it is not back; empty when it is.
    """

    number: int
    entry: Entry
    reading: str
    problem: str = ""

    def __str__(self) -> str:
        if not self.problem:
            return f"{self.entry.what} is {self.reading or 'as it was'} again"
        return f"{self.entry.what} is not as it was: {self.problem}"


def restore(
    adb: Adb,
    journal: Journal,
    scope: Scope | None = None,
    *,
    after: int = 0,
    tell: Callable[[Restored], None] = lambda one: None,
) -> tuple[Restored, ...]:
    """Put back what is open; harmless to repeat, and gone on with after a kill.

    What cannot be put back stays in the journal, and does not keep the rest from it.

    Args:
        adb: The device.
        journal: Its journal.
        scope: Only what lasts that long; all unless given.
        after: Only what was noted after the change of that number.
        tell: Called with each at once: a device may go in the middle.

    Raises:
        DeviceError: The device is gone; what is left stays in the journal.
        HarnessError: The journal cannot be written.
    """
    found = []
    for number, entry in journal.entries:
        if number <= after or (scope is not None and entry.scope is not scope):
            continue
        one = _one(adb, number, entry)
        if not one.problem:
            journal.done(number)
        found.append(one)
        tell(one)
    return tuple(found)


def restore_or_fail(adb: Adb, journal: Journal, scope: Scope | None = None) -> tuple[Restored, ...]:
    """As `restore`, for those who cannot go on with a device that is not as it was.

    Raises:
        NotRestored: Something is not back; what, and how to put it back by hand.
    """
    found = restore(adb, journal, scope)
    if left := [each for each in found if each.problem]:
        ways = "; ".join(f"{each} (by hand: {by_hand(adb.serial, each.entry)})" for each in left)
        raise NotRestored(
            f"{adb.serial} could not be put back as it was: {ways}. "
            f"Try again: garabench device restore {adb.serial}; or once it is done, with --forget"
        )
    return found


def by_hand(serial: str, entry: Entry) -> str:
    """The commands that put a change back, for a person's own terminal."""
    if entry.clock is not None:
        return _clock_by_hand(serial, entry.back[0], entry.clock)
    lines = []
    for argv in entry.back:
        if argv[0] == CONSOLE:
            lines.append(shlex.join(["adb", "-s", serial, *argv]))
        else:  # the device's shell takes the words apart again
            lines.append(shlex.join(["adb", "-s", serial, "shell", shlex.join(argv)]))
    return " && ".join(lines)


def _clock_by_hand(serial: str, argv: Argv, was: Instant) -> str:
    """A command whose number the shell works out: its own clock, and how far the two were apart."""
    ahead = round(was.wall - was.host)
    return f"adb -s {shlex.quote(serial)} shell {shlex.join(argv)} $(( ($(date +%s) + {ahead}) * 1000 ))"


def _one(adb: Adb, number: int, entry: Entry) -> Restored:
    try:
        if entry.clock is not None:
            now, problem = put_back(adb, entry.clock)
            return Restored(number, entry, f"at {now}", problem)
        reading = read(adb, entry.probe)
        if reading in entry.expected:
            return Restored(number, entry, reading)
        said = ""
        for argv in entry.back:
            result = console.run(adb, argv)
            said = result.output.strip() if result.exit_code else said
        reading = read_until(adb, entry.probe, lambda reading: reading in entry.expected)
    except CommandFailed as error:
        return Restored(number, entry, "", str(error))
    if reading in entry.expected:
        return Restored(number, entry, reading)
    problem = said.splitlines()[-1] if said else f"it reads {reading!r}, not {' or '.join(entry.expected)!r}"
    return Restored(number, entry, reading, problem)
