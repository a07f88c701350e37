"""The interruptions of one episode: which is injected next, and how each ends; pure.

A rule may inject a sequence: each interruption is sent once the previous one no longer blocks the agent and
its follow-up has ended, or when it could not be shown. If the run asks for a number of interruptions, the
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
from garabench.episode import event_log
from garabench.interruptions.lifecycle import CompanionEvent, Phase, TrackedInterruption
from garabench.interruptions.planned_interruption import PlannedInterruption
from garabench.interruptions.system.lifecycle import PlannedAnomaly, TrackedAnomaly


@dataclass(frozen=True, slots=True)
class RuleContext:
    """The context in which the rules are evaluated.

    Attributes:
        step: Number of the step, from 0.
        fired: Ids of the rules that have fired.
        actions: Numbers of performed actions, by kind.
        extended: Whether rules may fire again, and additional rules of the app may fire too.
    """

    step: int
    fired: frozenset[str] = frozenset()
    actions: Mapping[str, int] | None = None
    extended: bool = False


@dataclass(frozen=True, slots=True)
class FiredRule:
    """A rule that fired.

    Attributes:
        planned: What it injects, in order.
        rule: Its id.
        why: Why it fired.
    """

    planned: tuple[PlannedInterruption | PlannedAnomaly, ...]
    rule: str
    why: str


FireRules = Callable[[res.ScreenObserved, RuleContext], FiredRule | None]
"""Evaluates the rules on an observation."""


@dataclass(frozen=True, slots=True)
class _Next:
    """A member of a sequence that is still to be injected."""

    planned: PlannedInterruption | PlannedAnomaly
    rule: str
    why: str
    place: int


class InterruptionQueue:
    """Every interruption of an episode.

    Attributes:
        tracked: All interruptions that were sent, in order.
    """

    def __init__(
        self, fire: FireRules | None, note: Callable[[ev.Event], None], *, target: int | None
    ) -> None:
        """Prepare.

        Args:
            fire: Evaluates the rules; None under the clean condition.
            note: Receives the events to record.
            target: How many the run asks for; None where the rules alone decide.
        """
        self._fire = fire
        self._note = note
        self._target = target
        self.tracked: list[TrackedInterruption | TrackedAnomaly] = []
        self._fired: frozenset[str] = frozenset()
        self._of_rules: set[str] = set()
        self._row: deque[_Next] = deque()
        self._actions: Counter[str] = Counter()
        self._in_app = True
        self._turns = 0  # actions of the agent in the app, with no interruption before it
        self._turns_at_last = -1  # at the last one's begin and end
        self._queue: deque[tuple[TrackedInterruption, str]] = deque()

    @property
    def expects_events(self) -> bool:
        """Whether the companion app may log events of any of them."""
        return any(item.expects_events for item in self.tracked)

    @property
    def shown_count(self) -> int:
        """Number of interruptions by rules (not by follow-ups) that were sent and have not failed."""
        of_rules = (item for item in self.tracked if item.planned.token in self._of_rules)
        return sum(item.phase is not Phase.FAILED for item in of_rules)

    def acted(self, kind: str) -> None:
        """Take in an action of the agent."""
        self._actions[kind] += 1
        self._turns += self._in_app and not self._blocked()

    def next(self, looked: res.ScreenObserved, step: int) -> PlannedInterruption | PlannedAnomaly | None:
        """Return what to inject now, or None: the next one in a sequence, or that of a rule."""
        package = looked.observation.focus.package
        self._in_app = not self.tracked or package == self.tracked[-1].planned.app
        if self._blocked():
            return None
        if self._row:
            return self.next_in_sequence(step, looked.t)
        if self._fire is None or not self._lets_another_come():
            return None
        more = self._target is not None and bool(self._fired)
        fired = self._fire(looked, RuleContext(step, self._fired, dict(self._actions), more))
        if fired is None:
            return None
        self._fired |= {fired.rule}
        alone = len(fired.planned) == 1
        for place, planned in enumerate(fired.planned, start=1):
            self._row.append(_Next(planned, fired.rule, fired.why, 0 if alone else place))
        return self.next_in_sequence(step, looked.t)

    def next_in_sequence(self, step: int, t: float) -> PlannedInterruption | PlannedAnomaly | None:
        """Return the next one in a sequence, unless an interruption blocks the agent."""
        if self._blocked() or not self._row:
            return None
        if self._left() == 0:
            self._row.clear()  # the requested number has been shown
            return None
        each = self._row.popleft()
        self._of_rules.add(each.planned.token)
        self._send(each.planned, step)
        self._note(event_log.injected(step, t, each.planned, each.rule, each.why, each.place))
        return each.planned

    def sent(self, sent: Delivery, step: int, t: float) -> None:
        """Take in the delivery of the last injection."""
        item = self.tracked[-1].with_delivery(sent)
        if sent.kind is not None:
            item = item.with_failure(sent.reason, step)
            self._note(event_log.failed(step, t, item, sent.reason, sent.kind))
        self.tracked[-1] = item

    def take_observation(self, looked: res.ScreenObserved, step: int) -> None:
        """Take in an observation."""
        for place, item in enumerate(self.tracked):
            again = any(other.planned.texts == item.planned.texts for other in self.tracked[place + 1 :])
            if item.phase is Phase.FAILED and again:
                continue  # the screen shows the later one
            after = item.with_observation(looked.observation.tree, looked.answered)
            if after.phase in (Phase.SHOWN, Phase.ANSWERED) and item.phase in (Phase.INJECTED, Phase.FAILED):
                self._note(event_log.shown(step, looked.t, item))
            self.tracked[place] = after
            if item.open and not after.open:
                self._over(after, step, looked.t)

    def incomplete(self, read: res.LogRead) -> tuple[str, ...]:
        """Return the tokens of the interruptions of which the log may have lost an event."""
        items = (item for item in self.tracked if isinstance(item, TrackedInterruption))
        return tuple(
            item.token
            for item in items
            if item.may_have_lost_events(read.events, read.tree, cleared=read.cleared)
        )

    def merge_events(
        self, heard: Sequence[CompanionEvent], kept: Sequence[CompanionEvent]
    ) -> tuple[CompanionEvent, ...]:
        """Merge the events of logcat (`heard`) and of the companion app's log (`kept`), in order."""
        whole, places = list(heard), dict[str, int]()
        for place, item in enumerate(self.tracked):
            if not isinstance(item, TrackedInterruption):
                continue
            places |= {item.planned.token: place, item.token: place}
            if lost := item.lost_events(heard, kept):
                self.tracked[place] = replace(item, trimmed=True)
                whole += lost
        return tuple(sorted(whole, key=lambda event: (places.get(event.token, -1), event.seq)))

    def take_events(self, events: Sequence[CompanionEvent], step: int, t: float) -> None:
        """Take in events of the companion app."""
        for event in events:
            for place, item in enumerate(self.tracked):
                after = item.with_event(event, step)
                if after is item:
                    continue
                self.tracked[place] = after
                self._note(event_log.companion_event(step, t, item, event))
                if after.phase is Phase.FAILED and item.open:
                    reason = f"the companion app reported: {after.exit}"
                    self._note(event_log.failed(step, t, item, reason, FailureKind.BAD_SPEC))
                elif item.open and not after.open:
                    self._over(after, step, t)
                    if isinstance(after, TrackedInterruption) and after.phase is Phase.ANSWERED:
                        self._queue.append((after, after.exit))

    def follow_up(self) -> tuple[TrackedInterruption, str] | None:
        """Return the next interruption with a pressed button that has a follow-up, and the button's key."""
        while self._queue and not self._queue[0][0].planned.follow_up(self._queue[0][1]):
            self._queue.popleft()
        return self._queue[0] if self._queue else None

    def followed_up(self, result: res.FollowUpEnded, step: int) -> None:
        """Take in the end of a follow-up, and the interruption that it injected."""
        item, key = self._queue.popleft()
        for each in event_log.follow_up_steps(step, item, key, result):
            self._note(each)
        if result.further is not None:
            self._send(result.further, step)
            why = f"follow-up of {item.planned.interruption.id}"
            self._note(event_log.injected(step, result.t, result.further, "", why))
            self.sent(result.sent, step, result.t)

    def end(self, step: int, t: float) -> None:
        """Record the interruptions that are still open; one that was never seen has failed."""
        for item in self.tracked:
            if item.phase is Phase.INJECTED:
                reason = "the episode ended before it was seen"
                self._note(event_log.failed(step, t, item, reason, FailureKind.LOST_DEVICE))
            elif item.open:
                self._note(event_log.resolved(step, t, item))

    def _send(self, planned: PlannedInterruption | PlannedAnomaly, step: int) -> None:
        if isinstance(planned, PlannedAnomaly):
            self.tracked.append(TrackedAnomaly(planned, step))
        else:
            self.tracked.append(TrackedInterruption(planned, step))
        self._turns_at_last = self._turns

    def _over(self, item: TrackedInterruption | TrackedAnomaly, step: int, t: float) -> None:
        self._turns_at_last = self._turns
        self._note(event_log.resolved(step, t, item))

    def _blocked(self) -> bool:
        return any(item.blocks for item in self.tracked)

    def _left(self) -> int | None:
        """Return how many more may be injected; None if there is no target."""
        if self._target is None:
            return None
        return max(0, self._target - self.shown_count)

    def _lets_another_come(self) -> bool:
        if self._target is None:
            return True
        return self._left() != 0 and self._turns > self._turns_at_last
