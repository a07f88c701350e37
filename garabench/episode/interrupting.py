"""The interruptions of one episode: which comes next, and what becomes of each; pure.

A rule may inject several in a row: each is sent when the one before stands in the agent's way no more and
its second stage is over, or when it could not be shown. Where a run asks for a number of interruptions, none
comes before the agent has acted in the app since the last one was over, and none after that number was shown.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from garabench.core import events as ev
from garabench.core.injection import FailureKind, Sent
from garabench.episode import log
from garabench.episode import results as res
from garabench.interruptions.lifecycle import AppEvent, Phase, Tracked
from garabench.interruptions.plan import Planned
from garabench.interruptions.system.lifecycle import PlannedSystem, TrackedSystem


@dataclass(frozen=True, slots=True)
class Moment:
    """When the rules are asked.

    Attributes:
        step: Number of the step, from 0.
        fired: Ids of the rules that have fired.
        actions: The actions that were performed, by kind.
        more: Whether rules may come that would not by themselves: again, or others of the app.
    """

    step: int
    fired: frozenset[str] = frozenset()
    actions: Mapping[str, int] | None = None
    more: bool = False


@dataclass(frozen=True, slots=True)
class Fired:
    """A rule that fired.

    Attributes:
        planned: What it injects, in a row.
        rule: Its id.
        why: Why it fired.
    """

    planned: tuple[Planned | PlannedSystem, ...]
    rule: str
    why: str


Fire = Callable[[res.Looked, Moment], Fired | None]
"""Asks the rules about what was seen."""


@dataclass(frozen=True, slots=True)
class _Next:
    """One of several in a row that is still to come."""

    planned: Planned | PlannedSystem
    rule: str
    why: str
    place: int


class Interruptions:
    """Every interruption of an episode.

    Attributes:
        tracked: All that were sent, in order.
    """

    def __init__(self, fire: Fire | None, note: Callable[[ev.Event], None], *, wanted: int | None) -> None:
        """Prepare.

        Args:
            fire: Asks the rules; None for the clean condition: the engine is off.
            note: Takes what is to be recorded.
            wanted: How many the run asks for; None where the rules alone decide.
        """
        self._fire = fire
        self._note = note
        self._wanted = wanted
        self.tracked: list[Tracked | TrackedSystem] = []
        self._fired: frozenset[str] = frozenset()
        self._of_rules: set[str] = set()
        self._row: deque[_Next] = deque()
        self._actions: Counter[str] = Counter()
        self._in_app = True
        self._turns = 0  # actions of the agent in the app, with no interruption before it
        self._turns_then = -1  # at the last one's begin and end
        self._queue: deque[tuple[Tracked, str]] = deque()

    @property
    def listens(self) -> bool:
        """Whether the companion app may tell something of one of them."""
        return any(item.listens for item in self.tracked)

    @property
    def shown(self) -> int:
        """How many were sent that have not failed, without those that a button leads to."""
        of_rules = (item for item in self.tracked if item.planned.token in self._of_rules)
        return sum(item.phase is not Phase.FAILED for item in of_rules)

    def acted(self, kind: str) -> None:
        """The agent has performed an action."""
        self._actions[kind] += 1
        self._turns += self._in_app and not self._blocked()

    def next(self, looked: res.Looked, step: int) -> Planned | PlannedSystem | None:
        """What is to be sent now, or None: the next one in a row, or what a rule injects."""
        package = looked.observation.focus.package
        self._in_app = not self.tracked or package == self.tracked[-1].planned.app
        if self._blocked():
            return None
        if self._row:
            return self.next_in_row(step, looked.t)
        if self._fire is None or not self._lets_another_come():
            return None
        more = self._wanted is not None and bool(self._fired)
        fired = self._fire(looked, Moment(step, self._fired, dict(self._actions), more))
        if fired is None:
            return None
        self._fired |= {fired.rule}
        alone = len(fired.planned) == 1
        for place, planned in enumerate(fired.planned, start=1):
            self._row.append(_Next(planned, fired.rule, fired.why, 0 if alone else place))
        return self.next_in_row(step, looked.t)

    def next_in_row(self, step: int, t: float) -> Planned | PlannedSystem | None:
        """The next one of those in a row, when nothing stands in the agent's way."""
        if self._blocked() or not self._row:
            return None
        if self._left() == 0:
            self._row.clear()  # as many were shown as were asked for
            return None
        each = self._row.popleft()
        self._of_rules.add(each.planned.token)
        self._send(each.planned, step)
        self._note(log.injected(step, t, each.planned, each.rule, each.why, each.place))
        return each.planned

    def sent(self, sent: Sent, step: int, t: float) -> None:
        """How the last injection went."""
        item = self.tracked[-1].sent_as(sent)
        if sent.kind is not None:
            item = item.give_up(sent.reason, step)
            self._note(log.failed(step, t, item, sent.reason, sent.kind))
        self.tracked[-1] = item

    def look(self, looked: res.Looked, step: int) -> None:
        """Take in what is on the screen."""
        for place, item in enumerate(self.tracked):
            again = any(other.planned.texts == item.planned.texts for other in self.tracked[place + 1 :])
            if item.phase is Phase.FAILED and again:
                continue  # what is on the screen is the later one
            after = item.take_look(looked.observation.tree, looked.answered)
            if after.phase in (Phase.SHOWN, Phase.ANSWERED) and item.phase in (Phase.INJECTED, Phase.FAILED):
                self._note(log.shown(step, looked.t, item))
            self.tracked[place] = after
            if item.open and not after.open:
                self._over(after, step, looked.t)

    def missed(self, read: res.LogRead) -> tuple[str, ...]:
        """The tokens of those of which the log may have lost an event."""
        items = (item for item in self.tracked if isinstance(item, Tracked))
        return tuple(
            item.token for item in items if item.missed(read.events, read.tree, cleared=read.cleared)
        )

    def completed(self, heard: Sequence[AppEvent], kept: Sequence[AppEvent]) -> tuple[AppEvent, ...]:
        """What the log gave, with what it has lost and the companion app has kept; each once, in order."""
        whole, places = list(heard), dict[str, int]()
        for place, item in enumerate(self.tracked):
            if not isinstance(item, Tracked):
                continue
            places |= {item.planned.token: place, item.token: place}
            if lost := item.lost(heard, kept):
                self.tracked[place] = replace(item, trimmed=True)
                whole += lost
        return tuple(sorted(whole, key=lambda event: (places.get(event.token, -1), event.seq)))

    def hear(self, events: Sequence[AppEvent], step: int, t: float) -> None:
        """Take in what the companion app told."""
        for event in events:
            for place, item in enumerate(self.tracked):
                after = item.take_event(event, step)
                if after is item:
                    continue
                self.tracked[place] = after
                self._note(log.told(step, t, item, event))
                if after.phase is Phase.FAILED and item.open:
                    reason = f"the companion app says: {after.exit}"
                    self._note(log.failed(step, t, item, reason, FailureKind.BAD_SPEC))
                elif item.open and not after.open:
                    self._over(after, step, t)
                    if isinstance(after, Tracked) and after.phase is Phase.ANSWERED:
                        self._queue.append((after, after.exit))

    def follow_up(self) -> tuple[Tracked, str] | None:
        """The next button whose second stage is to be performed, and the interruption it is of."""
        while self._queue and not self._queue[0][0].planned.follow_up(self._queue[0][1]):
            self._queue.popleft()
        return self._queue[0] if self._queue else None

    def followed_up(self, result: res.FollowedUp, step: int) -> None:
        """Take in the second stage's end, and the further interruption that it showed."""
        item, key = self._queue.popleft()
        for each in log.followed_up(step, item, key, result):
            self._note(each)
        if result.further is not None:
            self._send(result.further, step)
            why = f"follow-up of {item.planned.interruption.id}"
            self._note(log.injected(step, result.t, result.further, "", why))
            self.sent(result.sent, step, result.t)

    def end(self, step: int, t: float) -> None:
        """Tell how those that are still open are left; one that was never seen has failed."""
        for item in self.tracked:
            if item.phase is Phase.INJECTED:
                reason = "the episode ended before it was seen"
                self._note(log.failed(step, t, item, reason, FailureKind.LOST_DEVICE))
            elif item.open:
                self._note(log.resolved(step, t, item))

    def _send(self, planned: Planned | PlannedSystem, step: int) -> None:
        if isinstance(planned, PlannedSystem):
            self.tracked.append(TrackedSystem(planned, step))
        else:
            self.tracked.append(Tracked(planned, step))
        self._turns_then = self._turns

    def _over(self, item: Tracked | TrackedSystem, step: int, t: float) -> None:
        self._turns_then = self._turns
        self._note(log.resolved(step, t, item))

    def _blocked(self) -> bool:
        return any(item.blocks for item in self.tracked)

    def _left(self) -> int | None:
        """How many more may come; None where nobody counts."""
        if self._wanted is None:
            return None
        return max(0, self._wanted - self.shown)

    def _lets_another_come(self) -> bool:
        if self._wanted is None:
            return True
        return self._left() != 0 and self._turns > self._turns_then
