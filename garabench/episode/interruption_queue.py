"""The interruptions of one episode: which is injected next, and how each ends; pure.

A rule may inject a sequence: each interruption is injected once the previous one no longer blocks the agent
and its follow-up has ended, or once it could not be shown. If the run requests a number of interruptions, the
next one waits until the agent has acted in the app since the last one, and none is injected beyond that
number.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from garabench.core import events as ev
from garabench.core.injection import Delivery, FailureKind
from garabench.episode import command_results as res
from garabench.episode import event_builders
from garabench.interruptions.lifecycle import CompanionEvent, Phase, TrackedInterruption
from garabench.interruptions.planned_interruption import PlannedInterruption
from garabench.interruptions.system.tracker import PlannedAnomaly, TrackedAnomaly


@dataclass(frozen=True, slots=True)
class RuleContext:
    """The context in which the rules are evaluated.

    Attributes:
        step: Number of the step, from 0.
        fired: Ids of the rules that have fired.
        actions: Number of performed actions, by kind.
        extended: Whether rules may fire again, and additional rules of the app may fire.
    """

    step: int
    fired: frozenset[str] = frozenset()
    actions: Mapping[str, int] | None = None
    extended: bool = False


@dataclass(frozen=True, slots=True)
class FiredRule:
    """A rule that fired.

    Attributes:
        planned: The interruptions that it injects, in order.
        rule: Its id.
        reason: Why it fired.
    """

    planned: tuple[PlannedInterruption | PlannedAnomaly, ...]
    rule: str
    reason: str


FireRules = Callable[[res.ScreenObserved, RuleContext], FiredRule | None]
"""Evaluates the rules on an observation."""


@dataclass(frozen=True, slots=True)
class _Pending:
    """Interruption of a sequence that is still to be injected."""

    planned: PlannedInterruption | PlannedAnomaly
    rule: str
    reason: str
    position: int


class InterruptionQueue:
    """All interruptions of an episode.

    Attributes:
        tracked: The injected interruptions, in order.
    """

    def __init__(
        self, fire: FireRules | None, record: Callable[[ev.Event], None], *, target: int | None
    ) -> None:
        """Create an empty queue.

        Args:
            fire: Evaluates the rules; None under the clean condition.
            record: Receives the events to record.
            target: Requested number of interruptions; None if the rules alone decide.
        """
        self._fire = fire
        self._record = record
        self._target = target
        self.tracked: list[TrackedInterruption | TrackedAnomaly] = []
        self._fired: frozenset[str] = frozenset()
        self._rule_tokens: set[str] = set()
        self._sequence: deque[_Pending] = deque()
        self._actions: Counter[str] = Counter()
        self._in_app = True
        self._free_actions = 0  # actions in the app that no interruption blocked
        self._free_actions_at_last = -1  # their number when the last interruption began or ended
        self._follow_ups: deque[tuple[TrackedInterruption, str]] = deque()

    @property
    def expects_events(self) -> bool:
        """Whether the companion app may log events of an interruption."""
        return any(item.expects_events for item in self.tracked)

    @property
    def shown_count(self) -> int:
        """Number of interruptions injected by rules, not by follow-ups, that have not failed."""
        by_rules = (item for item in self.tracked if item.planned.token in self._rule_tokens)
        return sum(item.phase is not Phase.FAILED for item in by_rules)

    def action_performed(self, kind: str) -> None:
        """Count an action of the agent."""
        self._actions[kind] += 1
        self._free_actions += self._in_app and not self._blocked()

    def next(self, observed: res.ScreenObserved, step: int) -> PlannedInterruption | PlannedAnomaly | None:
        """Return the interruption to inject now, or None: the next of a sequence, or that of a rule."""
        package = observed.observation.focus.package
        self._in_app = not self.tracked or package == self.tracked[-1].planned.app
        if self._blocked():
            return None
        if self._sequence:
            return self.next_in_sequence(step, observed.t)
        if self._fire is None or not self._may_fire():
            return None
        extended = self._target is not None and bool(self._fired)
        fired = self._fire(observed, RuleContext(step, self._fired, dict(self._actions), extended))
        if fired is None:
            return None
        self._fired |= {fired.rule}
        single = len(fired.planned) == 1
        for position, planned in enumerate(fired.planned, start=1):
            self._sequence.append(_Pending(planned, fired.rule, fired.reason, 0 if single else position))
        return self.next_in_sequence(step, observed.t)

    def next_in_sequence(self, step: int, t: float) -> PlannedInterruption | PlannedAnomaly | None:
        """Return the next interruption of a sequence, unless an interruption blocks the agent."""
        if self._blocked() or not self._sequence:
            return None
        if self._remaining() == 0:
            self._sequence.clear()  # the requested number has been shown
            return None
        pending = self._sequence.popleft()
        self._rule_tokens.add(pending.planned.token)
        self._track(pending.planned, step)
        self._record(
            event_builders.injected(step, t, pending.planned, pending.rule, pending.reason, pending.position)
        )
        return pending.planned

    def delivered(self, delivery: Delivery, step: int, t: float) -> None:
        """Process the delivery of the last injection."""
        item = self.tracked[-1].with_delivery(delivery)
        if delivery.kind is not None:
            item = item.with_failure(delivery.reason, step)
            self._record(event_builders.failed(step, t, item, delivery.reason, delivery.kind))
        self.tracked[-1] = item

    def update(self, observed: res.ScreenObserved, step: int) -> None:
        """Update all interruptions by an observation."""
        for position, item in enumerate(self.tracked):
            superseded = any(
                other.planned.texts == item.planned.texts for other in self.tracked[position + 1 :]
            )
            if item.phase is Phase.FAILED and superseded:
                continue  # the one on screen is a later one with the same texts
            after = item.with_observation(observed.observation.tree, observed.answered)
            if after.phase in (Phase.SHOWN, Phase.ANSWERED) and item.phase in (Phase.INJECTED, Phase.FAILED):
                self._record(event_builders.shown(step, observed.t, item))
            self.tracked[position] = after
            if item.open and not after.open:
                self._record_end(after, step, observed.t)

    def incomplete(self, read: res.LogRead) -> tuple[str, ...]:
        """Return the tokens of the interruptions of which logcat may have lost an event."""
        items = (item for item in self.tracked if isinstance(item, TrackedInterruption))
        return tuple(
            item.token
            for item in items
            if item.may_have_lost_events(read.events, read.tree, cleared=read.cleared)
        )

    def merge_events(
        self, from_logcat: Sequence[CompanionEvent], from_companion: Sequence[CompanionEvent]
    ) -> tuple[CompanionEvent, ...]:
        """Merge the events of logcat and of the companion app's own log, in order."""
        merged, positions = list(from_logcat), dict[str, int]()
        for position, item in enumerate(self.tracked):
            if not isinstance(item, TrackedInterruption):
                continue
            positions |= {item.planned.token: position, item.token: position}
            if lost := item.lost_events(from_logcat, from_companion):
                self.tracked[position] = replace(item, trimmed=True)
                merged += lost
        return tuple(sorted(merged, key=lambda event: (positions.get(event.token, -1), event.seq)))

    def take_events(self, events: Sequence[CompanionEvent], step: int, t: float) -> None:
        """Process events of the companion app."""
        for event in events:
            for position, item in enumerate(self.tracked):
                after = item.with_event(event, step)
                if after is item:
                    continue
                self.tracked[position] = after
                self._record(event_builders.companion_event(step, t, item, event))
                if after.phase is Phase.FAILED and item.open:
                    reason = f"the companion app reported: {after.exit}"
                    self._record(event_builders.failed(step, t, item, reason, FailureKind.BAD_SPEC))
                elif item.open and not after.open:
                    self._record_end(after, step, t)
                    if isinstance(after, TrackedInterruption) and after.phase is Phase.ANSWERED:
                        self._follow_ups.append((after, after.exit))

    def follow_up(self) -> tuple[TrackedInterruption, str] | None:
        """Return the next interruption whose pressed button has a follow-up, and the button's key."""
        while self._follow_ups and not self._follow_ups[0][0].planned.follow_up(self._follow_ups[0][1]):
            self._follow_ups.popleft()
        return self._follow_ups[0] if self._follow_ups else None

    def follow_up_ended(self, result: res.FollowUpEnded, step: int) -> None:
        """Process the end of a follow-up, and the interruption that it injected."""
        item, key = self._follow_ups.popleft()
        for each in event_builders.follow_up_events(step, item, key, result):
            self._record(each)
        if result.injected is not None:
            self._track(result.injected, step)
            reason = f"follow-up of {item.planned.interruption.id}"
            self._record(event_builders.injected(step, result.t, result.injected, "", reason))
            self.delivered(result.delivery, step, result.t)

    def end(self, step: int, t: float) -> None:
        """Record the end of the open interruptions; those that never appeared have failed."""
        for item in self.tracked:
            if item.phase is Phase.INJECTED:
                reason = "the episode ended before it was seen"
                self._record(event_builders.failed(step, t, item, reason, FailureKind.LOST_DEVICE))
            elif item.open:
                self._record(event_builders.resolved(step, t, item))

    def _track(self, planned: PlannedInterruption | PlannedAnomaly, step: int) -> None:
        if isinstance(planned, PlannedAnomaly):
            self.tracked.append(TrackedAnomaly(planned, step))
        else:
            self.tracked.append(TrackedInterruption(planned, step))
        self._free_actions_at_last = self._free_actions

    def _record_end(self, item: TrackedInterruption | TrackedAnomaly, step: int, t: float) -> None:
        self._free_actions_at_last = self._free_actions
        self._record(event_builders.resolved(step, t, item))

    def _blocked(self) -> bool:
        return any(item.blocks for item in self.tracked)

    def _remaining(self) -> int | None:
        """Return the number of interruptions that may still be injected; None if there is no target."""
        if self._target is None:
            return None
        return max(0, self._target - self.shown_count)

    def _may_fire(self) -> bool:
        if self._target is None:
            return True
        return self._remaining() != 0 and self._free_actions > self._free_actions_at_last
