"""``wm``: the display's size, density and rotation, in each Android version's form."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial

from garabench.core.geometry import Size
from garabench.virtual.android.phone import Phone
from garabench.virtual.commands import framework_errors
from garabench.virtual.commands.durations import CALL_MS
from garabench.virtual.shell.call import Command, CommandCall

_MIN_DENSITY = 72
_MIN_SIDE, _MAX_SCALE = 200, 2
"""Limits that ``WindowManagerService`` clamps a size to."""
_IN_PROCESS_SDK = 26
"""First API level (Android 8) on which it is not the program ``Wm.java``, which always exits with 0."""
_ROTATION_SDK = 29
_OLD_USAGE = (
    "usage: wm [subcommand] [options]\n       wm size [reset|WxH]\n       wm density [reset|DENSITY]\n"
    "       wm overscan [reset|LEFT,TOP,RIGHT,BOTTOM]\n\nwm size: return or override display size.\n\n"
    "wm density: override display density.\n\nwm overscan: set overscan area for display.\n\n"
)
_HELP = (
    "Window manager (window) commands:\n  help\n      Print this help text.\n"
    "  size [reset|WxH|WdpxHdp] [-d DISPLAY_ID]\n    Return or override display size.\n"
    "  density [reset|DENSITY] [-d DISPLAY_ID]\n    Return or override display density.\n"
    "  user-rotation [-d DISPLAY_ID] [free|lock] [rotation]\n    Print or set user rotation mode.\n"
)


class WmArgumentError(ValueError):
    """A value is invalid; the text is Android's message."""


def _number(text: str, sdk: int) -> int:
    """Parse an integer.

    Raises:
        WmArgumentError: It is invalid.
    """
    if re.fullmatch(r"[+-]?\d{1,9}", text):
        return int(text)
    problem = f'For input string: "{text}"' if sdk >= _IN_PROCESS_SDK else f'Invalid int: "{text}"'
    raise WmArgumentError(f"bad number java.lang.NumberFormatException: {problem}")


def _size(phone: Phone, text: str) -> Size:
    """Parse a size in pixels or dp, clamped to Android's limits.

    Raises:
        WmArgumentError: It is invalid.
    """
    sdk, natural, sides = phone.profile.sdk, phone.display.natural, list[int]()
    width, cross, height = text.partition("x")
    if not (width and cross and height):
        raise WmArgumentError(f"bad size {text}")
    for part in (width, height):
        dp = part.endswith("dp") and sdk >= _IN_PROCESS_SDK
        value = _number(part[:-2] if dp else part, sdk)
        sides.append(value * phone.display.density // 160 if dp else value)
    return Size(
        min(max(sides[0], _MIN_SIDE), natural.width * _MAX_SCALE),
        min(max(sides[1], _MIN_SIDE), natural.height * _MAX_SCALE),
    )


def _density(text: str, sdk: int) -> int:
    value = _number(text, sdk)
    if value < _MIN_DENSITY:
        raise WmArgumentError(f"density must be >= {_MIN_DENSITY}")
    return value


def _resize(phone: Phone, value: str) -> None:
    size = None if value == "reset" else _size(phone, value)
    phone.display.override = None if size == phone.display.natural else size


def _rescale(phone: Phone, value: str) -> None:
    density = None if value == "reset" else _density(value, phone.profile.sdk)
    display = phone.display
    display.density_override = None if density == display.physical_density else density


async def wm(phone: Phone, call: CommandCall) -> int:
    """``wm size|density [VALUE|reset]`` and ``wm user-rotation [free|lock [N]]``."""
    display, sdk, args = phone.display, phone.profile.sdk, call.argv[1:]
    await phone.spend(CALL_MS)
    if "-d" in args and sdk >= _IN_PROCESS_SDK:
        index = args.index("-d")
        args = args[:index] + args[index + 2 :]
    try:
        match args:
            case ["size"]:
                await call.print(f"Physical size: {display.natural}\n")
                if display.override:
                    await call.print(f"Override size: {display.override}\n")
            case ["size", value, *_]:
                _resize(phone, value)
            case ["density"]:
                await call.print(f"Physical density: {display.physical_density}\n")
                if display.density_override:
                    await call.print(f"Override density: {display.density_override}\n")
            case ["density", value, *_]:
                _rescale(phone, value)
            case ["user-rotation" | "set-user-rotation", *options] if sdk >= _ROTATION_SDK:
                return await _rotation(phone, call, options)
            case ["dismiss-keyguard"] if sdk >= _IN_PROCESS_SDK:
                phone.keyguard.dismiss()
                return 0
            case _:
                return await _unknown(phone, call, args)
    except WmArgumentError as error:
        await call.print_error(f"Error: {error}\n")
        return framework_errors.FAILED if sdk >= _IN_PROCESS_SDK else 0
    phone.changed()
    return 0


async def _rotation(phone: Phone, call: CommandCall, options: list[str]) -> int:
    match options:
        case []:
            free = phone.settings.get("system", "accelerometer_rotation") == "1"
            await call.print("free\n" if free else f"lock {phone.settings.get('system', 'user_rotation')}\n")
        case ["free", *_]:
            phone.settings.put("system", "accelerometer_rotation", "1")
        case ["lock", *turned]:
            if turned and turned[0] not in ("0", "1", "2", "3"):
                await call.print_error(f"Error: rotation value {turned[0]} is not supported\n")
                return framework_errors.FAILED
            phone.settings.put("system", "accelerometer_rotation", "0")
            if turned:
                phone.settings.put("system", "user_rotation", turned[0])
        case [mode, *_]:
            await call.print_error(
                f"Error: argument needs to be either -d, free or lock, but we get {mode}\n"
            )
            return framework_errors.FAILED
    return 0


async def _unknown(phone: Phone, call: CommandCall, args: list[str]) -> int:
    if phone.profile.sdk < _IN_PROCESS_SDK:
        if args:
            await call.print_error(f"{_OLD_USAGE}\nError: unknown command '{args[0]}'\n")
        else:
            await call.print(_OLD_USAGE)
        return 0
    if args and args[0] not in ("help", "-h"):
        return await framework_errors.report_unknown_verb(phone, call, args[0])
    await call.print(_HELP)
    return framework_errors.FAILED


def commands(phone: Phone) -> Mapping[str, Command]:
    """Return the commands by name."""
    return {"wm": partial(wm, phone)}
