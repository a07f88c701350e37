"""``power`` of the emulator console: the battery and the charger.

Source: ``external/qemu/android/android-emu/android/console.cpp`` of AOSP.
"""

from __future__ import annotations

from garabench.virtual.android.hardware import BATTERY_GOOD
from garabench.virtual.android.phone import Phone
from garabench.virtual.console.command_language import ConsoleCommand, ConsoleRefusedError

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


class PowerCommands:
    """The command ``power`` for a phone."""

    def __init__(self, phone: Phone) -> None:
        """Create the commands.

        Args:
            phone: The phone.
        """
        self._phone = phone
        command = ConsoleCommand
        self.power = command(
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
        )

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
