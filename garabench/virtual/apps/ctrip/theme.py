"""Colours and small widgets shared by Ctrip's screens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from garabench.virtual.ui.widgets import (
    MATCH,
    WRAP,
    Align,
    Box,
    Button,
    Color,
    Column,
    Gradient,
    Handler,
    Icon,
    Insets,
    Row,
    Text,
    Widget,
    insets,
)

BLUE = "#0086F6"
BLUE_DEEP = "#0A6EDB"
BLUE_SOFT = "#E8F3FE"
ORANGE = "#FF6600"
GREEN = "#00A87B"
RED = "#EE3B28"
GOLD = "#FFB000"
INK = "#111319"
INK_2 = "#53565E"
INK_3 = "#94979E"
LINE = "#ECEEF2"
BACKGROUND = "#F3F5F9"
WHITE = "#FFFFFF"
ORANGE_FADE = Gradient(start="#FFA50A", end="#FF7700", horizontal=True)
BLUE_FADE = Gradient(start="#00A7FA", end="#0076F5", horizontal=True)
CARD_PADDING = Insets(14, 12, 14, 12)
CARD_MARGIN = Insets(10, 8, 10, 0)
BUTTON_PADDING = Insets(18, 9, 18, 9)


def label(
    text: str,
    size: float = 14,
    color: Color = INK,
    *,
    rid: str = "",
    bold: bool = False,
    lines: int = 1,
    weight: float = 0,
    desc: str = "",
    align: Align = Align.START,
    on_click: Handler | None = None,
) -> Text:
    """Return a text."""
    return Text(
        id=rid,
        text=text,
        desc=desc,
        size=size,
        color=color,
        bold=bold,
        max_lines=lines,
        weight=weight,
        align=align,
        line_spacing=1.0 if lines == 1 else 1.15,
        on_click=on_click,
    )


def glyph(name: str, size: float = 18, color: Color = INK_3) -> Icon:
    """Return a decorative icon."""
    return Icon(name=name, size=size, color=color, important=False)


def icon_button(
    name: str,
    on_click: Handler | None,
    *,
    rid: str = "",
    desc: str = "",
    color: Color = INK,
    size: float = 22,
    touch_size: float = 42,
    selected: bool = False,
) -> Widget:
    """Return an icon button with padding for touch."""
    return Box(
        id=rid,
        desc=desc,
        cls="android.widget.ImageView",
        width=touch_size,
        height=touch_size,
        selected=selected,
        on_click=on_click,
        children=(
            Icon(
                name=name,
                size=size,
                color=color,
                align_self=Align.CENTER,
                align_vertical=Align.CENTER,
                important=False,
            ),
        ),
    )


def title_bar(title: str, on_back: Handler, *actions: Widget, background: Color | None = WHITE) -> Widget:
    """Return a title bar: back, centred title, actions at the right."""
    return Box(
        id="title_bar",
        width=MATCH,
        height=48,
        background=background,
        children=(
            Text(
                id="title",
                text=title,
                size=17,
                bold=True,
                color=INK,
                max_lines=1,
                margin=insets(90, 0),
                align_self=Align.CENTER,
                align_vertical=Align.CENTER,
            ),
            Row(
                height=48,
                align_self=Align.START,
                padding=insets(4, 0),
                children=(icon_button("chevron_left", on_back, rid="back", desc="返回", size=28),),
            ),
            Row(height=48, align_self=Align.END, padding=insets(4, 0, 8, 0), children=actions),
        ),
    )


def bar_button(text: str, rid: str, on_click: Handler, *, color: Color = BLUE) -> Widget:
    """Return a text button at the end of a bar."""
    return Text(id=rid, text=text, size=14, color=color, padding=insets(8, 12), on_click=on_click)


def button(
    text: str,
    on_click: Handler | None,
    *,
    rid: str = "",
    desc: str = "",
    fill: Color | Gradient | None = BLUE_FADE,
    color: Color = WHITE,
    size: float = 15,
    padding: Insets = BUTTON_PADDING,
    weight: float = 0,
    wide: bool = False,
    enabled: bool = True,
) -> Widget:
    """Return a rounded button, filled or, without `fill`, outlined."""
    return Button(
        id=rid,
        text=text,
        desc=desc,
        size=size,
        bold=fill is not None,
        color=color,
        background=(fill if enabled else "#BFD9F2") if fill is not None else WHITE,
        border=None if fill is not None else color,
        border_width=0.8,
        radius=8,
        padding=padding,
        weight=weight,
        width=MATCH if wide else WRAP,
        enabled=enabled,
        max_lines=1,
        on_click=on_click,
    )


def chip(text: str, on: bool, on_click: Handler, *, rid: str = "chip", size: float = 13) -> Widget:
    """Return a chip that is selected or not."""
    return Button(
        id=rid,
        cls="android.widget.TextView",
        text=text,
        size=size,
        color=BLUE if on else INK,
        background=BLUE_SOFT if on else BACKGROUND,
        border=BLUE if on else None,
        border_width=0.8,
        radius=6,
        padding=insets(13, 7),
        selected=on,
        on_click=on_click,
    )


def badge(text: str, color: Color = BLUE, *, fill: bool = False, rid: str = "") -> Widget:
    """Return a small label such as 免费取消."""
    return Text(
        id=rid,
        text=text,
        size=10.5,
        color=WHITE if fill else color,
        background=color if fill else None,
        border=None if fill else color,
        border_width=0.6,
        radius=3,
        padding=insets(4, 1),
        max_lines=1,
    )


def price(yuan: int, *, rid: str = "price", size: float = 18, tail: str = "") -> Widget:
    """Return a price such as ¥428起 as a single text."""
    return Text(id=rid, text=f"¥{yuan}{tail}", size=size, bold=True, color=ORANGE, max_lines=1)


def tabs(
    names: Sequence[str],
    selected: str,
    choose: Callable[[str], None],
    *,
    rid: str = "tab",
    spread: bool = True,
    background: Color | None = WHITE,
) -> Widget:
    """Return tabs with a blue line under the selected one."""

    def tab(name: str) -> Widget:
        on = name == selected
        return Box(
            key=f"{rid}-{name}",
            id=rid,
            desc=name,
            height=42,
            weight=1 if spread else 0,
            selected=on,
            on_click=partial(choose, name),
            children=(
                Text(
                    id=f"{rid}_text",
                    text=name,
                    size=15,
                    bold=on,
                    color=BLUE if on else INK_2,
                    selected=on,
                    max_lines=1,
                    align_self=Align.CENTER,
                    align_vertical=Align.CENTER,
                ),
                Widget(
                    width=20,
                    height=3,
                    radius=2,
                    background=BLUE if on else None,
                    align_self=Align.CENTER,
                    align_vertical=Align.END,
                    margin=insets(0, 0, 0, 2),
                    important=False,
                ),
            ),
        )

    return Row(
        id=f"{rid}s",
        width=MATCH,
        height=42,
        gap=0 if spread else 24,
        padding=insets(6 if spread else 16, 0),
        background=background,
        children=[tab(name) for name in names],
    )


def card(
    *children: Widget, rid: str = "", key: str = "", padding: Insets = CARD_PADDING, gap: float = 0
) -> Widget:
    """Return a white card with rounded corners on a grey background."""
    return Column(
        id=rid,
        key=key,
        width=MATCH,
        margin=CARD_MARGIN,
        padding=padding,
        background=WHITE,
        radius=10,
        gap=gap,
        children=children,
    )


def wide_row(*children: Widget, gap: float = 6, rid: str = "", on_click: Handler | None = None) -> Widget:
    """Return a full-width row."""
    return Row(id=rid, width=MATCH, gap=gap, on_click=on_click, children=children)
