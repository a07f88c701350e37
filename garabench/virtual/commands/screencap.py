"""``screencap``: the screen as a PNG or as raw pixels."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from garabench.virtual.android.phone import Phone
from garabench.virtual.commands.durations import durations
from garabench.virtual.shell.call import Command, CommandCall


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
    frame = phone.frame()
    if png or (paths and paths[0].endswith(".png")):
        data = frame.png()
    else:
        # AOSP screencap: width, height, format RGBA_8888, and since Android 9 the color space (sRGB).
        numbers = [frame.size.width, frame.size.height, 1, *([1] if phone.profile.sdk >= 28 else [])]
        data = b"".join(number.to_bytes(4, "little") for number in numbers) + frame.rgba()
    if not paths:
        await call.write(data)
        return 0
    try:
        phone.files.write(call.path(paths[0]), data)
    except OSError as error:
        await call.print_error(f"Error opening file: {paths[0]} ({error.strerror})\n")
        return 1
    return 0


def commands(phone: Phone) -> Mapping[str, Command]:
    """Return the command by name."""
    return {"screencap": partial(screencap, phone)}
