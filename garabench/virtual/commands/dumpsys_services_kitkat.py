"""``dumpsys`` of power, input methods and notifications in Android 4.4's form.

Sources: AOSP ``PowerManagerService``, ``DisplayPowerController``, ``InputMethodManagerService`` and
``NotificationManagerService`` of ``android-4.4.2_r1``.
"""

from __future__ import annotations

from garabench.virtual.android.notifications import Notification
from garabench.virtual.android.phone import Phone
from garabench.virtual.commands.identity_hash import identity_hash

_SHELL_UID = 2000


def _flag(value: bool) -> str:
    return str(value).lower()


def power(phone: Phone) -> str:
    """Return the power manager's state."""
    on, battery = phone.display.screen_on, phone.battery
    timeout = phone.settings.get("system", "screen_off_timeout") or "60000"
    brightness = phone.settings.get("system", "screen_brightness") or "102"
    state = 3 if on else 0
    return (
        "POWER MANAGER (dumpsys power)\n\nPower Manager State:\n  mDirty=0x0\n"
        f"  mWakefulness={'Awake' if on else 'Asleep'}\n  mIsPowered={_flag(battery.plugged)}\n"
        f"  mPlugType={int(battery.plugged)}\n  mBatteryLevel={battery.level}\n"
        "  mBatteryLevelWhenDreamStarted=0\n  mDockState=0\n  mStayOn=false\n  mProximityPositive=false\n"
        "  mBootCompleted=true\n  mSystemReady=true\n  mWakeLockSummary=0x0\n"
        f"  mUserActivitySummary=0x{int(on)}\n  mRequestWaitForNegativeProximity=false\n"
        "  mSandmanScheduled=false\n"
        f"  mLastWakeTime=0 ({phone.clock.uptime_ms} ms ago)\n"
        f"  mLastSleepTime=0 ({phone.clock.uptime_ms} ms ago)\n"
        "  mSendWakeUpFinishedNotificationWhenReady=false\n"
        "  mSendGoToSleepFinishedNotificationWhenReady=false\n"
        f"  mLastUserActivityTime={phone.clock.uptime_ms} (0 ms ago)\n"
        "  mLastUserActivityTimeNoChangeLights=0 (0 ms ago)\n  mDisplayReady=true\n"
        f"  mHoldingWakeLockSuspendBlocker=false\n  mHoldingDisplaySuspendBlocker={_flag(on)}\n\n"
        "Settings and Configuration:\n  mWakeUpWhenPluggedOrUnpluggedConfig=false\n"
        "  mSuspendWhenScreenOffDueToProximityConfig=false\n  mDreamsSupportedConfig=true\n"
        "  mDreamsEnabledByDefaultConfig=true\n  mDreamsActivatedOnSleepByDefaultConfig=false\n"
        "  mDreamsActivatedOnDockByDefaultConfig=true\n  mDreamsEnabledSetting=false\n"
        "  mDreamsActivateOnSleepSetting=false\n  mDreamsActivateOnDockSetting=true\n"
        f"  mScreenOffTimeoutSetting={timeout}\n"
        "  mMaximumScreenOffTimeoutFromDeviceAdmin=2147483647 (enforced=false)\n"
        f"  mStayOnWhilePluggedInSetting=0\n  mScreenBrightnessSetting={brightness}\n"
        "  mScreenAutoBrightnessAdjustmentSetting=0.0\n  mScreenBrightnessModeSetting=0\n"
        "  mScreenBrightnessOverrideFromWindowManager=-1\n"
        "  mUserActivityTimeoutOverrideFromWindowManager=-1\n"
        "  mTemporaryScreenBrightnessSettingOverride=-1\n"
        "  mTemporaryScreenAutoBrightnessAdjustmentSettingOverride=NaN\n"
        "  mScreenBrightnessSettingMinimum=10\n  mScreenBrightnessSettingMaximum=255\n"
        "  mScreenBrightnessSettingDefault=102\n\n"
        f"Screen off timeout: {timeout} ms\nScreen dim duration: 7000 ms\n\nWake Locks: size=0\n\n"
        "Suspend Blockers: size=2\n  PowerManagerService.WakeLocks: ref count=0\n"
        f"  PowerManagerService.Display: ref count={int(on)}\n\nScreen On Blocker:\n  mHeld=false\n\n"
        "Display Blanker:\n"
        f"  blanked={_flag(not on)}\n\nDisplay Power Controller Locked State:\n  mDisplayReadyLocked=true\n"
        f"  mPendingRequestLocked=screenState={state}, useProximitySensor=false, "
        f"screenBrightness={brightness}, screenAutoBrightnessAdjustment=0.0, useAutoBrightness=false, "
        "blockScreenOn=false\n  mPendingRequestChangedLocked=false\n\n"
        "Display Power State:\n"
        f"  mScreenOn={_flag(on)}\n  mScreenBrightness={brightness if on else 0}\n"
        f"  mElectronBeamLevel={1.0 if on else 0.0}\n  mScreenReady=true\n  mScreenUpdatePending=false\n"
        "  mElectronBeamPrepared=false\n  mElectronBeamReady=true\n"
    )


def input_method(phone: Phone) -> str:
    """Return the input method manager's state."""
    ime = phone.ime
    focus = phone.scene().focus  # a field may take the focus, which opens the keyboard
    parts = ["Current Input Method Manager state:\n  Input Methods:\n"]
    parts += [_method(index, name, name == ime.default) for index, name in enumerate(ime.installed)]
    package = focus.package if focus is not None else "android"
    found, pid = phone.packages.get(package), phone.processes.pidof(package) or 0
    client = f"ClientState{{{identity_hash('client', package)} uid {found.uid if found else 1000} pid {pid}}}"
    parts.append(
        f"  Clients:\n  Client android.os.BinderProxy@{identity_hash('binder', package)}:\n"
        f"    client={client}\n"
        "    inputContext=com.android.internal.view.IInputContext$Stub$Proxy@"
        f"{identity_hash('context', package)}\n"
        "    sessionRequested=true\n    curSession=null\n"
        f"  mCurMethodId={ime.default}\n  mCurClient={client} mCurSeq=1\n"
        f"  mCurFocusedWindow=android.os.BinderProxy@{identity_hash('focus', package)}\n"
        f"  mCurId={ime.default} mHaveConnect=true mBoundToMethod=true\n"
        f"  mCurToken=android.os.Binder@{identity_hash('token', ime.default)}\n"
        f"  mCurIntent=Intent {{ act=android.view.InputMethod cmp={ime.default} }}\n"
        "  mCurMethod=com.android.internal.view.IInputMethod$Stub$Proxy@"
        f"{identity_hash('method', ime.default)}\n  mEnabledSession=null\n"
        f"  mShowRequested={_flag(ime.shown)} mShowExplicitlyRequested=false mShowForced=false "
        f"mInputShown={_flag(ime.shown)}\n"
        f"  mSystemReady=true mScreenOn={_flag(phone.display.screen_on)}\n"
    )
    return "".join(parts)


def _method(index: int, name: str, default: bool) -> str:
    package, _, service = name.partition("/")
    full = package + service if service.startswith(".") else service
    return (
        f"  InputMethod #{index}:\n    mId={name} mSettingsActivityName=null\n"
        "    mIsDefaultResId=0x7f070000\n    Service:\n"
        "      priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 "
        f"isDefault={_flag(default)}\n      ServiceInfo:\n"
        f"        name={full}\n        packageName={package}\n"
        f"        enabled=true exported=true processName={package}\n"
        "        permission=android.permission.BIND_INPUT_METHOD\n"
    )


def notification(phone: Phone) -> str:
    """Return the notification manager's state."""
    notes = phone.notifications.active()
    parts = [
        "Current Notification Manager state:\n  Listeners (0) enabled for current profiles:\n"
        "  Live listeners (0):\n"
    ]
    if notes:
        parts.append("  Notification List:\n")
    parts += [_record(phone, note) for note in notes]
    parts.append(
        "  mSoundNotification=null\n  mVibrateNotification=null\n  mDisabledNotifications=0x0\n"
        "  mSystemReady=true\n  mArchive=Archive (0 notifications)\n"
    )
    return "".join(parts)


def _record(phone: Phone, note: Notification) -> str:
    found = phone.packages.get(note.package)
    uid = found.uid if found else _SHELL_UID
    hashed = identity_hash("notification", note.number)
    intent = f"PendingIntent{{{identity_hash('intent', note.number)}: PendingIntentRecord}}"
    actions = "".join(
        f'        [{index}] "{action.label}" -> {intent}\n' for index, action in enumerate(note.actions)
    )
    listed = f"      actions={{\n{actions}      }}\n" if actions else ""
    return (
        f"    NotificationRecord(0x{hashed}: pkg={note.package} user=UserHandle{{0}} id={note.number} "
        f"tag=null score=0: Notification(pri=0 contentView={note.package}/0x109007f vibrate=null sound=null "
        "defaults=0x0 flags=0x10 kind=[null]))\n"
        f"      uid={uid} userId=0\n      icon=0x7f020000 / {note.package}:drawable/icon\n"
        f"      pri=0 score=0\n      contentIntent={intent if note.intent else 'null'}\n"
        f"      deleteIntent={intent if note.delete_intent else 'null'}\n      tickerText=null\n"
        f"      contentView=android.widget.RemoteViews@{hashed}\n"
        "      defaults=0x00000000 flags=0x00000010\n      sound=null\n      vibrate=null\n"
        f"      led=0x00000000 onMs=0 offMs=0\n{listed}      extras={{\n"
        f"        android.title={note.title}\n        android.text={note.text}\n      }}\n"
    )
