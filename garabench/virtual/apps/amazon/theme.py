"""Colours, dimensions and small widgets shared by Amazon's screens."""

from __future__ import annotations

from collections.abc import Sequence

from garabench.virtual.ui.widgets import (
    MATCH,
    WRAP,
    Align,
    Box,
    Button,
    CheckBox,
    Color,
    Column,
    Gradient,
    Handler,
    Icon,
    Insets,
    RadioButton,
    Row,
    Text,
    Widget,
    insets,
    spacer,
)

TEAL = "#007185"
TEAL_DEEP = "#008296"
YELLOW = "#FFD814"
ORANGE = "#FFA41C"
STAR = "#DE7921"
RED = "#CC0C39"
GREEN = "#007600"
PRIME = "#00A8E1"
INK = "#0F1111"
INK_2 = "#565959"
INK_3 = "#888C8C"
LINE = "#E3E6E6"
BACKGROUND = "#EAEDED"
PALE = "#F3F5F5"
WHITE = "#FFFFFF"
NAVY = "#232F3E"
BAR = Gradient(start="#84D8E3", end="#A6E6CE", horizontal=True)
BAR_TOP = "#84D8E3"
PLACE_BAR = Gradient(start="#CDEBF2", end="#EAF6F0", horizontal=True)
CARD_PADDING = Insets(14, 14, 14, 14)
WIDE_PADDING = Insets(16, 12, 16, 12)


def icon_button(
    name: str,
    *,
    rid: str = "",
    desc: str = "",
    color: Color = INK,
    size: float = 22,
    touch_size: float = 42,
    background: Color | None = None,
    selected: bool = False,
    on_click: Handler | None = None,
) -> Widget:
    """Return an icon button with padding for touch."""
    picture = Icon(
        name=name,
        size=size,
        color=color,
        align_self=Align.CENTER,
        align_vertical=Align.CENTER,
        important=False,
    )
    return Box(
        id=rid,
        desc=desc,
        cls="android.widget.ImageView",
        width=touch_size,
        height=touch_size,
        radius=touch_size / 2 if background else 0,
        background=background,
        selected=selected,
        on_click=on_click,
        children=(picture,),
    )


def button(
    label: str,
    on_click: Handler | None,
    *,
    rid: str = "",
    color: Color = YELLOW,
    size: float = 15,
    padding: Insets = WIDE_PADDING,
    weight: float = 0,
    wide: bool = True,
    desc: str = "",
    enabled: bool = True,
) -> Widget:
    """Return a rounded button: yellow, orange, or white with an outline."""
    outlined = color == WHITE
    return Button(
        id=rid,
        text=label,
        desc=desc,
        size=size,
        color=INK if enabled else INK_3,
        background=color if enabled else PALE,
        border="#D5D9D9" if outlined else None,
        border_width=1,
        radius=24,
        padding=padding,
        max_lines=1,
        weight=weight,
        width=MATCH if wide and not weight else WRAP,
        enabled=enabled,
        on_click=on_click,
    )


def small_button(label: str, on_click: Handler, *, rid: str, desc: str = "", color: Color = WHITE) -> Widget:
    """Return a small button of a row, as wide as its label."""
    return button(
        label, on_click, rid=rid, desc=desc, color=color, size=13, padding=insets(12, 7), wide=False
    )


def link(label: str, on_click: Handler, *, rid: str = "", size: float = 14, desc: str = "") -> Widget:
    """Return a teal text link."""
    return Text(id=rid, text=label, desc=desc, size=size, color=TEAL, padding=insets(0, 6), on_click=on_click)


def chip(label: str, on: bool, on_click: Handler, *, rid: str = "", size: float = 13) -> Widget:
    """Return a chip that is selected or not."""
    return Button(
        id=rid,
        key=f"{rid}-{label}",
        cls="android.widget.ToggleButton",
        text=label,
        size=size,
        color=INK,
        bold=on,
        background="#EDFDFF" if on else WHITE,
        border=TEAL_DEEP if on else "#D5D9D9",
        border_width=1.5 if on else 1,
        radius=8,
        padding=insets(12, 8),
        selected=on,
        checkable=True,
        checked=on,
        on_click=on_click,
    )


def heading(text: str, *, size: float = 18, rid: str = "") -> Widget:
    """Return a heading of a page or a card."""
    return Text(id=rid, text=text, size=size, bold=True, color=INK)


def card(
    *children: Widget, rid: str = "", padding: Insets = CARD_PADDING, gap: float = 8, key: str = ""
) -> Widget:
    """Return a full-width white block on the grey background."""
    return Column(
        id=rid,
        key=key,
        width=MATCH,
        margin=insets(0, 0, 0, 8),
        padding=padding,
        background=WHITE,
        gap=gap,
        children=children,
    )


def arrow_row(
    label: str,
    value: str = "",
    *,
    rid: str = "",
    note: str = "",
    icon: str = "",
    on_click: Handler | None = None,
    trailing: Widget | None = None,
) -> Widget:
    """Return a row of settings or facts, with an arrow if it opens a page."""
    words: list[Widget] = [Text(id="row_label", text=label, size=15, color=INK, max_lines=1)]
    if note:
        words.append(Text(id="row_note", text=note, size=12, color=INK_2, max_lines=1))
    tail: list[Widget] = []
    if value:
        tail.append(Text(id="row_value", text=value, size=14, color=INK_2, max_lines=1))
    if trailing is not None:
        tail.append(trailing)
    elif on_click is not None:
        tail.append(Icon(name="chevron_right", size=20, color=INK_3, important=False))
    lead = (Icon(name=icon, size=24, color=INK_2, important=False),) if icon else ()
    return Row(
        id=rid,
        key=f"row-{label}",
        width=MATCH,
        height=62 if note else 52,
        gap=12,
        padding=insets(16, 0),
        background=WHITE,
        on_click=on_click,
        children=(*lead, Column(gap=2, weight=1, children=words), *tail),
    )


def mark_row(
    label: str, on: bool, on_click: Handler, *, rid: str, box: bool = False, desc: str = "", margin: float = 0
) -> Widget:
    """Return a row with a radio button, or with ``box=True`` a check box, and a label."""
    kind = CheckBox if box else RadioButton
    mark = kind(checked=on, color=TEAL_DEEP, width=26, height=26, important=False)
    return Row(
        id=rid,
        key=f"{rid}-{desc or label}",
        cls="android.widget.CheckBox" if box else "android.widget.RadioButton",
        desc=desc or label,
        width=MATCH,
        height=46,
        gap=8,
        padding=insets(margin, 0),
        checkable=True,
        checked=on,
        on_click=on_click,
        children=(mark, Text(text=label, size=15, color=INK, weight=1, max_lines=2, important=bool(desc))),
    )


def message_page(icon: str, title: str, note: str = "", *actions: Widget, rid: str = "empty_view") -> Widget:
    """Return a page with only a message, for empty lists and missing network."""
    parts: list[Widget] = [
        Icon(name=icon, size=72, color="#B5BABA", align_self=Align.CENTER, important=False),
        Text(
            id="empty_text",
            text=title,
            size=18,
            bold=True,
            color=INK,
            align=Align.CENTER,
            align_self=Align.CENTER,
        ),
    ]
    if note:
        parts.append(
            Text(
                id="empty_note",
                text=note,
                size=14,
                color=INK_2,
                align=Align.CENTER,
                align_self=Align.CENTER,
            )
        )
    middle = Column(
        width=MATCH,
        gap=14,
        padding=insets(32, 0),
        align_vertical=Align.CENTER,
        children=(*parts, *actions),
    )
    return Box(id=rid, width=MATCH, height=MATCH, weight=1, background=WHITE, children=(middle,))


def network_error(on_retry: Handler) -> Widget:
    """Return the placeholder of a page that failed to load."""
    return message_page(
        "wifi_off",
        "Something went wrong on our end",
        "Please check your network connection and try again.",
        button("Try again", on_retry, rid="retry"),
        rid="network_error",
    )


def page_title(title: str, *actions: Widget, rid: str = "page_title") -> Widget:
    """Return the row below the search bar with the page's title."""
    return Row(
        width=MATCH,
        height=52,
        padding=insets(16, 0, 10, 0),
        background=WHITE,
        children=(Text(id=rid, text=title, size=20, bold=True, color=INK, max_lines=1), spacer(), *actions),
    )


def pairs(rows: Sequence[tuple[str, str]], *, rid: str = "spec") -> Widget:
    """Return a table of names and values."""
    return Column(
        width=MATCH,
        children=[
            Row(
                id=f"{rid}_row",
                key=f"{rid}-{name}",
                width=MATCH,
                padding=insets(10, 8),
                background=PALE if number % 2 == 0 else WHITE,
                align=Align.START,
                children=(
                    Text(id=f"{rid}_name", text=name, size=13, bold=True, color=INK, width=130),
                    Text(id=f"{rid}_value", text=value, size=13, color=INK, weight=1),
                ),
            )
            for number, (name, value) in enumerate(rows)
        ],
    )
