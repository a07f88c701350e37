"""Builds the views of a window: one function per template, and one per kind of dialog."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from garabench.virtual.apps.companion.element_views import elements, footer, picture, with_close_button
from garabench.virtual.apps.companion.mirror import is_right_to_left, mirrored
from garabench.virtual.apps.companion.spec import CompanionStyle, SpecButton
from garabench.virtual.apps.companion.view_factory import (
    DAY,
    MAX_ROW_CHARACTERS,
    NIGHT,
    NIGHT_PALETTES,
    PALETTES,
    ViewContext,
    badge,
    button_id,
    is_secondary,
    message,
    progress_bar,
    stacked_buttons,
    title,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Button,
    Column,
    Gradient,
    Icon,
    ProgressBar,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
    spacer,
)


def progress_page_top_color(dark: bool) -> str:
    """Return the colour at the top of the progress page."""
    return (NIGHT_PALETTES if dark else PALETTES)[CompanionStyle.UPDATE].tint


def dialog(context: ViewContext) -> Widget:
    """Return the window of the ``dialog`` template; it scrolls if it is too high."""
    style, spec = context.spec.style, context.spec
    content = [*picture(context, 150, 28), *_CARDS[style](context)]
    window = ScrollView(
        id="" if spec.close else "dialog_root",
        key="card",
        children=content,
        width=min(context.width - 48, 340),
        background=context.theme.surface,
        radius=28,
        elevation=12,
        align_self=Align.CENTER,
        align_vertical=Align.CENTER,
    )
    on_picture = (bool(spec.picture) or style in _WITH_HEADER) and not context.compact_height
    return _directed(context, with_close_button(context, window, top_margin=2, on_picture=on_picture))


def _directed(context: ViewContext, window: Widget) -> Widget:
    """Return the window in the direction of the title's script."""
    return mirrored(window) if is_right_to_left(context.spec.title) else window


def bottom_sheet(context: ViewContext) -> Widget:
    """Return the window of the ``bottom-sheet`` template."""
    spec, theme = context.spec, context.theme
    handle = Widget(
        width=36, height=4, radius=2, background=theme.outline, align_self=Align.CENTER, important=False
    )
    content = [
        Row(
            children=[
                badge(context.palette, 44),
                title(context, size=20, margin=insets(16, 0, 28 if spec.close else 0, 0), weight=1),
            ],
            margin=insets(0, 18, 0, 0),
        ),
        message(context, margin=insets(0, 14, 0, 0)),
        *progress_bar(context),
        *elements(context),
        Column(children=stacked_buttons(context), gap=10, margin=insets(0, 22, 0, 0)),
        *footer(context),
    ]
    panel = Column(
        children=[handle, *_with_margin(picture(context, 130, 16)), *content],
        width=MATCH,
        background=theme.surface,
        radius=28,
        padding=insets(24, 12, 24, 28),
    )
    # Only the upper corners are rounded: a square background fills the lower ones.
    square = Widget(
        width=MATCH, height=40, background=theme.surface, align_vertical=Align.END, important=False
    )
    window = ScrollView(
        id="" if spec.close else "dialog_root",
        key="sheet",
        children=[Box(children=[square, panel], width=MATCH, important=False)],
        width=MATCH,
        align_vertical=Align.END,
    )
    return _directed(context, with_close_button(context, window, top_margin=8))


def _with_margin(pictures: list[Widget]) -> list[Widget]:
    return [Box(children=pictures, width=MATCH, margin=insets(0, 14, 0, 0))] if pictures else []


def full_screen(context: ViewContext) -> Widget:
    """Return the window of the ``full-screen`` template."""
    spec, theme = context.spec, context.theme
    header: list[Widget] = picture(context, 260)
    if not header:
        centered = badge(
            context.palette,
            96,
            align_self=Align.CENTER,
            align_vertical=Align.CENTER,
            background=theme.surface,
        )
        height = 160 if spec.fields or spec.choices or spec.slider else 240
        header = [
            Box(
                children=[centered],
                width=MATCH,
                height=height,
                important=False,
                visible=not context.compact_height,
            )
        ]
    texts = Column(
        children=[
            title(context, size=26, align=Align.CENTER, margin=insets(0, 24 if spec.picture else 0, 0, 0)),
            message(context, margin=insets(0, 16, 0, 0), align=Align.CENTER, size=16),
            *progress_bar(context),
            *elements(context),
        ],
        width=MATCH,
        padding=insets(32, 24 if context.compact_height else 0, 32, 12),
    )
    window = Column(
        id="" if spec.close else "dialog_root",
        children=[
            ScrollView(key="body", children=[*header, texts], weight=1, width=MATCH),
            Column(
                children=[*stacked_buttons(context), *footer(context)], gap=12, padding=insets(32, 12, 32, 32)
            ),
        ],
        width=MATCH,
        height=MATCH,
        background=Gradient(context.palette.tint, theme.surface),
    )
    on_picture = bool(spec.picture) and not context.compact_height
    return _directed(context, with_close_button(context, window, top_margin=12, on_picture=on_picture))


def _alert_card(context: ViewContext) -> list[Widget]:
    """Return a card like the system's AlertDialog: texts, and text buttons at the end of the last line."""
    spec, palette = context.spec, context.palette
    buttons = [_text_button(context, button) for button in reversed(spec.buttons)]
    stacked = len(buttons) > 2 or sum(len(button.label) for button in spec.buttons) > MAX_ROW_CHARACTERS
    # As in the system's dialogs, the primary button is last in a row and first in a column.
    group: Widget = Row(
        children=buttons, justify=Align.END, gap=4, width=MATCH, padding=insets(16, 8, 16, 16)
    )
    if stacked:
        group = Column(
            children=list(reversed(buttons)), align=Align.END, width=MATCH, padding=insets(16, 4, 16, 14)
        )
    icon = Icon(
        name=palette.icon,
        size=28,
        color=palette.accent,
        align_self=Align.CENTER,
        visible=not context.compact_height,
    )
    return [
        Column(
            children=[
                icon,
                title(context, margin=insets(0, 14, 0, 0), align=Align.CENTER),
                message(context, margin=insets(0, 14, 0, 0)),
                *progress_bar(context),
                *elements(context),
                *footer(context, Align.START),
            ],
            padding=insets(24, 24, 24, 8),
        ),
        group,
    ]


def _text_button(context: ViewContext, button: SpecButton) -> Widget:
    return Button(
        id=button_id(button.key),
        text=button.label,
        size=15,
        bold=True,
        color=context.theme.link if is_secondary(button) else context.palette.accent,
        padding=insets(14, 11),
        on_click=partial(context.on_press, button.key),
    )


def _permission_card(context: ViewContext) -> list[Widget]:
    """Return a card like Android 12's permission dialog: centred, with wide tonal buttons."""
    palette = context.palette
    rows = [
        Button(
            id=button_id(button.key),
            text=button.label,
            size=15,
            bold=True,
            color=context.theme.tonal_ink,
            background=palette.tint,
            radius=16 if len(context.spec.buttons) == 1 else 12,
            width=MATCH,
            height=44 if context.compact_height else 54,
            on_click=partial(context.on_press, button.key),
        )
        for button in context.spec.buttons
    ]
    icon = Icon(
        name=palette.icon,
        size=30,
        color=palette.accent,
        align_self=Align.CENTER,
        visible=not context.compact_height,
    )
    return [
        Column(
            children=[
                icon,
                title(context, size=19, margin=insets(0, 16, 0, 0), align=Align.CENTER),
                message(context, margin=insets(0, 10, 0, 0), align=Align.CENTER),
                *progress_bar(context),
                *elements(context),
                Column(children=rows, gap=4, margin=insets(0, 22, 0, 0)),
                *footer(context),
            ],
            padding=insets(20, 24, 20, 20),
        )
    ]


def _crash_card(context: ViewContext) -> list[Widget]:
    """Return a card like Android's crash dialog: a title and a column of rows with an icon each."""
    rows = [_crash_row(context, button) for button in context.spec.buttons]
    texts = [
        title(context, size=20),
        message(context, margin=insets(0, 10, 0, 0)),
        *progress_bar(context),
        *elements(context),
        *footer(context, Align.START),
    ]
    return [
        Column(children=texts, padding=insets(24, 24, 24, 8)),
        Column(children=rows, padding=insets(0, 4, 0, 16)),
    ]


def _crash_row(context: ViewContext, button: SpecButton) -> Widget:
    """Return a button with an icon, which is not in the UI tree: in the app it is a compound drawable."""
    label = Button(
        id=button_id(button.key),
        text=button.label,
        size=16,
        color=context.theme.ink,
        align=Align.START,
        padding=insets(24 + 22 + 18, 14, 24, 14),
        width=MATCH,
        on_click=partial(context.on_press, button.key),
    )
    icon = Icon(
        name="clock" if is_secondary(button) else "close",
        size=22,
        color=context.theme.body,
        margin=insets(24, 0),
        align_self=Align.START,
        align_vertical=Align.CENTER,
        important=False,
    )
    return Box(children=[label, icon], width=MATCH, important=False)


def _header_card(context: ViewContext) -> list[Widget]:
    """Return a card like an app's own prompt: a coloured header with a badge, texts, full-width buttons."""
    palette = context.palette
    header = Box(
        children=[badge(palette, 72, align_self=Align.CENTER, align_vertical=Align.CENTER)],
        width=MATCH,
        height=124,
        background=Gradient(palette.accent, palette.tint),
        radius=28,
        important=False,
        visible=not context.compact_height and not context.spec.picture,
    )
    return [header, _body(context, Align.CENTER)]


def _form_card(context: ViewContext) -> list[Widget]:
    """Return a card like an app's own form: texts at the start, form elements, full-width buttons."""
    return [_body(context, Align.START)]


def _body(context: ViewContext, align: Align) -> Widget:
    right = 20 if context.spec.close and align is Align.START else 0
    return Column(
        children=[
            title(context, align=align, margin=insets(0, 0, right, 0)),
            message(context, margin=insets(0, 10, 0, 0)),
            *progress_bar(context),
            *elements(context),
            Column(children=stacked_buttons(context), gap=8, margin=insets(0, 20, 0, 0)),
            *footer(context),
        ],
        padding=insets(24, 20, 24, 20),
    )


_WITH_HEADER = frozenset({CompanionStyle.UPDATE, CompanionStyle.PROMPT, CompanionStyle.ADVERT})
_CARDS: dict[CompanionStyle, Callable[[ViewContext], list[Widget]]] = {
    CompanionStyle.PERMISSION: _permission_card,
    CompanionStyle.NOTIFICATION: _permission_card,
    CompanionStyle.CRASH: _crash_card,
    CompanionStyle.NOT_RESPONDING: _crash_card,
    CompanionStyle.BATTERY: _alert_card,
    CompanionStyle.NETWORK: _alert_card,
    CompanionStyle.STORAGE: _alert_card,
    CompanionStyle.LOGIN: _form_card,
    CompanionStyle.COOKIE: _form_card,
    CompanionStyle.SURVEY: _form_card,
    CompanionStyle.CAPTCHA: _form_card,
    CompanionStyle.UPDATE: _header_card,
    CompanionStyle.PROMPT: _header_card,
    CompanionStyle.ADVERT: _header_card,
}


def progress_page(title: str, note: str, value: float, *, dark: bool = False) -> Widget:
    """Return the page of ``.Progress``: icon, title, message, progress bar and percentage."""
    palette, theme = (NIGHT_PALETTES if dark else PALETTES)[CompanionStyle.UPDATE], NIGHT if dark else DAY
    return Column(
        children=[
            spacer(),
            badge(palette, 88, align_self=Align.CENTER, background=theme.surface),
            Text(
                id="title",
                text=title,
                size=22,
                bold=True,
                color=theme.ink,
                align=Align.CENTER,
                width=MATCH,
                margin=insets(0, 28, 0, 0),
            ),
            Text(
                id="message",
                text=note,
                size=15,
                color=theme.body,
                align=Align.CENTER,
                width=MATCH,
                margin=insets(0, 10, 0, 24),
            ),
            ProgressBar(id="progress", value=value, color=palette.accent, width=MATCH, margin=insets(16, 0)),
            Text(
                id="percent",
                text=f"{int(value * 100)}%",
                size=15,
                color=theme.body,
                align=Align.CENTER,
                width=MATCH,
                margin=insets(0, 12, 0, 0),
            ),
            spacer(),
        ],
        width=MATCH,
        height=MATCH,
        padding=insets(32, 24),
        background=Gradient(palette.tint, theme.surface),
    )
