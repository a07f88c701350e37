"""``getevent`` and ``sendevent`` (AOSP ``toolbox/getevent.c``, toybox ``sendevent``)."""

from __future__ import annotations

import asyncio
import getopt
from collections.abc import Mapping, Sequence, Set
from functools import partial

from garabench.virtual.android.input_devices import (
    BTN_TOUCH,
    DEVICE_NAMES,
    EV_ABS,
    EV_KEY,
    EV_SW,
    EV_SYN,
    TOUCHSCREEN,
    AxisInfo,
    RawEvent,
)
from garabench.virtual.android.phone import Phone
from garabench.virtual.shell.call import Command, CommandCall

EVENT_TYPES: Mapping[int, str] = {
    EV_SYN: "EV_SYN",
    EV_KEY: "EV_KEY",
    2: "EV_REL",
    EV_ABS: "EV_ABS",
    4: "EV_MSC",
    EV_SW: "EV_SW",
}
EVENT_CODES: Mapping[int, Mapping[int, str]] = {
    EV_SYN: {0: "SYN_REPORT", 1: "SYN_CONFIG", 2: "SYN_MT_REPORT", 3: "SYN_DROPPED"},
    EV_KEY: {
        **{28: "KEY_ENTER", 102: "KEY_HOME", 114: "KEY_VOLUMEDOWN", 115: "KEY_VOLUMEUP", 116: "KEY_POWER"},
        **{139: "KEY_MENU", 158: "KEY_BACK", 172: "KEY_HOMEPAGE", BTN_TOUCH: "BTN_TOUCH"},
        **{14: "KEY_BACKSPACE", 15: "KEY_TAB", 57: "KEY_SPACE", 103: "KEY_UP", 108: "KEY_DOWN"},
        **{105: "KEY_LEFT", 106: "KEY_RIGHT", 217: "KEY_SEARCH", 580: "KEY_APPSELECT"},
    },
    EV_ABS: {
        **{0: "ABS_X", 1: "ABS_Y", 0x18: "ABS_PRESSURE", 0x2F: "ABS_MT_SLOT", 0x30: "ABS_MT_TOUCH_MAJOR"},
        **{0x31: "ABS_MT_TOUCH_MINOR", 0x35: "ABS_MT_POSITION_X", 0x36: "ABS_MT_POSITION_Y"},
        **{0x37: "ABS_MT_TOOL_TYPE", 0x39: "ABS_MT_TRACKING_ID", 0x3A: "ABS_MT_PRESSURE"},
    },
}
_KEY_VALUES = {0: "UP", 1: "DOWN", 2: "REPEAT"}
_HARDWARE_KEYS = (114, 115, 116)
_USAGE = """\
Usage: getevent [-t] [-n] [-s switchmask] [-S] [-v [mask]] [-d] [-p] [-i] [-l] [-q] [-c count] [-r] [device]
    -t: show time stamps
    -n: don't print newlines
    -s: print switch states for given bits
    -S: print all switch states
    -v: verbosity mask (errs=1, dev=2, name=4, info=8, vers=16, pos. events=32, props=64)
    -d: show HID descriptor, if available
    -p: show possible events (errs, dev, name, pos. events)
    -i: show all device info and possible events
    -l: label event types and names in plain text
    -q: quiet (clear verbosity mask)
    -c: print given number of events then exit
    -r: print rate events are received
"""
_EVENT_MS = 2


async def getevent(phone: Phone, call: CommandCall) -> int:
    """``getevent [-ltpiqn] [-c COUNT] [DEVICE]``: prints the devices, and their events without ``-p``."""
    try:
        pairs, rest = getopt.gnu_getopt(call.argv[1:], "tns:Sv:dpilqc:rh")
    except getopt.GetoptError as error:
        await call.print_error(f"getevent: {error.msg}\n{_USAGE}")
        return 1
    options = dict(pairs)
    count = options.get("-c", "0")
    if "-h" in options or not count.isdecimal():
        await call.print_error(_USAGE)
        return 1
    device = call.path(rest[0]) if rest else ""
    if device and device not in DEVICE_NAMES:
        await call.print_error(f"could not open {rest[0]}, No such file or directory\n")
        return 1
    quiet = "-q" in options or (device and not {"-p", "-i"} & options.keys())
    if not quiet:
        await call.print(_devices(phone, device, options.keys()))
    if {"-p", "-i"} & options.keys():
        return 0
    queue: asyncio.Queue[RawEvent] = asyncio.Queue()
    end = phone.input_devices.subscribe(queue.put_nowait)
    remaining = int(count)
    try:
        while True:
            event = await queue.get()
            if device and event.device != device:
                continue
            text = _line(event, options.keys(), named=not device)
            await call.print(text if "-n" in options else f"{text}\n")
            remaining -= 1
            if remaining == 0:
                return 0
    finally:
        end()


def _line(event: RawEvent, chosen: Set[str], *, named: bool) -> str:
    """Return an event as ``print_event`` does."""
    seconds, milliseconds = divmod(event.time_ms, 1000)
    text = f"[{seconds:>8}.{milliseconds * 1000:06d}] " if "-t" in chosen else ""
    text += f"{event.device}: " if named else ""
    value = event.value & 0xFFFFFFFF
    if "-l" not in chosen:
        return f"{text}{event.type:04x} {event.code:04x} {value:08x}"
    kind = EVENT_TYPES.get(event.type)
    code = EVENT_CODES.get(event.type, {}).get(event.code)
    text += f"{kind:<12.12}" if kind else f"{event.type:04x}        "
    text += f" {code:<20.20}" if code else f" {event.code:04x}                "
    label = _KEY_VALUES.get(event.value) if event.type == EV_KEY else None
    return text + (f" {label:<20.20}" if label else f" {value:08x}            ")


def _devices(phone: Phone, device: str, chosen: Set[str]) -> str:
    """Return the description of the devices, or of one."""
    parts, labels = [], "-l" in chosen
    for number, (path, name) in enumerate(DEVICE_NAMES.items(), 1):
        if device not in ("", path):
            continue
        parts.append(f"add device {1 if device else number}: {path}\n")
        if "-i" in chosen:
            parts.append(f"  bus:      0019\n  vendor    0001\n  product   000{number}\n  version   0100\n")
        parts.append(f'  name:     "{name}"\n')
        if "-i" in chosen:
            parts.append(f'  location: "{name}/input0"\n  id:       ""\n  version:  1.0.1\n')
        if {"-p", "-i"} & chosen:
            touch = path == TOUCHSCREEN
            keys = (BTN_TOUCH,) if touch else _HARDWARE_KEYS
            axes = phone.input_devices.axes if touch else {}
            props = "INPUT_PROP_DIRECT" if labels else "0001"
            parts.append(f"  events:\n{_keys(keys, labels=labels)}{_axes(axes, labels=labels)}")
            parts.append(f"  input props:\n    {props if touch else '<none>'}\n")
    return "".join(parts)


def _code(kind: int, code: int, *, labels: bool) -> str:
    """Return a possible code, with the mark of a pressed key, which none is."""
    name = EVENT_CODES[kind].get(code) if labels else None
    if name is not None:
        return f" {name:<21}"
    return f" {code:04x}                 " if labels else f" {code:04x} "


def _keys(codes: Sequence[int], *, labels: bool) -> str:
    return f"    KEY ({EV_KEY:04x}):" + "".join(_code(EV_KEY, code, labels=labels) for code in codes) + "\n"


def _axes(axes: Mapping[int, AxisInfo], *, labels: bool) -> str:
    rows = [
        _code(EV_ABS, code, labels=labels)
        + f" : value {axis.value}, min {axis.low}, max {axis.high}, fuzz 0, flat 0, resolution 0"
        for code, axis in axes.items()
    ]
    return f"    ABS ({EV_ABS:04x}):" + ("\n" + " " * 15).join(rows) + "\n" if rows else ""


async def sendevent(phone: Phone, call: CommandCall) -> int:
    """``sendevent DEVICE TYPE CODE VALUE``: writes an event to a device."""
    if len(call.argv) != 5:
        missing = "use: sendevent DEVICE TYPE CODE VALUE" if len(call.argv) > 5 else "Needs 4 arguments"
        await call.print_error(f"sendevent: {missing}\n")
        return 1
    device = call.path(call.argv[1])
    if device not in DEVICE_NAMES:
        await call.print_error(f"sendevent: {call.argv[1]}: No such file or directory\n")
        return 1
    numbers = []
    for arg in call.argv[2:]:
        try:
            numbers.append(int(arg, 0) if not arg.isdecimal() else int(arg))
        except ValueError:
            await call.print_error(f"sendevent: not integer: {arg}\n")
            return 1
    await phone.spend(_EVENT_MS)
    phone.input_devices.write(device, *numbers)
    return 0


def commands(phone: Phone) -> Mapping[str, Command]:
    """Return the commands by name."""
    return {"getevent": partial(getevent, phone), "sendevent": partial(sendevent, phone)}
