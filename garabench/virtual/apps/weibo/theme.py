"""Colours, dimensions and small widgets shared by Weibo's screens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from garabench.virtual.ui.widgets import (
    MATCH,
    WRAP,
    Align,
    Box,
    Column,
    Handler,
    Icon,
    ImageView,
    Insets,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
)

ORANGE = "#FF8200"
RED = "#F9503A"
WHITE = "#FFFFFF"
BLUE_MARK = "#3D9AF2"
GOLD_MARK = "#FFB02E"
PILL_PADDING = Insets(14, 5, 14, 5)
FONT_SCALES = {"小": 0.9, "标准": 1.0, "大": 1.15, "特大": 1.3}


@dataclass(frozen=True, slots=True)
class Skin:
    """The colours of a mode: backgrounds, lines, text from strong to weak, and links."""

    background: str
    card: str
    line: str
    soft: str
    ink: str
    ink_2: str
    ink_3: str
    link: str


LIGHT = Skin("#F2F2F2", "#FFFFFF", "#EBEBEB", "#F5F5F5", "#333333", "#636363", "#939393", "#507DAF")
DARK = Skin("#0F0F0F", "#1C1C1E", "#2C2C2E", "#2A2A2C", "#E4E4E6", "#B4B4B8", "#808084", "#7FA6D6")


def icon_button(
    skin: Skin,
    name: str,
    on_click: Handler,
    *,
    rid: str = "",
    desc: str = "",
    color: str = "",
    size: float = 22,
    touch_size: float = 42,
) -> Widget:
    """Return an icon button with padding for touch."""
    return Box(
        id=rid,
        desc=desc,
        cls="android.widget.ImageView",
        width=touch_size,
        height=touch_size,
        on_click=on_click,
        children=(
            Icon(
                name=name,
                size=size,
                color=color or skin.ink,
                align_self=Align.CENTER,
                align_vertical=Align.CENTER,
                important=False,
            ),
        ),
    )


def title_bar(skin: Skin, title: str, on_back: Handler, *actions: Widget, line: str = "") -> Widget:
    """Return a title bar: back on the left, a centred title, actions on the right.

    Args:
        skin: The colours.
        title: The title.
        on_back: Handler of the back button.
        actions: The buttons on the right.
        line: A small second line, which stays visible when the page scrolls.
    """
    words: list[Widget] = [
        Text(id="titleText", text=title, size=15 if line else 17, color=skin.ink, bold=True, max_lines=1)
    ]
    if line:
        words.append(Text(id="titleLine", text=line, size=10.5, color=skin.ink_3, max_lines=1))
    return Box(
        id="ly_title",
        width=MATCH,
        height=46,
        background=skin.card,
        children=(
            Column(
                align=Align.CENTER,
                padding=insets(56, 0),
                align_self=Align.CENTER,
                align_vertical=Align.CENTER,
                children=words,
            ),
            Row(
                width=MATCH,
                height=46,
                justify=Align.SPACE_BETWEEN,
                children=(
                    icon_button(skin, "arrow-back", on_back, rid="titleBack", desc="返回"),
                    Row(height=46, padding=insets(0, 0, 4, 0), children=actions),
                ),
            ),
        ),
    )


def save_button(label: str, on_click: Handler, *, enabled: bool = True, rid: str = "titleSave") -> Widget:
    """Return the main button of a title bar, such as 发送."""
    return Text(
        id=rid,
        cls="android.widget.Button",
        text=label,
        size=14,
        color=WHITE,
        background=ORANGE if enabled else "#FFC27F",
        radius=15,
        padding=insets(14, 5),
        margin=insets(0, 0, 8, 0),
        align_self=Align.CENTER,
        enabled=enabled,
        on_click=on_click,
    )


def bar_text(skin: Skin, label: str, on_click: Handler, *, rid: str = "titleSave") -> Widget:
    """Return a text button of a title bar."""
    return Text(
        id=rid,
        text=label,
        size=15,
        color=skin.ink_2,
        padding=insets(10, 8),
        align_self=Align.CENTER,
        on_click=on_click,
    )


def tab_strip(
    skin: Skin,
    labels: Sequence[str],
    selected: str,
    choose: Callable[[str], None],
    *,
    rid: str,
    size: float = 15,
    gap: float = 20,
    justify: Align = Align.START,
    height: float = 40,
    background: str = "",
) -> Widget:
    """Return text tabs with an orange line under the selected one; if there are many, they scroll."""

    def tab(label: str) -> Widget:
        on = label == selected
        return Box(
            key=f"tab-{label}",
            cls="android.widget.LinearLayout",
            height=height,
            selected=on,
            on_click=partial(choose, label),
            children=(
                Text(
                    id="tab_title",
                    text=label,
                    size=size,
                    color=skin.ink if on else skin.ink_3,
                    bold=on,
                    selected=on,
                    align_self=Align.CENTER,
                    align_vertical=Align.CENTER,
                ),
                Widget(
                    width=20,
                    height=3,
                    radius=2,
                    background=ORANGE if on else None,
                    align_self=Align.CENTER,
                    align_vertical=Align.END,
                    important=False,
                ),
            ),
        )

    tabs = [tab(label) for label in labels]
    if justify is Align.START:
        return ScrollView(
            id=rid,
            cls="android.widget.HorizontalScrollView",
            horizontal=True,
            width=MATCH,
            height=height,
            gap=gap,
            background=background or skin.card,
            padding=insets(14, 0),
            children=tabs,
        )
    return Row(
        id=rid,
        cls="android.widget.LinearLayout",
        width=MATCH,
        height=height,
        gap=gap,
        justify=justify,
        background=background or skin.card,
        children=tabs,
    )


def pill(
    label: str,
    on_click: Handler,
    *,
    rid: str = "",
    color: str = ORANGE,
    fill: bool = False,
    size: float = 13,
    padding: Insets = PILL_PADDING,
    desc: str = "",
    selected: bool = False,
    weight: float = 0,
) -> Widget:
    """Return a rounded button, outlined or filled."""
    return Text(
        id=rid,
        cls="android.widget.Button",
        text=label,
        desc=desc,
        size=size,
        color=WHITE if fill else color,
        background=color if fill else None,
        border=color,
        border_width=0.8,
        radius=99,
        padding=padding,
        align=Align.CENTER,
        selected=selected,
        weight=weight,
        max_lines=1,
        on_click=on_click,
    )


def avatar(
    seed: str, size: float, *, mark: str = "", on_click: Handler | None = None, rid: str = ""
) -> Widget:
    """Return a round avatar, with a badge for verified users."""
    face = ImageView(seed=seed, kind="avatar", width=size, height=size, radius=size / 2, important=False)
    if not mark and on_click is None and not rid:
        return face
    dot = Icon(
        name="check-decagram",
        size=max(11, size * 0.3),
        color=BLUE_MARK if mark == "org" else GOLD_MARK,
        align_self=Align.END,
        align_vertical=Align.END,
        important=False,
    )
    return Box(
        id=rid,
        cls="android.widget.ImageView",
        width=size,
        height=size,
        on_click=on_click,
        children=(face, dot) if mark else (face,),
    )


def message_page(
    skin: Skin, icon: str, title: str, button: str = "", on_click: Handler | None = None, *, rid: str = ""
) -> Widget:
    """Return a page with only a message, for empty lists and missing network."""
    inner: list[Widget] = [
        Icon(name=icon, size=64, color=skin.ink_3, align_self=Align.CENTER, important=False),
        Text(id="tips", text=title, size=14, color=skin.ink_3, align=Align.CENTER, align_self=Align.CENTER),
    ]
    if button and on_click is not None:
        inner.append(
            Row(
                width=WRAP,
                align_self=Align.CENTER,
                children=(pill(button, on_click, rid="retry", padding=insets(24, 7)),),
            )
        )
    return Box(
        id=rid or "empty_view",
        width=MATCH,
        height=MATCH,
        weight=1,
        children=(Column(gap=14, align_self=Align.CENTER, align_vertical=Align.CENTER, children=inner),),
    )


def sheet(skin: Skin, children: Sequence[Widget], *, rid: str = "bottom_sheet") -> Widget:
    """Return the body of a bottom sheet, for `Activity.dialog`."""
    return Column(
        id=rid,
        width=MATCH,
        height=WRAP,
        background=skin.card,
        radius=14,
        align_vertical=Align.END,
        padding=insets(0, 8, 0, 12),
        children=children,
    )


def sheet_row(
    skin: Skin, label: str, on_click: Handler, *, color: str = "", rid: str = "sheet_item"
) -> Widget:
    """Return a full-width choice of a bottom sheet."""
    return Text(
        key=f"sheet-{label}",
        id=rid,
        text=label,
        size=16,
        color=color or skin.ink,
        align=Align.CENTER,
        width=MATCH,
        padding=insets(16, 14),
        on_click=on_click,
    )


def alert(
    skin: Skin, text: str, yes: str, on_yes: Handler, on_no: Handler, *, no: str = "取消", title: str = ""
) -> Widget:
    """Return a centred confirmation dialog."""
    words: list[Widget] = []
    if title:
        words.append(
            Text(id="alert_title", text=title, size=17, bold=True, color=skin.ink, align=Align.CENTER)
        )
    words.append(
        Text(id="alert_text", text=text, size=15, color=skin.ink, align=Align.CENTER, line_spacing=1.2)
    )
    return Column(
        id="alert",
        width=290,
        background=skin.card,
        radius=12,
        align_self=Align.CENTER,
        align_vertical=Align.CENTER,
        children=(
            Column(width=MATCH, gap=10, padding=insets(22, 24), children=words),
            Widget(width=MATCH, height=0.7, background=skin.line, important=False),
            Row(
                width=MATCH,
                height=48,
                children=(
                    Text(
                        id="alert_no",
                        text=no,
                        size=16,
                        color=skin.ink_2,
                        align=Align.CENTER,
                        weight=1,
                        padding=insets(0, 13),
                        on_click=on_no,
                    ),
                    Widget(width=0.7, height=48, background=skin.line, important=False),
                    Text(
                        id="alert_yes",
                        text=yes,
                        size=16,
                        color=ORANGE,
                        align=Align.CENTER,
                        weight=1,
                        padding=insets(0, 13),
                        on_click=on_yes,
                    ),
                ),
            ),
        ),
    )
