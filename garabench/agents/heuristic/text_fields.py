"""Fields to write into, and the ways to them."""

from __future__ import annotations

from garabench.agents.heuristic.matching import best_match
from garabench.agents.heuristic.screen import ScreenContents, ScreenItem
from garabench.agents.heuristic.similarity import normalize
from garabench.agents.heuristic.ui_labels import SEARCH

_LEAST = 0.55


def _is_entrance(item: ScreenItem, screen: ScreenContents) -> bool:
    """Whether an element looks like the way to a search: small, and in the upper part of the page."""
    height = screen.size.height
    return item.bounds.top < 0.4 * height and item.bounds.height < 0.1 * height and item.bounds.width > 0


def search_entrance(screen: ScreenContents, without: frozenset[str]) -> ScreenItem | None:
    """The likeliest way to a search field.

    Args:
        screen: Where.
        without: Keys of elements that have led nowhere.
    """
    items = [item for item in screen.items if item.key not in without and _is_entrance(item, screen)]
    match = best_match([item for item in items if not item.field], SEARCH)
    return match.item if match and match.score >= _LEAST else None


def search_field(screen: ScreenContents) -> ScreenItem | None:
    """The field to search with: one that says so, or the only one."""
    fields = [item for item in screen.items if item.field]
    if len(fields) == 1 and screen.keyboard:
        return fields[0]
    for item in fields:
        said = normalize(f"{item.node.hint} {item.node.entry.replace('_', ' ')} {item.node.desc}")
        if any(name in said.plain for name in ("搜", "search", "find", "where", "查找")):
            return item
    return fields[0] if len(fields) == 1 else None


def text_field(screen: ScreenContents) -> ScreenItem | None:
    """The field to write into: the one in focus, else the only one that is not for searching."""
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
