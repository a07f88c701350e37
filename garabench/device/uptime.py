"""The device's own clock: how long it has been on."""

from __future__ import annotations

import math

from garabench.device.adb import Adb
from garabench.errors import CommandFailed

UPTIME = ("cat", "/proc/uptime")
"""The kernel's count since it was started, deep sleep included; a change of date and time leaves it alone."""


def uptime(adb: Adb) -> float:
    """Seconds since the device was started.

    Raises:
        CommandFailed: It does not tell.
        DeviceError: It is gone.
    """
    text = adb.shell(list(UPTIME)).check("read /proc/uptime").stdout
    try:
        seconds = float(text.split()[0])
    except (IndexError, ValueError) as error:
        raise CommandFailed(f"/proc/uptime holds no time: {text[:40]!r}") from error
    if not math.isfinite(seconds):
        raise CommandFailed(f"/proc/uptime holds no time: {text[:40]!r}")
    return seconds
