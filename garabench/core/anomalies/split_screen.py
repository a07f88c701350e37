"""Commands for the split screen, and parsing of the device's tasks.

Android 9 to 11 start a new task in a half with ``am start --windowingMode 3`` (``SPLIT_SCREEN_PRIMARY``), and
the split screen ends with that task. Since Android 12 SystemUI controls it, and the help of its ``WMShell``
lists the commands, which depend on the version: Android 12 has them without the prefix ``splitscreen``,
``exitSplitScreen`` came later, and the newest versions have no ``removeFromSideStage``
(``SplitScreenShellCommandHandler``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from garabench.core.device_changes import Argv, StateQuery
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
    """A task in the output of ``am stack list``.

    Attributes:
        number: Its id.
        component: Its first activity, ``package/class``.
        bounds: Its bounds on the screen.
        visible: Whether it is visible.
    """

    number: int
    component: str
    bounds: Rect
    visible: bool

    @property
    def package(self) -> str:
        """The task's package."""
        return self.component.partition("/")[0]

    def __str__(self) -> str:
        seen = "visible" if self.visible else "not visible"
        return f"taskId={self.number}: {self.component} bounds={self.bounds}, {seen}"


@dataclass(frozen=True, slots=True)
class Stages:
    """SystemUI's commands for the split screen on a device.

    Attributes:
        before: The prefix of the commands.
        leave: The command that ends the split screen: ``exitSplitScreen`` or ``removeFromSideStage``.
    """

    before: Argv
    leave: str

    def enter_command(self, other: TaskRow) -> Argv:
        """Return the command that moves a task to the lower or right half, and the app to the other."""
        return (*self.before, "moveToSideStage", str(other.number), _LOWER)

    def leave_command(self, app: TaskRow, other: TaskRow) -> Argv:
        """Return the command that makes the app's task fill the screen; some take the other task's number."""
        named = app if self.leave == "exitSplitScreen" else other
        return (*self.before, self.leave, str(named.number))


def parse_stages(help_text: str) -> Stages | None:
    """Parse the commands in the help of ``WMShell``; None without one to enter and one to leave."""
    first = [line.split()[0] for line in help_text.splitlines() if line.split()]
    leave = next((verb for verb in ("exitSplitScreen", "removeFromSideStage") if verb in first), "")
    if "moveToSideStage" not in first or not leave:
        return None
    grouped = "splitscreen" in first
    return Stages((*WMSHELL, "splitscreen") if grouped else WMSHELL, leave)


def start_command(action: str) -> Argv:
    """Return the command that restarts an app in the first half; an existing task would stay where it is."""
    return ("am", "start", "-W", "-S", "--windowingMode", _PRIMARY, "-a", action)


def parse_tasks(output: str) -> tuple[TaskRow, ...]:
    """Parse the tasks in the output of ``am stack list``."""
    return tuple(
        TaskRow(
            number=int(found["number"]),
            component=found["component"],
            bounds=Rect(*(int(found[side]) for side in ("left", "top", "right", "bottom"))),
            visible=found["visible"] == "true",
        )
        for found in _ROW.finditer(output)
    )


def task_of(package: str, tasks: Sequence[TaskRow]) -> TaskRow | None:
    """Return an app's task, preferably a visible one; None if it has no task."""
    own = [row for row in tasks if row.package == package]
    return next((row for row in own if row.visible), own[0] if own else None)


def visible_halves(first: str, second: str, tasks: Sequence[TaskRow]) -> tuple[TaskRow, TaskRow] | None:
    """Return the tasks of two apps that share the screen, both visible and not overlapping; else None."""
    one, other = task_of(first, tasks), task_of(second, tasks)
    if one is None or other is None or not (one.visible and other.visible):
        return None
    return (one, other) if _apart(one.bounds, other.bounds) else None


def is_split(first: str, second: str, tasks: Sequence[TaskRow]) -> bool:
    """Return whether two apps have their halves, even while a window or the home screen covers them."""
    one, other = task_of(first, tasks), task_of(second, tasks)
    return one is not None and other is not None and _apart(one.bounds, other.bounds)


def _apart(one: Rect, other: Rect) -> bool:
    across = one.right <= other.left or other.right <= one.left
    return across or one.bottom <= other.top or other.bottom <= one.top


def bounds_query(row: TaskRow) -> tuple[StateQuery, tuple[str, ...]]:
    """Return a query of a task's bounds, and the readings for: unchanged, rotated, or gone."""
    box = row.bounds
    turned = Rect(box.top, box.left, box.bottom, box.right)
    query = StateQuery(STACKS, f"taskId={row.number}: {row.component} bounds=", upto=" ")
    return query, tuple(dict.fromkeys((str(box), str(turned), "")))


IN_A_HALF = StateQuery(("dumpsys", "activity", "activities"), "type=standard mode=split-screen-")
"""Up to Android 11: ``primary`` or ``secondary`` while an app is in a half."""
