"""Android's key codes, as far as the phone knows them (`android.view.KeyEvent`)."""

from __future__ import annotations

import enum
import string
from collections.abc import Mapping


class Key(enum.IntEnum):
    """Keys that do something other than type a character."""

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
    SEARCH = 84
    ESCAPE = 111
    FORWARD_DEL = 112
    MOVE_HOME = 122
    MOVE_END = 123
    NUMPAD_ENTER = 160
    APP_SWITCH = 187
    SLEEP = 223
    WAKEUP = 224


def _characters() -> Mapping[int, tuple[str, str]]:
    table = {
        7 + place: (digit, sign)
        for place, (digit, sign) in enumerate(zip("0123456789", ")!@#$%^&*(", strict=True))
    }
    table |= {29 + place: (letter, letter.upper()) for place, letter in enumerate(string.ascii_lowercase)}
    table |= {55: (",", "<"), 56: (".", ">"), 62: (" ", " "), 68: ("`", "~"), 69: ("-", "_"), 70: ("=", "+")}
    table |= {71: ("[", "{"), 72: ("]", "}"), 73: ("\\", "|"), 74: (";", ":"), 75: ("'", '"'), 76: ("/", "?")}
    table |= {77: ("@", "@"), 81: ("+", "+")}
    return table


CHARACTERS: Mapping[int, tuple[str, str]] = _characters()
"""The character of a key without and with Shift."""
NAMES: Mapping[str, int] = {
    **{key.name: key.value for key in Key},
    **{f"{letter.upper()}": 29 + place for place, letter in enumerate(string.ascii_lowercase)},
    **{str(digit): 7 + digit for digit in range(10)},
    "SPACE": 62,
}
"""Names without ``KEYCODE_``."""


def code_of(name: str) -> int | None:
    """The code of ``4``, ``BACK`` or ``KEYCODE_BACK``; None for an unknown name."""
    if name.isdigit() and len(name) > 1:
        return int(name)
    word = name.upper().removeprefix("KEYCODE_")
    if word in NAMES and not name.isdigit():
        return NAMES[word]
    return int(name) if name.isdigit() else None
