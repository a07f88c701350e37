"""Creates the views that all windows share: icon, texts, progress bar, buttons."""

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
    """Icon and colours of one style: `accent` for buttons and the icon, `tint` behind the icon."""

    icon: str
    accent: str
    tint: str


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours that all styles share, for the light or dark theme, named like the app's resources."""

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
MAX_ROW_CHARACTERS = 24
"""Characters of all button labels up to which the buttons are placed in a row."""


REST_POSITION = 0.04
"""Initial position of a slider's knob: near the start, where the whole knob is visible."""


@dataclass(slots=True)
class InputState:
    """What the user has entered in a window so far.

    Attributes:
        stars: Number of lit stars.
        choice: Index of the selected choice, or -1.
        texts: Texts of the fields, by index.
        knob: Position of the slider's knob, from 0 to 1.
        closable: Whether the close button is visible already.
    """

    stars: int = 0
    choice: int = -1
    texts: dict[int, str] = field(default_factory=dict)
    knob: float = REST_POSITION
    closable: bool = True


@dataclass(frozen=True, slots=True)
class ViewContext:
    """What the views of a window depend on.

    Attributes:
        spec: The window's specification.
        on_press: Called with the key of a pressed button.
        dark: Whether the dark theme is on.
        zh: Whether the phone's language is Chinese, for the few texts that are not in the specification.
        input: What the user has entered.
        on_slide: Called with the position at which the slider's knob is released.
        on_change: Called when the window must be rebuilt.
        width, height: Size of the screen in dp.
    """

    spec: Spec
    on_press: Press
    dark: bool = False
    zh: bool = True
    input: InputState = field(default_factory=InputState)
    on_slide: Callable[[float], None] = field(default=lambda position: None)
    on_change: Callable[[], None] = field(default=lambda: None)
    width: float = 411
    height: float = 840

    @property
    def palette(self) -> CompanionPalette:
        """The colours of the style, with the icon of the specification if it has one."""
        palette = (NIGHT_PALETTES if self.dark else PALETTES)[self.spec.style]
        return replace(palette, icon=self.spec.icon) if self.spec.icon else palette

    @property
    def theme(self) -> Theme:
        """The colours that all styles share."""
        return NIGHT if self.dark else DAY

    @property
    def compact_height(self) -> bool:
        """Whether the screen is so low, as in landscape, that pictures are left out."""
        return self.height < COMPACT_HEIGHT

    def t(self, zh: str, en: str) -> str:
        """Return the text in the phone's language."""
        return zh if self.zh else en


COMPACT_HEIGHT = 480.0
"""Screen height in dp below which pictures are left out."""
_SECONDARY_ROLES = frozenset({"dismiss", "exit", "cancel", "deny", "later"})


def is_secondary(button: SpecButton) -> bool:
    """Whether the button is less prominent than the primary one."""
    return button.role in _SECONDARY_ROLES


def badge(
    palette: CompanionPalette,
    size: float,
    *,
    align_self: Align | None = None,
    align_vertical: Align | None = None,
    background: str = "",
) -> Widget:
    """Return the style's icon on a circle with a diameter of `size` dp."""
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
        background=background or palette.tint,
        align_self=align_self,
        align_vertical=align_vertical,
    )


def title(
    context: ViewContext,
    *,
    size: float = 22,
    align: Align = Align.START,
    margin: Insets = NO_MARGIN,
    weight: float = 0,
) -> Widget:
    """Return the view of the title."""
    return Text(
        id="title",
        text=context.spec.title,
        size=size,
        bold=True,
        color=context.theme.ink,
        align=align,
        weight=weight,
        width=WRAP if weight else MATCH,
        margin=margin,
    )


def message(
    context: ViewContext, *, margin: Insets = NO_MARGIN, align: Align = Align.START, size: float = 15
) -> Widget:
    """Return the view of the message."""
    return Text(
        id="message",
        text=context.spec.message,
        size=size,
        color=context.theme.body,
        line_spacing=1.25,
        align=align,
        width=MATCH,
        visible=bool(context.spec.message),
        margin=margin,
    )


def progress_bar(context: ViewContext) -> list[Widget]:
    """Return the progress bar if the specification has one."""
    if context.spec.progress is None:
        return []
    accent = context.palette.accent
    return [
        ProgressBar(
            id="progress", value=context.spec.progress, color=accent, width=MATCH, margin=insets(0, 16, 0, 0)
        )
    ]


def button_id(key: str) -> str:
    """Return the resource id of the button with that key."""
    return f"button_{key}"


def faint(context: ViewContext) -> str:
    """Return the background colour of secondary buttons and text fields."""
    return "#2F3034" if context.dark else "#F1F3F4"


def stacked_buttons(context: ViewContext) -> list[Widget]:
    """Return full-width buttons: secondary ones are grey, the others have the accent colour."""
    buttons: list[Widget] = []
    for button in context.spec.buttons:
        secondary = is_secondary(button)
        buttons.append(
            Button(
                id=button_id(button.key),
                text=button.label,
                size=16,
                bold=not secondary,
                color=context.theme.body if secondary else context.theme.surface,
                background=faint(context) if secondary else context.palette.accent,
                radius=999,
                width=MATCH,
                height=44 if context.compact_height else 50,
                on_click=partial(context.on_press, button.key),
            )
        )
    return buttons
