"""``dumpsys`` of the system server's smaller services, in the forms of AOSP's ``dump`` methods."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from functools import partial

from garabench.virtual.android.package_manager import InstalledApp, filters_of
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.system_processes import SYSTEM_SERVER_PID
from garabench.virtual.android.system_properties import system_properties
from garabench.virtual.commands import dumpsys_windows
from garabench.virtual.commands.volumes import STREAMS

Dump = Callable[[Phone, list[str]], str]
_WEBVIEW = "com.android.webview"
_CHINESE_ZONES = ("Asia/Shanghai", "Asia/Urumqi")


def _flag(value: bool) -> str:
    return str(value).lower()


def _running(phone: Phone) -> list[tuple[int, InstalledApp]]:
    """Return the apps that have a process, with its pid."""
    found = ((pid, phone.packages.get(name)) for pid, name in phone.processes.list())
    return [(pid, app) for pid, app in found if app is not None]


def account(phone: Phone, args: list[str]) -> str:
    """The accounts; nobody has signed in to the phone itself (``AccountManagerService.dump``)."""
    return (
        "User UserInfo{0:Owner:4c13}:\n  Accounts: 0\n\n  AccountId, Action_Type, timestamp, UID, "
        "TableName, Key"
        "\n  Accounts History\n\n  Active Sessions: 0\n\n  RegisteredServicesCache: 0 services\n\n"
        "  Account visibility:\n"
    )


def activity_task(phone: Phone, args: list[str]) -> str:
    """The tasks (``ActivityTaskManagerService.dump``), which ``dumpsys activity`` lists too."""
    return dumpsys_windows.activity(phone, args or ["activities"])


def adb(phone: Phone, args: list[str]) -> str:
    """Debugging over USB, and the accepted computers (``AdbService.dump``)."""
    on = phone.settings.get("global", "adb_enabled") == "1"
    wireless = phone.settings.get("global", "adb_wifi_enabled") == "1"
    return (
        "ADB MANAGER STATE (dumpsys adb):\n{\n  debugging_manager={\n    connected_to_adb=true\n"
        "    user_keys=\n    system_keys=\n    keystore=\n  }\n"
        f"  adb_enabled={_flag(on)}\n  adb_wifi_enabled={_flag(wireless)}\n}}\n"
    )


def appwidget(phone: Phone, args: list[str]) -> str:
    """The home screen's widgets: no app offers one (``AppWidgetServiceImpl.dump``)."""
    home = phone.packages.home()
    host = f"HostId{{user:0, app:10050, hostId:1024, pkg:{home.app.package if home else 'null'}}}"
    return f"Providers:\n \nWidgets:\n \nHosts:\n  [0] hostId={host}\n"


def autofill(phone: Phone, args: list[str]) -> str:
    """The chosen service for filling forms (``AutofillManagerService.dump``)."""
    service = phone.settings.get("secure", "autofill_service") or "null"
    return (
        "sDebug: false sVerbose: false\nDisabled users: {}\nMax sessions: 10\nmax partitions: 10\n"
        f"User Id: 0\n  Master: AutofillManagerService\n  Service: {service}\n  Disabled: "
        f"{_flag(service == 'null')}\n  Setup complete: true\n  No sessions\n"
    )


def backup(phone: Phone, args: list[str]) -> str:
    """Backups, which need an account (``UserBackupManagerService.dump``)."""
    on = phone.settings.get("secure", "backup_enabled") == "1"
    return (
        f"Backup Manager is {'enabled' if on else 'disabled'} / provisioned / not pending init\n"
        "Framework scheduling is enabled\nAuto-restore is enabled\nNo backups running\nLast backup pass "
        "started: "
        "0 (now = "
        f"{int(phone.clock.wall().timestamp() * 1000)})\n  next scheduled: 0\nTransport whitelist:\n"
        "Available transports:\nAncestral: 0\nCurrent:   0\nParticipants: 0\nEver backed up: 0\n"
        "Pending key/value backup: 0\nFull backup queue:0\n"
    )


def _sensor(kind: str) -> Dump:
    def dump(phone: Phone, args: list[str]) -> str:
        """A sensor that is not built in (``BiometricService.dump``, ``FingerprintService.dump``)."""
        locked = _flag(phone.keyguard.showing)
        if kind == "biometric":
            return f"Legacy Settings: false\nSensors:\n\nCurrentSession: null\nDevice locked: {locked}\n"
        return "Fingerprint providers: 0\n"

    return dump


def cacheinfo(phone: Phone, args: list[str]) -> str:
    """The caches of binder calls by process (``AppCacheInfo``)."""
    return "Application Cache Info\n" + "".join(
        f"\n** Cache info for pid {pid} [{each.app.package}] **\n" for pid, each in _running(phone)
    )


def color_display(phone: Phone, args: list[str]) -> str:
    """Night light and the colour filters (``ColorDisplayService.dumpInternal``)."""
    setting = partial(phone.settings.get, "secure")
    night = setting("night_display_activated") == "1"
    warmth = setting("night_display_color_temperature") or "2850"
    return (
        "COLOR DISPLAY MANAGER dumpsys (color_display)\nNight display:\n"
        f"    Activated: {_flag(night)}\n    Color temp: {warmth}\n"
        "Global saturation:\n    Not activated\nDisplay white balance:\n    Not supported\n"
        f"Color mode: {phone.settings.get('system', 'display_color_mode') or '0'}\n"
    )


def content(phone: Phone, args: list[str]) -> str:
    """Synchronisation of accounts, of which there are none (``SyncManager.dump``)."""
    auto = (phone.settings.get("global", "auto_sync") or "1") == "1"
    return (
        f"Data connected: {_flag(phone.network.online)}\nBattery saver: {_flag(phone.battery.saver)}\n"
        "Background network restriction: 1\n"
        f"Auto sync: u0={_flag(auto)}, \nMemory low: false\nDevice idle: "
        f"{_flag(phone.services.idle[0] == 'IDLE')}\nReported active: {_flag(phone.display.screen_on)}\n"
        f"Clock valid: true\nNow: {phone.clock.wall():%Y-%m-%d %H:%M:%S}\n\nPending Syncs: 0\n\n"
        "Active Syncs: 0\n\nSync Status\n\nSync Statistics\n\nRecent Sync History\n"
    )


def country_detector(phone: Phone, args: list[str]) -> str:
    """The country (``CountryDetectorService.dump``)."""
    country = "CN" if phone.clock.zone in _CHINESE_ZONES else "US"
    found = f"{{ISO={country}, Source=LOCALE, Time={phone.clock.uptime_ms}}}"
    return f"ComprehensiveCountryDetector: country= {found}\n"


def device_config(phone: Phone, args: list[str]) -> str:
    """The flags that the shell has set (``DeviceConfigService.dump``)."""
    rows = "".join(f"  {name}={value}\n" for name, value in sorted(phone.services.flags.items()))
    return f"device_config service state:\n{rows}"


def device_state(phone: Phone, args: list[str]) -> str:
    """The phone does not fold (``DeviceStateManagerService.dumpInternal``)."""
    state = "DeviceState{identifier=0, name='DEFAULT'}"
    return (
        f"DEVICE STATE MANAGER (dumpsys device_state)\n  mCommittedState=Optional[{state}]\n"
        "  mPendingState=Optional.empty\n"
        f"  mBaseState=Optional[{state}]\n  mOverrideState=Optional.empty\n\nProcesses: size=1\n"
        f"  0: mPid={SYSTEM_SERVER_PID}\n\n"
    )


def domain_verification(phone: Phone, args: list[str]) -> str:
    """The web domains of apps (``DomainVerificationDebug.printState``)."""
    parts = ["Domain verification state for all packages:\n"]
    for each in phone.packages.all():
        domains = {
            host.host: entry.verified
            for name in each.app.activities
            for entry in filters_of(each.app, name)
            if {"http", "https"} & set(entry.schemes)
            for host in entry.authorities
        }
        rows = "".join(
            f"      {name}: {'verified' if on else 'none'}\n" for name, on in sorted(domains.items())
        )
        if rows:
            parts.append(f"  {each.app.package}:\n    Domain verification state:\n{rows}")
    return "".join(parts)


def _crashes(phone: Phone) -> list[tuple[dt.datetime, str]]:
    """Return the time and text of each crash, whose lines are entries of the log."""
    found: list[tuple[dt.datetime, str]] = []
    for entry in phone.logcat.read():
        if entry.buffer != "crash":
            continue
        if entry.message.startswith("FATAL EXCEPTION") or not found:
            found.append((entry.time, entry.message))
        else:
            found[-1] = (found[-1][0], f"{found[-1][1]}\n{entry.message}")
    return found


def dropbox(phone: Phone, args: list[str]) -> str:
    """What the system reports to its makers: boots and crashes (``DropBoxManagerService.dump``)."""
    found: list[tuple[dt.datetime, str, str]] = [
        (phone.clock.boot_wall(), "SYSTEM_BOOT", f"Build: {_property(phone, 'ro.build.fingerprint')}")
    ]
    for when, text in _crashes(phone):
        name = text.partition("Process: ")[2].partition(",")[0]
        app = phone.packages.get(name)
        found.append((when, f"{'system' if app and app.app.system else 'data'}_app_crash", text))
    wanted = [arg for arg in args if not arg.startswith("-")]
    shown = [each for each in found if not wanted or each[1] in wanted]
    parts = [
        f"Drop box contents: {len(found)} entries\nMax entries: 1000\nLow priority rate limit period: "
        "2000 ms\n"
        "Low priority tags: {data_app_wtf, keymaster, system_server_wtf, system_app_strictmode, "
        "data_app_strictmode}\n"
    ]
    if wanted:
        parts.append(f"Searching for: {' '.join(wanted)}\n")
    for when, kind, text in shown:
        first = text.replace("\n", "/")
        body = (
            "".join(f"    {line}\n" for line in text.split("\n")) if "-p" in args or "--print" in args else ""
        )
        brief = body or f"    {first[:70]}{' ...' if len(first) > 70 else ''}\n"
        size = len(text.encode())
        parts.append(f"\n{when:%Y-%m-%d %H:%M:%S} {kind} (text, {size} bytes)\n{brief}")
    if not shown:
        parts.append("(No entries found.)\n")
    return "".join(parts)


def _property(phone: Phone, name: str) -> str:
    return system_properties(phone).get(name, "")


def gpu(phone: Phone, args: list[str]) -> str:
    """The apps that draw (``GpuService::doDump``)."""
    rows = "".join(
        f"appPackageName = {each.app.package}\ndriverVersionCode = 1\nglDriverLoadingTime: 12000000\n\n"
        for _, each in _running(phone)
    )
    return (
        "driverPackageName = system\ndriverVersionName = 0\ndriverVersionCode = 0\ndriverBuildTime = 0\n"
        f"glLoadingCount = 2\nglLoadingFailureCount = 0\nvkLoadingCount = 0\n\n{rows}"
    )


def graphicsstats(phone: Phone, args: list[str]) -> str:
    """The frames of each app; each change of the screen is a frame (``GraphicsStatsService.dump``)."""
    since = phone.services.frames_since
    return "".join(
        f"Package: {each.app.package}\nVersion: {each.app.version_code}\nStats since: 0ns\n"
        f"Total frames rendered: "
        f"{max(0, phone.version - since.get(each.app.package, 0))}\n\n"
        for _, each in _running(phone)
    )


def hardware_properties(phone: Phone, args: list[str]) -> str:
    """Temperatures of the hardware (``HardwarePropertiesManagerService.dump``)."""
    degrees = phone.battery.temperature / 10
    return (
        "****** Dump of HardwarePropertiesManagerService ******\n"
        f"Caller: android[1000]\nCPU temperatures: [{degrees + 8:.1f}]\nCPU throttling temperatures: [95.0]\n"
        "CPU shutdown temperatures: [110.0]\nCPU vr throttling temperatures: []\n"
        f"GPU temperatures: [{degrees + 7:.1f}]\nBattery temperatures: [{degrees:.1f}]\nSkin temperatures: "
        f"[{degrees + 5:.1f}]\n"
        "Fan speed: []\nCpu usage of core: 0, active = 0, total = 0\n"
        "****** End of HardwarePropertiesManagerService dump ******\n"
    )


def launcherapps(phone: Phone, args: list[str]) -> str:
    """The launcher's sessions (``LauncherAppsService.dump``); Android dumps only their callbacks."""
    home = phone.packages.home()
    return f"Package callbacks:\n  {home.app.package if home else 'null'}\n"


def lights(phone: Phone, args: list[str]) -> str:
    """The brightness of the screen's light (``LightsService.dump``)."""
    level = phone.settings.get("system", "screen_brightness") or "102"
    level = level if phone.display.screen_on and level.isdecimal() else "0"
    return (
        "Service: aidl (default)\nLights:\n  Light id=0 ordinal=0 color=ff"
        f"{int(level) & 0xFF:02x}{int(level) & 0xFF:02x}{int(level) & 0xFF:02x}\nSession clients:\n"
    )


def locale(phone: Phone, args: list[str]) -> str:
    """The languages of apps that the user chose (``LocaleManagerService``)."""
    rows = "".join(
        f"  {each.app.package}: [{each.locales}]\n" for each in phone.packages.all() if each.locales
    )
    return f"LocaleManagerService:\n{rows}"


def media_audio_flinger(phone: Phone, args: list[str]) -> str:
    """The outputs of sound, all silent (``AudioFlinger::dump``)."""
    rows = "".join(f"{stream.name:<20} {stream.read(phone.settings)}\n" for stream in STREAMS)
    return (
        "Notification Clients:\n   pid    uid  name\n  "
        f"{SYSTEM_SERVER_PID}   1000  android\nGlobal session refs:\n  session  cnt     pid    uid  name\n"
        "Hardware status: 0\nStandby Time mSec: 3000\nStream volumes (index):\n"
        f"{rows}\nOutput thread 0x7c2400, name AudioOut_D, tid 1105, type 0 (MIXER):\n  Standby: yes\n"
        "  Sample rate: 48000 Hz\n  HAL frame count: 480\n  HAL format: 0x1 (AUDIO_FORMAT_PCM_16_BIT)\n"
        "  Output devices: 0x2 (AUDIO_DEVICE_OUT_SPEAKER)\n  0 Tracks\n  0 Effect Chains\n"
    )


def media_camera(phone: Phone, args: list[str]) -> str:
    """The cameras (``CameraService::dump``)."""
    top = phone.activities.resumed
    used = top is not None and top.app.package == "com.android.camera2"
    return (
        "== Service global info: ==\n\nNumber of camera devices: 1\nNumber of normal camera devices: 1\n"
        "Active Camera Clients:\n"
        + ("[\n(Camera ID: 0, Package: com.android.camera2)\n]\n" if used else "[]\n")
        + "Allowed user IDs: 0\n\n== Camera service events log (most recent at top): ==\n"
    )


def media_router(phone: Phone, args: list[str]) -> str:
    """Where sound and pictures go: to the phone itself (``MediaRouterService.dump``)."""
    return (
        "MEDIA ROUTER SERVICE (dumpsys media_router)\n\nGlobal state\n  mCurrentUserId=0\n\nUser 0\n"
        "  <no clients>\n  mSelectedRouteId=DEFAULT_ROUTE\n"
    )


def permissionmgr(phone: Phone, args: list[str]) -> str:
    """The granted runtime permissions (``PermissionManagerServiceImpl``'s part of the package dump)."""
    return "Runtime permissions:\n" + "".join(
        f"  Package [{each.app.package}] user 0:\n"
        + "".join(f"    {name}: granted=true\n" for name in sorted(each.granted))
        for each in phone.packages.all()
        if each.granted
    )


def pinner(phone: Phone, args: list[str]) -> str:
    """The files held in memory: the home screen's and the camera's (``PinnerService.dump``)."""
    home = phone.packages.home()
    found = phone.packages.get(home.app.package) if home else None
    path = phone.packages.path_of(found) if found else ""
    rows = f"  {path} 8388608\n" if path else ""
    return f"Pinned Files:\nTotal size: {8388608 if path else 0}\n{rows}\n"


def search(phone: Phone, args: list[str]) -> str:
    """The activities that search (``SearchManagerService.dump``)."""
    names = [
        f"{each.app.package}/{name}"
        for each in phone.packages.all()
        for name in each.app.activities
        if "search" in name.lower()
    ]
    return "Searchables for user 0\n" + "".join(f"  {name}\n" for name in names)


def sensor_privacy(phone: Phone, args: list[str]) -> str:
    """Whether microphone and camera are blocked for all apps (``SensorPrivacyService.dump``)."""
    return (
        f"Is Enabled: {_flag(phone.settings.get('secure', 'sensor_privacy') == '1')}\nUser 0\n"
        "  Sensor 1: state=disabled\n  Sensor 2: state=disabled\n"
    )


def storaged(phone: Phone, args: list[str]) -> str:
    """The bytes that apps wrote (``storaged::dump``)."""
    rows = "".join(f"{each.app.package} 0 0 0 0 0 0 0 0 0 0\n" for _, each in _running(phone))
    wall = int(phone.clock.wall().timestamp())
    return f"{wall - phone.clock.uptime_ms // 1000},{wall}\n{rows}"


def textservices(phone: Phone, args: list[str]) -> str:
    """The spell checker (``TextServicesManagerService.dump``)."""
    on = (phone.settings.get("secure", "spell_checker_enabled") or "1") == "1"
    chosen = phone.settings.get("secure", "selected_spell_checker") or "null"
    return (
        "User #0\n  Current Text Services Manager state:\n  Spell Checkers:\n  Spell Checker Bind Groups:\n"
        f"  mUserId=0\n  mSpellCheckerMapUpdateCount=1\n  Settings: spellCheckerEnabled={_flag(on)} "
        f"selectedSpellChecker={chosen}\n"
    )


def time_detector(phone: Phone, args: list[str]) -> str:
    """How the clock is set (``TimeDetectorService.dump``)."""
    auto = (phone.settings.get("global", "auto_time") or "1") == "1"
    return (
        "TimeDetectorStrategy:\n  mLastAutoSystemClockTimeSet=null\n  mCurrentConfigurationInternal="
        f"ConfigurationInternal{{mAutoDetectionSupported=true, mAutoDetectionEnabledSetting={_flag(auto)}, "
        f"mUserId=0, mUserConfigAllowed=true}}\n  "
        f"[Capabilities=TimeCapabilities{{mUserHandle=UserHandle{{0}}}}]\n"
        f"  elapsedRealtimeMillis()={phone.clock.uptime_ms}\n"
        f"  currentTimeMillis()={int(phone.clock.wall().timestamp() * 1000)}\n"
        "  Time change log:\n"
    )


def time_zone_detector(phone: Phone, args: list[str]) -> str:
    """How the time zone is set (``TimeZoneDetectorService.dump``)."""
    auto = (phone.settings.get("global", "auto_time_zone") or "1") == "1"
    return (
        "TimeZoneDetectorStrategy:\n  mCurrentConfigurationInternal=ConfigurationInternal{mUserId=0, "
        f"mAutoDetectionEnabledSetting={_flag(auto)}}}\n"
        f"  mEnvironment.getDeviceTimeZone()={phone.clock.zone}\n  Time zone change log:\n"
    )


def usb(phone: Phone, args: list[str]) -> str:
    """The cable and what it carries (``UsbService.dump``)."""
    plugged = phone.battery.plugged
    functions = _property(phone, "sys.usb.config") or "adb"
    mask = " ".join(name.upper() for name in functions.split(",") if name != "none")
    return (
        "USB MANAGER STATE (dumpsys usb):\n{\n  device_manager={\n    handler={\n"
        f"      current_functions=[\n        {mask}\n      ]\n      current_functions_applied=true\n"
        f"      screen_locked={_flag(phone.keyguard.showing)}\n      connected={_flag(plugged)}\n"
        f"      configured={_flag(plugged)}\n      host_connected=false\n      source_power=false\n"
        f"      sink_power={_flag(plugged)}\n      usb_charging={_flag(plugged)}\n    }}\n  }}\n"
        "  host_manager={\n    num_connects=0\n  }\n  port_manager={\n    is_simulation_active=false\n  "
        "}\n}\n"
    )


def voiceinteraction(phone: Phone, args: list[str]) -> str:
    """The assistant (``VoiceInteractionManagerService.dump``)."""
    chosen = phone.settings.get("secure", "voice_interaction_service") or "null"
    return (
        "VOICE INTERACTION MANAGER (dumpsys voiceinteraction)\n  mEnableService: true\n"
        f"  mTemporarilyDisabled: false\n  mCurUser: 0\n  mCurUserSupported: true\n"
        f"  mCurVoiceInteractionService: {chosen}\n  (No active implementation)\n"
    )


def webviewupdate(phone: Phone, args: list[str]) -> str:
    """The package that draws web pages in apps (``WebViewUpdateServiceImpl2.dumpState``)."""
    found = phone.packages.get(_WEBVIEW)
    if found is None:
        return "Current WebView Update Service state\n  Current WebView package is null\n"
    name = f"({_WEBVIEW}, {found.app.version_name})"
    return (
        f"Current WebView Update Service state\n  Multiprocess enabled: true\n  Current WebView package "
        "(name, "
        f"version): {name}\n  Minimum targetSdkVersion: {phone.profile.sdk}\n"
        f"  Minimum WebView version code: {found.app.version_code}\n  Number of relros started: 2\n"
        "  Number of relros finished: 2\n  WebView package dirty: false\n  Any WebView package "
        "installed: true\n"
        f"  Preferred WebView package (name, version): {name}\n  WebView packages:\n"
        f"    Valid package {_WEBVIEW} (versionName: {found.app.version_name}, versionCode: "
        f"{found.app.version_code}, targetSdkVersion: {phone.profile.sdk}) is  installed/enabled for "
        "all users\n"
    )


def wificond(phone: Phone, args: list[str]) -> str:
    """The interfaces of the Wi-Fi's driver (``Server::dump``)."""
    names = "wlan0" if phone.network.wifi else ""
    return (
        "Current wiphy index: 0\nCached interfaces list from kernel message: \n"
        + (
            f"Interface index: 4, name: {names}, wiphy index: 0, mac address: 02:00:00:00:00:00\n"
            if names
            else ""
        )
        + "Interface set up by the device: \n"
    )


def dumps(phone: Phone) -> Mapping[str, Callable[[list[str]], str]]:
    """Return the dumps by service."""
    each: dict[str, Dump] = {
        "account": account,
        "activity_task": activity_task,
        "adb": adb,
        "appwidget": appwidget,
        "autofill": autofill,
        "backup": backup,
        "biometric": _sensor("biometric"),
        "cacheinfo": cacheinfo,
        "color_display": color_display,
        "content": content,
        "country_detector": country_detector,
        "device_config": device_config,
        "device_state": device_state,
        "domain_verification": domain_verification,
        "dropbox": dropbox,
        "fingerprint": _sensor("fingerprint"),
        "gpu": gpu,
        "graphicsstats": graphicsstats,
        "hardware_properties": hardware_properties,
        "launcherapps": launcherapps,
        "lights": lights,
        "locale": locale,
        "media.audio_flinger": media_audio_flinger,
        "media.camera": media_camera,
        "media_router": media_router,
        "permissionmgr": permissionmgr,
        "pinner": pinner,
        "search": search,
        "sensor_privacy": sensor_privacy,
        "storaged": storaged,
        "textservices": textservices,
        "time_detector": time_detector,
        "time_zone_detector": time_zone_detector,
        "usb": usb,
        "voiceinteraction": voiceinteraction,
        "webviewupdate": webviewupdate,
        "wifinl80211": wificond,
    }
    return {name: partial(dump, phone) for name, dump in each.items()}
