"""Planned interruptions: the specification sent to the companion app, and the follow-up of each button.

Pure values. The task's app is an argument and the only app that a follow-up can act on; the library names no
app.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from garabench.core.companion_app import SPEC_VERSION, encode_spec
from garabench.core.identifiers import Texts
from garabench.core.interruption import ButtonForm, Interruption, InterruptionButton, Mode
from garabench.core.seeds import derive
from garabench.core.steps import DeviceStep


@dataclass(frozen=True, slots=True)
class PlannedInterruption:
    """One injection.

    Attributes:
        interruption: What is injected.
        mode: The mode, which decides which buttons are offered.
        app: The task's app, which follow-ups act on.
        language: The language of the texts.
        token: A nonce that identifies the events of this injection.
        texts: The title and the labels, by which it is found on the tree.
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
        """The interruption's id."""
        return self.interruption.id

    @property
    def category(self) -> str:
        """The interruption's category."""
        return self.interruption.category.value

    @property
    def severity(self) -> str:
        """How much it hinders an agent."""
        return self.interruption.severity.value

    @property
    def buttons(self) -> tuple[InterruptionButton, ...]:
        """The offered buttons."""
        return self.interruption.offered(self.mode)

    def button(self, key: str) -> InterruptionButton | None:
        """Return the offered button with that key, or None."""
        return next((button for button in self.buttons if button.key == key), None)

    @property
    def spec(self) -> Mapping[str, object]:
        """The specification for the companion app, as JSON-compatible data."""
        interruption, lang = self.interruption, self.language
        spec: dict[str, object] = {
            "v": SPEC_VERSION,
            "template": interruption.template,
            "style": interruption.style.value,
            "icon": interruption.icon,
            "title": text_in(interruption.title, lang),
            "message": text_in(interruption.message, lang),
            "buttons": [
                {"key": b.key, "label": text_in(b.label, lang), "role": b.role.value}
                for b in self.buttons
                if b.form is ButtonForm.BUTTON
            ],
            "cancelable": interruption.cancelable and self.mode is Mode.DUAL,
        }
        if interruption.picture:
            spec["picture"] = interruption.picture
        if interruption.note:
            spec["note"] = text_in(interruption.note, lang)
        if interruption.stars is not None:
            spec["stars"] = interruption.stars
        if interruption.choices:
            spec["choices"] = [text_in(each, lang) for each in interruption.choices]
        if interruption.fields:
            spec["fields"] = [
                {"hint": text_in(each.hint, lang), "password": each.password} for each in interruption.fields
            ]
        return spec | {
            _SPEC_KEYS[b.form]: _element_spec(b, lang) for b in self.buttons if b.form in _SPEC_KEYS
        }

    @property
    def extras(self) -> Mapping[str, str]:
        """The extras of the intent that shows the window."""
        return {"spec": encode_spec(self.spec), "token": self.token}

    def follow_up(self, key: str) -> tuple[DeviceStep, ...]:
        """Return the follow-up of a button; empty for an unknown one."""
        button = self.button(key)
        return button.follow_up if button else ()


_SPEC_KEYS = {ButtonForm.CROSS: "close", ButtonForm.LINK: "link", ButtonForm.SLIDER: "slider"}
"""Keys in the specification for elements that are not buttons."""


def _element_spec(button: InterruptionButton, language: str) -> dict[str, object]:
    spec: dict[str, object] = {"key": button.key, "label": text_in(button.label, language)}
    if button.form is ButtonForm.CROSS:
        spec |= {"after": button.after, "size": "small" if button.small else "usual"}
    if button.gap is not None:
        spec["gap"] = button.gap
    return spec


def text_in(texts: Texts, language: str) -> str:
    """Return the text in a language, or else in the first available one."""
    return texts.get(language) or next(iter(texts.values()))


def make_token(seed: int, episode: str, step: int) -> str:
    """Return a nonce for an injection, the same for the same seed, episode and step."""
    return f"{derive(seed, 'token', episode, step):016x}"


def plan_interruption(
    interruption: Interruption, mode: Mode, *, app: str, language: str, token: str
) -> PlannedInterruption:
    """Plan an injection; arguments as the attributes of `PlannedInterruption`."""
    return PlannedInterruption(interruption, mode, app, language, token)
