"""Mirrored layouts for right-to-left texts."""

from __future__ import annotations

from dataclasses import replace

from garabench.virtual.ui.bidi import base_level
from garabench.virtual.ui.widgets import Align, Container, Insets, ProgressBar, Row, Text, Widget

_TURNED = {Align.START: Align.END, Align.END: Align.START}


def right_to_left(text: str) -> bool:
    """Whether the first letter of a text that has a direction is of a script that is read from the right."""
    return base_level(text) == 1


def mirrored(view: Widget) -> Widget:
    """The same view the other way round, with all that it holds.

    A text begins at the side that its own first letter says (Android's FIRST_STRONG), whichever way the
    window goes; only one without such a letter goes with the window.
    """
    turned = replace(view, margin=_swapped(view.margin), padding=_swapped(view.padding))
    if view.align_self is not None:
        turned = replace(turned, align_self=_TURNED.get(view.align_self, view.align_self))
    if isinstance(turned, Text) and not _has_direction(turned.text):
        turned = replace(turned, align=_TURNED.get(turned.align, turned.align))
    if isinstance(turned, ProgressBar):
        turned = replace(turned, turned=not turned.turned)
    if isinstance(turned, Container):
        children = [mirrored(child) for child in turned.children]
        if isinstance(turned, Row):
            justify = _TURNED.get(turned.justify, turned.justify)
            return replace(turned, children=children[::-1], justify=justify)
        turned = replace(turned, children=children)
    return turned


def _has_direction(text: str) -> bool:
    return base_level(text) == base_level(text, otherwise=1)


def _swapped(given: Insets) -> Insets:
    return replace(given, left=given.right, right=given.left)
