"""The split screen: two tasks at once, one in each half, with a divider between them.

Up to Android 11 the first half is the docked one (``SPLIT_SCREEN_PRIMARY``) and all other apps belong into
the second; since Android 12 SystemUI's ``StageCoordinator`` holds a pair. Sources: ``SplitLayout``,
``StageCoordinator``, ``DividerSnapAlgorithm``, and Android 11's ``SplitScreenTaskOrganizer``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from garabench.core.geometry import Rect, Size
from garabench.virtual.os.tasks import ActivityRecord, Half, Task
from garabench.virtual.ui.scene import px

if TYPE_CHECKING:
    from garabench.virtual.os.phone import Phone

STAGES_SDK = 31
"""Since Android 12 the split screen is SystemUI's, with a main and a side stage."""
DIVIDER_DP = 10
_PUSHED_UP = 0.7
"""How much of the upper half may go for the keyboard (``ADJUSTED_SPLIT_FRACTION_MAX``)."""
_EDGE = 0.2
"""A divider that is let go so near an edge dismisses the half there."""


@dataclass(frozen=True, slots=True)
class Halves:
    """Where the halves of a screen are.

    Attributes:
        first: The upper or left half.
        second: The lower or right half.
        divider: What is between them.
    """

    first: Rect
    second: Rect
    divider: Rect

    def of(self, half: Half) -> Rect:
        """Where a half is."""
        return self.first if half is Half.FIRST else self.second


def halves(area: Rect, density: int, *, keyboard: int | None = None, typed: Half | None = None) -> Halves:
    """Divide the part of a screen that apps have: across its longer side, in its middle.

    Args:
        area: The screen without the system's bars.
        density: Dots per inch.
        keyboard: Where the keyboard begins from above; None while it is away.
        typed: The half that the keyboard types into: it makes room for it, the lower one by moving up.
    """
    thick = px(DIVIDER_DP, density)
    if area.width > area.height:
        left = area.left + (area.width - thick) // 2
        first = Rect(area.left, area.top, left, area.bottom)
        second = Rect(left + thick, area.top, area.right, area.bottom)
        divider = Rect(left, area.top, left + thick, area.bottom)
        return Halves(
            _above(first, keyboard, typed is Half.FIRST),
            _above(second, keyboard, typed is Half.SECOND),
            divider,
        )
    top = area.top + (area.height - thick) // 2
    bottom = area.bottom
    if keyboard is not None and typed is Half.SECOND:
        top -= min(area.bottom - keyboard, int((top - area.top) * _PUSHED_UP))
        bottom = keyboard
    first = Rect(area.left, area.top, area.right, top)
    second = Rect(area.left, top + thick, area.right, bottom)
    return Halves(
        _above(first, keyboard, typed is Half.FIRST), second, Rect(area.left, top, area.right, top + thick)
    )


def _above(half: Rect, keyboard: int | None, typed: bool) -> Rect:
    if keyboard is None or not typed:
        return half
    return Rect(half.left, half.top, half.right, min(half.bottom, keyboard))


def task_bounds(half: Half | None, area: Rect, size: Size, density: int) -> Rect:
    """The bounds of a task, which take in the system's bars.

    Args:
        half: Which half it has; None for the whole screen.
        area: The screen without the system's bars.
        size: The screen.
        density: Dots per inch.
    """
    if half is None:
        return Rect(0, 0, size.width, size.height)
    at = halves(area, density).of(half)
    upright = area.width <= area.height
    if half is Half.FIRST:
        return Rect(0, 0, size.width, at.bottom) if upright else Rect(0, 0, at.right, size.height)
    return Rect(0, at.top, size.width, size.height) if upright else Rect(at.left, 0, size.width, size.height)


class SplitScreen:
    """Which tasks share the screen; a task knows its half itself.

    Attributes:
        side: The half of the side stage, which ``moveToSideStage`` fills.
    """

    def __init__(self, phone: Phone) -> None:
        self._phone = phone
        self.side = Half.SECOND

    @property
    def _tasks(self) -> list[Task]:
        return self._phone.activities.tasks

    def top(self, half: Half) -> Task | None:
        """The task in front in a half, or None."""
        return next((task for task in self._tasks if task.half is half and task.stack), None)

    @property
    def active(self) -> bool:
        """Whether there is one, seen or in the background."""
        return self.top(Half.FIRST) is not None and self.top(Half.SECOND) is not None

    @property
    def shown(self) -> bool:
        """Whether both halves are on the screen: nothing opaque with the whole of it lies over them."""
        for task in self._tasks:
            if task.half is not None:
                return self._phone.in_use
            if any(not record.activity.translucent for record in task.stack):
                return False
        return False

    def half_of(self, record: ActivityRecord) -> Half | None:
        """The half that an activity is in, or None."""
        return next((task.half for task in self._tasks if record in task.stack), None)

    def _is_home(self, task: Task) -> bool:
        home = self._phone.packages.home()
        return home is not None and task.affinity == home.app.package

    def move_to_side(self, number: int, half: Half) -> bool:
        """Put a task into the side stage, and the one that is in front now into the other (since Android 12).

        Returns:
            Whether there is such a task, which is in no half yet.
        """
        side = next((task for task in self._tasks if task.number == number and task.stack), None)
        if side is None or side.half is not None:
            return False
        beside = self.top(half.other) if self.active else None
        if beside is None:
            beside = next(
                (t for t in self._tasks if t is not side and not t.stack[-1].activity.translucent), None
            )
        if beside is None or self._is_home(beside) or self._is_home(side):
            return True  # a stage stays empty, and SystemUI ends the split screen at once
        self.side = half
        side.half, beside.half = half, half.other
        self._phone.activities.bring_forward(beside)
        self._phone.activities.bring_forward(side)
        return True

    def dock(self, task: Task) -> None:
        """Put a task that was just started into the first half, all others into the second (Android 11)."""
        others = [each for each in self._tasks if each is not task and not self._is_home(each)]
        if not others or self._is_home(task):
            return
        task.half = Half.FIRST
        for each in others:
            each.half = Half.SECOND
        self._phone.activities.bring_forward(others[0])
        self._phone.activities.bring_forward(task)

    def place(self, source: Task | None, *, by_app: bool) -> Half | None:
        """The half that a new task goes into.

        Args:
            source: The task that starts it.
            by_app: Whether it is an app that starts it.
        """
        if not self.active:
            return None
        if self._phone.profile.sdk < STAGES_SDK:
            return Half.SECOND
        return source.half if by_app and source is not None else None

    def leave(self, number: int | None = None) -> None:
        """End it: every task has the whole screen again, and the one of that number is the first of them."""
        was = self.shown
        front = next((task for task in self._tasks if task.number == number), None)
        for task in self._tasks:
            task.half = None
        if was and front is not None:
            self._phone.activities.bring_forward(front)
        self._phone.activities.update()

    def set_side(self, half: Half) -> None:
        """Give the side stage that half, and the other one to the main stage."""
        if self.active and half is not self.side:
            for task in self._tasks:
                task.half = task.half.other if task.half is not None else None
        self.side = half
        self._phone.activities.update()

    def settle(self) -> None:
        """End it once a half is empty."""
        if not self.active:
            for task in self._tasks:
                task.half = None

    def drag(self, x: int, y: int) -> None:
        """The divider is let go at a place: near an edge that half is dismissed, else it goes back."""
        area = self._phone.windows.app_area()
        if area.width > area.height:
            share = (x - area.left) / max(1, area.width)
        else:
            share = (y - area.top) / max(1, area.height)
        if share < _EDGE or share > 1 - _EDGE:
            kept = self.top(Half.SECOND if share < _EDGE else Half.FIRST)
            self.leave(kept.number if kept is not None else None)
