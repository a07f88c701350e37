"""The contents of a screen: pressable items with their labels, state and surroundings."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from garabench.agents.heuristic.similarity import NormalizedText, normalize_label
from garabench.core import action as act
from garabench.core.geometry import Rect, Size
from garabench.core.tree import SYSTEM_UI, UiNode, UiTree, is_system
from garabench.core.window_order import top_app_window

_MIN_HEIGHT = 0.008
"""Smallest height of an element to press, as a fraction of the screen."""
_MAX_CARD = 0.42
"""Largest height of a row or card, as a fraction of the screen."""
_MIN_CARD_WIDTH = 0.4
"""Smallest width of a row or card, as a fraction of the screen; narrower elements are buttons."""
_FULL = 0.8
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_TAB_NUMBER = re.compile(
    r"[,，]\s*(?:\d+之\d+|tab \d+ of \d+|标签|tab|\d+ new).*$|\s+Tab \d+ of \d+.*$", re.I
)


@dataclass(frozen=True, slots=True)
class ScreenItem:
    """Something that can be pressed.

    Attributes:
        node: The node.
        bounds: Bounds, clipped to the screen.
        labels: Its texts, heading first.
        entry: The words of its resource id, which are usually English.
        around: All texts of its row or card.
        card: The bounds of its row or card.
        field: Whether it is a text field.
        state: Whether it is checked; None if it is not checkable.
    """

    node: UiNode
    bounds: Rect
    labels: tuple[NormalizedText, ...]
    entry: NormalizedText
    around: NormalizedText
    card: Rect
    field: bool
    state: bool | None

    @property
    def title(self) -> str:
        """Its name in the agent's thoughts."""
        return next((piece.plain for piece in self.labels if piece.plain), self.entry.plain)

    def tap(self) -> act.Tap:
        """Return a tap on the center of its visible part."""
        at = self.bounds.center
        return act.Tap(x=at.x, y=at.y)

    @property
    def key(self) -> str:
        """Identifier on its screen."""
        return f"{self.node.resource_id}|{self.title}|{self.around.plain[:60]}"


@dataclass(frozen=True, slots=True)
class ScreenContents:
    """The controls and texts of a screen.

    Attributes:
        items: The items that can be pressed, top first.
        texts: All texts with their bounds.
        size: Size of the screen.
        scrolls: Bounds of vertically scrollable areas, largest first.
        modal: Bounds of the window over the others, if any.
        key: Identifier of the screen.
        package: Package of the top window.
        keyboard: Whether the keyboard is open.
    """

    items: tuple[ScreenItem, ...]
    texts: tuple[tuple[str, Rect], ...]
    size: Size
    scrolls: tuple[Rect, ...]
    modal: Rect | None
    key: str
    package: str
    keyboard: bool

    @property
    def all_text(self) -> NormalizedText:
        """All texts of the screen."""
        return normalize_label(" ".join(text for text, _ in self.texts))


def screen_contents(tree: UiTree, size: Size, package: str = "") -> ScreenContents:
    """Extract the contents of a screen.

    Args:
        tree: The UI tree.
        size: Size of the screen.
        package: The focused package, if it is known.
    """
    window = top_app_window(tree, package)
    top = [] if window is None else [window]
    keyboard = any(is_system(root.package) and root.package != SYSTEM_UI for root in tree.roots)
    whole = Rect(0, 0, size.width, size.height)
    items: list[ScreenItem] = []
    texts: list[tuple[str, Rect]] = []
    scrolls: list[Rect] = []
    for root in top:
        for node in root.walk():
            bounds = node.bounds.intersect(whole)
            if bounds.is_empty or not node.visible:
                continue
            if text := (node.text or node.desc).strip():
                texts.append((text, bounds))
            if node.scrollable and bounds.height > size.height * 0.2 and "Horizontal" not in node.cls:
                scrolls.append(bounds)
            if _pressable(node) and bounds.height >= size.height * _MIN_HEIGHT:
                items.append(_item(node, bounds, tree, size))
    modal = None
    if top:
        area = top[0].bounds
        if area.width * area.height < _FULL * size.width * size.height * (0.65 if keyboard else 1):
            modal = area
    marks = sorted({f"{item.node.resource_id}:{item.title[:20]}" for item in items})
    key = hashlib.blake2s("\n".join(marks).encode("utf-8", "replace"), digest_size=8).hexdigest()
    return ScreenContents(
        tuple(items),
        tuple(texts),
        size,
        tuple(sorted(scrolls, key=lambda rect: -rect.width * rect.height)),
        modal,
        key,
        top[0].package if top else "",
        keyboard,
    )


def _pressable(node: UiNode) -> bool:
    return node.enabled and (
        node.clickable or node.checkable or node.long_clickable or node.cls.endswith("EditText")
    )


def _item(node: UiNode, bounds: Rect, tree: UiTree, size: Size) -> ScreenItem:
    texts: list[str] = []
    if node.text or node.desc:
        texts += [node.text, _TAB_NUMBER.sub("", node.desc)]
    texts += _inner(node)
    pieces = tuple(dict.fromkeys(piece.strip() for piece in texts if piece.strip()))
    card = _card(node, tree, size)
    field = node.cls.endswith("EditText")
    return ScreenItem(
        node,
        bounds,
        tuple(normalize_label(piece) for piece in pieces),
        normalize_label(_CAMEL.sub(" ", node.entry).replace("_", " ")),
        normalize_label(" ".join(_all_texts(card))),
        card.bounds,
        field,
        _state(node),
    )


def _inner(node: UiNode) -> list[str]:
    """Return the texts inside an element, without those of pressable elements in it."""
    found: list[str] = []
    stack = list(reversed(node.children))
    while stack:
        child = stack.pop()
        if _pressable(child) and not child.checkable:
            continue
        found += [text for text in (child.text, child.desc) if text]
        stack.extend(reversed(child.children))
    return found


def _all_texts(node: UiNode) -> list[str]:
    return [text for child in node.walk() for text in (child.text, child.desc) if text]


def _card(node: UiNode, tree: UiTree, size: Size) -> UiNode:
    """Return the largest element around a node that is still a row or card of a list."""
    card = node
    for parent in tree.ancestors(node):
        if (
            parent.scrollable
            or parent.bounds.height > size.height * _MAX_CARD
            or _one_of_many(card, parent, size)
        ):
            break
        card = parent
    return card


def _one_of_many(card: UiNode, parent: UiNode, size: Size) -> bool:
    """Return whether the parent is a list of such rows, or a grid of such cards."""
    mine = card.bounds
    if mine.width < size.width * _MIN_CARD_WIDTH:
        return False
    alike = [
        child
        for child in parent.children
        if child.cls == card.cls
        and child.resource_id == card.resource_id
        and abs(child.bounds.width - mine.width) < 0.1 * mine.width
        and any(_pressable(inner) for inner in child.walk())
    ]
    return len(alike) > 1


def _state(node: UiNode) -> bool | None:
    if node.checkable:
        return node.checked
    inner = [child for child in node.walk() if child.checkable]
    if len(inner) == 1:
        return inner[0].checked
    return True if node.selected else None
