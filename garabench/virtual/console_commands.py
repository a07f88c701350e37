"""The commands of the emulator console, with the words of Android's emulator.

Source: ``external/qemu/android/android-emu/android/console.cpp`` of AOSP.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping

from garabench.errors import InputError
from garabench.virtual.android import contacts_provider
from garabench.virtual.android.hardware import BATTERY_GOOD
from garabench.virtual.android.input_devices import (
    BTN_TOUCH,
    EV_ABS,
    EV_KEY,
    EV_SYN,
    KEYS,
    POSITION_X,
    POSITION_Y,
    PRESSURE,
    SYN_REPORT,
    TOUCHSCREEN,
    TRACKING_ID,
)
from garabench.virtual.android.keycodes import KeyCode
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.phone_calls import CallState
from garabench.virtual.android.sensors import GpsFix, Reading, UnknownSensorError
from garabench.virtual.android.system_processes import SYSTEM_SERVER_PID
from garabench.virtual.commands.getevent import EVENT_CODES, EVENT_TYPES
from garabench.virtual.console_language import (
    ConsoleCommand,
    ConsoleRefusedError,
    Handler,
    unescape,
)
from garabench.virtual.emulator_snapshots import EmulatorSnapshots
from garabench.virtual.nmea import nmea_position
from garabench.virtual.port_redirects import PortRedirects, Redirect, RedirectError

_SPEEDS = {
    **{"gsm": (14_400, 14_400), "hscsd": (14_400, 57_600), "gprs": (28_800, 57_600)},
    **{"edge": (473_600, 473_600), "umts": (384_000, 384_000), "hsdpa": (5_760_000, 13_980_000)},
    **{"lte": (58_000_000, 173_000_000), "evdo": (75_000_000, 280_000_000), "full": (0, 0)},
}
"""Bits per second sent and received by name (``android_netspeeds``)."""
_DELAYS = {
    **{"gsm": (150, 550), "hscsd": (80, 400), "gprs": (35, 200), "edge": (80, 400), "umts": (35, 200)},
    **{"hsdpa": (0, 0), "lte": (0, 0), "evdo": (0, 0), "none": (0, 0)},
}
"""Milliseconds by name (``android_netdelays``)."""
_CALL_WORDS = {
    **{CallState.RINGING: "incoming", CallState.DIALING: "dialing", CallState.ACTIVE: "active"},
    CallState.HOLDING: "held",
}
_MAX_RSSI, _UNKNOWN_RSSI = 31, 99
_GSM_STATES = ("unregistered", "home", "roaming", "searching", "denied", "off", "on")
_GSM_REGISTERED = ("home", "roaming", "on")
_DIALER, _MESSAGES = "com.android.dialer", "com.android.messaging"
_STATUS = {"unknown": 1, "charging": 2, "discharging": 3, "not-charging": 4, "full": 5}
_HEALTH = {"unknown": 1, "good": BATTERY_GOOD, "overheat": 3, "dead": 4, "overvoltage": 5, "failure": 6}
_STATUS_WORDS = {1: "Unknown", 2: "Charging", 3: "Discharging", 4: "Not charging", 5: "Full"}
_HEALTH_WORDS = {
    1: "Unknown",
    2: "Good",
    3: "Overheat",
    4: "Dead",
    5: "Overvoltage",
    6: "Unspecified failure",
}
_MAX_PORT = 65535
_TRACKING_ID = 1
_PRESSURE = 60


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError as error:
        raise ConsoleRefusedError(f"argument '{text}' is not a number") from error
    if not math.isfinite(value):
        raise ConsoleRefusedError(f"argument '{text}' is not a number")
    return value


def _port(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and 0 < int(text) <= _MAX_PORT else None


class ConsoleCommands:
    """The commands for a phone."""

    def __init__(
        self, phone: Phone, snapshots: EmulatorSnapshots, redirects: PortRedirects, name: str
    ) -> None:
        """Create the commands.

        Args:
            phone: The phone.
            snapshots: Its snapshots.
            redirects: Its redirections of ports.
            name: Name of the emulated device (``avd name``).
        """
        self._phone = phone
        self._snapshots = snapshots
        self._redirects = redirects
        self._name = name
        command = ConsoleCommand
        self.commands = (
            command("ping", "check if the emulator is alive", handler=lambda args: "I am alive!\n"),
            command(
                "event",
                "simulate hardware events",
                "allows you to send fake hardware events to the kernel",
                commands=(
                    command("send", "send a series of events to the kernel", handler=self._event_send),
                    command("types", "list all <type> aliases", handler=self._event_types),
                    command("codes", "list all <code> aliases for a given <type>", handler=self._event_codes),
                    command("text", "simulate keystrokes from a given text", handler=self._event_text),
                    command("mouse", "simulate a mouse event", handler=self._event_mouse),
                ),
            ),
            command(
                "geo",
                "Geo-location commands",
                "allows you to change Geo-related settings, or to send GPS NMEA sentences",
                commands=(
                    command("nmea", "send a GPS NMEA sentence", handler=self._geo_nmea),
                    command(
                        "fix",
                        "send a simple GPS fix",
                        "'geo fix <longitude> <latitude> [<altitude> [<satellites> [<velocity>]]]'\n"
                        " allows you to send a simple GPS fix to the emulated system.",
                        handler=self._geo_fix,
                    ),
                ),
            ),
            command(
                "gsm",
                "GSM related commands",
                "allows you to change GSM-related settings, or to make a new inbound phone call",
                commands=(
                    command("list", "list current phone calls", handler=self._gsm_list),
                    command("call", "create inbound phone call", handler=self._gsm_call),
                    command(
                        "accept",
                        "change the state of an outbound call to 'active'",
                        "'gsm accept <phonenumber>'",
                        handler=self._gsm_accept,
                    ),
                    command("cancel", "disconnect an inbound or outbound call", handler=self._gsm_cancel),
                    command("status", "display GSM status", handler=self._gsm_status),
                    command(
                        "busy",
                        "close waiting outbound call as busy",
                        "'gsm busy <remoteNumber>'",
                        handler=self._gsm_busy,
                    ),
                    command(
                        "hold",
                        "change the state of an outbound call to 'held'",
                        "'gsm hold <remoteNumber>'",
                        handler=self._gsm_hold,
                    ),
                    command("signal", "set sets the rssi and ber", handler=self._gsm_signal),
                    command("data", "modify data connection state", handler=self._gsm_data),
                    command("voice", "modify voice connection state", handler=self._gsm_voice),
                ),
            ),
            command(
                "network",
                "manage network settings",
                "allows you to manage the settings related to the network data connection of the\n"
                "emulated device.",
                commands=(
                    command("status", "dump network status", handler=self._network_status),
                    command("speed", "change network speed", handler=self._network_speed),
                    command("delay", "change network latency", handler=self._network_delay),
                ),
            ),
            command(
                "power",
                "power related commands",
                "allows to change battery and AC power status",
                commands=(
                    command("display", "display battery and charger state", handler=self._power_display),
                    command("ac", "set AC charging state", handler=self._power_ac),
                    command("status", "set battery status", handler=self._power_status),
                    command("present", "set battery present state", handler=self._power_present),
                    command("health", "set battery health state", handler=self._power_health),
                    command("capacity", "set battery capacity state", handler=self._power_capacity),
                ),
            ),
            command(
                "redir",
                "manage port redirections",
                "allows you to add, list and remove UDP and/or PORT redirection from the host to the device",
                commands=(
                    command("list", "list current redirections", handler=self._redir_list),
                    command("add", "add new redirection", handler=self._redir_add),
                    command("del", "remove existing redirection", handler=self._redir_del),
                ),
            ),
            command(
                "sms",
                "SMS related commands",
                "allows you to simulate an inbound SMS",
                commands=(command("send", "send inbound SMS text message", handler=self._sms_send),),
            ),
            command(
                "avd",
                "control virtual device execution",
                "allows you to control (e.g. start/stop) the execution of the virtual device",
                commands=(
                    command("status", "query virtual device status", handler=self._avd_status),
                    command("name", "query virtual device name", handler=lambda args: f"{self._name}\n"),
                    command("id", "query virtual device ID", handler=lambda args: f"{self._name}\n"),
                    command(
                        "windowtype",
                        "query virtual device headless or qtwindow",
                        handler=lambda args: "windowtype=headless\n",
                    ),
                    command("path", "query AVD path", handler=lambda args: "NO_AVD_INFO\n"),
                    command(
                        "snapshot",
                        "state snapshot commands",
                        "allows you to save and restore the virtual device state in snapshots",
                        commands=(
                            command("list", "list available state snapshots", handler=self._snapshot_list),
                            command("save", "save state snapshot", handler=self._snapshot("save")),
                            command("load", "load state snapshot", handler=self._snapshot("load")),
                            command("del|delete", "delete state snapshot", handler=self._snapshot("del")),
                        ),
                    ),
                ),
            ),
            command(
                "sensor",
                "manage emulator sensors",
                "allows you to request the emulator sensors",
                commands=(
                    command("status", "list all sensors and their status.", handler=self._sensor_status),
                    command("get", "get sensor values", handler=self._sensor_get),
                    command("set", "set sensor values", handler=self._sensor_set),
                ),
            ),
            command(
                "finger",
                "manage emulator finger print",
                "allows you to touch the emulator finger print sensor",
                commands=(
                    command("touch", "touch finger print sensor with <fingerid>", handler=self._finger_touch),
                    command(
                        "remove", "remove finger from the fingerprint sensor", handler=self._finger_remove
                    ),
                ),
            ),
            command("rotate", "rotate the screen clockwise by 90 degrees", handler=self._rotate),
        )

    def _event_send(self, args: str) -> str:
        if not args:
            raise ConsoleRefusedError("Usage: event send <type>:<code>:<value> ...")
        events = [self._event(word) for word in args.split()]
        for kind, code, value in events:
            touch = kind in (EV_ABS, EV_SYN) or (kind, code) == (EV_KEY, BTN_TOUCH)
            self._phone.input_devices.write(TOUCHSCREEN if touch else KEYS, kind, code, value)
        return ""

    def _event(self, word: str) -> tuple[int, int, int]:
        first, _, rest = word.partition(":")
        second, _, third = rest.partition(":")
        kind = _by_name(first, EVENT_TYPES)
        if kind is None:
            raise ConsoleRefusedError(
                f"invalid event type in '{word}', try 'event list types' for valid values"
            )
        code = _by_name(second, EVENT_CODES.get(kind, {}))
        if code is None:
            raise ConsoleRefusedError(
                f"invalid event code in '{word}', try 'event list codes <type>' for valid values"
            )
        if not re.fullmatch(r"-?\d{1,10}", third, re.ASCII):
            raise ConsoleRefusedError(f"invalid event value in '{word}', must be an integer")
        return kind, code, int(third)

    def _event_types(self, args: str) -> str:
        rows = ""
        for number, name in EVENT_TYPES.items():
            count = len(EVENT_CODES.get(number, ()))
            rows += f"    {name:<8}" + (f"  ({count} code aliases)" if count else "") + "\n"
        return f"event <type> can be an integer or one of the following aliases\n{rows}"

    def _event_codes(self, args: str) -> str:
        if not args:
            raise ConsoleRefusedError("argument missing, try 'event codes <type>'")
        kind = _by_name(args, EVENT_TYPES)
        if kind is None:
            raise ConsoleRefusedError("bad argument, see 'event types' for valid values")
        names = EVENT_CODES.get(kind, {}).values()
        if not names:
            return "no code aliases defined for this type\n"
        rows = "".join(f"    {name:<12}\n" for name in names)
        return f"type '{args}' accepts the following <code> aliases:\n{rows}"

    def _event_text(self, args: str) -> str:
        """Type as on the keyboard; characters without a key are dropped silently, as in the emulator."""
        if not args:
            raise ConsoleRefusedError("argument missing, try 'event text <message>'")
        for number, line in enumerate(unescape(args).split("\n")):
            if number:
                self._phone.input.key(KeyCode.ENTER)
            if typed := "".join(char for char in line if " " <= char <= "~"):
                self._phone.input.text(typed)
        return ""

    def _event_mouse(self, args: str) -> str:
        words = args.split()
        if not words:
            raise ConsoleRefusedError("argument missing, try 'event mouse <x> <y> <device> <buttonstate>'")
        if len(words) != 4 or not all(re.fullmatch(r"-?\d{1,9}", word, re.ASCII) for word in words):
            raise ConsoleRefusedError("Invalid arguments. Make sure you provide 4 integers.")
        x, y, device, buttons = map(int, words)
        if device == 0:
            values = {TRACKING_ID: _TRACKING_ID, POSITION_X: x, POSITION_Y: y, PRESSURE: _PRESSURE}
            pressed = bool(buttons & 1)
            for code, value in values.items() if pressed else [(TRACKING_ID, -1)]:
                self._phone.input_devices.write(TOUCHSCREEN, EV_ABS, code, value)
            self._phone.input_devices.write(TOUCHSCREEN, EV_KEY, BTN_TOUCH, int(pressed))
            self._phone.input_devices.write(TOUCHSCREEN, EV_SYN, SYN_REPORT, 0)
        return ""

    def _geo_fix(self, args: str) -> str:
        words = args.split()[:5]
        values = [_number(word) for word in words]
        if len(values) < 2:
            raise ConsoleRefusedError("not enough arguments: see 'help geo fix' for details")
        longitude, latitude, *rest = values
        if not -180 <= longitude <= 180:
            raise ConsoleRefusedError("invalid longitude value. Should be in [-180,+180] range")
        if not -90 <= latitude <= 90:
            raise ConsoleRefusedError("invalid latitude value. Should be in [-90,+90] range")
        altitude, satellites, velocity = (*rest, *(0.0, 1.0, 0.0)[len(rest) :])
        if satellites != int(satellites) or not 1 <= satellites <= 12:
            raise ConsoleRefusedError("invalid number of satellites. Must be an integer between 1 and 12")
        uptime = self._phone.clock.uptime_ms
        self._phone.sensors.fix = GpsFix(latitude, longitude, altitude, int(satellites), velocity, uptime)
        return ""

    def _geo_nmea(self, args: str) -> str:
        if not args:
            raise ConsoleRefusedError("NMEA sentence missing, try 'help geo nmea'")
        if (fix := nmea_position(args)) is not None:
            self._phone.sensors.fix = GpsFix(*fix, at_ms=self._phone.clock.uptime_ms)
        return ""

    def _sensor_status(self, args: str) -> str:
        return "".join(f"{name}: enabled.\n" for name in self._phone.sensors.names)

    def _reading(self, name: str) -> Reading:
        try:
            return self._phone.sensors.get(name)
        except UnknownSensorError as error:
            raise ConsoleRefusedError(
                f"unknown sensor name: {name}, run 'sensor status' to get available sensors."
            ) from error

    def _sensor_get(self, args: str) -> str:
        if not args:
            raise ConsoleRefusedError('Usage: "get <sensorname>"')
        name = args.split()[0]
        return f"{name} = {':'.join(f'{value:g}' for value in self._reading(name))}\n"

    def _sensor_set(self, args: str) -> str:
        usage = 'Usage: "set <sensorname> <value-a>[:<value-b>[:<value-c>]]"'
        name, _, text = args.partition(" ")
        if not name or not text.strip():
            raise ConsoleRefusedError(usage)
        values = list(self._reading(name))
        for place, word in enumerate(text.strip().split(":")[:3]):
            if word:
                try:
                    values[place] = _number(word)
                except ConsoleRefusedError as error:
                    raise ConsoleRefusedError(usage) from error
        first, second, third = values
        self._phone.sensors.set(name, (first, second, third))
        return ""

    def _finger_touch(self, args: str) -> str:
        if not args:
            raise ConsoleRefusedError("missing fingerid")
        found = re.match(r"[+-]?\d{1,9}", args, re.ASCII)
        if found is None:
            raise ConsoleRefusedError("invalid fingerid")
        self._phone.sensors.finger = int(found[0])
        enrolled = "no fingerprint is enrolled"
        message = f"touch of finger {found[0]}: {enrolled}"
        self._phone.logcat.write("D", "FingerprintHal", message, pid=SYSTEM_SERVER_PID)
        return ""

    def _finger_remove(self, args: str) -> str:
        self._phone.sensors.finger = None
        return ""

    def _power_display(self, args: str) -> str:
        battery = self._phone.battery
        return (
            f"AC: {'online' if battery.plugged else 'offline'}\n"
            f"status: {_STATUS_WORDS[battery.reported_status]}\nhealth: {_HEALTH_WORDS[battery.health]}\n"
            f"present: {'true' if battery.present else 'false'}\ncapacity: {battery.level}\n"
        )

    def _power_ac(self, args: str) -> str:
        if args.lower() not in ("on", "off"):
            raise ConsoleRefusedError('Usage: "ac on" or "ac off"')
        self._phone.battery.plugged = args.lower() == "on"
        self._phone.battery.status = None
        return self._powered()

    def _power_status(self, args: str) -> str:
        if args.lower() not in _STATUS:
            raise ConsoleRefusedError('Usage: "status unknown|charging|discharging|not-charging|full"')
        self._phone.battery.status = _STATUS[args.lower()]
        return self._powered()

    def _power_present(self, args: str) -> str:
        if args.lower() not in ("true", "false"):
            raise ConsoleRefusedError('Usage: "present true" or "present false"')
        self._phone.battery.present = args.lower() == "true"
        return self._powered()

    def _power_health(self, args: str) -> str:
        if args.lower() not in _HEALTH:
            raise ConsoleRefusedError('Usage: "health unknown|good|overheat|dead|overvoltage|failure"')
        self._phone.battery.health = _HEALTH[args.lower()]
        return self._powered()

    def _power_capacity(self, args: str) -> str:
        if not (args.isascii() and args.isdigit() and int(args) <= 100):
            raise ConsoleRefusedError('Usage: "capacity <percentage>"')
        self._phone.battery.level = int(args)
        return self._powered()

    def _powered(self) -> str:
        self._phone.changed()
        return ""

    def _redir_list(self, args: str) -> str:
        rows = [f"{each.protocol}:{each.host_port:<5} => {each.phone_port:<5}\n" for each in self._redirects]
        return "".join(rows) or "no active redirections\n"

    def _redir_add(self, args: str) -> str:
        match args.split(":"):
            case ["tcp" | "udp" as protocol, first, second]:
                host_port, phone_port = _port(first), _port(second)
                if host_port is not None and phone_port is not None:
                    self._redirect(lambda: self._redirects.add(Redirect(protocol, host_port, phone_port)))
                    return ""
        raise ConsoleRefusedError("bad redirection format, try (tcp|udp):hostport:guestport")

    def _redir_del(self, args: str) -> str:
        match args.split(":"):
            case ["tcp" | "udp" as protocol, first]:
                host_port = _port(first)
                if host_port is not None:
                    self._redirect(lambda: self._redirects.remove(protocol, host_port))
                    return ""
        raise ConsoleRefusedError("bad redirection format, try (tcp|udp):hostport")

    def _redirect(self, change: Callable[[], None]) -> None:
        try:
            change()
        except RedirectError as error:
            raise ConsoleRefusedError(str(error)) from error

    def _network_status(self, args: str) -> str:
        sent, received = (f"{bits:8d} bits/s ({bits / 8192:.1f} KB/s)" for bits in self._phone.network.speed)
        least, greatest = self._phone.network.delay_ms
        return (
            f"Current network status:\n  download speed:   {received}\n  upload speed:     {sent}\n"
            f"  minimum latency:  {least} ms\n  maximum latency:  {greatest} ms\n"
        )

    def _network_speed(self, args: str) -> str:
        if not args:
            raise ConsoleRefusedError("missing <speed> argument, see 'help network speed'")
        speed = _SPEEDS.get(args) or _pair(args)
        if speed is None:
            raise ConsoleRefusedError("invalid <speed> argument, see 'help network speed' for valid values")
        # numbers are kilobits, names are known in bits
        self._phone.network.speed = speed if args in _SPEEDS else (speed[0] * 1000, speed[1] * 1000)
        return ""

    def _network_delay(self, args: str) -> str:
        if not args:
            raise ConsoleRefusedError("missing <delay> argument, see 'help network delay'")
        delay = _DELAYS.get(args) or _pair(args)
        if delay is None:
            raise ConsoleRefusedError("invalid <delay> argument, see 'help network delay' for valid values")
        self._phone.network.delay_ms = delay
        return ""

    def _gsm_list(self, args: str) -> str:
        return "".join(
            f"{'outbound to  ' if call.is_outgoing else 'inbound from'} {call.number:<10} : "
            f"{_CALL_WORDS[call.state]}\n"
            for call in self._phone.network.calls
        )

    def _gsm_call(self, args: str) -> str:
        if not args:
            raise ConsoleRefusedError("missing argument, try 'gsm call <phonenumber>'")
        if not re.fullmatch(r"[0-9+#]+", args):
            raise ConsoleRefusedError("bad phone number format, use digits, # and + only")
        self._phone.network.calls.ring(args)
        self._phone.notifications.post(_DIALER, "call", args, "")
        return ""

    def _gsm_accept(self, args: str) -> str:
        if not args:
            raise ConsoleRefusedError("missing argument, try 'gsm accept <phonenumber>'")
        if not self._phone.network.calls.accept(args):
            raise ConsoleRefusedError("could not accept this number")
        self._phone.changed()
        return ""

    def _gsm_status(self, args: str) -> str:
        network = self._phone.network
        data = network.mobile_data and not network.airplane
        return (
            f"gsm voice state: {'unregistered' if network.airplane else network.voice}\n"
            f"gsm data state:  {'home' if data else 'unregistered'}\n"
        )

    def _gsm_data(self, args: str) -> str:
        if args not in _GSM_STATES:
            raise ConsoleRefusedError("bad GSM data state name, try 'help gsm data' for list of valid values")
        self._phone.network.mobile_data = args in _GSM_REGISTERED
        self._phone.changed()
        return ""

    def _gsm_voice(self, args: str) -> str:
        if args not in _GSM_STATES:
            raise ConsoleRefusedError(
                "bad GSM voice state name, try 'help gsm voice' for list of valid values"
            )
        self._phone.network.voice = "unregistered" if args == "off" else "home" if args == "on" else args
        return ""

    def _gsm_busy(self, args: str) -> str:
        if not args:
            raise ConsoleRefusedError("missing argument, try 'gsm busy <phonenumber>'")
        found = self._phone.network.calls.find(args)
        if found is None or not found.is_outgoing:
            raise ConsoleRefusedError(f"no current outbound call to number '{args}' (call (nil))")
        self._phone.network.calls.hang_up(args)
        self._phone.changed()
        return ""

    def _gsm_hold(self, args: str) -> str:
        if not args:
            raise ConsoleRefusedError("missing argument, try 'gsm hold <phonenumber>'")
        if not self._phone.network.calls.hold(args):
            raise ConsoleRefusedError("could put this call on hold")
        self._phone.changed()
        return ""

    def _gsm_signal(self, args: str) -> str:
        words = args.split()
        if not words:
            raise ConsoleRefusedError("not enough arguments: see 'help gsm signal' for details")
        level = int(words[0]) if words[0].isdecimal() else -1
        if not (0 <= level <= _MAX_RSSI or level == _UNKNOWN_RSSI):
            raise ConsoleRefusedError("invalid RSSI - must be 0..31 or 99")
        known = level != _UNKNOWN_RSSI  # 3GPP TS 27.007: steps of 2 dB above -113 dBm
        self._phone.network.signal_dbm = 2 * level - 113 if known else -113
        return ""

    def _gsm_cancel(self, args: str) -> str:
        if not args:
            raise ConsoleRefusedError("missing argument, try 'gsm cancel <phonenumber>'")
        ended = self._phone.network.calls.hang_up(args)
        if ended is None:
            raise ConsoleRefusedError("could not cancel this number")
        if not ended.is_outgoing:
            missed = ended.state is CallState.RINGING
            contacts_provider.log_call(
                self._phone, args, contacts_provider.MISSED if missed else contacts_provider.INCOMING
            )
        self._phone.notifications.cancel_all(_DIALER)
        return ""

    def _sms_send(self, args: str) -> str:
        number, space, text = args.partition(" ")
        if not space:
            raise ConsoleRefusedError("missing argument, try 'sms send <phonenumber> <text message>'")
        if not re.fullmatch(r"\+?[0-9]+", number):
            raise ConsoleRefusedError("bad phone number format, must be [+](0-9)*")
        self._phone.notifications.post(_MESSAGES, "message", number, unescape(text))
        return ""

    def _avd_status(self, args: str) -> str:
        return "virtual device is running\n"

    def _snapshot_list(self, args: str) -> str:
        return "".join(f"{line}\n" for line in self._snapshots.lines())

    def _snapshot(self, verb: str) -> Handler:
        effect = {"save": self._snapshots.save, "load": self._snapshots.load, "del": self._snapshots.delete}

        def handle(args: str) -> str:
            if not args:
                raise ConsoleRefusedError(f"Argument missing, try 'avd snapshot {verb} <name>'")
            try:
                effect[verb](args)
            except InputError as error:
                raise ConsoleRefusedError(str(error)) from error
            return ""

        return handle

    def _rotate(self, args: str) -> str:
        turned = (self._phone.display.rotation + 1) % 4
        self._phone.settings.put("system", "accelerometer_rotation", "0")
        self._phone.settings.put("system", "user_rotation", str(turned))
        self._phone.changed()
        return ""


def _pair(text: str) -> tuple[int, int] | None:
    """Return the numbers of ``N`` or ``N:M``; a single one counts for both; None for any other text."""
    found = re.fullmatch(r"(\d{1,9})(?::(\d{1,9}))?", text, re.ASCII)
    return None if found is None else (int(found[1]), int(found[2] or found[1]))


def _by_name(text: str, names: Mapping[int, str]) -> int | None:
    """Return the number of a name, or of a number in digits; None if it is neither."""
    if text.isascii() and text.isdigit() and len(text) < 6:
        return int(text)
    return next((number for number, name in names.items() if name == text), None)
