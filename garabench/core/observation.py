"""What is seen of the device at one step: one tree, one screenshot, one focus."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from garabench.core.geometry import Size
from garabench.core.tree import UiTree


@dataclass(frozen=True, slots=True)
class Focus:
    """The window in focus; both names are empty while there is none.

    Attributes:
        package: Its package.
        activity: Fully qualified class name, empty for a window that is no activity.
    """

    package: str
    activity: str

    def __str__(self) -> str:
        return f"{self.package}/{self.activity}"


@dataclass(frozen=True, slots=True)
class Screenshot:
    """A picture of the screen.

    Attributes:
        png: The encoded picture.
        size: Its size in device pixels, at the present rotation.
    """

    png: bytes = field(repr=False)
    size: Size


class TreeSource(enum.StrEnum):
    """Where a UI tree came from."""

    U2 = "uiautomator2"
    UIAUTOMATOR_DUMP = "uiautomator-dump"


@dataclass(frozen=True, slots=True)
class Observation:
    """One look at the device.

    Attributes:
        step: Number of the step, from 0.
        tree, screenshot, focus: What was seen.
        source: Which source gave the tree.
        source_reason: Why a better source did not; empty when the first one did.
        elapsed: Seconds since the episode began.
        screen: Size of the screen at its present rotation.
        rotation: 0 to 3, in quarter turns.
    """

    step: int
    tree: UiTree
    screenshot: Screenshot
    focus: Focus
    source: TreeSource
    source_reason: str
    elapsed: float
    screen: Size
    rotation: int = 0
