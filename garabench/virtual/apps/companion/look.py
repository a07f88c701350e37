"""How the interruptions look: one function for each template."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.companion.parts import (
    BODY,
    INK,
    MAX_IN_LINE,
    PALETTES,
    SURFACE,
    Palette,
    Press,
    badge,
    bar,
    button_id,
    is_secondary,
    message,
    palette_of,
    stacked,
    title,
)
from garabench.virtual.apps.companion.spec import Spec, SpecButton, Style
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Button,
    Column,
    Gradient,
    Icon,
    Progress,
    Row,
    Scroll,
    Text,
    View,
    insets,
    spacer,
)

PAGE_TOP = PALETTES[Style.UPDATE].tint
"""Uppermost colour of the progress page."""
LOW_SCREEN = 480.0
"""Below this height in dp (a phone that lies on its side) pictures are left out."""


def card(spec: Spec, press: Press, *, width: float, height: float) -> View:
    """The window of the ``dialog`` template on a screen of that size in dp; it scrolls where it must."""
    low = height < LOW_SCREEN
    inner = {
        Style.PERMISSION: _permission,
        Style.CRASH: _crash,
        Style.UPDATE: _headed,
        Style.PROMPT: _headed,
        Style.BATTERY: _alert,
        Style.NETWORK: _alert,
    }[spec.style](spec, press, low)
    return Scroll(
        id="dialog_root",
        children=inner,
        width=min(width - 48, 340),
        background=SURFACE,
        radius=28,
        elevation=12,
        align_self=Align.CENTER,
        align_vertical=Align.CENTER,
    )


def sheet(spec: Spec, press: Press) -> View:
    """The window of the ``bottom-sheet`` template."""
    palette = palette_of(spec)
    handle = View(
        width=36, height=4, radius=2, background="#C4C7C5", align_self=Align.CENTER, important=False
    )
    panel = Column(
        children=[
            handle,
            Row(
                children=[
                    badge(palette, 44),
                    title(spec, size=20, margin=insets(16, 0, 0, 0), weight=1),
                ],
                margin=insets(0, 18, 0, 0),
            ),
            message(spec, margin=insets(0, 14, 0, 0)),
            *bar(spec, palette),
            Column(children=stacked(spec, press, palette), gap=10, margin=insets(0, 22, 0, 0)),
        ],
        width=MATCH,
        background=SURFACE,
        radius=28,
        padding=insets(24, 12, 24, 28),
    )
    # Only the upper corners are round: a square ground lies behind the lower ones.
    ground = View(width=MATCH, height=40, background=SURFACE, align_vertical=Align.END, important=False)
    return Box(id="dialog_root", children=[ground, panel], width=MATCH, align_vertical=Align.END)


def page(spec: Spec, press: Press, *, height: float) -> View:
    """The whole screen of the ``full-screen`` template, `height` dp high."""
    palette = palette_of(spec)
    return Column(
        id="dialog_root",
        children=[
            Scroll(
                key="body",
                children=[
                    Box(
                        children=[
                            badge(
                                palette,
                                96,
                                align_self=Align.CENTER,
                                align_vertical=Align.CENTER,
                                ground=SURFACE,
                            )
                        ],
                        width=MATCH,
                        height=240,
                        important=False,
                        visible=height >= LOW_SCREEN,
                    ),
                    title(spec, size=26, align=Align.CENTER),
                    message(spec, margin=insets(0, 16, 0, 0), align=Align.CENTER, size=16),
                    *bar(spec, palette),
                ],
                weight=1,
                width=MATCH,
                padding=insets(32, 0),
            ),
            Column(children=stacked(spec, press, palette), gap=12, padding=insets(32, 12, 32, 32)),
        ],
        width=MATCH,
        height=MATCH,
        background=Gradient(palette.tint, SURFACE),
    )


def _alert(spec: Spec, press: Press, low: bool) -> list[View]:
    """As the system's AlertDialog: words at the left, text buttons at the lower right."""
    palette = palette_of(spec)
    buttons = [_text_button(button, press, palette) for button in reversed(spec.buttons)]
    wide = len(buttons) > 2 or sum(len(button.label) for button in spec.buttons) > MAX_IN_LINE
    # As the system does, buttons that do not fit side by side stand above each other, the last one lowest.
    group: View = Row(children=buttons, justify=Align.END, gap=4, width=MATCH, padding=insets(16, 8, 16, 16))
    if wide:
        group = Column(
            children=list(reversed(buttons)), align=Align.END, width=MATCH, padding=insets(16, 4, 16, 14)
        )
    return [
        Column(
            children=[
                Icon(
                    name=palette.icon, size=28, color=palette.accent, align_self=Align.CENTER, visible=not low
                ),
                title(spec, margin=insets(0, 14, 0, 0), align=Align.CENTER),
                message(spec, margin=insets(0, 14, 0, 0)),
                *bar(spec, palette),
            ],
            padding=insets(24, 24, 24, 8),
        ),
        group,
    ]


def _text_button(button: SpecButton, press: Press, palette: Palette) -> View:
    return Button(
        id=button_id(button),
        text=button.label,
        size=15,
        bold=True,
        color="#0B57D0" if is_secondary(button) else palette.accent,
        padding=insets(14, 11),
        on_click=partial(press, button.key),
    )


def _permission(spec: Spec, press: Press, low: bool) -> list[View]:
    """As Android 12's permission dialog: centred, with broad tonal buttons that touch each other."""
    palette = palette_of(spec)
    rows = [
        Button(
            id=button_id(button),
            text=button.label,
            size=15,
            bold=True,
            color="#041E49",
            background=palette.tint,
            radius=16 if len(spec.buttons) == 1 else 12,
            width=MATCH,
            height=44 if low else 54,
            on_click=partial(press, button.key),
        )
        for button in spec.buttons
    ]
    return [
        Column(
            children=[
                Icon(
                    name=palette.icon, size=30, color=palette.accent, align_self=Align.CENTER, visible=not low
                ),
                title(spec, size=19, margin=insets(0, 16, 0, 0), align=Align.CENTER),
                message(spec, margin=insets(0, 10, 0, 0), align=Align.CENTER),
                *bar(spec, palette),
                Column(children=rows, gap=4, margin=insets(0, 22, 0, 0)),
            ],
            padding=insets(20, 24, 20, 20),
        )
    ]


def _crash(spec: Spec, press: Press, low: bool) -> list[View]:
    """As Android's crash dialog: a title and a column of lines with an icon each."""
    lines: list[View] = [
        Row(
            id=button_id(button),
            cls="android.widget.Button",
            children=[
                Icon(
                    name="close" if not is_secondary(button) else "clock",
                    size=22,
                    color="#444746",
                    important=False,
                ),
                Text(text=button.label, size=16, color=INK, margin=insets(18, 0, 0, 0)),
            ],
            desc=button.label,
            padding=insets(24, 14),
            width=MATCH,
            on_click=partial(press, button.key),
        )
        for button in spec.buttons
    ]
    return [
        Column(
            children=[
                title(spec, size=20),
                message(spec, margin=insets(0, 10, 0, 0)),
                *bar(spec, palette_of(spec)),
            ],
            padding=insets(24, 24, 24, 8),
        ),
        Column(children=lines, padding=insets(0, 4, 0, 16)),
    ]


def _headed(spec: Spec, press: Press, low: bool) -> list[View]:
    """As an app's own prompt: a coloured head with a badge, then words, then full-width buttons."""
    palette = palette_of(spec)
    head = Box(
        children=[badge(palette, 72, align_self=Align.CENTER, align_vertical=Align.CENTER)],
        width=MATCH,
        height=124,
        background=Gradient(palette.accent, palette.tint),
        radius=28,
        important=False,
        visible=not low,
    )
    return [
        head,
        Column(
            children=[
                title(spec, align=Align.CENTER),
                message(spec, margin=insets(0, 10, 0, 0)),
                *bar(spec, palette),
                Column(children=stacked(spec, press, palette), gap=8, margin=insets(0, 20, 0, 0)),
            ],
            padding=insets(24, 20, 24, 20),
        ),
    ]


def progress_page(title: str, note: str, value: float) -> View:
    """The page of ``.Progress``: a ring of an icon, a bar that fills and the per cent."""
    return Column(
        children=[
            spacer(),
            badge(PALETTES[Style.UPDATE], 88, align_self=Align.CENTER, ground=SURFACE),
            Text(
                id="title",
                text=title,
                size=22,
                bold=True,
                color=INK,
                align=Align.CENTER,
                width=MATCH,
                margin=insets(0, 28, 0, 0),
            ),
            Text(
                id="message",
                text=note,
                size=15,
                color=BODY,
                align=Align.CENTER,
                width=MATCH,
                margin=insets(0, 10, 0, 24),
            ),
            Progress(id="progress", value=value, color="#1E8E3E", width=MATCH, margin=insets(16, 0)),
            Text(
                id="percent",
                text=f"{int(value * 100)}%",
                size=15,
                color=BODY,
                align=Align.CENTER,
                width=MATCH,
                margin=insets(0, 12, 0, 0),
            ),
            spacer(),
        ],
        width=MATCH,
        height=MATCH,
        padding=insets(32, 24),
        background=Gradient(PAGE_TOP, SURFACE),
    )
