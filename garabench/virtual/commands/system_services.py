"""``cmd``, ``service``, ``svc`` and ``appops``: commands to system services."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from garabench.virtual.android.phone import Phone
from garabench.virtual.commands import alarm, devicestoragemonitor, framework_errors, locale
from garabench.virtual.commands.durations import CALL_MS, KITKAT
from garabench.virtual.shell.call import Command, CommandCall

_COMMANDS = {
    "activity": "am",
    "appops": "appops",
    "input": "input",
    "input_method": "ime",
    "lock_settings": "locksettings",
    "package": "pm",
    "settings": "settings",
    "window": "wm",
}
_INTERFACES = {
    "activity": "android.app.IActivityManager",
    "alarm": "android.app.IAlarmManager",
    "appops": "com.android.internal.app.IAppOpsService",
    "battery": "",
    "connectivity": "android.net.IConnectivityManager",
    "devicestoragemonitor": "",
    "display": "android.hardware.display.IDisplayManager",
    "input": "android.hardware.input.IInputManager",
    "input_method": "com.android.internal.view.IInputMethodManager",
    "lock_settings": "com.android.internal.widget.ILockSettings",
    "notification": "android.app.INotificationManager",
    "package": "android.content.pm.IPackageManager",
    "power": "android.os.IPowerManager",
    "settings": "",
    "statusbar": "com.android.internal.statusbar.IStatusBarService",
    "uimode": "android.app.IUiModeManager",
    "wifi": "android.net.wifi.IWifiManager",
    "window": "android.view.IWindowManager",
}
_NO_SERVICE = 20
_ON = {"enable": True, "enabled": True, "disable": False, "disabled": False}
_STAY_ON = {"true": "15", "false": "0", "ac": "1", "usb": "2", "wireless": "4"}
_MODES = frozenset({"allow", "ignore", "deny", "default", "foreground"})
_OPS = dict.fromkeys(
    {"CAMERA", "RECORD_AUDIO", "COARSE_LOCATION", "FINE_LOCATION", "READ_CONTACTS", "WRITE_CONTACTS"}
    | {"POST_NOTIFICATION", "READ_CLIPBOARD", "WRITE_CLIPBOARD", "SYSTEM_ALERT_WINDOW", "WRITE_SETTINGS"}
    | {"RUN_IN_BACKGROUND", "RUN_ANY_IN_BACKGROUND", "START_FOREGROUND", "TOAST_WINDOW", "VIBRATE"}
    | {"READ_EXTERNAL_STORAGE", "WRITE_EXTERNAL_STORAGE", "MANAGE_EXTERNAL_STORAGE", "GET_USAGE_STATS"}
    | {"MOCK_LOCATION", "PROJECT_MEDIA", "REQUEST_INSTALL_PACKAGES", "WAKE_LOCK", "READ_PHONE_STATE"},
    0,
) | {"USE_FULL_SCREEN_INTENT": 34}
"""The known operations, with their first API level."""
Verb = Callable[[CommandCall, list[str]], Awaitable[int]]


class ServiceCommands:
    """The services' shell commands (``cmd SERVICE``)."""

    def __init__(self, phone: Phone) -> None:
        self._phone = phone
        sdk = phone.profile.sdk
        regions: dict[str, Verb] = {"locale": self._locale} if sdk >= locale.FIRST_SDK else {}
        alarms: dict[str, Verb] = {"alarm": self._alarm} if sdk >= alarm.FIRST_SDK else {}
        self._verbs: Mapping[str, Verb] = {
            **regions,
            **alarms,
            "battery": self._battery,
            "bluetooth_manager": self._bluetooth,
            "connectivity": self._connectivity,
            "devicestoragemonitor": self._storage,
            "notification": self._notification,
            "power": self._power,
            "statusbar": self._statusbar,
            "uimode": self._uimode,
            "wifi": self._wifi,
        }

    async def run(self, call: CommandCall) -> int:
        """``cmd [-l | SERVICE …]``: calls the command of a service."""
        args = call.argv[1:]
        if not args:
            await call.print_error("cmd: No service specified; use -l to list all services\n")
            return _NO_SERVICE
        if args[0] == "-l":
            await call.print("Currently running services:\n" + "".join(f"  {name}\n" for name in _INTERFACES))
            return 0
        if args[0] in _COMMANDS:
            return await _delegate(call, [_COMMANDS[args[0]], *args[1:]])
        await self._phone.spend(CALL_MS)
        found = self._verbs.get(args[0])
        if found is None:
            await call.print_error(f"cmd: Can't find service: {args[0]}\n")
            return _NO_SERVICE
        return await found(call, args[1:])

    async def _unknown(self, call: CommandCall, args: list[str]) -> int:
        if args:
            return await framework_errors.report_unknown_verb(call, args[0])
        await call.print("Commands:\n  help\n      Print this help text.\n")
        return framework_errors.FAILED

    async def _battery(self, call: CommandCall, args: list[str]) -> int:
        return await _delegate(call, ["dumpsys", "battery", *args])

    async def _locale(self, call: CommandCall, args: list[str]) -> int:
        return await locale.locale(self._phone, call, args)

    async def _alarm(self, call: CommandCall, args: list[str]) -> int:
        return await alarm.alarm(self._phone, call, args)

    async def _storage(self, call: CommandCall, args: list[str]) -> int:
        return await devicestoragemonitor.monitor(self._phone, call, args)

    async def _bluetooth(self, call: CommandCall, args: list[str]) -> int:
        if not args or args[0] not in _ON:
            return await self._unknown(call, args)
        self._phone.settings.put("global", "bluetooth_on", str(int(_ON[args[0]])))
        return 0

    async def _connectivity(self, call: CommandCall, args: list[str]) -> int:
        match args:
            case ["airplane-mode"]:
                await call.print("enabled\n" if self._phone.network.airplane else "disabled\n")
            case ["airplane-mode", verb] if verb in _ON:
                self._phone.network.airplane = _ON[verb]
            case _:
                return await self._unknown(call, args)
        return 0

    async def _wifi(self, call: CommandCall, args: list[str]) -> int:
        match args:
            case ["set-wifi-enabled", verb] if verb in _ON:
                self._phone.network.wifi = _ON[verb]
            case ["status"]:
                on = self._phone.network.wifi
                network = 'Wifi is connected to "VirtualWifi"\n' if on else ""
                await call.print(f"Wifi is {'enabled' if on else 'disabled'}\n{network}")
            case _:
                return await self._unknown(call, args)
        return 0

    async def _power(self, call: CommandCall, args: list[str]) -> int:
        match args:
            case ["set-mode", value] if value in ("0", "1"):
                self._phone.battery.saver = value == "1"
            case _:
                return await self._unknown(call, args)
        return 0

    async def _uimode(self, call: CommandCall, args: list[str]) -> int:
        if args[:1] != ["night"]:
            return await self._unknown(call, args)
        modes = {"no": "1", "yes": "2", "auto": "0"}
        if len(args) > 1:
            if args[1] not in modes:
                await call.print_error("Error: mode must be 'yes', 'no', or 'auto', or 'custom'\n")
                return framework_errors.FAILED
            self._phone.settings.put("secure", "ui_night_mode", modes[args[1]])
        now = self._phone.settings.get("secure", "ui_night_mode")
        name = next((arg for arg, value in modes.items() if value == now), "no")
        await call.print(f"Night mode: {name}\n")
        return 0

    async def _statusbar(self, call: CommandCall, args: list[str]) -> int:
        match args:
            case ["expand-notifications" | "expand-settings"]:
                self._phone.windows.open_shade()
            case ["collapse"]:
                self._phone.windows.close_overlay()
            case _:
                return await self._unknown(call, args)
        return 0

    async def _notification(self, call: CommandCall, args: list[str]) -> int:
        notes = self._phone.notifications
        match args:
            case ["post", *rest]:
                title, left = "", list(rest)
                while len(left) > 1 and left[0].startswith("-"):
                    title = left[1] if left[0] in ("-t", "--title") else title
                    left = left[2:]
                if len(left) < 2:
                    await call.print_error("usage: cmd notification post [flags] <tag> <text>\n")
                    return 255
                notes.post("com.android.shell", "shell_cmd", title, " ".join(left[1:]))
                await call.print(f"posting:\n  Notification(channel=shell_cmd tag={left[0]})\n")
            case ["list"]:
                for note in notes.active():
                    found = self._phone.packages.get(note.package)
                    await call.print(f"0|{note.package}|{note.number}|null|{found.uid if found else 2000}\n")
            case _:
                return await self._unknown(call, args)
        return 0


async def _delegate(call: CommandCall, argv: list[str]) -> int:
    if call.run is None:
        return 1
    return await call.run(
        CommandCall(argv, call.stdin, call.write, call.write_error, call.env, call.cwd, call.run)
    )


class AppOpsCommand:
    """``appops``: modes of operations by package, lost on reboot."""

    def __init__(self, phone: Phone) -> None:
        self._phone = phone

    async def run(self, call: CommandCall) -> int:
        """``appops get PACKAGE [OP]``, ``appops set PACKAGE OP MODE`` and ``appops reset [PACKAGE]``."""
        args = [arg for arg in call.argv[1:] if arg not in ("--user", "--uid")]
        verb, package, *rest = (*args, "", "")[: max(2, len(args))]
        await self._phone.spend(CALL_MS)
        if verb == "reset":
            self._phone.packages.ops.clear()
            return 0
        if verb not in ("get", "set"):
            return await framework_errors.report_unknown_verb(call, verb)
        if self._phone.packages.get(package) is None:
            await call.print_error(f"Error: No UID for {package} in user 0\n")
            return 255
        if rest and (rest[0] not in _OPS or self._phone.profile.sdk < _OPS[rest[0]]):
            await call.print_error(f"Error: Unknown operation string: {rest[0]}\n")
            return 255
        return await (self._get if verb == "get" else self._set)(call, package, rest)

    async def _get(self, call: CommandCall, package: str, rest: list[str]) -> int:
        modes = self._phone.packages.ops.get(package, {})
        shown = [(op, mode) for op, mode in modes.items() if not rest or op == rest[0]]
        default = "Default mode: allow\n" if rest else ""
        output = "".join(f"{op}: {mode}\n" for op, mode in shown)
        await call.print(output or f"No operations.\n{default}")
        return 0

    async def _set(self, call: CommandCall, package: str, rest: list[str]) -> int:
        if len(rest) < 2 or rest[1] not in _MODES:
            await call.print_error(f"Error: Mode {rest[1] if len(rest) > 1 else ''} is not valid\n")
            return 255
        self._phone.packages.ops.setdefault(package, {})[rest[0]] = rest[1]
        return 0


async def service(phone: Phone, call: CommandCall) -> int:
    """``service list|check|call``."""
    match call.argv[1:]:
        case ["list"]:
            rows = "".join(f"{at}\t{name}: [{kind}]\n" for at, (name, kind) in enumerate(_INTERFACES.items()))
            await call.print(f"Found {len(_INTERFACES)} services:\n{rows}")
        case ["check", name]:
            await call.print(f"Service {name}: {'found' if name in _INTERFACES else 'not found'}\n")
        case ["call", "statusbar", code, *_] if code in ("1", "2"):
            if code == "1":
                phone.windows.open_shade()
            else:
                phone.windows.close_overlay()
            await call.print("Result: Parcel(00000000    '....')\n")
        case ["call", name, *_] if name not in _INTERFACES:
            await call.print_error(f"service: Service {name} does not exist\n")
            return 10
        case _:
            await call.print_error(
                "Usage: service [-h|-?]\n       service list\n       service check SERVICE\n"
            )
            return 10
    return 0


async def svc(phone: Phone, call: CommandCall) -> int:
    """``svc wifi|data|bluetooth enable|disable`` and ``svc power stayon VALUE``."""
    await phone.spend(CALL_MS)
    match call.argv[1:]:
        case ["wifi", verb] if verb in _ON:
            phone.network.wifi = _ON[verb]
        case ["data", verb] if verb in _ON:
            phone.network.mobile_data = _ON[verb]
        case ["bluetooth", verb] if verb in _ON:
            phone.settings.put("global", "bluetooth_on", str(int(_ON[verb])))
        case ["power", "stayon", value] if value in _STAY_ON:
            phone.settings.put("global", "stay_on_while_plugged_in", _STAY_ON[value])
        case ["power", "reboot", *_]:
            return await _delegate(call, ["reboot"])
        case _:
            old = phone.profile.sdk <= KITKAT
            last = "    usb      Control Usb state\n" if old else "    bluetooth Control Bluetooth service\n"
            await call.print_error(
                "Available commands:\n    help     Show information about the subcommands\n"
                "    power    Control the power manager\n    data     Control mobile data connectivity\n"
                f"    wifi     Control the Wi-Fi manager\n{last}"
            )
            return 1
    return 0


def commands(phone: Phone) -> Mapping[str, Command]:
    """Return the commands by name."""
    table: dict[str, Command] = {
        "appops": AppOpsCommand(phone).run,
        "service": partial(service, phone),
        "svc": partial(svc, phone),
    }
    if phone.profile.has_cmd:
        table["cmd"] = ServiceCommands(phone).run
    return table
