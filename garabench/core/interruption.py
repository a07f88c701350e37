"""Interruptions: what is injected, its buttons, and what each button leads to (D-GARA section 3.2)."""

from __future__ import annotations

import enum
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from garabench.core.names import KebabId, Texts
from garabench.core.steps import DeviceStep


class Category(enum.StrEnum):
    """What kind of anomaly it is: the paper's five, and the system's own."""

    NETWORK = "network"
    RESOURCE = "resource"
    PERMISSION = "permission"
    APP_FAULT = "app-fault"
    APP_PROMPT = "app-prompt"
    SYSTEM = "system"


class Mode(enum.StrEnum):
    """Whether an easy exit is offered."""

    DUAL = "dual"
    FORCED = "forced"


class Role(enum.StrEnum):
    """What a button means: take the hard path, be rid of it, or leave the app."""

    ACCEPT = "accept"
    DISMISS = "dismiss"
    EXIT = "exit"


class Button(BaseModel):
    """A button of an interruption.

    Attributes:
        key: Its name within the interruption; its resource id is ``button_<key>``.
        role: What pressing it means.
        label: By language.
        easy: Left out in forced mode.
        follow_up: The second stage, performed by the runner after it was pressed.
        ends_task: Why no task can be solved after it; None where each can, as a proof has to show.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str = Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=30)
    role: Role
    label: Texts = Field(min_length=1)
    easy: bool = False
    follow_up: tuple[DeviceStep, ...] = ()
    ends_task: str | None = Field(default=None, min_length=5)


class Interruption(BaseModel):
    """An interruption.

    Attributes:
        id: Its name.
        category: What kind of anomaly it is.
        template: Form of the companion app's window.
        style: Look of it.
        icon: What the picture shows; empty for the style's own.
        title, message: By language.
        buttons: In reading order.
        cancelable: Whether Back closes it in dual mode; in forced mode it never does.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: KebabId
    description: str = Field(min_length=5)
    category: Category
    template: Literal["dialog", "full-screen", "bottom-sheet"] = "dialog"
    style: Literal["permission", "battery", "network", "update", "crash", "prompt"] = "prompt"
    icon: Literal["", "bell", "folder", "star", "shield", "crown", "download", "wifi", "location"] = ""
    title: Texts = Field(min_length=1)
    message: Texts = Field(min_length=1)
    buttons: tuple[Button, ...] = Field(min_length=1)
    cancelable: bool = True

    @model_validator(mode="after")
    def _usable(self) -> Interruption:
        keys = [button.key for button in self.buttons]
        if len(set(keys)) != len(keys):
            raise ValueError("two buttons have the same key")
        if all(button.easy for button in self.buttons):
            raise ValueError("forced mode needs a button that is not easy")
        languages = set(self.title)
        for name, texts in (("message", self.message), *((b.key, b.label) for b in self.buttons)):
            if set(texts) != languages:
                raise ValueError(f"{name} has texts in {sorted(texts)}, the title in {sorted(languages)}")
        return self

    def offered(self, mode: Mode) -> tuple[Button, ...]:
        """The buttons that are shown in a mode."""
        return tuple(b for b in self.buttons if mode is Mode.DUAL or not b.easy)


class InterruptionFile(BaseModel):
    """The library of interruptions."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    interruptions: tuple[Interruption, ...] = Field(min_length=1)
