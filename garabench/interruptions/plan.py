"""Plan an interruption as values: what the companion app is told, and what a button's press leads to.

Nothing here touches a device. The task's app comes in as an argument and is the only app that a follow-up
can act on; no package is a constant of the library.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from garabench.core.interruption import Button, Interruption, Mode
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
    def buttons(self) -> tuple[Button, ...]:
        """The buttons that are offered."""
        return self.interruption.offered(self.mode)

    def button(self, key: str) -> Button | None:
        """The offered button of that key, or None."""
        return next((button for button in self.buttons if button.key == key), None)

    @property
    def spec(self) -> Mapping[str, object]:
        """What the companion app is told, JSON-like."""
        what = self.interruption
        return {
            "v": SPEC_VERSION,
            "template": what.template,
            "style": what.style,
            "icon": what.icon,
            "title": text_in(what.title, self.language),
            "message": text_in(what.message, self.language),
            "buttons": [
                {"key": b.key, "label": text_in(b.label, self.language), "role": b.role.value}
                for b in self.buttons
            ],
            "cancelable": what.cancelable and self.mode is Mode.DUAL,
        }

    @property
    def extras(self) -> Mapping[str, str]:
        """The extras of the intent that shows it."""
        return {"spec": encode_spec(self.spec), "token": self.token}

    def follow_up(self, key: str) -> tuple[DeviceStep, ...]:
        """The second stage of a button; empty for an unknown one."""
        button = self.button(key)
        return button.follow_up if button else ()


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
