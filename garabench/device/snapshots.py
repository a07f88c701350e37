"""Snapshots of a running emulator: its whole state at one moment, saved and loaded over its console.

After a load the guest continues from the saved moment. Android's emulator keeps the connection of the adb
server then, but an older one drops it, and programs that were started later are gone in either case. So the
connection is checked after a load; uiautomator2's server is started again by the next call if it has ended.
"""

from __future__ import annotations

import contextlib
import re

from garabench.core.device_changes import CONSOLE
from garabench.device import console
from garabench.device.device import Device
from garabench.device.reconnect import reconnect
from garabench.errors import CommandError, DeviceLostError

_SNAPSHOT = (CONSOLE, "avd", "snapshot")
_LIMIT_S = 120.0
"""A real emulator writes its memory to disk."""
_RECONNECT_S = 30.0
_NAME = re.compile(r"[a-z0-9-]+")


class DeviceSnapshots:
    """The snapshots of one device."""

    def __init__(self, device: Device) -> None:
        self._device = device

    @property
    def supported(self) -> bool:
        """Whether the device has a console that knows snapshots.

        Raises:
            DeviceError: The device is gone.
        """
        if not console.is_emulator(self._device.adb.serial):
            return False
        try:
            self._run("list")
        except CommandError:
            return False
        return True

    def save(self, name: str) -> None:
        """Save the present state; it replaces an earlier snapshot of that name.

        Args:
            name: Small letters, digits and hyphens.

        Raises:
            CommandError: The device has no console, or its console refused.
            DeviceError: The device is gone.
        """
        if not _NAME.fullmatch(name):
            raise ValueError(f"not a name of a snapshot: {name!r}")
        self._run("save", name)

    def load(self, name: str) -> None:
        """Continue from a snapshot.

        Raises:
            CommandError: There is no such snapshot, or the console refused.
            DeviceLostError: The device did not come back.
            DeviceError: The device is gone.
        """
        self._run("load", name)
        if not reconnect(self._device.adb, _RECONNECT_S):
            raise DeviceLostError(f"{self._device.adb.serial} did not come back after loading a snapshot")
        self._device.revive()

    def delete(self, name: str) -> None:
        """Delete a snapshot, if it exists.

        Raises:
            DeviceError: The device is gone.
        """
        with contextlib.suppress(CommandError):
            self._run("del", name)

    def _run(self, *words: str) -> None:
        console.run_in_shell_or_console(self._device.adb, (*_SNAPSHOT, *words), limit=_LIMIT_S)
