"""What the activity manager writes to the log: lines for people, and events.

The lines are those of AOSP's ``ActivityStarter``, ``ActivityMetricsLogger``, ``ProcessList``, ``AppErrors``.
The events are those of ``EventLogTags.logtags``; since Android 11 tags about activities begin with ``wm_``.
"""

from __future__ import annotations

import zlib
from functools import partial

from garabench.virtual.android.intent_text import started_intent
from garabench.virtual.android.package_manager import ResolvedActivity
from garabench.virtual.android.phone_interface import PhoneInterface
from garabench.virtual.android.system_processes import SHELL_UID, SYSTEM_SERVER_PID, SYSTEM_UID
from garabench.virtual.android.task_records import ActivityRecord
from garabench.virtual.kit.framework import Intent

_TASK_MANAGER_SDK, _LAUNCH_MODE_SDK = 29, 34
_WM_EVENTS_SDK = 30
_LAUNCH_MODES = {"standard": "MULTIPLE", "singleTop": "SINGLE_TOP", "singleTask": "SINGLE_TASK"}
_FIRST_APP_UID = 10_000
COLD_MS, WARM_MS = 250, 120
"""Time until an activity is displayed, with and without starting its process."""
_FRAMES = (
    "android.os.Handler.dispatchMessage(Handler.java:106)",
    "android.os.Looper.loopOnce(Looper.java:201)",
    "android.os.Looper.loop(Looper.java:288)",
    "android.app.ActivityThread.main(ActivityThread.java:8177)",
    "java.lang.reflect.Method.invoke(Native Method)",
    "com.android.internal.os.RuntimeInit$MethodAndArgsCaller.run(RuntimeInit.java:552)",
    "com.android.internal.os.ZygoteInit.main(ZygoteInit.java:971)",
)
"""The stack below an app's callback."""


def task_manager_tag(sdk: int) -> str:
    """Return the tag of lines about activities."""
    return "ActivityTaskManager" if sdk >= _TASK_MANAGER_SDK else "ActivityManager"


class ActivityLog:
    """Writes the activity manager's lines and events."""

    def __init__(self, phone: PhoneInterface) -> None:
        self._phone = phone

    def _line(self, level: str, message: str, *, about_activity: bool = False) -> None:
        sdk = self._phone.profile.sdk
        tag = task_manager_tag(sdk) if about_activity else "ActivityManager"
        self._phone.logcat.write(level, tag, message, pid=SYSTEM_SERVER_PID, buffer="system")

    def _event(self, tag: str, *values: str | int, pid: int = SYSTEM_SERVER_PID) -> None:
        """Write an event; ``wm_`` events were ``am_`` events before Android 11."""
        name = tag.replace("wm_", "am_", 1) if self._phone.profile.sdk < _WM_EVENTS_SDK else tag
        text = f"[{','.join(str(value) for value in values)}]"
        self._phone.logcat.write("I", name, text, pid=pid, buffer="events")

    def uid_of(self, package: str) -> int:
        """Return the uid of a package, of the shell, of root or of the system."""
        if package in ("shell", "root"):
            return SHELL_UID if package == "shell" else 0
        found = self._phone.packages.get(package)
        return found.uid if found else SYSTEM_UID

    def started(self, intent: Intent, chosen: ResolvedActivity, caller: str) -> None:
        """Log the start of an activity."""
        text = started_intent(intent, chosen.component, self._phone.profile.sdk)
        mode = chosen.app.activities[chosen.activity].launch_mode
        self.start_line(text, mode, self.uid_of(caller))

    def start_line(self, text: str, launch_mode: str, uid: int) -> None:
        """Log a start by the text of its intent."""
        if self._phone.profile.sdk >= _LAUNCH_MODE_SDK:
            mode = f" with LAUNCH_{_LAUNCH_MODES.get(launch_mode, 'MULTIPLE')}"
            tail = f"{mode} from uid {uid} (BAL_ALLOW_PERMISSION) result code=0"
        else:
            tail = f" from uid {uid}"
        self._line("I", f"START u0 {text}{tail}", about_activity=True)

    def process_started(self, package: str, pid: int, component: str) -> None:
        """Log a new process."""
        uid = self.uid_of(package)
        user = f"u0a{uid % _FIRST_APP_UID}" if uid >= _FIRST_APP_UID else str(uid)
        shown = "{" + component + "}"
        self._line("I", f"Start proc {pid}:{package}/{user} for top-activity {shown}")
        self._event("am_proc_start", 0, pid, uid, package, "top-activity", shown)
        self._event("am_proc_bound", 0, pid, package)

    def task_created(self, task_id: int) -> None:
        """Log a new task."""
        self._event("wm_create_task", 0, task_id)

    def created(self, record: ActivityRecord, task_id: int, *, cold: bool) -> None:
        """Log a new activity, and later that it was displayed."""
        flags, action = 0x10000000, record.intent.action or "NULL"
        token, component = _token(record), record.component
        self._event("wm_create_activity", 0, token, task_id, component, action, "NULL", "NULL", flags)
        self._event("wm_restart_activity", 0, token, task_id, component)
        self._callback(record, "wm_on_create_called", "performCreate")
        self._callback(record, "wm_on_start_called", "handleStartActivity")
        took = COLD_MS if cold else WARM_MS
        self._phone.clock.after(took, partial(self._displayed, record, took))

    def _displayed(self, record: ActivityRecord, took: int) -> None:
        if not record.visible or record.destroyed:
            return
        user = " for user 0" if self._phone.profile.sdk >= _LAUNCH_MODE_SDK else ""
        self._line("I", f"Displayed {record.component}{user}: +{took}ms", about_activity=True)
        self._event("wm_activity_launch_time", 0, _token(record), record.component, took)

    def resumed(self, record: ActivityRecord) -> None:
        """Log that an activity came to the foreground."""
        self._event("wm_set_resumed_activity", 0, record.component, "minimalResumeActivityLocked")
        self._callback(record, "wm_on_resume_called", "RESUME_ACTIVITY")

    def paused(self, record: ActivityRecord) -> None:
        """Log that an activity left the foreground."""
        reason = "userLeaving=false"
        self._event("wm_pause_activity", 0, _token(record), record.component, reason, "pauseBackTasks")
        self._callback(record, "wm_on_paused_called", "performPause")

    def stopped(self, record: ActivityRecord) -> None:
        """Log that an activity became invisible."""
        self._event("wm_stop_activity", 0, _token(record), record.component)
        self._callback(record, "wm_on_stop_called", "STOP_ACTIVITY_ITEM")

    def destroyed(self, record: ActivityRecord, task_id: int) -> None:
        """Log that an activity ended."""
        token = _token(record)
        self._event("wm_finish_activity", 0, token, task_id, record.component, "app-request")
        self._event("wm_destroy_activity", 0, token, task_id, record.component, "finish-imm:idle")
        self._callback(record, "wm_on_destroy_called", "performDestroy")

    def force_stopped(self, package: str, pid: int) -> None:
        """Log that the shell stopped an app."""
        uid = self.uid_of(package)
        self._line("I", f"Force stopping {package} appid={uid} user=0: from pid {SHELL_UID}")
        self._killed(package, pid, f"stop {package} due to from pid {SHELL_UID}")

    def _killed(self, package: str, pid: int, reason: str) -> None:
        uid = self.uid_of(package)
        user = f"u0a{uid % _FIRST_APP_UID}" if uid >= _FIRST_APP_UID else str(uid)
        self._line("I", f"Killing {pid}:{package}/{user} (adj 0): {reason}")
        self._event("am_kill", 0, pid, package, 0, reason)

    def died(self, package: str, pid: int, state: str = "fg  TOP") -> None:
        """Log the end of a process."""
        self._line("I", f"Process {package} (pid {pid}) has died: {state}")
        self._event("am_proc_died", 0, pid, package, 0, 2)

    def crashed(self, package: str, pid: int, reason: str) -> None:
        """Log an exception that ends an app, with the stack that every callback has."""
        frames = "".join(f"\n\tat {frame}" for frame in _FRAMES)
        text = f"FATAL EXCEPTION: main\nProcess: {package}, PID: {pid}\n{reason}{frames}"
        self._phone.logcat.write("E", "AndroidRuntime", text, pid=pid)
        kind, _, message = reason.partition(": ")
        self._event("am_crash", pid, 0, package, 0, kind, message, "ActivityThread.java", 8177)

    def finishing(self, record: ActivityRecord) -> None:
        """Log that an activity ends because its app crashed."""
        self._line("W", f"  Force finishing activity {record.component}", about_activity=True)

    def _callback(self, record: ActivityRecord, tag: str, reason: str) -> None:
        pid = self._phone.processes.pidof(record.app.package) or SYSTEM_SERVER_PID
        first = _token(record) if self._phone.profile.sdk >= _WM_EVENTS_SDK else 0
        self._event(tag, first, record.name, reason, pid=pid)


def _token(record: ActivityRecord) -> int:
    """Return an activity's identity hash, as in events."""
    return zlib.crc32(f"{record.component}/{record.number}".encode()) & 0xFFFFFFF
