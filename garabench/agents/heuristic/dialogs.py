"""Detect dialogs by their structure, and choose the button that closes them."""

from __future__ import annotations

from collections.abc import Sequence

from garabench.agents.heuristic.matching import name_score
from garabench.agents.heuristic.screen import ScreenContents, ScreenItem
from garabench.agents.heuristic.similarity import normalize
from garabench.agents.heuristic.ui_labels import AGREE, DECLINE, DECLINE_PREFIXES, LEAVE_APP_PREFIXES

_MAX_BUTTONS = 6
_CALLED = 0.75


def is_dialog(screen: ScreenContents) -> bool:
    """Whether the window on top asks something: it is small, has words, a few buttons and no field."""
    return (
        screen.modal is not None
        and 0 < len(screen.items) <= _MAX_BUTTONS
        and not any(item.field for item in screen.items)
    )


def asks(screen: ScreenContents) -> bool:
    """Whether a window, however large, is nothing but some words and one to four buttons."""
    return 0 < len(screen.items) <= 4 and not any(item.field for item in screen.items)


def leave(items: Sequence[ScreenItem]) -> ScreenItem | None:
    """The button that leaves everything as it was.

    Returns:
        The one that is known by its words, or by how they begin; else one that does not lead away, else the
        last. None where there is no button.
    """
    if not items:
        return None
    quiet = [item for item in items if _begins(item, DECLINE_PREFIXES)]
    still = [item for item in items if not _begins(item, LEAVE_APP_PREFIXES)]
    return _called(items, DECLINE) or next(iter(quiet), None) or next(reversed(still), None) or items[-1]


def agree(items: Sequence[ScreenItem]) -> ScreenItem | None:
    """The button that carries out what was asked for; None where none is known by its words."""
    return _called(items, AGREE)


def _begins(item: ScreenItem, beginnings: Sequence[str]) -> bool:
    said = " ".join((item.node.text or item.node.desc).casefold().split()) or item.title
    return said.startswith(tuple(beginnings))


def _called(items: Sequence[ScreenItem], names: Sequence[str]) -> ScreenItem | None:
    phrases = [normalize(name) for name in names]
    scored = [(name_score(item, phrases), item) for item in items]
    score, item = max(scored, key=lambda pair: pair[0], default=(0.0, None))
    return item if score >= _CALLED else None
