"""The lines that a running Android writes whether or not anyone uses it.

They are a boot's log and, in real time, a few lines each second about memory, battery, Wi-Fi and the like.
Their texts follow AOSP's ``SystemServer``, ``SystemServiceManager``, ``init`` and ``Heap::LogGC``.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from garabench.core.clock import SystemClock
from garabench.core.seeds import generator
from garabench.virtual.android.log_buffer import DEFAULT_SIZE, ENTRY_OVERHEAD, ChatterLine
from garabench.virtual.android.package_manager import PackageManager
from garabench.virtual.android.system_processes import SYSTEM_SERVER_PID, system_processes

_REAL_TIME = SystemClock()
_PER_SECOND = 2
_MOST_AT_ONCE = 1_000
"""Number of lines that are written after a long time without a reader."""
_BOOT_MS = 28_000
_ART_SDK = 24
_FULL_MAIN_SDK = 19
"""The main buffer of a real Android 4.4.2 was full soon after its boot."""
_SERVICES = """
os.DeviceIdentifiersPolicyService am.ActivityManagerService power.PowerManagerService
power.ThermalManagerService lights.LightsService display.DisplayManagerService pm.UserManagerService
om.OverlayManagerService SensorPrivacyService attention.AttentionService BatteryService
usage.UsageStatsService webkit.WebViewUpdateService CachedDeviceStateService BinderCallsStatsService
LooperStatsService rollback.RollbackManagerService BluetoothService input.InputManagerService
wm.WindowManagerService inputmethod.InputMethodManagerService accessibility.AccessibilityManagerService
StorageManagerService storage.StorageStatsService UiModeManagerService locksettings.LockSettingsService
DeviceIdleController app.GameManagerService devicepolicy.DevicePolicyManagerService
statusbar.StatusBarManagerService ClipboardService net.NetworkStatsService
net.NetworkPolicyManagerService ConnectivityService VpnManagerService
notification.NotificationManagerService storage.DeviceStorageMonitorService LocationManagerService
wallpaper.WallpaperManagerService audio.AudioService SystemServerInitThreadPool midi.MidiService
usb.UsbService SerialService twilight.TwilightService job.JobSchedulerService DockObserver
soundtrigger.SoundTriggerService trust.TrustManagerService backup.BackupManagerService
appwidget.AppWidgetService voiceinteraction.VoiceInteractionManagerService GestureLauncherService
SensorNotificationService emergency.EmergencyAffordanceService dreams.DreamManagerService
print.PrintManagerService media.MediaSessionService restrictions.RestrictionsManagerService
search.SearchManagerService pm.LauncherAppsService pm.ShortcutService MmsServiceBroker
autofill.AutofillManagerService slice.SliceManagerService incident.IncidentCompanionService
"""
_NATIVE_STARTS = """
ueventd logd lmkd servicemanager hwservicemanager vold apexd keystore2 netd statsd zygote
zygote_secondary audioserver surfaceflinger cameraserver drm installd media gatekeeperd adbd wificond
wpa_supplicant traced traced_probes bootanim
"""
_COLLECTING = ("system_server", "com.android.systemui", "com.android.phone")
"""Processes that report garbage collections."""
_PHASES = (100, 200, 480, 500, 520, 550, 600, 1000)
_FEEDS = ("feed", "sensors", "wifi", "gc", "battery", "events", "radio")


class SystemChatter:
    """The chatter of a phone; its texts depend on the seed, and how much there is on real time.

    Attributes:
        tags: The tags of all its lines.
    """

    def __init__(
        self,
        seed: int,
        sdk: int,
        packages: PackageManager,
        *,
        monotonic: Callable[[], float] = _REAL_TIME.monotonic,
    ) -> None:
        """Create the chatter.

        Args:
            seed: Seed of the phone.
            sdk: API level of the phone.
            packages: Its installed apps, which a boot scans.
            monotonic: Returns the real time in seconds.
        """
        self._seed = seed
        self._sdk = sdk
        self._packages = packages
        self._monotonic = monotonic
        self._processes = {each.name: each.pid for each in system_processes(sdk)}
        self.restart()
        lines = [*self._boot_lines(), *(self._line(number) for number in range(len(_FEEDS)))]
        self.tags = frozenset({*(line.tag for line in lines), *(name[-15:] for name in _COLLECTING)})

    def restart(self) -> None:
        """Count the lines after a boot from now on."""
        self._origin = self._monotonic()
        self._written = 0

    def boot(self) -> Sequence[ChatterLine]:
        """Return the lines of a boot."""
        lines = list(self._boot_lines())
        if self._sdk <= _FULL_MAIN_SDK:
            lines = [each for each in lines if each.buffer != "main"] + list(self._filling_lines())
        gap = _BOOT_MS / len(lines)
        return [
            ChatterLine(
                each.buffer, each.level, each.tag, each.message, each.pid, int(_BOOT_MS - number * gap)
            )
            for number, each in enumerate(lines)
        ]

    def due(self) -> Sequence[ChatterLine]:
        """Return the lines of the real time that has passed since the last call."""
        total = int((self._monotonic() - self._origin) * _PER_SECOND)
        first = max(self._written, total - _MOST_AT_ONCE)
        self._written = max(self._written, total)
        return [self._line(number) for number in range(first, total)]

    def _boot_lines(self) -> Iterator[ChatterLine]:
        rng, pid = generator(self._seed, "boot log"), SYSTEM_SERVER_PID
        for name in _NATIVE_STARTS.split():
            yield ChatterLine("main", "I", "init", f"starting service '{name}'...", 1)
            yield ChatterLine("main", "I", "libprocessgroup", f"Created cgroup for {name}", 1)
        zygote = self._processes.get("zygote64", self._processes["zygote"])
        yield ChatterLine("main", "D", "Zygote", "begin preload", zygote)
        yield ChatterLine("main", "I", "Zygote", f"...preloaded {rng.randint(14000, 16000)} classes", zygote)
        yield ChatterLine("events", "I", "boot_progress_start", str(rng.randint(3000, 4000)), zygote)
        flinger = self._processes["surfaceflinger"]
        yield ChatterLine("main", "I", "SurfaceFlinger", "SurfaceFlinger is starting", flinger)
        yield ChatterLine("main", "I", "SurfaceFlinger", "Boot is finished", flinger)
        yield ChatterLine("events", "I", "boot_progress_system_run", str(rng.randint(5000, 6000)), pid)
        for name in _SERVICES.split():
            short = name.rpartition(".")[2]
            yield ChatterLine(
                "system", "I", "SystemServiceManager", f"Starting com.android.server.{name}", pid
            )
            took = f"{short} took to complete: {rng.randint(1, 90)}ms"
            yield ChatterLine("system", "D", "SystemServerTiming", took, pid)
        yield ChatterLine("events", "I", "boot_progress_pms_start", str(rng.randint(6000, 7000)), pid)
        for installed in self._packages.all():
            path = self._packages.path_of(installed)
            yield ChatterLine(
                "system", "I", "PackageManagerTiming", f"scan {path}: {rng.randint(2, 40)}ms", pid
            )
            text = f"grantPermissions {installed.app.package} uid={installed.uid}"
            yield ChatterLine("system", "D", "PermissionManager", text, pid)
        yield ChatterLine("events", "I", "boot_progress_pms_ready", str(rng.randint(8000, 9000)), pid)
        for phase in _PHASES:
            yield ChatterLine("system", "I", "SystemServiceManager", f"Starting phase {phase}", pid)
        yield ChatterLine("system", "I", "SystemServer", "Making services ready", pid)
        for name, number in self._processes.items():
            if name.startswith("com.android."):
                yield from self._process_lines(rng, name, number)
        for feed in range(3):
            yield ChatterLine("radio", "D", "RILJ", f"[000{feed}]> RADIO_POWER on = true", pid)
        yield ChatterLine("events", "I", "boot_progress_enable_screen", str(rng.randint(9000, 12000)), pid)
        yield ChatterLine("system", "I", "SystemServer", "System now ready", pid)

    def _filling_lines(self) -> Iterator[ChatterLine]:
        """Yield lines that fill the main buffer, and have displaced those of the boot from it."""
        rng, size = generator(self._seed, "full log"), 0
        while size <= DEFAULT_SIZE:
            name = rng.choice(_COLLECTING)
            line = self._gc(rng, name, self._processes[name])
            size += ENTRY_OVERHEAD + len(line.tag) + len(line.message)
            yield line

    def _process_lines(self, rng: random.Random, name: str, pid: int) -> Iterator[ChatterLine]:
        yield ChatterLine(
            "events",
            "I",
            "am_proc_start",
            f"[0,{pid},1000,{name},added application,{name}]",
            SYSTEM_SERVER_PID,
        )
        yield ChatterLine("main", "I", name[-15:], "Late-enabling -Xcheck:jni", pid)
        yield ChatterLine("main", "D", "nativeloader", f"Configuring clns-4 for other apk of {name}", pid)
        yield self._gc(rng, name, pid)

    def _line(self, number: int) -> ChatterLine:
        rng, feed = generator(self._seed, "log", number), _FEEDS[number % len(_FEEDS)]
        pid = SYSTEM_SERVER_PID
        match feed:
            case "sensors":
                text = f"Light sensor: {rng.randint(80, 140)} lux"
                return ChatterLine("main", "D", "SensorService", text, pid)
            case "wifi":
                text = f"rssi=-{rng.randint(48, 60)} f=5180 sc=60 link=433 tx={rng.randint(1, 30)}.0"
                return ChatterLine("main", "D", "WifiClientModeImpl", text, pid)
            case "gc":
                name = rng.choice(_COLLECTING)
                return self._gc(rng, name, self._processes[name])
            case "battery":
                text = "battery l=85 v=4200 t=28.0 h=2 st=2 c=-900000 fc=3000000 cc=12 chg=a"
                return ChatterLine("main", "W", "healthd", text, 1)
            case "events":
                text = f"[1000,{rng.randint(900, 4000)},com.android.systemui,{rng.randint(1, 90)}]"
                return ChatterLine("events", "I", "binder_sample", text, pid)
            case "radio":
                text = f"signalStrength level={rng.randint(3, 4)}"
                return ChatterLine("radio", "D", "SST", text, self._processes["com.android.phone"])
        text = f"updateTickle: {number} pending jobs={rng.randint(0, 4)}"
        return ChatterLine("system", "D", "JobScheduler", text, pid)

    def _gc(self, rng: random.Random, name: str, pid: int) -> ChatterLine:
        """Return a garbage collection of ART, or of Dalvik in Android 4.4."""
        freed, size = rng.randint(4_000, 40_000), rng.randint(600, 2_000)
        if self._sdk < _ART_SDK:
            text = (
                f"GC_CONCURRENT freed {size}K, {rng.randint(5, 20)}% free 9042K/9923K, "
                "paused 2ms+3ms, total 29ms"
            )
            return ChatterLine("main", "D", "dalvikvm", text, pid)
        text = (
            f"Background concurrent copying GC freed {freed}({size}KB) AllocSpace objects, "
            f"{rng.randint(0, 9)}({rng.randint(0, 300)}KB) LOS objects, 49% free, {rng.randint(5, 24)}MB/"
            f"{rng.randint(25, 48)}MB, paused {rng.randint(30, 120)}us,{rng.randint(20, 60)}us "
            f"total {rng.randint(60, 180)}.{rng.randint(100, 999)}ms"
        )
        return ChatterLine("main", "I", name[-15:], text, pid)
