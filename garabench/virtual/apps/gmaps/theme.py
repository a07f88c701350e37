"""Colours and small widgets shared by the app's screens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from garabench.virtual.ui.widgets import (
    MATCH,
    WRAP,
    Align,
    Box,
    Button,
    Column,
    Handler,
    Icon,
    Insets,
    Row,
    Text,
    Widget,
    insets,
)


@dataclass(frozen=True, slots=True)
class Tone:
    """The colours of the light or the dark theme."""

    background: str
    raised: str
    ink: str
    ink_2: str
    line: str
    soft: str
    accent: str


LIGHT = Tone("#FFFFFF", "#FFFFFF", "#1F1F1F", "#5E5E5E", "#E6E8EB", "#E8F0FE", "#0B57D0")
DARK = Tone("#1F2023", "#2B2C30", "#E9EAED", "#A9ADB3", "#3C3F44", "#28374D", "#A8C7FA")
TEAL = "#0B57D0"
BLUE = "#1A73E8"
GREEN = "#188038"
RED = "#C5221F"
GOLD = "#FBBC04"
WHITE = "#FFFFFF"
PILL_PADDING = Insets(16, 9, 16, 9)


def icon_button(
    name: str,
    desc: str,
    on_click: Handler | None,
    *,
    rid: str = "",
    color: str = "#5E5E5E",
    size: float = 22,
    touch_size: float = 44,
    selected: bool = False,
) -> Widget:
    """Return an icon button with padding for touch."""
    middle = Icon(
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
        cls="android.widget.ImageButton",
        width=touch_size,
        height=touch_size,
        selected=selected,
        on_click=on_click,
        children=(middle,),
    )


def title_bar(tone: Tone, title: str, on_back: Handler, *actions: Widget, rid: str = "toolbar") -> Widget:
    """Return a title bar: back, the title, actions at the right."""
    return Row(
        id=rid,
        width=MATCH,
        height=56,
        gap=8,
        padding=insets(6, 0),
        background=tone.background,
        children=(
            icon_button("arrow_left", "Navigate up", on_back, color=tone.ink),
            Text(id="title", text=title, size=20, color=tone.ink, max_lines=1, weight=1),
            *actions,
        ),
    )


def pill(
    label: str,
    on_click: Handler | None,
    *,
    tone: Tone = LIGHT,
    rid: str = "",
    desc: str = "",
    icon: str = "",
    fill: bool = False,
    on: bool = False,
    key: str = "",
    weight: float = 0,
    height: float = 38,
) -> Widget:
    """Return a rounded button: filled, outlined or selected, with or without an icon."""
    color = WHITE if fill else TEAL if on or tone is LIGHT else "#A8C7FA"
    parts: list[Widget] = []
    if icon:
        parts.append(Icon(name=icon, size=18, color=color, important=False))
    parts.append(Text(text=label, size=14, color=color, max_lines=1, important=not desc))
    return Row(
        id=rid,
        key=key or f"{rid}-{label}",
        desc=desc or label,
        cls="android.widget.Button",
        width=WRAP,
        weight=weight,
        height=height,
        gap=6,
        radius=20,
        padding=insets(14, 0),
        justify=Align.CENTER,
        background=TEAL if fill else "#C2E7FF" if on else tone.soft,
        selected=on,
        checkable=on,
        checked=on,
        on_click=on_click,
        children=parts,
    )


def chip(label: str, on: bool, on_click: Handler, *, tone: Tone, rid: str, icon: str = "") -> Widget:
    """Return a chip over a list or the map; its text reports the state by `selected`."""
    parts: list[Widget] = []
    if icon:
        parts.append(Icon(name=icon, size=17, color=tone.ink_2, important=False))
    parts.append(Text(id=f"{rid}_text", text=label, size=13.5, color=TEAL if on else tone.ink, selected=on))
    return Row(
        id=rid,
        key=f"{rid}-{label}",
        desc=label,
        height=36,
        gap=6,
        radius=18,
        padding=insets(13, 0),
        background="#C2E7FF" if on else tone.raised,
        border=None if on else tone.line,
        elevation=1,
        selected=on,
        on_click=on_click,
        children=parts,
    )


def text_button(label: str, on_click: Handler | None, *, rid: str = "", enabled: bool = True) -> Widget:
    """Return a text button."""
    return Button(
        id=rid,
        text=label,
        size=14,
        color=BLUE if enabled else "#A0A4AA",
        enabled=enabled,
        padding=insets(12, 10),
        on_click=on_click,
    )


def line_row(
    tone: Tone,
    icon: str,
    label: str,
    *,
    rid: str = "",
    note: str = "",
    on_click: Handler | None = None,
    trailing: Sequence[Widget] = (),
    color: str = "",
    key: str = "",
) -> Widget:
    """Return a list row: icon, text, subtext, and a trailing widget."""
    words: list[Widget] = [Text(id="row_label", text=label, size=16, color=tone.ink, max_lines=2)]
    if note:
        words.append(Text(id="row_note", text=note, size=13.5, color=tone.ink_2, max_lines=2))
    lead = (Icon(name=icon, size=22, color=color or tone.ink_2, important=False),) if icon else ()
    return Row(
        id=rid,
        key=key,
        width=MATCH,
        gap=18,
        padding=insets(18, 13),
        on_click=on_click,
        children=(*lead, Column(weight=1, gap=2, children=words), *trailing),
    )


def message_page(tone: Tone, icon: str, title: str, again: Widget | None = None, *, rid: str = "") -> Widget:
    """Return a page with only a message, for empty lists and missing network."""
    parts: list[Widget] = [
        Icon(name=icon, size=64, color="#9AA0A6", align_self=Align.CENTER, important=False),
        Text(
            id="empty_text",
            text=title,
            size=16,
            color=tone.ink_2,
            align=Align.CENTER,
            align_self=Align.CENTER,
        ),
    ]
    if again is not None:
        parts.append(Row(align_self=Align.CENTER, children=(again,)))
    return Box(
        id=rid,
        width=MATCH,
        height=MATCH,
        weight=1,
        background=tone.background,
        children=(
            Column(
                gap=18,
                padding=insets(32, 0),
                align_self=Align.CENTER,
                align_vertical=Align.CENTER,
                children=parts,
            ),
        ),
    )


def bottom_sheet(tone: Tone, title: str, *children: Widget, rid: str = "bottom_sheet") -> Widget:
    """Return a bottom sheet with a title; Back or a tap outside closes it."""
    return Column(
        id=rid,
        width=MATCH,
        background=tone.raised,
        radius=20,
        align_vertical=Align.END,
        padding=insets(0, 8, 0, 14),
        children=(
            Text(
                id="sheet_title",
                text=title,
                size=19,
                color=tone.ink,
                padding=insets(20, 12, 20, 10),
            ),
            *children,
        ),
    )


def dialog_box(tone: Tone, title: str, *children: Widget, rid: str = "dialog") -> Widget:
    """Return a centred dialog."""
    header = Text(id="dialog_title", text=title, size=19, color=tone.ink)
    return Column(
        id=rid,
        width=310,
        gap=14,
        radius=24,
        background=tone.raised,
        padding=insets(22, 20, 22, 14),
        children=(header, *children),
    )


def choice(
    tone: Tone, rid: str, label: str, on: bool, on_click: Handler, *, box: bool = False, height: float = 50
) -> Widget:
    """Return a radio button or check box with a label that reports the state."""
    icons = ("checkbox_marked", "checkbox_blank_outline") if box else ("radiobox_marked", "radiobox_blank")
    mark = Icon(name=icons[not on], size=22, color=BLUE if on else tone.ink_2, important=False)
    text = Text(
        id=rid,
        cls=f"android.widget.{'CheckBox' if box else 'RadioButton'}",
        text=label,
        size=16,
        color=tone.ink,
        weight=1,
        padding=insets(14, 12),
        checkable=True,
        checked=on,
        on_click=on_click,
    )
    return Row(key=f"{rid}-{label}", width=MATCH, height=height, children=(mark, text))
