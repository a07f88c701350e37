"""Pictures of every interruption in every state, by the virtual phone, for people to look at."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from PIL import Image

from garabench.campaign import gallery_texts
from garabench.campaign.gallery_texts import FROM_THE_RIGHT
from garabench.core.geometry import Point
from garabench.core.interruption import Form, Interruption, Mode
from garabench.interruptions.plan import CLOSE_ACTION, PACKAGE, Planned, plan
from garabench.virtual.apps.catalog import installed_apps
from garabench.virtual.apps.companion.app import SHOW
from garabench.virtual.apps.framework import Intent
from garabench.virtual.os.phone import Phone
from garabench.virtual.os.profile import Profile
from garabench.virtual.ui.scene import LaidNode

SIZES = ("720x1280", "1080x2400", "1440x3120")
USUAL = SIZES[1]
LANGUAGES = ("zh", "en")
ELSEWHERE = LANGUAGES[0]
"""The language on the sizes that are not the usual one."""
_BEHIND = {"zh": "com.jingdong.app.mall", "en": "com.amazon.mShop.android.shopping"}
_OTHERWISE = "en"
"""The phone's language where the texts are in one that it does not speak."""
_SETTLED_MS = 4000
_LARGE = "1.3"


@dataclass(frozen=True, slots=True)
class View:
    """How a phone is when a picture of it is taken.

    Attributes:
        mode: Which buttons are offered.
        dark: Whether it is night.
        language: Of the texts, and of the phone where it speaks it.
        size: Of the screen, upright.
        turned: Whether it lies on its side.
        large: Whether letters are larger.
        entered: Whether something was entered, and what comes late is there.
    """

    mode: Mode
    dark: bool = False
    language: str = "zh"
    size: str = USUAL
    turned: bool = False
    large: bool = False
    entered: bool = False

    def __str__(self) -> str:
        words = [self.mode.value, "night" if self.dark else "day", self.language, self.size]
        words += ["landscape"] * self.turned + ["large letters"] * self.large
        return ", ".join([*words, *["filled in"] * self.entered])


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture.

    Attributes:
        interruption: Its id.
        view: How the phone was.
        jpeg: The picture, `width` by `height` pixels.
    """

    interruption: str
    view: View
    jpeg: bytes
    width: int
    height: int


def views(interruption: Interruption) -> tuple[View, ...]:
    """How an interruption is shown: in its modes by day and night, on the usual screen in both languages.

    A mode that offers what the other does is left out, and so is what is entered where nothing can be. Some
    have texts that are read from the right, too.
    """
    modes = [Mode.DUAL]
    if interruption.offered(Mode.FORCED) != interruption.offered(Mode.DUAL):
        modes.append(Mode.FORCED)
    found = [View(mode, dark, language) for mode in modes for dark in (False, True) for language in LANGUAGES]
    others = [size for size in SIZES if size != USUAL]
    found += [
        View(mode, dark, ELSEWHERE, size) for size in others for mode in modes for dark in (False, True)
    ]
    found += [View(modes[0], turned=True), View(modes[-1], True, "en", large=True)]
    if gallery_texts.has(interruption):
        arabic, hebrew = FROM_THE_RIGHT
        found += [View(modes[0], dark, language) for language in FROM_THE_RIGHT for dark in (False, True)]
        found += [View(modes[0], False, arabic, size) for size in others]
        found += [View(modes[0], False, arabic, turned=True), View(modes[0], False, hebrew, large=True)]
    late = any(button.after for button in interruption.buttons)
    slides = any(button.form is Form.SLIDER for button in interruption.buttons)
    if late or slides or interruption.stars is not None or interruption.choices or interruption.fields:
        found.append(View(modes[0], entered=True))
    return tuple(found)


def shots(
    interruptions: Sequence[Interruption], *, width: int = 270, sizes: Sequence[str] = SIZES
) -> Iterator[Shot]:
    """Take all pictures, one phone after the other.

    Args:
        interruptions: Of which.
        width: Of an upright picture, in pixels.
        sizes: Of screens.
    """
    for size in sizes:
        for language in (*LANGUAGES, *FROM_THE_RIGHT):
            wanted = [
                (each, view)
                for each in interruptions
                for view in views(each)
                if (view.size, view.language) == (size, language)
            ]
            if wanted:
                yield from _of_phone(size, language, wanted, width)


def _of_phone(
    size: str, language: str, wanted: Sequence[tuple[Interruption, View]], width: int
) -> Iterator[Shot]:
    speaks = language if language in LANGUAGES else _OTHERWISE
    phone = Phone(Profile.parse(f"android-34:{size}"), apps=installed_apps(), lang=speaks)
    app = next(app for app in installed_apps() if app.package == _BEHIND[speaks])
    phone.activities.start(Intent(package=app.package, activity=app.launcher))
    phone.clock.advance(_SETTLED_MS)
    wanted = sorted(wanted, key=lambda each: (each[1].dark, each[1].turned, each[1].large))
    for interruption, view in wanted:
        yield _shot(phone, app.package, interruption, view, width)


def _shot(phone: Phone, app: str, interruption: Interruption, view: View, width: int) -> Shot:
    settings = phone.settings
    settings.put("secure", "ui_night_mode", "2" if view.dark else "1")
    settings.put("system", "accelerometer_rotation", "0")
    settings.put("system", "user_rotation", "1" if view.turned else "0")
    settings.put("system", "font_scale", _LARGE if view.large else "1.0")
    told = gallery_texts.said(interruption, view.language)
    planned = plan(told, view.mode, app=app, language=view.language, token="gallery")  # noqa: S106
    phone.activities.start(show_intent(planned))
    phone.clock.advance(500)
    if view.entered:
        _enter(phone, interruption)
    image = phone.frame().image
    phone.broadcast(CLOSE_ACTION, {}, PACKAGE)
    high = round(image.height * width / image.width)
    if view.turned:
        high, width = width, round(image.width * width / image.height)
    small = image.resize((width, high), Image.Resampling.LANCZOS)
    buffer = io.BytesIO()
    small.save(buffer, "JPEG", quality=82, optimize=True)
    return Shot(interruption.id, view, buffer.getvalue(), width, high)


def show_intent(planned: Planned) -> Intent:
    """The intent that shows an interruption, as ``am start`` sends it."""
    extras: dict[str, Any] = dict(planned.extras)
    return Intent(package=PACKAGE, activity=SHOW, extras=extras)


def _enter(phone: Phone, interruption: Interruption) -> None:
    """Fill in what can be filled in, and wait for what comes late."""
    for name in ("star_4", "choice_2"):
        node = node_of(phone, name)
        if node is not None:
            phone.input.tap(*_middle(node))
    for place in range(len(interruption.fields)):
        node = node_of(phone, f"field_{place + 1}")
        if node is not None:
            phone.input.tap(*_middle(node))
            phone.input.text("13800138000" if place == 0 else "1234")
    slider = node_of(phone, "slider")
    if slider is not None:
        bounds, y = slider.bounds, slider.bounds.center.y
        phone.input.swipe(bounds.left + 1, y, bounds.left + bounds.width // 3, y, 300)
    phone.clock.advance(1000 * max((button.after for button in interruption.buttons), default=0))


def node_of(phone: Phone, name: str) -> LaidNode | None:
    """The node of the companion app's id on the screen, or None."""
    wanted = f"{PACKAGE}:id/{name}"
    nodes = (node for window in phone.scene().windows for node in window.root.walk())
    return next((node for node in nodes if node.resource_id == wanted), None)


def _middle(node: LaidNode) -> tuple[int, int]:
    at: Point = node.bounds.center
    return at.x, at.y
