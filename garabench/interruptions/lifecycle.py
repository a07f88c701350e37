"""Life cycle of an interruption: its state from the injection to its end, however many steps later.

A pure state machine that accepts log events and observations in any order in which they can occur. A button
that is pressed ten steps after the dialog appeared still has its follow-up; a second press, an unknown token
or a repeated event changes nothing.
"""

from __future__ import annotations

import enum
import json
from collections.abc import Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Literal

from garabench.core.companion_app import PACKAGE
from garabench.core.injection import DELIVERED, Delivery, DeliveryMethod
from garabench.core.selector import normalize
from garabench.core.tree import UiTree, is_system
from garabench.interruptions.planned_interruption import PlannedInterruption


class Phase(enum.StrEnum):
    """The phase of an interruption."""

    INJECTED = "injected"
    SHOWN = "shown"
    ANSWERED = "answered"
    LEFT = "left"
    FAILED = "failed"


_ENDED = frozenset({Phase.ANSWERED, Phase.LEFT, Phase.FAILED})
POSTED, SHOWN = "posted", "shown"
"""The first event of a notification and of a window."""
KILLED = "killed"
"""The event that a new process reports for a window that was open when the previous process died."""


@dataclass(frozen=True, slots=True)
class CompanionEvent:
    """An event that the companion app reported.

    Attributes:
        token: Token of its injection.
        seq: Its number within that injection, from 1.
        event: ``shown``, ``pressed:<key>``, ``dismissed`` (by Back) or ``dismissed:<reason>``, ``hidden``,
            ``hidden:screen-off``, ``resumed``, ``killed``, ``error:<reason>``; and ``back`` (a Back that
            was blocked), ``rotated:<degrees>`` and ``wrong``, which do not end the interruption.
    """

    token: str
    seq: int
    event: str


def parse_companion_event(message: str) -> CompanionEvent | None:
    """Parse a logged line; None if it is not an event, since any app may write to that tag."""
    try:
        data = json.loads(message)
    except json.JSONDecodeError:
        return None
    if not isinstance(data, dict):
        return None
    token, seq, event = data.get("token"), data.get("seq"), data.get("event")
    if (
        isinstance(token, str)
        and isinstance(event, str)
        and isinstance(seq, int)
        and not isinstance(seq, bool)
    ):
        return CompanionEvent(token, seq, event)
    return None


def on_screen(tree: UiTree, planned: PlannedInterruption, *, notified: bool = False) -> bool:
    """Return whether the interruption is on the tree: a window of the companion app with one of its texts.

    Args:
        tree: The tree of the screen.
        planned: What was sent.
        notified: Whether it was sent as a notification; then a system window with its title counts too.
    """
    texts = {normalize(text) for text in planned.texts}
    if any(node.package == PACKAGE and normalize(node.text) in texts for node in tree.nodes):
        return True
    title = normalize(planned.texts[0])
    return notified and any(is_system(node.package) and normalize(node.text) == title for node in tree.nodes)


@dataclass(frozen=True, slots=True)
class TrackedInterruption:
    """An interruption and its state.

    Attributes:
        planned: What was injected.
        step: The step at which it was injected.
        phase: Its phase.
        exit: The key of the button, or how it was left, or why it failed; empty while open.
        ended_step: The step at which it was answered or left, or None.
        processed: Tokens and numbers of the events that were processed.
        hidden: Whether, by the last event, something else covers it.
        in_view: Whether it was on the tree at the last observation.
        token: The token of its events: the planned one, or that of the second attempt.
        delivery: How it was delivered.
        last_seq: The highest number of a processed event; 0 before the first.
        trimmed: Whether the log has lost one of its events before.
    """

    planned: PlannedInterruption
    step: int
    phase: Phase = Phase.INJECTED
    exit: str = ""
    ended_step: int | None = None
    processed: frozenset[tuple[str, int]] = field(default_factory=frozenset)
    hidden: bool = False
    in_view: bool = False
    token: str = ""
    delivery: Delivery = DELIVERED
    last_seq: int = 0
    trimmed: bool = False

    def __post_init__(self) -> None:
        if not self.token:
            object.__setattr__(self, "token", self.planned.token)

    def with_delivery(self, delivery: Delivery) -> TrackedInterruption:
        """Return the state after its delivery."""
        return replace(self, token=delivery.token or self.token, delivery=delivery)

    @property
    def open(self) -> bool:
        """Whether it was neither answered nor left."""
        return self.phase not in _ENDED

    @property
    def blocks(self) -> bool:
        """Whether no other interruption may be injected meanwhile."""
        return self.open

    @property
    def expects_events(self) -> bool:
        """Whether the companion app may report more of its events."""
        return self.open

    def with_observation(self, tree: UiTree, answered: Set[str]) -> TrackedInterruption:
        """Return the state after an observation; `answered` concerns system anomalies only."""
        return self.with_tree(tree)

    def with_event(self, event: CompanionEvent, step: int) -> TrackedInterruption:
        """Return the state after an event of the companion app.

        Args:
            event: The event; one with an unknown token or a repeated one changes nothing.
            step: The current step.
        """
        name = (event.token, event.seq)
        if event.token not in (self.planned.token, self.token) or name in self.processed:
            return self
        if event.event == KILLED and (event.token != self.token or not self.last_seq):
            return self  # from an earlier window with the same token, or from the first attempt
        last_seq = max(self.last_seq, event.seq) if event.token == self.token else self.last_seq
        state = replace(self, processed=self.processed | {name}, last_seq=last_seq)
        kind, _, detail = event.event.partition(":")
        if not state.open or (event.token != self.token and detail == "replaced"):
            return state  # already ended, or the first attempt's window was replaced by the second one's
        if kind == "pressed" and state.planned.button(detail) is not None:
            return replace(state, phase=Phase.ANSWERED, exit=detail, ended_step=step, hidden=False)
        if kind == "dismissed":
            return replace(state, phase=Phase.LEFT, exit=detail or "back", ended_step=step)
        if kind == "error":
            # Before it was seen, it has not interrupted; afterwards, it ended by itself.
            phase, exit_key = (
                (Phase.LEFT, "error") if self.phase is Phase.SHOWN else (Phase.FAILED, detail or "error")
            )
            return replace(state, phase=phase, exit=exit_key, ended_step=step)
        if kind == KILLED and not state.hidden:
            # A window in front is lost; one in the background is recreated when the user returns to it.
            return replace(state, phase=Phase.LEFT, exit=KILLED, ended_step=step)
        if kind == "hidden":
            return replace(state, hidden=True)
        if kind in ("shown", "resumed"):
            # Only the tree proves that it is shown; the event says that it is not hidden.
            return replace(state, hidden=False)
        return state

    def may_have_lost_events(
        self, unprocessed: Sequence[CompanionEvent], tree: UiTree | None, *, cleared: bool
    ) -> bool:
        """Return whether the log may have lost its events, so that the companion app must be queried.

        The log has lost events if a number is missing, or if the window has disappeared from the tree
        without an event. It may have lost some if it was cleared or has lost an event before.

        Args:
            unprocessed: Events from the log that are not processed yet.
            tree: The tree of the settled screen; None if unknown.
            cleared: Whether none of the lines of the last reading is still in the log.
        """
        if self.phase is not Phase.SHOWN:
            return False
        own = [event for event in unprocessed if event.token == self.token and event.seq > self.last_seq]
        if _has_gap(own, self.last_seq):
            return True
        after = self
        for event in own:
            after = after.with_event(event, self.step)
        if not after.open:
            return False
        gone = self.in_view and tree is not None and not after._is_on(tree)
        return cleared or self.trimmed or (gone and not (own and after.hidden))

    def lost_events(
        self, logged: Sequence[CompanionEvent], stored: Sequence[CompanionEvent]
    ) -> tuple[CompanionEvent, ...]:
        """Return the events in the companion app's own log (`stored`) that logcat (`logged`) has lost."""
        return tuple(
            event
            for event in stored
            if event.token == self.token and event.seq > self.last_seq and event not in logged
        )

    def _is_on(self, tree: UiTree) -> bool:
        return on_screen(tree, self.planned, notified=self.delivery.method is DeliveryMethod.NOTIFICATION)

    def with_tree(self, tree: UiTree) -> TrackedInterruption:
        """Return the state after an observation of the tree: seen once, it counts as shown, even if late."""
        if self.phase in (Phase.ANSWERED, Phase.LEFT):
            return self
        seen = self._is_on(tree)
        if seen and self.phase is not Phase.SHOWN:
            return replace(self, phase=Phase.SHOWN, exit="", ended_step=None, in_view=True)
        return self if seen is self.in_view else replace(self, in_view=seen)

    def with_failure(self, reason: str, step: int) -> TrackedInterruption:
        """Return the state after an injection that was not seen within the time limit."""
        if self.phase is not Phase.INJECTED:
            return self
        return replace(self, phase=Phase.FAILED, exit=reason, ended_step=step)

    @property
    def was_shown(self) -> bool:
        """Whether the agent was really interrupted."""
        return self.phase in (Phase.SHOWN, Phase.ANSWERED, Phase.LEFT)

    @property
    def resolution(self) -> tuple[Literal["answered", "left", "open"], str]:
        """How it ended, and the exit, for the record at the end of the episode."""
        match self.phase:
            case Phase.ANSWERED:
                return "answered", self.exit
            case Phase.LEFT:
                return "left", self.exit
            case _ if self.hidden:
                return "left", "switched away"
            case Phase.SHOWN if not self.in_view:
                return "left", "gone"  # its last event was lost, also from the companion app's log
            case _:
                return "open", "on screen"


def _has_gap(events: Sequence[CompanionEvent], last_seq: int) -> bool:
    """Return whether numbers are missing before or between events that follow number `last_seq`.

    A token that the companion app has seen before starts with a number above 1; its first event shows that.
    """
    for event in sorted(events, key=lambda each: each.seq):
        if event.seq > last_seq + 1 and (last_seq or event.event not in (POSTED, SHOWN, KILLED)):
            return True
        last_seq = event.seq
    return False
