"""The Android key codes that the phone knows (`android.view.KeyEvent`)."""

from __future__ import annotations

import enum
import string
from collections.abc import Mapping


class KeyCode(enum.IntEnum):
    """Keys that do not type a character."""

    HOME = 3
    BACK = 4
    DPAD_UP = 19
    DPAD_DOWN = 20
    DPAD_LEFT = 21
    DPAD_RIGHT = 22
    DPAD_CENTER = 23
    VOLUME_UP = 24
    VOLUME_DOWN = 25
    POWER = 26
    CAMERA = 27
    TAB = 61
    ENTER = 66
    DEL = 67
    MENU = 82
    NOTIFICATION = 83
    SEARCH = 84
    PAGE_UP = 92
    PAGE_DOWN = 93
    ESCAPE = 111
    FORWARD_DEL = 112
    MOVE_HOME = 122
    MOVE_END = 123
    NUMPAD_ENTER = 160
    VOLUME_MUTE = 164
    APP_SWITCH = 187
    SLEEP = 223
    WAKEUP = 224
    CUT = 277
    COPY = 278
    PASTE = 279


def _characters() -> Mapping[int, tuple[str, str]]:
    table = {
        7 + index: (digit, sign)
        for index, (digit, sign) in enumerate(zip("0123456789", ")!@#$%^&*(", strict=True))
    }
    table |= {29 + index: (char, char.upper()) for index, char in enumerate(string.ascii_lowercase)}
    table |= {55: (",", "<"), 56: (".", ">"), 62: (" ", " "), 68: ("`", "~"), 69: ("-", "_"), 70: ("=", "+")}
    table |= {71: ("[", "{"), 72: ("]", "}"), 73: ("\\", "|"), 74: (";", ":"), 75: ("'", '"'), 76: ("/", "?")}
    table |= {17: ("*", "*"), 18: ("#", "#"), 77: ("@", "@"), 81: ("+", "+")}
    table |= {144 + digit: (str(digit), str(digit)) for digit in range(10)}
    return table


CHARACTERS: Mapping[int, tuple[str, str]] = _characters()
"""The character of a key without and with Shift."""
_SIGNS: Mapping[str, int] = {
    "STAR": 17,
    "POUND": 18,
    "COMMA": 55,
    "PERIOD": 56,
    "SPACE": 62,
    "GRAVE": 68,
    "MINUS": 69,
    "EQUALS": 70,
    "LEFT_BRACKET": 71,
    "RIGHT_BRACKET": 72,
    "BACKSLASH": 73,
    "SEMICOLON": 74,
    "APOSTROPHE": 75,
    "SLASH": 76,
    "AT": 77,
    "PLUS": 81,
    "ALT_LEFT": 57,
    "ALT_RIGHT": 58,
    "SHIFT_LEFT": 59,
    "SHIFT_RIGHT": 60,
    "CTRL_LEFT": 113,
    "CTRL_RIGHT": 114,
    "META_LEFT": 117,
    "META_RIGHT": 118,
}
NAMES: Mapping[str, int] = {
    **{key.name: key.value for key in KeyCode},
    **{char: 29 + index for index, char in enumerate(string.ascii_uppercase)},
    **{str(digit): 7 + digit for digit in range(10)},
    **{f"NUMPAD_{digit}": 144 + digit for digit in range(10)},
    **_SIGNS,
}
"""Names without ``KEYCODE_``."""
LAST = 316
"""The highest key code in Android 14."""


def code_of(name: str) -> int | None:
    """Return the code of ``4``, ``BACK`` or ``KEYCODE_BACK``; None if there is no such key.

    As ``KeyEvent.keyCodeFromString``: case-sensitive, and a bare digit is a code, not the digit's key.
    """
    if name.isascii() and name.isdigit():
        return int(name) if int(name) <= LAST else None
    return NAMES.get(name.removeprefix("KEYCODE_"))
