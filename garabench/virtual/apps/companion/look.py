"""The look of the interruptions: one function per template."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from garabench.virtual.apps.companion.elements import crossed, elements, picture, tail
from garabench.virtual.apps.companion.mirror import mirrored, right_to_left
from garabench.virtual.apps.companion.parts import (
    DAY,
    MAX_IN_LINE,
    NIGHT,
    NIGHT_PALETTES,
    PALETTES,
    Kit,
    badge,
    bar,
    button_id,
    is_secondary,
    message,
    stacked,
    title,
)
from garabench.virtual.apps.companion.spec import CompanionStyle, SpecButton
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


def page_top(dark: bool) -> str:
    """Uppermost colour of the progress page."""
    return (NIGHT_PALETTES if dark else PALETTES)[CompanionStyle.UPDATE].tint


def card(kit: Kit) -> Widget:
    """The window of the ``dialog`` template; it scrolls where it must."""
    style, spec = kit.spec.style, kit.spec
    inner = [*picture(kit, 150, 28), *_CARDS[style](kit)]
    window = ScrollView(
        id="" if spec.close else "dialog_root",
        key="card",
        children=inner,
        width=min(kit.width - 48, 340),
        background=kit.theme.surface,
        radius=28,
        elevation=12,
        align_self=Align.CENTER,
        align_vertical=Align.CENTER,
    )
    over = bool(spec.picture) or style in _HEADED
    return _turned(kit, crossed(kit, window, top=2, over=over and not kit.low))


def _turned(kit: Kit, window: Widget) -> Widget:
    return mirrored(window) if right_to_left(kit.spec.title) else window


def sheet(kit: Kit) -> Widget:
    """The window of the ``bottom-sheet`` template."""
    spec, theme = kit.spec, kit.theme
    handle = Widget(
        width=36, height=4, radius=2, background=theme.outline, align_self=Align.CENTER, important=False
    )
    words = [
        Row(
            children=[
                badge(kit.palette, 44),
                title(kit, size=20, margin=insets(16, 0, 28 if spec.close else 0, 0), weight=1),
            ],
            margin=insets(0, 18, 0, 0),
        ),
        message(kit, margin=insets(0, 14, 0, 0)),
        *bar(kit),
        *elements(kit),
        Column(children=stacked(kit), gap=10, margin=insets(0, 22, 0, 0)),
        *tail(kit),
    ]
    panel = Column(
        children=[handle, *_inset(picture(kit, 130, 16)), *words],
        width=MATCH,
        background=theme.surface,
        radius=28,
        padding=insets(24, 12, 24, 28),
    )
    # Only the upper corners are round: a square ground lies behind the lower ones.
    ground = Widget(
        width=MATCH, height=40, background=theme.surface, align_vertical=Align.END, important=False
    )
    window = ScrollView(
        id="" if spec.close else "dialog_root",
        key="sheet",
        children=[Box(children=[ground, panel], width=MATCH, important=False)],
        width=MATCH,
        align_vertical=Align.END,
    )
    return _turned(kit, crossed(kit, window, top=8))


def _inset(pictures: list[Widget]) -> list[Widget]:
    return [Box(children=pictures, width=MATCH, margin=insets(0, 14, 0, 0))] if pictures else []


def page(kit: Kit) -> Widget:
    """The whole screen of the ``full-screen`` template."""
    spec, theme = kit.spec, kit.theme
    head: list[Widget] = picture(kit, 260)
    if not head:
        middle = badge(
            kit.palette, 96, align_self=Align.CENTER, align_vertical=Align.CENTER, ground=theme.surface
        )
        height = 160 if spec.fields or spec.choices or spec.slider else 240
        head = [Box(children=[middle], width=MATCH, height=height, important=False, visible=not kit.low)]
    words = Column(
        children=[
            title(kit, size=26, align=Align.CENTER, margin=insets(0, 24 if spec.picture else 0, 0, 0)),
            message(kit, margin=insets(0, 16, 0, 0), align=Align.CENTER, size=16),
            *bar(kit),
            *elements(kit),
        ],
        width=MATCH,
        padding=insets(32, 24 if kit.low else 0, 32, 12),
    )
    window = Column(
        id="" if spec.close else "dialog_root",
        children=[
            ScrollView(key="body", children=[*head, words], weight=1, width=MATCH),
            Column(children=[*stacked(kit), *tail(kit)], gap=12, padding=insets(32, 12, 32, 32)),
        ],
        width=MATCH,
        height=MATCH,
        background=Gradient(kit.palette.tint, theme.surface),
    )
    return _turned(kit, crossed(kit, window, top=12, over=bool(spec.picture) and not kit.low))


def _alert(kit: Kit) -> list[Widget]:
    """As the system's AlertDialog: words at the left, text buttons at the lower right."""
    spec, palette = kit.spec, kit.palette
    buttons = [_text_button(kit, button) for button in reversed(spec.buttons)]
    wide = len(buttons) > 2 or sum(len(button.label) for button in spec.buttons) > MAX_IN_LINE
    # As the system does, buttons that do not fit side by side are stacked, the last one lowest.
    group: Widget = Row(
        children=buttons, justify=Align.END, gap=4, width=MATCH, padding=insets(16, 8, 16, 16)
    )
    if wide:
        group = Column(
            children=list(reversed(buttons)), align=Align.END, width=MATCH, padding=insets(16, 4, 16, 14)
        )
    icon = Icon(
        name=palette.icon, size=28, color=palette.accent, align_self=Align.CENTER, visible=not kit.low
    )
    return [
        Column(
            children=[
                icon,
                title(kit, margin=insets(0, 14, 0, 0), align=Align.CENTER),
                message(kit, margin=insets(0, 14, 0, 0)),
                *bar(kit),
                *elements(kit),
                *tail(kit, Align.START),
            ],
            padding=insets(24, 24, 24, 8),
        ),
        group,
    ]


def _text_button(kit: Kit, button: SpecButton) -> Widget:
    return Button(
        id=button_id(button.key),
        text=button.label,
        size=15,
        bold=True,
        color=kit.theme.link if is_secondary(button) else kit.palette.accent,
        padding=insets(14, 11),
        on_click=partial(kit.press, button.key),
    )


def _permission(kit: Kit) -> list[Widget]:
    """Return a dialog like Android 12's permission dialog: centred, with wide adjacent tonal buttons."""
    palette = kit.palette
    rows = [
        Button(
            id=button_id(button.key),
            text=button.label,
            size=15,
            bold=True,
            color=kit.theme.tonal_ink,
            background=palette.tint,
            radius=16 if len(kit.spec.buttons) == 1 else 12,
            width=MATCH,
            height=44 if kit.low else 54,
            on_click=partial(kit.press, button.key),
        )
        for button in kit.spec.buttons
    ]
    icon = Icon(
        name=palette.icon, size=30, color=palette.accent, align_self=Align.CENTER, visible=not kit.low
    )
    return [
        Column(
            children=[
                icon,
                title(kit, size=19, margin=insets(0, 16, 0, 0), align=Align.CENTER),
                message(kit, margin=insets(0, 10, 0, 0), align=Align.CENTER),
                *bar(kit),
                *elements(kit),
                Column(children=rows, gap=4, margin=insets(0, 22, 0, 0)),
                *tail(kit),
            ],
            padding=insets(20, 24, 20, 20),
        )
    ]


def _crash(kit: Kit) -> list[Widget]:
    """As Android's crash dialog: a title and a column of lines with an icon each."""
    lines = [_line(kit, button) for button in kit.spec.buttons]
    words = [
        title(kit, size=20),
        message(kit, margin=insets(0, 10, 0, 0)),
        *bar(kit),
        *elements(kit),
        *tail(kit, Align.START),
    ]
    return [
        Column(children=words, padding=insets(24, 24, 24, 8)),
        Column(children=lines, padding=insets(0, 4, 0, 16)),
    ]


def _line(kit: Kit, button: SpecButton) -> Widget:
    """One button; its icon is drawn on it, as a compound drawable is no view of its own."""
    label = Button(
        id=button_id(button.key),
        text=button.label,
        size=16,
        color=kit.theme.ink,
        align=Align.START,
        padding=insets(24 + 22 + 18, 14, 24, 14),
        width=MATCH,
        on_click=partial(kit.press, button.key),
    )
    icon = Icon(
        name="clock" if is_secondary(button) else "close",
        size=22,
        color=kit.theme.body,
        margin=insets(24, 0),
        align_self=Align.START,
        align_vertical=Align.CENTER,
        important=False,
    )
    return Box(children=[label, icon], width=MATCH, important=False)


def _headed(kit: Kit) -> list[Widget]:
    """As an app's own prompt: a coloured head with a badge, then words, then full-width buttons."""
    palette = kit.palette
    head = Box(
        children=[badge(palette, 72, align_self=Align.CENTER, align_vertical=Align.CENTER)],
        width=MATCH,
        height=124,
        background=Gradient(palette.accent, palette.tint),
        radius=28,
        important=False,
        visible=not kit.low and not kit.spec.picture,
    )
    return [head, _body(kit, Align.CENTER)]


def _plain(kit: Kit) -> list[Widget]:
    """As an app's own form: words at the left, what is to be filled in, full-width buttons."""
    return [_body(kit, Align.START)]


def _body(kit: Kit, align: Align) -> Widget:
    right = 20 if kit.spec.close and align is Align.START else 0
    return Column(
        children=[
            title(kit, align=align, margin=insets(0, 0, right, 0)),
            message(kit, margin=insets(0, 10, 0, 0)),
            *bar(kit),
            *elements(kit),
            Column(children=stacked(kit), gap=8, margin=insets(0, 20, 0, 0)),
            *tail(kit),
        ],
        padding=insets(24, 20, 24, 20),
    )


_HEADED = frozenset({CompanionStyle.UPDATE, CompanionStyle.PROMPT, CompanionStyle.ADVERT})
_CARDS: dict[CompanionStyle, Callable[[Kit], list[Widget]]] = {
    CompanionStyle.PERMISSION: _permission,
    CompanionStyle.NOTIFICATION: _permission,
    CompanionStyle.CRASH: _crash,
    CompanionStyle.NOT_RESPONDING: _crash,
    CompanionStyle.BATTERY: _alert,
    CompanionStyle.NETWORK: _alert,
    CompanionStyle.STORAGE: _alert,
    CompanionStyle.LOGIN: _plain,
    CompanionStyle.COOKIE: _plain,
    CompanionStyle.SURVEY: _plain,
    CompanionStyle.CAPTCHA: _plain,
    CompanionStyle.UPDATE: _headed,
    CompanionStyle.PROMPT: _headed,
    CompanionStyle.ADVERT: _headed,
}


def progress_page(title: str, note: str, value: float, *, dark: bool = False) -> Widget:
    """The page of ``.Progress``: a ring of an icon, a bar that fills and the per cent."""
    palette, theme = (NIGHT_PALETTES if dark else PALETTES)[CompanionStyle.UPDATE], NIGHT if dark else DAY
    return Column(
        children=[
            spacer(),
            badge(palette, 88, align_self=Align.CENTER, ground=theme.surface),
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
