"""Find what lies under a finger."""

from __future__ import annotations

from collections.abc import Callable

from garabench.core.geometry import Point
from garabench.virtual.ui.scene import LaidNode, LaidWindow, Scene
from garabench.virtual.ui.widgets import Slider

Wanted = Callable[[LaidNode], bool]


def window_at(scene: Scene, point: Point) -> LaidWindow | None:
    """The topmost window that takes a touch at a point: a modal one takes those outside of it, too."""
    for window in reversed(scene.windows):
        if window.takes(point):
            return window
    return None


def path_at(window: LaidWindow, point: Point) -> tuple[LaidNode, ...]:
    """The nodes under a point from the root to the deepest, the last drawn child first."""
    path: list[LaidNode] = []
    node: LaidNode | None = window.root if window.root.visible.contains(point) else None
    while node is not None:
        path.append(node)
        node = next((child for child in reversed(node.children) if child.visible.contains(point)), None)
    return tuple(path)


def at(scene: Scene, point: Point, wanted: Wanted) -> tuple[LaidWindow, LaidNode] | None:
    """The deepest wanted node under a point, in the window that takes the touch.

    Children that are drawn above win; a place where the topmost child has no wanted node falls to what is
    below it, as a touch on Android does that nobody took.
    """
    window = window_at(scene, point)
    if window is None:
        return None
    found = _deepest(window.root, point, wanted)
    return None if found is None else (window, found)


def _deepest(node: LaidNode, point: Point, wanted: Wanted) -> LaidNode | None:
    if not node.visible.contains(point):
        return None
    for child in reversed(node.children):
        if (found := _deepest(child, point, wanted)) is not None:
            return found
    return node if wanted(node) else None


def clickable_at(scene: Scene, point: Point) -> tuple[LaidWindow, LaidNode] | None:
    """What a tap at a point clicks; a disabled node takes the tap and does nothing with it.

    A slider hears of touches by itself, also where it says of itself that it cannot be clicked.
    """
    return at(scene, point, lambda node: node.clickable or isinstance(node.widget, Slider))


def scrollable_at(scene: Scene, point: Point, *, horizontal: bool) -> tuple[LaidWindow, LaidNode] | None:
    """What a swipe from a point scrolls along an axis."""
    return at(
        scene,
        point,
        lambda node: node.scroll is not None and node.scroll.horizontal is horizontal and node.scrollable,
    )
