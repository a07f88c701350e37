"""The activity manager: starts activities, manages their tasks and drives their life cycle.

Activities get resume, pause and stop in Android's order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from garabench.virtual.android.activity_log import ActivityLog
from garabench.virtual.android.package_manager import (
    HOME,
    MAIN,
    RESOLVER,
    RESOLVER_PACKAGE,
    SUSPENDED,
    ResolvedActivity,
)
from garabench.virtual.android.phone_interface import PhoneInterface
from garabench.virtual.android.split_screen import SplitScreen
from garabench.virtual.android.task_records import (
    ActivityRecord,
    SplitHalf,
    StartKind,
    StartResult,
    TaskRecord,
    affinity_of,
    place,
)
from garabench.virtual.defects.defect import DefectKind
from garabench.virtual.kit.framework import Activity, Intent

CRASH_LOOP_MS = 60_000
"""An app that crashes again within this time is killed."""

_CRASHED_BY_ADB_SDK = 31
"""First API level (Android 12) with a separate exception for ``am crash``."""
SHELLS = ("shell", "root")
"""The callers other than apps."""


class ActivityManager:
    """Starts, stops and orders activities.

    Attributes:
        tasks: The frontmost task first; on a split screen the focused half, then the other half.
        split: The split screen.
    """

    def __init__(self, phone: PhoneInterface) -> None:
        self._phone = phone
        self.tasks: list[TaskRecord] = []
        self._next_task = 1
        self._next_record = 1
        self._in_update = False
        self._crashes: dict[str, int] = {}
        self.split = SplitScreen(phone)
        self._log = ActivityLog(phone)

    @property
    def resumed(self) -> ActivityRecord | None:
        """The foreground activity, or None."""
        for task in self.tasks:
            if task.top is not None:
                return task.top
        return None

    @property
    def focused_app(self) -> str:
        """Component of the foreground activity, or empty."""
        record = self.resumed
        return record.component if record else ""

    def visible(self) -> tuple[ActivityRecord, ...]:
        """Return the visible activities, the lowest first, including those below a translucent one."""
        found: list[ActivityRecord] = []
        for task in self.tasks:
            if task.half is not None:
                found += self._visible_in(task.half) + self._visible_in(task.half.other)
                break
            for record in reversed(task.stack):
                found.append(record)
                if not record.activity.translucent:
                    return tuple(reversed(found))
        return tuple(reversed(found))

    def _visible_in(self, half: SplitHalf) -> list[ActivityRecord]:
        """Return the visible activities in a half of the screen, the topmost first."""
        found: list[ActivityRecord] = []
        for task in self.tasks:
            for record in reversed(task.stack if task.half is half else []):
                found.append(record)
                if not record.activity.translucent:
                    return found
        return found

    def resumed_activities(self) -> tuple[ActivityRecord, ...]:
        """Return the resumed activities, the focused one last: the foreground activity of each half.

        Since Android 10 there can be more than one (multi-resume), unless something covers them.
        """
        visible = self.visible()
        if not visible:
            return ()
        half = self.split.half_of(visible[-1])
        adjacent = self._visible_in(half.other)[:1] if half is not None else []
        return (*adjacent, visible[-1])

    @property
    def orientation(self) -> str:
        """The requested orientation: that of the topmost visible activity that requests one.

        Requests are ignored on a split screen.
        """
        if self.split.shown:
            return ""
        for record in reversed(self.visible()):
            if record.activity.orientation:
                return record.activity.orientation
        return ""

    def start(self, intent: Intent, *, caller: str = "shell") -> StartResult:
        """Start an activity.

        Args:
            intent: The intent.
            caller: ``shell``, ``root``, or the package of the calling app.
        """
        chosen = self._phone.packages.resolve(intent)
        if chosen is None:
            explicit = bool(intent.activity)
            return StartResult(StartKind.NO_CLASS if explicit else StartKind.UNRESOLVED)
        if chosen.activity not in chosen.app.activities:  # a phone without the framework's package
            chosen = self._phone.packages.query(intent)[0]
        elif chosen.activity == RESOLVER:
            intent = replace(intent, package=chosen.app.package, activity=RESOLVER)
        cls = chosen.app.activities[chosen.activity]
        self._log.started(intent, chosen, caller)
        if not cls.exported and caller not in ("root", chosen.app.package):
            return StartResult(StartKind.NOT_EXPORTED, chosen)
        installed = self._phone.packages.get(chosen.app.package)
        if installed is not None and installed.suspended:
            intercepted = self._suspended(chosen)
            if intercepted is None:
                return StartResult(StartKind.UNRESOLVED, chosen)
            intent, chosen = intercepted
            cls = chosen.app.activities[chosen.activity]
        if caller not in SHELLS and not self._phone.defects.opens(chosen.app.package, chosen.activity):
            return StartResult(StartKind.STARTED, chosen)
        kind = self._place(chosen, cls, intent, caller)
        if self._phone.windows.overlay == "recents":  # a started activity covers the recents
            self._phone.windows.close_overlay()
        self.update()
        return StartResult(kind, chosen)

    def _suspended(self, chosen: ResolvedActivity) -> tuple[Intent, ResolvedActivity] | None:
        """Return what is started for a suspended app (AOSP ``ActivityStartInterceptor``).

        It is None on a phone without the framework's package.
        """
        extras = {"android.intent.extra.PACKAGE_NAME": chosen.app.package}
        intent = Intent(
            package=RESOLVER_PACKAGE, activity=SUSPENDED, extras=extras, flags=frozenset({"NEW_TASK"})
        )
        found = self._phone.packages.resolve(intent)
        return None if found is None else (intent, found)

    def _place(self, chosen: ResolvedActivity, cls: type[Activity], intent: Intent, caller: str) -> StartKind:
        new_task = caller in SHELLS or "NEW_TASK" in intent.flags or cls.launch_mode == "singleTask"
        affinity = affinity_of(chosen.app, chosen.activity)
        front = self._source(caller)
        task = next((t for t in self.tasks if t.affinity == affinity), None) if new_task else front
        if new_task and "MULTIPLE_TASK" in intent.flags:
            task = None
        if task is None:
            task = TaskRecord(
                self._next_task, affinity, half=self.split.place(front, by_app=caller not in SHELLS)
            )
            self._next_task += 1
            self._log.task_created(task.task_id)
        placement = place(task, chosen.activity, cls, intent, new_task=new_task, in_front=task is front)
        self._to_front(task)
        self._destroy(list(placement.ends))
        found = placement.deliver
        if found is not None:
            if placement.to_top:
                task.stack.remove(found)
                task.stack.append(found)
            self._recreate(found)  # with its original intent, as on Android
            found.intent = intent
            self._run(found, lambda: found.activity.on_new_intent(intent))
        elif placement.kind is StartKind.STARTED:
            self._create(task, chosen, intent)
        return placement.kind

    def _source(self, caller: str) -> TaskRecord | None:
        """Return the task of the caller: on a split screen the half of the calling app."""
        front = self.tasks[0] if self.tasks else None
        if front is None or front.half is None or any(r.app.package == caller for r in front.stack):
            return front
        adjacent = self.split.top(front.half.other)
        return adjacent if adjacent and any(r.app.package == caller for r in adjacent.stack) else front

    def _create(self, task: TaskRecord, chosen: ResolvedActivity, intent: Intent) -> None:
        cold = self._start_process(chosen.app.package, chosen.component)
        cls = chosen.app.activities[chosen.activity]
        context = self._phone.make_context(chosen.app)
        record = ActivityRecord(chosen.app, chosen.activity, intent, self._next_record, cls(context, intent))
        context.attach(record)
        self._next_record += 1
        task.stack.append(record)
        self._run(record, record.activity.on_create)
        self._log.created(record, task.task_id, cold=cold)
        self._phone.defects.created(record.app.package, record.name)

    def _recreate(self, record: ActivityRecord) -> None:
        """Recreate an activity whose process has ended."""
        if not record.process_ended:
            return
        self._start_process(record.app.package, record.component)
        context = self._phone.make_context(record.app)
        record.activity = record.app.activities[record.name](context, record.intent)
        record.activity.restored, record.process_ended, record.configuration = True, False, None
        context.attach(record)
        self._run(record, record.activity.on_create)

    def _start_process(self, package: str, component: str) -> bool:
        """Start an app's process; return whether it had none."""
        if self._phone.processes.pidof(package) is not None:
            return False
        self._log.process_started(package, self._phone.processes.start(package), component)
        return True

    def _to_front(self, task: TaskRecord) -> None:
        if task in self.tasks:
            self.tasks.remove(task)
        self.tasks.insert(0, task)

    def move_to_front(self, task: TaskRecord) -> None:
        """Bring a task to the front and update the activities."""
        self._to_front(task)
        self.update()

    def focus(self, record: ActivityRecord) -> None:
        """Focus the half of the screen that was touched."""
        task = next((task for task in self.tasks if record in task.stack), None)
        if task is not None and task.half is not None and self.tasks[0].half is task.half.other:
            self.move_to_front(task)

    def move_task_to_front(self, task_id: int) -> bool:
        """Bring a task to the front (from the recents screen); False if it no longer exists."""
        task = next((t for t in self.tasks if t.task_id == task_id), None)
        if task is None:
            return False
        self.move_to_front(task)
        return True

    def remove_task(self, task_id: int) -> bool:
        """End a task (its card was swiped away), and its app's process if it was the app's last.

        Returns:
            Whether the task existed.
        """
        task = next((t for t in self.tasks if t.task_id == task_id), None)
        if task is None:
            return False
        packages = {record.app.package for record in task.stack}
        self._destroy(list(task.stack))
        self.update()
        for package in packages - {record.app.package for record in self._records()}:
            self._phone.processes.stop(package)
        return True

    def update(self) -> None:
        """Update the activities' life cycle: pause, resume, stop, in this order."""
        if self._in_update:
            return
        self._in_update = True
        try:
            # A callback may start or finish activities itself; repeat until nothing changes.
            for _ in range(20):
                if not self._settle():
                    break
        finally:
            self._in_update = False
        self._phone.changed()

    def _settle(self) -> bool:
        self.tasks = [task for task in self.tasks if task.stack]
        self.split.settle()
        if not self.tasks:
            home = self._phone.packages.home()
            if home is not None:
                cls = home.app.activities[home.activity]
                self._place(home, cls, Intent(action=MAIN, categories=frozenset({HOME})), "shell")
                return True
        visible = self.visible() if self._phone.in_use else ()
        to_resume = self.resumed_activities() if visible else ()
        changed = False
        for record in self._records():
            if record.resumed and record not in to_resume:
                record.resumed, changed = False, True
                self._run(record, record.activity.on_pause)
                self._log.paused(record)
        for record in visible:
            if record.process_ended and not record.destroyed:
                self._recreate(record)
                changed = True
        changed |= self._dispatch_configuration(visible)
        for front in to_resume:
            if not (front.resumed or front.destroyed):
                front.resumed = front.visible = changed = True
                self._run(front, front.activity.on_resume)
                self._log.resumed(front)
        for record in self._records():
            is_visible = record in visible
            if record.visible and not is_visible:
                record.visible, changed = False, True
                self._run(record, record.activity.on_stop)
                self._log.stopped(record)
                self._phone.defects.left(record.app.package, record.name)
                if "NO_HISTORY" in record.intent.flags and self._phone.in_use:
                    self._destroy([record])
            elif is_visible:
                record.visible = True
        return changed

    def _records(self) -> tuple[ActivityRecord, ...]:
        return tuple(record for task in self.tasks for record in task.stack)

    def finish(self, record: ActivityRecord) -> None:
        """End an activity."""
        self._destroy([record])
        self.update()

    def _destroy(self, records: list[ActivityRecord]) -> None:
        for record in reversed(records):
            task_id = 0
            for task in self.tasks:
                if record in task.stack:
                    task_id = task.task_id
                    task.stack.remove(record)
            if record.destroyed:
                continue
            if record.process_ended:
                record.destroyed = True
                continue
            if record.resumed:
                record.resumed = False
                self._run(record, record.activity.on_pause)
            if record.visible:
                record.visible = False
                self._run(record, record.activity.on_stop)
                self._phone.defects.left(record.app.package, record.name)
            record.destroyed = True
            self._run(record, record.activity.on_destroy)
            self._log.destroyed(record, task_id)

    def dispatch_configuration_change(self) -> None:
        """Notify the visible activities of a possible rotation."""
        self._dispatch_configuration(self.visible() if self._phone.in_use else ())
        self._phone.changed()

    def _dispatch_configuration(self, visible: tuple[ActivityRecord, ...]) -> bool:
        """Notify visible activities of a new rotation or half; return whether any was notified."""
        rotation, notified = self._phone.display.rotation, False
        for record in visible:
            now = (rotation, self.split.half_of(record))
            turned = record.configuration not in (None, now)
            record.configuration = now
            if turned and not record.destroyed:
                notified = True
                self._run(record, record.activity.on_configuration_changed)
        return notified

    def back(self) -> None:
        """The Back key, unless a window above consumed it."""
        record = self.resumed
        if record is None:
            return
        broken = self._phone.defects.back(record.app.package, record.name)
        if broken is DefectKind.BACK_DEAD:
            return
        if broken is DefectKind.BACK_EXITS:
            self._phone.press_home()
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
        """End an app's task and start its launcher activity."""
        for task in self.tasks:
            if task.affinity == package:
                self._destroy(list(task.stack))
        found = self._phone.packages.get(package)
        if found is not None:
            self.start(Intent(action=MAIN, package=package, activity=found.app.launcher))

    def force_stop(self, package: str) -> None:
        """Kill an app and remove its tasks without any callback."""
        for record in self._records():
            if record.app.package == package:
                self._remove(record)
        pid = self._phone.processes.pidof(package)
        if pid is not None and self._phone.processes.stop(package):
            self._log.force_stopped(package, pid)
        self._phone.notifications.cancel_all(package)
        self._phone.windows.dialogs.forget(package)
        self.update()

    def kill(self, package: str) -> bool:
        """End an app's process if it is in the background; its activities are recreated when next visible.

        Returns:
            Whether the process was ended; one with a visible activity is not.
        """
        records = [record for record in self._records() if record.app.package == package]
        if any(record.visible for record in records) or not self._phone.processes.stop(package):
            return False
        for record in records:
            self._mark_process_ended(record)
        return True

    def kill_by_signal(self, package: str) -> None:
        """Kill an app's process by a signal; visible activities are recreated in a new one."""
        pid = self._phone.processes.pidof(package)
        if pid is not None and self._phone.processes.stop(package):
            self._log.died(package, pid)
            self._phone.windows.dialogs.forget(package)
            for record in self._records():
                if record.app.package == package:
                    self._mark_process_ended(record)
            self.update()

    def crash(self, package: str, reason: str = "") -> None:
        """Crash an app: FATAL EXCEPTION in the log, the system's dialog, and its foreground activity ends.

        The activity below is recreated in a new process; an app that crashes again within a minute is
        killed, as on Android.

        Args:
            package: The app.
            reason: The exception; that of ``am crash`` without one.
        """
        phone = self._phone
        if not reason:
            kind = "RemoteServiceException"
            kind += "$CrashedByAdbException" if phone.profile.sdk >= _CRASHED_BY_ADB_SDK else ""
            reason = f"android.app.{kind}: shell-induced crash"
        pid = phone.processes.pidof(package)
        if pid is None:
            return
        self._log.crashed(package, pid, reason)
        now, before = phone.clock.now_ms(), self._crashes.get(package)
        self._crashes[package] = now
        again = before is not None and now - before < CRASH_LOOP_MS
        phone.processes.stop(package)
        self._log.died(package, pid)
        stacks = [[r for r in task.stack if r.app.package == package] for task in self.tasks]
        for number, record in enumerate(record for stack in stacks for record in reversed(stack)):
            if again or number == 0:
                self._log.finishing(record)
                self._remove(record)
            else:
                self._mark_process_ended(record)
        phone.windows.report_crash(package, again=again)
        self.update()

    def _remove(self, record: ActivityRecord) -> None:
        record.destroyed, record.resumed, record.visible = True, False, False
        self._phone.defects.left(record.app.package, record.name)
        for task in self.tasks:
            if record in task.stack:
                task.stack.remove(record)

    def _mark_process_ended(self, record: ActivityRecord) -> None:
        record.process_ended, record.resumed, record.visible = True, False, False

    def _run(self, record: ActivityRecord, call: Callable[[], bool | None]) -> bool:
        """Call into an app; an exception crashes the app, not the phone."""
        return self._phone.run_app(record.app.package, call)
