"""``dumpsys`` of the services whose state tools read, in the forms of AOSP's ``dump`` methods."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from functools import partial

from garabench.virtual.android.phone import Phone
from garabench.virtual.android.storage import DATA_KB
from garabench.virtual.android.system_properties import OPERATOR, OPERATOR_NUMERIC
from garabench.virtual.apps.clock import app as clock
from garabench.virtual.commands import dumpsys_apps, roles
from garabench.virtual.commands.durations import KITKAT
from garabench.virtual.commands.identity_hash import identity_hash
from garabench.virtual.commands.volumes import STREAMS

_METRES_PER_KNOT = 1852 / 3600
"""Metres per second of a knot."""
Dump = Callable[[Phone, list[str]], str]
_RINGER_MODES = {"0": "SILENT", "1": "VIBRATE", "2": "NORMAL"}
_PER_PHONE_SDK = 22
"""First API level whose registry of telephony has a section for each SIM."""
_STATES = ("IDLE", "RINGING", "OFFHOOK")
_PRECISE = {"ACTIVE": 1, "HOLDING": 2, "DIALING": 3, "RINGING": 5}
"""``PreciseCallState.PRECISE_CALL_STATE_…`` by the state of a call."""
_VOICE = dict.fromkeys(("unregistered", "searching", "denied"), "1(OUT_OF_SERVICE)")
"""``ServiceState.rilServiceStateToString`` by the console's name of the registration; else in service."""
_SIGNAL_LEVELS = (-107, -103, -97, -89)
"""The least strength in dBm of each bar (``CellSignalStrengthGsm``)."""
_THERMAL_FIRST = ("CPU", 0), ("GPU", 1), ("BATTERY", 2), ("SKIN", 3)


def _flag(value: bool) -> str:
    return str(value).lower()


def telephony_registry(phone: Phone, args: list[str]) -> str:
    """The state of calls and of the mobile network (``TelephonyRegistry.dump``)."""
    calls, airplane = phone.network.calls, phone.network.airplane
    incoming, current = calls.ringing, calls.foreground
    ringing = _PRECISE["RINGING"] if incoming else 0
    foreground = _PRECISE[current.state.name] if current else 0
    held = _PRECISE[calls.held.state.name] if calls.held else 0
    voice = "3(POWER_OFF)" if airplane else _VOICE.get(phone.network.voice, "0(IN_SERVICE)")
    bars = 0 if airplane else sum(phone.network.signal_dbm >= least for least in _SIGNAL_LEVELS)
    registered = "3(POWER_OFF)" if airplane else "0(IN_SERVICE)"
    name, number = (OPERATOR, OPERATOR_NUMERIC) if not airplane else ("null", "null")
    data = 2 if phone.network.mobile_data and not airplane else 0
    lines = [
        f"mCallState={calls.state}",
        f"mRingingCallState={ringing}",
        f"mForegroundCallState={foreground}",
        f"mBackgroundCallState={held}",
        f"mPreciseCallState=Ringing call state: {ringing}, Foreground call state: {foreground}, "
        f"Background call state: {held}, Disconnect cause: -1, Precise disconnect cause: -1",
        "mCallDisconnectCause=-1",
        f"mCallIncomingNumber={incoming.number if incoming else ''}",
        f"mServiceState={{mVoiceRegState={voice}, mDataRegState={registered}, mChannelNumber=0, "
        f"duplexMode()=0, mCellBandwidths=[], mOperatorAlphaLong={name}, mOperatorAlphaShort={name}, "
        f"mOperatorNumeric={number}, isManualNetworkSelection=false(automatic), "
        f"getRilVoiceRadioTechnology={0 if airplane else 14}({'Unknown' if airplane else 'LTE'}), "
        f"getRilDataRadioTechnology={0 if airplane else 14}({'Unknown' if airplane else 'LTE'})}}",
        f"mUserMobileDataState= {_flag(phone.network.mobile_data)}",
        f"mSignalStrength=SignalStrength:{{mLte=CellSignalStrengthLte: rssi={phone.network.signal_dbm} "
        f"rsrp=-97 rsrq=-10 rssnr=30 cqi=2147483647 ta=2147483647 level={bars}}}",
        "mMessageWaiting=false",
        "mCallForwarding=false",
        "mDataActivity=0",
        f"mDataConnectionState={data}",
        "mCellInfo=[]",
        "mImsCallDisconnectCause=[]",
    ]
    if phone.profile.sdk < _PER_PHONE_SDK:
        return "last known state:\n" + "".join(f"  {line}\n" for line in lines) + "registrations: count=0\n"
    text = "".join(f"    {line}\n" for line in lines)
    return (
        f"last known state:\n  Phone Id=0\n{text}  mCarrierNetworkChangeState=false\nlocal logs:\n"
        "registrations: count=0\n"
    )


def audio(phone: Phone, args: list[str]) -> str:
    """Volumes, the ringer and the audio focus (``AudioService.dump``)."""
    settings = phone.settings
    mode = settings.get("global", "mode_ringer") or "2"
    name = _RINGER_MODES.get(mode, "NORMAL")
    streams = []
    for stream in STREAMS:
        now = stream.read(settings)
        streams.append(
            f"- STREAM_{stream.name}:\n   Muted: {_flag(now == 0 and stream.lowest == 0)}\n"
            f"   Muted Internally: false\n   Min: {stream.lowest}\n   Max: {stream.highest}\n"
            f"   streamVolume:{now}\n   Current: 2 (speaker): {now}, 40000000 (default): {now}\n"
            f"   Devices: speaker(2)\n   Volume Group: AUDIO_STREAM_{stream.name}\n"
        )
    return (
        "\nMediaFocusControl dump time: "
        f"{phone.clock.wall():%H:%M:%S}\n\nAudio Focus stack entries (last is top of stack):\n"
        "\n No external focus policy\n\nMulti Audio Focus enabled :false\n"
        "\nVolume controllers: com.android.systemui\n\nStream volumes (device: index)\n"
        + "".join(streams)
        + f"\nRinger mode: \n- mode (internal) = {name}\n- mode (external) = {name}\n"
        f"- zen mode:{_zen(phone)}\n- ringer mode affected streams = 0x1a6\n"
        "- ringer mode muted streams = 0x0\n- delegate = ZenModeHelper\n\nAudio routes:\n"
        "  mMainType=0x0\n  mBluetoothName=null\n\n"
        f"Other state:\n  mUseVolumeGroupAliases=true\n  mRingerMode={mode}\n"
        "\nPlaybackActivityMonitor dump time: "
        f"{phone.clock.wall():%H:%M:%S}\n  playback listeners:\n  players:\n  ducked players piids:\n"
    )


def _zen(phone: Phone) -> str:
    names = {
        "1": "ZEN_MODE_IMPORTANT_INTERRUPTIONS",
        "2": "ZEN_MODE_NO_INTERRUPTIONS",
        "3": "ZEN_MODE_ALARMS",
    }
    return names.get(phone.settings.get("global", "zen_mode") or "0", "ZEN_MODE_OFF")


def alarm(phone: Phone, args: list[str]) -> str:
    """The alarm manager's clocks, and the alarms of the clock (``AlarmManagerService.dumpImpl``)."""
    wall = phone.clock.wall()
    alarms = _alarms(phone)
    pending = "".join(_pending(phone, at, when) for at, when in enumerate(alarms))
    first = (
        f"    user:0 pendingSend:false time:{int(alarms[0].timestamp() * 1000)} = "
        f"{alarms[0]:%Y-%m-%d %H:%M:%S} = {_in(alarms[0] - wall)}\n"
        if alarms
        else ""
    )
    wakeup = f"{_in(alarms[0] - wall)}={alarms[0]:%Y-%m-%d %H:%M:%S}" if alarms else "none"
    now = int(wall.timestamp() * 1000)
    return (
        "Current Alarm Manager state:\n  Settings:\n    min_futurity=+5s0ms\n    min_interval=+1m0s0ms\n"
        "    max_interval=+365d0h0m0s0ms\n    listener_timeout=+5s0ms\n\n"
        "  Feature Flags:\n\n  App Standby Parole: false\n\n"
        f"  nowRTC={now}={wall:%Y-%m-%d %H:%M:%S} nowELAPSED={phone.clock.uptime_ms}\n"
        f"  mLastTimeChangeClockTime={int(phone.clock.boot_wall().timestamp() * 1000)}="
        f"{phone.clock.boot_wall():%Y-%m-%d %H:%M:%S}\n  mTimeTickHistory:\n"
        f"  Runtime uptime (elapsed): +{phone.clock.uptime_ms}ms\n"
        f"  Non-interactive duration: +0ms\n  Max wakeup delay: +10m0s0ms\n"
        f"  Next non-wakeup delivery time: none\n  Next wakeup alarm: {wakeup}\n"
        f"  Next alarm clock information: \n{first}\n  {len(alarms)} pending alarms: \n{pending}\n"
        "  Pending user blocked background alarms: none\n  Past-due non-wakeup alarms: (none)\n"
        "    Number of delayed alarms: 0, total delay time: 0\n\n  mBroadcastRefCount=0\n"
        "  Top Alarms:\n  Alarm Stats:\n"
    )


def _alarms(phone: Phone) -> list[dt.datetime]:
    """Return when the clock's alarms ring that are on, the next one first."""
    found = phone.packages.get(clock.PACKAGE)
    alarms = found.data["alarms"] if found is not None else []
    now = phone.clock.wall()
    return sorted(clock.next_time(alarm, now) for alarm in alarms if alarm["on"])


def _in(left: dt.timedelta) -> str:
    """Return a duration as ``TimeUtils.formatDuration`` writes it."""
    minutes, seconds = divmod(int(left.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    parts = [(hours, "h"), (minutes, "m"), (seconds, "s")]
    while parts[0][0] == 0 and len(parts) > 1:
        parts.pop(0)
    return "+" + "".join(f"{number}{unit}" for number, unit in parts) + "0ms"


def _pending(phone: Phone, number: int, when: dt.datetime) -> str:
    """Return an alarm as ``Alarm.dump`` writes it."""
    at = int(when.timestamp() * 1000)
    elapsed = phone.clock.uptime_ms + int((when - phone.clock.wall()).total_seconds() * 1000)
    return (
        f"    RTC_WAKEUP #{number}: Alarm{{{identity_hash('alarm', at)[1:]} type 0 origWhen {at} whenElapsed "
        f"{elapsed} {clock.PACKAGE}}}\n      tag=*walarm*:{clock.PACKAGE}.ALARM_ALERT\n"
        f"      type=RTC_WAKEUP origWhen={when:%Y-%m-%d %H:%M:%S}.000 window=0 "
        f"exactAllowReason=policy_permission repeatInterval=0 count=0 flags=0x3\n      Alarm clock:\n"
        f"        triggerTime={when:%Y-%m-%d %H:%M:%S}.000\n"
    )


def user(phone: Phone, args: list[str]) -> str:
    """The only user (``UserManagerService.dump``)."""
    return (
        "Current user: 0\nUsers:\n  UserInfo{0:Owner:4c13} serialNo=0 isPrimary=true\n"
        "    Type: android.os.usertype.full.SYSTEM\n"
        "    Flags: 19475 (ADMIN|FULL|INITIALIZED|MAIN|PRIMARY|SYSTEM)\n    State: RUNNING_UNLOCKED\n"
        f"    Created: <unknown>\n    Last logged in: +{phone.clock.uptime_ms // 1000}s ago\n"
        "    Last logged in fingerprint: <unknown>\n    Start time: +10s0ms\n    Unlock time: +11s0ms\n"
        "    Has profile owner: false\n    Restrictions:\n      none\n    Effective restrictions:\n"
        "      none\n"
        "\nDevice properties:\n  Device policy global restrictions:\n    none\n  Guest restrictions:\n"
        "    no_sms\n    no_install_unknown_sources\n    no_config_wifi\n    no_outgoing_calls\n"
        "\n  Device managed: false\n  Started users state: {0=3}\n  Max users: 4 (limit reached: false)\n"
        "  Supports switchable users: true\n"
    )


def statusbar(phone: Phone, args: list[str]) -> str:
    """What is disabled in the status bar, and its icons (``StatusBarManagerService.dump``)."""
    shown = [("wifi", phone.network.wifi), ("airplane", phone.network.airplane)]
    shown.append(("bluetooth", phone.settings.get("global", "bluetooth_on") == "1"))
    icons = "".join(
        f"    {slot} -> StatusBarIcon(icon=Icon(typ=RESOURCE pkg=com.android.systemui id=0x7f0801{at:02x}) "
        f"visible user=0 )\n"
        for at, (slot, on) in enumerate(shown)
        if on
    )
    return (
        "displayId=0\n  mDisabled1=0x0\n  mDisabled2=0x0\n  mDisableRecords.size=0\n  mCurrentUserId=0\n"
        f"  mIcons=\n{icons}  mExpanded={_flag(phone.windows.overlay == 'shade')}\n"
    )


def media_session(phone: Phone, args: list[str]) -> str:
    """No app plays media (``MediaSessionService.dump``)."""
    return (
        "MEDIA SESSION SERVICE (dumpsys media_session)\n\n1 sessions listeners.\n"
        "Global priority session is null\nSession2TokensListeners: 0\nUser Records:\nRecord for full_user=0\n"
        "  Volume key long-press listener: null\n  Volume key long-press listener package: \n"
        "  Media key listener: null\n  Media key listener package: \n  OnMediaKeyEventDispatchedListener: 0\n"
        "  OnMediaKeyEventSessionChangedListener: 0\n  Last MediaButtonReceiver: null\n"
        "  Media button session is null\n  Sessions Stack - have 0 sessions:\n"
        "Audio playback (lastly played comes first)\n"
    )


def thermalservice(phone: Phone, args: list[str]) -> str:
    """Temperatures by sensor (``ThermalManagerService.dump``)."""
    status, degrees = phone.services.thermal, phone.battery.temperature / 10
    rows = "".join(
        f"\tTemperature{{mValue={degrees + 8 - kind:.1f}, mType={kind}, mName={name}, mStatus={status}}}\n"
        for name, kind in _THERMAL_FIRST
    )
    return (
        f"IsStatusOverride: {_flag(bool(status))}\nThermalEventListeners:\n\tcallbacks: 2\n"
        f"Thermal Status: {status}\nCached temperatures:\n{rows}HAL Ready: true\n"
        f"Current temperatures from HAL:\n{rows}Current cooling devices from HAL:\n"
    )


def settings_provider(phone: Phone, args: list[str]) -> str:
    """Each setting with its writer (``SettingsProvider.dumpInternal``)."""
    parts = []
    for namespace in ("global", "secure", "system"):
        rows = "".join(
            f"_id:{number} name:{name} pkg:android value:{value} default:{value} defaultSystemSet:true\n"
            for number, (name, value) in enumerate(phone.settings.list(namespace).items(), 1)
        )
        parts.append(f"{namespace.upper()} SETTINGS (user 0)\nversion: 1\n{rows}\n")
    return "".join(parts)


def uimode(phone: Phone, args: list[str]) -> str:
    """Dark theme (``UiModeManagerService.dumpImpl``)."""
    night = phone.settings.get("secure", "ui_night_mode") or "1"
    on = night == "2"
    return (
        "Current UI Mode Service state:\n  mDockState=0 mLastBroadcastState=0\n"
        " mStartDreamImmediatelyOnDock=true "
        f"mDreamsDisabledByAmbientModeSuppression=false  mNightMode={night} "
        f"({'yes' if on else 'no'}) mOverrideNightModeOn={_flag(on)}\n"
        f"  mCurUiMode=0x{0x21 if on else 0x11:x} "
        f"mUiModeLocked=false mSetUiMode=0x{0x21 if on else 0x11:x}\n  mHoldingConfiguration=false "
        "mSystemReady=true\n"
    )


def bluetooth_manager(phone: Phone, args: list[str]) -> str:
    """The adapter (``BluetoothManagerService.dump``)."""
    on = phone.settings.get("global", "bluetooth_on") == "1"
    name = phone.settings.get("secure", "bluetooth_name") or phone.profile.model
    since = "  time since enabled: 00:00:10.000\n\nBonded devices:\n" if on else "\n"
    return (
        f"Bluetooth Status\n  enabled: {_flag(on)}\n  state: {'ON' if on else 'OFF'}\n"
        f"  address: XX:XX:XX:XX:00:00\n  name: {name}\n{since}"
    )


def _position(phone: Phone, provider: str) -> str:
    """Return a provider's last position as ``Location.toString`` does; the network has none."""
    fix = phone.sensors.fix
    if fix is None or provider == "network":
        return "null"
    source = "fused" if provider == "fused" else "gps"
    return (
        f"Location[{source} {fix.latitude:.6f},{fix.longitude:.6f} hAcc=5.0 "
        f"et=+{fix.at_ms // 1000}s{fix.at_ms % 1000}ms "
        f"alt={fix.altitude:g} vel={fix.velocity * _METRES_PER_KNOT:.1f}]"
    )


def location(phone: Phone, args: list[str]) -> str:
    """The providers, with the position that a console has set (``LocationManagerService.dump``)."""
    on = (phone.settings.get("secure", "location_mode") or "0") != "0"
    providers = "".join(
        f"  {name} provider:\n    last location={_position(phone, name)}\n"
        f"    enabled={_flag(on or name == 'passive')}\n"
        f"    properties=ProviderProperties[powerUsage=High, accuracy=Fine]\n"
        for name in ("passive", "network", "fused", "gps")
    )
    return (
        "Location Manager State:\n  User Info:\n    current users: [0]\n  Location Settings:\n"
        f"    Location Setting: {_flag(on)}\n  Location Providers:\n{providers}"
    )


def accessibility(phone: Phone, args: list[str]) -> str:
    """The accessibility services (``AccessibilityManagerService.dump``)."""
    enabled = phone.settings.get("secure", "enabled_accessibility_services") or ""
    touch = phone.settings.get("secure", "touch_exploration_enabled") == "1"
    bound = (
        "Service[label=UiAutomation, feedbackType[FEEDBACK_GENERIC], capabilities=11]"
        if phone.automation
        else ""
    )
    return (
        "ACCESSIBILITY MANAGER (dumpsys accessibility)\n\ncurrentUserId=0\nUser state[\n"
        "     attributes:{id=0, currentUser=true\n"
        f"            touchExplorationEnabled={_flag(touch)}, serviceHandlesDoubleTap=false, "
        "requestMultiFingerGestures=false, displayMagnificationEnabled=false\n"
        f"            autoclickEnabled=false, nonInteractiveUiTimeout=0, interactiveUiTimeout=0, "
        f"installedServiceCount=0}}\n     Bound services:{{{bound}}}\n"
        f"     Enabled services:{{{enabled}}}\n     Binding services:{{}}\n     Crashed services:{{}}]\n"
    )


def jobscheduler(phone: Phone, args: list[str]) -> str:
    """No app schedules jobs (``JobSchedulerService.dumpInternal``)."""
    return (
        "Settings (job_scheduler):\n  min_ready_non_active_jobs_count=5\n\n"
        "Started users: 0\n\nRegistered 0 jobs:\n  None.\n\nCurrently running jobs: 0\n\nPending queue:\n"
        "  None\n"
        "\nActive jobs:\n  None\n\nPast jobs:\n"
    )


def device_policy(phone: Phone, args: list[str]) -> str:
    """No owner manages the phone (``DevicePolicyManagerService.dump``)."""
    return (
        "Current Device Policy Manager state:\n  Immutable state:\n    mHasFeature=true\n"
        "    mIsWatch=false\n  Device Owner: \n  Enabled Device Admins (User 0, provisioningState: 0):\n"
        "  mPasswordOwner=-1\n  mPasswordQuality=0x0\n"
    )


def mount(phone: Phone, args: list[str]) -> str:
    """The volumes (``StorageManagerService.dump``)."""
    return (
        "Disks:\n\nVolumes:\n  VolumeInfo{emulated;0}:\n"
        "    type=EMULATED diskId=null partGuid= mountFlags=PRIMARY|"
        "VISIBLE_FOR_WRITE mountUserId=0 \n    state=MOUNTED \n"
        "    path=/storage/emulated internalPath=/data/media \n"
        "  VolumeInfo{private}:\n    type=PRIVATE diskId=null partGuid= mountFlags=0 mountUserId=-10000 \n"
        "    state=MOUNTED \n    path=/data internalPath=null \n\nPrimary storage UUID: null\n"
    )


def wallpaper(phone: Phone, args: list[str]) -> str:
    """The static wallpaper (``WallpaperManagerService.dump``)."""
    size = phone.display.natural
    return (
        f"System wallpaper state:\n User 0: id=1\n Display state:\n  displayId=0\n  mWidth={size.width}  "
        f"mHeight={size.height}\n  mPadding=Rect(0, 0 - 0, 0)\n  mCropHint=Rect(0, 0 - 0, 0)\n  mName=\n"
        "  mAllowBackup=true\n  mWallpaperComponent=ComponentInfo{com.android.systemui/"
        "com.android.systemui.wallpapers.ImageWallpaper}\n"
    )


def sensorservice(phone: Phone, args: list[str]) -> str:
    """The sensors (``SensorService::dump``)."""
    sensors = (
        *(("Accelerometer", 1, "accelerometer"), ("Gyroscope", 4, "gyroscope")),
        *(("Magnetic field", 2, "magnetic_field"), ("Proximity", 8, "proximity")),
        *(("Light", 5, "light"), ("Pressure", 6, "pressure")),
    )
    rows = "".join(
        f"0x{at:08x}) {'Virtual ' + name:<25} | {'garabench':<15} | ver: 1 | type: "
        f"android.sensor.{kind}({number}) | perm: n/a | flags: 0x00000000\n"
        for at, (name, number, kind) in enumerate(sensors, 1)
    )
    return (
        f"Captured at: {phone.clock.wall():%H:%M:%S}.000\nSensor Device:\n"
        f"Total {len(sensors)} h/w sensors, {len(sensors)} running 0 disabled clients:\nSensor List:\n"
        f"{rows}Fusion States:\nRecent Sensor events:\nActive sensors:\nSocket Buffer size = 39 events\n"
        "Mode : NORMAL\n0 active connections\n"
    )


def vibrator(phone: Phone, args: list[str]) -> str:
    """The vibrator is still (``VibratorManagerService.dump``)."""
    return (
        "Vibrator Manager Service:\n  VibrationSettings:\n    vibrateInput = true\n"
        "  mCurrentVibration: null\n  mCurrentExternalVibration: null\n"
    )


def trust(phone: Phone, args: list[str]) -> str:
    """Whether the phone is locked (``TrustManagerService.dump``)."""
    locked = int(phone.keyguard.showing)
    return (
        'Trust manager state:\n User "Owner" (id=0, flags=0x4c13) (current): trustState=UNTRUSTED, '
        f"trustManaged=0, deviceLocked={locked}, isActiveUnlockRunning=0, strongAuthRequired=0x0\n"
        "   Enabled agents:\n"
        "   Events:\n"
    )


def lock_settings(phone: Phone, args: list[str]) -> str:
    """The kind of the lock (``LockSettingsService.dump``)."""
    kind = "NONE" if not phone.keyguard.secret else "PIN"
    return (
        "Current lock settings service state:\n\nUser State:\n  User 0\n"
        f"    LSKF-based SP protector ID: 0\n    Quality: 0\n    CredentialType: {kind}\n"
        "    SeparateChallenge: true\n"
    )


def dreams(phone: Phone, args: list[str]) -> str:
    """No screen saver is active (``DreamManagerService.dumpInternal``)."""
    return (
        "DREAM MANAGER (dumpsys dreams)\n\nmCurrentDream=null\nmForceAmbientDisplayEnabled=false\n"
        "mDreamsOnlyEnabledForDockUser=false\n"
    )


def telecom(phone: Phone, args: list[str]) -> str:
    """The calls (``TelecomServiceImpl.dump``)."""
    calls = "".join(
        f"    [Call id=TC@{at}, state={call.state.name}, tpac=com.android.phone, cmgr=null, handle=tel:"
        f"{call.number}, {'outgoing' if call.is_outgoing else 'incoming'}]\n"
        for at, call in enumerate(phone.network.calls, 1)
    )
    current = phone.network.calls.foreground
    front = f"tel:{current.number} {current.state.name}" if current else "null"
    return (
        f"CallsManager: \n  mCalls: \n{calls}  mPendingCallsToDisconnect: []\n  mCallAudioManager:\n"
        f"    All calls: {len(phone.network.calls)}\n    Foreground call:\n{front}\n"
    )


def phone_service(phone: Phone, args: list[str]) -> str:
    """The SIM's phone (``PhoneInterfaceManager.dump``)."""
    return (
        "------- PhoneInterfaceManager -------\nPhoneGlobals:\n"
        f" Phone[0]: state={_STATES[phone.network.calls.state]} "
        f"dataEnabled={_flag(phone.network.mobile_data)}\n"
    )


def diskstats(phone: Phone, args: list[str]) -> str:
    """Free space (``DiskStatsService.dump``)."""
    total, free = DATA_KB, phone.storage.free_kb
    return (
        f"Latency: 0ms [512B Data Write]\nRecent Disk Write Speed (kB/s) = 48211\n"
        f"Data-Free: {free}K / {total}K total = {free * 100 // total}% free\n"
        f"Cache-Free: 91316K / 92288K total = 98% free\nSystem-Free: 6000K / 2500000K total = 0% free\n"
        "File-based Encryption: true\n"
    )


def state_dumps(phone: Phone) -> Mapping[str, Callable[[list[str]], str]]:
    """Return the dumps by service."""
    old = phone.profile.sdk <= KITKAT
    dumps: dict[str, Dump] = {
        "accessibility": accessibility,
        "alarm": alarm,
        "appops": dumpsys_apps.appops,
        "audio": audio,
        "batterystats": dumpsys_apps.batterystats,
        "bluetooth_manager": bluetooth_manager,
        "dbinfo": dumpsys_apps.dbinfo,
        "device_policy": device_policy,
        "diskstats": diskstats,
        "dreams": dreams,
        "gfxinfo": dumpsys_apps.gfxinfo,
        "jobscheduler": jobscheduler,
        "location": location,
        "lock_settings": lock_settings,
        "media_session": media_session,
        "mount": mount,
        "overlay": dumpsys_apps.overlay,
        "permission": dumpsys_apps.permission,
        "phone": phone_service,
        "procstats": dumpsys_apps.procstats,
        "role": roles.dump,
        "sensorservice": sensorservice,
        "settings": settings_provider,
        "shortcut": dumpsys_apps.shortcut,
        "statusbar": statusbar,
        "telecom": telecom,
        "telephony.registry": telephony_registry,
        "thermalservice": thermalservice,
        "trust": trust,
        "uimode": uimode,
        "usagestats": dumpsys_apps.usagestats,
        "user": user,
        "vibrator" if old else "vibrator_manager": vibrator,
        "wallpaper": wallpaper,
    }
    return {name: partial(dump, phone) for name, dump in dumps.items()}
