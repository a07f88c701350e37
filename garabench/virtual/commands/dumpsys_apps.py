"""``dumpsys`` of the services that know each app: frames, power, usage, operations, overlays, shortcuts."""

from __future__ import annotations

import re

from garabench.virtual.android.package_manager import DANGEROUS
from garabench.virtual.android.phone import Phone
from garabench.virtual.ui.scene import PlacedWindow

OVERLAYS = (
    "com.android.internal.display.cutout.emulation.corner",
    "com.android.internal.display.cutout.emulation.double",
    "com.android.internal.display.cutout.emulation.tall",
    "com.android.internal.systemui.navbar.gestural",
    "com.android.internal.systemui.navbar.threebutton",
    "com.android.theme.font.notoserifsource",
)
"""The overlays of AOSP's ``packages/overlays``, all of the framework's resources."""
_CUTOUT = "com.android.internal.display_cutout_emulation"
_NAVIGATION = "com.android.internal.navigation_bar_mode"
_CATEGORIES = {
    **{
        f"com.android.internal.display.cutout.emulation.{name}": _CUTOUT
        for name in ("corner", "double", "tall")
    },
    **{f"com.android.internal.systemui.navbar.{name}": _NAVIGATION for name in ("gestural", "threebutton")},
    "com.android.theme.font.notoserifsource": "android.theme.customization.font",
}
OVERLAY_TARGET = "android"
_ENABLED = frozenset({"com.android.internal.systemui.navbar.threebutton"})
_RESUMED = re.compile(r"\[\d+,(?P<activity>[\w.$]+),")
_FRAME_MS = ((5, 80), (6, 12), (8, 5), (16, 2), (32, 1))
"""A frame's durations with their share in percent."""
_VSYNC_NS = 16_666_667


def enable_exclusively(phone: Phone, name: str, *, within_category: bool) -> None:
    """Enable an overlay, and disable the others of its target, or only those of its category."""
    for other in OVERLAYS:
        if not within_category or _CATEGORIES[other] == _CATEGORIES[name]:
            phone.services.overlays[other] = other == name


def is_overlay_enabled(phone: Phone, name: str) -> bool:
    """Return whether an overlay is enabled."""
    return phone.services.overlays.get(name, name in _ENABLED)


def _process(phone: Phone, args: list[str]) -> tuple[list[tuple[int, str]], str]:
    """Return the processes that arguments name, or all; and the name that no process has."""
    names = [arg for arg in args if not arg.startswith("-") and arg not in ("reset", "framestats")]
    found = [
        (pid, name) for pid, name in phone.processes.list() if not names or name in names or str(pid) in names
    ]
    return found, names[0] if names and not found else ""


def gfxinfo(phone: Phone, args: list[str]) -> str:
    """Frames by process; each change of the screen is a frame (``GraphicsBinder``, ``JankTracker``)."""
    processes, missing = _process(phone, args)
    if missing:
        return f"No process found for: {missing}\n"
    now = phone.clock.now_ms()
    parts = [f"Applications Graphics Acceleration Info:\nUptime: {now} Realtime: {now}\n\n"]
    for pid, name in processes:
        since = phone.services.frames_since.get(name, 0)
        parts.append(
            _frames(phone, pid, name, max(0, phone.version - since), framestats="framestats" in args)
        )
        if "reset" in args:
            phone.services.frames_since[name] = phone.version
    return "".join(parts)


def _frames(phone: Phone, pid: int, name: str, count: int, *, framestats: bool) -> str:
    janky = count // 50
    share = janky * 100 / count if count else 0.0
    slow = dict(_FRAME_MS[1:])
    counts = {ms: count * part // 100 for ms, part in slow.items()}
    counts = {5: count - sum(counts.values()), **counts}
    histogram = " ".join(f"{ms}ms={number}" for ms, number in counts.items())
    times = dict(zip((50, 90, 95, 99), (5, 6, 8, 16) if count else (4950,) * 4, strict=True))
    percentiles = "".join(f"{rank}th percentile: {ms}ms\n" for rank, ms in times.items())
    windows = [window for window in phone.scene().windows if window.package == name]
    views = "".join(
        f"\n  {window.title}/android.view.ViewRootImpl@{pid:x}\n"
        f"  {_views(window)} views, 120.00 kB of render nodes\n"
        for window in windows
    )
    data = ""
    if framestats:
        head = "Flags,FrameTimelineVsyncId,IntendedVsync,Vsync,InputEventId,HandleInputStart,AnimationStart,"
        head += "PerformTraversalsStart,DrawStart,FrameDeadline,FrameInterval,FrameStartTime,SyncQueued,"
        head += "SyncStart,"
        head += "IssueDrawCommandsStart,SwapBuffers,FrameCompleted,DequeueBufferDuration,QueueBufferDuration,"
        head += "GpuCompleted,SwapBuffersCompleted,DisplayPresentTime,CommandSubmissionCompleted,\n"
        data = f"---PROFILEDATA---\n{head}{_frame_rows(phone, min(count, 120))}---PROFILEDATA---\n\n"
    total = sum(_views(window) for window in windows)
    return (
        f"\n** Graphics info for pid {pid} [{name}] **\n\nStats since: {phone.clock.now_ms() * 10**6}ns\n"
        f"Total frames rendered: {count}\nJanky frames: {janky} ({share:.2f}%)\n"
        f"Janky frames (legacy): {janky} ({share:.2f}%)\n{percentiles}Number Missed Vsync: 0\n"
        f"Number High input latency: 0\nNumber Slow UI thread: {janky}\nNumber Slow bitmap uploads: 0\n"
        f"Number Slow issue draw commands: 0\nNumber Frame deadline missed: {janky}\n"
        f"Number Frame deadline missed (legacy): {janky}\nHISTOGRAM: {histogram}\n"
        f"Font Cache (CPU):\n  Size: 512.00 kB\n  Glyph Count: 120\n"
        f"Pipeline=Skia (OpenGL)\n\nProfile data in ms:\n\n{data}View hierarchy:\n{views}\n\n"
        f"Total {'ViewRootImpl':<12} : {len(windows)}\nTotal attached Views : {total}\n"
        f"Total RenderNode     : 120.00 kB (used) / 240.00 kB (capacity)\n\n"
    )


def _views(window: PlacedWindow) -> int:
    return sum(1 for _ in window.root.walk())


def _frame_rows(phone: Phone, count: int) -> str:
    """Return the last frames, one each 16.7 ms; each is done after 5 ms."""
    end, rows = phone.clock.now_ms() * 10**6, []
    for number in range(count):
        start = end - (count - number) * _VSYNC_NS
        at = [start + step for step in (200_000, 300_000, 400_000, 900_000)]
        late = [start + step for step in (1_500_000, 1_600_000, 2_000_000, 4_000_000, 5_000_000)]
        values = [0, number, start, start, 0, *at, start + _VSYNC_NS, _VSYNC_NS, start, *late]
        values += [100_000, 150_000, late[-1], late[-1], start + _VSYNC_NS, late[-1] - 500_000]
        rows.append(",".join(map(str, values)) + ",\n")
    return "".join(rows)


def batterystats(phone: Phone, args: list[str]) -> str:
    """The statistics of power (``BatteryStats.dumpLocked``)."""
    battery, wall = phone.battery, phone.clock.boot_wall()
    if "--reset" in args:
        return "Battery stats and history reset.\n"
    if "--write" in args:
        return "Battery stats written.\n"
    if "--enable" in args or "--disable" in args:
        options = [arg for arg in args if arg in ("full-wake-history", "no-auto-reset", "pretend-screen-off")]
        if not options:
            return "Unknown enable/disable option: null\n"
        return f"{'Enabled' if '--enable' in args else 'Disabled'}: {options[0]}\n"
    names = [arg for arg in args if not arg.startswith("-")]
    unknown = [name for name in names if phone.packages.get(name) is None]
    if unknown:
        return f"Unknown package: {unknown[0]}\n"
    uptime = phone.clock.uptime_ms
    apps = [each for each in phone.packages.all() if not names or each.app.package in names]
    if "-c" in args or "--checkin" in args:
        rows = "".join(f"9,0,i,uid,{each.uid},{each.app.package}\n" for each in apps)
        return (
            f"9,0,i,vers,36,216,{phone.profile.product},{phone.profile.product}\n"
            f"{rows}9,0,l,bt,0,0,0,{uptime},{uptime},{int(wall.timestamp() * 1000)}"
            ",0,0,4000,4000000,4000000,0\n"
        )
    status = "charging" if battery.plugged else "discharging"
    users = "".join(
        f"  u0a{each.uid - 10_000}:\n    Foreground activities: 0ms realtime (0 times)\n"
        f"    Total running: {uptime}ms\n    Proc {each.app.package}:\n"
        "      CPU: 0ms usr + 0ms krn ; 0ms fg\n"
        for each in apps
        if phone.processes.pidof(each.app.package) is not None
    )
    return (
        "Battery History (0% used, 1112 used of 4096KB, 12 strings using 812):\n"
        f"                    0 (10) RESET:TIME: {wall:%Y-%m-%d-%H-%M-%S}-000\n"
        f"                    0 (1) {battery.level:03} c0000000 status={status} health=good "
        f"plug={'ac' if battery.plugged else 'none'} temp={battery.temperature} volt=4200 charge=3400 "
        "+running\n"
        "\nPer-PID Stats:\n\nStatistics since last charge:\n  System starts: 0, currently on battery: "
        f"{str(not battery.plugged).lower()}\n  Estimated battery capacity: 4000 mAh\n"
        f"  Time on battery: 0ms (0.0%) realtime, 0ms (0.0%) uptime\n"
        "  Time on battery screen off: 0ms (0.0%) realtime, 0ms (0.0%) uptime\n"
        f"  Total run time: {uptime}ms realtime, {uptime}ms uptime\n"
        f"  Start clock time: {wall:%Y-%m-%d-%H-%M-%S}\n  Screen on: {uptime}ms (100.0%)\n"
        "\n  Estimated power use (mAh):\n    Capacity: 4000, Computed drain: 0, actual drain: 0\n\n"
        f"{users}"
    )


def appops(phone: Phone, args: list[str]) -> str:
    """The modes of operations by package (``AppOpsService.dump``)."""
    parts = [
        "Current AppOps Service state:\n  Settings:\n    top_state_settle_time=+5s0ms\n"
        "    fg_service_state_settle_time=+5s0ms\n    bg_state_settle_time=+1s0ms\n\n"
    ]
    top = phone.activities.resumed
    front = top.app.package if top else ""
    for each in phone.packages.all():
        modes = phone.packages.ops.get(each.app.package, {})
        running = phone.processes.pidof(each.app.package) is not None
        if not modes and not running:
            continue
        parts.append(
            f"  Uid u0a{each.uid - 10_000}:\n    state={'top' if front == each.app.package else 'cch'}\n"
            f"    Package {each.app.package}:\n"
        )
        parts += [f"      {op} ({mode}): \n" for op, mode in modes.items()]
    return "".join(parts)


def bucket_of(phone: Phone, package: str) -> int:
    """Return an app's standby bucket: active while it has a process, else in the working set."""
    default = 10 if phone.processes.pidof(package) is not None else 20
    return phone.services.buckets.get(package, default)


def usagestats(phone: Phone, args: list[str]) -> str:
    """When activities were resumed, and the standby buckets (``UserUsageStatsService.dump``)."""
    events = []
    for entry in phone.logcat.read():
        if entry.tag in ("wm_on_resume_called", "am_on_resume_called"):
            found = _RESUMED.match(entry.message)
            name = found["activity"] if found else ""
            owners = [each.app.package for each in phone.packages.all() if name in each.app.activities]
            if owners:
                events.append((entry.time, owners[0], name))
    rows = "".join(
        f'    time="{when:%Y-%m-%d %H:%M:%S}" type=ACTIVITY_RESUMED package={package} class={name} '
        f"instanceId={number} taskRootPackage={package} taskRootClass={name} flags=0x0\n"
        for number, (when, package, name) in enumerate(events, 1)
    )
    last = {package: when for when, package, _ in events}
    counts = {package: sum(each[1] == package for each in events) for package in last}
    packages = "".join(
        f'      package={package} totalTimeUsed="00:00" lastTimeUsed="{when:%Y-%m-%d %H:%M:%S}" '
        f'totalTimeVisible="00:00" lastTimeVisible="{when:%Y-%m-%d %H:%M:%S}" '
        f"appLaunchCount={counts[package]} \n"
        for package, when in last.items()
    )
    buckets = "".join(
        f"    package={each.app.package} u=0 bucket={bucket_of(phone, each.app.package)} "
        f"reason=u-mb used=+0ms usedScr=+0ms lastPred=-1ms idle="
        f"{'y' if each.app.package in phone.services.inactive else 'n'}\n"
        for each in phone.packages.all()
    )
    wall = phone.clock.wall()
    return (
        f'user=0\n  Last 24 hour events (timeRange="{wall:%Y-%m-%d}, 00:00 - {wall:%H:%M}")\n{rows}'
        f'  In-memory daily stats\n    timeRange="{wall:%Y-%m-%d}, 00:00 - {wall:%H:%M}"\n    packages\n'
        f"{packages}"
        "    ChooserCounts\n    configurations\n    event aggregations\nuser=0\n  App Standby States:\n"
        f"{buckets}"
    )


def procstats(phone: Phone, args: list[str]) -> str:
    """The memory of processes (``ProcessStatsService.dump``)."""
    rows = "".join(
        f"  * {name} / u0a{_uid(phone, name)} / v1:\n"
        "           TOTAL: 100% (87MB-88MB-90MB/80MB-81MB-82MB/90MB over 1)\n"
        for _, name in phone.processes.list()
    )
    return (
        f"CURRENT STATS:\nPer-Package Stats:\n{rows}\nRun time Stats:\n  SOff/Norm: +0ms\n"
        f"  SOn /Norm: +{phone.clock.uptime_ms}ms\n\n"
        f"          Start time: {phone.clock.boot_wall():%Y-%m-%d %H:%M:%S}\n"
    )


def _uid(phone: Phone, package: str) -> int:
    found = phone.packages.get(package)
    return found.uid - 10_000 if found else 0


def dbinfo(phone: Phone, args: list[str]) -> str:
    """Apps keep their data in memory, so none has a database open (``DbConnectionsDump``)."""
    processes, missing = _process(phone, args)
    if missing:
        return f"No process found for: {missing}\n"
    return "Applications Database Info:\n" + "".join(
        f"\n** Database info for pid {pid} [{name}] **\n\n" for pid, name in processes
    )


def overlay(phone: Phone, args: list[str]) -> str:
    """The resource overlays (``OverlayManagerSettings.dump``)."""
    return "".join(
        f"{name}:0 {{\n  mPackageName...........: {name}\n  mUserId................: 0\n"
        f"  mTargetPackageName.....: {OVERLAY_TARGET}\n  mTargetOverlayableName.: null\n"
        f"  mBaseCodePath..........: /product/overlay/{name.rpartition('.')[2]}/overlay.apk\n"
        "  mState.................: "
        f"{'STATE_ENABLED' if is_overlay_enabled(phone, name) else 'STATE_DISABLED'}\n"
        f"  mIsEnabled.............: {str(is_overlay_enabled(phone, name)).lower()}\n"
        "  mIsMutable.............: true\n  mPriority..............: 1\n  mCategory..............: "
        f"{_CATEGORIES[name]}\n}}\n"
        for name in OVERLAYS
    )


def permission(phone: Phone, args: list[str]) -> str:
    """The runtime permissions (part of ``PermissionManagerService.dump``)."""
    return "Permissions:\n" + "".join(
        f"  Permission [{name}] (1a2b3c):\n    sourcePackage=android\n"
        "    uid=1000 gids=[] type=0 prot=dangerous\n"
        for name in sorted(DANGEROUS)
    )


def shortcut(phone: Phone, args: list[str]) -> str:
    """Launcher shortcuts, of which the phone's apps have none (``ShortcutService.dumpInner``)."""
    wall = phone.clock.wall()
    head = (
        f"Now: [{int(wall.timestamp() * 1000)}] {wall:%Y-%m-%d %H:%M:%S}  Raw last reset: [0] 1970-01-01 "
        "00:00:00  "
        "Last reset: [0] 1970-01-01 00:00:00\n  Config:\n    Max icon dim: 192\n"
        "    maxUpdatesPerInterval: 10\n    maxShortcutsPerActivity: 15\n\n  Stats:\n\n"
        "  User: 0  Known locale seq#: 1\n"
    )
    rows = "".join(
        f"    Package: {each.app.package}  UID: {each.uid}\n      Calls: 0\n      Shortcuts:\n"
        for each in phone.packages.query_launcher()
    )
    return head + rows
