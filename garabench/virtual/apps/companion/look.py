"""How the interruptions look: one function for each template, colours and icons by style."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from garabench.virtual.apps.companion.spec import Spec, SpecButton, Style
from garabench.virtual.ui.widgets import (
    MATCH,
    WRAP,
    Align,
    Box,
    Button,
    Column,
    Gradient,
    Icon,
    Insets,
    Progress,
    Row,
    Scroll,
    Text,
    View,
    insets,
    spacer,
)

Press = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours of one style: `accent` for what is to be pressed, `tint` behind the icon."""

    icon: str
    accent: str
    tint: str


PALETTES: Mapping[Style, Palette] = {
    Style.PERMISSION: Palette("location", "#0B57D0", "#D3E3FD"),
    Style.BATTERY: Palette("battery", "#B3261E", "#FCE8E6"),
    Style.NETWORK: Palette("wifi", "#0B57D0", "#E8F0FE"),
    Style.UPDATE: Palette("download", "#1E8E3E", "#E6F4EA"),
    Style.CRASH: Palette("warning", "#D93025", "#FCE8E6"),
    Style.PROMPT: Palette("star", "#E37400", "#FEF7E0"),
}
INK = "#1F1F1F"
BODY = "#444746"
SURFACE = "#FFFFFF"
NO_MARGIN = Insets()

_SECONDARY_ROLES = frozenset({"dismiss", "exit", "cancel", "deny", "later"})


def is_secondary(button: SpecButton) -> bool:
    """Whether the button stands back behind the other one."""
    return button.role in _SECONDARY_ROLES


def card(spec: Spec, press: Press, *, width: float) -> View:
    """The window of the ``dialog`` template, `width` dp of screen being there."""
    inner = {
        Style.PERMISSION: _permission,
        Style.CRASH: _crash,
        Style.UPDATE: _headed,
        Style.PROMPT: _headed,
        Style.BATTERY: _alert,
        Style.NETWORK: _alert,
    }[spec.style](spec, press)
    return Column(
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
    palette = PALETTES[spec.style]
    handle = View(
        width=36, height=4, radius=2, background="#C4C7C5", align_self=Align.CENTER, important=False
    )
    return Column(
        id="dialog_root",
        children=[
            handle,
            Row(
                children=[
                    _badge(palette, 44),
                    _title(spec, size=20, margin=insets(16, 0, 0, 0), weight=1),
                ],
                margin=insets(0, 18, 0, 0),
            ),
            _message(spec, margin=insets(0, 14, 0, 0)),
            *_bar(spec, palette),
            Column(children=_stacked(spec, press, palette), gap=10, margin=insets(0, 22, 0, 0)),
        ],
        width=MATCH,
        background=SURFACE,
        radius=28,
        elevation=16,
        padding=insets(24, 12, 24, 28),
        align_vertical=Align.END,
    )


def page(spec: Spec, press: Press) -> View:
    """The whole screen of the ``full-screen`` template."""
    palette = PALETTES[spec.style]
    return Column(
        id="dialog_root",
        children=[
            Scroll(
                key="body",
                children=[
                    Box(
                        children=[_badge(palette, 96, align_self=Align.CENTER, align_vertical=Align.CENTER)],
                        width=MATCH,
                        height=240,
                        important=False,
                    ),
                    _title(spec, size=26, align=Align.CENTER),
                    _message(spec, margin=insets(0, 16, 0, 0), align=Align.CENTER, size=16),
                    *_bar(spec, palette),
                ],
                weight=1,
                width=MATCH,
                padding=insets(32, 0),
            ),
            Column(children=_stacked(spec, press, palette), gap=12, padding=insets(32, 12, 32, 32)),
        ],
        width=MATCH,
        height=MATCH,
        background=Gradient(palette.tint, SURFACE),
    )


def _badge(
    palette: Palette,
    size: float,
    *,
    align_self: Align | None = None,
    align_vertical: Align | None = None,
    margin: float = 0,
) -> View:
    return Box(
        id="icon",
        children=[
            Icon(
                name=palette.icon,
                size=size * 0.54,
                color=palette.accent,
                align_self=Align.CENTER,
                align_vertical=Align.CENTER,
            )
        ],
        width=size,
        height=size,
        radius=999,
        background=palette.tint,
        align_self=align_self,
        align_vertical=align_vertical,
        margin=insets(margin),
    )


def _title(
    spec: Spec,
    *,
    size: float = 22,
    align: Align = Align.START,
    margin: Insets = NO_MARGIN,
    weight: float = 0,
) -> View:
    return Text(
        id="title",
        text=spec.title,
        size=size,
        bold=True,
        color=INK,
        align=align,
        weight=weight,
        width=WRAP if weight else MATCH,
        margin=margin,
    )


def _message(spec: Spec, *, margin: Insets = NO_MARGIN, align: Align = Align.START, size: float = 15) -> View:
    return Text(
        id="message",
        text=spec.message,
        size=size,
        color=BODY,
        line_spacing=1.25,
        align=align,
        width=MATCH,
        visible=bool(spec.message),
        margin=margin,
    )


def _bar(spec: Spec, palette: Palette) -> list[View]:
    if spec.progress is None:
        return []
    return [
        Progress(
            id="progress", value=spec.progress, color=palette.accent, width=MATCH, margin=insets(0, 16, 0, 0)
        )
    ]


def _id(button: SpecButton) -> str:
    return f"button_{button.key}"


def _alert(spec: Spec, press: Press) -> list[View]:
    """As the system's AlertDialog: words at the left, text buttons at the lower right."""
    palette = PALETTES[spec.style]
    buttons = [_text_button(button, press, palette) for button in reversed(spec.buttons)]
    return [
        Column(
            children=[
                Icon(name=palette.icon, size=28, color=palette.accent, align_self=Align.CENTER),
                _title(spec, margin=insets(0, 14, 0, 0), align=Align.CENTER),
                _message(spec, margin=insets(0, 14, 0, 0)),
                *_bar(spec, palette),
            ],
            padding=insets(24, 24, 24, 8),
        ),
        Row(
            children=buttons, justify=Align.END, gap=4, wrap=True, padding=insets(16, 8, 16, 16), width=MATCH
        ),
    ]


def _text_button(button: SpecButton, press: Press, palette: Palette) -> View:
    return Button(
        id=_id(button),
        text=button.label,
        size=15,
        bold=True,
        color="#0B57D0" if is_secondary(button) else palette.accent,
        padding=insets(14, 11),
        on_click=partial(press, button.key),
    )


def _permission(spec: Spec, press: Press) -> list[View]:
    """As Android 12's permission dialog: centred, with broad tonal buttons that touch each other."""
    palette = PALETTES[spec.style]
    rows = [
        Button(
            id=_id(button),
            text=button.label,
            size=15,
            bold=True,
            color="#041E49",
            background=palette.tint,
            radius=16 if len(spec.buttons) == 1 else 12,
            width=MATCH,
            height=54,
            on_click=partial(press, button.key),
        )
        for button in spec.buttons
    ]
    return [
        Column(
            children=[
                Icon(name=palette.icon, size=30, color=palette.accent, align_self=Align.CENTER),
                _title(spec, size=19, margin=insets(0, 16, 0, 0), align=Align.CENTER),
                _message(spec, margin=insets(0, 10, 0, 0), align=Align.CENTER),
                *_bar(spec, palette),
                Column(children=rows, gap=4, margin=insets(0, 22, 0, 0)),
            ],
            padding=insets(20, 24, 20, 20),
        )
    ]


def _crash(spec: Spec, press: Press) -> list[View]:
    """As Android's crash dialog: a title and a column of lines with an icon each."""
    lines: list[View] = [
        Row(
            id=_id(button),
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
                _title(spec, size=20),
                _message(spec, margin=insets(0, 10, 0, 0)),
                *_bar(spec, PALETTES[spec.style]),
            ],
            padding=insets(24, 24, 24, 8),
        ),
        Column(children=lines, padding=insets(0, 4, 0, 16)),
    ]


def _headed(spec: Spec, press: Press) -> list[View]:
    """As an app's own prompt: a coloured head with a badge, then words, then full-width buttons."""
    palette = PALETTES[spec.style]
    head = Box(
        children=[_badge(palette, 72, align_self=Align.CENTER, align_vertical=Align.CENTER)],
        width=MATCH,
        height=124,
        background=Gradient(palette.accent, palette.tint),
        radius=28,
        important=False,
    )
    return [
        head,
        Column(
            children=[
                _title(spec, align=Align.CENTER),
                _message(spec, margin=insets(0, 10, 0, 0)),
                *_bar(spec, palette),
                Column(children=_stacked(spec, press, palette), gap=8, margin=insets(0, 20, 0, 0)),
            ],
            padding=insets(24, 20, 24, 20),
        ),
    ]


def _stacked(spec: Spec, press: Press, palette: Palette) -> list[View]:
    """Full-width buttons: the first that leads on is filled, the others are quiet."""
    buttons: list[View] = []
    for button in spec.buttons:
        quiet = is_secondary(button)
        buttons.append(
            Button(
                id=_id(button),
                text=button.label,
                size=16,
                bold=not quiet,
                color=BODY if quiet else "#FFFFFF",
                background="#F1F3F4" if quiet else palette.accent,
                radius=999,
                width=MATCH,
                height=50,
                on_click=partial(press, button.key),
            )
        )
    return buttons


def progress_page(title: str, note: str, value: float) -> View:
    """The page of ``.Progress``: a ring of an icon, a bar that fills and the per cent."""
    return Column(
        children=[
            spacer(),
            _badge(PALETTES[Style.UPDATE], 88, align_self=Align.CENTER),
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
        background=Gradient("#E6F4EA", SURFACE),
    )
