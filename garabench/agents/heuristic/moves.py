"""Actions on elements."""

from __future__ import annotations

from garabench.agents.heuristic.screen import Item
from garabench.core import action as act


def tap(item: Item) -> act.Tap:
    """Tap the middle of what is to be seen of an element; a switch at its right end, where its knob is."""
    at = item.bounds.center
    return act.Tap(x=at.x, y=at.y)
