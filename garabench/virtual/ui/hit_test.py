"""Hit testing: windows and nodes at a point."""

from __future__ import annotations

from collections.abc import Callable

from garabench.core.geometry import Point
from garabench.virtual.ui.scene import PlacedNode, PlacedWindow, Scene
from garabench.virtual.ui.widgets import Slider

NodeFilter = Callable[[PlacedNode], bool]


def window_at(scene: Scene, point: Point) -> PlacedWindow | None:
    """Return the topmost window that gets a touch at a point; a modal window gets those outside it, too."""
    for window in reversed(scene.windows):
        if window.accepts_touch(point):
            return window
    return None


def path_at(window: PlacedWindow, point: Point) -> tuple[PlacedNode, ...]:
    """Return the nodes under a point from the root to the deepest, the last drawn child first."""
    path: list[PlacedNode] = []
    node: PlacedNode | None = window.root if window.root.visible.contains(point) else None
    while node is not None:
        path.append(node)
        node = next((child for child in reversed(node.children) if child.visible.contains(point)), None)
    return tuple(path)


def node_at(scene: Scene, point: Point, matches: NodeFilter) -> tuple[PlacedWindow, PlacedNode] | None:
    """Return the deepest matching node under a point, in the window that gets the touch.

    Children drawn on top win; where the topmost child has no matching node, the touch falls through to
    those below it, like an unconsumed touch on Android.
    """
    window = window_at(scene, point)
    if window is None:
        return None
    found = _deepest(window.root, point, matches)
    return None if found is None else (window, found)


def _deepest(node: PlacedNode, point: Point, matches: NodeFilter) -> PlacedNode | None:
    if not node.visible.contains(point):
        return None
    for child in reversed(node.children):
        if (found := _deepest(child, point, matches)) is not None:
            return found
    return node if matches(node) else None


def clickable_at(scene: Scene, point: Point) -> tuple[PlacedWindow, PlacedNode] | None:
    """Return the node that a tap at a point clicks; a disabled node consumes the tap without effect.

    A slider handles touches, although it reports itself as not clickable.
    """
    return node_at(scene, point, lambda node: node.clickable or isinstance(node.widget, Slider))


def scrollable_at(scene: Scene, point: Point, *, horizontal: bool) -> tuple[PlacedWindow, PlacedNode] | None:
    """Return the node that a swipe from a point scrolls along an axis."""
    return node_at(
        scene,
        point,
        lambda node: node.scroll is not None and node.scroll.horizontal is horizontal and node.scrollable,
    )
