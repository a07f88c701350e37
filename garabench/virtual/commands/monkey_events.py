"""The random events of ``monkey`` (AOSP ``MonkeySourceRandom``): kinds by percentage, drawn from its seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from garabench.virtual.android.keycodes import KeyCode
from garabench.virtual.android.phone import Phone

PERCENTAGES: Mapping[str, float] = {
    "touch": 15.0,
    "motion": 10.0,
    "pinchzoom": 2.0,
    "trackball": 15.0,
    "rotation": 0.0,
    "permission": 0.0,
    "nav": 25.0,
    "majornav": 15.0,
    "syskeys": 2.0,
    "appswitch": 2.0,
    "flip": 1.0,
    "anyevent": 13.0,
}
"""The default percentages, in the order that ``-v`` lists them."""
_NAV = (KeyCode.DPAD_UP, KeyCode.DPAD_DOWN, KeyCode.DPAD_LEFT, KeyCode.DPAD_RIGHT)
_MAJOR_NAV = (KeyCode.MENU, KeyCode.DPAD_CENTER)
_SYSTEM = (KeyCode.HOME, KeyCode.BACK, KeyCode.VOLUME_UP, KeyCode.VOLUME_DOWN, KeyCode.VOLUME_MUTE)
_LAST_KEY = 288
_END_CALL, _SOFT_SLEEP = 6, 276
_UNWANTED = frozenset({KeyCode.POWER, _END_CALL, KeyCode.SLEEP, KeyCode.WAKEUP, _SOFT_SLEEP})
"""Keys that Monkey never sends, as they switch the screen off."""


@dataclass(slots=True)
class RandomEvents:
    """Draws events and performs them.

    Attributes:
        phone: The phone.
        random: The source of randomness.
        percentages: The share of each kind.
        switch: Starts a main activity of an allowed package.
    """

    phone: Phone
    random: random.Random
    percentages: Mapping[str, float]
    switch: Callable[[], str]

    def perform(self) -> str:
        """Perform the next event; return what ``-v -v`` prints about it."""
        kinds = [name for name, share in self.percentages.items() if share > 0]
        kind = self.random.choices(kinds, [self.percentages[name] for name in kinds])[0] if kinds else "touch"
        size = self.phone.display.current_size
        point = self.random.randrange(size.width), self.random.randrange(size.height)
        match kind:
            case "touch":
                return self._touch(*point)
            case "motion" | "pinchzoom":
                other = self.random.randrange(size.width), self.random.randrange(size.height)
                self.phone.input.swipe(*point, *other, 100)
                return f":Sending Touch (ACTION_MOVE): 0:{point} 0:{other}\n"
            case "nav":
                return self._key(self.random.choice(_NAV))
            case "majornav":
                return self._key(self.random.choice(_MAJOR_NAV))
            case "syskeys":
                return self._key(self.random.choice(_SYSTEM))
            case "appswitch":
                return self.switch()
            case "anyevent":
                code = self.random.randrange(1, _LAST_KEY)
                return self._key(code) if code not in _UNWANTED else self._key(KeyCode.DPAD_CENTER)
        return f":Sending {kind.title()}\n"  # a trackball or a flipped keyboard moves nothing

    def _touch(self, x: int, y: int) -> str:
        self.phone.input.tap(x, y)
        down = f"0:({x}.0,{y}.0)"
        return f":Sending Touch (ACTION_DOWN): {down}\n:Sending Touch (ACTION_UP): {down}\n"

    def _key(self, code: int) -> str:
        self.phone.input.key(code)
        return f":Sending Key (ACTION_DOWN): {code}\n:Sending Key (ACTION_UP): {code}\n"
