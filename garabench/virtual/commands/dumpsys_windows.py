"""``dumpsys window``, ``activity`` and ``display``, in each Android version's form."""

from __future__ import annotations

from garabench.virtual.android.phone import Phone
from garabench.virtual.android.task_records import ActivityRecord, TaskRecord
from garabench.virtual.commands import (
    dumpsys_activities_kitkat,
    dumpsys_windows_kitkat,
    root_tasks,
)
from garabench.virtual.commands import dumpsys_activity_parts as activity_parts
from garabench.virtual.commands.durations import KITKAT
from garabench.virtual.ui.scene import PlacedWindow, WindowKind

_FRAMES_SDK = 28
_FOCUS_PER_DISPLAY_SDK = 29
"""First API level (Android 10) with a focus per display: ``dumpsys window windows`` has none."""
_TOP_RESUMED_SDK = 31
_TASK_SDK = 30
_KEYGUARD_CONTROLLER_SDK = 26
_SHADE_WINDOW_SDK = 30
"""First API level (Android 11) whose shade is a separate window, not part of the status bar's."""
_ACTIVITY_RECORD_SDK = 30
_FLAG_NAMES_SDK = 28
_FOCUSED = "f96644"
DISPLAY_ID = "4619827259835644672"


def focus(phone: Phone) -> str:
    """Return the focused window, as ``mCurrentFocus`` prints it."""
    if phone.faults.active("focus-null") is not None:
        return "null"
    window = phone.scene().focus
    if window is None:
        return "null"
    title = window.title
    if title == "NotificationShade" and phone.profile.sdk < _SHADE_WINDOW_SDK:
        title = "StatusBar"
    brace = "}" if phone.faults.active("stray-brace") is not None else ""
    if phone.profile.sdk <= KITKAT:
        return f"{dumpsys_windows_kitkat.window_name(phone, window)}{brace}"
    return f"Window{{{_FOCUSED} u0 {title}}}{brace}"


def _record(phone: Phone, record: ActivityRecord) -> str:
    task = next((each.task_id for each in phone.activities.tasks if record in each.stack), 0)
    return f"ActivityRecord{{77b3dc7 u0 {record.component} t{task}}}"


def _focus_lines(phone: Phone) -> str:
    record = phone.activities.resumed
    app = _record(phone, record) if record else "null"
    if record and phone.profile.sdk < _FOCUS_PER_DISPLAY_SDK:
        app = f"AppWindowToken{{5c3b2a1 token=Token{{4d2e1f0 {app}}}}}"
    return f"  mCurrentFocus={focus(phone)}\n  mFocusedApp={app}\n"


def _window_line(phone: Phone, index: int, window: PlacedWindow) -> str:
    box, name = window.bounds, _FOCUSED if window.focused else f"{index:07x}"
    return (
        f"  Window #{index} Window{{{name} u0 {window.title}}}:\n"
        f"    mDisplayId=0 mOwnerUid=10050 package={window.package}\n"
        f"{_attributes(phone, window)}{_owner(phone, window)}"
        f"    mFrame=[{box.left},{box.top}][{box.right},{box.bottom}]\n"
        "    mHasSurface=true isReadyForDisplay()=true\n    isOnScreen=true\n    isVisible=true\n"
    )


def _owner(phone: Phone, window: PlacedWindow) -> str:
    """Return the activity that a window belongs to (AOSP ``WindowState.dump``, since Android 11)."""
    shown = phone.activities.visible() if phone.profile.sdk >= _ACTIVITY_RECORD_SDK else ()
    for record in shown:
        if window.title == f"{record.app.package}/{record.name}":
            return f"    mActivityRecord={_record(phone, record)}\n"
    return ""


def _attributes(phone: Phone, window: PlacedWindow) -> str:
    """Return the layout parameters, whose flags have names since Android 9."""
    dim, secure = window.kind is WindowKind.DIALOG, window.secure
    if phone.profile.sdk < _FLAG_NAMES_SDK:
        bits = 0x1800100 | (0x2 if dim else 0) | (0x2000 if secure else 0)
        return f"    mAttrs=WM.LayoutParams{{(0,0)(fillxfill) sim=#20 ty={1 + dim} fl=#{bits:x} fmt=-3}}\n"
    names = [*(["DIM_BEHIND"] if dim else []), "LAYOUT_IN_SCREEN", *(["SECURE"] if secure else [])]
    kind = "APPLICATION" if dim else "BASE_APPLICATION"
    return (
        f"    mAttrs={{(0,0)(fillxfill) sim={{adjust=resize}} ty={kind} fmt=TRANSLUCENT\n"
        f"      fl={' '.join([*names, 'HARDWARE_ACCELERATED'])}}}\n"
    )


def _windows(phone: Phone) -> str:
    shown = phone.scene().windows
    lines = [_window_line(phone, index, shown[index]) for index in range(len(shown) - 1, -1, -1)]
    tail = _focus_lines(phone) if phone.profile.sdk < _FOCUS_PER_DISPLAY_SDK else ""
    return "WINDOW MANAGER WINDOWS (dumpsys window windows)\n" + "".join(lines) + "\n" + tail


def _displays(phone: Phone) -> str:
    display = phone.display
    now = display.current_size
    tail = _focus_lines(phone) if phone.profile.sdk >= _FOCUS_PER_DISPLAY_SDK else ""
    base = (
        f" base={display.size} {display.density}dpi" if display.override or display.density_override else ""
    )
    return (
        "WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n  Display: mDisplayId=0\n"
        f"    init={display.natural} {display.physical_density}dpi{base} cur={now} app={now}\n"
        f"{tail}{_frames(phone)}"
    )


def _frames(phone: Phone) -> str:
    """Return the line of ``DisplayFrames.dump`` (AOSP ``DisplayFrames.java``, from Android 9 on)."""
    now = phone.display.current_size
    return (
        f"  DisplayFrames w={now.width} h={now.height} r={phone.display.rotation}\n"
        if phone.profile.sdk >= _FRAMES_SDK
        else ""
    )


def _policy(phone: Phone) -> str:
    on, locked = str(phone.display.screen_on).lower(), str(phone.keyguard.showing).lower()
    return (
        "WINDOW MANAGER POLICY STATE (dumpsys window policy)\n"
        f"    mSafeMode=false mSystemReady=true mSystemBooted=true\n    mAwake={on} mScreenOnEarly={on} "
        f"mScreenOnFully={on}\n    isKeyguardShowing={locked}\n    mShowingLockscreen={locked} "
        "mShowingDream=false mDreamingLockscreen=false\n"
    )


def _rotation(phone: Phone) -> str:
    turned = phone.display.rotation
    if phone.profile.sdk < _FOCUS_PER_DISPLAY_SDK:
        return f"  mRotation={turned} mAltOrientation=false\n"
    return f"  mRotation=ROTATION_{90 * turned}\n  mCurrentRotation=ROTATION_{90 * turned}\n"


def window(phone: Phone, args: list[str]) -> str:
    """``dumpsys window [windows|displays|policy]``."""
    if phone.profile.sdk <= KITKAT:
        return _kitkat_window(phone, args)
    match args:
        case ["windows" | "w" | "visible" | "visible-apps", *_]:
            return _windows(phone)
        case ["displays" | "d", *_]:
            return _displays(phone) + _rotation(phone)
        case ["policy" | "p", *_]:
            return _policy(phone)
        case [] | ["-a"]:
            return _policy(phone) + _displays(phone) + _windows(phone) + _rotation(phone)
        case ["-h", *_]:
            return activity_parts.WINDOW_HELP
        case ["-a", *rest]:
            return window(phone, rest)
        case ["all", *_]:
            return _windows(phone)
        case [name, *_] if name in activity_parts.WINDOW_PARTS:
            return activity_parts.WINDOW_PARTS[name](phone)
    return _windows_named(phone, args[0])


def _windows_named(phone: Phone, name: str) -> str:
    """Return the windows whose title contains a name."""
    shown = phone.scene().windows
    found = [
        _window_line(phone, at, shown[at]) for at in reversed(range(len(shown))) if name in shown[at].title
    ]
    if not found:
        return f"Bad window command, or no windows match: {name}\nUse -h for help.\n"
    return "WINDOW MANAGER WINDOWS (dumpsys window windows)\n" + "".join(found)


def _kitkat_window(phone: Phone, args: list[str]) -> str:
    focused = focus(phone)
    policy = dumpsys_windows_kitkat.policy(phone, focused)
    match args:
        case ["windows" | "w" | "visible" | "v", *_]:
            return dumpsys_windows_kitkat.windows(phone, focused, everything=True)
        case ["displays" | "d", *_]:
            return dumpsys_windows_kitkat.displays(phone)
        case ["policy" | "p", *_]:
            return policy
        case [] | ["-a", *_]:
            shown = dumpsys_windows_kitkat.windows(phone, focused, everything=bool(args))
            return f"{policy}\n{dumpsys_windows_kitkat.displays(phone)}\n{shown}"
    return f"Bad window command, or no windows match: {args[0]}\nUse -h for help.\n"


def _activities(phone: Phone) -> str:
    sdk, parts = phone.profile.sdk, ["ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)\n"]
    parts.append("Display #0 (activities from top to bottom):\n")
    for root in root_tasks.root_tasks(phone):
        head = "RootTask" if sdk >= _TOP_RESUMED_SDK else "Stack"
        parts.append(f"  {head} #{root.task_id}: type=standard mode={root.mode}\n")
        for task in root.tasks:
            if root.half is not None:
                parts.append(_task(phone, task))
            for index in range(len(task.stack) - 1, -1, -1):
                parts.append(f"    * Hist #{index}: {_record(phone, task.stack[index])}\n")
    record = phone.activities.resumed
    if record is not None:
        named = _record(phone, record)
        if sdk >= _TOP_RESUMED_SDK:
            parts.append(f"  topResumedActivity={named}\n  ResumedActivity: {named}\n")
        else:
            old = f"  mFocusedActivity: {named}\n" if sdk < _FOCUS_PER_DISPLAY_SDK else ""
            parts.append(f"  mResumedActivity: {named}\n{old}")
    if sdk >= _KEYGUARD_CONTROLLER_SDK:
        locked = str(phone.keyguard.showing).lower()
        parts.append(f"  KeyguardController:\n    mKeyguardShowing={locked}\n    mAodShowing=false\n")
    return "".join(parts)


def _task(phone: Phone, task: TaskRecord) -> str:
    """Return a task below a root task; Android 12 changed the order of the fields."""
    seen, kind = str(any(record.visible for record in task.stack)).lower(), root_tasks.mode(phone, task.half)
    size, box = len(task.stack), root_tasks.bounds(phone, task.half)
    named = f"A=10050:{task.affinity} U=0"
    if phone.profile.sdk >= _TOP_RESUMED_SDK:
        fields = f"type=standard {named} visible={seen} visibleRequested={seen} mode={kind} translucent=false"
    else:
        fields = f"visible={seen} type=standard mode={kind} translucent=false {named}"
    at = f"[{box.left},{box.top}][{box.right},{box.bottom}]"
    return f"    * Task{{1f2e3d4 #{task.task_id} {fields} sz={size}}}\n      bounds={at}\n"


def _top(phone: Phone) -> str:
    parts = []
    for each in phone.activities.visible():  # adbutils uses the last one
        pid = phone.processes.pidof(each.app.package) or 0
        task = next((t.task_id for t in phone.activities.tasks if each in t.stack), 0)
        parts.append(f"TASK {each.app.package} id={task} userId=0\n")
        parts.append(f"  ACTIVITY {each.component} {each.number:07x} pid={pid}\n")
    return "".join(parts)


def _recents(phone: Phone) -> str:
    parts = ["ACTIVITY MANAGER RECENT TASKS (dumpsys activity recents)\n  Recent tasks:\n"]
    tasks = [
        task
        for at, task in enumerate(phone.activities.tasks)
        # Tasks excluded from recents are listed only while in the foreground.
        if at == 0 or not (task.top and task.top.activity.excluded_from_recents)
    ]
    for index, task in enumerate(tasks):
        size = len(task.stack)
        if phone.profile.sdk >= _TASK_SDK:
            named = f"Task{{1f2e3d4 #{task.task_id} type=standard A=10050:{task.affinity} U=0 sz={size}}}"
        else:
            named = f"TaskRecord{{1f2e3d4 #{task.task_id} A={task.affinity} U=0 sz={size}}}"
        parts.append(f"  * Recent #{index}: {named}\n")
        if task.stack:
            root = task.stack[0]
            parts.append(f"    realActivity={root.app.package}/{root.name}\n")
    return "".join(parts)


def _processes(phone: Phone, name: str = "") -> str:
    parts = ["ACTIVITY MANAGER RUNNING PROCESSES (dumpsys activity processes)\n"]
    for pid, package in phone.processes.list():
        if name not in ("", package):
            continue
        found = phone.packages.get(package)
        uid = found.uid if found else 1000
        parts.append(f"  *APP* UID {uid} ProcessRecord{{2a3b4c5 {pid}:{package}/u0a{uid % 10_000}}}\n")
        parts.append(f"    packageList={{{package}}}\n    pid={pid}\n")
    return "".join(parts)


def _services(phone: Phone) -> str:
    """``dumpsys activity services`` (``ActiveServices.dump``)."""
    rows = "".join(
        f"  * ServiceRecord{{{number:07x} u0 {name}}}\n    packageName={name.partition('/')[0]}\n"
        f"    app=ProcessRecord{{{number:07x} {pid}:{name.partition('/')[0]}}}\n    startRequested=true\n"
        for number, (name, pid) in enumerate(phone.services.running.items(), 1)
        if phone.processes.pidof(name.partition("/")[0]) == pid
    )
    head = "ACTIVITY MANAGER SERVICES (dumpsys activity services)\n"
    return f"{head}  User 0 active services:\n{rows}" if rows else f"{head}  (nothing)\n"


def activity(phone: Phone, args: list[str]) -> str:
    """``dumpsys activity [activities|top|recents|processes|services|broadcasts]``."""
    if phone.profile.sdk <= KITKAT:
        return _kitkat_activity(phone, args)
    match args:
        case ["top", *_]:
            return _top(phone)
        case ["recents" | "r", *_]:
            return _recents(phone)
        case ["processes" | "p", *names]:
            return _processes(phone, next((each for each in names if each[:1] != "-"), ""))
        case ["service", "SystemUIService", "WMShell", *rest]:
            output = root_tasks.shell(phone, rest)
            return f"SERVICE com.android.systemui/.SystemUIService 5c1d2e3 pid=1100\n  Client:\n{output}"
        case ["services" | "s", *_]:
            return _services(phone)
        case ["broadcasts" | "b", *_]:
            return "ACTIVITY MANAGER BROADCAST STATE (dumpsys activity broadcasts)\n  (nothing)\n"
        case ["activities" | "a" | "containers", *_]:
            return _activities(phone)
        case [] | ["-a"]:
            return _recents(phone) + _activities(phone) + _processes(phone)
        case ["-h", *_]:
            return activity_parts.ACTIVITY_HELP
        case ["-a", *rest] | ["-p", _, *rest]:
            return activity(phone, rest)
        case ["all", *_]:
            return _dump_activities(phone, "")
        case ["service" | "provider" as kind, name, *_]:
            return f"No {kind}s match: {name}\nUse -h for help.\n"
        case ["package", package, *_]:
            return (
                _services(phone)
                + _recents(phone)
                + _dump_activities(phone, package)
                + _processes(phone, package)
            )
        case [name, *_] if name in activity_parts.ACTIVITY_PARTS:
            return activity_parts.ACTIVITY_PARTS[name](phone)
    found = _dump_activities(phone, args[0])
    return found or f"Bad activity command, or no activities match: {args[0]}\nUse -h for help.\n"


def _dump_activities(phone: Phone, name: str) -> str:
    """Return the activities whose component contains a name."""
    rows = []
    for task in phone.activities.tasks:
        for record in task.stack:
            if name in record.component:
                pid = phone.processes.pidof(record.app.package) or 0
                rows.append(f"TASK {record.app.package} id={task.task_id} userId=0\n")
                rows.append(f"  ACTIVITY {record.component} {record.number:07x} pid={pid}\n")
    return "".join(rows)


def _kitkat_activity(phone: Phone, args: list[str]) -> str:
    match args:
        case ["top", *_]:
            return dumpsys_activities_kitkat.top(phone)
        case ["processes" | "p", *_]:
            return _processes(phone)
        case ["services" | "s", *_]:
            return "ACTIVITY MANAGER SERVICES (dumpsys activity services)\n  (nothing)\n"
        case ["broadcasts" | "b", *_]:
            return "ACTIVITY MANAGER BROADCAST STATE (dumpsys activity broadcasts)\n  (nothing)\n"
        case ["activities" | "a", *_]:
            return dumpsys_activities_kitkat.activities(phone, everything=True)
        case [] | ["-a", *_]:
            return dumpsys_activities_kitkat.activities(phone, everything=bool(args)) + _processes(phone)
    return f"Bad activity command, or no activities match: {args[0]}\nUse -h for help.\n"


def display(phone: Phone) -> str:
    """``dumpsys display``."""
    screen = phone.display
    size, now, turned = screen.size, screen.current_size, screen.rotation
    state = "ON" if screen.screen_on else "OFF"
    info = (
        f'DisplayInfo{{"Built-in Screen", displayId 0, real {now.width} x {now.height}, largest app '
        f"{max(now.width, now.height)} x {max(now.width, now.height)}, rotation {turned}, density "
        f"{screen.density} ({screen.density}.0 x {screen.density}.0) dpi, layerStack 0, state {state}}}"
    )
    index = (
        f"logicalFrame=Rect(0, 0 - {now.width}, {now.height}), "
        f"physicalFrame=Rect(0, 0 - {now.width}, {now.height}), "
        f"deviceWidth={size.width}, deviceHeight={size.height}}}"
    )
    if phone.profile.sdk < _FOCUS_PER_DISPLAY_SDK:
        viewport = (
            f"  mDefaultViewport=DisplayViewport{{valid=true, displayId=0, orientation={turned}, {index}\n"
        )
    else:
        viewport = (
            "  mViewports=[DisplayViewport{type=INTERNAL, valid=true, isActive=true, displayId=0, "
            f"uniqueId='local:{DISPLAY_ID}', physicalPort=0, orientation={turned}, {index}]\n"
        )
    return (
        f"DISPLAY MANAGER (dumpsys display)\n  mOnlyCore=false\n  mSafeMode=false\n{viewport}\n"
        f"Logical Displays: size=1\n  Display 0:\n    mDisplayId=0\n    mCurrentOrientation={turned}\n"
        f"    mBaseDisplayInfo={info}\n    mOverrideDisplayInfo={info}\n"
        f"  mScreenState={state}\n"
    )
