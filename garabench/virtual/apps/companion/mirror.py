"""Mirrored layouts for right-to-left texts."""

from __future__ import annotations

from dataclasses import replace

from garabench.virtual.ui.bidi import base_level
from garabench.virtual.ui.widgets import Align, Container, Insets, ProgressBar, Row, Text, Widget

_MIRRORED = {Align.START: Align.END, Align.END: Align.START}


def is_right_to_left(text: str) -> bool:
    """Whether the first character with a direction is of a right-to-left script."""
    return base_level(text) == 1


def mirrored(view: Widget) -> Widget:
    """Return the view and its children mirrored horizontally.

    A text is aligned by its own first strong character (Android's FIRST_STRONG), not by the
    window's direction; only a text without one follows the window.
    """
    result = replace(view, margin=_swapped(view.margin), padding=_swapped(view.padding))
    if view.align_self is not None:
        result = replace(result, align_self=_MIRRORED.get(view.align_self, view.align_self))
    if isinstance(result, Text) and not _has_direction(result.text):
        result = replace(result, align=_MIRRORED.get(result.align, result.align))
    if isinstance(result, ProgressBar):
        result = replace(result, turned=not result.turned)
    if isinstance(result, Container):
        children = [mirrored(child) for child in result.children]
        if isinstance(result, Row):
            justify = _MIRRORED.get(result.justify, result.justify)
            return replace(result, children=children[::-1], justify=justify)
        result = replace(result, children=children)
    return result


def _has_direction(text: str) -> bool:
    return base_level(text) == base_level(text, otherwise=1)


def _swapped(given: Insets) -> Insets:
    return replace(given, left=given.right, right=given.left)
