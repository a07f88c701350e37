"""``avd`` of the emulator console: the name of the device and its snapshots.

Source: ``external/qemu/android/android-emu/android/console.cpp`` of AOSP.
"""

from __future__ import annotations

from garabench.errors import InputError
from garabench.virtual.console.command_language import ConsoleCommand, ConsoleRefusedError, Handler
from garabench.virtual.emulator_snapshots import EmulatorSnapshots


class AvdCommands:
    """The command ``avd`` for an emulated device."""

    def __init__(self, name: str, snapshots: EmulatorSnapshots) -> None:
        """Create the commands.

        Args:
            name: Name of the emulated device.
            snapshots: Its snapshots.
        """
        self._name = name
        self._snapshots = snapshots
        command = ConsoleCommand
        self.avd = command(
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
        )

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
