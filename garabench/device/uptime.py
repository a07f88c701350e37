"""Read the device's uptime."""

from __future__ import annotations

import math

from garabench.device.adb import Adb
from garabench.errors import CommandError

UPTIME = ("cat", "/proc/uptime")
"""The kernel's time since boot, deep sleep included; a change of date and time does not affect it."""


def uptime(adb: Adb) -> float:
    """Return the seconds since the device was booted.

    Raises:
        CommandError: The device does not report its uptime.
        DeviceError: The device is gone.
    """
    text = adb.shell(list(UPTIME)).check("read /proc/uptime").stdout
    try:
        seconds = float(text.split()[0])
    except (IndexError, ValueError) as error:
        raise CommandError(f"/proc/uptime holds no time: {text[:40]!r}") from error
    if not math.isfinite(seconds):
        raise CommandError(f"/proc/uptime holds no time: {text[:40]!r}")
    return seconds
