"""Track one interruption from its injection to its end, however many steps later that comes.

A pure state machine: log events and observations come in, in any order in which they can occur, and what
is to be done comes out. A button that is pressed ten steps after the dialog came up still has its second
stage; a second press, another token or an event that was seen before changes nothing.
"""

from __future__ import annotations

import enum
import json
from collections.abc import Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Literal

from garabench.core.injection import AS_PLANNED, Sent, Way
from garabench.core.selector import normalize
from garabench.core.tree import UiTree, is_system
from garabench.interruptions.plan import PACKAGE, Planned


class Phase(enum.StrEnum):
    """Where an interruption stands."""

    INJECTED = "injected"
    SHOWN = "shown"
    ANSWERED = "answered"
    LEFT = "left"
    FAILED = "failed"


_OVER = frozenset({Phase.ANSWERED, Phase.LEFT, Phase.FAILED})
POSTED, SHOWN = "posted", "shown"
"""What a notification and what a window tell first."""
KILLED = "killed"
"""What a process tells of a window that was open when the one before it died."""


@dataclass(frozen=True, slots=True)
class AppEvent:
    """An event that the companion app logged.

    Attributes:
        token: Of the injection it belongs to.
        seq: Its number within that injection, from 1.
        event: ``shown``, ``pressed:<key>``, ``dismissed`` (by Back) or ``dismissed:<reason>``, ``hidden``,
            ``hidden:screen-off``, ``resumed``, ``killed``, ``error:<reason>``; ``back`` (it was held back),
            ``rotated:<degrees>`` and ``wrong``, which end nothing.
    """

    token: str
    seq: int
    event: str


def parse_event(message: str) -> AppEvent | None:
    """Read a logged line; None when it is not an event (anyone may write to that tag)."""
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
        return AppEvent(token, seq, event)
    return None


def on_screen(tree: UiTree, planned: Planned, *, notified: bool = False) -> bool:
    """Whether the interruption is on the tree: a window of the companion app with one of its texts.

    Args:
        tree: The screen.
        planned: What was sent.
        notified: It was sent as a notification: then one of the system's with its title counts, too.
    """
    texts = {normalize(text) for text in planned.texts}
    if any(node.package == PACKAGE and normalize(node.text) in texts for node in tree.nodes):
        return True
    title = normalize(planned.texts[0])
    return notified and any(is_system(node.package) and normalize(node.text) == title for node in tree.nodes)


@dataclass(frozen=True, slots=True)
class Tracked:
    """One interruption and what is known of it.

    Attributes:
        planned: What was injected.
        step: The step at which it was injected.
        phase: Where it stands.
        exit: The key of the button, or how it was left, or why it failed; empty while open.
        ended_step: The step at which it was answered or left, or None.
        seen: Tokens and numbers of the events that were taken in.
        hidden: Whether the last word was that something else covers it.
        in_view: Whether it was on the tree at the last look.
        token: Under which the companion app logs its events: the planned one, or that of a second try.
        sent: How it was sent.
        told: The highest number of an event that was taken in; 0 before the first.
        trimmed: Whether the log has lost an event of it before.
    """

    planned: Planned
    step: int
    phase: Phase = Phase.INJECTED
    exit: str = ""
    ended_step: int | None = None
    seen: frozenset[tuple[str, int]] = field(default_factory=frozenset)
    hidden: bool = False
    in_view: bool = False
    token: str = ""
    sent: Sent = AS_PLANNED
    told: int = 0
    trimmed: bool = False

    def __post_init__(self) -> None:
        if not self.token:
            object.__setattr__(self, "token", self.planned.token)

    def sent_as(self, sent: Sent) -> Tracked:
        """The state after it was sent."""
        return replace(self, token=sent.token or self.token, sent=sent)

    @property
    def open(self) -> bool:
        """Whether it still waits for an answer."""
        return self.phase not in _OVER

    @property
    def blocks(self) -> bool:
        """Whether no other interruption may come meanwhile."""
        return self.open

    @property
    def listens(self) -> bool:
        """Whether the companion app may tell something of it."""
        return self.open

    def take_look(self, tree: UiTree, answered: Set[str]) -> Tracked:
        """The state after a look; what a system anomaly is answered by means nothing to a window."""
        return self.take_tree(tree)

    def take_event(self, event: AppEvent, step: int) -> Tracked:
        """The state after an event of the companion app.

        Args:
            event: The event; one of another token or one that was taken in before changes nothing.
            step: The present step.
        """
        name = (event.token, event.seq)
        if event.token not in (self.planned.token, self.token) or name in self.seen:
            return self
        if event.event == KILLED and (event.token != self.token or not self.told):
            return self  # of a window that had the same token before, or of the first try's
        told = max(self.told, event.seq) if event.token == self.token else self.told
        state = replace(self, seen=self.seen | {name}, told=told)
        kind, _, detail = event.event.partition(":")
        if not state.open or (event.token != self.token and detail == "replaced"):
            return state  # over, or the first try's window gave way to the second one's
        if kind == "pressed" and state.planned.button(detail) is not None:
            return replace(state, phase=Phase.ANSWERED, exit=detail, ended_step=step, hidden=False)
        if kind == "dismissed":
            return replace(state, phase=Phase.LEFT, exit=detail or "back", ended_step=step)
        if kind == "error":
            # Before it was seen it never interrupted; after that it is one that ended by itself.
            phase, way = (
                (Phase.LEFT, "error") if self.phase is Phase.SHOWN else (Phase.FAILED, detail or "error")
            )
            return replace(state, phase=phase, exit=way, ended_step=step)
        if kind == KILLED and not state.hidden:
            # What was in front is gone for good; what lies behind is made anew when it is come back to.
            return replace(state, phase=Phase.LEFT, exit=KILLED, ended_step=step)
        if kind == "hidden":
            return replace(state, hidden=True)
        if kind in ("shown", "resumed"):
            # Only the tree proves that it is shown; the event says that it is not hidden.
            return replace(state, hidden=False)
        return state

    def missed(self, heard: Sequence[AppEvent], tree: UiTree | None, *, cleared: bool) -> bool:
        """Whether the log may have lost something of it, so that the companion app is to be asked.

        It has when a number is left out, and when the window has gone from the tree without a word. It may
        have when it was cleared, or has lost an event before.

        Args:
            heard: What the log gave, not yet taken in.
            tree: The settled screen; None when it is not known.
            cleared: Whether nothing of what the log held at the last reading was left.
        """
        if self.phase is not Phase.SHOWN:
            return False
        own = [event for event in heard if event.token == self.token and event.seq > self.told]
        if _leaves_out(own, self.told):
            return True
        after = self
        for event in own:
            after = after.take_event(event, self.step)
        if not after.open:
            return False
        gone = self.in_view and tree is not None and not after._on(tree)
        return cleared or self.trimmed or (gone and not (own and after.hidden))

    def lost(self, heard: Sequence[AppEvent], kept: Sequence[AppEvent]) -> tuple[AppEvent, ...]:
        """Of what the companion app has kept, what the log did not give."""
        return tuple(
            event
            for event in kept
            if event.token == self.token and event.seq > self.told and event not in heard
        )

    def _on(self, tree: UiTree) -> bool:
        return on_screen(tree, self.planned, notified=self.sent.way is Way.NOTIFICATION)

    def take_tree(self, tree: UiTree) -> Tracked:
        """The state after a look at the screen: seen once, it counts as shown, also when that is late."""
        if self.phase in (Phase.ANSWERED, Phase.LEFT):
            return self
        seen = self._on(tree)
        if seen and self.phase is not Phase.SHOWN:
            return replace(self, phase=Phase.SHOWN, exit="", ended_step=None, in_view=True)
        return self if seen is self.in_view else replace(self, in_view=seen)

    def give_up(self, reason: str, step: int) -> Tracked:
        """The state after the injection's time limit has passed without it being seen."""
        if self.phase is not Phase.INJECTED:
            return self
        return replace(self, phase=Phase.FAILED, exit=reason, ended_step=step)

    @property
    def was_shown(self) -> bool:
        """Whether the agent was really interrupted."""
        return self.phase in (Phase.SHOWN, Phase.ANSWERED, Phase.LEFT)

    @property
    def resolution(self) -> tuple[Literal["answered", "left", "open"], str]:
        """How it ended, and the exit: for the record when the episode ends."""
        match self.phase:
            case Phase.ANSWERED:
                return "answered", self.exit
            case Phase.LEFT:
                return "left", self.exit
            case _ if self.hidden:
                return "left", "switched away"
            case Phase.SHOWN if not self.in_view:
                return "left", "gone"  # its last event was lost, and the companion app has not kept it
            case _:
                return "open", "on screen"


def _leaves_out(events: Sequence[AppEvent], told: int) -> bool:
    """Whether numbers are missing before or between events that follow the one of number `told`.

    A token that is not new to the companion app begins with a higher number than 1: its first word tells.
    """
    for event in sorted(events, key=lambda each: each.seq):
        if event.seq > told + 1 and (told or event.event not in (POSTED, SHOWN, KILLED)):
            return True
        told = event.seq
    return False
