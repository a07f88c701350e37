"""What is on the screen at one moment: windows with their laid-out nodes, and each window's view state.

A `Scene` is a value. `layout` makes its nodes, `render` draws it, `dump` writes it as Android's UI tree and
`hit` finds what lies under a finger; all four read the same bounds, so they cannot disagree.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from garabench.core.geometry import Point, Rect, Size
from garabench.virtual.ui.text import TextLayout
from garabench.virtual.ui.widgets import View

KeyPath = tuple[str, ...]
"""Identity of a node in its window, the same across rebuilds; scroll offsets and focus hang on it."""

NOWHERE = Rect(0, 0, 0, 0)


class WindowKind(enum.Enum):
    """What a window is for; decides its layer and how touches treat it."""

    APPLICATION = "application"
    DIALOG = "dialog"
    IME = "ime"
    TOAST = "toast"
    STATUS_BAR = "status-bar"
    NAV_BAR = "nav-bar"
    SHADE = "shade"
    HEADS_UP = "heads-up"
    DIVIDER = "divider"


@dataclass(frozen=True, slots=True)
class ScrollInfo:
    """Where a scrolling node stands, in pixels along its axis.

    Attributes:
        horizontal: The axis.
        offset: From 0 to `maximum`.
        maximum: The greatest offset; an estimate while the end of a long list is far away.
        viewport: Pixels of the content that are seen at once.
    """

    horizontal: bool
    offset: int
    maximum: int
    viewport: int

    @property
    def at_end(self) -> bool:
        """Whether the last of the content is in view."""
        return self.offset >= self.maximum


@dataclass(frozen=True, slots=True, eq=False)
class LaidNode:
    """A widget with its place on the screen and the attributes that Android's UI tree shows of it.

    Attributes:
        widget: The widget it came from.
        cls: Android class name.
        resource_id: Full, ``package:id/name``, or empty.
        text: What accessibility reads: an empty text field gives its hint, a password bullets.
        bounds: The whole place, which may reach outside the window.
        visible: The part of `bounds` inside the window and every ancestor; empty when none is.
        index: Place among the siblings, unseen ones counted.
        font_scale: How large its text is.
        scroll: Only of nodes that scroll.
        text_layout: The broken lines of nodes that draw text.
    """

    widget: View
    cls: str
    resource_id: str
    text: str
    desc: str
    hint: str
    package: str
    bounds: Rect
    visible: Rect
    key_path: KeyPath
    index: int
    clickable: bool
    long_clickable: bool
    focusable: bool
    focused: bool
    density: int
    font_scale: float = 1.0
    scroll: ScrollInfo | None = None
    text_layout: TextLayout | None = None
    children: tuple[LaidNode, ...] = ()

    @property
    def scrollable(self) -> bool:
        """Whether there is anything to scroll to, as Android reports it."""
        return self.scroll is not None and self.scroll.maximum > 0

    @property
    def enabled(self) -> bool:
        """Whether it reacts to input."""
        return self.widget.enabled

    def walk(self) -> Iterator[LaidNode]:
        """This node and all below it, parents before children."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))


@dataclass(frozen=True, slots=True, eq=False)
class LaidWindow:
    """A window on the screen.

    Attributes:
        title: As in ``dumpsys window``: ``package/activity`` for activities, else a name.
        touchable: False lets touches through (toasts).
        focused: Has the input focus; the window that ``uiautomator dump`` shows.
        dim: Darkness from 0 to 1 laid over everything below.
        secure: FLAG_SECURE: black in screenshots.
        modal: Takes the touches outside its bounds too (dialogs).
        room: The half of a split screen that it is in, beyond which it neither dims nor takes touches; None
            for the whole screen.
    """

    title: str
    package: str
    kind: WindowKind
    bounds: Rect
    root: LaidNode
    activity: str = ""
    touchable: bool = True
    focused: bool = False
    dim: float = 0
    secure: bool = False
    modal: bool = False
    room: Rect | None = None

    def takes(self, point: Point) -> bool:
        """Whether a touch at a point is this window's, unless one above takes it."""
        outside = self.modal and (self.room is None or self.room.contains(point))
        return self.touchable and (outside or self.bounds.contains(point))

    @property
    def active(self) -> bool:
        """Another word for `focused`, as accessibility uses it."""
        return self.focused


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """The whole screen: windows from the lowest to the topmost.

    Attributes:
        size: Present size in pixels, exchanged while the screen is turned.
        rotation: 0 to 3, quarter turns.
        density: Dots per inch.
    """

    size: Size
    windows: tuple[LaidWindow, ...]
    rotation: int = 0
    density: int = 420

    def __post_init__(self) -> None:
        if self.rotation not in (0, 1, 2, 3):
            raise ValueError(f"rotation must be 0 to 3, not {self.rotation}")

    @property
    def focus(self) -> LaidWindow | None:
        """The window with the input focus, if any."""
        return next((window for window in reversed(self.windows) if window.focused), None)

    @property
    def bounds(self) -> Rect:
        """The screen as a rectangle."""
        return Rect(0, 0, self.size.width, self.size.height)


@dataclass(slots=True)
class ListCache:
    """Measured row heights of a list, by row, for one width; rows whose items changed are measured again."""

    width: int = -1
    heights: list[int] = field(default_factory=list)
    items: list[Any] = field(default_factory=list)


@dataclass(slots=True)
class ViewState:
    """What the user changed in one window apart from the app's own state; lives as long as the window.

    Attributes:
        offsets: Scroll positions in pixels.
        focused: The node with the input focus, if any.
        cursors: Cursor places in text fields; absent means the end.
        ends: Scrollables whose end was in view at the last look, with their greatest offset then.
        lists: Measurements kept from one layout to the next.
        reveal: A node that the next layout scrolls into view, as Android does with a field over which the
            keyboard comes up.
    """

    offsets: dict[KeyPath, int] = field(default_factory=dict)
    focused: KeyPath | None = None
    cursors: dict[KeyPath, int] = field(default_factory=dict)
    ends: dict[KeyPath, int] = field(default_factory=dict)
    lists: dict[KeyPath, ListCache] = field(default_factory=dict)
    reveal: KeyPath | None = None


def px(dp: float, density: int) -> int:
    """Turn dp (or sp) into whole pixels, never rounding a positive length to nothing, as Android does."""
    pixels = dp * density / 160
    return max(1, int(pixels + 0.5)) if dp > 0 else -int(0.5 - pixels)
