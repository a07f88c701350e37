"""The activity manager: tasks with back stacks, and the life of activities.

Follows Android's documented behaviour of launch modes and intent flags; what is visible is told to the
activities by resume, pause and stop, in Android's order.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from garabench.virtual.apps.framework import Activity, App, Intent
from garabench.virtual.os.packages import HOME, MAIN, Resolved
from garabench.virtual.ui.scene import ViewState

if TYPE_CHECKING:
    from garabench.virtual.os.phone import Phone


class StartKind(enum.Enum):
    """How starting an activity ended."""

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

    @property
    def component(self) -> str:
        """``package/activity``, shortened as Android does."""
        return Resolved(self.app, self.name).component


@dataclass(slots=True, eq=False)
class Task:
    """A task: a back stack, its root first."""

    number: int
    affinity: str
    stack: list[ActivityRecord] = field(default_factory=list)

    @property
    def top(self) -> ActivityRecord | None:
        """The activity in front, or None for an empty task."""
        return self.stack[-1] if self.stack else None


class ActivityManager:
    """Starts, stops and orders activities.

    Attributes:
        tasks: The frontmost task first.
    """

    def __init__(self, phone: Phone) -> None:
        self._phone = phone
        self.tasks: list[Task] = []
        self._next_task = 1
        self._next_record = 1
        self._in_update = False

    @property
    def resumed(self) -> ActivityRecord | None:
        """The activity in front, or None."""
        for task in self.tasks:
            if task.top is not None:
                return task.top
        return None

    @property
    def focused_app(self) -> str:
        """Component of the activity in front, or empty."""
        record = self.resumed
        return record.component if record else ""

    def visible(self) -> tuple[ActivityRecord, ...]:
        """The activities that can be seen, the lowest first: those below a translucent one, too."""
        found: list[ActivityRecord] = []
        for task in self.tasks:
            for record in reversed(task.stack):
                found.append(record)
                if not record.activity.translucent:
                    return tuple(reversed(found))
        return tuple(reversed(found))

    def start(self, intent: Intent, *, caller: str = "shell") -> StartResult:
        """Start an activity.

        Args:
            intent: What to start.
            caller: ``shell``, or the package of the app that asks.
        """
        candidates = self._phone.packages.resolve(intent)
        if not candidates:
            explicit = bool(intent.activity)
            return StartResult(StartKind.NO_CLASS if explicit else StartKind.UNRESOLVED)
        chosen = candidates[0]
        cls = chosen.app.activities[chosen.activity]
        if not cls.exported and caller not in ("shell", chosen.app.package):
            return StartResult(StartKind.NOT_EXPORTED, chosen)
        kind = self._place(chosen, cls, intent, caller)
        self.update()
        return StartResult(kind, chosen)

    def _place(self, chosen: Resolved, cls: type[Activity], intent: Intent, caller: str) -> StartKind:
        flags, package = intent.flags, chosen.app.package
        new_task = caller == "shell" or "NEW_TASK" in flags or cls.launch_mode == "singleTask"
        current = self.tasks[0] if self.tasks else None
        affinity = (
            f"{package}:{chosen.activity}" if cls.translucent and cls.excluded_from_recents else package
        )
        task = next((t for t in self.tasks if t.affinity == affinity), None) if new_task else current
        if "CLEAR_TASK" in flags and task is not None:
            self._destroy(list(task.stack))
        launcher_start = (
            intent.action == MAIN and bool(intent.categories) and chosen.activity == chosen.app.launcher
        )
        if new_task and task is not None and task.stack:
            self._to_front(task)
            if launcher_start and "CLEAR_TOP" not in flags:
                root = task.stack[0]
                if root.name == chosen.activity:
                    return StartKind.BROUGHT_TO_FRONT
            same = next((r for r in task.stack if r.name == chosen.activity), None)
            if same is not None and (cls.launch_mode == "singleTask" or "CLEAR_TOP" in flags):
                above = task.stack[task.stack.index(same) + 1 :]
                self._destroy(above)
                same.intent = intent
                self._run(same, lambda: same.activity.on_new_intent(intent))
                return StartKind.DELIVERED
        if task is None:
            task = Task(self._next_task, affinity)
            self._next_task += 1
            self.tasks.insert(0, task)
        top = task.top
        single_top = cls.launch_mode == "singleTop" or "SINGLE_TOP" in flags
        if top is not None and top.name == chosen.activity and single_top:
            self._to_front(task)
            top.intent = intent
            self._run(top, lambda: top.activity.on_new_intent(intent))
            return StartKind.DELIVERED
        self._to_front(task)
        self._create(task, chosen, cls, intent)
        return StartKind.STARTED

    def _create(self, task: Task, chosen: Resolved, cls: type[Activity], intent: Intent) -> None:
        self._phone.processes.start(chosen.app.package)
        context = self._phone.make_context(chosen.app)
        record = ActivityRecord(chosen.app, chosen.activity, intent, self._next_record, cls(context, intent))
        context.attach(record)
        self._next_record += 1
        task.stack.append(record)
        self._run(record, record.activity.on_create)

    def _to_front(self, task: Task) -> None:
        if task in self.tasks:
            self.tasks.remove(task)
        self.tasks.insert(0, task)

    def task_to_front(self, number: int) -> bool:
        """Bring a task to the front (from the recents screen); False when it is gone."""
        task = next((t for t in self.tasks if t.number == number), None)
        if task is None:
            return False
        self._to_front(task)
        self.update()
        return True

    def update(self) -> None:
        """Tell the activities what has become of them: pause, resume, stop, in this order."""
        if self._in_update:
            return
        self._in_update = True
        try:
            # A callback can start or finish activities itself; go on until nothing changes.
            for _ in range(20):
                if not self._settle():
                    break
        finally:
            self._in_update = False
        self._phone.changed()

    def _settle(self) -> bool:
        self.tasks = [task for task in self.tasks if task.stack]
        if not self.tasks:
            home = self._phone.packages.home()
            if home is not None:
                cls = home.app.activities[home.activity]
                self._place(home, cls, Intent(action=MAIN, categories=frozenset({HOME})), "shell")
                return True
        visible = self.visible()
        front = visible[-1] if visible else None
        changed = False
        for task in self.tasks:
            for record in task.stack:
                if record.resumed and record is not front:
                    record.resumed, changed = False, True
                    self._run(record, record.activity.on_pause)
        if front is not None and not front.resumed and self._phone.display.screen_on:
            front.resumed = front.visible = changed = True
            self._phone.logcat.write("I", "ActivityTaskManager", f"Displayed {front.component}", pid=1000)
            self._run(front, front.activity.on_resume)
        for task in self.tasks:
            for record in task.stack:
                seen = record in visible
                if record.visible and not seen:
                    record.visible, changed = False, True
                    self._run(record, record.activity.on_stop)
                elif seen:
                    record.visible = True
        return changed

    def finish(self, record: ActivityRecord) -> None:
        """End an activity."""
        self._destroy([record])
        self.update()

    def _destroy(self, records: list[ActivityRecord]) -> None:
        for record in reversed(records):
            for task in self.tasks:
                if record in task.stack:
                    task.stack.remove(record)
            if record.destroyed:
                continue
            if record.resumed:
                record.resumed = False
                self._run(record, record.activity.on_pause)
            if record.visible:
                record.visible = False
                self._run(record, record.activity.on_stop)
            record.destroyed = True
            self._run(record, record.activity.on_destroy)

    def back(self) -> None:
        """The Back key, when no window above took it."""
        record = self.resumed
        if record is None:
            return
        handled = self._run(record, record.activity.on_back)
        root = self.tasks[0].stack[0] is record and self._is_home(record)
        if not handled and not record.destroyed and not root:
            self.finish(record)
        else:
            self._phone.changed()

    def _is_home(self, record: ActivityRecord) -> bool:
        home = self._phone.packages.home()
        return home is not None and home.app.package == record.app.package

    def home(self) -> None:
        """The Home key."""
        self.start(Intent(action=MAIN, categories=frozenset({HOME}), flags=frozenset({"NEW_TASK"})))

    def relaunch(self, package: str) -> None:
        """End an app's task and start its first screen."""
        for task in self.tasks:
            if task.affinity == package:
                self._destroy(list(task.stack))
        found = self._phone.packages.get(package)
        if found is not None:
            self.start(Intent(action=MAIN, package=package, activity=found.app.launcher))

    def force_stop(self, package: str) -> None:
        """Kill an app and end all that it had, without asking its activities."""
        for task in self.tasks:
            for record in [r for r in task.stack if r.app.package == package]:
                record.destroyed = True
                task.stack.remove(record)
        self._phone.processes.stop(package)
        self._phone.notifications.cancel_all(package)
        self.update()

    def crash(self, package: str, reason: str = "java.lang.RuntimeException: crashed from shell") -> None:
        """Crash an app: FATAL EXCEPTION in the log, its activity in front is gone."""
        pid = self._phone.processes.pidof(package)
        if pid is None:
            return
        message = f"FATAL EXCEPTION: main\nProcess: {package}, PID: {pid}\n{reason}"
        self._phone.logcat.write("E", "AndroidRuntime", message, pid=pid)
        self.force_stop(package)

    def _run(self, record: ActivityRecord, call: Callable[[], bool | None]) -> bool:
        """Call into an app; a mistake of it is the app's crash, not the phone's."""
        return self._phone.run_app(record.app.package, call)
