"""Building blocks of Settings pages: a fixed title, rows, switches, radio buttons, sliders.

Resource ids are those of the real Settings (such as ``android:id/title``), so that selectors written for
a real phone match here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from garabench.virtual.kit.framework import Context
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Button,
    Column,
    Handler,
    Icon,
    RadioButton,
    Row,
    ScrollView,
    Slider,
    Text,
    Toggle,
    Widget,
    insets,
    spacer,
)

TITLE = "android:id/title"
SUMMARY = "android:id/summary"
SWITCH = "android:id/switch_widget"
PAGE_MARGIN = 24.0


@dataclass(frozen=True, slots=True)
class Colors:
    """The page's colours, light or dark."""

    page: str
    card: str
    ink: str
    grey: str
    accent: str
    on_accent: str
    line: str


LIGHT = Colors("#F6F7FB", "#FFFFFF", "#1A1C1E", "#5B5F66", "#0B57D0", "#FFFFFF", "#E3E5EA")
DARK = Colors("#111318", "#1D2024", "#E3E2E6", "#A5A8B0", "#A8C7FA", "#062E6F", "#33363C")


def colors(ctx: Context) -> Colors:
    """Return the colours of the current theme."""
    return DARK if ctx.dark else LIGHT


def page(ctx: Context, title: str, rows: Sequence[Widget], *, back: Handler, key: str = "list") -> Widget:
    """Return a page: back arrow, large title, scrolling rows."""
    palette = colors(ctx)
    bar = Row(
        id="action_bar",
        children=[
            Icon(
                name="back",
                color=palette.ink,
                width=48,
                height=48,
                padding=insets(12),
                cls="android.widget.ImageButton",
                desc=ctx.t("向上导航", "Navigate up"),
                on_click=back,
            )
        ],
        height=56,
        width=MATCH,
        padding=insets(4, 4),
    )
    heading = Text(
        id="collapsing_toolbar_title",
        text=title,
        size=32,
        color=palette.ink,
        padding=insets(PAGE_MARGIN, 14, PAGE_MARGIN, 22),
    )
    return Column(
        id="content_parent",
        children=[
            bar,
            ScrollView(
                id="recycler_view",
                key=key,
                cls="androidx.recyclerview.widget.RecyclerView",
                children=[heading, *rows, Widget(height=32, important=False)],
                weight=1,
                width=MATCH,
            ),
        ],
        width=MATCH,
        height=MATCH,
        background=palette.page,
    )


def card(ctx: Context, rows: Sequence[Widget]) -> Widget:
    """Return a rounded card of related rows."""
    return Column(
        children=list(rows),
        background=colors(ctx).card,
        radius=22,
        margin=insets(14, 0, 14, 12),
        padding=insets(0, 4),
        width=MATCH,
        important=False,
    )


def header(ctx: Context, text: str) -> Widget:
    """Return the heading of a group of rows."""
    return Text(
        id=TITLE,
        text=text,
        size=14,
        bold=True,
        color=colors(ctx).accent,
        padding=insets(PAGE_MARGIN + 6, 10, PAGE_MARGIN, 8),
    )


def note(ctx: Context, text: str) -> Widget:
    """Return an explanation in small print."""
    return Row(
        children=[
            Icon(name="info", size=20, color=colors(ctx).grey, align_self=Align.START, important=False),
            Text(
                id=TITLE,
                text=text,
                size=13,
                color=colors(ctx).grey,
                line_spacing=1.25,
                weight=1,
                margin=insets(16, 0, 0, 0),
            ),
        ],
        padding=insets(PAGE_MARGIN + 6, 12),
        width=MATCH,
    )


def item(
    ctx: Context,
    title: str,
    summary: str = "",
    *,
    leading: Widget | None = None,
    trailing: Widget | None = None,
    on_click: Handler | None = None,
    key: str = "",
    enabled: bool = True,
    checkable: bool = False,
    checked: bool = False,
) -> Widget:
    """Return a row: icon, title above summary, trailing widget."""
    palette = colors(ctx)
    words: list[Widget] = [
        Text(id=TITLE, text=title, size=17, color=palette.ink if enabled else palette.grey, max_lines=2)
    ]
    if summary:
        words.append(
            Text(
                id=SUMMARY,
                text=summary,
                size=14,
                color=palette.grey,
                max_lines=4,
                line_spacing=1.15,
                margin=insets(0, 3, 0, 0),
            )
        )
    children: list[Widget] = []
    if leading is not None:
        children += [leading, spacer(18)]
    children.append(Column(children=words, weight=1, important=False))
    if trailing is not None:
        children += [spacer(12), trailing]
    return Row(
        key=key or title,
        children=children,
        padding=insets(18, 15),
        width=MATCH,
        on_click=on_click,
        enabled=enabled,
        checkable=checkable,
        checked=checked,
    )


def badge(name: str, color: str) -> Widget:
    """Return an icon on a coloured circle."""
    return Box(
        children=[
            Icon(
                name=name,
                size=20,
                color="#FFFFFF",
                align_self=Align.CENTER,
                align_vertical=Align.CENTER,
                important=False,
            )
        ],
        width=38,
        height=38,
        radius=999,
        background=color,
        important=False,
    )


def switch_item(
    ctx: Context,
    title: str,
    summary: str = "",
    *,
    on: bool,
    toggle: Handler,
    leading: Widget | None = None,
    enabled: bool = True,
) -> Widget:
    """Return a row with a switch; a tap anywhere in the row toggles it."""
    switch = Toggle(
        id=SWITCH,
        checked=on,
        color=colors(ctx).accent,
        enabled=enabled,
        desc=title,
        clickable=False,
        focusable=False,
    )
    return item(
        ctx,
        title,
        summary,
        leading=leading,
        trailing=switch,
        on_click=toggle if enabled else None,
        enabled=enabled,
    )


def main_switch(ctx: Context, title: str, *, on: bool, toggle: Handler) -> Widget:
    """Return the wide switch at the top of a page."""
    palette = colors(ctx)
    background = ("#004A77" if ctx.dark else "#D3E3FD") if on else palette.line
    return Row(
        id="main_switch_bar",
        children=[
            Text(id="switch_text", text=title, size=18, color=palette.ink, weight=1),
            Toggle(id=SWITCH, checked=on, color=palette.accent, desc=title, clickable=False, focusable=False),
        ],
        background=background,
        radius=28,
        height=72,
        width=MATCH,
        padding=insets(22, 0),
        margin=insets(14, 0, 14, 16),
        on_click=toggle,
    )


def radio_item(ctx: Context, title: str, summary: str = "", *, on: bool, pick: Handler) -> Widget:
    """Return a row with a leading radio button."""
    radio = RadioButton(
        id="android:id/checkbox", checked=on, color=colors(ctx).accent, clickable=False, focusable=False
    )
    return item(ctx, title, summary, leading=radio, on_click=pick, checkable=True, checked=on)


def slider_item(
    ctx: Context, title: str, *, value: float, change: Callable[[float], None], id_: str
) -> Widget:
    """Return a row with a slider below its title."""
    palette = colors(ctx)
    return Column(
        key=title,
        children=[
            Row(
                children=[
                    Text(id=TITLE, text=title, size=17, color=palette.ink, weight=1),
                    Text(id=SUMMARY, text=f"{round(value * 100)}%", size=14, color=palette.grey),
                ],
                width=MATCH,
            ),
            Slider(
                id=id_,
                value=value,
                on_change=change,
                color=palette.accent,
                width=MATCH,
                height=40,
                desc=title,
                margin=insets(0, 6, 0, 0),
            ),
        ],
        padding=insets(18, 14, 18, 8),
        width=MATCH,
    )


def actions(ctx: Context, buttons: Sequence[tuple[str, str, str, Handler, bool]]) -> Widget:
    """Return the row of large buttons under an app's name: (id, icon, text, handler, enabled) each."""
    palette = colors(ctx)
    children: list[Widget] = [
        Column(
            id=id_,
            cls="android.widget.Button",
            desc=text,
            enabled=enabled,
            children=[
                Icon(
                    name=icon,
                    size=24,
                    color=palette.accent if enabled else palette.grey,
                    align_self=Align.CENTER,
                    important=False,
                ),
                Text(
                    text=text,
                    size=13,
                    color=palette.accent if enabled else palette.grey,
                    align=Align.CENTER,
                    width=MATCH,
                    margin=insets(0, 6, 0, 0),
                ),
            ],
            weight=1,
            padding=insets(4, 14),
            on_click=handler if enabled else None,
        )
        for id_, icon, text, handler, enabled in buttons
    ]
    return Row(
        id="action_buttons",
        children=children,
        background=palette.card,
        radius=22,
        margin=insets(14, 0, 14, 14),
        width=MATCH,
    )


def confirm(
    ctx: Context,
    title: str,
    message: str,
    *,
    yes_text: str,
    yes: Handler,
    no: Handler,
    body: Widget | None = None,
) -> Widget:
    """Return the system's dialog with Cancel and another button."""
    palette = colors(ctx)
    children: list[Widget] = [Text(id="android:id/alertTitle", text=title, size=22, color=palette.ink)]
    if message:
        children.append(
            Text(
                id="android:id/message",
                text=message,
                size=15,
                color=palette.grey,
                line_spacing=1.25,
                margin=insets(0, 14, 0, 0),
            )
        )
    if body is not None:
        children.append(body)
    cancel = Button(
        id="android:id/button2", text=ctx.t("取消", "Cancel"), color=palette.accent, bold=True, on_click=no
    )
    accept = Button(id="android:id/button1", text=yes_text, color=palette.accent, bold=True, on_click=yes)
    buttons = Row(children=[cancel, accept], justify=Align.END, width=MATCH, margin=insets(0, 18, 0, 0))
    return Column(
        children=[*children, buttons],
        width=min(330.0, ctx.width_dp - 48),
        background=palette.card,
        radius=28,
        elevation=10,
        padding=insets(24, 24, 16, 14),
    )
