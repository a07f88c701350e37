"""Building blocks of interruptions: colours, icon, texts, progress, buttons."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from garabench.virtual.apps.companion.spec import CompanionStyle, Spec, SpecButton
from garabench.virtual.ui.widgets import (
    MATCH,
    WRAP,
    Align,
    Box,
    Button,
    Icon,
    Insets,
    ProgressBar,
    Text,
    Widget,
    insets,
)

Press = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class CompanionPalette:
    """Colours of one style: `accent` for what is to be pressed, `tint` behind the icon."""

    icon: str
    accent: str
    tint: str


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours that all styles share, by day or by night; named as the app's resources."""

    surface: str
    ink: str
    body: str
    link: str
    tonal_ink: str
    outline: str


PALETTES: Mapping[CompanionStyle, CompanionPalette] = {
    CompanionStyle.PERMISSION: CompanionPalette("location", "#0B57D0", "#D3E3FD"),
    CompanionStyle.BATTERY: CompanionPalette("battery", "#B3261E", "#FCE8E6"),
    CompanionStyle.NETWORK: CompanionPalette("wifi", "#0B57D0", "#E8F0FE"),
    CompanionStyle.UPDATE: CompanionPalette("download", "#1E8E3E", "#E6F4EA"),
    CompanionStyle.CRASH: CompanionPalette("warning", "#D93025", "#FCE8E6"),
    CompanionStyle.PROMPT: CompanionPalette("star-filled", "#E37400", "#FEF7E0"),
    CompanionStyle.NOT_RESPONDING: CompanionPalette("clock", "#B06000", "#FEEFC3"),
    CompanionStyle.STORAGE: CompanionPalette("folder", "#B3261E", "#F9DEDC"),
    CompanionStyle.NOTIFICATION: CompanionPalette("bell", "#0B57D0", "#DCE8FE"),
    CompanionStyle.LOGIN: CompanionPalette("person", "#1A73E8", "#E3EEFE"),
    CompanionStyle.COOKIE: CompanionPalette("cookie", "#00696D", "#D7F2F2"),
    CompanionStyle.SURVEY: CompanionPalette("clipboard", "#6750A4", "#EADDFF"),
    CompanionStyle.CAPTCHA: CompanionPalette("shield", "#1A73E8", "#E1ECFC"),
    CompanionStyle.ADVERT: CompanionPalette("gift", "#E5342B", "#FFE4DE"),
}
NIGHT_PALETTES: Mapping[CompanionStyle, CompanionPalette] = {
    CompanionStyle.PERMISSION: CompanionPalette("location", "#A8C7FA", "#0842A0"),
    CompanionStyle.BATTERY: CompanionPalette("battery", "#F2B8B5", "#5C1A16"),
    CompanionStyle.NETWORK: CompanionPalette("wifi", "#A8C7FA", "#1B2C4A"),
    CompanionStyle.UPDATE: CompanionPalette("download", "#6DD58C", "#0F3D20"),
    CompanionStyle.CRASH: CompanionPalette("warning", "#F2B8B5", "#5C1A16"),
    CompanionStyle.PROMPT: CompanionPalette("star-filled", "#FFB95C", "#4A2E05"),
    CompanionStyle.NOT_RESPONDING: CompanionPalette("clock", "#FFCF70", "#4A3200"),
    CompanionStyle.STORAGE: CompanionPalette("folder", "#F2B8B5", "#5C1D1B"),
    CompanionStyle.NOTIFICATION: CompanionPalette("bell", "#A8C7FA", "#0A3F91"),
    CompanionStyle.LOGIN: CompanionPalette("person", "#A5C8FF", "#15335F"),
    CompanionStyle.COOKIE: CompanionPalette("cookie", "#80D4D7", "#0B3B3D"),
    CompanionStyle.SURVEY: CompanionPalette("clipboard", "#D0BCFF", "#3B2A66"),
    CompanionStyle.CAPTCHA: CompanionPalette("shield", "#A5C8FF", "#16305A"),
    CompanionStyle.ADVERT: CompanionPalette("gift", "#FFB4A9", "#5A1712"),
}
DAY = Theme("#FFFFFF", "#1F1F1F", "#444746", "#0B57D0", "#041E49", "#C4C7C5")
NIGHT = Theme("#1F2023", "#E3E3E3", "#C4C7C5", "#A8C7FA", "#D3E3FD", "#5E6164")
NO_MARGIN = Insets()
MAX_IN_LINE = 24
"""Letters of button labels that fit side by side."""


KNOB_REST = 0.04
"""Where a slider's knob waits: near the beginning, where all of it can be seen."""


@dataclass(slots=True)
class Entered:
    """What was entered in an interruption so far, and whether its cross can be seen.

    Attributes:
        stars: How many are lit.
        choice: Place of the chosen answer, or -1.
        texts: Of the fields, by their place.
        knob: Place of the slider's knob, 0 to 1.
        closable: Whether the cross is there already.
    """

    stars: int = 0
    choice: int = -1
    texts: dict[int, str] = field(default_factory=dict)
    knob: float = KNOB_REST
    closable: bool = True


@dataclass(frozen=True, slots=True)
class Kit:
    """What everything is built with.

    Attributes:
        spec: What is shown.
        press: Ends it by a key.
        dark: Whether it is night.
        zh: Whether the phone speaks Chinese, for the few words that the specification does not bring.
        entered: What was entered.
        slide: The knob was let go at that place.
        change: Build it anew.
        width, height: Of the screen in dp.
    """

    spec: Spec
    press: Press
    dark: bool = False
    zh: bool = True
    entered: Entered = field(default_factory=Entered)
    slide: Callable[[float], None] = field(default=lambda place: None)
    change: Callable[[], None] = field(default=lambda: None)
    width: float = 411
    height: float = 840

    @property
    def palette(self) -> CompanionPalette:
        """The colours of the style, with the specification's own icon where it names one."""
        palette = (NIGHT_PALETTES if self.dark else PALETTES)[self.spec.style]
        return replace(palette, icon=self.spec.icon) if self.spec.icon else palette

    @property
    def theme(self) -> Theme:
        """The colours of all styles."""
        return NIGHT if self.dark else DAY

    @property
    def low(self) -> bool:
        """Whether the phone lies on its side: pictures are left out."""
        return self.height < LOW_SCREEN

    def t(self, zh: str, en: str) -> str:
        """A text in the phone's language."""
        return zh if self.zh else en


LOW_SCREEN = 480.0
"""Below this height in dp there is no room for pictures."""
_SECONDARY_ROLES = frozenset({"dismiss", "exit", "cancel", "deny", "later"})


def is_secondary(button: SpecButton) -> bool:
    """Whether the button is less prominent than the other one."""
    return button.role in _SECONDARY_ROLES


def badge(
    palette: CompanionPalette,
    size: float,
    *,
    align_self: Align | None = None,
    align_vertical: Align | None = None,
    ground: str = "",
) -> Widget:
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
    kit: Kit,
    *,
    size: float = 22,
    align: Align = Align.START,
    margin: Insets = NO_MARGIN,
    weight: float = 0,
) -> Widget:
    """The heading."""
    return Text(
        id="title",
        text=kit.spec.title,
        size=size,
        bold=True,
        color=kit.theme.ink,
        align=align,
        weight=weight,
        width=WRAP if weight else MATCH,
        margin=margin,
    )


def message(kit: Kit, *, margin: Insets = NO_MARGIN, align: Align = Align.START, size: float = 15) -> Widget:
    """The words below the heading."""
    return Text(
        id="message",
        text=kit.spec.message,
        size=size,
        color=kit.theme.body,
        line_spacing=1.25,
        align=align,
        width=MATCH,
        visible=bool(kit.spec.message),
        margin=margin,
    )


def bar(kit: Kit) -> list[Widget]:
    """The progress bar, where the specification has one."""
    if kit.spec.progress is None:
        return []
    accent = kit.palette.accent
    return [
        ProgressBar(
            id="progress", value=kit.spec.progress, color=accent, width=MATCH, margin=insets(0, 16, 0, 0)
        )
    ]


def button_id(key: str) -> str:
    """The resource id of what ends an interruption with that key."""
    return f"button_{key}"


def faint(kit: Kit) -> str:
    """Background of a less prominent button."""
    return "#2F3034" if kit.dark else "#F1F3F4"


def stacked(kit: Kit) -> list[Widget]:
    """Full-width buttons: those that lead on are filled, the others are quiet."""
    buttons: list[Widget] = []
    for button in kit.spec.buttons:
        quiet = is_secondary(button)
        buttons.append(
            Button(
                id=button_id(button.key),
                text=button.label,
                size=16,
                bold=not quiet,
                color=kit.theme.body if quiet else kit.theme.surface,
                background=faint(kit) if quiet else kit.palette.accent,
                radius=999,
                width=MATCH,
                height=44 if kit.low else 50,
                on_click=partial(kit.press, button.key),
            )
        )
    return buttons
