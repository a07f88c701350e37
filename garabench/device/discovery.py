"""List the devices that the adb server knows."""

from __future__ import annotations

from dataclasses import dataclass

import adbutils
from adbutils.errors import AdbError

from garabench.device.adb import DEFAULT_TIMEOUT, translate


@dataclass(frozen=True, slots=True)
class ListedDevice:
    """A device as the adb server lists it.

    Attributes:
        serial: Its serial.
        state: ``device``, ``offline``, ``unauthorized``, …
    """

    serial: str
    state: str


def list_devices() -> tuple[ListedDevice, ...]:
    """Return every device that the adb server knows, usable or not; start the server when none is running.

    Raises:
        DeviceUnreachableError: No adb server responds, and none can be started.
    """
    try:
        found = adbutils.AdbClient(socket_timeout=DEFAULT_TIMEOUT).list()
    except (AdbError, OSError) as error:
        raise translate(error, "the adb server", "listing devices") from error
    return tuple(ListedDevice(item.serial, item.state) for item in found)
