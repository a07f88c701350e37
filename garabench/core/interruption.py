"""Interruptions: what is injected, its buttons, and what each button leads to (D-GARA section 3.2)."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from garabench.core.follow_ups import APP, strangers
from garabench.core.misfits import Fitting, Misfit
from garabench.core.names import KebabId, Texts, nearest
from garabench.core.steps import DeviceStep


class Category(enum.StrEnum):
    """What kind of anomaly it is: the paper's five, and the system's own."""

    NETWORK = "network"
    RESOURCE = "resource"
    PERMISSION = "permission"
    APP_FAULT = "app-fault"
    APP_PROMPT = "app-prompt"
    SYSTEM = "system"


class Severity(enum.StrEnum):
    """How far an anomaly keeps an agent from going on, by the longest of the ways out of it."""

    LOW = "low"
    """Hardly: each way leads straight back to the screen, or over a further window that does."""
    MEDIUM = "medium"
    """For a while: a way leads out of the app, to a wait or through a puzzle; or the phone is another."""
    HIGH = "high"
    """Until it is dealt with: a way ends the app or starts it anew, or leaves it unable to go on."""


class Mode(enum.StrEnum):
    """Whether an easy exit is offered."""

    DUAL = "dual"
    FORCED = "forced"


class Style(enum.StrEnum):
    """Whose window it looks like: the system's, or an app's own."""

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


_MOST_BUTTONS = 6


class Role(enum.StrEnum):
    """What a button means: take the hard path, be rid of it, or leave the app."""

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
"""Keys of buttons for which the companion app has a resource id (``solved``: that of its slider)."""


class Form(enum.StrEnum):
    """What a button looks like."""

    BUTTON = "button"
    CROSS = "cross"
    """A cross in the window's upper corner."""
    LINK = "link"
    """A text below the buttons."""
    SLIDER = "slider"
    """A puzzle whose knob has to be dragged to the gap."""


def _without_packages(schema: dict[str, Any]) -> None:
    """A follow-up starts activities of the task's app, or those that Android finds for an action."""
    own = {"properties": {"start": {"properties": {"package": {"enum": ["", APP]}}}}}
    schema["items"] = {"allOf": [schema["items"], own]}


class Button(Fitting):
    """A button of an interruption.

    Attributes:
        key: Its name within the interruption, one of `KEYS`; its resource id is ``button_<key>``.
        form: What it looks like.
        after: Seconds until a cross appears.
        small: Whether a cross is smaller than Android asks for.
        gap: Where a slider's knob has to be let go, as a share of its way.
        role: What pressing it means.
        label: By language.
        easy: Left out in forced mode.
        follow_up: The second stage, performed by the runner after it was pressed; no package stands in it.
        ends_task: Why no task can be solved after it; None where each can, as a proof has to show.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str
    form: Form = Form.BUTTON
    after: int = Field(default=0, ge=0, le=60)
    small: bool = False
    gap: float | None = Field(default=None, ge=0.2, le=0.95)
    role: Role
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
            raise ValueError(f"the companion app has no id for a button {key!r}{hint}")
        return key

    def misfits(self) -> tuple[Callable[[], Iterable[Misfit]], ...]:
        """What only a button of another form has, and apps in its follow-up."""
        return (self._cross, self._gap, self._solved, self._strangers)

    def _cross(self) -> Iterator[Misfit]:
        if (self.after or self.small) and self.form is not Form.CROSS:
            yield ("small" if self.small else "after",), "only a cross can be small or appear later"

    def _gap(self) -> Iterator[Misfit]:
        if (self.gap is not None) != (self.form is Form.SLIDER):
            yield ("gap" if self.gap is not None else "form",), "a slider has a gap, and nothing else has one"

    def _solved(self) -> Iterator[Misfit]:
        if (self.key == "solved") != (self.form is Form.SLIDER):
            yield ("key",), "the key of a slider is solved, and of nothing else"

    def _strangers(self) -> Iterator[Misfit]:
        for at, said in strangers(self.follow_up):
            yield ("follow_up", *at), said


class TextField(BaseModel):
    """A text field; what is typed into it is told to nobody."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    hint: Texts = Field(min_length=1)
    password: bool = False


class Interruption(Fitting):
    """An interruption.

    Attributes:
        id: Its name.
        category: What kind of anomaly it is.
        severity: How far it keeps an agent from going on.
        template: Form of the companion app's window.
        style: Look of it.
        icon: What the picture shows; empty for the style's own.
        title, message: By language.
        buttons: In reading order.
        cancelable: Whether Back closes it in dual mode; in forced mode it never does.
        picture: An illustration; empty for none.
        note: Small print, by language; None for none.
        stars: How many of five are lit at first; None for no stars.
        choices: Answers of which one can be chosen, by language.
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
    buttons: tuple[Button, ...] = Field(min_length=1)
    cancelable: bool = True
    picture: Literal["", "coupon", "gift", "game", "travel"] = ""
    note: Texts | None = None
    stars: int | None = Field(default=None, ge=0, le=5)
    choices: tuple[Texts, ...] = Field(default=(), max_length=6)
    fields: tuple[TextField, ...] = Field(default=(), max_length=3)

    def misfits(self) -> tuple[Callable[[], Iterable[Misfit]], ...]:
        """What the companion app cannot show, and texts that lack a language."""
        return (self._buttons, self._languages)

    def _buttons(self) -> Iterator[Misfit]:
        keys = [button.key for button in self.buttons]
        for place, key in enumerate(keys):
            if key in keys[:place]:
                yield ("buttons", place, "key"), "two buttons have the same key"
        forms = [button.form for button in self.buttons]
        if not any(button.form is Form.BUTTON and not button.easy for button in self.buttons):
            yield ("buttons",), "forced mode needs a button that is not easy"
        if forms.count(Form.BUTTON) > _MOST_BUTTONS:
            yield ("buttons",), f"the companion app shows {_MOST_BUTTONS} buttons at most"
        for form in (Form.CROSS, Form.LINK, Form.SLIDER):
            if forms.count(form) > 1:
                yield ("buttons",), f"only one {form} can be shown"

    def _languages(self) -> Iterator[Misfit]:
        languages, told = set(self.title), "the title"
        others = list(self._texts())
        kinds = Counter(frozenset(texts) for _, _, texts in others)
        usual, times = max(kinds.items(), key=lambda each: each[1], default=(frozenset(languages), 0))
        if usual != languages and times > 1 and 2 * times > len(others):  # the title is what differs
            yield ("title",), f"the title has texts in {sorted(languages)}, the others in {sorted(usual)}"
            languages, told = set(usual), "the others"
        for at, name, texts in others:
            if set(texts) != languages:
                yield at, f"{name} has texts in {sorted(texts)}, {told} in {sorted(languages)}"

    def _texts(self) -> Iterator[tuple[tuple[str | int, ...], str, Texts]]:
        """Each text beside the title that is in order, with its place and its name."""
        has = self.__dict__  # without what is wrong
        if "message" in has:
            yield ("message",), "message", self.message
        for number, button in enumerate(has.get("buttons", ())):
            yield ("buttons", number, "label"), button.key, button.label
        for number, each in enumerate(has.get("choices", ())):
            yield ("choices", number), "choices", each
        for number, field in enumerate(has.get("fields", ())):
            yield ("fields", number, "hint"), "fields", field.hint
        if has.get("note"):
            yield ("note",), "note", has["note"]

    def offered(self, mode: Mode) -> tuple[Button, ...]:
        """The buttons that are shown in a mode."""
        return tuple(b for b in self.buttons if mode is Mode.DUAL or not b.easy)


class SystemInterruption(BaseModel):
    """An interruption by the system itself, which needs no window of the companion app.

    Attributes:
        id: Its name, which rules inject.
        system: Which of the catalogue's anomalies it is (``garabench interruptions list``).
        value: Of the anomaly's parameter, such as an angle; its default unless given.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: KebabId
    description: str = Field(min_length=5)
    system: KebabId
    value: str = Field(default="", max_length=100)


class InterruptionFile(Fitting):
    """The library of interruptions: of windows, of anomalies, or of both.

    Attributes:
        interruptions: Windows of the companion app.
        anomalies: What the system itself does.
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

    def misfits(self) -> tuple[Callable[[], Iterable[Misfit]], ...]:
        """That there is nothing in it."""
        return (self._some,)

    def _some(self) -> Iterator[Misfit]:
        if not self.interruptions and not self.anomalies:
            yield (), "interruptions: or anomalies: has to have at least one"
