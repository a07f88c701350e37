"""Life cycle of a system anomaly, from its injection to its end.

`garabench.interruptions.lifecycle` has the same for windows of the companion app.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace
from typing import Literal

from garabench.core.injection import DELIVERED, Delivery
from garabench.core.interruption import Mode
from garabench.core.steps import DeviceStep
from garabench.core.tree import UiTree
from garabench.interruptions.lifecycle import CompanionEvent, Phase


@dataclass(frozen=True, slots=True)
class PlannedAnomaly:
    """One injection of a system anomaly.

    Attributes:
        name: Id of the interruption.
        system, value: The anomaly, and the value of its parameter; empty for the default.
        category, severity, answer: From the catalog.
        blocks_agent: Whether it blocks the agent until it is answered; if not, others may fire meanwhile.
        mode: The episode's mode.
        app: The task's app.
        language: The language of its texts.
        token: A nonce that identifies the injection.
    """

    name: str
    system: str
    value: str
    category: str
    severity: str
    answer: str
    blocks_agent: bool
    mode: Mode
    app: str
    language: str
    token: str

    @property
    def texts(self) -> tuple[str, ...]:
        """Texts that identify it on a tree: none, since the device's state is read instead."""
        return ()

    def button(self, key: str) -> None:
        """Return None: it has no buttons."""

    def follow_up(self, key: str) -> tuple[DeviceStep, ...]:
        """Return nothing: it has no follow-up."""
        return ()


@dataclass(frozen=True, slots=True)
class TrackedAnomaly:
    """A system anomaly and its state.

    Attributes:
        planned: What was injected.
        step: The step at which it was injected.
        phase: Its phase.
        exit: How it was answered, or why it failed; empty while it is in effect.
        delivery: How it was delivered.
    """

    planned: PlannedAnomaly
    step: int
    phase: Phase = Phase.INJECTED
    exit: str = ""
    delivery: Delivery = DELIVERED

    @property
    def open(self) -> bool:
        """Whether it is in effect and not answered."""
        return self.phase in (Phase.INJECTED, Phase.SHOWN)

    @property
    def blocks(self) -> bool:
        """Whether no other interruption may be injected meanwhile."""
        return self.open and self.planned.blocks_agent

    @property
    def expects_events(self) -> bool:
        """Whether the companion app may log events about it: never."""
        return False

    def with_delivery(self, delivery: Delivery) -> TrackedAnomaly:
        """Return the state after its delivery."""
        return replace(self, delivery=delivery)

    def with_event(self, event: CompanionEvent, step: int) -> TrackedAnomaly:
        """Return the state unchanged: the companion app's events do not concern it."""
        return self

    def with_observation(self, tree: UiTree, answered: Set[str]) -> TrackedAnomaly:
        """Return the state after an observation; `answered` has the tokens of answered anomalies."""
        if not self.open:
            return self
        if self.planned.token in answered:
            return replace(self, phase=Phase.ANSWERED, exit=self.planned.answer)
        return replace(self, phase=Phase.SHOWN) if self.phase is Phase.INJECTED else self

    def with_failure(self, reason: str, step: int) -> TrackedAnomaly:
        """Return the state after a failed injection."""
        return replace(self, phase=Phase.FAILED, exit=reason)

    @property
    def resolution(self) -> tuple[Literal["answered", "left", "open"], str]:
        """How it ended, and the exit."""
        return ("answered", self.exit) if self.phase is Phase.ANSWERED else ("open", "in force")
