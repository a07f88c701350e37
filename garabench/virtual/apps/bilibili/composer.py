"""The bottom input panel for comments, bullet comments and names."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from garabench.virtual.apps.bilibili.theme import INK, INK_3, LINE, PINK, WHITE
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Button,
    Column,
    Handler,
    Row,
    Text,
    TextField,
    Widget,
    insets,
)


def composer(
    *,
    text: str,
    hint: str,
    action: str,
    on_change: Callable[[str], None],
    on_send: Handler,
    on_close: Handler,
    above: Sequence[Widget] = (),
    rid: str = "composer",
) -> Widget:
    """Return a dimmed layer with a text field and its button at the bottom.

    Args:
        text: The current text.
        hint: Shown while the field is empty.
        action: The button's label.
        on_change: Called when the text changes.
        on_send: Called by the button and by the keyboard's action key.
        on_close: Called by a tap outside the panel.
        above: Widgets below the field (choices of colour and size).
        rid: Resource id of the panel; the field is ``<rid>_input``, the button ``<rid>_send``.
    """
    ready = bool(text.strip())
    field = Row(
        width=MATCH,
        gap=10,
        children=(
            Row(
                weight=1,
                radius=18,
                background=LINE,
                padding=insets(14, 0),
                children=(
                    TextField(
                        id=f"{rid}_input",
                        text=text,
                        hint=hint,
                        size=14,
                        color=INK,
                        weight=1,
                        height=38,
                        on_change=on_change,
                        on_submit=on_send,
                        action="send",
                    ),
                ),
            ),
            Button(
                id=f"{rid}_send",
                text=action,
                size=14,
                color=WHITE,
                background=PINK if ready else "#FFB3C7",
                radius=18,
                padding=insets(18, 8),
                enabled=ready,
                on_click=on_send,
            ),
        ),
    )
    return Box(
        width=MATCH,
        height=MATCH,
        children=(
            Widget(id=f"{rid}_outside", width=MATCH, height=MATCH, background="#66000000", on_click=on_close),
            Column(
                id=rid,
                width=MATCH,
                align_vertical=Align.END,
                background=WHITE,
                padding=insets(12, 10),
                gap=10,
                on_click=_stay,
                clickable=False,
                children=(field, *above),
            ),
        ),
    )


def _stay() -> None:
    """Consume a tap on the panel itself."""


def choice_row(label: str, choices: Sequence[Widget]) -> Widget:
    """Return a label and its options."""
    return Row(width=MATCH, gap=12, children=(Text(text=label, size=13, color=INK_3, width=64), *choices))
