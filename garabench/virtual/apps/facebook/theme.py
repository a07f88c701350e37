"""Colours and small widgets shared by Facebook's screens."""

from __future__ import annotations

from collections.abc import Callable, Sequence

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
    ImageView,
    RadioButton,
    Row,
    Text,
    TextField,
    Toggle,
    Widget,
    divider,
    insets,
    spacer,
)

BLUE = "#0866FF"
PALE_BLUE = "#E7F3FF"
INK = "#080809"
INK_2 = "#65686C"
LINE = "#DADDE1"
BACKGROUND = "#D8DADF"
FIELD = "#F0F2F5"
WHITE = "#FFFFFF"
RED = "#E41E3F"
GREEN = "#31A24C"

_TINTS = ("#E4EDF9", "#F9ECE4", "#E6F4EA", "#F0E8F7", "#FAF3DD", "#E2F2F3")
_INKS = ("#4267B2", "#B5573A", "#3E8A56", "#7B55A5", "#A67F27", "#35808A")


def avatar(who: str, name: str, size: float = 40, *, page: bool = False) -> Widget:
    """Return an avatar; that of a page is its initial."""
    picture = ImageView(
        seed=f"fb-{who}",
        kind="logo" if page else "avatar",
        label=name[:1] if page else "",
        width=size,
        height=size,
        radius=size / 2,
        important=False,
    )
    return Row(important=False, children=(picture,))


def scene(seed: str, icon: str, height: float, *, rid: str = "", desc: str = "") -> Widget:
    """Return a picture of an icon on a coloured background; decorative unless it has a description."""
    tint = sum(map(ord, seed)) % len(_TINTS)
    drawing = Icon(
        name=icon,
        size=height * 0.46,
        color=_INKS[tint],
        align_self=Align.CENTER,
        align_vertical=Align.CENTER,
        important=False,
    )
    return Box(
        id=rid,
        desc=desc,
        width=MATCH,
        height=height,
        background=Gradient(start=_TINTS[tint], end=_TINTS[(tint + 2) % len(_TINTS)]),
        important=bool(desc),
        children=(drawing,),
    )


def icon_button(
    name: str,
    desc: str,
    on_click: Handler | None,
    *,
    color: Color = INK,
    size: float = 22,
    background: str = "",
) -> Widget:
    """Return an icon button with padding for touch."""
    return Box(
        desc=desc,
        cls="android.widget.Button",
        width=40,
        height=40,
        radius=20,
        background=background or None,
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


def button(
    label: str,
    on_click: Handler | None,
    *,
    kind: str = "main",
    desc: str = "",
    weight: float = 0,
    selected: bool = False,
) -> Widget:
    """Return a rounded button: ``main`` in blue, ``soft`` in grey, ``tint`` in pale blue."""
    background, color = {"main": (BLUE, WHITE), "soft": ("#E2E5E9", INK), "tint": (PALE_BLUE, BLUE)}[kind]
    return Button(
        text=label,
        desc=desc or label,
        size=15,
        bold=True,
        color=color,
        background=background,
        radius=8,
        padding=insets(12, 9),
        max_lines=1,
        weight=weight,
        selected=selected,
        on_click=on_click,
    )


def pill(label: str, on: bool, on_click: Handler, *, desc: str = "") -> Widget:
    """Return a rounded chip."""
    return Button(
        key=f"pill-{label}",
        text=label,
        desc=desc,
        size=15,
        bold=True,
        color=BLUE if on else INK,
        background=PALE_BLUE if on else "#E9EBEE",
        radius=18,
        padding=insets(14, 8),
        selected=on,
        on_click=on_click,
    )


def tab_row(labels: Sequence[str], chosen: str, handlers: Sequence[Handler]) -> Widget:
    """Return text tabs with a blue line under the selected one."""
    return Row(
        width=MATCH,
        height=46,
        background=WHITE,
        padding=insets(6, 0),
        children=[
            Column(
                key=f"tab-{label}",
                desc=f"{label}, tab",
                height=46,
                weight=1,
                justify=Align.SPACE_BETWEEN,
                selected=label == chosen,
                on_click=handler,
                children=(
                    Widget(height=2, important=False),
                    Text(
                        text=label,
                        size=15,
                        bold=True,
                        color=BLUE if label == chosen else INK_2,
                        selected=label == chosen,
                        align=Align.CENTER,
                        width=MATCH,
                        max_lines=1,
                    ),
                    Widget(
                        width=MATCH, height=3, background=BLUE if label == chosen else None, important=False
                    ),
                ),
            )
            for label, handler in zip(labels, handlers, strict=True)
        ],
    )


def toolbar(title: str, on_back: Handler, *actions: Widget) -> Widget:
    """Return a title bar: back, title, actions."""
    return Row(
        width=MATCH,
        height=54,
        gap=4,
        padding=insets(6, 0),
        background=WHITE,
        children=(
            icon_button("back", "Back", on_back, size=25),
            Text(id="title", text=title, size=19, bold=True, color=INK, max_lines=1, weight=1),
            *actions,
        ),
    )


def search_bar(
    rid: str,
    text: str,
    hint: str,
    on_back: Handler,
    on_change: Callable[[str], None],
    on_submit: Handler,
    *,
    gap: float = 4,
) -> Widget:
    """Return the bar of a search page: the back button and the field."""
    return Row(
        width=MATCH,
        height=56,
        gap=gap,
        padding=insets(6, 0, 12, 0),
        background=WHITE,
        children=(
            icon_button("back", "Back", on_back, size=25),
            TextField(
                id=rid,
                text=text,
                hint=hint,
                size=16,
                color=INK,
                weight=1,
                height=40,
                radius=20,
                background=FIELD,
                padding=insets(16, 0),
                on_change=on_change,
                on_submit=on_submit,
                action="search",
                autofocus=True,
            ),
        ),
    )


def block(*children: Widget, gap: float = 10, key: str = "", padding: float = 14) -> Widget:
    """Return a white block on the grey background."""
    return Column(
        key=key,
        width=MATCH,
        margin=insets(0, 0, 0, 6),
        padding=insets(padding, 12),
        background=WHITE,
        gap=gap,
        children=children,
    )


def heading(text: str, *actions: Widget, size: float = 18) -> Widget:
    """Return a heading with a trailing action."""
    return Row(
        width=MATCH,
        children=(Text(text=text, size=size, bold=True, color=INK, weight=1, max_lines=2), *actions),
    )


def link(label: str, on_click: Handler, *, desc: str = "") -> Widget:
    """Return a blue text link."""
    return Text(text=label, desc=desc or label, size=16, color=BLUE, padding=insets(4, 6), on_click=on_click)


def arrow_row(
    label: str,
    *,
    note: str = "",
    value: str = "",
    icon: str = "",
    on_click: Handler | None = None,
    trailing: Widget | None = None,
) -> Widget:
    """Return a row of settings or places."""
    words: list[Widget] = [Text(text=label, size=16, color=INK, max_lines=1)]
    if note or value:
        words.append(
            Text(id="row_value" if value else "", text=value or note, size=13, color=INK_2, max_lines=1)
        )
    lead = (Icon(name=icon, size=26, color=BLUE, important=False),) if icon else ()
    tail: Widget = trailing or Icon(name="chevron_right", size=20, color=INK_2, important=False)
    return Row(
        id="row",
        key=f"row-{label}",
        desc=label,
        width=MATCH,
        height=60 if note or value else 52,
        gap=14,
        padding=insets(16, 0),
        background=WHITE,
        on_click=on_click,
        children=(*lead, Column(weight=1, gap=1, children=words), tail),
    )


def switch_row(label: str, on: bool, toggle: Handler, *, note: str = "") -> Widget:
    """Return a row with a switch."""
    switch = Toggle(desc=label, checked=on, color=BLUE, width=46, height=28, on_click=toggle)
    return arrow_row(label, note=note, on_click=toggle, trailing=switch)


def radio_row(label: str, on: bool, on_click: Handler) -> Widget:
    """Return a row with a radio button."""
    return Row(
        key=f"radio-{label}",
        cls="android.widget.RadioButton",
        desc=label,
        width=MATCH,
        height=50,
        gap=14,
        padding=insets(16, 0),
        background=WHITE,
        checkable=True,
        checked=on,
        on_click=on_click,
        children=(
            Text(text=label, size=16, color=INK, weight=1, important=False),
            RadioButton(checked=on, color=BLUE, width=24, height=24, important=False),
        ),
    )


def sheet(title: str, *children: Widget) -> Widget:
    """Return a bottom sheet, for `Activity.dialog`."""
    handle = Widget(
        width=40,
        height=4,
        radius=2,
        background=LINE,
        align_self=Align.CENTER,
        margin=insets(0, 8, 0, 6),
        important=False,
    )
    header = (
        (
            Text(id="sheet_title", text=title, size=18, bold=True, color=INK, padding=insets(16, 4, 16, 10)),
            divider(LINE),
        )
        if title
        else ()
    )
    return Column(
        width=MATCH,
        height=WRAP,
        background=WHITE,
        radius=14,
        align_vertical=Align.END,
        padding=insets(0, 0, 0, 12),
        children=(handle, *header, *children),
    )


def menu_line(label: str, icon: str, on_click: Handler, *, note: str = "") -> Widget:
    """Return a row of a bottom sheet."""
    words: list[Widget] = [Text(text=label, size=16, bold=True, color=INK, max_lines=1)]
    if note:
        words.append(Text(text=note, size=13, color=INK_2, max_lines=1))
    return Row(
        key=f"menu-{label}",
        desc=label,
        width=MATCH,
        height=58,
        gap=14,
        padding=insets(16, 0),
        background=WHITE,
        on_click=on_click,
        children=(
            Icon(name=icon, size=26, color=INK, important=False),
            Column(weight=1, gap=1, children=words),
            spacer(1),
        ),
    )


def empty_state(icon: str, title: str, note: str = "", *actions: Widget) -> Widget:
    """Return a page with only a message."""
    parts: list[Widget] = [
        Icon(name=icon, size=70, color="#A8ADB3", align_self=Align.CENTER, important=False),
        Text(
            id="empty_text",
            text=title,
            size=18,
            bold=True,
            color=INK_2,
            align=Align.CENTER,
            align_self=Align.CENTER,
        ),
    ]
    if note:
        parts.append(Text(text=note, size=14, color=INK_2, align=Align.CENTER, align_self=Align.CENTER))
    middle = Column(
        width=MATCH, gap=12, padding=insets(30, 0), align_vertical=Align.CENTER, children=(*parts, *actions)
    )
    return Box(width=MATCH, height=MATCH, weight=1, background=WHITE, children=(middle,))
