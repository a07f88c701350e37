"""``cmd``, ``service``, ``svc`` and ``appops``: commands to system services."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from garabench.virtual.android import not_simulated
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.service_list import services
from garabench.virtual.commands import (
    alarm,
    device_idle,
    devicestoragemonitor,
    framework_errors,
    locale,
    roles,
    service_commands,
    service_help,
    volumes,
)
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
_OWN_MODULES: Mapping[str, Callable[[Phone, CommandCall, list[str]], Awaitable[int]]] = {
    "device_config": service_commands.device_config,
    "deviceidle": device_idle.command,
    "display": service_commands.display,
    "jobscheduler": service_commands.job_scheduler,
    "location": service_commands.location,
    "media_session": volumes.media_session,
    "netpolicy": service_commands.netpolicy,
    "overlay": service_commands.overlay,
    "phone": service_commands.phone_service,
    "role": roles.role,
    "shortcut": service_commands.shortcut,
    "thermalservice": service_commands.thermal,
    "user": service_commands.user,
    "vibrator_manager": service_commands.vibrator,
}
_WITHOUT_COMMANDS = frozenset(
    {"account", "clipboard", "search", "serial", "uri_grants", "usagestats", "vold"}
)
"""Services that have no shell command in AOSP either."""
_SYSPROPS_TRANSACTION = 1_599_295_570
"""``IBinder.SYSPROPS_TRANSACTION``: a service reads its properties again."""
_NO_SERVICE = 20
_ON = {"enable": True, "enabled": True, "disable": False, "disabled": False}
_STAY_ON = {"true": "15", "false": "0", "ac": "1", "usb": "2", "wireless": "4"}
_MODES = frozenset({"allow", "ignore", "deny", "default", "foreground"})
_OPS = dict.fromkeys(
    {"CAMERA", "RECORD_AUDIO", "COARSE_LOCATION", "FINE_LOCATION", "READ_CONTACTS", "WRITE_CONTACTS"}
    | {"POST_NOTIFICATION", "READ_CLIPBOARD", "WRITE_CLIPBOARD", "SYSTEM_ALERT_WINDOW", "WRITE_SETTINGS"}
    | {"RUN_IN_BACKGROUND", "RUN_ANY_IN_BACKGROUND", "START_FOREGROUND", "TOAST_WINDOW", "VIBRATE"}
    | {"READ_EXTERNAL_STORAGE", "WRITE_EXTERNAL_STORAGE", "MANAGE_EXTERNAL_STORAGE", "GET_USAGE_STATS"}
    | {"MOCK_LOCATION", "PROJECT_MEDIA", "REQUEST_INSTALL_PACKAGES", "WAKE_LOCK", "READ_PHONE_STATE"}
    | {"ACCESS_NOTIFICATIONS"},
    0,
) | {"SCHEDULE_EXACT_ALARM": 31, "USE_FULL_SCREEN_INTENT": 34}
"""The known operations, with their first API level."""
Verb = Callable[[CommandCall, list[str]], Awaitable[int]]


class ServiceCommands:
    """The services' shell commands (``cmd SERVICE``)."""

    def __init__(self, phone: Phone) -> None:
        self._phone = phone
        sdk = phone.profile.sdk
        self._services = services(sdk)
        verbs: dict[str, Verb] = {
            **{name: partial(_run, phone, command) for name, command in _OWN_MODULES.items()},
            "alarm": self._alarm,
            "battery": self._battery,
            "bluetooth_manager": self._bluetooth,
            "connectivity": self._connectivity,
            "devicestoragemonitor": self._storage,
            "locale": self._locale,
            "notification": self._notification,
            "power": self._power,
            "statusbar": self._statusbar,
            "uimode": self._uimode,
            "wifi": self._wifi,
        }
        first = {"alarm": alarm.FIRST_SDK}
        self._verbs: Mapping[str, Verb] = {
            name: verb for name, verb in verbs.items() if name in self._services and sdk >= first.get(name, 0)
        }

    async def run(self, call: CommandCall) -> int:
        """``cmd [-l | SERVICE …]``: calls the command of a service."""
        args = call.argv[1:]
        if not args:
            await call.print_error("cmd: No service specified; use -l to list all services\n")
            return _NO_SERVICE
        if args[0] == "-l":
            names = "".join(f"  {name}\n" for name in self._services)
            await call.print(f"Currently running services:\n{names}")
            return 0
        if args[0] == "-w":
            args = args[1:] or [""]
        if args[0] in _COMMANDS:
            return await _delegate(call, [_COMMANDS[args[0]], *args[1:]])
        await self._phone.spend(CALL_MS)
        if args[0] not in self._services:
            await call.print_error(f"cmd: Can't find service: {args[0]}\n")
            return _NO_SERVICE
        found = self._verbs.get(args[0])
        if found is None:  # as AOSP's Binder.onShellCommand
            if args[0] not in _WITHOUT_COMMANDS:
                not_simulated.say(self._phone, f"cmd {args[0]}")
            await call.print_error("No shell command implementation.\n")
            return 0
        if args[0] in service_help.HELP and args[1:2] in ([], ["help"], ["-h"]):
            await call.print(service_help.HELP[args[0]])
            return framework_errors.FAILED
        return await found(call, args[1:])

    async def _unknown(self, call: CommandCall, args: list[str]) -> int:
        return await framework_errors.report_unknown_verb(self._phone, call, (*args, "")[0])

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
        if args in (["car"], ["car", "no"], ["car", "yes"]):
            await call.print(f"Car mode: {(*args, 'no')[1]}\n")
            return 0
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
            case ["check-support"]:
                await call.print("true\n")
            case ["get-status-icons"]:
                await call.print("wifi\nmobile\nbattery\nclock\n")
            case ["add-tile" | "remove-tile" | "click-tile" | "disable-for-setup" | "send-disable-flag", *_]:
                pass
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


async def _run(
    phone: Phone,
    command: Callable[[Phone, CommandCall, list[str]], Awaitable[int]],
    call: CommandCall,
    args: list[str],
) -> int:
    return await command(phone, call, args)


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
        if verb in ("", "help", "-h"):
            await call.print(service_help.HELP["appops"])
            return framework_errors.FAILED
        if verb not in ("get", "set"):
            return await framework_errors.report_unknown_verb(self._phone, call, verb)
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
    """``service list|check|call`` (AOSP ``service.cpp``)."""
    known = services(phone.profile.sdk)
    match call.argv[1:]:
        case ["list"]:
            rows = "".join(f"{at}\t{name}: [{kind}]\n" for at, (name, kind) in enumerate(known.items()))
            await call.print(f"Found {len(known)} services:\n{rows}")
        case ["check", name]:
            await call.print(f"Service {name}: {'found' if name in known else 'not found'}\n")
        case ["call", name, *_] if name not in known:
            await call.print_error(f"service: Service {name} does not exist\n")
            return 10
        case ["call", "statusbar", code, *_] if code in ("1", "2"):
            if code == "1":
                phone.windows.open_shade()
            else:
                phone.windows.close_overlay()
            await call.print("Result: Parcel(00000000    '....')\n")
        case ["call", _, code, *_] if code == str(_SYSPROPS_TRANSACTION):
            await call.print("Result: Parcel(NULL)\n")
        case ["call", name, code, *_] if code.isdecimal():
            not_simulated.say(phone, f"service call {name} {code}")
            await call.print('Result: Parcel(Error: 0xffffffffffffffb6 "Not a data message")\n')
        case _:
            await call.print_error(
                "Usage: service [-h|-?]\n       service list\n       service check SERVICE\n"
                "       service call SERVICE CODE [i32 N | i64 N | f N | d N | s16 STR | null | fd f | "
                "nfd n ]"
                " ...\n"
            )
            return 10
    return 0


_SVC_USAGES = {
    "power": "Control the power manager\n\nusage: svc power stayon [true|false|usb|ac|wireless]\n"
    "         Set the 'keep awake while plugged in' setting.\n"
    "       svc power reboot [reason]\n         Perform a runtime shutdown and reboot device with specified "
    "reason.\n       svc power shutdown\n         Perform a runtime shutdown and power off the device.\n",
    "data": "Control mobile data connectivity\n\nusage: svc data [enable|disable]\n"
    "         Turn mobile data on or off.\n\n",
    "wifi": "Control the Wi-Fi manager\n\nusage: svc wifi [enable|disable]\n"
    "         Turn Wi-Fi on or off.\n\n",
    "usb": "Control Usb state\n\nusage: svc usb setFunctions [function]\n"
    "         Set the functions which, if "
    "usb was not charging, become current on\nnext attach. If function is blank, sets to charging.\n"
    "       svc usb getFunctions\n         Gets the list of currently enabled functions\n",
    "nfc": "Control NFC functions\n\nusage: svc nfc [enable|disable]\n         Turn NFC on or off.\n\n",
    "bluetooth": "Control Bluetooth service\n\nusage: svc bluetooth [enable|disable]\n"
    "         Turn Bluetooth on or off.\n\n",
}
"""The help of ``svc COMMAND`` (AOSP ``frameworks/base/cmds/svc``)."""
_USB_FUNCTIONS = frozenset({"mtp", "ptp", "rndis", "midi", "ncm", ""})


async def svc(phone: Phone, call: CommandCall) -> int:
    """``svc wifi|data|bluetooth|nfc enable|disable``, ``svc power …`` and ``svc usb …``."""
    await phone.spend(CALL_MS)
    old = phone.profile.sdk <= KITKAT
    match call.argv[1:]:
        case ["wifi", verb] if verb in _ON:
            phone.network.wifi = _ON[verb]
        case ["data", verb] if verb in _ON:
            phone.network.mobile_data = _ON[verb]
        case ["bluetooth", verb] if verb in _ON and not old:
            phone.settings.put("global", "bluetooth_on", str(int(_ON[verb])))
        case ["nfc", verb] if verb in _ON and not old:
            await call.print_error("svc: NFC is not available\n")  # the phone has no NFC adapter
            return 1
        case ["power", "stayon", value] if value in _STAY_ON:
            phone.settings.put("global", "stay_on_while_plugged_in", _STAY_ON[value])
        case ["power", "reboot", *_]:
            return await _delegate(call, ["reboot"])
        case ["usb", "setFunctions" | "setFunction", *functions] if {*functions[:1]} <= _USB_FUNCTIONS:
            shown = ",".join([*[name for name in functions[:1] if name], "adb"])
            phone.properties |= dict.fromkeys(("sys.usb.config", "sys.usb.state"), shown)
        case ["usb", "getFunctions"] if not old:
            now = phone.properties.get("sys.usb.state", "adb").removesuffix("adb").rstrip(",")
            await call.print_error(f"{now}\n")
        case ["usb", "resetUsbGadget" | "resetUsbPort" | "getUsbHalVersion" | "getGadgetHalVersion", *_]:
            pass
        case ["help", name] if name in _SVC_USAGES:
            await call.print_error(_SVC_USAGES[name])
        case [name, *_] if name in _SVC_USAGES and not (old and name in ("nfc", "bluetooth")):
            await call.print_error(_SVC_USAGES[name])
        case _:
            names = ["power", "data", "wifi", "usb", *([] if old else ["nfc", "bluetooth"])]
            rows = "".join(f"    {name:<9}{_SVC_USAGES[name].splitlines()[0]}\n" for name in names)
            await call.print_error(
                f"Available commands:\n    help     Show information about the subcommands\n{rows}"
            )
            return 1
    return 0


async def _media(phone: Phone, call: CommandCall) -> int:
    """``media``: ``cmd media_session`` (AOSP ``frameworks/base/cmds/media``)."""
    await phone.spend(CALL_MS)
    return await volumes.media_session(phone, call, call.argv[1:])


def commands(phone: Phone) -> Mapping[str, Command]:
    """Return the commands by name."""
    table: dict[str, Command] = {
        "appops": AppOpsCommand(phone).run,
        "service": partial(service, phone),
        "svc": partial(svc, phone),
    }
    if phone.profile.has_cmd:
        table["cmd"] = ServiceCommands(phone).run
        table["media"] = partial(_media, phone)
    return table
