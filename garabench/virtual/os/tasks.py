"""Activities and tasks, and where a started activity goes: launch modes and intent flags.

Follows ``ActivityStarter`` of the Android Open Source Project.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from garabench.virtual.apps.framework import Activity, App, Intent
from garabench.virtual.os.packages import Resolved
from garabench.virtual.ui.scene import ViewState


class Half(enum.Enum):
    """A half of a split screen: the upper or left one, and the lower or right one."""

    FIRST = 0
    SECOND = 1

    @property
    def other(self) -> Half:
        """The half beside it."""
        return Half(1 - self.value)


class StartKind(enum.Enum):
    """How starting an activity ended.

    Attributes:
        STARTED: A new activity is there.
        BROUGHT_TO_FRONT: Its task was behind and has come to the front, and nothing was started.
        DELIVERED: It was in front already, and has been told of the intent where it wants that.
        NO_CLASS: There is no such activity.
        UNRESOLVED: Nothing answers the intent.
        NOT_EXPORTED: It is for its own app alone.
    """

    STARTED = "started"
    BROUGHT_TO_FRONT = "brought-to-front"
    DELIVERED = "delivered"
    NO_CLASS = "no-class"
    UNRESOLVED = "unresolved"
    NOT_EXPORTED = "not-exported"


@dataclass(frozen=True, slots=True)
class StartResult:
    """How starting an activity ended, and which one it was."""

    kind: StartKind
    resolved: Resolved | None = None

    @property
    def ok(self) -> bool:
        """Whether an activity is there now."""
        return self.kind in (StartKind.STARTED, StartKind.BROUGHT_TO_FRONT, StartKind.DELIVERED)


@dataclass(slots=True, eq=False)
class ActivityRecord:
    """An activity on a back stack.

    Attributes:
        app, name: Which one.
        intent: What started it.
        activity: The app's object.
        number: Counts up; stands for the window's token.
        state: View state of its window; `dialog_state` of its dialog's.
        visible, resumed: What it was last told.
        destroyed: It is gone for good.
        lost: Its process has ended; it is made anew when it is seen again.
        shape: The display's rotation and its half of the screen, as it was last told; None before it is seen.
    """

    app: App
    name: str
    intent: Intent
    number: int
    activity: Activity
    state: ViewState = field(default_factory=ViewState)
    dialog_state: ViewState = field(default_factory=ViewState)
    visible: bool = False
    resumed: bool = False
    destroyed: bool = False
    lost: bool = False
    shape: tuple[int, Half | None] | None = None

    @property
    def component(self) -> str:
        """``package/activity``, shortened as Android does."""
        return Resolved(self.app, self.name).component


@dataclass(slots=True, eq=False)
class Task:
    """A task: a back stack, its root first.

    Attributes:
        number, affinity: Its id, and what it is found again by.
        stack: Its activities.
        half: Of the split screen that it belongs to; None for a task that has the whole screen.
    """

    number: int
    affinity: str
    stack: list[ActivityRecord] = field(default_factory=list)
    half: Half | None = None

    @property
    def top(self) -> ActivityRecord | None:
        """The activity in front, or None for an empty task."""
        return self.stack[-1] if self.stack else None


@dataclass(frozen=True, slots=True)
class Placement:
    """What starting an activity does to its task.

    Attributes:
        kind: What the caller is told.
        ends: Activities that go away, in the order of the stack.
        deliver: The activity that gets the intent, or None when a new one is made (`STARTED`) or the task
            just comes to the front.
        to_top: Whether that activity moves to the top of its stack.
    """

    kind: StartKind
    ends: tuple[ActivityRecord, ...] = ()
    deliver: ActivityRecord | None = None
    to_top: bool = False


def affinity_of(app: App, name: str) -> str:
    """Which task an activity belongs to: its app's, but for what lies over other apps and is not listed."""
    cls = app.activities[name]
    return f"{app.package}:{name}" if cls.translucent and cls.excluded_from_recents else app.package


def same_intent(one: Intent, other: Intent) -> bool:
    """``Intent.filterEquals``, for two intents to the same component: extras and flags do not count."""
    return (one.action, one.data, one.categories) == (other.action, other.data, other.categories)


def place(
    task: Task, name: str, cls: type[Activity], intent: Intent, *, new_task: bool, in_front: bool
) -> Placement:
    """Decide how an activity is started in a task that is there.

    Args:
        task: The task that takes it.
        name: Class name of the activity.
        cls: Its class.
        intent: What starts it.
        new_task: Whether it was looked for because of NEW_TASK or singleTask, or is the caller's own.
        in_front: Whether the task was the frontmost one.
    """
    flags, stack = intent.flags, task.stack
    if new_task and "CLEAR_TASK" in flags:
        return Placement(StartKind.STARTED, tuple(stack))
    kept = StartKind.DELIVERED if in_front else StartKind.BROUGHT_TO_FRONT
    same = next((record for record in reversed(stack) if record.name == name), None)
    single_top = cls.launch_mode == "singleTop" or "SINGLE_TOP" in flags
    if same is not None and (cls.launch_mode == "singleTask" or "CLEAR_TOP" in flags):
        above = tuple(stack[stack.index(same) + 1 :])
        if cls.launch_mode == "standard" and not single_top:
            return Placement(StartKind.STARTED, (same, *above))
        return Placement(kept, above, same)
    if same is not None and "REORDER_TO_FRONT" in flags:
        return Placement(kept, (), same, to_top=True)
    if task.top is not None and task.top is same and single_top:
        return Placement(kept, (), same)
    if new_task and stack and stack[0].name == name and same_intent(stack[0].intent, intent):
        return Placement(kept)
    return Placement(StartKind.STARTED)
