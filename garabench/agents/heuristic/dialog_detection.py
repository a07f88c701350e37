"""Detect dialogs by their structure, and choose the button that closes them."""

from __future__ import annotations

from collections.abc import Sequence

from garabench.agents.heuristic.matching import name_score
from garabench.agents.heuristic.screen import ScreenContents, ScreenItem
from garabench.agents.heuristic.similarity import normalize_label
from garabench.agents.heuristic.ui_labels import AGREE, DECLINE, DECLINE_PREFIXES, LEAVE_APP_PREFIXES

_MAX_BUTTONS = 6
_MIN_SCORE = 0.75


def is_dialog(screen: ScreenContents) -> bool:
    """Return whether the top window is a dialog: small, with text, a few buttons and no text field."""
    return (
        screen.modal is not None
        and 0 < len(screen.items) <= _MAX_BUTTONS
        and not any(item.field for item in screen.items)
    )


def is_prompt(screen: ScreenContents) -> bool:
    """Return whether a window of any size has one to four buttons and no text field."""
    return 0 < len(screen.items) <= 4 and not any(item.field for item in screen.items)


def leave(items: Sequence[ScreenItem]) -> ScreenItem | None:
    """Return the button that changes nothing.

    Returns:
        The button with a known label or prefix; else the last one that does not lead to another page, or
        else the last one. None if there is no button.
    """
    if not items:
        return None
    declining = [item for item in items if _starts_with(item, DECLINE_PREFIXES)]
    staying = [item for item in items if not _starts_with(item, LEAVE_APP_PREFIXES)]
    return (
        _best_named(items, DECLINE)
        or next(iter(declining), None)
        or next(reversed(staying), None)
        or items[-1]
    )


def agree(items: Sequence[ScreenItem]) -> ScreenItem | None:
    """Return the button that confirms the action; None if none has a known label."""
    return _best_named(items, AGREE)


def _starts_with(item: ScreenItem, prefixes: Sequence[str]) -> bool:
    label = " ".join((item.node.text or item.node.desc).casefold().split()) or item.title
    return label.startswith(tuple(prefixes))


def _best_named(items: Sequence[ScreenItem], names: Sequence[str]) -> ScreenItem | None:
    phrases = [normalize_label(name) for name in names]
    scored = [(name_score(item, phrases), item) for item in items]
    score, item = max(scored, key=lambda pair: pair[0], default=(0.0, None))
    return item if score >= _MIN_SCORE else None
