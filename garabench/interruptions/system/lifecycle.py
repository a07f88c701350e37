"""A system anomaly from its injection to its end, as values: what `Tracked` is for windows."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace
from typing import Literal

from garabench.core.injection import AS_PLANNED, Sent
from garabench.core.interruption import Mode
from garabench.core.steps import DeviceStep
from garabench.core.tree import UiTree
from garabench.interruptions.lifecycle import AppEvent, Phase


@dataclass(frozen=True, slots=True)
class PlannedSystem:
    """One injection of a system anomaly.

    Attributes:
        name: Of the interruption.
        system, value: The anomaly, and the value of its parameter; empty for the default.
        category, severity, answer: As the catalogue has them.
        waits: Whether it stands in the agent's way until it is answered; others may fire meanwhile if not.
        mode: The episode's.
        app: The task's app.
        language: Of its texts.
        token: A nonce that tells this injection's events from all others.
    """

    name: str
    system: str
    value: str
    category: str
    severity: str
    answer: str
    waits: bool
    mode: Mode
    app: str
    language: str
    token: str

    @property
    def texts(self) -> tuple[str, ...]:
        """What finds it on a tree: nothing, its state is asked for."""
        return ()

    def button(self, key: str) -> None:
        """It has no buttons of ours."""

    def follow_up(self, key: str) -> tuple[DeviceStep, ...]:
        """It has no second stage."""
        return ()


@dataclass(frozen=True, slots=True)
class TrackedSystem:
    """A system anomaly and what is known of it.

    Attributes:
        planned: What was injected.
        step: The step at which it was injected.
        phase: Where it stands.
        exit: How it was answered, or why it failed; empty while it is in force.
        sent: How it was sent.
    """

    planned: PlannedSystem
    step: int
    phase: Phase = Phase.INJECTED
    exit: str = ""
    sent: Sent = AS_PLANNED

    @property
    def open(self) -> bool:
        """Whether it is in force and not answered."""
        return self.phase in (Phase.INJECTED, Phase.SHOWN)

    @property
    def blocks(self) -> bool:
        """Whether no other interruption may come meanwhile."""
        return self.open and self.planned.waits

    @property
    def listens(self) -> bool:
        """Whether the companion app may tell something of it: never."""
        return False

    def sent_as(self, sent: Sent) -> TrackedSystem:
        """The state after it was sent: there are no second tries."""
        return replace(self, sent=sent)

    def take_event(self, event: AppEvent, step: int) -> TrackedSystem:
        """The state after an event of the companion app, which knows nothing of it."""
        return self

    def take_look(self, tree: UiTree, answered: Set[str]) -> TrackedSystem:
        """The state after a look; `answered` holds the tokens of what was seen to be answered."""
        if not self.open:
            return self
        if self.planned.token in answered:
            return replace(self, phase=Phase.ANSWERED, exit=self.planned.answer)
        return replace(self, phase=Phase.SHOWN) if self.phase is Phase.INJECTED else self

    def give_up(self, reason: str, step: int) -> TrackedSystem:
        """The state when it could not be brought about."""
        return replace(self, phase=Phase.FAILED, exit=reason)

    @property
    def resolution(self) -> tuple[Literal["answered", "left", "open"], str]:
        """How it ended."""
        return ("answered", self.exit) if self.phase is Phase.ANSWERED else ("open", "in force")
