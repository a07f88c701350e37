"""Put another app beside the task's own on a device, so that it can be undone, and see them there."""

from __future__ import annotations

from dataclasses import dataclass

from garabench.core.changes import Argv, Probe
from garabench.core.tree import UiTree
from garabench.device.device import Device
from garabench.device.undo.change import read
from garabench.device.undo.entry import Entry, Scope
from garabench.errors import CommandFailed
from garabench.interruptions.system import split
from garabench.interruptions.system.anomaly import Beside
from garabench.interruptions.system.split import TaskRow

WHAT = "the split screen"
_CHOOSER = "android"
_LOOKS = 8
_START_LIMIT = 30.0


@dataclass(frozen=True, slots=True)
class Shared:
    """Two apps that share the screen.

    Attributes:
        beside: The package of the other app.
        evidence: What was read that shows it.
    """

    beside: str
    evidence: tuple[str, ...]


def share(device: Device, part: Beside, *, app: str, why: str) -> Shared:
    """Put another app beside the one in front; noted in the device's journal before.

    Args:
        device: The device.
        part: Which other app.
        app: The one in front.
        why: The anomaly's id.

    Raises:
        CommandFailed: The device has no way to do it and to undo it, or it is not seen to be so.
        DeviceError: The device is gone.
        HarnessError: The journal cannot be written.
    """
    other = device.apps.resolve(action=part.action)
    if other is None or other.package in (_CHOOSER, app):
        raise CommandFailed(f"{why}: there is no other app to put beside {app}")
    if not _visible(device, app):
        raise CommandFailed(f"{why}: {app} has no task on the screen")
    if split.shared(app, other.package, _rows(device)):
        raise CommandFailed(f"{why}: {WHAT} is so already: nothing would change")
    if device.info.sdk < split.STAGES_SDK:
        if mode := read(device.adb, split.IN_A_HALF):
            raise CommandFailed(f"{why}: {WHAT} is {mode} already, of other apps")
        _note(device, why, split.IN_A_HALF, ("",), (("am", "force-stop", other.package),))
        said = _run(device, split.started(part.action), why)
    else:
        said = _stage(device, part, app, other.package, why)
    for _ in range(_LOOKS):
        if found := split.shared(app, other.package, _rows(device)):
            return Shared(
                other.package, (*(f"am stack list: {row}" for row in found), _seen(device, found, why))
            )
        device.wait(0.25)
    last = said.strip().splitlines()[-1:] or ["no error was told"]
    raise CommandFailed(f"{why}: {app} does not share the screen with {other.package}: {last[0]}")


def still(device: Device, app: str, beside: str) -> bool:
    """Whether two apps have their halves of the screen, whatever covers them just now."""
    return split.lasts(app, beside, _rows(device))


def _stage(device: Device, part: Beside, app: str, other: str, why: str) -> str:
    """By SystemUI's commands, which take the tasks' ids: the other app has to have one, behind the app."""
    known = split.stages(device.adb.shell([*split.WMSHELL, "help"]).stdout)
    if known is None:
        raise CommandFailed(
            f"{why}: the help of SystemUI's WMShell does not list a command into a split screen and one out"
        )
    _run(device, ("am", "start", "-W", "-a", part.action), why)
    beside = _visible(device, other)
    device.apps.open(app)
    own = _visible(device, app)
    if beside is None or own is None:
        raise CommandFailed(f"{why}: {app if own is None else other} has no task on the screen")
    probe, whole = split.place(beside)
    _note(device, why, probe, whole, (known.out(own, beside), ("am", "force-stop", other)))
    return _run(device, known.into(beside), why)


def _note(device: Device, why: str, probe: Probe, expected: tuple[str, ...], back: tuple[Argv, ...]) -> None:
    device.journal.open(Entry(WHAT, why, Scope.EPISODE, back, probe, expected))


def _run(device: Device, argv: Argv, why: str) -> str:
    return device.adb.shell(list(argv), timeout=_START_LIMIT).check(f"bring about {why}").output


def _rows(device: Device) -> tuple[TaskRow, ...]:
    return split.rows(device.adb.shell(list(split.STACKS)).stdout)


def _visible(device: Device, package: str) -> TaskRow | None:
    """An app's task once it is to be seen; None when it does not come."""
    for _ in range(_LOOKS):
        row = split.of(package, _rows(device))
        if row is not None and row.visible:
            return row
        device.wait(0.25)
    return None


def _seen(device: Device, found: tuple[TaskRow, ...], why: str) -> str:
    """What of the tree shows it.

    Raises:
        CommandFailed: It shows neither app, or one outside of its place.
    """
    tree = device.settle().reading.tree
    told = [row.package for row in found if _inside(tree, row)]
    if not told:
        raise CommandFailed(f"{why}: the tree does not show the apps in their halves")
    return f"the tree: {' and '.join(told)} in place"


def _inside(tree: UiTree, row: TaskRow) -> bool:
    own = [node for node in tree.nodes if node.package == row.package and not node.bounds.is_empty]
    return bool(own) and all(row.bounds.encloses(node.bounds) for node in own)
