"""Open another app next to the task's app in a split screen, verify it, and record how it is undone."""

from __future__ import annotations

from dataclasses import dataclass

from garabench.core.anomalies import split_screen
from garabench.core.anomalies.anomaly import SplitScreenPart
from garabench.core.anomalies.split_screen import TaskRow
from garabench.core.device_changes import Argv, StateQuery
from garabench.core.tree import UiTree
from garabench.device.device import Device
from garabench.device.undo.apply import read_query
from garabench.device.undo.entry import Scope, UndoEntry
from garabench.errors import CommandError

WHAT = "the split screen"
_CHOOSER = "android"
_CHECKS = 8
_START_LIMIT = 30.0


@dataclass(frozen=True, slots=True)
class SharedScreen:
    """Two apps that share the screen.

    Attributes:
        other_app: The package of the other app.
        evidence: The readings that show it.
    """

    other_app: str
    evidence: tuple[str, ...]


def enter(device: Device, part: SplitScreenPart, *, app: str, purpose: str) -> SharedScreen:
    """Open another app next to the one in the foreground; recorded in the device's journal first.

    Args:
        device: The device.
        part: The other app.
        app: The app in the foreground.
        purpose: The anomaly's id.

    Raises:
        CommandError: The device has no commands to enter and leave a split screen, or it was not verified.
        DeviceError: The device is gone.
        HarnessError: The journal cannot be written.
    """
    other = device.apps.resolve(action=part.action)
    if other is None or other.package in (_CHOOSER, app):
        raise CommandError(f"{purpose}: there is no other app to open next to {app}")
    if not _visible(device, app):
        raise CommandError(f"{purpose}: {app} has no task on the screen")
    if split_screen.visible_halves(app, other.package, _rows(device)):
        raise CommandError(f"{purpose}: the two apps already share the screen, so nothing would change")
    if device.info.sdk < split_screen.STAGES_SDK:
        if mode := read_query(device.adb, split_screen.IN_A_HALF):
            raise CommandError(f"{purpose}: other apps are already in a split screen ({mode})")
        _record_undo(device, purpose, split_screen.IN_A_HALF, ("",), (("am", "force-stop", other.package),))
        output = _run(device, split_screen.start_command(part.action), purpose)
    else:
        output = _enter_by_stages(device, part, app, other.package, purpose)
    for _ in range(_CHECKS):
        if found := split_screen.visible_halves(app, other.package, _rows(device)):
            return SharedScreen(
                other.package, (*(f"am stack list: {row}" for row in found), _seen(device, found, purpose))
            )
        device.wait(0.25)
    last = output.strip().splitlines()[-1:] or ["Android printed no error"]
    raise CommandError(f"{purpose}: {app} does not share the screen with {other.package}: {last[0]}")


def is_still_split(device: Device, app: str, other: str) -> bool:
    """Return whether two apps still have their halves of the screen, even while something covers them."""
    return split_screen.is_split(app, other, _rows(device))


def _enter_by_stages(device: Device, part: SplitScreenPart, app: str, other: str, purpose: str) -> str:
    """Use SystemUI's commands, which require task ids: the other app needs a task in the background."""
    known = split_screen.parse_stages(device.adb.shell([*split_screen.WMSHELL, "help"]).stdout)
    if known is None:
        raise CommandError(
            f"{purpose}: the help of SystemUI's WMShell lists no commands to enter and leave a split screen"
        )
    _run(device, ("am", "start", "-W", "-a", part.action), purpose)
    other_task = _visible(device, other)
    device.apps.open(app)
    own = _visible(device, app)
    if other_task is None or own is None:
        raise CommandError(f"{purpose}: {app if own is None else other} has no task on the screen")
    query, full_screen = split_screen.bounds_query(other_task)
    _record_undo(
        device,
        purpose,
        query,
        full_screen,
        (known.leave_command(own, other_task), ("am", "force-stop", other)),
    )
    return _run(device, known.enter_command(other_task), purpose)


def _record_undo(
    device: Device, purpose: str, query: StateQuery, expected: tuple[str, ...], back: tuple[Argv, ...]
) -> None:
    device.journal.open(UndoEntry(WHAT, purpose, Scope.EPISODE, back, query, expected))


def _run(device: Device, argv: Argv, purpose: str) -> str:
    return device.adb.shell(list(argv), timeout=_START_LIMIT).check(f"bring about {purpose}").output


def _rows(device: Device) -> tuple[TaskRow, ...]:
    return split_screen.parse_tasks(device.adb.shell(list(split_screen.STACKS)).stdout)


def _visible(device: Device, package: str) -> TaskRow | None:
    """Wait for an app's task to be visible and return it; None if it does not appear."""
    for _ in range(_CHECKS):
        row = split_screen.task_of(package, _rows(device))
        if row is not None and row.visible:
            return row
        device.wait(0.25)
    return None


def _seen(device: Device, found: tuple[TaskRow, ...], purpose: str) -> str:
    """Return the evidence on the tree.

    Raises:
        CommandError: The tree shows neither app within its half.
    """
    tree = device.settle().reading.tree
    packages = [row.package for row in found if _inside(tree, row)]
    if not packages:
        raise CommandError(f"{purpose}: the tree does not show the apps in their halves")
    return f"the tree: {' and '.join(packages)} in place"


def _inside(tree: UiTree, row: TaskRow) -> bool:
    own = [node for node in tree.nodes if node.package == row.package and not node.bounds.is_empty]
    return bool(own) and all(row.bounds.encloses(node.bounds) for node in own)
