"""All commands of the emulator console, with the words of Android's emulator.

Source: ``external/qemu/android/android-emu/android/console.cpp`` of AOSP.
"""

from __future__ import annotations

from garabench.virtual.android.phone import Phone
from garabench.virtual.console.avd_commands import AvdCommands
from garabench.virtual.console.command_language import ConsoleCommand
from garabench.virtual.console.event_commands import EventCommands
from garabench.virtual.console.network_commands import NetworkCommands
from garabench.virtual.console.port_redirects import PortRedirects
from garabench.virtual.console.power_commands import PowerCommands
from garabench.virtual.console.sensor_commands import SensorCommands
from garabench.virtual.console.telephony_commands import TelephonyCommands
from garabench.virtual.emulator_snapshots import EmulatorSnapshots


class ConsoleCommands:
    """The commands for a phone.

    Attributes:
        commands: The commands, in the order of the emulator's help.
    """

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
        telephony = TelephonyCommands(phone)
        network = NetworkCommands(phone, redirects)
        sensors = SensorCommands(phone)
        self.commands = (
            ConsoleCommand("ping", "check if the emulator is alive", handler=lambda args: "I am alive!\n"),
            EventCommands(phone).event,
            sensors.geo,
            telephony.gsm,
            network.network,
            PowerCommands(phone).power,
            network.redir,
            telephony.sms,
            AvdCommands(name, snapshots).avd,
            sensors.sensor,
            sensors.finger,
            ConsoleCommand("rotate", "rotate the screen clockwise by 90 degrees", handler=self._rotate),
        )

    def _rotate(self, args: str) -> str:
        turned = (self._phone.display.rotation + 1) % 4
        self._phone.settings.put("system", "accelerometer_rotation", "0")
        self._phone.settings.put("system", "user_rotation", str(turned))
        self._phone.changed()
        return ""
