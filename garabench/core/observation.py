"""An observation of the device at one step: UI tree, screenshot and focused window."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from garabench.core.geometry import Size
from garabench.core.tree import UiTree


@dataclass(frozen=True, slots=True)
class Focus:
    """The focused window; both names are empty if no window has the focus.

    Attributes:
        package: Its package.
        activity: Fully qualified class name; empty for a window that is not an activity.
    """

    package: str
    activity: str

    def __str__(self) -> str:
        return f"{self.package}/{self.activity}"


@dataclass(frozen=True, slots=True)
class Screenshot:
    """A screenshot.

    Attributes:
        png: The encoded image.
        size: Its size in device pixels, in the current rotation.
    """

    png: bytes = field(repr=False)
    size: Size


class TreeSource(enum.StrEnum):
    """The source of a UI tree."""

    U2 = "uiautomator2"
    UIAUTOMATOR_DUMP = "uiautomator-dump"


@dataclass(frozen=True, slots=True)
class Observation:
    """An observation of the device.

    Attributes:
        step: Number of the step, from 0.
        tree, screenshot, focus: The UI tree, the screenshot and the focused window.
        source: Source of the tree.
        source_reason: Why a preferred source failed; empty if the first one succeeded.
        elapsed: Seconds since the episode began.
        screen: Size of the screen in the current rotation.
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
