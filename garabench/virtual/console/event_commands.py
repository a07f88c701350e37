"""``event`` of the emulator console: hardware events, typed text and the mouse.

Source: ``external/qemu/android/android-emu/android/console.cpp`` of AOSP.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from garabench.virtual.android.input_devices import (
    BTN_TOUCH,
    EV_ABS,
    EV_KEY,
    EV_SYN,
    KEYS,
    POSITION_X,
    POSITION_Y,
    PRESSURE,
    SYN_REPORT,
    TOUCHSCREEN,
    TRACKING_ID,
)
from garabench.virtual.android.keycodes import KeyCode
from garabench.virtual.android.phone import Phone
from garabench.virtual.commands.getevent import EVENT_CODES, EVENT_TYPES
from garabench.virtual.console.command_language import ConsoleCommand, ConsoleRefusedError, unescape

_TRACKING_ID = 1
_PRESSURE = 60


def _by_name(text: str, names: Mapping[int, str]) -> int | None:
    """Return the number of a name, or of a number in digits; None if it is neither."""
    if text.isascii() and text.isdigit() and len(text) < 6:
        return int(text)
    return next((number for number, name in names.items() if name == text), None)


class EventCommands:
    """The command ``event`` for a phone."""

    def __init__(self, phone: Phone) -> None:
        """Create the commands.

        Args:
            phone: The phone.
        """
        self._phone = phone
        command = ConsoleCommand
        self.event = command(
            "event",
            "simulate hardware events",
            "allows you to send fake hardware events to the kernel",
            commands=(
                command("send", "send a series of events to the kernel", handler=self._event_send),
                command("types", "list all <type> aliases", handler=self._event_types),
                command("codes", "list all <code> aliases for a given <type>", handler=self._event_codes),
                command("text", "simulate keystrokes from a given text", handler=self._event_text),
                command("mouse", "simulate a mouse event", handler=self._event_mouse),
            ),
        )

    def _event_send(self, args: str) -> str:
        if not args:
            raise ConsoleRefusedError("Usage: event send <type>:<code>:<value> ...")
        events = [self._event(word) for word in args.split()]
        for kind, code, value in events:
            touch = kind in (EV_ABS, EV_SYN) or (kind, code) == (EV_KEY, BTN_TOUCH)
            self._phone.input_devices.write(TOUCHSCREEN if touch else KEYS, kind, code, value)
        return ""

    def _event(self, word: str) -> tuple[int, int, int]:
        first, _, rest = word.partition(":")
        second, _, third = rest.partition(":")
        kind = _by_name(first, EVENT_TYPES)
        if kind is None:
            raise ConsoleRefusedError(
                f"invalid event type in '{word}', try 'event list types' for valid values"
            )
        code = _by_name(second, EVENT_CODES.get(kind, {}))
        if code is None:
            raise ConsoleRefusedError(
                f"invalid event code in '{word}', try 'event list codes <type>' for valid values"
            )
        if not re.fullmatch(r"-?\d{1,10}", third, re.ASCII):
            raise ConsoleRefusedError(f"invalid event value in '{word}', must be an integer")
        return kind, code, int(third)

    def _event_types(self, args: str) -> str:
        rows = ""
        for number, name in EVENT_TYPES.items():
            count = len(EVENT_CODES.get(number, ()))
            rows += f"    {name:<8}" + (f"  ({count} code aliases)" if count else "") + "\n"
        return f"event <type> can be an integer or one of the following aliases\n{rows}"

    def _event_codes(self, args: str) -> str:
        if not args:
            raise ConsoleRefusedError("argument missing, try 'event codes <type>'")
        kind = _by_name(args, EVENT_TYPES)
        if kind is None:
            raise ConsoleRefusedError("bad argument, see 'event types' for valid values")
        names = EVENT_CODES.get(kind, {}).values()
        if not names:
            return "no code aliases defined for this type\n"
        rows = "".join(f"    {name:<12}\n" for name in names)
        return f"type '{args}' accepts the following <code> aliases:\n{rows}"

    def _event_text(self, args: str) -> str:
        """Type as on the keyboard; characters without a key are dropped silently, as in the emulator."""
        if not args:
            raise ConsoleRefusedError("argument missing, try 'event text <message>'")
        for number, line in enumerate(unescape(args).split("\n")):
            if number:
                self._phone.input.key(KeyCode.ENTER)
            if typed := "".join(char for char in line if " " <= char <= "~"):
                self._phone.input.text(typed)
        return ""

    def _event_mouse(self, args: str) -> str:
        words = args.split()
        if not words:
            raise ConsoleRefusedError("argument missing, try 'event mouse <x> <y> <device> <buttonstate>'")
        if len(words) != 4 or not all(re.fullmatch(r"-?\d{1,9}", word, re.ASCII) for word in words):
            raise ConsoleRefusedError("Invalid arguments. Make sure you provide 4 integers.")
        x, y, device, buttons = map(int, words)
        if device == 0:
            values = {TRACKING_ID: _TRACKING_ID, POSITION_X: x, POSITION_Y: y, PRESSURE: _PRESSURE}
            pressed = bool(buttons & 1)
            for code, value in values.items() if pressed else [(TRACKING_ID, -1)]:
                self._phone.input_devices.write(TOUCHSCREEN, EV_ABS, code, value)
            self._phone.input_devices.write(TOUCHSCREEN, EV_KEY, BTN_TOUCH, int(pressed))
            self._phone.input_devices.write(TOUCHSCREEN, EV_SYN, SYN_REPORT, 0)
        return ""
