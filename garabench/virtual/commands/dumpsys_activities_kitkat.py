"""``dumpsys activity`` in Android 4.4's form: activities by stack, and the views of the top activity.

Sources: AOSP ``ActivityStackSupervisor``, ``ActivityStack``, ``TaskRecord``, ``ActivityRecord``,
``Activity.dump`` and ``View.toString`` of ``android-4.4.2_r1``.
"""

from __future__ import annotations

from garabench.virtual.android.phone import Phone
from garabench.virtual.android.task_records import ActivityRecord, TaskRecord
from garabench.virtual.commands.dumpsys_windows_kitkat import activity_record, stacks
from garabench.virtual.commands.identity_hash import identity_hash
from garabench.virtual.ui.scene import PlacedNode

_HOME_CATEGORY = "android.intent.category.HOME"
_LAUNCHER_CATEGORY = "android.intent.category.LAUNCHER"
_FIRST_APP_UID = 10_000


def _flag(value: bool) -> str:
    return str(value).lower()


def task_record(task: TaskRecord) -> str:
    """Return a task as ``TaskRecord.toString`` does."""
    hashed = identity_hash("task", task.task_id)
    return f"TaskRecord{{{hashed} #{task.task_id} A={task.affinity} U=0 sz={len(task.stack)}}}"


def _intent(phone: Phone, record: ActivityRecord) -> str:
    intent, home = record.intent, phone.packages.home()
    at_home = home is not None and home.app.package == record.app.package
    category = _HOME_CATEGORY if at_home else _LAUNCHER_CATEGORY
    categories = intent.categories or ((category,) if not intent.action else ())
    listed = f" cat=[{','.join(categories)}]" if categories else ""
    data = f" dat={intent.data}" if intent.data else ""
    action = intent.action or "android.intent.action.MAIN"
    return f"{{act={action}{listed}{data} flg=0x10000000 cmp={record.component}}}"


def _process(phone: Phone, package: str) -> str:
    found, pid = phone.packages.get(package), phone.processes.pidof(package)
    if pid is None:
        return "null"
    user = f"u0a{found.uid - _FIRST_APP_UID}" if found and found.uid >= _FIRST_APP_UID else "1000"
    return f"ProcessRecord{{{identity_hash('process', pid)} {pid}:{package}/{user}}}"


def activities(phone: Phone, *, everything: bool) -> str:
    """Return the stacks with their tasks and activities.

    Args:
        phone: The phone.
        everything: Whether to dump all fields, as ``dumpsys activity activities`` does.
    """
    parts = ["ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)\n"]
    focused = phone.activities.resumed
    resumed = focused if phone.in_use else None
    for index, tasks in enumerate(stacks(phone)):
        parts.append(f"  Stack #{index}:\n")
        for task in tasks:
            parts.append(f"    Task id #{task.task_id}\n{_task(phone, task, everything=everything)}")
        records = [record for task in tasks for record in reversed(task.stack)]
        parts.append("\n    Running activities (most recent first):\n")
        for task in tasks:
            parts.append(f"      {task_record(task)}\n")
            for at in range(len(task.stack) - 1, -1, -1):
                parts.append(f"        Run #{at}: {activity_record(phone, task.stack[at])}\n")
        parts.append("\n")
        if resumed in records and resumed is not None:
            parts.append(f"    mResumedActivity: {activity_record(phone, resumed)}\n")
        paused = next((record for record in records if record is not resumed), None)
        if everything and paused is not None:
            parts.append(f"    mLastPausedActivity: {activity_record(phone, paused)}\n\n")
    if focused is not None:
        parts.append(f"  mFocusedActivity: {activity_record(phone, focused)}\n")
    parts.append(_supervisor(phone))
    return "".join(parts)


def _supervisor(phone: Phone) -> str:
    tasks = [task for task in phone.activities.tasks if task.stack]
    apps_in_front = len(stacks(phone)) > 1 and tasks[0] in stacks(phone)[1]
    number = int(apps_in_front)
    parts = ["\n  Recent tasks:\n"] if tasks else []
    parts += [f"  * Recent #{index}: {task_record(task)}\n" for index, task in enumerate(tasks)]
    state = "STACK_STATE_HOME_IN_BACK" if apps_in_front else "STACK_STATE_HOME_IN_FRONT"
    parts.append(
        f"\n  mFocusedStack=ActivityStack{{{identity_hash('stack', number)} stackId={number}, "
        f"{len(stacks(phone)[number])} tasks}}\n"
        f"  mSleepTimeout=false\n  mDismissKeyguardOnNextActivity=false\n  mStackState={state}\n"
        f"  mCurTaskId={max((task.task_id for task in tasks), default=0)}\n"
    )
    return "".join(parts)


def _task(phone: Phone, task: TaskRecord, *, everything: bool) -> str:
    root = task.stack[0]
    mark, indent = ("* ", "      ") if everything else ("  ", "    ")
    parts = [f"    {mark}{task_record(task)}\n"]
    if everything:
        parts.append(
            f"      numActivities={len(task.stack)} rootWasReset=true userId=0\n"
            f"      affinity={task.affinity}\n      intent={_intent(phone, root)}\n"
            f"      realActivity={root.component}\n"
            f"      Activities=[{', '.join(activity_record(phone, each) for each in task.stack)}]\n"
            "      askedCompatMode=false\n      lastThumbnail=null lastDescription=null\n"
            f"      lastActiveTime={phone.clock.now_ms()} (inactive for 0s)\n"
        )
    else:
        parts.append(f"      Intent {_intent(phone, root)}\n")
    for index in range(len(task.stack) - 1, -1, -1):
        record = task.stack[index]
        parts.append(
            f"    {'  * ' if everything else '    '}Hist #{index}: {activity_record(phone, record)}\n"
        )
        if everything:
            parts.append(_fields(phone, task, record))
        else:
            parts.append(f"{indent}      Intent {_intent(phone, record)}\n")
            parts.append(f"{indent}      {_process(phone, record.app.package)}\n")
    return "".join(parts)


def _fields(phone: Phone, task: TaskRecord, record: ActivityRecord) -> str:
    app = record.app
    shown = record.visible and phone.in_use
    state = "RESUMED" if shown and record is phone.activities.resumed else "PAUSED" if shown else "STOPPED"
    found, home = phone.packages.get(app.package), phone.packages.home()
    path = phone.packages.path_of(found) if found else ""
    at_home = home is not None and home.app.package == app.package
    lines = [
        f"packageName={app.package} processName={app.package}",
        "launchedFromUid=2000 launchedFromPackage=null userId=0",
        f"app={_process(phone, app.package)}",
        f"Intent {_intent(phone, record)}",
        f"frontOfTask={_flag(record is task.stack[0])} task={task_record(task)}",
        f"taskAffinity={task.affinity}",
        f"realActivity={record.component}",
        f"baseDir={path}",
        f"dataDir=/data/data/{app.package}",
        f"stateNotNeeded={_flag(at_home)} componentSpecified=true isHomeActivity={_flag(at_home)}",
        "compat={320dpi} labelRes=0x7f0a0000 icon=0x7f020000 theme=0x7f0b0000",
        "launchFailed=false launchCount=0 lastLaunchTime=0",
        "haveState=false icicle=null",
        f"state={state} stopped={_flag(state == 'STOPPED')} delayedResume=false finishing=false",
        f"keysPaused=false inHistory=true visible={_flag(record.visible)} "
        f"sleeping={_flag(not phone.in_use)} idle=true",
        f"fullscreen={_flag(not record.activity.translucent)} noDisplay=false immersive=false launchMode=0",
        "frozenBeforeDestroy=false thumbnailNeeded=false forceNewConfig=false",
        f"mActivityType={'HOME_ACTIVITY_TYPE' if at_home else 'APPLICATION_ACTIVITY_TYPE'}",
        "thumbHolder: null",
        f"waitingVisible=false nowVisible={_flag(record.visible)} lastVisibleTime=-1s0ms",
    ]
    return "".join(f"          {line}\n" for line in lines)


def top(phone: Phone) -> str:
    """Return the visible activities, the focused one last, with their views."""
    parts = []
    for record in phone.activities.visible():
        pid = phone.processes.pidof(record.app.package) or 0
        task = next((each.task_id for each in phone.activities.tasks if record in each.stack), 0)
        hashed = identity_hash("activity", record.number)
        resumed = phone.in_use and record is phone.activities.resumed
        parts.append(
            f"TASK {record.app.package} id={task}\n  ACTIVITY {record.component} {hashed} pid={pid}\n"
            f"    Local Activity {identity_hash('local', record.number)} State:\n"
            f"      mResumed={_flag(resumed)} mStopped={_flag(not record.visible)} mFinished=false\n"
            "      mLoadersStarted=true\n      mChangingConfigurations=false\n"
            "      FragmentManager misc state:\n"
            f"        mActivity={record.app.package}{record.name.removeprefix(record.app.package)}"
            f"@{identity_hash('local', record.number)}\n"
            "        mContainer=android.app.Activity$1\n"
            "        mCurState=5 mStateSaved=false mDestroyed=false\n"
            "    ViewRoot:\n      mAdded=true mRemoved=false\n    View Hierarchy:\n"
        )
        title = f"{record.app.package}/{record.name}"
        for window in phone.scene().windows:
            if window.title == title:
                _views(parts, window.root, 3, record.number)
    return "".join(parts)


def _views(parts: list[str], node: PlacedNode, depth: int, number: int) -> None:
    """Append a view and those below it."""
    box = node.bounds
    own = identity_hash("view", number, "/".join(node.key_path))
    flags = "".join(
        (
            "V" if not node.visible.is_empty else "I",
            "F" if node.focusable else ".",
            "E" if node.enabled else ".",
            "." * 3,
            "C" if node.clickable else ".",
            "L" if node.long_clickable else ".",
        )
    )
    name = f" #7f{int(own, 16) & 0xFFFFFF:06x} app:id/{node.resource_id.rpartition('/')[2]}"
    named = name if node.resource_id else ""
    state = f".{'F' if node.focused else '.'}......"
    bounds = f"{box.left},{box.top}-{box.right},{box.bottom}"
    parts.append(f"{'  ' * depth}{node.cls}{{{own} {flags} {state} {bounds}{named}}}\n")
    for child in node.children:
        _views(parts, child, depth + 1, number)
