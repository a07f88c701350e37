"""Windows whose words are read from the right: what stood at the left stands at the right."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

from garabench.virtual.ui.widgets import Align, Container, Insets, Row, Text, View

_TURNED = {Align.START: Align.END, Align.END: Align.START}


def right_to_left(text: str) -> bool:
    """Whether the first letter of a text that has a direction is of a script that is read from the right."""
    for letter in text:
        kind = unicodedata.bidirectional(letter)
        if kind in ("L", "R", "AL"):
            return kind != "L"
    return False


def mirrored(view: View) -> View:
    """The same view the other way round, with all that it holds."""
    turned = replace(view, margin=_swapped(view.margin), padding=_swapped(view.padding))
    if view.align_self is not None:
        turned = replace(turned, align_self=_TURNED.get(view.align_self, view.align_self))
    if isinstance(turned, Text):
        turned = replace(turned, align=_TURNED.get(turned.align, turned.align))
    if isinstance(turned, Container):
        children = [mirrored(child) for child in turned.children]
        if isinstance(turned, Row):
            justify = _TURNED.get(turned.justify, turned.justify)
            return replace(turned, children=children[::-1], justify=justify)
        turned = replace(turned, children=children)
    return turned


def _swapped(given: Insets) -> Insets:
    return replace(given, left=given.right, right=given.left)
