"""Take screenshots: over ``exec-out`` where the device supports it, through a file before Android 5."""

from __future__ import annotations

import struct

from garabench.core.geometry import Size
from garabench.core.observation import Screenshot
from garabench.device.adb import Adb
from garabench.errors import CommandError

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_FILE = "/data/local/tmp/garabench-screen.png"
_FIRST_SDK_WITH_EXEC = 21


def png_size(data: bytes) -> Size:
    """Return the width and height in a PNG's header.

    Raises:
        ValueError: The data is not a PNG.
    """
    if len(data) < 24 or not data.startswith(_SIGNATURE) or data[12:16] != b"IHDR":
        raise ValueError("not a PNG")
    width, height = struct.unpack_from(">II", data, 16)
    return Size(width, height)


def take(adb: Adb, sdk: int) -> Screenshot:
    """Take a screenshot.

    Args:
        adb: The device.
        sdk: Its API level; before 21 there is no ``exec:`` service, and a terminal mangles binary output.

    Raises:
        CommandError: The output is not a PNG (a secure screen on some devices, a full disk).
        DeviceError: The device is gone.
    """
    if sdk >= _FIRST_SDK_WITH_EXEC:
        data = adb.exec_out(["screencap", "-p"])
    else:
        adb.shell(["screencap", "-p", _FILE]).check("take a screenshot")
        data = adb.pull(_FILE)
        adb.shell(["rm", "-f", _FILE])
    try:
        return Screenshot(png=data, size=png_size(data))
    except ValueError as error:
        output = data[:80].decode("utf-8", errors="replace").strip() or "nothing"
        raise CommandError(f"{adb.serial} returned no screenshot: screencap printed {output!r}") from error
