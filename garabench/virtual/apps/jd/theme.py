"""Colours, dimensions and small widgets shared by JD's screens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from garabench.virtual.ui.widgets import (
    MATCH,
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
    spacer,
)

RED = "#F2270C"
RED_DEEP = "#E1251B"
RED_SOFT = "#FFF0EE"
ORANGE = "#FF8A00"
GREEN = "#12B76A"
BLUE = "#3D7BF7"
GOLD = "#F5D9A6"
GOLD_INK = "#6B4A12"
INK = "#1A1A1A"
INK_2 = "#5E5E62"
INK_3 = "#98989D"
LINE = "#F0F0F2"
BACKGROUND = "#F4F4F6"
WHITE = "#FFFFFF"
RED_FADE = Gradient(start="#FF4A33", end="#F2270C", horizontal=True)
PILL_PADDING = Insets(14, 6, 14, 6)
CARD_PADDING = Insets(12, 12, 12, 12)
ORANGE_FADE = Gradient(start="#FFB02E", end="#FF8A00", horizontal=True)


def icon_button(
    name: str,
    *,
    rid: str = "",
    desc: str = "",
    color: str = INK,
    size: float = 22,
    touch_size: float = 42,
    background: Color | None = None,
    on_click: Handler | None = None,
) -> Widget:
    """Return an icon button with padding for touch."""
    return Box(
        id=rid,
        desc=desc,
        cls="android.widget.ImageView",
        width=touch_size,
        height=touch_size,
        radius=touch_size / 2 if background else 0,
        background=background,
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


def title_bar(title: str, on_back: Handler, *actions: Widget, title_id: str = "title") -> Widget:
    """Return a title bar: back, centred title, actions at the right."""
    return Box(
        id="title_bar",
        width=MATCH,
        height=48,
        background=WHITE,
        children=(
            Text(
                id=title_id,
                text=title,
                size=17,
                bold=True,
                color=INK,
                max_lines=1,
                margin=insets(96, 0),
                align_self=Align.CENTER,
                align_vertical=Align.CENTER,
            ),
            Row(
                height=48,
                align_self=Align.START,
                padding=insets(4, 0),
                children=(icon_button("chevron_left", rid="back", desc="返回", size=28, on_click=on_back),),
            ),
            Row(height=48, align_self=Align.END, padding=insets(4, 0, 8, 0), children=actions),
        ),
    )


def text_action(label: str, rid: str, on_click: Handler, *, color: str = INK_2) -> Widget:
    """Return a text button at the end of a bar."""
    return Text(id=rid, text=label, size=14, color=color, padding=insets(8, 12), on_click=on_click)


def pill(
    label: str,
    on_click: Handler | None,
    *,
    rid: str = "",
    fill: bool = True,
    color: str = RED,
    size: float = 13,
    padding: Insets = PILL_PADDING,
    selected: bool = False,
    enabled: bool = True,
    weight: float = 0,
) -> Widget:
    """Return a rounded button, filled or outlined."""
    return Button(
        id=rid,
        text=label,
        size=size,
        color=WHITE if fill else color,
        background=((RED_FADE if color == RED else color) if enabled else "#FFB9B2") if fill else WHITE,
        border=None if fill else color,
        border_width=0.8,
        radius=40,
        padding=padding,
        selected=selected,
        enabled=enabled,
        weight=weight,
        on_click=on_click,
    )


def chip(label: str, on: bool, on_click: Handler, *, rid: str = "", size: float = 13) -> Widget:
    """Return a chip that is selected or not."""
    return Button(
        id=rid,
        cls="android.widget.TextView",
        text=label,
        size=size,
        color=RED if on else INK,
        background=RED_SOFT if on else "#F3F3F5",
        border=RED if on else None,
        border_width=0.8,
        radius=16,
        padding=insets(14, 7),
        selected=on,
        on_click=on_click,
    )


def badge(label: str, *, color: str = RED, fill: bool = False, size: float = 10) -> Widget:
    """Return a small label such as 自营 or 满减."""
    return Text(
        text=label,
        size=size,
        color=WHITE if fill else color,
        background=color if fill else None,
        border=None if fill else color,
        border_width=0.7,
        radius=3,
        padding=insets(3.5, 0.5),
        max_lines=1,
    )


def plus_badge(label: str = "PLUS") -> Widget:
    """Return the badge of members."""
    return Text(
        text=label,
        size=9,
        bold=True,
        color=GOLD,
        background="#2E2A27",
        radius=3,
        padding=insets(4, 1),
        max_lines=1,
    )


def tab_strip(
    labels: Sequence[str],
    selected: str,
    choose: Mapping[str, Handler],
    *,
    rid: str = "tabs",
    spread: bool = True,
    size: float = 15,
    background: Color | None = WHITE,
) -> Widget:
    """Return text tabs with a red line under the selected one."""

    def tab(label: str) -> Widget:
        on = label == selected
        return Box(
            key=f"tab-{label}",
            id="tab",
            cls="android.widget.LinearLayout",
            desc=label,
            height=42,
            weight=1 if spread else 0,
            selected=on,
            on_click=choose[label],
            children=(
                Text(
                    id="tab_text",
                    text=label,
                    size=size + (1 if on else 0),
                    bold=on,
                    color=RED if on else INK_2,
                    selected=on,
                    max_lines=1,
                    align_self=Align.CENTER,
                    align_vertical=Align.CENTER,
                ),
                Widget(
                    width=20,
                    height=3,
                    radius=2,
                    background=RED if on else None,
                    align_self=Align.CENTER,
                    align_vertical=Align.END,
                    margin=insets(0, 0, 0, 2),
                    important=False,
                ),
            ),
        )

    return Row(
        id=rid,
        width=MATCH,
        height=42,
        gap=0 if spread else 22,
        padding=insets(8 if spread else 14, 0),
        background=background,
        children=[tab(label) for label in labels],
    )


def card(*children: Widget, rid: str = "", padding: Insets = CARD_PADDING, gap: float = 0) -> Widget:
    """Return a white card with rounded corners on a grey background."""
    return Column(
        id=rid,
        width=MATCH,
        margin=insets(10, 8, 10, 0),
        padding=padding,
        background=WHITE,
        radius=10,
        gap=gap,
        children=children,
    )


def message_page(
    icon: str, title: str, button: str = "", on_click: Handler | None = None, *, rid: str = "empty_view"
) -> Widget:
    """Return a page with only a message, for empty lists and missing network."""
    inner: list[Widget] = [
        Box(
            width=96,
            height=96,
            radius=48,
            background="#EAEAEE",
            align_self=Align.CENTER,
            important=False,
            children=(
                Icon(
                    name=icon,
                    size=46,
                    color="#B9B9C0",
                    align_self=Align.CENTER,
                    align_vertical=Align.CENTER,
                    important=False,
                ),
            ),
        ),
        Text(id="empty_text", text=title, size=14, color=INK_3, align=Align.CENTER, align_self=Align.CENTER),
    ]
    if button:
        inner.append(
            Row(
                align_self=Align.CENTER,
                children=(
                    pill(button, on_click, rid="retry", fill=False, size=14, padding=Insets(28, 8, 28, 8)),
                ),
            )
        )
    return Box(
        id=rid,
        width=MATCH,
        height=MATCH,
        weight=1,
        children=(Column(gap=16, align_self=Align.CENTER, align_vertical=Align.CENTER, children=inner),),
    )


def network_error(on_retry: Handler) -> Widget:
    """Return the placeholder of a page that failed to load."""
    return message_page(
        "wifi_off", "网络请求失败，请检查您的网络设置", "重新加载", on_retry, rid="network_error"
    )


def arrow_row(
    label: str,
    value: str = "",
    *,
    rid: str = "",
    note: str = "",
    on_click: Handler | None = None,
    trailing: Widget | None = None,
) -> Widget:
    """Return a row of settings or facts, with an arrow if it opens a page."""
    words: list[Widget] = [Text(id="row_label", text=label, size=15, color=INK, max_lines=1)]
    if note:
        words.append(Text(id="row_note", text=note, size=12, color=INK_3, max_lines=1))
    tail: list[Widget] = []
    if value:
        tail.append(
            Text(
                id="row_value",
                text=value,
                size=13,
                color=INK_3,
                max_lines=1,
                align=Align.END,
                weight=0 if note else 1,
            )
        )
    elif not note:
        tail.append(spacer())
    if trailing is not None:
        tail.append(trailing)
    elif on_click is not None:
        tail.append(Icon(name="chevron_right", size=18, color="#C4C4CA", important=False))
    return Row(
        id=rid,
        width=MATCH,
        height=58 if note else 50,
        gap=6,
        on_click=on_click,
        children=(Column(gap=2, weight=1 if note else 0, children=words), *tail),
    )
