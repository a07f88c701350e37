"""Find the button that the heading of a page names, by its number or by its name in quotes."""

from __future__ import annotations

import re
from collections.abc import Container

from garabench.agents.heuristic.screen import ScreenContents, ScreenItem
from garabench.agents.heuristic.similarity import normalize_label

HEAD = 0.13
"""Fraction of the screen's height that contains the title of a page."""
_NAMES = re.compile(r"\"([^\"]+)\"|“([^”]+)”|「([^」]+)」|(\d+)")


def item_named_by_heading(screen: ScreenContents, without: Container[str] = frozenset()) -> ScreenItem | None:
    """Return the item whose label the heading names, if any.

    Args:
        screen: The screen.
        without: Keys of items to exclude.
    """
    for text, place in sorted(screen.texts, key=lambda each: each[1].top):
        if place.top >= screen.size.height * HEAD:
            break
        if any(item.bounds.encloses(place) for item in screen.items):
            continue  # the label of an item is not a heading
        for groups in _NAMES.findall(text):
            name = normalize_label(next(filter(None, groups))).plain
            for item in screen.items:
                if item.key not in without and any(label.plain == name for label in item.labels):
                    return item
    return None
