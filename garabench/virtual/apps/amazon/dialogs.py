"""Overlays: bottom sheets and confirmation dialogs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from garabench.virtual.apps.amazon.theme import (
    INK,
    INK_2,
    LINE,
    TEAL_DEEP,
    WHITE,
    YELLOW,
    button,
    icon_button,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Handler,
    Icon,
    Row,
    ScrollView,
    Text,
    Widget,
    divider,
    insets,
    spacer,
)

_ROW = 50


def sheet(title: str, on_close: Handler, *children: Widget, rid: str = "bottom_sheet") -> Widget:
    """Return a bottom sheet with a title and a close button, for `Activity.dialog`."""
    header = Row(
        width=MATCH,
        height=52,
        padding=insets(16, 0, 6, 0),
        children=(
            Text(id="sheet_title", text=title, size=18, bold=True, color=INK, max_lines=1),
            spacer(),
            icon_button("close", rid="sheet_close", desc="Close", size=22, on_click=on_close),
        ),
    )
    return Column(
        id=rid,
        width=MATCH,
        background=WHITE,
        radius=14,
        align_vertical=Align.END,
        padding=insets(0, 0, 0, 12),
        children=(header, divider(LINE), *children),
    )


def choice_sheet(
    title: str,
    choices: Sequence[tuple[str, str]],
    chosen: str,
    choose: Callable[[str], None],
    on_close: Handler,
    *,
    rid: str = "choice",
    height: float = 0,
) -> Widget:
    """Return a sheet of choices, given as (key, label); `height` dp makes a long one scroll."""

    def row(key: str, label: str) -> Widget:
        on = key == chosen
        mark = (Icon(name="check", size=20, color=TEAL_DEEP, important=False),) if on else ()
        return Row(
            id=rid,
            key=f"{rid}-{key}",
            width=MATCH,
            height=_ROW,
            padding=insets(16, 0),
            selected=on,
            on_click=lambda: choose(key),
            children=(
                Text(id=f"{rid}_text", text=label, size=16, bold=on, color=INK, selected=on, weight=1),
                *mark,
            ),
        )

    rows = [row(key, label) for key, label in choices]
    body: Widget = Column(width=MATCH, children=rows)
    if height and height < _ROW * len(rows):
        body = ScrollView(id=f"{rid}_list", width=MATCH, height=height, children=rows)
    return sheet(title, on_close, body, rid=f"{rid}_sheet")


def question(
    text: str, yes: str, on_yes: Handler, on_no: Handler, *, no: str = "Cancel", note: str = ""
) -> Widget:
    """Return a centred confirmation dialog."""
    words: list[Widget] = [Text(id="dialog_message", text=text, size=17, bold=True, color=INK)]
    if note:
        words.append(Text(id="dialog_note", text=note, size=14, color=INK_2))
    return Column(
        id="dialog",
        width=310,
        background=WHITE,
        radius=12,
        padding=insets(20, 22, 20, 18),
        gap=14,
        children=(
            *words,
            Row(
                width=MATCH,
                gap=12,
                children=(
                    button(no, on_no, rid="dialog_no", color=WHITE, weight=1, padding=insets(8, 11)),
                    button(yes, on_yes, rid="dialog_yes", color=YELLOW, weight=1, padding=insets(8, 11)),
                ),
            ),
        ),
    )
