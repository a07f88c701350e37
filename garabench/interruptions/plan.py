"""Plan an interruption as values: what the companion app is told, and what a button's press leads to.

Nothing here touches a device. The task's app comes in as an argument and is the only app that a follow-up
can act on; no package is a constant of the library.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from garabench.core.interruption import Button, Form, Interruption, Mode
from garabench.core.names import Texts
from garabench.core.seeds import derive
from garabench.core.steps import DeviceStep

PACKAGE = "org.garabench.interruptions"
LOG_TAG = "GaraBench"
SHOW = f"{PACKAGE}/{PACKAGE}.Show"
PROGRESS = f"{PACKAGE}/{PACKAGE}.Progress"
COMMANDS = f"{PACKAGE}/{PACKAGE}.Commands"
CLOSE_ACTION = f"{PACKAGE}.CLOSE"
CLOSE = ("am", "broadcast", "-a", CLOSE_ACTION, "-n", COMMANDS)
"""Ends whatever the companion app shows; it names the receiver, as Android 8 and newer ask for."""
STATE = ("am", "broadcast", "-a", f"{PACKAGE}.STATE", "-n", COMMANDS)
"""Asks it what it shows."""
NOTIFY = ("am", "broadcast", "--include-stopped-packages", "-a", f"{PACKAGE}.NOTIFY")
"""Has it show by a notification what its window would; without the receiver and the extras."""
HEADS_UP = ("am", "broadcast", "--include-stopped-packages", "-a", f"{PACKAGE}.HEADS_UP")
"""Has it post a notification at the top of the screen; without the receiver and the extras."""
HEADS_UP_SDK = 21
"""The first Android that shows notifications at the top of the screen."""
PERMISSION, PERMISSION_SDK = "android.permission.POST_NOTIFICATIONS", 33
"""What a notification needs, since Android 13."""
FULL_SCREEN_OP, FULL_SCREEN_SDK = "USE_FULL_SCREEN_INTENT", 34
"""The app-op that a full-screen intent needs, since Android 14."""
SPEC_VERSION = 1


@dataclass(frozen=True, slots=True)
class Planned:
    """One injection.

    Attributes:
        interruption: What is injected.
        mode: Which buttons are offered.
        app: The task's app, which follow-ups act on.
        language: Of the texts.
        token: A nonce that tells this injection's events from all others.
        texts: What the screen will show: the title and the labels, for finding it on the tree.
    """

    interruption: Interruption
    mode: Mode
    app: str
    language: str
    token: str
    texts: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        shown = (self.interruption.title, *(button.label for button in self.buttons))
        object.__setattr__(self, "texts", tuple(text_in(texts, self.language) for texts in shown))

    @property
    def name(self) -> str:
        """The interruption's name."""
        return self.interruption.id

    @property
    def category(self) -> str:
        """What kind of anomaly it is."""
        return self.interruption.category.value

    @property
    def severity(self) -> str:
        """How far it keeps an agent from going on."""
        return self.interruption.severity.value

    @property
    def buttons(self) -> tuple[Button, ...]:
        """The buttons that are offered."""
        return self.interruption.offered(self.mode)

    def button(self, key: str) -> Button | None:
        """The offered button of that key, or None."""
        return next((button for button in self.buttons if button.key == key), None)

    @property
    def spec(self) -> Mapping[str, object]:
        """What the companion app is told, JSON-like."""
        what, lang = self.interruption, self.language
        spec: dict[str, object] = {
            "v": SPEC_VERSION,
            "template": what.template,
            "style": what.style.value,
            "icon": what.icon,
            "title": text_in(what.title, lang),
            "message": text_in(what.message, lang),
            "buttons": [
                {"key": b.key, "label": text_in(b.label, lang), "role": b.role.value}
                for b in self.buttons
                if b.form is Form.BUTTON
            ],
            "cancelable": what.cancelable and self.mode is Mode.DUAL,
        }
        if what.picture:
            spec["picture"] = what.picture
        if what.note:
            spec["note"] = text_in(what.note, lang)
        if what.stars is not None:
            spec["stars"] = what.stars
        if what.choices:
            spec["choices"] = [text_in(each, lang) for each in what.choices]
        if what.fields:
            spec["fields"] = [
                {"hint": text_in(each.hint, lang), "password": each.password} for each in what.fields
            ]
        return spec | {_PLACES[b.form]: _other(b, lang) for b in self.buttons if b.form in _PLACES}

    @property
    def extras(self) -> Mapping[str, str]:
        """The extras of the intent that shows it."""
        return {"spec": encode_spec(self.spec), "token": self.token}

    def follow_up(self, key: str) -> tuple[DeviceStep, ...]:
        """The second stage of a button; empty for an unknown one."""
        button = self.button(key)
        return button.follow_up if button else ()


_PLACES = {Form.CROSS: "close", Form.LINK: "link", Form.SLIDER: "slider"}
"""Where the specification has what is pressed and is no button."""


def _other(button: Button, language: str) -> dict[str, object]:
    given: dict[str, object] = {"key": button.key, "label": text_in(button.label, language)}
    if button.form is Form.CROSS:
        given |= {"after": button.after, "size": "small" if button.small else "usual"}
    if button.gap is not None:
        given["gap"] = button.gap
    return given


def text_in(texts: Texts, language: str) -> str:
    """The text in a language, or else in the first one there is."""
    return texts.get(language) or next(iter(texts.values()))


def encode_spec(spec: Mapping[str, object]) -> str:
    """The specification as Base64 of UTF-8 JSON: nothing in it can reach a shell."""
    return base64.b64encode(json.dumps(spec, ensure_ascii=False, sort_keys=True).encode()).decode("ascii")


def decode_spec(text: str) -> dict[str, object]:
    """Read what `encode_spec` wrote.

    Raises:
        ValueError: It is not that.
    """
    data = json.loads(base64.b64decode(text, validate=True))
    if not isinstance(data, dict):
        raise ValueError("the specification is no object")
    return data


def make_token(seed: int, episode: str, step: int) -> str:
    """A nonce for an injection: the same for the same run, episode and step."""
    return f"{derive(seed, 'token', episode, step):016x}"


def plan(interruption: Interruption, mode: Mode, *, app: str, language: str, token: str) -> Planned:
    """Plan an injection; arguments as the attributes of `Planned`."""
    return Planned(interruption, mode, app, language, token)
