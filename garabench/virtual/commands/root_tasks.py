"""Root tasks in ``am stack list`` and ``dumpsys activity``, and SystemUI's ``WMShell`` commands.

Since Android 11 the halves of a split screen are root tasks created by SystemUI, with the apps' tasks in
them; since Android 12 both are below a full-screen one. Sources: AOSP ``RootTaskInfo.toString``,
``Task.toString``, ``WindowConfiguration``, and of SystemUI ``ShellCommandHandler`` and ``StageCoordinator``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from garabench.core.geometry import Rect
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.split_screen import STAGES_SDK, task_bounds
from garabench.virtual.android.task_records import ActivityRecord, SplitHalf, TaskRecord

_ROOT_TASK_SDK = 31
_STAGE_ROOT, _FIRST_ROOT, _SECOND_ROOT = 100_002, 100_003, 100_004
"""Ids of the tasks that SystemUI creates, distinct from those of apps."""
_HELP = (
    "Window Manager Shell commands:\n  help\n      Print this help text.\n  <no arguments provided>\n"
    "    Dump all Window Manager Shell internal state\n  splitscreen\n"
    "    moveToSideStage <taskId> <SideStagePosition>\n"
    "      Move a task with given id in split-screen mode.\n    removeFromSideStage <taskId>\n"
    "      Remove a task with given id in split-screen mode.\n"
    "    setSideStagePosition <SideStagePosition>\n      Sets the position of the side-stage.\n"
)


@dataclass(frozen=True, slots=True)
class RootTask:
    """A root task with the tasks below it.

    Attributes:
        task_id: Its id.
        mode: Its windowing mode, in Android's terms.
        half: Its half of the split screen; None for a full-screen one.
        tasks: Its child tasks, the frontmost first.
        visible: Whether it is visible.
    """

    task_id: int
    mode: str
    half: SplitHalf | None
    tasks: tuple[TaskRecord, ...]
    visible: bool


def component(record: ActivityRecord) -> str:
    """``package/class``, written out."""
    return f"{record.app.package}/{record.name}"


def bounds(phone: Phone, half: SplitHalf | None) -> Rect:
    """Return the bounds of a task in a half, or on the whole screen."""
    display = phone.display
    return task_bounds(half, phone.windows.app_area(), display.current_size, display.density)


def mode(phone: Phone, half: SplitHalf | None) -> str:
    """Return the windowing mode of a task."""
    if half is None:
        return "fullscreen"
    if phone.profile.sdk >= STAGES_SDK:
        return "multi-window"
    return "split-screen-primary" if half is SplitHalf.FIRST else "split-screen-secondary"


def root_tasks(phone: Phone) -> tuple[RootTask, ...]:
    """Return the root tasks, the frontmost first; the split screen's is placed by its first task."""
    found: list[RootTask] = []
    seen: set[SplitHalf] = set()
    for task in phone.activities.tasks:
        if not task.stack or task.half in seen:
            continue
        if task.half is None:
            shown = any(record.visible for record in task.stack)
            found.append(RootTask(task.task_id, mode(phone, None), None, (task,), shown))
            continue
        for half in (task.half, task.half.other):
            seen.add(half)
            below = tuple(task for task in phone.activities.tasks if task.half is half and task.stack)
            shown = any(record.visible for task in below for record in task.stack)
            number = _FIRST_ROOT if half is SplitHalf.FIRST else _SECOND_ROOT
            found.append(RootTask(number, mode(phone, half), half, below, shown))
    return tuple(found)


def stack_list(phone: Phone) -> str:
    """``am stack list``, whose form changed with Android 12."""
    name = "RootTask" if phone.profile.sdk >= _ROOT_TASK_SDK else "Stack"
    parts: list[str] = []
    stages: list[RootTask] = []
    for root in root_tasks(phone):
        if root.half is not None and phone.profile.sdk >= STAGES_SDK:
            stages.append(root)
            if len(stages) < 2:
                continue
            head, box, below = _STAGE_ROOT, bounds(phone, None), stages
        else:
            head, box, below = root.task_id, bounds(phone, root.half), [root]
        # Leaf tasks are listed from the lowest.
        rows = [_row(phone, part, task) for part in reversed(below) for task in reversed(part.tasks)]
        parts.append(f"{name} id={head} bounds={_short(box)} displayId=0 userId=0\n{''.join(rows)}\n")
    return "".join(parts)


def _short(box: Rect) -> str:
    return f"[{box.left},{box.top}][{box.right},{box.bottom}]"


def _row(phone: Phone, root: RootTask, task: TaskRecord) -> str:
    top = root.tasks[0].stack[-1]
    seen = str(root.visible and task is root.tasks[0]).lower()
    return (
        f"  taskId={task.task_id}: {component(task.stack[0])} bounds={_short(bounds(phone, root.half))} "
        f"userId=0 visible={seen} topActivity=ComponentInfo{{{component(top)}}}\n"
    )


def shell(phone: Phone, args: Sequence[str]) -> str:
    """``dumpsys activity service SystemUIService WMShell …`` since Android 12; prints nothing on success."""
    if phone.profile.sdk < STAGES_SDK:
        return ""
    split = phone.activities.split
    match args:
        case ["help"]:
            return _HELP
        case ["splitscreen", "moveToSideStage", _] | ["splitscreen", "moveToSideStage"]:
            return "Error: task id should be provided as arguments\n"
        case ["splitscreen", "moveToSideStage", task, position] if (
            position in ("0", "1") and task.isdecimal()
        ):
            if not split.move_to_side(int(task), SplitHalf(int(position))):
                return f"java.lang.IllegalArgumentException: Unknown taskId{task}\n"
            return ""
        case ["splitscreen", "removeFromSideStage", task] if task.isdecimal():
            side, main = split.top(split.side), split.top(split.side.other)
            if side is not None and main is not None and side.task_id == int(task):
                split.leave(main.task_id)
            return ""
        case ["splitscreen", "removeFromSideStage"]:
            return "Error: task id should be provided as arguments\n"
        case ["splitscreen", "setSideStagePosition", position] if position in ("0", "1"):
            split.set_side(SplitHalf(int(position)))
            return ""
        case ["splitscreen", "setSideStagePosition"]:
            return "Error: side stage position should be provided as arguments\n"
        case ["splitscreen", verb, *_]:
            return f"Invalid command: {verb}\n"
        case []:
            return _state(phone)
    return ""


def _state(phone: Phone) -> str:
    split = phone.activities.split
    shown, active = str(split.shown).lower(), str(split.active).lower()
    parts = [
        "SplitScreenController\n  StageCoordinator mDisplayId=0\n",
        f"    mDividerVisible={shown}\n    isSplitActive={active}\n    isSplitVisible={shown}\n",
    ]
    for name, half in (("MainStage", split.side.other), ("SideStage", split.side)):
        at = "SPLIT_POSITION_TOP_OR_LEFT" if half is SplitHalf.FIRST else "SPLIT_POSITION_BOTTOM_OR_RIGHT"
        main = f"      isActive={active}\n" if name == "MainStage" else ""
        parts.append(f"    {name}\n      stagePosition={at}\n{main}")
    return "".join(parts)
