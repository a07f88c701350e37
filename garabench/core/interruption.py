"""Interruptions: what is injected, its buttons, and the follow-up of each button (D-GARA section 3.2)."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterator
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from garabench.core.cross_field import CrossFieldCheck, CrossFieldModel, Violation
from garabench.core.follow_up_packages import APP, foreign_packages_in
from garabench.core.identifiers import KebabId, Texts
from garabench.core.steps import DeviceStep
from garabench.core.suggestions import nearest


class Category(enum.StrEnum):
    """The category of an interruption: D-GARA's five, and ``system``."""

    NETWORK = "network"
    RESOURCE = "resource"
    PERMISSION = "permission"
    APP_FAULT = "app-fault"
    APP_PROMPT = "app-prompt"
    SYSTEM = "system"


class Severity(enum.StrEnum):
    """How much an interruption hinders an agent, judged by its most costly exit."""

    LOW = "low"
    """Every exit leads straight back to the screen, or through one more window."""
    MEDIUM = "medium"
    """An exit leaves the app, makes the agent wait or solve a puzzle, or changes a system setting."""
    HIGH = "high"
    """An exit ends or restarts the app, or leaves it unable to continue until the cause is fixed."""


class Mode(enum.StrEnum):
    """Whether easy exits are offered."""

    DUAL = "dual"
    """All buttons are shown."""
    FORCED = "forced"
    """Buttons marked as easy are left out, and Back does not close the window."""


class Style(enum.StrEnum):
    """The look of a window: a dialog of the system or of an app."""

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


_MAX_BUTTONS = 6


class ButtonRole(enum.StrEnum):
    """The meaning of a button: accept the offer, dismiss it, or leave the app."""

    ACCEPT = "accept"
    DISMISS = "dismiss"
    EXIT = "exit"


KEYS = frozenset(
    {
        "accept",
        "close",
        "dismiss",
        "exit",
        "later",
        "link",
        "open",
        "refresh",
        "register",
        "retry",
        "settings",
        "skip",
        "solved",
        "submit",
    }
)
"""Button keys for which the companion app has a resource id (``solved`` is its slider)."""


class ButtonForm(enum.StrEnum):
    """The form of a button."""

    BUTTON = "button"
    CROSS = "cross"
    """A cross in an upper corner of the window."""
    LINK = "link"
    """A text below the buttons."""
    SLIDER = "slider"
    """A puzzle whose knob must be dragged to the gap."""


def _without_packages(schema: dict[str, Any]) -> None:
    """Restrict a follow-up's activities to the task's app and to those resolved by an action."""
    own = {"properties": {"start": {"properties": {"package": {"enum": ["", APP]}}}}}
    schema["items"] = {"allOf": [schema["items"], own]}


class InterruptionButton(CrossFieldModel):
    """A button of an interruption.

    Attributes:
        key: Its key within the interruption, one of `KEYS`; its resource id is ``button_<key>``.
        form: Its form.
        after: Seconds until a cross appears.
        small: Whether a cross is smaller than Android recommends.
        gap: Where a slider's knob must be released, as a share of the track.
        role: The meaning of pressing it.
        label: Its label, by language.
        easy: Omitted in forced mode.
        follow_up: The steps that the runner performs after a press; it names no package.
        ends_task: Why no task can be solved after it; None if every task still can, which proofs verify.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str
    form: ButtonForm = ButtonForm.BUTTON
    after: int = Field(default=0, ge=0, le=60)
    small: bool = False
    gap: float | None = Field(default=None, ge=0.2, le=0.95)
    role: ButtonRole
    label: Texts = Field(min_length=1)
    easy: bool = False
    follow_up: tuple[DeviceStep, ...] = Field(default=(), json_schema_extra=_without_packages)
    ends_task: str | None = Field(default=None, min_length=5)

    @field_validator("key")
    @classmethod
    def _with_an_id(cls, key: str) -> str:
        if key not in KEYS:
            near = nearest(key, KEYS)
            hint = f"; did you mean {near!r}?" if near else f": one of {', '.join(sorted(KEYS))}"
            raise ValueError(f"unknown button key {key!r}{hint}")
        return key

    def cross_field_checks(self) -> tuple[CrossFieldCheck, ...]:
        """Return the checks of the fields that depend on the form, and of the follow-up."""
        return (self._cross, self._gap, self._solved, self._foreign_packages)

    def _cross(self) -> Iterator[Violation]:
        if (self.after or self.small) and self.form is not ButtonForm.CROSS:
            yield (
                ("small" if self.small else "after",),
                "only a button of form cross can be small or appear later",
            )

    def _gap(self) -> Iterator[Violation]:
        if (self.gap is not None) != (self.form is ButtonForm.SLIDER):
            yield (
                ("gap" if self.gap is not None else "form",),
                "gap is required for a slider and not allowed for any other form",
            )

    def _solved(self) -> Iterator[Violation]:
        if (self.key == "solved") != (self.form is ButtonForm.SLIDER):
            yield ("key",), "the key solved is required for a slider and not allowed for any other form"

    def _foreign_packages(self) -> Iterator[Violation]:
        for at, message in foreign_packages_in(self.follow_up):
            yield ("follow_up", *at), message


class InterruptionTextField(BaseModel):
    """A text field; text typed into it is not reported or recorded."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    hint: Texts = Field(min_length=1)
    password: bool = False


class Interruption(CrossFieldModel):
    """An interruption by a window of the companion app.

    Attributes:
        id: Its id.
        description: Description of what appears on screen.
        category: Its category.
        severity: How much it hinders an agent.
        template: Template of the window.
        style: Look of the window.
        icon: The icon; empty for that of the style.
        title, message: Title and message, by language.
        buttons: The buttons, in reading order.
        cancelable: Whether Back closes it in dual mode; it never does in forced mode.
        picture: The illustration; empty for none.
        note: Small print, by language; None for none.
        stars: Number of stars out of five that are lit initially; None for no stars.
        choices: Answers to choose one from, by language.
        fields: Text fields.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: KebabId
    description: str = Field(min_length=5)
    category: Category
    severity: Severity = Severity.MEDIUM
    template: Literal["dialog", "full-screen", "bottom-sheet"] = "dialog"
    style: Style = Style.PROMPT
    icon: Literal["", "bell", "folder", "star", "shield", "crown", "download", "wifi", "location"] = ""
    title: Texts = Field(min_length=1)
    message: Texts = Field(min_length=1)
    buttons: tuple[InterruptionButton, ...] = Field(min_length=1)
    cancelable: bool = True
    picture: Literal["", "coupon", "gift", "game", "travel"] = ""
    note: Texts | None = None
    stars: int | None = Field(default=None, ge=0, le=5)
    choices: tuple[Texts, ...] = Field(default=(), max_length=6)
    fields: tuple[InterruptionTextField, ...] = Field(default=(), max_length=3)

    def cross_field_checks(self) -> tuple[CrossFieldCheck, ...]:
        """Return the checks that the companion app can show it, and that no text lacks a language."""
        return (self._buttons, self._languages)

    def _buttons(self) -> Iterator[Violation]:
        keys = [button.key for button in self.buttons]
        for place, key in enumerate(keys):
            if key in keys[:place]:
                yield ("buttons", place, "key"), "duplicate button key"
        forms = [button.form for button in self.buttons]
        if not any(button.form is ButtonForm.BUTTON and not button.easy for button in self.buttons):
            yield ("buttons",), "at least one button must not be easy: forced mode shows no others"
        if forms.count(ButtonForm.BUTTON) > _MAX_BUTTONS:
            yield ("buttons",), f"at most {_MAX_BUTTONS} buttons are allowed"
        for form in (ButtonForm.CROSS, ButtonForm.LINK, ButtonForm.SLIDER):
            if forms.count(form) > 1:
                yield ("buttons",), f"at most one {form} is allowed"

    def _languages(self) -> Iterator[Violation]:
        languages, source = set(self.title), "the title"
        others = list(self._texts())
        kinds = Counter(frozenset(texts) for _, _, texts in others)
        usual, times = max(kinds.items(), key=lambda each: each[1], default=(frozenset(languages), 0))
        if usual != languages and times > 1 and 2 * times > len(others):  # the title is what differs
            yield ("title",), f"the title has texts in {sorted(languages)}, the others in {sorted(usual)}"
            languages, source = set(usual), "the others"
        for at, name, texts in others:
            if set(texts) != languages:
                yield at, f"{name} has texts in {sorted(texts)}, {source} in {sorted(languages)}"

    def _texts(self) -> Iterator[tuple[tuple[str | int, ...], str, Texts]]:
        """Iterate over the valid texts other than the title, with location and name."""
        valid = self.__dict__  # only the valid fields
        if "message" in valid:
            yield ("message",), "message", self.message
        for number, button in enumerate(valid.get("buttons", ())):
            yield ("buttons", number, "label"), button.key, button.label
        for number, each in enumerate(valid.get("choices", ())):
            yield ("choices", number), "choices", each
        for number, field in enumerate(valid.get("fields", ())):
            yield ("fields", number, "hint"), "fields", field.hint
        if valid.get("note"):
            yield ("note",), "note", valid["note"]

    def offered(self, mode: Mode) -> tuple[InterruptionButton, ...]:
        """Return the buttons that a mode shows."""
        return tuple(b for b in self.buttons if mode is Mode.DUAL or not b.easy)


class SystemInterruption(BaseModel):
    """An interruption by the system itself, without a window of the companion app.

    Attributes:
        id: Its id, which rules inject.
        system: Id of the anomaly in the catalog (``garabench interruptions list``).
        value: Value of the anomaly's parameter, such as an angle; empty for the default.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: KebabId
    description: str = Field(min_length=5)
    system: KebabId
    value: str = Field(default="", max_length=100)


class InterruptionFile(CrossFieldModel):
    """The library of interruptions: windows, system anomalies, or both.

    Attributes:
        interruptions: Interruptions by windows of the companion app.
        anomalies: Interruptions by the system itself.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        json_schema_extra={
            "anyOf": [
                {"required": [name], "properties": {name: {"minItems": 1}}}
                for name in ("interruptions", "anomalies")
            ]
        },
    )

    interruptions: tuple[Interruption, ...] = ()
    anomalies: tuple[SystemInterruption, ...] = ()

    def cross_field_checks(self) -> tuple[CrossFieldCheck, ...]:
        """Return the check that it has at least one entry."""
        return (self._some,)

    def _some(self) -> Iterator[Violation]:
        if not self.interruptions and not self.anomalies:
            yield (), "interruptions: or anomalies: needs at least one entry"
