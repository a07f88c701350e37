"""Text fields, and the controls that lead to them."""

from __future__ import annotations

from garabench.agents.heuristic.matching import best_match
from garabench.agents.heuristic.screen import ScreenContents, ScreenItem
from garabench.agents.heuristic.similarity import normalize_label
from garabench.agents.heuristic.ui_labels import SEARCH

_MIN_SCORE = 0.55


def _is_entrance(item: ScreenItem, screen: ScreenContents) -> bool:
    """Return whether an element may open a search: small, and in the upper part of the page."""
    height = screen.size.height
    return item.bounds.top < 0.4 * height and item.bounds.height < 0.1 * height and item.bounds.width > 0


def search_entrance(screen: ScreenContents, without: frozenset[str]) -> ScreenItem | None:
    """Return the likeliest element that opens a search field.

    Args:
        screen: The screen.
        without: Keys of elements to exclude.
    """
    items = [item for item in screen.items if item.key not in without and _is_entrance(item, screen)]
    match = best_match([item for item in items if not item.field], SEARCH)
    return match.item if match and match.score >= _MIN_SCORE else None


def search_field(screen: ScreenContents) -> ScreenItem | None:
    """Return the search field: one that is labelled as such, or the only field."""
    fields = [item for item in screen.items if item.field]
    if len(fields) == 1 and screen.keyboard:
        return fields[0]
    for item in fields:
        label = normalize_label(f"{item.node.hint} {item.node.entry.replace('_', ' ')} {item.node.desc}")
        if any(name in label.plain for name in ("搜", "search", "find", "where", "查找")):
            return item
    return fields[0] if len(fields) == 1 else None


def text_field(screen: ScreenContents) -> ScreenItem | None:
    """Return the field to type into: the focused one, else the first that is not a search field."""
    fields = [item for item in screen.items if item.field]
    focused = [item for item in fields if item.node.focused]
    others = [
        item
        for item in fields
        if "search" not in item.entry.plain and not item.node.hint.startswith(("搜", "Search"))
    ]
    if focused and focused[0] in others:
        return focused[0]
    return others[0] if others else None
