"""The split screen as a system anomaly: what of the device's answers tells which way there is, as values.

Android 9 to 11 start a new task in a half by ``am start --windowingMode 3`` (``SPLIT_SCREEN_PRIMARY``), and
the split screen ends with that task. Since Android 12 it is SystemUI's: the help of its ``WMShell`` tells the
commands, which differ. Android 12 has them without ``splitscreen`` before them, only newer ones have
``exitSplitScreen``, and the newest no ``removeFromSideStage`` any more (``SplitScreenShellCommandHandler``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from garabench.core.changes import Argv, Probe
from garabench.core.geometry import Rect

FIRST_SDK = 28
"""``am start`` has had ``--windowingMode`` since Android 9."""
STAGES_SDK = 31
WMSHELL: Argv = ("dumpsys", "activity", "service", "SystemUIService", "WMShell")
STACKS: Argv = ("am", "stack", "list")
_LOWER = "1"
"""``SPLIT_POSITION_BOTTOM_OR_RIGHT``."""
_PRIMARY = "3"
_ROW = re.compile(
    r"^\s+taskId=(?P<number>\d+): (?P<component>[^\s/]+/\S+) "
    r"bounds=\[(?P<left>-?\d+),(?P<top>-?\d+)\]\[(?P<right>-?\d+),(?P<bottom>-?\d+)\]"
    r".* visible=(?P<visible>true|false)",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A task as ``am stack list`` tells it.

    Attributes:
        number: Its id.
        component: Its first activity, ``package/class``.
        bounds: Its place on the screen.
        visible: Whether it is to be seen.
    """

    number: int
    component: str
    bounds: Rect
    visible: bool

    @property
    def package(self) -> str:
        """Whose it is."""
        return self.component.partition("/")[0]

    def __str__(self) -> str:
        seen = "visible" if self.visible else "not visible"
        return f"taskId={self.number}: {self.component} bounds={self.bounds}, {seen}"


@dataclass(frozen=True, slots=True)
class Stages:
    """The commands of SystemUI's that a device has.

    Attributes:
        before: The words before them.
        leave: The one that leads out: ``exitSplitScreen`` or ``removeFromSideStage``.
    """

    before: Argv
    leave: str

    def into(self, beside: TaskRow) -> Argv:
        """Puts a task into the lower or right half, and the one in front into the other."""
        return (*self.before, "moveToSideStage", str(beside.number), _LOWER)

    def out(self, app: TaskRow, beside: TaskRow) -> Argv:
        """Gives the app's task the whole screen: one command names that task, one the task beside it."""
        named = app if self.leave == "exitSplitScreen" else beside
        return (*self.before, self.leave, str(named.number))


def stages(told: str) -> Stages | None:
    """The commands that the help of ``WMShell`` tells; None unless one leads in and one out."""
    first = [line.split()[0] for line in told.splitlines() if line.split()]
    leave = next((verb for verb in ("exitSplitScreen", "removeFromSideStage") if verb in first), "")
    if "moveToSideStage" not in first or not leave:
        return None
    grouped = "splitscreen" in first
    return Stages((*WMSHELL, "splitscreen") if grouped else WMSHELL, leave)


def started(action: str) -> Argv:
    """Starts an app anew in the first half, since a task that is there already would stay where it is."""
    return ("am", "start", "-W", "-S", "--windowingMode", _PRIMARY, "-a", action)


def rows(told: str) -> tuple[TaskRow, ...]:
    """The tasks of ``am stack list``."""
    return tuple(
        TaskRow(
            number=int(found["number"]),
            component=found["component"],
            bounds=Rect(*(int(found[side]) for side in ("left", "top", "right", "bottom"))),
            visible=found["visible"] == "true",
        )
        for found in _ROW.finditer(told)
    )


def of(package: str, told: Sequence[TaskRow]) -> TaskRow | None:
    """An app's task, one that is to be seen before others; None when it has none."""
    own = [row for row in told if row.package == package]
    return next((row for row in own if row.visible), own[0] if own else None)


def shared(app: str, beside: str, told: Sequence[TaskRow]) -> tuple[TaskRow, TaskRow] | None:
    """The tasks of two apps that share the screen: both visible, and neither over the other; or None."""
    one, other = of(app, told), of(beside, told)
    if one is None or other is None or not (one.visible and other.visible):
        return None
    return (one, other) if _apart(one.bounds, other.bounds) else None


def lasts(app: str, beside: str, told: Sequence[TaskRow]) -> bool:
    """Whether two apps' tasks have their halves, also while a window or the home screen covers them."""
    one, other = of(app, told), of(beside, told)
    return one is not None and other is not None and _apart(one.bounds, other.bounds)


def _apart(one: Rect, other: Rect) -> bool:
    across = one.right <= other.left or other.right <= one.left
    return across or one.bottom <= other.top or other.bottom <= one.top


def place(row: TaskRow) -> tuple[Probe, tuple[str, ...]]:
    """How a task's place is read, and what is read while it is as it is, turned as well, or gone."""
    box = row.bounds
    turned = Rect(box.top, box.left, box.bottom, box.right)
    probe = Probe(STACKS, f"taskId={row.number}: {row.component} bounds=", upto=" ")
    return probe, tuple(dict.fromkeys((str(box), str(turned), "")))


IN_A_HALF = Probe(("dumpsys", "activity", "activities"), "type=standard mode=split-screen-")
"""Up to Android 11: ``primary`` or ``secondary`` while an app is in a half."""
