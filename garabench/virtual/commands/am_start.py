"""``am start``: start an activity and report the result (AOSP ``runStartActivity``)."""

from __future__ import annotations

from garabench.virtual.android.activity_log import ActivityLog, task_manager_tag
from garabench.virtual.android.file_system import AS_ROOT
from garabench.virtual.android.intent_text import NEW_TASK
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.split_screen import STAGES_SDK
from garabench.virtual.android.system_processes import SHELL_UID, SYSTEM_SERVER_PID, SYSTEM_UID
from garabench.virtual.android.task_records import StartKind, StartResult
from garabench.virtual.commands import framework_errors
from garabench.virtual.commands.durations import KITKAT, durations
from garabench.virtual.commands.intent_arguments import ParsedIntent
from garabench.virtual.kit.framework import Intent
from garabench.virtual.shell.call import CommandCall

_WAIT_TIME_SDK = 21
_IN_PROCESS_SDK = 26
_LAUNCH_STATE_SDK = 29
_FAILS_SDK = 31
"""First API level that exits with 1 after an error; the sources of Android 11 exit with 0."""
_STOPPED_MS = 250
_WINDOWING_SDK, _SPLIT_PRIMARY = 28, 3
_TASK_MANAGER_SDK, _BLOCKED_SDK = 29, 34
_LAUNCHER = "android.intent.category.LAUNCHER"
_WARNINGS = {
    StartKind.BROUGHT_TO_FRONT: "its current task has been brought to the front",
    StartKind.DELIVERED: "intent has been delivered to currently running top-most instance.",
}


async def start(phone: Phone, call: CommandCall, parsed: ParsedIntent) -> int:
    """Start an activity; warnings and errors go to standard error, or to standard output with ``-W``."""
    intent, wait, sdk = parsed.intent, "-W" in parsed.switches, phone.profile.sdk
    if "-S" in parsed.switches and not await _stop(phone, call, parsed):
        return _failure_status(sdk)
    await call.print(f"Starting: {parsed.text(sdk)}\n")
    package = _target(phone, intent)
    cold = phone.processes.pidof(package) is None
    spent = durations(phone).start
    blocked = _is_blocked(phone, parsed)
    if blocked:
        _log_blocked(phone, parsed)
        await phone.spend(spent)
        front = phone.activities.focused_app
        await call.print(_wait_report(phone, front, "UNKNOWN (0)", 0) if wait else "")
        return 0
    before = {task.task_id for task in phone.activities.tasks}
    result = phone.activities.start(intent, caller="root" if AS_ROOT.get() else "shell")
    newest = phone.activities.tasks[0] if phone.activities.tasks else None
    if newest is not None and newest.task_id not in before and _is_docked(parsed, sdk):
        phone.activities.split.dock(newest)
    await phone.spend(spent)
    report = call.print if wait else call.print_error
    if result.kind is StartKind.NOT_EXPORTED:
        exception = _denial(phone, parsed, result)
        if sdk < _IN_PROCESS_SDK:
            return await framework_errors.report_thrown(call, exception)
        return await framework_errors.report_exception(call, call.argv[1], exception)
    if not result.ok:
        await report(_failure_message(parsed, result, sdk))
        return _failure_status(sdk)
    # Android 4.4 says nothing about an activity that is on top already.
    quiet = sdk <= KITKAT and not wait and result.kind is StartKind.DELIVERED
    if result.kind in _WARNINGS and not quiet:
        await report(f"Warning: Activity not started, {_WARNINGS[result.kind]}\n")
    if wait and result.resolved is not None:
        state = "COLD" if cold else "WARM" if result.kind is StartKind.STARTED else "HOT"
        total = 0 if result.kind is StartKind.DELIVERED else spent
        await call.print(_wait_report(phone, result.resolved.component, state, total))
    return 0


def _is_docked(parsed: ParsedIntent, sdk: int) -> bool:
    """Return whether it starts docked in the split screen's first half (Android 9 to 11, new task only)."""
    return parsed.windowing == _SPLIT_PRIMARY and _WINDOWING_SDK <= sdk < STAGES_SDK


def _is_blocked(phone: Phone, parsed: ParsedIntent) -> bool:
    """Return whether the fault ``background-start-refused`` blocks the start; ``am`` does not say so."""
    fault = phone.faults.active("background-start-refused")
    package = parsed.component.partition("/")[0]
    if fault is None or not package or _LAUNCHER in parsed.intent.categories:
        return False
    return str(fault.get("package", package)) == package


def _log_blocked(phone: Phone, parsed: ParsedIntent) -> None:
    """Log a blocked start as the activity manager does; some vendors blocked starts before Android did."""
    sdk = phone.profile.sdk
    tag, text = task_manager_tag(sdk), parsed.text(sdk)
    ActivityLog(phone).start_line(text.removeprefix("Intent "), "standard", SHELL_UID)
    caller = f"[callingPackage: com.android.shell; callingUid: 2000; intent: {text}]"
    if sdk >= _BLOCKED_SDK:
        message = f"Background activity launch blocked! {caller}"
    elif sdk >= _TASK_MANAGER_SDK:
        message = f"Background activity start {caller}"
    else:
        message = f"MIUILOG- Permission Denied Activity : {text} pkg : com.android.shell uid : 2000"
    phone.logcat.write("W", tag, message, pid=SYSTEM_SERVER_PID)


def _failure_status(sdk: int) -> int:
    return 1 if sdk >= _FAILS_SDK else 0


async def _stop(phone: Phone, call: CommandCall, parsed: ParsedIntent) -> bool:
    """Stop the app to be started (``-S``); False if the intent is ambiguous."""
    package = parsed.component.partition("/")[0]
    if not package:
        found = {resolved.app.package for resolved in phone.packages.query(parsed.intent)}
        if len(found) != 1:
            problem = "matches multiple activities; can't stop" if found else "does not match any activities"
            await call.print_error(f"Error: Intent {problem}: {parsed.text(phone.profile.sdk)}\n")
            return False
        package = found.pop()
    await call.print(f"Stopping: {package}\n")
    phone.activities.force_stop(package)
    await phone.spend(_STOPPED_MS)
    return True


def _target(phone: Phone, intent: Intent) -> str:
    if intent.package:
        return intent.package
    found = phone.packages.resolve(intent)
    return found.app.package if found else ""


def _wait_report(phone: Phone, component: str, state: str, total: int) -> str:
    """Return the output that ``-W`` adds; the fault ``start-timeout`` makes it time out."""
    sdk, late = phone.profile.sdk, phone.faults.active("start-timeout") is not None
    lines = [f"Status: {'timeout' if late else 'ok'}"]
    lines += [f"LaunchState: {'UNKNOWN (-1)' if late else state}"] if sdk >= _LAUNCH_STATE_SDK else []
    lines += [f"Activity: {component}"]
    if not late:
        lines += [] if sdk >= _LAUNCH_STATE_SDK else [f"ThisTime: {total}"]
        lines += [f"TotalTime: {total}"]
    lines += [f"WaitTime: {total + 12}"] if sdk >= _WAIT_TIME_SDK else []
    return "\n".join([*lines, "Complete"]) + "\n"


def _denial(phone: Phone, parsed: ParsedIntent, result: StartResult) -> str:
    """Return the exception for an activity that is not exported (``checkStartAnyActivityPermission``)."""
    owner = phone.packages.get(result.resolved.app.package) if result.resolved else None
    return (
        f"java.lang.SecurityException: Permission Denial: starting "
        f"{parsed.text(phone.profile.sdk, NEW_TASK)} from null (pid={phone.programs.next_pid()}, "
        f"uid={SHELL_UID}) not exported from uid {owner.uid if owner else SYSTEM_UID}"
    )


def _failure_message(parsed: ParsedIntent, result: StartResult, sdk: int) -> str:
    if result.kind is StartKind.NO_CLASS:
        return f"Error type 3\nError: Activity class {{{parsed.component}}} does not exist.\n"
    return f"Error: Activity not started, unable to resolve {parsed.text(sdk, NEW_TASK)}\n"
