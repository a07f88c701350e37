"""What an interruption shows: the specification that comes with the intent, checked.

It is base64 of a JSON object::

    {"v": 1, "template": "dialog", "style": "battery", "title": "…", "message": "…",
     "buttons": [{"key": "accept", "label": "…", "role": "accept"}], "progress": null, "cancelable": false}

Whatever is wrong with it ends in a `SpecError` whose message is the reason that is logged.
"""

from __future__ import annotations

import base64
import binascii
import enum
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

MAX_ENCODED = 64 * 1024
MAX_TITLE = 200
MAX_MESSAGE = 2000
MAX_LABEL = 60
MAX_BUTTONS = 6
ICONS = frozenset({"bell", "folder", "star", "shield", "crown", "download", "wifi", "location"})

E = TypeVar("E", bound=enum.StrEnum)

_KEY = re.compile(r"[a-z][a-z0-9_-]{0,31}")
_KNOWN = {"v", "template", "style", "icon", "title", "message", "buttons", "progress", "cancelable"}


class SpecError(ValueError):
    """A specification that cannot be shown; the message is a short reason in kebab case."""


class Template(enum.StrEnum):
    """The shape of the window."""

    DIALOG = "dialog"
    FULL_SCREEN = "full-screen"
    BOTTOM_SHEET = "bottom-sheet"


class Style(enum.StrEnum):
    """Whose dialog it looks like."""

    PERMISSION = "permission"
    BATTERY = "battery"
    NETWORK = "network"
    UPDATE = "update"
    CRASH = "crash"
    PROMPT = "prompt"


@dataclass(frozen=True, slots=True)
class SpecButton:
    """A button: `key` names it in the log, `role` decides how prominent it looks."""

    key: str
    label: str
    role: str


@dataclass(frozen=True, slots=True)
class Spec:
    """A whole interruption.

    Attributes:
        icon: What the picture shows; empty for the style's own.
        progress: 0 to 1, or None for no bar.
        cancelable: Whether back leaves it; without it the interruption is forced.
    """

    template: Template
    style: Style
    title: str
    message: str
    buttons: tuple[SpecButton, ...]
    progress: float | None = None
    cancelable: bool = False
    icon: str = ""


def parse(encoded: object) -> Spec:
    """Read a specification.

    Args:
        encoded: The intent's ``spec`` extra, whatever type it has.

    Raises:
        SpecError: It is missing or wrong.
    """
    if not isinstance(encoded, str) or not encoded:
        raise SpecError("missing-spec")
    if len(encoded) > MAX_ENCODED:
        raise SpecError("spec-too-long")
    try:
        raw = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError) as error:
        raise SpecError("bad-base64") from error
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise SpecError("bad-json") from error
    return _spec(value)


def _spec(value: Any) -> Spec:
    if not isinstance(value, dict):
        raise SpecError("bad-json")
    version = value.get("v")
    if type(version) is not int or version != 1:  # True is no version
        raise SpecError("bad-version")
    if value.keys() - _KNOWN:
        raise SpecError("unknown-field")
    cancelable = value.get("cancelable", False)
    if not isinstance(cancelable, bool):
        raise SpecError("bad-cancelable")
    return Spec(
        template=_member(Template, value.get("template"), "bad-template"),
        style=_member(Style, value.get("style"), "bad-style"),
        title=_text(value.get("title"), MAX_TITLE, "bad-title"),
        message=_text(value.get("message", ""), MAX_MESSAGE, "bad-message", empty=True),
        buttons=_buttons(value.get("buttons")),
        progress=_progress(value.get("progress")),
        cancelable=cancelable,
        icon=_icon(value.get("icon", "")),
    )


def _icon(value: Any) -> str:
    if not isinstance(value, str) or (value and value not in ICONS):
        raise SpecError("bad-icon")
    return value


def _member(kind: type[E], value: Any, reason: str) -> E:
    if isinstance(value, str):
        for member in kind:
            if member.value == value:
                return member
    raise SpecError(reason)


def _text(value: Any, longest: int, reason: str, *, empty: bool = False) -> str:
    if not isinstance(value, str) or len(value) > longest or not (empty or value.strip()):
        raise SpecError(reason)
    return value


def _progress(value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise SpecError("bad-progress")
    return float(value)


def _buttons(value: Any) -> tuple[SpecButton, ...]:
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_BUTTONS:
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
