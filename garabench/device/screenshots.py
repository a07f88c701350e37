"""Take screenshots: over ``exec-out`` where the device supports it, through a file before Android 5.

Until Android 4.4 a screenshot has the display's natural orientation, and some builds keep that later. It is
turned to the screen's, so that picture, tree and touches have the same coordinates.
"""

from __future__ import annotations

import io
import struct

from PIL import Image

from garabench.core import png
from garabench.core.geometry import Size
from garabench.core.observation import Screenshot
from garabench.device.adb import Adb
from garabench.errors import CommandError

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_FILE = "/data/local/tmp/garabench-screen.png"
_SCREENCAP = ("screencap", "-p")
_FIRST_SDK_WITH_EXEC = 21
_FIRST_SDK_THAT_TURNS = 21
"""First API level whose ``screencap`` turns the picture to the screen's rotation."""
_UPRIGHT = {
    1: Image.Transpose.ROTATE_90,
    2: Image.Transpose.ROTATE_180,
    3: Image.Transpose.ROTATE_270,
}
"""By rotation: Android draws clockwise by so many quarter turns, and Pillow turns back counterclockwise."""


def png_size(data: bytes) -> Size:
    """Return the width and height in a PNG's header.

    Raises:
        ValueError: The data is not a PNG.
    """
    if len(data) < 24 or not data.startswith(_SIGNATURE) or data[12:16] != b"IHDR":
        raise ValueError("not a PNG")
    width, height = struct.unpack_from(">II", data, 16)
    return Size(width, height)


def take_screenshot(adb: Adb, sdk: int) -> Screenshot:
    """Take a screenshot.

    Args:
        adb: The device.
        sdk: Its API level; before 21 there is no ``exec:`` service, and a terminal mangles binary output.

    Raises:
        CommandError: The output is not a PNG (a secure screen on some devices, a full disk).
        DeviceError: The device is gone.
    """
    if sdk >= _FIRST_SDK_WITH_EXEC:
        data = adb.exec_out(_SCREENCAP)
    else:
        adb.shell(["screencap", "-p", _FILE]).check("take a screenshot")
        data = adb.pull(_FILE)
        adb.shell(["rm", "-f", _FILE])
    return _screenshot(data, adb.serial)


class PendingScreenshot:
    """A screenshot that the device takes while other calls are made (Android 5 and newer)."""

    def __init__(self, adb: Adb) -> None:
        """Have the device start to take it.

        Raises:
            DeviceError: The device is gone.
        """
        self._serial = adb.serial
        self._running = adb.start_exec_out(_SCREENCAP)

    def result(self) -> Screenshot:
        """Wait for the screenshot; its errors are those of `take_screenshot`."""
        return _screenshot(self._running.read(), self._serial)

    def close(self) -> None:
        """Discard it."""
        self._running.close()


def _screenshot(data: bytes, serial: str) -> Screenshot:
    try:
        return Screenshot(png=data, size=png_size(data))
    except ValueError as error:
        output = data[:80].decode("utf-8", errors="replace").strip() or "nothing"
        raise CommandError(f"{serial} returned no screenshot: screencap printed {output!r}") from error


def is_natural(picture: Size, *, rotation: int, screen: Size, sdk: int) -> bool:
    """Return whether a picture has the display's natural orientation although the screen is turned.

    The shape shows it after a quarter turn. After a half turn, or on a square display, the Android version
    decides.

    Args:
        picture: Its size.
        rotation: The screen's rotation in quarter turns.
        screen: The screen's size in that rotation.
        sdk: Android's API level.
    """
    if rotation % 4 == 0:
        return False
    if rotation % 2 and screen.width != screen.height:
        return (picture.width > picture.height) != (screen.width > screen.height)
    return sdk < _FIRST_SDK_THAT_TURNS


def upright(screenshot: Screenshot, *, rotation: int, screen: Size, sdk: int) -> Screenshot:
    """Return a screenshot in the orientation and size of the screen; turning it loses nothing.

    A picture of another resolution is scaled: older versions capture the physical display, while
    ``wm size`` gives the screen another size.

    Args:
        screenshot: The screenshot as the device took it.
        rotation: The screen's rotation in quarter turns.
        screen: The screen's size in that rotation.
        sdk: Android's API level.

    Raises:
        CommandError: It must be changed and cannot be decoded.
    """
    natural = is_natural(screenshot.size, rotation=rotation, screen=screen, sdk=sdk)
    if not natural and screenshot.size == screen:
        return screenshot
    image = _decode(screenshot.png)
    if natural:
        image = image.transpose(_UPRIGHT[rotation % 4])
    if image.size != (screen.width, screen.height):
        image = image.resize((screen.width, screen.height))
    return Screenshot(png=png.encode_png(image), size=screen)


def _decode(data: bytes) -> Image.Image:
    try:
        return png.decode_png(data) or Image.open(io.BytesIO(data)).convert("RGB")
    except (OSError, SyntaxError, ValueError) as error:  # Pillow raises all of them for corrupt files
        raise CommandError(f"the screenshot cannot be decoded: {error}") from error
