"""``screencap``: the screen as a PNG or as raw pixels."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PIL import Image

from garabench.virtual.android.phone import Phone
from garabench.virtual.commands.durations import durations
from garabench.virtual.shell.call import Command, CommandCall
from garabench.virtual.ui.frame import Frame

_FIRST_SDK_THAT_TURNS = 21
"""Before Android 5 the picture has the display's natural orientation, regardless of the screen's rotation."""
_RGBA_8888, _RGB_565 = 1, 4
"""Pixel formats of Android."""
_TO_NATURAL = {
    1: Image.Transpose.ROTATE_270,
    2: Image.Transpose.ROTATE_180,
    3: Image.Transpose.ROTATE_90,
}
"""By rotation: with rotation 1 Android draws turned clockwise by a quarter; Pillow counts the other way."""


async def screencap(phone: Phone, call: CommandCall) -> int:
    """``screencap [-p] [-d ID] [PATH]``: a PNG with ``-p`` or for a ``.png`` path, else raw pixels."""
    args, paths, png = call.argv[1:], [], False
    while args:
        arg = args.pop(0)
        if arg == "-d":
            args = args[1:]
        elif arg == "-p":
            png = True
        elif arg.startswith("-"):
            await call.print_error("usage: screencap [-hp] [-d display-id] [FILENAME]\n")
            return 0 if arg == "-h" else 1
        else:
            paths.append(arg)
    await phone.spend(durations(phone).screenshot)
    frame = _captured(phone)
    png = png or (bool(paths) and paths[0].endswith(".png"))
    data = frame.png() if png else _raw(phone, frame)
    if not paths:
        await call.write(data)
        return 0
    try:
        phone.files.write(call.path(paths[0]), data)
    except OSError as error:
        await call.print_error(f"Error opening file: {paths[0]} ({error.strerror})\n")
        return 1
    return 0


def _raw(phone: Phone, frame: Frame) -> bytes:
    """Return AOSP's raw form: width, height, format, since Android 9 the color space (sRGB), and the pixels.

    On the Android 4.4.2 that was seen, pixels have 16 bits.
    """
    old = phone.profile.sdk < _FIRST_SDK_THAT_TURNS
    numbers = [
        frame.size.width,
        frame.size.height,
        _RGB_565 if old else _RGBA_8888,
        *([1] if phone.profile.sdk >= 28 else []),
    ]
    pixels = frame.rgb565() if old else frame.rgba()
    return b"".join(number.to_bytes(4, "little") for number in numbers) + pixels


def _captured(phone: Phone) -> Frame:
    """Return the screen in the orientation in which this Android version captures it."""
    frame, turn = phone.frame(), _TO_NATURAL.get(phone.display.rotation)
    if turn is None or phone.profile.sdk >= _FIRST_SDK_THAT_TURNS:
        return frame
    return Frame(frame.image.transpose(turn))


def commands(phone: Phone) -> Mapping[str, Command]:
    """Return the command by name."""
    return {"screencap": partial(screencap, phone)}
