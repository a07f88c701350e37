"""Parse what ``getevent -lt`` prints into gestures.

A line is ``[   1234.567890] /dev/input/event1: EV_ABS  ABS_MT_POSITION_X  000001f4``: the time, the device
(left out if only one is read), type, code and value; values are hexadecimal or words. Coordinates are in the
units of the touch panel, whose ranges ``getevent -lp`` prints. Only the first finger counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from garabench.authoring.recording.gesture_steps import PersonGesture, PressedKey, TouchGesture
from garabench.core.geometry import Point, Size

_LINE = re.compile(
    r"\[\s*(?P<time>\d+\.\d+)\]\s+(?:(?P<device>/dev/\S+):\s+)?(?P<type>\w+)\s+(?P<code>\w+)\s+(?P<value>\w+)\s*$"
)
_DEVICE = re.compile(r"^add device \d+: (\S+)")
_RANGE = re.compile(r"(ABS_MT_POSITION_[XY])\s*:.*?min (-?\d+), max (-?\d+)")
_HOLD_S = 0.6
_KEYS = {
    "KEY_BACK": "back",
    "KEY_HOME": "home",
    "KEY_HOMEPAGE": "home",
    "KEY_APPSELECT": "recents",
    "KEY_ENTER": "enter",
    "KEY_VOLUMEUP": "volume_up",
    "KEY_VOLUMEDOWN": "volume_down",
}
"""Keys that steps can press; others, such as the power key, are left out."""


@dataclass(frozen=True, slots=True)
class TouchPanel:
    """A touch panel.

    Attributes:
        device: Its device file.
        left, top, right, bottom: The ranges of its coordinates.
    """

    device: str
    left: int
    top: int
    right: int
    bottom: int

    def point(self, x: int, y: int, screen: Size, rotation: int = 0) -> Point:
        """Return a position in pixels of the current rotation.

        Args:
            x: Horizontal position in the panel's units.
            y: Vertical position in the panel's units.
            screen: Size of the screen in the current rotation.
            rotation: 0 to 3, in quarter turns.
        """
        across = (x - self.left) / max(1, self.right - self.left)
        down = (y - self.top) / max(1, self.bottom - self.top)
        turned = {
            0: (across, down),
            1: (down, 1 - across),
            2: (1 - across, 1 - down),
            3: (1 - down, across),
        }[rotation % 4]
        return Point(
            min(screen.width - 1, max(0, round(turned[0] * screen.width))),
            min(screen.height - 1, max(0, round(turned[1] * screen.height))),
        )


def touch_panel(listing: str) -> TouchPanel | None:
    """Return the touch panel that ``getevent -lp`` lists; None if it lists none."""
    device, ranges = "", dict[str, tuple[int, int]]()
    for line in listing.splitlines():
        if named := _DEVICE.match(line.strip()):
            device, ranges = named[1], {}
        elif found := _RANGE.search(line):
            ranges[found[1]] = (int(found[2]), int(found[3]))
            if len(ranges) == 2:
                (left, right), (top, bottom) = ranges["ABS_MT_POSITION_X"], ranges["ABS_MT_POSITION_Y"]
                return TouchPanel(device, left, top, right, bottom)
    return None


@dataclass
class _Finger:
    x: int = 0
    y: int = 0
    down: bool = False
    start: tuple[int, int] | None = None
    since: float = 0.0


@dataclass
class GeteventParser:
    """Turns lines into gestures, as they come.

    Attributes:
        panel: The touch panel.
        screen: Size of the screen in the current rotation.
        rotation: 0 to 3, in quarter turns.
    """

    panel: TouchPanel
    screen: Size
    rotation: int = 0
    _finger: _Finger = field(default_factory=_Finger)
    _slot: int = 0

    def feed(self, line: str) -> PersonGesture | None:
        """Return the gesture that a line completes; None for any other line."""
        match = _LINE.search(line.strip())
        if match is None or (match["device"] not in (None, self.panel.device) and match["type"] == "EV_ABS"):
            return None
        code, value, time = match["code"], match["value"], float(match["time"])
        if match["type"] == "EV_KEY" and code in _KEYS:
            return PressedKey(_KEYS[code]) if value == "DOWN" else None
        finger = self._finger
        if code == "ABS_MT_SLOT":
            self._slot = _number(value)
        elif self._slot != 0:
            return None
        elif code == "ABS_MT_POSITION_X":
            finger.x = _number(value)
        elif code == "ABS_MT_POSITION_Y":
            finger.y = _number(value)
        elif code == "ABS_MT_TRACKING_ID":
            if value.lower() == "ffffffff":
                return self._lift(time)
            self._press(time)
        elif code == "BTN_TOUCH":
            if value == "UP":
                return self._lift(time)
            self._press(time)
        elif code == "SYN_REPORT" and finger.down and finger.start is None:
            finger.start, finger.since = (finger.x, finger.y), time
        return None

    def _press(self, time: float) -> None:
        if not self._finger.down:
            self._finger.down, self._finger.start, self._finger.since = True, None, time

    def _lift(self, time: float) -> TouchGesture | None:
        finger = self._finger
        if not finger.down:
            return None
        finger.down = False
        start = self.panel.point(*(finger.start or (finger.x, finger.y)), self.screen, self.rotation)
        end = self.panel.point(finger.x, finger.y, self.screen, self.rotation)
        return TouchGesture(start, end, time - finger.since >= _HOLD_S)


def _number(value: str) -> int:
    try:
        number = int(value, 16)
    except ValueError:
        return 0
    return number - (1 << 32) if number >= 1 << 31 else number


def gestures(
    lines: Iterable[str], panel: TouchPanel, screen: Size, rotation: int = 0
) -> Iterator[PersonGesture]:
    """Yield the gestures of all lines; see `GeteventParser`."""
    parser = GeteventParser(panel, screen, rotation)
    for line in lines:
        if (found := parser.feed(line)) is not None:
            yield found
