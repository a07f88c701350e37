"""The soft keyboard as a view: letters, digits and the action key."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from garabench.virtual.ui.widgets import MATCH, Align, Box, Column, Icon, Row, Text, Widget, insets

HEIGHT_DP = 260
MAX_SHARE = 0.46
"""Largest share of the screen's height, as in Android's keyboard: it is lower on a turned phone."""
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_DIGITS = ("1234567890", "@#$_&-+()/", "*\"':;!?")
_ACTIONS = {
    "search": "search",
    "send": "send",
    "done": "check",
    "go": "arrow_right",
    "next": "arrow_right",
}


def keyboard_view(
    *,
    action: str,
    digits: bool,
    press: Callable[[str], None],
    delete: Callable[[], None],
    act: Callable[[], None],
) -> Widget:
    """Build the keyboard.

    Args:
        action: Action of the action key: ``search``, ``done``, ``send``, ``go``, ``next``.
        digits: Whether to show digits and signs instead of letters.
        press: Called with the character of a key.
        delete: Called by the backspace key.
        act: Called by the action key.
    """
    rows = _DIGITS if digits else _ROWS
    lines = [_line([_key(char, partial(press, char)) for char in row]) for row in rows[:2]]
    last = [_key(char, partial(press, char)) for char in rows[2]]
    backspace = _special("key_pos_del", "backspace", "删除", delete, 1.4)
    lines.append(_line([*last, backspace]))
    icon = _ACTIONS.get(action, "check")
    lines.append(
        _line(
            [
                _key(",", partial(press, ",")),
                _key(" ", partial(press, " "), weight=5),
                _key(".", partial(press, ".")),
                _special("key_pos_ime_action", icon, action, act, 1.6, "#C2E7FF"),
            ]
        )
    )
    return Column(
        id="keyboard_area",
        width=MATCH,
        height=MATCH,
        background="#E8EAED",
        padding=insets(3, 8),
        children=lines,
    )


def _line(keys: list[Widget]) -> Widget:
    return Row(width=MATCH, weight=1, children=keys, align=Align.STRETCH, padding=insets(0, 3))


def _key(char: str, act: Callable[[], None], *, weight: float = 1) -> Widget:
    return Box(
        weight=weight,
        height=MATCH,
        margin=insets(2.5, 2),
        radius=6,
        background="#FFFFFF",
        desc=char,
        on_click=act,
        children=[
            Text(
                text=char,
                size=20,
                important=False,
                align_self=Align.CENTER,
                align_vertical=Align.CENTER,
            )
        ],
    )


def _special(
    name: str, icon: str, desc: str, act: Callable[[], None], weight: float, background: str = "#D2D5DA"
) -> Widget:
    return Box(
        id=name,
        weight=weight,
        height=MATCH,
        margin=insets(2.5, 2),
        radius=6,
        background=background,
        desc=desc,
        on_click=act,
        children=[
            Icon(name=icon, size=22, important=False, align_self=Align.CENTER, align_vertical=Align.CENTER)
        ],
    )
