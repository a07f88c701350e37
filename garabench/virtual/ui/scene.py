"""The screen at one moment: windows with their placed nodes, and each window's view state.

A `Scene` is a value. `layout` makes its nodes, `render` draws it, `dump` writes it as Android's UI tree and
`hit_test` finds the node at a point; all four use the same bounds, so they cannot disagree.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from garabench.core.geometry import Point, Rect, Size
from garabench.virtual.ui.text_layout import TextLayout
from garabench.virtual.ui.widgets import Widget

KeyPath = tuple[str, ...]
"""Identity of a node in its window across rebuilds, to which scroll offsets and focus are attached."""

NOWHERE = Rect(0, 0, 0, 0)


class WindowKind(enum.Enum):
    """Type of a window, which determines its layer and its touch handling."""

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
    """Scroll position of a node, in pixels along its axis.

    Attributes:
        horizontal: Whether the axis is horizontal.
        offset: From 0 to `maximum`.
        maximum: Largest offset; an estimate while the end of a long list is far away.
        viewport: Visible pixels of the content.
    """

    horizontal: bool
    offset: int
    maximum: int
    viewport: int

    @property
    def at_end(self) -> bool:
        """Whether the end of the content is visible."""
        return self.offset >= self.maximum


@dataclass(frozen=True, slots=True, eq=False)
class PlacedNode:
    """A widget with its bounds on the screen and its attributes in Android's UI tree.

    Attributes:
        widget: The widget it was made from.
        cls: Android class name.
        resource_id: Full, ``package:id/name``, or empty.
        text: Accessibility text: the hint for an empty text field, bullets for a password.
        bounds: Full bounds, which may extend beyond the window.
        visible: The part of `bounds` inside the window and every ancestor; may be empty.
        index: Index among the siblings, including invisible ones.
        font_scale: The user's font scale.
        scroll: Scroll position, for nodes that scroll.
        text_layout: The lines of nodes with text.
    """

    widget: Widget
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
    children: tuple[PlacedNode, ...] = ()

    @property
    def scrollable(self) -> bool:
        """Whether it can scroll, as Android reports it."""
        return self.scroll is not None and self.scroll.maximum > 0

    @property
    def enabled(self) -> bool:
        """Whether it reacts to input."""
        return self.widget.enabled

    def walk(self) -> Iterator[PlacedNode]:
        """Yield this node and its descendants, parents first."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))


@dataclass(frozen=True, slots=True, eq=False)
class PlacedWindow:
    """A window on the screen.

    Attributes:
        title: Title in ``dumpsys window``: ``package/activity`` for activities, else a name.
        touchable: Whether it gets touches; False for toasts.
        focused: Whether it has the input focus; ``uiautomator dump`` shows this window.
        dim: Dimming of everything below, from 0 to 1.
        secure: Whether it has FLAG_SECURE and is black in screenshots.
        modal: Whether it gets touches outside its bounds, too (dialogs).
        split_bounds: Its half of a split screen, beyond which it neither dims nor gets touches; None
            for the whole screen.
    """

    title: str
    package: str
    kind: WindowKind
    bounds: Rect
    root: PlacedNode
    activity: str = ""
    touchable: bool = True
    focused: bool = False
    dim: float = 0
    secure: bool = False
    modal: bool = False
    split_bounds: Rect | None = None

    def accepts_touch(self, point: Point) -> bool:
        """Return whether it gets a touch at a point, unless a window above does."""
        outside = self.modal and (self.split_bounds is None or self.split_bounds.contains(point))
        return self.touchable and (outside or self.bounds.contains(point))

    @property
    def active(self) -> bool:
        """Accessibility's term for `focused`."""
        return self.focused


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """The whole screen: windows from the lowest to the topmost.

    Attributes:
        size: Current size in pixels, with sides swapped in landscape.
        rotation: Quarter turns, 0 to 3.
        density: Dots per inch.
    """

    size: Size
    windows: tuple[PlacedWindow, ...]
    rotation: int = 0
    density: int = 420

    def __post_init__(self) -> None:
        if self.rotation not in (0, 1, 2, 3):
            raise ValueError(f"rotation must be 0 to 3, not {self.rotation}")

    @property
    def focus(self) -> PlacedWindow | None:
        """The window with the input focus, if any."""
        return next((window for window in reversed(self.windows) if window.focused), None)

    @property
    def bounds(self) -> Rect:
        """The screen as a rectangle."""
        return Rect(0, 0, self.size.width, self.size.height)


@dataclass(slots=True)
class ListCache:
    """Cached row heights of a list for one width; rows whose items changed are measured again."""

    width: int = -1
    heights: list[int] = field(default_factory=list)
    items: list[Any] = field(default_factory=list)


@dataclass(slots=True)
class ViewState:
    """State of a window's views that is not the app's; lives as long as the window.

    Attributes:
        offsets: Scroll positions in pixels.
        focused: The node with the input focus, if any.
        cursors: Cursor positions in text fields; default: the end.
        ends: Scrollables whose end was visible at the last check, with their largest offset then.
        lists: Measurements reused by the next layout.
        reveal: A node that the next layout scrolls into view, as Android does with a field that the
            keyboard would cover.
    """

    offsets: dict[KeyPath, int] = field(default_factory=dict)
    focused: KeyPath | None = None
    cursors: dict[KeyPath, int] = field(default_factory=dict)
    ends: dict[KeyPath, int] = field(default_factory=dict)
    lists: dict[KeyPath, ListCache] = field(default_factory=dict)
    reveal: KeyPath | None = None


def px(dp: float, density: int) -> int:
    """Convert dp (or sp) to whole pixels; as on Android, a positive length is at least 1."""
    pixels = dp * density / 160
    return max(1, int(pixels + 0.5)) if dp > 0 else -int(0.5 - pixels)
