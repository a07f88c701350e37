"""Task and activity records, and the placement of a started activity: launch modes and intent flags.

Follows ``ActivityStarter`` of the Android Open Source Project.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from garabench.virtual.android.package_manager import ResolvedActivity
from garabench.virtual.kit.framework import Activity, App, Intent
from garabench.virtual.ui.scene import ViewState


class SplitHalf(enum.Enum):
    """A half of a split screen: the upper or left one, and the lower or right one."""

    FIRST = 0
    SECOND = 1

    @property
    def other(self) -> SplitHalf:
        """The other half."""
        return SplitHalf(1 - self.value)


class StartKind(enum.Enum):
    """Result of starting an activity.

    Attributes:
        STARTED: A new activity was started.
        BROUGHT_TO_FRONT: Its task was brought to the front, and nothing was started.
        DELIVERED: It was in the foreground, and got the intent if it handles new ones.
        NO_CLASS: The activity class does not exist.
        UNRESOLVED: No activity handles the intent.
        NOT_EXPORTED: Only its own app may start it.
    """

    STARTED = "started"
    BROUGHT_TO_FRONT = "brought-to-front"
    DELIVERED = "delivered"
    NO_CLASS = "no-class"
    UNRESOLVED = "unresolved"
    NOT_EXPORTED = "not-exported"


@dataclass(frozen=True, slots=True)
class StartResult:
    """Result of starting an activity, and the activity."""

    kind: StartKind
    resolved: ResolvedActivity | None = None

    @property
    def ok(self) -> bool:
        """Whether an activity is in the foreground now."""
        return self.kind in (StartKind.STARTED, StartKind.BROUGHT_TO_FRONT, StartKind.DELIVERED)


@dataclass(slots=True, eq=False)
class ActivityRecord:
    """An activity on a back stack.

    Attributes:
        app, name: Its app and class name.
        intent: The intent that started it.
        activity: The app's object.
        number: Sequence number; serves as the window token.
        state: View state of its window; `dialog_state` of its dialog's.
        visible, resumed: Its life-cycle state.
        destroyed: Whether it has been destroyed.
        process_ended: Whether its process has ended; it is recreated when next visible.
        configuration: Last configuration: rotation and half of the screen; None before it is visible.
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
    process_ended: bool = False
    configuration: tuple[int, SplitHalf | None] | None = None

    @property
    def component(self) -> str:
        """``package/activity``, shortened as Android does."""
        return ResolvedActivity(self.app, self.name).component


@dataclass(slots=True, eq=False)
class TaskRecord:
    """A task: a back stack, its root first.

    Attributes:
        task_id: Its id.
        affinity: Its task affinity.
        stack: Its activities.
        half: Its half of the split screen; None for a full-screen task.
    """

    task_id: int
    affinity: str
    stack: list[ActivityRecord] = field(default_factory=list)
    half: SplitHalf | None = None

    @property
    def top(self) -> ActivityRecord | None:
        """The top activity, or None for an empty task."""
        return self.stack[-1] if self.stack else None


@dataclass(frozen=True, slots=True)
class Placement:
    """The effect of starting an activity on its task.

    Attributes:
        kind: Result for the caller.
        ends: Activities to finish, in stack order.
        deliver: The activity that gets the intent, or None if a new one is created (`STARTED`) or the task
            just moves to the front.
        to_top: Whether that activity moves to the top of its stack.
    """

    kind: StartKind
    ends: tuple[ActivityRecord, ...] = ()
    deliver: ActivityRecord | None = None
    to_top: bool = False


def affinity_of(app: App, name: str) -> str:
    """Return the task affinity: the app's, unless the activity is translucent and not in the recents."""
    cls = app.activities[name]
    return f"{app.package}:{name}" if cls.translucent and cls.excluded_from_recents else app.package


def same_intent(one: Intent, other: Intent) -> bool:
    """``Intent.filterEquals``, for two intents to the same component: extras and flags are ignored."""
    return (one.action, one.data, one.categories) == (other.action, other.data, other.categories)


def place(
    task: TaskRecord, name: str, cls: type[Activity], intent: Intent, *, new_task: bool, in_front: bool
) -> Placement:
    """Decide how an activity is started in an existing task.

    Args:
        task: The task.
        name: Class name of the activity.
        cls: Its class.
        intent: The intent that starts it.
        new_task: Whether the task was found by NEW_TASK or singleTask; else it is the caller's.
        in_front: Whether the task is in the foreground.
    """
    flags, stack = intent.flags, task.stack
    if new_task and "CLEAR_TASK" in flags:
        return Placement(StartKind.STARTED, tuple(stack))
    reused = StartKind.DELIVERED if in_front else StartKind.BROUGHT_TO_FRONT
    same = next((record for record in reversed(stack) if record.name == name), None)
    single_top = cls.launch_mode == "singleTop" or "SINGLE_TOP" in flags
    if same is not None and (cls.launch_mode == "singleTask" or "CLEAR_TOP" in flags):
        above = tuple(stack[stack.index(same) + 1 :])
        if cls.launch_mode == "standard" and not single_top:
            return Placement(StartKind.STARTED, (same, *above))
        return Placement(reused, above, same)
    if same is not None and "REORDER_TO_FRONT" in flags:
        return Placement(reused, (), same, to_top=True)
    if task.top is not None and task.top is same and single_top:
        return Placement(reused, (), same)
    if new_task and stack and stack[0].name == name and same_intent(stack[0].intent, intent):
        return Placement(reused)
    return Placement(StartKind.STARTED)
