"""Parse the size and rotation of the display from ``dumpsys window``.

The display says how large the screen is and how it is turned. A screenshot does not: until Android 4.4 it has
the display's natural orientation, regardless of the screen's rotation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from garabench.core.geometry import Size

_CURRENT = re.compile(r"\bcur=(?P<width>\d+)x(?P<height>\d+)")
_ROTATION = re.compile(r"\b(?:mCurrentRotation|mRotation)=(?:ROTATION_(?P<degrees>\d+)|(?P<turns>[0-3])\b)")


@dataclass(frozen=True, slots=True)
class DisplayState:
    """The display as the window manager knows it.

    Attributes:
        size: Size in the current rotation.
        rotation: 0 to 3, in quarter turns; None if this Android version does not print it.
    """

    size: Size
    rotation: int | None


def parse_display(text: str) -> DisplayState | None:
    """Parse the first display, which is the built-in one; None if the output has none.

    Android 10 and newer print ``mRotation=ROTATION_90`` or ``mRotation=1``, older ones ``mRotation=1``.
    """
    size = _CURRENT.search(text)
    if size is None:
        return None
    turned = _ROTATION.search(text)
    rotation = None
    if turned is not None:
        rotation = int(turned["degrees"]) // 90 % 4 if turned["degrees"] else int(turned["turns"])
    return DisplayState(Size(int(size["width"]), int(size["height"])), rotation)


def screen_size(display: DisplayState | None, natural: Size, rotation: int) -> Size:
    """Return the size of the screen that a tree with this rotation covers.

    Args:
        display: The display, if it could be read.
        natural: Its natural size, which is used otherwise.
        rotation: The tree's rotation in quarter turns.
    """
    if display is None:
        return natural.rotated if rotation % 2 else natural
    if display.rotation is None or (display.rotation - rotation) % 2 == 0:
        return display.size
    return display.size.rotated
