"""``dumpsys``: the state of system services."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from garabench.virtual.android import not_simulated
from garabench.virtual.android.hardware import Battery
from garabench.virtual.android.input_devices import DEVICE_NAMES, KEYS, TOUCHSCREEN
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.service_list import services
from garabench.virtual.android.system_files import TOTAL_KB, cached_kb, memory_kb
from garabench.virtual.android.system_processes import SYSTEM_SERVER_PID
from garabench.virtual.commands import (
    device_idle,
    devicestoragemonitor,
    dumpsys_connections,
    dumpsys_headings,
    dumpsys_package,
    dumpsys_services,
    dumpsys_services_kitkat,
    dumpsys_surface_flinger,
    dumpsys_system,
    dumpsys_windows,
)
from garabench.virtual.commands.durations import CALL_MS, KITKAT
from garabench.virtual.shell.call import Command, CommandCall

_USAGE = (
    "usage: dumpsys\n         To dump all services.\nor:\n"
    "       dumpsys [-t TIMEOUT] [--priority LEVEL] [--clients] [--dump] [--pid] [--thread] [--help | -l | "
    "--skip SERVICES | SERVICE [ARGS]]\n"
    "         --help: shows this help\n         -l: only list services, do not dump them\n"
    "         -t TIMEOUT_SEC: TIMEOUT to use in seconds instead of default 10 seconds\n"
    "         -T TIMEOUT_MS: TIMEOUT to use in milliseconds instead of default 10 seconds\n"
    "         --clients: dump client PIDs instead of usual dump\n"
    "         --dump: ask the service to dump itself (this is the default)\n"
    "         --pid: dump PID instead of usual dump\n"
    "         --thread: dump thread usage instead of usual dump\n"
    "         --proto: filter services that support dumping data in proto format. Dumps\n"
    "               will be in proto format.\n         --priority LEVEL: filter services based on specified "
    "priority\n               LEVEL must be one of CRITICAL | HIGH | NORMAL\n"
    "         --skip SERVICES: dumps all services but SERVICES (comma-separated list)\n"
    "         SERVICE [ARGS]: dumps only service SERVICE, optionally passing ARGS to it\n"
)
_MEASURED = ("level", "plugged", "temperature")
_PROCESS_KB = 90_000
_MEMORY_SHARES = {
    **{"Native Heap": 25, "Dalvik Heap": 20, "Dalvik Other": 5, "Stack": 2, "Ashmem": 1, ".so mmap": 12},
    **{".jar mmap": 4, ".apk mmap": 10, ".dex mmap": 8, ".art mmap": 8, "Unknown": 5},
}
"""The memory of each app in KiB, and the percent of each kind."""
Service = Callable[[list[str]], str]


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _event_hub() -> str:
    """Return the devices of ``EventHub::dump``, which ``getevent`` lists too."""
    classes = {TOUCHSCREEN: "KEYBOARD | TOUCH | TOUCH_MT", KEYS: "KEYBOARD"}
    rows = "".join(
        f"    {number}: {DEVICE_NAMES[path]}\n      Classes: {kinds}\n      Path: {path}\n"
        "      Enabled: true\n"
        for number, (path, kinds) in enumerate(classes.items(), 1)
    )
    return f"Event Hub State:\n  BuiltInKeyboardId: -2\n  Devices:\n{rows}"


def _fixed(text: str) -> Service:
    return lambda args: text


class Dumpsys:
    """The services that can be dumped."""

    def __init__(self, phone: Phone) -> None:
        self._phone = phone
        own: dict[str, Service] = {
            "SurfaceFlinger": lambda args: dumpsys_surface_flinger.surface_flinger(phone, args),
            "activity": lambda args: dumpsys_windows.activity(phone, args),
            "battery": self._battery,
            "cpuinfo": self._cpuinfo,
            "deviceidle": lambda args: device_idle.dump(phone, args),
            "devicestoragemonitor": lambda args: devicestoragemonitor.dump(phone),
            "display": lambda args: dumpsys_windows.display(phone),
            "input": self._input,
            "input_method": self._input_method,
            "meminfo": self._meminfo,
            "notification": self._notification,
            "package": lambda args: dumpsys_package.package(phone, args),
            "power": self._power,
            "window": lambda args: dumpsys_windows.window(phone, args),
        }
        if phone.profile.sdk <= KITKAT:
            own |= {
                "input_method": lambda args: dumpsys_services_kitkat.input_method(phone),
                "notification": lambda args: dumpsys_services_kitkat.notification(phone),
                "power": lambda args: dumpsys_services_kitkat.power(phone),
            }
        dumps: dict[str, Service] = {name: _fixed(text) for name, text in dumpsys_headings.HEADINGS.items()}
        dumps |= dumpsys_connections.dumps(phone)
        dumps |= dumpsys_system.dumps(phone)
        dumps |= {**dumpsys_services.state_dumps(phone), **own}
        self._services: Mapping[str, Service | None] = {
            name: dumps.get(name) for name in services(phone.profile.sdk)
        }

    async def run(self, call: CommandCall) -> int:
        """``dumpsys [OPTION …] [SERVICE [ARGUMENT …]]`` (AOSP ``dumpsys.cpp``)."""
        args, skipped, shown = call.argv[1:], frozenset[str](), "dump"
        while args[:1] and args[0].startswith("-"):
            option = args.pop(0)
            if option in ("-h", "--help"):
                await call.print_error(_USAGE)
                return 0
            if option in ("-t", "-T", "--priority") and args:
                args.pop(0)
            elif option == "--skip":
                names, args = args, []
                skipped = frozenset(name for each in names for name in each.split(","))
            elif option in ("-l", "--pid", "--thread"):
                shown = option
        await self._phone.spend(CALL_MS)
        if shown == "-l":
            await call.print(self._list(skipped))
            return 0
        if not args:
            await self._all(call, skipped)
            return 0
        if args[0] not in self._services:
            await call.print_error(f"Can't find service: {args[0]}\n")
            return 0
        if shown != "dump":
            pid = f"{SYSTEM_SERVER_PID}\n"
            await call.print(pid if shown == "--pid" else "Threads in use: 8/31\nClient PIDs: 1420, 1480\n")
            return 0
        service = self._services[args[0]]
        if service is None:
            not_simulated.say(self._phone, f"dumpsys {args[0]}")
            return 0
        await call.print(service(args[1:]))
        return 0

    def _list(self, skipped: frozenset[str]) -> str:
        names = (f"  {name}{' (skipped)' if name in skipped else ''}\n" for name in self._services)
        return "Currently running services:\n" + "".join(names)

    async def _all(self, call: CommandCall, skipped: frozenset[str]) -> None:
        await call.print(self._list(skipped))
        footer = self._phone.profile.sdk > KITKAT
        for name, service in self._services.items():
            if name in skipped:
                continue
            text = service([]) if service is not None else ""
            await call.print(f"{'-' * 79}\nDUMP OF SERVICE {name}:\n{text}")
            if footer:
                end = f"{self._phone.clock.wall():%Y-%m-%d %H:%M:%S}"
                await call.print(f"--------- 0.001s was the duration of dumpsys {name}, ending at: {end}\n")

    def _battery(self, args: list[str]) -> str:
        phone, battery = self._phone, self._phone.battery
        match [arg for arg in args if arg not in ("-f", "-a")]:
            case ["set", "level", level] if level.isdecimal():
                battery.level = min(100, int(level))
            case ["set", "temp", degrees] if degrees.lstrip("-").isdecimal():
                battery.temperature = int(degrees)
            case ["set", "ac" | "usb" | "wireless", value] if value in ("0", "1"):
                battery.plugged = value == "1"
            case ["set", "status", value] if value.isdecimal():
                battery.plugged = value in ("2", "5")
            case ["set", name, value] if name in ("level", "temp", "status", "ac", "usb", "wireless"):
                return f"Bad value: {value}\n"
            case ["set", name, _]:
                return f"Unknown set option: {name}\n"
            case ["unplug"]:
                battery.plugged = False
            case ["reset"]:
                battery.reset()
                phone.changed()
                return ""
            case []:
                return self._battery_state()
            case _:
                return "Battery service (battery) commands:\n  set|unplug|reset\n"
        phone.changed()
        return ""

    def _battery_state(self) -> str:
        battery, hardware = self._phone.battery, Battery(self._phone.settings)
        same = all(getattr(battery, name) == getattr(hardware, name) for name in _MEASURED)
        override = "" if same else "  (UPDATES STOPPED -- use 'reset' to restart)\n"
        return (
            f"Current Battery Service state:\n{override}  AC powered: {_flag(battery.plugged)}\n"
            f"  USB powered: false\n  Wireless powered: false\n  status: {battery.reported_status}\n"
            f"  health: {battery.health}\n  present: {_flag(battery.present)}\n  level: {battery.level}\n"
            f"  scale: 100\n  voltage: 4200\n"
            f"  temperature: {battery.temperature}\n  technology: Li-ion\n"
        )

    def _input_method(self, args: list[str]) -> str:
        ime = self._phone.ime
        self._phone.scene()  # a field may take the focus, which opens the keyboard
        return (
            "Current Input Method Manager state:\n  Input Methods:\n"
            + "".join(f"    InputMethod #{index}: {name}\n" for index, name in enumerate(ime.installed))
            + f"  mCurMethodId={ime.default}\n  mCurId={ime.default}\n"
            f"  mShowRequested={_flag(ime.shown)} mInputShown={_flag(ime.shown)}\n"
            f"  mInteractive={_flag(self._phone.display.screen_on)}\n"
        )

    def _power(self, args: list[str]) -> str:
        on, battery = self._phone.display.screen_on, self._phone.battery
        return (
            "POWER MANAGER (dumpsys power)\n\nPower Manager State:\n"
            f"  mWakefulness={'Awake' if on else 'Asleep'}\n  mWakefulnessChanging=false\n"
            f"  mIsPowered={_flag(battery.plugged)}\n  mPlugType={int(battery.plugged)}\n"
            f"  mBatteryLevel={battery.level}\n  mHoldingDisplaySuspendBlocker={_flag(on)}\n"
            f"  mBatterySaverEnabled={_flag(battery.saver)}\n"
            f"Display Power: state={'ON' if on else 'OFF'}\n"
        )

    def _input(self, args: list[str]) -> str:
        display = self._phone.display
        now, turned = display.current_size, display.rotation
        # Android 13 dropped SurfaceOrientation; the viewport's orientation replaces it.
        surface = f"    SurfaceOrientation: {turned}\n" if self._phone.profile.sdk < 33 else ""
        return (
            f"INPUT MANAGER (dumpsys input)\n\n{_event_hub()}\n"
            "Input Reader State (Nums of device: 2):\n  Device 1: touchscreen\n"
            "    EventHub Devices: [ 1 ]\n    Generation: 4\n    IsExternal: false\n"
            "    Sources: KEYBOARD | TOUCHSCREEN\n    KeyboardType: 0\n    ControllerNum: 0\n"
            "    Motion Ranges:\n"
            f"      X: source=TOUCHSCREEN, min=0.000, max={now.width - 1:.3f}, flat=0.000, fuzz=0.000\n"
            f"      Y: source=TOUCHSCREEN, min=0.000, max={now.height - 1:.3f}, flat=0.000, fuzz=0.000\n"
            f"    Viewport INTERNAL: displayId=0, uniqueId=local:{dumpsys_windows.DISPLAY_ID}, port=0, "
            f"orientation={turned}, logicalFrame=[0, 0, {now.width}, {now.height}], "
            f"physicalFrame=[0, 0, {now.width}, {now.height}], "
            f"deviceSize=[{display.size.width}, {display.size.height}], isActive=[1]\n{surface}"
            f"Input Dispatcher State:\n  FocusedWindows:\n    displayId=0, name='"
            f"{dumpsys_windows.focus(self._phone)}'\n"
        )

    def _notification(self, args: list[str]) -> str:
        parts = ["Current Notification Manager state:\n  Notification List:\n"]
        for note in self._phone.notifications.active():
            found = self._phone.packages.get(note.package)
            uid = found.uid if found else 2000
            parts.append(
                f"    NotificationRecord(0x0{note.number:06x}: pkg={note.package} user=UserHandle{{0}} "
                f"id={note.number} tag=null importance=3 key=0|{note.package}|{note.number}|null|{uid}: "
                f"Notification(channel={note.channel}))\n      extras={{\n"
                f"          android.title=String ({note.title})\n"
                f"          android.text=String ({note.text})\n      }}\n"
            )
        return "".join(parts)

    def _meminfo(self, args: list[str]) -> str:
        names = [arg for arg in args if not arg.startswith("-")]
        processes = [(pid, name) for pid, name in self._phone.processes.list() if not names or name in names]
        if names and not processes:
            return f"No process found for: {names[0]}\n"
        if names:
            return "".join(self._process_memory(pid, name) for pid, name in processes)
        rows = "".join(f"{_PROCESS_KB:>10,}K: {name} (pid {pid})\n" for pid, name in processes)
        used, free = memory_kb(self._phone)
        total, cached = TOTAL_KB, cached_kb(free)
        return (
            f"Applications Memory Usage (in Kilobytes):\n\nTotal PSS by process:\n{rows}\n"
            f"Total RAM: {total:,}K (status normal)\n"
            f" Free RAM: {free:,}K (        0K cached pss + {cached:>9,}K cached kernel + "
            f"{free - cached:,}K free)\n"
            f" Used RAM: {used:,}K ({used - 300_000:,}K used pss +   300,000K kernel)\n Lost RAM: 0K\n"
        )

    def _process_memory(self, pid: int, name: str) -> str:
        """Return the table of one process (``ActivityThread.dumpMemInfoTable``); the shares are fixed."""
        now, scene = self._phone.clock.now_ms(), self._phone.scene().windows
        roots = [window for window in scene if window.package == name]
        views = sum(1 for window in roots for _ in window.root.walk())
        shown = sum(record.app.package == name for record in self._phone.activities.visible())
        heads = (
            ("Pss", "Private", "Private", "SwapPss", "Rss"),
            ("Total", "Dirty", "Clean", "Dirty", "Total"),
        )
        lines = [f"{'':>17} " + " ".join(f"{word:>8}" for word in words) for words in heads]
        lines.append(f"{'':>17} " + " ".join(["  ------"] * 5))
        total = 0
        for kind, share in _MEMORY_SHARES.items():
            size = _PROCESS_KB * share // 100
            total += size
            numbers = (size, size * 9 // 10, size // 20, 0, size * 5 // 4)
            lines.append(f"{kind:>17} " + " ".join(f"{number:>8}" for number in numbers))
        numbers = (total, total * 9 // 10, total // 20, 0, total * 5 // 4)
        lines.append(f"{'TOTAL':>17} " + " ".join(f"{number:>8}" for number in numbers))
        table = "\n".join(lines)
        java, native = (_PROCESS_KB * _MEMORY_SHARES[kind] // 100 for kind in ("Dalvik Heap", "Native Heap"))
        return (
            f"Applications Memory Usage (in Kilobytes):\nUptime: {now} Realtime: {now}\n\n"
            f"** MEMINFO in pid {pid} [{name}] **\n{table}\n \n App Summary\n"
            f"                       Pss(KB)                        Rss(KB)\n"
            f"                        ------                         ------\n"
            f"           Java Heap: {java:>8}                       {java * 5 // 4:>8}\n"
            f"         Native Heap: {native:>8}                       {native * 5 // 4:>8}\n \n"
            f"           TOTAL PSS: {total:>8}            TOTAL RSS: {total * 5 // 4:>8}      "
            "TOTAL SWAP PSS:        0\n \n Objects\n"
            f"               Views: {views:>8}         ViewRootImpl: {len(roots):>8}\n"
            f"         AppContexts: {shown + 2:>8}           Activities: {shown:>8}\n"
        )

    def _cpuinfo(self, args: list[str]) -> str:
        rows = "".join(
            f"  0% {pid}/{name}: 0% user + 0% kernel\n" for pid, name in self._phone.processes.list()
        )
        now = self._phone.clock.now_ms()
        return f"Load: 0.0 / 0.0 / 0.0\nCPU usage from 0ms to {now}ms ago:\n{rows}0% TOTAL\n"


def commands(phone: Phone) -> Mapping[str, Command]:
    """Return the commands by name."""
    return {"dumpsys": Dumpsys(phone).run}
