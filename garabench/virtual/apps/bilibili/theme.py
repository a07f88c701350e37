"""Colours, dimensions and small widgets shared by Bilibili's screens."""

from __future__ import annotations

from collections.abc import Sequence

from garabench.virtual.ui.widgets import (
    MATCH,
    WRAP,
    Align,
    Box,
    Button,
    Column,
    Handler,
    Icon,
    Row,
    Text,
    Widget,
    insets,
)

PINK = "#FB7299"
PINK_SOFT = "#FFECF1"
BLUE = "#00AEEC"
ORANGE = "#FF7F24"
INK = "#18191C"
INK_2 = "#61666D"
INK_3 = "#9499A0"
LINE = "#F1F2F3"
BACKGROUND = "#F6F7F8"
WHITE = "#FFFFFF"
GAP = 10.0

LEVEL_COLORS = ("#BFBFBF", "#BFBFBF", "#95DDB2", "#92D1E5", "#FFB37C", "#FF6C00", "#FF0000")


def icon_button(
    name: str,
    *,
    rid: str = "",
    desc: str = "",
    color: str = INK_2,
    size: float = 22,
    on_click: Handler | None = None,
) -> Widget:
    """Return an icon button with padding for touch."""
    return Box(
        id=rid,
        desc=desc,
        cls="android.widget.ImageView",
        width=40,
        height=40,
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


def top_bar(
    title: str, on_back: Handler, *, actions: Sequence[Widget] = (), background: str = WHITE
) -> Widget:
    """Return a title bar: back, centred title, actions at the right."""
    return Row(
        id="nav_top_bar",
        width=MATCH,
        height=48,
        padding=insets(4, 0),
        background=background,
        children=(
            icon_button("arrow-back", rid="toolbar_back", desc="返回", color=INK, on_click=on_back),
            Text(
                id="tb_title",
                text=title,
                size=17,
                color=INK,
                bold=True,
                weight=1,
                max_lines=1,
                margin=insets(4, 0),
            ),
            *actions,
        ),
    )


def tab_strip(
    labels: Sequence[str],
    selected: str,
    choose: dict[str, Handler],
    *,
    rid: str = "tabs",
    size: float = 15,
    gap: float = 22,
    justify: Align = Align.START,
    counts: dict[str, str] | None = None,
) -> Widget:
    """Return text tabs with a pink line under the selected one."""

    def tab(label: str) -> Widget:
        on = label == selected
        count = (counts or {}).get(label, "")
        words: list[Widget] = [
            Text(
                id="tab_title",
                text=label,
                size=size,
                color=PINK if on else INK_2,
                bold=on,
                selected=on,
            )
        ]
        if count:
            words.append(
                Text(
                    id="tab_count",
                    text=count,
                    size=11,
                    color=PINK if on else INK_3,
                    margin=insets(4, 2, 0, 0),
                )
            )
        return Box(
            key=f"tab-{label}",
            cls="android.widget.LinearLayout",
            desc=label,
            height=40,
            selected=on,
            on_click=choose[label],
            children=(
                Row(align_self=Align.CENTER, align_vertical=Align.CENTER, children=words),
                Widget(
                    width=22,
                    height=3,
                    radius=2,
                    background=PINK if on else None,
                    align_self=Align.CENTER,
                    align_vertical=Align.END,
                    important=False,
                ),
            ),
        )

    return Row(
        id=rid,
        cls="android.widget.HorizontalScrollView",
        height=40,
        gap=gap,
        justify=justify,
        padding=insets(14, 0),
        children=[tab(label) for label in labels],
    )


def follow_button(following: bool, on_click: Handler, *, rid: str = "follow") -> Widget:
    """Return the follow button: 关注, or 已关注."""
    return Button(
        id=rid,
        cls="android.widget.TextView",
        text="已关注" if following else "关注",
        size=13,
        color=INK_3 if following else WHITE,
        background="#E3E5E7" if following else PINK,
        radius=16,
        padding=insets(16, 5),
        selected=following,
        on_click=on_click,
    )


def chip(label: str, on: bool, on_click: Handler, *, rid: str = "") -> Widget:
    """Return a rounded chip."""
    return Text(
        id=rid,
        text=label,
        size=13,
        color=PINK if on else INK_2,
        background=PINK_SOFT if on else LINE,
        radius=6,
        padding=insets(12, 7),
        selected=on,
        on_click=on_click,
    )


def badge(text: str, color: str = PINK) -> Widget:
    """Return a small outlined label such as 大会员 or UP主."""
    return Text(
        text=text, size=10, color=color, border=color, border_width=0.7, radius=3, padding=insets(3, 0.5)
    )


def level_badge(level: int) -> Widget:
    """Return the coloured LV badge."""
    return Text(
        text=f"LV{level}",
        size=9,
        bold=True,
        color=WHITE,
        background=LEVEL_COLORS[min(level, 6)],
        radius=2,
        padding=insets(3, 0.5),
    )


def message_page(
    icon: str, title: str, button: str = "", on_click: Handler | None = None, *, rid: str = ""
) -> Widget:
    """Return a page with only a message, for empty lists and missing network."""
    inner: list[Widget] = [
        Icon(name=icon, size=72, color="#C9CCD0", align_self=Align.CENTER, important=False),
        Text(id="tips", text=title, size=14, color=INK_3, align=Align.CENTER, align_self=Align.CENTER),
    ]
    if button:
        inner.append(
            Button(
                id="retry",
                text=button,
                size=14,
                color=PINK,
                border=PINK,
                radius=18,
                padding=insets(24, 7),
                align_self=Align.CENTER,
                on_click=on_click,
            )
        )
    return Box(
        id=rid or "loading_view",
        width=MATCH,
        height=MATCH,
        weight=1,
        children=(Column(gap=14, align_self=Align.CENTER, align_vertical=Align.CENTER, children=inner),),
    )


def network_error(on_retry: Handler) -> Widget:
    """Return the placeholder of a page that failed to load."""
    return message_page("wifi-off", "网络不给力，请检查网络设置后重试", "重试", on_retry, rid="network_error")


def sheet(children: Sequence[Widget], *, rid: str = "bottom_sheet") -> Widget:
    """Return the body of a bottom sheet, for `Activity.dialog`."""
    return Column(
        id=rid,
        width=MATCH,
        height=WRAP,
        background=WHITE,
        radius=12,
        align_vertical=Align.END,
        padding=insets(0, 6, 0, 12),
        children=children,
    )


def sheet_row(label: str, on_click: Handler, *, icon: str = "", rid: str = "", color: str = INK) -> Widget:
    """Return a row of a bottom sheet."""
    lead: tuple[Widget, ...] = (Icon(name=icon, size=20, color=INK_2, important=False),) if icon else ()
    return Row(
        id=rid,
        width=MATCH,
        height=50,
        gap=12,
        padding=insets(18, 0),
        on_click=on_click,
        children=(*lead, Text(text=label, size=15, color=color, weight=1)),
    )
