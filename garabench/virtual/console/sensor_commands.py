"""``geo``, ``sensor`` and ``finger`` of the emulator console.

Source: ``external/qemu/android/android-emu/android/console.cpp`` of AOSP.
"""

from __future__ import annotations

import math
import re

from garabench.virtual.android.phone import Phone
from garabench.virtual.android.sensors import GpsFix, Reading, UnknownSensorError
from garabench.virtual.android.system_processes import SYSTEM_SERVER_PID
from garabench.virtual.console.command_language import ConsoleCommand, ConsoleRefusedError
from garabench.virtual.console.nmea import nmea_position


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError as error:
        raise ConsoleRefusedError(f"argument '{text}' is not a number") from error
    if not math.isfinite(value):
        raise ConsoleRefusedError(f"argument '{text}' is not a number")
    return value


class SensorCommands:
    """The commands ``geo``, ``sensor`` and ``finger`` for a phone."""

    def __init__(self, phone: Phone) -> None:
        """Create the commands.

        Args:
            phone: The phone.
        """
        self._phone = phone
        command = ConsoleCommand
        self.geo = command(
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
        )
        self.sensor = command(
            "sensor",
            "manage emulator sensors",
            "allows you to request the emulator sensors",
            commands=(
                command("status", "list all sensors and their status.", handler=self._sensor_status),
                command("get", "get sensor values", handler=self._sensor_get),
                command("set", "set sensor values", handler=self._sensor_set),
            ),
        )
        self.finger = command(
            "finger",
            "manage emulator finger print",
            "allows you to touch the emulator finger print sensor",
            commands=(
                command("touch", "touch finger print sensor with <fingerid>", handler=self._finger_touch),
                command("remove", "remove finger from the fingerprint sensor", handler=self._finger_remove),
            ),
        )

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
