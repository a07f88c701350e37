"""The pieces that interruptions are put together from: colours, icon, words, progress, buttons."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from garabench.virtual.apps.companion.spec import Spec, SpecButton, Style
from garabench.virtual.ui.widgets import (
    MATCH,
    WRAP,
    Align,
    Box,
    Button,
    Icon,
    Insets,
    Progress,
    Text,
    View,
    insets,
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
    Style.PROMPT: Palette("star-filled", "#E37400", "#FEF7E0"),
}
INK = "#1F1F1F"
BODY = "#444746"
SURFACE = "#FFFFFF"
NO_MARGIN = Insets()
MAX_IN_LINE = 24
"""Letters of button labels that fit side by side."""


def palette_of(spec: Spec) -> Palette:
    """The colours of the interruption's style, with its own icon where it names one."""
    palette = PALETTES[spec.style]
    return replace(palette, icon=spec.icon) if spec.icon else palette


_SECONDARY_ROLES = frozenset({"dismiss", "exit", "cancel", "deny", "later"})


def is_secondary(button: SpecButton) -> bool:
    """Whether the button stands back behind the other one."""
    return button.role in _SECONDARY_ROLES


def badge(
    palette: Palette,
    size: float,
    *,
    align_self: Align | None = None,
    align_vertical: Align | None = None,
    ground: str = "",
) -> View:
    """The style's icon on a round ground, `size` dp across."""
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
        background=ground or palette.tint,
        align_self=align_self,
        align_vertical=align_vertical,
    )


def title(
    spec: Spec,
    *,
    size: float = 22,
    align: Align = Align.START,
    margin: Insets = NO_MARGIN,
    weight: float = 0,
) -> View:
    """The heading."""
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


def message(spec: Spec, *, margin: Insets = NO_MARGIN, align: Align = Align.START, size: float = 15) -> View:
    """The words below the heading."""
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


def bar(spec: Spec, palette: Palette) -> list[View]:
    """The progress bar, where the specification has one."""
    if spec.progress is None:
        return []
    return [
        Progress(
            id="progress", value=spec.progress, color=palette.accent, width=MATCH, margin=insets(0, 16, 0, 0)
        )
    ]


def button_id(button: SpecButton) -> str:
    """The resource id of a button."""
    return f"button_{button.key}"


def stacked(spec: Spec, press: Press, palette: Palette) -> list[View]:
    """Full-width buttons: the first that leads on is filled, the others are quiet."""
    buttons: list[View] = []
    for button in spec.buttons:
        quiet = is_secondary(button)
        buttons.append(
            Button(
                id=button_id(button),
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
