"""``dumpsys window`` in Android 4.4's form.

Sources: AOSP ``WindowManagerService``, ``WindowState``, ``WindowStateAnimator``, ``DisplayContent``,
``StackBox`` and ``PhoneWindowManager`` of ``android-4.4.2_r1``.
"""

from __future__ import annotations

from dataclasses import dataclass

from garabench.core.geometry import Rect
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.task_records import ActivityRecord, TaskRecord
from garabench.virtual.commands.identity_hash import identity_hash
from garabench.virtual.ui.scene import PlacedWindow, WindowKind

_TYPES = {
    WindowKind.APPLICATION: (1, 21_000),
    WindowKind.DIALOG: (2, 21_000),
    WindowKind.IME: (2011, 101_000),
    WindowKind.TOAST: (2005, 71_000),
    WindowKind.STATUS_BAR: (2000, 161_000),
    WindowKind.NAV_BAR: (2019, 201_000),
    WindowKind.SHADE: (2000, 161_000),
    WindowKind.HEADS_UP: (2014, 171_000),
    WindowKind.DIVIDER: (2034, 111_000),
}
"""Type and base layer by kind of window."""
_KEYGUARD_TYPES = {"Keyguard": (2004, 121_000), "KeyguardScrim": (2029, 131_000)}


@dataclass(frozen=True, slots=True)
class _HiddenWindow:
    """A window that is not shown.

    Attributes:
        title, package: Its title, and the package that owns it.
        kind, layer: Its type and base layer.
    """

    title: str
    package: str
    kind: int
    layer: int


_SYSTEM_UI = "com.android.systemui"
_HIDDEN = (
    _HiddenWindow("SearchPanel", _SYSTEM_UI, 2024, 211_000),
    _HiddenWindow("Heads Up", _SYSTEM_UI, 2014, 171_000),
    _HiddenWindow("KeyguardScrim", "android", 2029, 131_000),
    _HiddenWindow("Keyguard", "com.android.keyguard", 2004, 121_000),
    _HiddenWindow("InputMethod", "com.google.android.inputmethod.latin", 2011, 101_000),
    _HiddenWindow(f"{_SYSTEM_UI}.ImageWallpaper", _SYSTEM_UI, 2013, 21_000),
)
"""The system's windows that exist from the start, the topmost first."""
_TITLES = {"NotificationShade": "StatusBar", "NavigationBar0": "NavigationBar"}
"""Titles of the system's windows by their titles in newer versions."""
_LAYOUT = 0x1800100
_DIM_BEHIND, _SECURE = 0x2, 0x2000
_SYSTEM_UID = 1000


def _flag(value: bool) -> str:
    return str(value).lower()


def _short(box: Rect) -> str:
    return f"[{box.left},{box.top}][{box.right},{box.bottom}]"


def _range(box: Rect) -> str:
    return f"({box.left},{box.top})-({box.right},{box.bottom})"


def activity_record(phone: Phone, record: ActivityRecord) -> str:
    """Return an activity as ``ActivityRecord.toString`` does."""
    task = next((each.task_id for each in phone.activities.tasks if record in each.stack), 0)
    return f"ActivityRecord{{{identity_hash('activity', record.number)} u0 {record.component} t{task}}}"


def _app_token(phone: Phone, record: ActivityRecord) -> str:
    inner, outer = identity_hash("token", record.number), identity_hash("app token", record.number)
    return f"AppWindowToken{{{outer} token=Token{{{inner} {activity_record(phone, record)}}}}}"


def _title(window: PlacedWindow) -> str:
    return _TITLES.get(window.title, window.title)


def _record_of(phone: Phone, window: PlacedWindow) -> ActivityRecord | None:
    return next(
        (
            record
            for record in reversed(phone.activities.visible())
            if window.title == f"{record.app.package}/{record.name}"
        ),
        None,
    )


def _hash(phone: Phone, window: PlacedWindow) -> str:
    """Return the hash of a window; it changes with the activity, not with its content."""
    record = _record_of(phone, window)
    return identity_hash("window", _title(window), window.kind, record.number if record else 0)


def window_name(phone: Phone, window: PlacedWindow) -> str:
    """Return a window as ``WindowState.toString`` does."""
    return f"Window{{{_hash(phone, window)} u0 {_title(window)}}}"


def focus_lines(phone: Phone, focus: str) -> str:
    """Return the focused window and app.

    Args:
        phone: The phone.
        focus: The focused window, or ``null``.
    """
    record = phone.activities.resumed
    return f"  mCurrentFocus={focus}\n  mFocusedApp={_app_token(phone, record) if record else 'null'}\n"


def windows(phone: Phone, focus: str, *, everything: bool) -> str:
    """Return the windows, the topmost first.

    Args:
        phone: The phone.
        focus: The focused window, or ``null``.
        everything: Whether to dump all fields, as ``dumpsys window windows`` does.
    """
    shown = phone.scene().windows
    hidden = _hidden_windows(phone)
    lines = ["WINDOW MANAGER WINDOWS (dumpsys window windows)\n"]
    lines += [
        _window(phone, index + len(hidden), window, everything=everything)
        for index, window in reversed(list(enumerate(shown)))
    ]
    lines += [
        _hidden(phone, len(hidden) - 1 - index, window, everything=everything)
        for index, window in enumerate(hidden)
    ]
    lines.append(f"\n  mCurConfiguration={_configuration(phone)}\n{focus_lines(phone, focus)}")
    lines.append("  mInTouchMode=true mLayoutSeq=312\n")
    if everything:
        lines.append(_state(phone))
    return "".join(lines)


def _configuration(phone: Phone) -> str:
    display = phone.display
    area, dpi = phone.windows.app_area(), display.density
    width, height = area.width * 160 // dpi, area.height * 160 // dpi
    side, turned = min(width, height), "land" if display.rotation % 2 else "port"
    locale = "zh_CN" if phone.lang == "zh" else "en_US"
    return (
        f"{{{display.font_scale} 460mcc0mnc {locale} ldltr sw{side}dp w{width}dp h{height}dp {dpi}dpi nrml "
        f"{turned} finger -keyb/v/h -nav/h s.5}}"
    )


def _state(phone: Phone) -> str:
    """Return the fields after the windows that only a full dump has."""
    size = phone.display.current_size
    return (
        f"  mSystemDecorLayer=0 mScreenRect=[0,0][{size.width},{size.height}]\n"
        f"  mInputMethodWindow=null\n"
        "  mLastWallpaperX=-1.0 mLastWallpaperY=-1.0\n"
        "  mSystemBooted=true mDisplayEnabled=true\n"
        f"  mTransactionSequence={phone.version}\n"
        "  mDisplayFrozen=false windows=false client=false apps=0 waitingForConfig=false\n"
        f"  mRotation={phone.display.rotation} mAltOrientation=false\n"
        "  mLastWindowForcedOrientation=-1 mForcedAppOrientation=-1\n"
        "  mDeferredRotationPauseCount=0\n"
        "  mAnimationDisabled=false mWindowAnimationScale=1.0 mTransitionWindowAnimationScale=1.0 "
        "mAnimatorDurationScale=1.0\n"
        "  mTraversalScheduled=false mStartingIconInTransition=false\n"
    )


def _window(phone: Phone, index: int, window: PlacedWindow, *, everything: bool) -> str:
    kind, layer = _KEYGUARD_TYPES.get(_title(window), _TYPES[window.kind])
    bits = _LAYOUT | (_DIM_BEHIND if window.kind is WindowKind.DIALOG else 0)
    bits |= _SECURE if window.secure else 0
    found = phone.packages.get(window.package)
    record, own = _record_of(phone, window), _hash(phone, window)
    uid, inner = found.uid if found else _SYSTEM_UID, identity_hash("session", window.package)
    token = _app_token(phone, record) if record else f"WindowToken{{{identity_hash('token', own)} null}}"
    box, whole = window.bounds, phone.scene().bounds
    pid = phone.processes.pidof(window.package) or _SYSTEM_UID
    user = f"u0a{uid}" if found else str(uid)
    head = (
        f"  Window #{index} {window_name(phone, window)}:\n"
        f"    mDisplayId=0 mSession=Session{{{inner} {pid}:{user}}} "
        f"mClient=android.os.BinderProxy@{identity_hash('client', own)}\n"
        f"    mOwnerUid={uid} mShowToOwnerOnly={_flag(record is not None)} package={window.package} "
        "appop=NONE\n"
        f"    mAttrs=WM.LayoutParams{{(0,0)(fillxfill) sim=#20 ty={kind} fl=#{bits:x} fmt=-3 "
        "wanim=0x10302f5}\n"
        f"    Requested w={box.width} h={box.height} mLayoutSeq=312\n"
    )
    surface = (
        f"    mHasSurface=true mShownFrame=[{box.left}.0,{box.top}.0][{box.right}.0,{box.bottom}.0] "
        "isReadyForDisplay()=true\n"
    )
    animator = f"    WindowStateAnimator{{{identity_hash('animator', own)} {_title(window)}}}:\n"
    drawn = (
        f"      Surface: shown=true layer={layer + 5} alpha=1.0 "
        f"rect=({box.left}.0,{box.top}.0) {box.width}.0 x {box.height}.0\n"
    )
    if not everything:
        return f"{head}{surface}{animator}{drawn}"
    app = f"    mAppToken={token}\n" if record else ""
    return (
        f"{head}    mBaseLayer={layer} mSubLayer=0 mAnimLayer={layer + 5}+0={layer + 5} "
        f"mLastLayer={layer + 5}\n"
        f"    mToken={token}\n    mRootToken={token}\n{app}"
        "    mViewVisibility=0x0 mHaveFrame=true mObscured=false\n    mSeq=0 mSystemUiVisibility=0x0\n"
        "    mGivenContentInsets=[0,0][0,0] mGivenVisibleInsets=[0,0][0,0]\n"
        f"    mConfiguration={_configuration(phone)}\n{surface}"
        f"    mFrame={_short(box)} last={_short(box)}\n"
        f"    mSystemDecorRect=[0,0][{box.width},{box.height}] last=[0,0][{box.width},{box.height}]\n"
        f"    Frames: containing={_short(whole)} parent={_short(whole)}\n"
        f"        display={_short(whole)} overscan={_short(whole)}\n"
        f"        content={_short(box)} visible={_short(box)}\n"
        "        decor=[0,0][0,0]\n"
        "    Cur insets: overscan=[0,0][0,0] content=[0,0][0,0] visible=[0,0][0,0]\n"
        "    Lst insets: overscan=[0,0][0,0] content=[0,0][0,0] visible=[0,0][0,0]\n"
        f"{animator}      mSurface=Surface(name={_title(window)}) "
        f"identity={int(own, 16) % 1000}\n      mDrawState=HAS_DRAWN mLastHidden=false\n{drawn}"
    )


def _hidden_windows(phone: Phone) -> list[_HiddenWindow]:
    """Return the windows that exist from the start and are not shown now, the topmost first."""
    shown = {_title(window) for window in phone.scene().windows}
    found = [window for window in _HIDDEN if window.title not in shown]
    home = phone.packages.home()
    if home is not None and not any(title.startswith(f"{home.app.package}/") for title in shown):
        found.append(_HiddenWindow(f"{home.app.package}/{home.activity}", home.app.package, 1, 21_000))
    return found


def _hidden(phone: Phone, index: int, window: _HiddenWindow, *, everything: bool) -> str:
    title, own = window.title, identity_hash("window", window.title)
    size, layer, found = phone.display.current_size, window.layer, phone.packages.get(window.package)
    pid, uid = phone.processes.pidof(window.package) or 480, found.uid if found else _SYSTEM_UID
    token = f"WindowToken{{{identity_hash('token', own)} null}}"
    more = (
        f"    mBaseLayer={layer} mSubLayer=0 mAnimLayer={layer + 5}+0={layer + 5} mLastLayer={layer + 5}\n"
        f"    mToken={token}\n    mRootToken={token}\n"
        "    mViewVisibility=0x8 mHaveFrame=true mObscured=false\n    mSeq=0 mSystemUiVisibility=0x0\n"
        "    mPolicyVisibility=false mPolicyVisibilityAfterAnim=false mAppOpVisibility=true "
        "mAttachedHidden=false\n"
        "    mGivenContentInsets=[0,0][0,0] mGivenVisibleInsets=[0,0][0,0]\n"
        f"    mConfiguration={_configuration(phone)}\n"
        if everything
        else ""
    )
    frames = (
        "    mFrame=[0,0][0,0] last=[0,0][0,0]\n    mSystemDecorRect=[0,0][0,0] last=[0,0][0,0]\n"
        "    Frames: containing=[0,0][0,0] parent=[0,0][0,0]\n"
        "        display=[0,0][0,0] overscan=[0,0][0,0]\n        content=[0,0][0,0] visible=[0,0][0,0]\n"
        "        decor=[0,0][0,0]\n"
        "    Cur insets: overscan=[0,0][0,0] content=[0,0][0,0] visible=[0,0][0,0]\n"
        "    Lst insets: overscan=[0,0][0,0] content=[0,0][0,0] visible=[0,0][0,0]\n"
        if everything
        else ""
    )
    return (
        f"  Window #{index} Window{{{own} u0 {title}}}:\n"
        f"    mDisplayId=0 mSession=Session{{{identity_hash('session', window.package)} {pid}:{uid}}} "
        f"mClient=android.view.ViewRootImpl$W@{identity_hash('client', own)}\n"
        f"    mOwnerUid={uid} mShowToOwnerOnly=false package={window.package} appop=NONE\n"
        f"    mAttrs=WM.LayoutParams{{(0,0)(fillxfill) sim=#10 ty={window.kind} fl=#1110900 fmt=-3}}\n"
        f"    Requested w={size.width} h={size.height} mLayoutSeq=312\n{more}"
        "    mHasSurface=false mShownFrame=[0.0,0.0][0.0,0.0] isReadyForDisplay()=false\n"
        f"{frames}    WindowStateAnimator{{{identity_hash('animator', own)} {title}}}:\n"
    )


def displays(phone: Phone) -> str:
    """Return the display, its boxes of stacks, and the activities' tokens."""
    display, area = phone.display, phone.windows.app_area()
    now, size = display.current_size, display.size
    bars = now.height - area.height
    narrow, wide = min(size.width, size.height), max(size.width, size.height)
    base = f" base={size} {display.density}dpi" if display.override or display.density_override else ""
    parts = [
        "WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n  Display: mDisplayId=0\n"
        f"    init={display.natural} {display.physical_density}dpi{base} cur={now} "
        f"app={area.width}x{area.height} rng={narrow}x{narrow - bars}-{wide}x{wide - bars}\n"
        "    layoutNeeded=false\n"
    ]
    for index, tasks in enumerate(stacks(phone)):
        parts.append(_stack_box(phone, index, tasks))
    records = [
        record for task in phone.activities.tasks for record in reversed(task.stack)
    ]  # the frontmost first
    if records:
        parts.append("\n  Application tokens in Z order:\n")
    for index, record in enumerate(records):
        parts.append(_app(phone, len(records) - index, record))
    return "".join([*parts, "\n"])


def stacks(phone: Phone) -> tuple[list[TaskRecord], ...]:
    """Return the tasks of the home stack and of the apps' stack, the frontmost first."""
    home = phone.packages.home()
    tasks = [task for task in phone.activities.tasks if task.stack]
    at_home = [task for task in tasks if home is not None and task.affinity == home.app.package]
    apps = [task for task in tasks if task not in at_home]
    return (at_home, apps) if apps else (at_home,)


def _stack_box(phone: Phone, index: int, tasks: list[TaskRecord]) -> str:
    size = phone.display.current_size
    named = ", ".join(str(task.task_id) for task in reversed(tasks))
    parts = [
        f"  StackBox #{index}\n    mParent=null\n"
        f"    mBounds=[0,0][{size.width},{size.height}] mVertical=false layoutNeeded=false\n"
        f"    mStack={{stackId={index} tasks=[{named}]}}\n      mStackId={index}\n"
    ]
    for task in tasks:
        tokens = ", ".join(_app_token(phone, record) for record in task.stack)
        parts.append(f"        taskId={task.task_id}\n          mAppTokens=[{tokens}]\n")
    return "".join(parts)


def _app(phone: Phone, index: int, record: ActivityRecord) -> str:
    shown = _flag(record.visible)
    task = next((each.task_id for each in phone.activities.tasks if record in each.stack), 0)
    return (
        f"  App #{index} {_app_token(phone, record)}:\n"
        f"    windowType=2 hidden={_flag(not record.visible)} hasVisible=true\n    app=true\n"
        f"    groupId={task} appFullscreen={_flag(not record.activity.translucent)} requestedOrientation=-1\n"
        f"    hiddenRequested={_flag(not record.visible)} clientHidden={_flag(not record.visible)} "
        f"willBeHidden=false reportedDrawn={shown} reportedVisible={shown}\n"
    )


def policy(phone: Phone, focus: str) -> str:
    """Return the policy's state: the screen, its areas and the lock screen.

    Args:
        phone: The phone.
        focus: The focused window, or ``null``.
    """
    on, locked = _flag(phone.display.screen_on), _flag(phone.keyguard.showing)
    size, area = phone.display.current_size, phone.windows.app_area()
    whole, stable = Rect(0, 0, size.width, size.height), _range(Rect(0, area.top, size.width, area.bottom))
    landscape = phone.display.natural.width > phone.display.natural.height
    lines = [
        "mSafeMode=false mSystemReady=true mSystemBooted=true",
        "mLidState=-1 mLidOpenRotation=-1 mHdmiPlugged=false",
        "mUiMode=1 mDockMode=0 mCarDockRotation=-1 mDeskDockRotation=-1",
        f"mUserRotationMode=1 mUserRotation={phone.display.rotation} mAllowAllRotations=0",
        "mCurrentAppOrientation=-1",
        "mCarDockEnablesAccelerometer=true mDeskDockEnablesAccelerometer=true",
        "mLidKeyboardAccessibility=0 mLidNavigationAccessibility=0 mLidControlsSleep=false",
        "mLongPressOnPowerBehavior=1 mHasSoftInput=true",
        f"mScreenOnEarly={on} mScreenOnFully={on} mOrientationSensorEnabled=false",
        f"mOverscanScreen=(0,0) {size}",
        f"mRestrictedOverscanScreen=(0,0) {size.width}x{area.bottom}",
        f"mUnrestrictedScreen=(0,0) {size}",
        f"mRestrictedScreen=(0,0) {size.width}x{area.bottom}",
        f"mStableFullscreen={_range(Rect(0, 0, size.width, area.bottom))}",
        f"mStable={stable}",
        f"mSystem={_range(whole)}",
        f"mCur={stable}",
        f"mContent={stable}",
        f"mDock={stable}",
        "mDockLayer=268435456 mStatusBarLayer=161000",
        f"mShowingLockscreen={locked} mShowingDream=false mDreamingLockscreen=false",
        *(
            f"{name}={window_name(phone, window)}"
            for name, kind in (("mStatusBar", WindowKind.STATUS_BAR), ("mNavigationBar", WindowKind.NAV_BAR))
            for window in phone.scene().windows
            if window.kind is kind
        ),
        f"mFocusedWindow={focus}",
        f"mTopFullscreenOpaqueWindowState={focus}",
        f"mTopIsFullscreen=false mHideLockScreen={_flag(not phone.keyguard.showing)}",
        "mForceStatusBar=false mForceStatusBarFromKeyguard=false",
        "mDismissKeyguard=0 mWinDismissingKeyguard=null mHomePressed=false",
        "mAllowLockscreenWhenOn=false mLockScreenTimeout=600000 mLockScreenTimerActive=false",
        "mEndcallBehavior=2 mIncallPowerBehavior=1 mLongPressOnHomeBehavior=2",
        f"mLandscapeRotation={0 if landscape else 1} mSeascapeRotation={2 if landscape else 3}",
        f"mPortraitRotation={1 if landscape else 0} mUpsideDownRotation={3 if landscape else 2}",
        "mHdmiRotation=1 mHdmiRotationLock=true",
        "StatusBar:",
        "  mState=WINDOW_STATE_SHOWING",
        "NavigationBar:",
        "  mState=WINDOW_STATE_SHOWING",
    ]
    text = "".join(f"    {line}\n" for line in lines)
    return f"WINDOW MANAGER POLICY STATE (dumpsys window policy)\n{text}"
