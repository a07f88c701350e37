"""What a touch reaches: the point that an action touches, and the element under it."""

from __future__ import annotations

from collections.abc import Iterator

from garabench.core import action as act
from garabench.core.geometry import Point
from garabench.core.tree import UiNode, UiTree
from garabench.core.window_order import windows_from_top

TEXT_FIELDS = ("EditText", "AutoCompleteTextView")
"""Ends of the classes of text fields, which react to a touch even if they are not clickable."""


def touch_point(action: act.Action | None) -> Point | None:
    """Return where an action touches the screen first; None if it has no position."""
    match action:
        case act.Tap() | act.DoubleTap() | act.LongPress():
            return Point(action.x, action.y)
        case act.Type(at=(x, y)):
            return Point(x, y)
        case act.Swipe() | act.Drag():
            return Point(action.x1, action.y1)
        case act.Scroll(x=int(x), y=int(y)):
            return Point(x, y)
        case _:
            return None


def touched_element(tree: UiTree, point: Point) -> UiNode | None:
    """Return the element that a touch at a point reaches; None if no window is there.

    Siblings that are drawn later are above. A touch is handled by the innermost element that
    reacts to it; if none does, the innermost element is returned.
    """
    innermost: UiNode | None = None
    for path in element_paths(tree, point):
        handler = next((node for node in reversed(path) if reacts_to_touch(node)), None)
        if handler is not None:
            return handler
        innermost = innermost or path[-1]
    return innermost


def reacts_to_touch(node: UiNode) -> bool:
    """Return whether a touch on an element does something, by its properties."""
    return node.clickable or node.long_clickable or node.checkable or node.cls.endswith(TEXT_FIELDS)


def element_paths(tree: UiTree, point: Point) -> Iterator[tuple[UiNode, ...]]:
    """Yield the paths from the topmost window at a point to its elements there, the uppermost first."""
    windows = (root for root in windows_from_top(tree) if root.visible and root.bounds.contains(point))
    if (top := next(windows, None)) is not None:
        yield from _descend(top, point, ())


def _descend(node: UiNode, point: Point, above: tuple[UiNode, ...]) -> Iterator[tuple[UiNode, ...]]:
    path = (*above, node)
    for child in reversed(node.children):
        if child.visible and child.bounds.contains(point):
            yield from _descend(child, point, path)
    yield path
