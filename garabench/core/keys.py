"""Names of the keys that steps and agents can press."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import AfterValidator

from garabench.core.suggestions import did_you_mean

KEYS: Mapping[str, int] = {
    "enter": 66,
    "delete": 67,
    "backspace": 67,
    "tab": 61,
    "space": 62,
    "search": 84,
    "menu": 82,
    "escape": 111,
    "volume_up": 24,
    "volume_down": 25,
    "power": 26,
    "camera": 27,
    "dpad_up": 19,
    "dpad_down": 20,
    "dpad_left": 21,
    "dpad_right": 22,
    "dpad_center": 23,
    "page_up": 92,
    "page_down": 93,
    "move_home": 122,
    "move_end": 123,
    "wakeup": 224,
    "sleep": 223,
    "back": 4,
    "home": 3,
    "recents": 187,
    "app_switch": 187,
}
"""Names of keys and their Android key codes (`android.view.KeyEvent`)."""


def _known(name: str) -> str:
    if name not in KEYS:
        raise ValueError(f"unknown key name. {did_you_mean(name, KEYS)}")
    return name


KeyName = Annotated[str, AfterValidator(_known)]
"""The name of a key, one of `KEYS`."""
