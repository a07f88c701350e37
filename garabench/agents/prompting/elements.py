"""The elements of a screen that prompts list and number: those that can be acted on or show text.

The text, the boxes in the image and the numbers in replies use the same list, so that a number means the same
element everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from garabench.core.geometry import Rect, Size
from garabench.core.tree import SYSTEM_UI, UiNode, UiTree, is_system
from garabench.core.window_order import windows_from_top

_MAX_MERGED = 12
"""Maximum number of texts merged into their control; a control with more texts is a clickable page."""
_MIN_SIDE = 2
"""Minimum width and height in pixels of a visible element."""


@dataclass(frozen=True, slots=True)
class ScreenElement:
    """A part of the screen that the element list contains.

    Attributes:
        node: The node.
        rect: Bounds within the screen.
        acts: Whether it reacts to touch.
        depth: Number of listed elements that contain it.
        texts: Its own texts, then those merged into it.
    """

    node: UiNode
    rect: Rect
    acts: bool
    depth: int
    texts: tuple[str, ...]


def elements_of(tree: UiTree, screen: Size) -> tuple[ScreenElement, ...]:
    """Return the elements of a screen in tree order, topmost window first.

    Omitted are the status and navigation bars, the keyboard, invisible elements, and elements whose center
    another window covers.

    Args:
        tree: The tree.
        screen: Size of the screen at its current rotation.
    """
    whole = Rect(0, 0, screen.width, screen.height)
    found: list[ScreenElement] = []
    above: list[Rect] = []
    for root in windows_from_top(tree):
        if not _is_omitted(root, screen):
            found += _Collector(whole, tuple(above)).of(root)
        if root.visible and not root.bounds.is_empty:
            above.append(root.bounds)
    return tuple(found)


def keyboard_shown(tree: UiTree) -> bool:
    """Return whether an on-screen keyboard is open."""
    return any(is_system(root.package) and root.package != SYSTEM_UI for root in tree.roots)


def acts(node: UiNode) -> bool:
    """Return whether a node reacts to touch."""
    return (
        node.clickable
        or node.long_clickable
        or node.checkable
        or node.scrollable
        or node.cls.endswith(("EditText", "AutoCompleteTextView"))
    )


def own_texts(node: UiNode) -> tuple[str, ...]:
    """Return a node's texts: its text, its description if that differs, the hint of an empty field."""
    shown = "" if node.password else node.text.strip()
    texts = [shown] if shown else []
    if node.desc.strip() and node.desc.strip() != shown:
        texts.append(node.desc.strip())
    if not shown and node.hint.strip() and node.hint.strip() not in texts:
        texts.append(node.hint.strip())
    return tuple(texts)


def _is_omitted(root: UiNode, screen: Size) -> bool:
    """Return whether a window is a bar or a keyboard; the notification shade and popups are neither."""
    if not is_system(root.package):
        return False
    if root.package != SYSTEM_UI:
        return True
    across, along = root.bounds.width, root.bounds.height
    return along * 100 <= screen.height * 8 or across * 100 <= screen.width * 8


class _Collector:
    """Collects the elements of one window."""

    def __init__(self, screen: Rect, above: tuple[Rect, ...]) -> None:
        self._screen = screen
        self._above = above
        self._acting: set[int] = set()

    def of(self, root: UiNode) -> Iterator[ScreenElement]:
        self._mark(root)
        yield from self._elements(root, self._screen, 0)

    def _visible_bounds(self, node: UiNode, within: Rect) -> Rect | None:
        """Return the visible bounds of a node; None if it is not visible."""
        rect = node.bounds.intersect(within)
        if not node.visible or rect.width < _MIN_SIDE or rect.height < _MIN_SIDE:
            return None
        return None if any(window.contains(rect.center) for window in self._above) else rect

    def _mark(self, node: UiNode) -> bool:
        """Record the nodes that react to touch or contain one that does."""
        children = [self._mark(child) for child in node.children]
        if any(children) or (acts(node) and node.visible):
            self._acting.add(id(node))
            return True
        return False

    def _elements(self, node: UiNode, within: Rect, depth: int) -> Iterator[ScreenElement]:
        rect = self._visible_bounds(node, within)
        if not node.visible:
            return
        inner = within if rect is None else rect
        if rect is None and any(window.encloses(node.bounds) for window in self._above):
            return
        reacts, texts = acts(node), own_texts(node)
        if reacts and not any(id(child) in self._acting for child in node.children):
            merged = self._merged(node, inner)
            if len(merged) <= _MAX_MERGED:
                if rect is not None:
                    yield ScreenElement(node, rect, True, depth, _without_duplicates((*texts, *merged)))
                return
        if rect is not None and (reacts or texts):
            yield ScreenElement(node, rect, reacts, depth, texts)
            depth += 1
        for child in node.children:
            yield from self._elements(child, within, depth)

    def _merged(self, node: UiNode, within: Rect) -> tuple[str, ...]:
        """Return the texts below a control that contains no other control."""
        found: list[str] = []
        for child in node.children:
            if child.visible and not child.bounds.intersect(within).is_empty:
                found += own_texts(child)
                found += self._merged(child, within)
        return tuple(found)


def _without_duplicates(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Drop duplicate texts and those contained in the first one, which is often a description of all."""
    found: list[str] = []
    for text in texts:
        if text not in found and not (found and text in found[0]):
            found.append(text)
    return tuple(found)
