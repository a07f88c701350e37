"""Draw every interruption in every state on the virtual phone, for people to review."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from PIL import Image

from garabench.core.companion_app import CLOSE_ACTION, PACKAGE
from garabench.core.geometry import Point
from garabench.core.interruption import ButtonForm, Interruption, Mode
from garabench.interruptions.planned_interruption import PlannedInterruption, plan_interruption
from garabench.screens import rtl_texts
from garabench.screens.rtl_texts import RTL_LANGUAGES
from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.apps.catalog import installed_apps
from garabench.virtual.apps.companion.app import SHOW
from garabench.virtual.kit.framework import Intent
from garabench.virtual.ui.scene import PlacedNode

SIZES = ("720x1280", "1080x2400", "1440x3120")
DEFAULT_SIZE = SIZES[1]
LANGUAGES = ("zh", "en")
OTHER_SIZES_LANGUAGE = LANGUAGES[0]
"""The language on screens of other than the default size."""
_BACKGROUND_APP = {"zh": "com.jingdong.app.mall", "en": "com.amazon.mShop.android.shopping"}
_FALLBACK_LANGUAGE = "en"
"""The phone's language for texts in a language that it does not speak."""
_SETTLE_MS = 4000
_LARGE_FONT_SCALE = "1.3"


@dataclass(frozen=True, slots=True)
class GalleryView:
    """The state of the phone in one picture.

    Attributes:
        mode: The mode, which decides which buttons are offered.
        dark: Whether the dark theme is on.
        language: Language of the texts, and of the phone if it speaks it.
        size: Screen size in portrait.
        landscape: Whether the phone is in landscape.
        large_font: Whether the font is enlarged.
        filled_in: Whether inputs are filled in and delayed buttons are shown.
    """

    mode: Mode
    dark: bool = False
    language: str = "zh"
    size: str = DEFAULT_SIZE
    landscape: bool = False
    large_font: bool = False
    filled_in: bool = False

    def __str__(self) -> str:
        words = [self.mode.value, "night" if self.dark else "day", self.language, self.size]
        words += ["landscape"] * self.landscape + ["large font"] * self.large_font
        return ", ".join([*words, *["filled in"] * self.filled_in])


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture of an interruption.

    Attributes:
        interruption: Id of the interruption.
        view: The state of the phone.
        jpeg: The picture, `width` by `height` pixels.
    """

    interruption: str
    view: GalleryView
    jpeg: bytes
    width: int
    height: int


def views(interruption: Interruption) -> tuple[GalleryView, ...]:
    """Return the states to draw: each mode by day and night, and both languages on the default screen size.

    A mode with the same buttons as the other is skipped, and so is the filled-in state if there is nothing to
    fill in. Some interruptions also have right-to-left texts.
    """
    modes = [Mode.DUAL]
    if interruption.offered(Mode.FORCED) != interruption.offered(Mode.DUAL):
        modes.append(Mode.FORCED)
    found = [
        GalleryView(mode, dark, language)
        for mode in modes
        for dark in (False, True)
        for language in LANGUAGES
    ]
    other_sizes = [size for size in SIZES if size != DEFAULT_SIZE]
    found += [
        GalleryView(mode, dark, OTHER_SIZES_LANGUAGE, size)
        for size in other_sizes
        for mode in modes
        for dark in (False, True)
    ]
    found += [GalleryView(modes[0], landscape=True), GalleryView(modes[-1], True, "en", large_font=True)]
    if rtl_texts.has_rtl_texts(interruption):
        arabic, hebrew = RTL_LANGUAGES
        found += [
            GalleryView(modes[0], dark, language) for language in RTL_LANGUAGES for dark in (False, True)
        ]
        found += [GalleryView(modes[0], False, arabic, size) for size in other_sizes]
        found += [
            GalleryView(modes[0], False, arabic, landscape=True),
            GalleryView(modes[0], False, hebrew, large_font=True),
        ]
    delayed = any(button.after for button in interruption.buttons)
    slides = any(button.form is ButtonForm.SLIDER for button in interruption.buttons)
    if delayed or slides or interruption.stars is not None or interruption.choices or interruption.fields:
        found.append(GalleryView(modes[0], filled_in=True))
    return tuple(found)


def shots(
    interruptions: Sequence[Interruption], *, width: int = 270, sizes: Sequence[str] = SIZES
) -> Iterator[Shot]:
    """Take all pictures, one phone after the other.

    Args:
        interruptions: The interruptions to draw.
        width: Width of a picture in portrait, in pixels.
        sizes: Screen sizes.
    """
    for size in sizes:
        for language in (*LANGUAGES, *RTL_LANGUAGES):
            requested = [
                (each, view)
                for each in interruptions
                for view in views(each)
                if (view.size, view.language) == (size, language)
            ]
            if requested:
                yield from _shots_on_phone(size, language, requested, width)


def _shots_on_phone(
    size: str, language: str, requested: Sequence[tuple[Interruption, GalleryView]], width: int
) -> Iterator[Shot]:
    phone_language = language if language in LANGUAGES else _FALLBACK_LANGUAGE
    phone = Phone(Profile.parse(f"android-34:{size}"), apps=installed_apps(), lang=phone_language)
    app = next(app for app in installed_apps() if app.package == _BACKGROUND_APP[phone_language])
    phone.activities.start(Intent(package=app.package, activity=app.launcher))
    phone.clock.advance(_SETTLE_MS)
    requested = sorted(requested, key=lambda each: (each[1].dark, each[1].landscape, each[1].large_font))
    for interruption, view in requested:
        yield _shot(phone, app.package, interruption, view, width)


def _shot(phone: Phone, app: str, interruption: Interruption, view: GalleryView, width: int) -> Shot:
    settings = phone.settings
    settings.put("secure", "ui_night_mode", "2" if view.dark else "1")
    settings.put("system", "accelerometer_rotation", "0")
    settings.put("system", "user_rotation", "1" if view.landscape else "0")
    settings.put("system", "font_scale", _LARGE_FONT_SCALE if view.large_font else "1.0")
    localized = rtl_texts.with_rtl_texts(interruption, view.language)
    planned = plan_interruption(localized, view.mode, app=app, language=view.language, token="gallery")  # noqa: S106
    phone.activities.start(show_intent(planned))
    phone.clock.advance(500)
    if view.filled_in:
        _fill_in(phone, interruption)
    image = phone.frame().image
    phone.broadcast(CLOSE_ACTION, {}, PACKAGE)
    height = round(image.height * width / image.width)
    if view.landscape:
        height, width = width, round(image.width * width / image.height)
    small = image.resize((width, height), Image.Resampling.LANCZOS)
    buffer = io.BytesIO()
    small.save(buffer, "JPEG", quality=82, optimize=True)
    return Shot(interruption.id, view, buffer.getvalue(), width, height)


def show_intent(planned: PlannedInterruption) -> Intent:
    """Return the intent that shows an interruption, as ``am start`` would send it."""
    extras: dict[str, Any] = dict(planned.extras)
    return Intent(package=PACKAGE, activity=SHOW, extras=extras)


def _fill_in(phone: Phone, interruption: Interruption) -> None:
    """Fill in every input, and wait for delayed buttons."""
    for name in ("star_4", "choice_2"):
        node = node_of(phone, name)
        if node is not None:
            phone.input.tap(*_center(node))
    for index in range(len(interruption.fields)):
        node = node_of(phone, f"field_{index + 1}")
        if node is not None:
            phone.input.tap(*_center(node))
            phone.input.text("13800138000" if index == 0 else "1234")
    slider = node_of(phone, "slider")
    if slider is not None:
        bounds, y = slider.bounds, slider.bounds.center.y
        phone.input.swipe(bounds.left + 1, y, bounds.left + bounds.width // 3, y, 300)
    phone.clock.advance(1000 * max((button.after for button in interruption.buttons), default=0))


def node_of(phone: Phone, name: str) -> PlacedNode | None:
    """Return the node with this id of the companion app, or None if it is not on screen."""
    requested = f"{PACKAGE}:id/{name}"
    nodes = (node for window in phone.scene().windows for node in window.root.walk())
    return next((node for node in nodes if node.resource_id == requested), None)


def _center(node: PlacedNode) -> tuple[int, int]:
    at: Point = node.bounds.center
    return at.x, at.y
