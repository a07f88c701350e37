"""Which devices the adb server knows."""

from __future__ import annotations

from dataclasses import dataclass

import adbutils
from adbutils.errors import AdbError

from garabench.device.adb import DEFAULT_TIMEOUT, translate


@dataclass(frozen=True, slots=True)
class Listed:
    """A device as the adb server lists it.

    Attributes:
        serial: Its name.
        state: ``device``, ``offline``, ``unauthorized``, …
    """

    serial: str
    state: str


def list_devices() -> tuple[Listed, ...]:
    """Every device that the adb server knows, usable or not; the server is started when none runs.

    Raises:
        DeviceUnreachable: There is no adb server, and none can be started.
    """
    try:
        found = adbutils.AdbClient(socket_timeout=DEFAULT_TIMEOUT).list()
    except (AdbError, OSError) as error:
        raise translate(error, "the adb server", "listing devices") from error
    return tuple(Listed(item.serial, item.state) for item in found)
