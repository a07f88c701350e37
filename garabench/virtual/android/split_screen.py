"""The split screen: two tasks at once, one in each half, with a divider between them.

Up to Android 11 the first half is the docked one (``SPLIT_SCREEN_PRIMARY``) and all other apps go to
the second; since Android 12 SystemUI's ``StageCoordinator`` holds a pair. Sources: ``SplitLayout``,
``StageCoordinator``, ``DividerSnapAlgorithm``, and Android 11's ``SplitScreenTaskOrganizer``.
"""

from __future__ import annotations

from dataclasses import dataclass

from garabench.core.geometry import Rect, Size
from garabench.virtual.android.phone_interface import PhoneInterface
from garabench.virtual.android.task_records import ActivityRecord, SplitHalf, TaskRecord
from garabench.virtual.ui.scene import px

STAGES_SDK = 31
"""First API level (Android 12) whose split screen is SystemUI's, with a main and a side stage."""
DIVIDER_DP = 10
_MAX_IME_COVERAGE = 0.7
"""Largest share of the upper half that the keyboard may cover (``ADJUSTED_SPLIT_FRACTION_MAX``)."""
_EDGE = 0.2
"""A divider released this near an edge dismisses the half there."""


@dataclass(frozen=True, slots=True)
class SplitLayout:
    """The bounds of the halves of a screen.

    Attributes:
        first: The upper or left half.
        second: The lower or right half.
        divider: The bar between them.
    """

    first: Rect
    second: Rect
    divider: Rect

    def of(self, half: SplitHalf) -> Rect:
        """Return the bounds of a half."""
        return self.first if half is SplitHalf.FIRST else self.second


def halves(
    area: Rect, density: int, *, keyboard: int | None = None, typed: SplitHalf | None = None
) -> SplitLayout:
    """Divide the apps' area of a screen in the middle of its longer side.

    Args:
        area: The screen without the system's bars.
        density: Dots per inch.
        keyboard: Top edge of the keyboard; None while it is hidden.
        typed: The half that the keyboard types into, which makes room: the lower one moves up.
    """
    thick = px(DIVIDER_DP, density)
    if area.width > area.height:
        left = area.left + (area.width - thick) // 2
        first = Rect(area.left, area.top, left, area.bottom)
        second = Rect(left + thick, area.top, area.right, area.bottom)
        divider = Rect(left, area.top, left + thick, area.bottom)
        return SplitLayout(
            _above(first, keyboard, typed is SplitHalf.FIRST),
            _above(second, keyboard, typed is SplitHalf.SECOND),
            divider,
        )
    top = area.top + (area.height - thick) // 2
    bottom = area.bottom
    if keyboard is not None and typed is SplitHalf.SECOND:
        top -= min(area.bottom - keyboard, int((top - area.top) * _MAX_IME_COVERAGE))
        bottom = keyboard
    first = Rect(area.left, area.top, area.right, top)
    second = Rect(area.left, top + thick, area.right, bottom)
    return SplitLayout(
        _above(first, keyboard, typed is SplitHalf.FIRST),
        second,
        Rect(area.left, top, area.right, top + thick),
    )


def _above(half: Rect, keyboard: int | None, typed: bool) -> Rect:
    if keyboard is None or not typed:
        return half
    return Rect(half.left, half.top, half.right, min(half.bottom, keyboard))


def task_bounds(half: SplitHalf | None, area: Rect, size: Size, density: int) -> Rect:
    """Return the bounds of a task, including the system bars.

    Args:
        half: Its half; None for the whole screen.
        area: The screen without the system's bars.
        size: The screen.
        density: Dots per inch.
    """
    if half is None:
        return Rect(0, 0, size.width, size.height)
    at = halves(area, density).of(half)
    upright = area.width <= area.height
    if half is SplitHalf.FIRST:
        return Rect(0, 0, size.width, at.bottom) if upright else Rect(0, 0, at.right, size.height)
    return Rect(0, at.top, size.width, size.height) if upright else Rect(at.left, 0, size.width, size.height)


class SplitScreen:
    """The state of the split screen; each task records its half.

    Attributes:
        side: The half of the side stage, which ``moveToSideStage`` fills.
    """

    def __init__(self, phone: PhoneInterface) -> None:
        self._phone = phone
        self.side = SplitHalf.SECOND

    @property
    def _tasks(self) -> list[TaskRecord]:
        return self._phone.activities.tasks

    def top(self, half: SplitHalf) -> TaskRecord | None:
        """Return the foreground task of a half, or None."""
        return next((task for task in self._tasks if task.half is half and task.stack), None)

    @property
    def active(self) -> bool:
        """Whether the split screen exists, visible or in the background."""
        return self.top(SplitHalf.FIRST) is not None and self.top(SplitHalf.SECOND) is not None

    @property
    def shown(self) -> bool:
        """Whether both halves are visible: no opaque full-screen activity covers them."""
        for task in self._tasks:
            if task.half is not None:
                return self._phone.in_use
            if any(not record.activity.translucent for record in task.stack):
                return False
        return False

    def half_of(self, record: ActivityRecord) -> SplitHalf | None:
        """Return the half that an activity is in, or None."""
        return next((task.half for task in self._tasks if record in task.stack), None)

    def _is_home(self, task: TaskRecord) -> bool:
        home = self._phone.packages.home()
        return home is not None and task.affinity == home.app.package

    def move_to_side(self, task_id: int, half: SplitHalf) -> bool:
        """Move a task into the side stage, and the foreground task into the other (since Android 12).

        Returns:
            Whether the task exists and was in no half.
        """
        side = next((task for task in self._tasks if task.task_id == task_id and task.stack), None)
        if side is None or side.half is not None:
            return False
        adjacent = self.top(half.other) if self.active else None
        if adjacent is None:
            adjacent = next(
                (t for t in self._tasks if t is not side and not t.stack[-1].activity.translucent), None
            )
        if adjacent is None or self._is_home(adjacent) or self._is_home(side):
            return True  # SystemUI ends a split screen with an empty stage at once
        self.side = half
        side.half, adjacent.half = half, half.other
        self._phone.activities.move_to_front(adjacent)
        self._phone.activities.move_to_front(side)
        return True

    def dock(self, task: TaskRecord) -> None:
        """Dock a task that was just started in the first half, all others in the second (Android 11)."""
        others = [other for other in self._tasks if other is not task and not self._is_home(other)]
        if not others or self._is_home(task):
            return
        task.half = SplitHalf.FIRST
        for other in others:
            other.half = SplitHalf.SECOND
        self._phone.activities.move_to_front(others[0])
        self._phone.activities.move_to_front(task)

    def place(self, source: TaskRecord | None, *, by_app: bool) -> SplitHalf | None:
        """Return the half that a new task goes into.

        Args:
            source: The task that starts it.
            by_app: Whether an app starts it.
        """
        if not self.active:
            return None
        if self._phone.profile.sdk < STAGES_SDK:
            return SplitHalf.SECOND
        return source.half if by_app and source is not None else None

    def leave(self, task_id: int | None = None) -> None:
        """End the split screen; the task with that id comes to the front."""
        was = self.shown
        front = next((task for task in self._tasks if task.task_id == task_id), None)
        for task in self._tasks:
            task.half = None
        if was and front is not None:
            self._phone.activities.move_to_front(front)
        self._phone.activities.update()

    def set_side(self, half: SplitHalf) -> None:
        """Assign a half to the side stage, and the other one to the main stage."""
        if self.active and half is not self.side:
            for task in self._tasks:
                task.half = task.half.other if task.half is not None else None
        self.side = half
        self._phone.activities.update()

    def settle(self) -> None:
        """End the split screen if a half is empty."""
        if not self.active:
            for task in self._tasks:
                task.half = None

    def drag(self, x: int, y: int) -> None:
        """Release the divider: near an edge the half there is dismissed, else it snaps back."""
        area = self._phone.windows.app_area()
        if area.width > area.height:
            share = (x - area.left) / max(1, area.width)
        else:
            share = (y - area.top) / max(1, area.height)
        if share < _EDGE or share > 1 - _EDGE:
            remaining = self.top(SplitHalf.SECOND if share < _EDGE else SplitHalf.FIRST)
            self.leave(remaining.task_id if remaining is not None else None)
