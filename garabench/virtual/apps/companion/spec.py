"""The specification of a window, parsed from the intent's ``spec`` extra: Base64 of a JSON object.

For example::

    {"v": 1, "template": "dialog", "style": "battery", "title": "…", "message": "…",
     "buttons": [{"key": "accept", "label": "…", "role": "accept"}], "progress": null, "cancelable": false}

Optional elements::

    "icon": "bell", "picture": "coupon", "note": "small print",
    "close": {"key": "close", "after": 5, "size": "small", "label": "Close"},
    "link": {"key": "link", "label": "…"}, "stars": 0, "choices": ["…", "…"],
    "fields": [{"hint": "…", "password": false}],
    "slider": {"key": "solved", "gap": 0.6, "label": "…"}

Pressing the close button or the link ends the window like a button, and so does releasing the slider's knob
at the gap. An invalid specification raises a `SpecError` whose message is the reported reason.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from garabench.virtual.kit.intent_payload import IntentPayloadError, decode_payload

MAX_TITLE = 200
MAX_MESSAGE = 2000
MAX_LABEL = 60
MAX_BUTTONS = 6
MAX_NOTE = 500
MAX_FIELDS = 3
MAX_CHOICES = 6
MAX_STARS = 5
MAX_AFTER_S = 60
MAX_ACTIONS = 3
"""Android shows at most this many buttons in a notification."""
MAX_SECONDS = 600
OPEN = "open"
"""The key reported for a tap on a notification outside its buttons."""
MIN_GAP, MAX_GAP = 0.2, 0.95
ICONS = frozenset({"bell", "folder", "star", "shield", "crown", "download", "wifi", "location"})
PICTURES = frozenset({"coupon", "gift", "game", "travel"})

E = TypeVar("E", bound=enum.StrEnum)

_KEY = re.compile(r"[a-z][a-z0-9_-]{0,31}")
_BASE = {"v", "template", "style", "icon", "title", "message", "buttons", "progress", "cancelable"}
_FIELDS = _BASE | {"picture", "note", "close", "link", "stars", "choices", "fields", "slider"}

_HEADS_UP_FIELDS = {"v", "title", "message", "buttons", "seconds"}


class SpecError(ValueError):
    """An invalid specification; the message is a short reason in kebab case."""


class Template(enum.StrEnum):
    """The shape of the window."""

    DIALOG = "dialog"
    FULL_SCREEN = "full-screen"
    BOTTOM_SHEET = "bottom-sheet"


class CompanionStyle(enum.StrEnum):
    """The kind of dialog that the window imitates."""

    PERMISSION = "permission"
    BATTERY = "battery"
    NETWORK = "network"
    UPDATE = "update"
    CRASH = "crash"
    PROMPT = "prompt"
    NOT_RESPONDING = "not-responding"
    STORAGE = "storage"
    NOTIFICATION = "notification"
    LOGIN = "login"
    COOKIE = "cookie"
    SURVEY = "survey"
    CAPTCHA = "captcha"
    ADVERT = "advert"


@dataclass(frozen=True, slots=True)
class SpecButton:
    """A button: `key` identifies it in events, `role` decides how prominent it is."""

    key: str
    label: str
    role: str


@dataclass(frozen=True, slots=True)
class SpecClose:
    """A close button in the window's upper corner, visible `after` that many seconds."""

    key: str
    after: int = 0
    small: bool = False
    label: str = ""


@dataclass(frozen=True, slots=True)
class SpecLink:
    """A text link."""

    key: str
    label: str


@dataclass(frozen=True, slots=True)
class SpecField:
    """A text field; what the user types is never reported."""

    hint: str
    password: bool = False


@dataclass(frozen=True, slots=True)
class SpecSlider:
    """A slider puzzle: it is solved by releasing the knob near the `gap`, at a position from 0 to 1."""

    key: str
    gap: float
    label: str


@dataclass(frozen=True, slots=True)
class Spec:
    """The specification of a window.

    Attributes:
        icon: Name of an icon; empty for the style's own.
        progress: From 0 to 1, or None for no progress bar.
        cancelable: Whether Back closes the window; otherwise the interruption is forced.
        picture: Name of an illustration, or empty.
        note: Small print, or empty.
        close, link, slider: Other elements that end the window, or None.
        stars: How many of the five stars are lit initially, or None for no stars.
        choices: Labels of the choices, of which one can be selected.
        fields: Text fields.
    """

    template: Template
    style: CompanionStyle
    title: str
    message: str
    buttons: tuple[SpecButton, ...]
    progress: float | None = None
    cancelable: bool = False
    icon: str = ""
    picture: str = ""
    note: str = ""
    close: SpecClose | None = None
    link: SpecLink | None = None
    slider: SpecSlider | None = None
    stars: int | None = None
    choices: tuple[str, ...] = ()
    fields: tuple[SpecField, ...] = ()


def parse(encoded: object) -> Spec:
    """Parse a specification.

    Args:
        encoded: The intent's ``spec`` extra, of any type.

    Raises:
        SpecError: It is missing or invalid.
    """
    try:
        return _spec(decode_payload(encoded))
    except IntentPayloadError as error:
        raise SpecError(str(error)) from error


def _spec(value: Mapping[str, Any]) -> Spec:
    if value.keys() - _FIELDS:
        raise SpecError("unknown-field")
    cancelable = value.get("cancelable", False)
    if not isinstance(cancelable, bool):
        raise SpecError("bad-cancelable")
    spec = Spec(
        template=_member(Template, value.get("template"), "bad-template"),
        style=_member(CompanionStyle, value.get("style"), "bad-style"),
        title=_text(value.get("title"), MAX_TITLE, "bad-title"),
        message=_text(value.get("message", ""), MAX_MESSAGE, "bad-message", empty=True),
        buttons=_buttons(value.get("buttons")),
        progress=_progress(value.get("progress")),
        cancelable=cancelable,
        icon=_name(value.get("icon", ""), ICONS, "bad-icon"),
        picture=_name(value.get("picture", ""), PICTURES, "bad-picture"),
        note=_text(value.get("note", ""), MAX_NOTE, "bad-note", empty=True),
        close=_close(value.get("close")),
        link=_link(value.get("link")),
        slider=_slider(value.get("slider")),
        stars=_stars(value.get("stars")),
        choices=_choices(value.get("choices", [])),
        fields=_fields(value.get("fields", [])),
    )
    keys = [each.key for each in (*spec.buttons, spec.close, spec.link, spec.slider) if each is not None]
    if len(set(keys)) != len(keys):
        raise SpecError("bad-keys")
    return spec


@dataclass(frozen=True, slots=True)
class HeadsUpSpec:
    """The specification of a heads-up notification.

    Attributes:
        buttons: At most three; a tap outside them is reported with the key ``open``.
        seconds: How long the notification lasts, at the top of the screen and in the shade.
    """

    title: str
    message: str
    buttons: tuple[SpecButton, ...]
    seconds: int = MAX_SECONDS


def parse_heads_up(encoded: object) -> HeadsUpSpec:
    """Parse the specification of a heads-up notification.

    Args:
        encoded: The intent's ``spec`` extra, of any type.

    Raises:
        SpecError: It is missing or invalid.
    """
    try:
        value = decode_payload(encoded)
    except IntentPayloadError as error:
        raise SpecError(str(error)) from error
    if value.keys() - _HEADS_UP_FIELDS:
        raise SpecError("unknown-field")
    spec = HeadsUpSpec(
        title=_text(value.get("title"), MAX_TITLE, "bad-title"),
        message=_text(value.get("message", ""), MAX_MESSAGE, "bad-message", empty=True),
        buttons=_buttons(value.get("buttons", []), 0, MAX_ACTIONS),
        seconds=_integer(value.get("seconds", MAX_SECONDS), MAX_SECONDS, "bad-seconds"),
    )
    if spec.seconds == 0:
        raise SpecError("bad-seconds")
    if OPEN in {button.key for button in spec.buttons}:
        raise SpecError("bad-keys")
    return spec


def _name(value: Any, names: frozenset[str], reason: str) -> str:
    if not isinstance(value, str) or (value and value not in names):
        raise SpecError(reason)
    return value


def _object(value: Any, fields: set[str], reason: str) -> Mapping[str, Any]:
    if not isinstance(value, dict) or value.keys() - fields:
        raise SpecError(reason)
    return value


def _key(value: Any, reason: str) -> str:
    if not isinstance(value, str) or not _KEY.fullmatch(value):
        raise SpecError(reason)
    return value


def _integer(value: Any, maximum: int, reason: str) -> int:
    if type(value) is not int or not 0 <= value <= maximum:
        raise SpecError(reason)
    return value


def _close(value: Any) -> SpecClose | None:
    if value is None:
        return None
    given = _object(value, {"key", "after", "size", "label"}, "bad-close")
    size = given.get("size", "usual")
    if size not in ("usual", "small"):
        raise SpecError("bad-close")
    return SpecClose(
        key=_key(given.get("key"), "bad-close"),
        after=_integer(given.get("after", 0), MAX_AFTER_S, "bad-close"),
        small=size == "small",
        label=_text(given.get("label", ""), MAX_LABEL, "bad-close", empty=True),
    )


def _link(value: Any) -> SpecLink | None:
    if value is None:
        return None
    given = _object(value, {"key", "label"}, "bad-link")
    return SpecLink(_key(given.get("key"), "bad-link"), _text(given.get("label"), MAX_LABEL, "bad-link"))


def _slider(value: Any) -> SpecSlider | None:
    if value is None:
        return None
    given = _object(value, {"key", "gap", "label"}, "bad-slider")
    gap = given.get("gap")
    if isinstance(gap, bool) or not isinstance(gap, int | float) or not MIN_GAP <= gap <= MAX_GAP:
        raise SpecError("bad-slider")
    label = _text(given.get("label"), MAX_LABEL, "bad-slider")
    return SpecSlider(_key(given.get("key"), "bad-slider"), float(gap), label)


def _stars(value: Any) -> int | None:
    return None if value is None else _integer(value, MAX_STARS, "bad-stars")


def _choices(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > MAX_CHOICES:
        raise SpecError("bad-choices")
    return tuple(_text(each, MAX_LABEL, "bad-choices") for each in value)


def _fields(value: Any) -> tuple[SpecField, ...]:
    if not isinstance(value, list) or len(value) > MAX_FIELDS:
        raise SpecError("bad-fields")
    return tuple(_field(each) for each in value)


def _field(value: Any) -> SpecField:
    given = _object(value, {"hint", "password"}, "bad-fields")
    password = given.get("password", False)
    if not isinstance(password, bool):
        raise SpecError("bad-fields")
    return SpecField(_text(given.get("hint"), MAX_LABEL, "bad-fields"), password)


def _member(kind: type[E], value: Any, reason: str) -> E:
    if isinstance(value, str):
        for member in kind:
            if member.value == value:
                return member
    raise SpecError(reason)


def _text(value: Any, max_length: int, reason: str, *, empty: bool = False) -> str:
    if not isinstance(value, str) or len(value) > max_length or not (empty or value.strip()):
        raise SpecError(reason)
    return value


def _progress(value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise SpecError("bad-progress")
    return float(value)


def _buttons(value: Any, minimum: int = 1, maximum: int = MAX_BUTTONS) -> tuple[SpecButton, ...]:
    if not isinstance(value, list) or not minimum <= len(value) <= maximum:
        raise SpecError("bad-buttons")
    buttons = tuple(_button(each) for each in value)
    if len({button.key for button in buttons}) != len(buttons):
        raise SpecError("bad-buttons")
    return buttons


def _button(value: Any) -> SpecButton:
    if not isinstance(value, Mapping) or value.keys() - {"key", "label", "role"}:
        raise SpecError("bad-buttons")
    key, role = value.get("key"), value.get("role", "")
    if not isinstance(key, str) or not _KEY.fullmatch(key) or not isinstance(role, str):
        raise SpecError("bad-buttons")
    return SpecButton(key, _text(value.get("label"), MAX_LABEL, "bad-buttons"), role[:32])
