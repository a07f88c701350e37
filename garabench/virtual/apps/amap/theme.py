"""Colours, dimensions and small widgets shared by Amap's screens."""

from __future__ import annotations

from collections.abc import Sequence

from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Button,
    Color,
    Column,
    Handler,
    Icon,
    Insets,
    Row,
    Text,
    Widget,
    insets,
    spacer,
)

BLUE = "#2E7BFF"
BLUE_SOFT = "#EAF2FF"
GREEN = "#18A058"
ORANGE = "#FF7A1A"
RED = "#F0483E"
GOLD = "#F5A623"
INK = "#1D2129"
INK_2 = "#5B6270"
INK_3 = "#9AA1AE"
LINE = "#EEF0F4"
BACKGROUND = "#F4F6F9"
WHITE = "#FFFFFF"
PILL_PADDING = Insets(16, 8, 16, 8)
CARD_PADDING = Insets(14, 12, 14, 12)
CATEGORY_LOOKS = {
    "美食": ("silverware_fork_knife", "#FF8A3C"),
    "酒店": ("bed", "#7A6CF0"),
    "景点": ("tree", "#35B26B"),
    "咖啡": ("coffee", "#A9744F"),
    "加油站": ("gas_station", "#2E9BE6"),
    "停车场": ("parking", "#2E7BFF"),
    "充电站": ("ev_station", "#18B27B"),
    "超市": ("cart", "#F2A23A"),
    "地铁站": ("subway_variant", "#3A7BE0"),
    "公共厕所": ("human_male_female", "#5AA9C8"),
    "医院": ("hospital_box", "#F0605A"),
    "药店": ("pill", "#38B6A6"),
    "银行": ("bank", "#6C86C9"),
    "电影院": ("movie", "#E0609A"),
    "商场": ("shopping", "#FF7A59"),
}


def icon_button(
    name: str,
    *,
    rid: str = "",
    desc: str = "",
    color: str = INK,
    size: float = 22,
    touch_size: float = 42,
    background: Color | None = None,
    selected: bool = False,
    elevation: float = 0,
    on_click: Handler | None = None,
) -> Widget:
    """Return an icon button with padding for touch."""
    return Box(
        id=rid,
        desc=desc,
        cls="android.widget.ImageView",
        width=touch_size,
        height=touch_size,
        radius=10 if background else 0,
        background=background,
        elevation=elevation,
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


def title_bar(title: str, on_back: Handler, *actions: Widget) -> Widget:
    """Return a title bar: back, centred title, actions at the right."""
    return Box(
        id="title_bar",
        width=MATCH,
        height=48,
        background=WHITE,
        children=(
            Text(
                id="title_text_name",
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
                children=(
                    icon_button("chevron_left", rid="title_btn_left", desc="返回", size=28, on_click=on_back),
                ),
            ),
            Row(height=48, align_self=Align.END, padding=insets(4, 0, 8, 0), children=actions),
        ),
    )


def text_action(
    label: str, rid: str, on_click: Handler, *, color: str = INK_2, enabled: bool = True
) -> Widget:
    """Return a text button at the end of a bar or row."""
    return Text(
        id=rid, text=label, size=14, color=color, padding=insets(8, 12), enabled=enabled, on_click=on_click
    )


def pill(
    label: str,
    on_click: Handler | None,
    *,
    rid: str = "",
    fill: bool = True,
    color: str = BLUE,
    size: float = 14,
    padding: Insets = PILL_PADDING,
    enabled: bool = True,
    weight: float = 0,
    desc: str = "",
) -> Widget:
    """Return a rounded button, filled or outlined."""
    return Button(
        id=rid,
        desc=desc,
        text=label,
        size=size,
        color=WHITE if fill else color,
        background=(color if enabled else "#B9CDF5") if fill else WHITE,
        border=None if fill else color,
        border_width=0.8,
        radius=40,
        padding=padding,
        enabled=enabled,
        weight=weight,
        on_click=on_click,
    )


def chip(label: str, on: bool, on_click: Handler, *, rid: str = "", size: float = 13) -> Widget:
    """Return a chip that is selected or not."""
    return Button(
        id=rid,
        key=f"{rid}-{label}",
        cls="android.widget.TextView",
        text=label,
        size=size,
        color=BLUE if on else INK_2,
        background=BLUE_SOFT if on else "#F2F4F7",
        border=BLUE if on else None,
        border_width=0.8,
        radius=16,
        padding=insets(13, 7),
        selected=on,
        on_click=on_click,
    )


def badge(label: str, *, color: str = INK_2, background: str = "#F2F4F7", rid: str = "") -> Widget:
    """Return a small label."""
    return Text(
        id=rid,
        text=label,
        size=10.5,
        color=color,
        background=background,
        radius=3,
        padding=insets(4, 1),
        max_lines=1,
    )


def tabs(
    labels: Sequence[str],
    selected: str,
    choose: Sequence[Handler],
    *,
    rid: str,
    size: float = 15,
    height: float = 42,
) -> Widget:
    """Return text tabs with a line under the selected one, whose text reports the state."""

    def tab(label: str, on_click: Handler) -> Widget:
        on = label == selected
        return Box(
            key=f"{rid}-{label}",
            id=f"{rid}_item",
            cls="android.widget.LinearLayout",
            height=height,
            weight=1,
            selected=on,
            on_click=on_click,
            children=(
                Text(
                    id=rid,
                    text=label,
                    size=size,
                    bold=on,
                    color=BLUE if on else INK_2,
                    selected=on,
                    max_lines=1,
                    align_self=Align.CENTER,
                    align_vertical=Align.CENTER,
                ),
                Widget(
                    width=22,
                    height=3,
                    radius=2,
                    background=BLUE if on else None,
                    align_self=Align.CENTER,
                    align_vertical=Align.END,
                    important=False,
                ),
            ),
        )

    return Row(
        id=f"{rid}_bar",
        width=MATCH,
        height=height,
        background=WHITE,
        children=[tab(label, call) for label, call in zip(labels, choose, strict=True)],
    )


def card(*children: Widget, rid: str = "", gap: float = 0, padding: Insets = CARD_PADDING) -> Widget:
    """Return a white card with rounded corners on a grey background."""
    return Column(
        id=rid,
        width=MATCH,
        margin=insets(12, 10, 12, 0),
        padding=padding,
        background=WHITE,
        radius=12,
        gap=gap,
        children=children,
    )


def message_page(
    icon: str, title: str, button: str = "", on_click: Handler | None = None, *, rid: str = "empty_view"
) -> Widget:
    """Return a page with only a message, for empty lists and missing network."""
    inner: list[Widget] = [
        Box(
            width=88,
            height=88,
            radius=44,
            background="#E9EDF3",
            align_self=Align.CENTER,
            important=False,
            children=(
                Icon(
                    name=icon,
                    size=42,
                    color="#B4BCC9",
                    align_self=Align.CENTER,
                    align_vertical=Align.CENTER,
                    important=False,
                ),
            ),
        ),
        Text(id="empty_text", text=title, size=14, color=INK_3, align=Align.CENTER, align_self=Align.CENTER),
    ]
    if button:
        again = pill(button, on_click, rid="retry", fill=False, padding=Insets(28, 8, 28, 8))
        inner.append(Row(align_self=Align.CENTER, children=(again,)))
    return Box(
        id=rid,
        width=MATCH,
        height=MATCH,
        weight=1,
        background=BACKGROUND,
        children=(Column(gap=16, align_self=Align.CENTER, align_vertical=Align.CENTER, children=inner),),
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
    tail: list[Widget] = [spacer()] if not value else []
    if value:
        tail.append(
            Text(id="row_value", text=value, size=13, color=INK_3, max_lines=1, align=Align.END, weight=1)
        )
    if trailing is not None:
        tail.append(trailing)
    elif on_click is not None:
        tail.append(Icon(name="chevron_right", size=18, color="#C4C9D2", important=False))
    return Row(
        id=rid,
        width=MATCH,
        height=58 if note else 50,
        gap=6,
        on_click=on_click,
        children=(Column(gap=2, children=words), *tail),
    )
