"""The elements of a screen that prompts list and number: those that can be acted on or show text.

One list serves the text, the boxes in the picture and the reply's numbers, so that a number means the same
thing everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from garabench.core.geometry import Rect, Size
from garabench.core.tree import SYSTEM_UI, UiNode, UiTree, is_system

_MOST_FOLDED = 12
"""Most texts within one control that are listed as its own; a control with more is a clickable page."""
_LEAST_SIDE = 2
"""Pixels: a strip that is thinner than that is seen by nobody."""


@dataclass(frozen=True, slots=True)
class ScreenElement:
    """A part of the screen that the element list contains.

    Attributes:
        node: The node.
        rect: Bounds within the screen.
        acts: Whether something happens when it is touched.
        depth: Number of listed elements that contain it.
        texts: Its own texts, then those of the parts that are merged into it.
    """

    node: UiNode
    rect: Rect
    acts: bool
    depth: int
    texts: tuple[str, ...]


def elements_of(tree: UiTree, screen: Size) -> tuple[ScreenElement, ...]:
    """The elements of a screen in reading order of the tree, topmost window first.

    Left out are the status and navigation bars, the keyboard, what is not visible, and what a window above
    covers in its middle.

    Args:
        tree: The tree; its windows are listed topmost first, as Android does.
        screen: Size of the screen at its present rotation.
    """
    whole = Rect(0, 0, screen.width, screen.height)
    found: list[ScreenElement] = []
    above: list[Rect] = []
    for root in tree.roots:
        if not _is_left_out(root, screen):
            found += _Collecting(whole, tuple(above)).of(root)
        if root.visible and not root.bounds.is_empty:
            above.append(root.bounds)
    return tuple(found)


def keyboard_shown(tree: UiTree) -> bool:
    """Whether an on-screen keyboard is open."""
    return any(is_system(root.package) and root.package != SYSTEM_UI for root in tree.roots)


def acts(node: UiNode) -> bool:
    """Whether something happens when a node is touched."""
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


def _is_left_out(root: UiNode, screen: Size) -> bool:
    """Whether a window is a bar or a keyboard; the notification shade and what pops up are neither."""
    if not is_system(root.package):
        return False
    if root.package != SYSTEM_UI:
        return True
    across, along = root.bounds.width, root.bounds.height
    return along * 100 <= screen.height * 8 or across * 100 <= screen.width * 8


class _Collecting:
    """Collects the elements of one window."""

    def __init__(self, screen: Rect, above: tuple[Rect, ...]) -> None:
        self._screen = screen
        self._above = above
        self._acting: set[int] = set()

    def of(self, root: UiNode) -> Iterator[ScreenElement]:
        self._mark(root)
        yield from self._told(root, self._screen, 0)

    def _seen(self, node: UiNode, within: Rect) -> Rect | None:
        """Return the visible bounds of a node; None if it is not visible."""
        rect = node.bounds.intersect(within)
        if not node.visible or rect.width < _LEAST_SIDE or rect.height < _LEAST_SIDE:
            return None
        return None if any(window.contains(rect.center) for window in self._above) else rect

    def _mark(self, node: UiNode) -> bool:
        """Note the nodes that act or hold one that does."""
        below = [self._mark(child) for child in node.children]
        if any(below) or (acts(node) and node.visible):
            self._acting.add(id(node))
            return True
        return False

    def _told(self, node: UiNode, within: Rect, depth: int) -> Iterator[ScreenElement]:
        rect = self._seen(node, within)
        if not node.visible:
            return
        inner = within if rect is None else rect
        if rect is None and any(window.encloses(node.bounds) for window in self._above):
            return
        does, texts = acts(node), own_texts(node)
        if does and not any(id(child) in self._acting for child in node.children):
            folded = self._folded(node, inner)
            if len(folded) <= _MOST_FOLDED:
                if rect is not None:
                    yield ScreenElement(node, rect, True, depth, _without_repeats((*texts, *folded)))
                return
        if rect is not None and (does or texts):
            yield ScreenElement(node, rect, does, depth, texts)
            depth += 1
        for child in node.children:
            yield from self._told(child, within, depth)

    def _folded(self, node: UiNode, within: Rect) -> tuple[str, ...]:
        """The texts below a control that holds no other one."""
        found: list[str] = []
        for child in node.children:
            if child.visible and not child.bounds.intersect(within).is_empty:
                found += own_texts(child)
                found += self._folded(child, within)
        return tuple(found)


def _without_repeats(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Texts once each, and none that is a part of the first one, which is often a description of all."""
    kept: list[str] = []
    for text in texts:
        if text not in kept and not (kept and text in kept[0]):
            kept.append(text)
    return tuple(kept)
