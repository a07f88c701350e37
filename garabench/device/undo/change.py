"""Change a device so that it can be undone: read, note, change, see that it is so."""

from __future__ import annotations

from collections.abc import Callable

from garabench.core.changes import Change, Probe
from garabench.core.switches import held_by_a_run
from garabench.device import console
from garabench.device.adb import Adb
from garabench.device.undo.entry import Entry, Scope
from garabench.device.undo.journal import Journal
from garabench.errors import CommandFailed

_LOOKS = 8
_PAUSE_S = 0.25


def read(adb: Adb, probe: Probe) -> str:
    """What a probe reads.

    Raises:
        DeviceError: The device is gone, or its console refused.
    """
    return probe.read(console.run(adb, probe.argv).output)


def read_until(adb: Adb, probe: Probe, holds: Callable[[str], bool]) -> str:
    """What a probe reads once that holds, or what it still reads when it has not come to hold.

    Radios and settings follow a command a moment later on real phones.

    Raises:
        DeviceError: As `read`.
    """
    reading = read(adb, probe)
    for _ in range(_LOOKS):
        if holds(reading):
            break
        adb.clock.sleep(_PAUSE_S)
        reading = read(adb, probe)
    return reading


def note(adb: Adb, journal: Journal, change: Change, *, sdk: int, why: str, scope: Scope) -> str:
    """Read a state and have it in the journal; what was read.

    Raises:
        CommandFailed: It cannot be read, or not be gone back to.
        HarnessError: The journal cannot be written.
    """
    reading = read(adb, change.probe)
    back, expected = change.back(reading, sdk)
    journal.open(Entry(change.what, why, scope, back, change.probe, expected))
    return reading


def apply(
    adb: Adb, journal: Journal, change: Change, *, sdk: int, why: str, scope: Scope = Scope.EPISODE
) -> bool:
    """Change something so that it can be undone.

    Args:
        adb: The device.
        journal: Its journal.
        change: What is changed.
        sdk: Android's API level.
        why: What for.
        scope: How long it lasts.

    Returns:
        Whether it was changed; False when it was so already, which leaves nothing to undo.

    Raises:
        CommandFailed: It is not seen to be changed, or could not be put back.
        DeviceError: The device is gone.
        HarnessError: The journal cannot be written.
    """
    if change.is_so(read(adb, change.probe)):
        return False
    note(adb, journal, change, sdk=sdk, why=why, scope=scope)
    results = [console.run(adb, argv) for argv in change.on]
    after = read_until(adb, change.probe, change.is_so)
    if not change.is_so(after):
        output = "".join(result.output for result in results)
        said = output.strip().splitlines()[-1:] or [f"it reads {after!r}"]
        raise CommandFailed(
            f"{change.what} was not changed by {' '.join(change.on[0])!r}: {said[0]}",
            argv=change.on[0],
            exit_code=results[-1].exit_code,
            output=output,
        )
    return True


def hold(adb: Adb, journal: Journal, *, sdk: int) -> None:
    """Note how a device is before a run changes it, whoever changes it then: the run, an agent, a follow-up.

    Raises:
        DeviceError: The device is gone, or tells no state.
        HarnessError: The journal cannot be written.
    """
    for change in held_by_a_run(sdk):
        if not journal.has(change.what, Scope.RUN):
            note(adb, journal, change, sdk=sdk, why="the run", scope=Scope.RUN)
