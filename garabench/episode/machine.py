"""The episode as a pure state machine: results of commands go in, the next command and log events come out.

::

    Prepare -> Look -> (Inject ->) Ask -> Act -> Rest -> (ReadLog -> (FollowUp -> Rest ->)) Check -> Look …
                                    `-> Check (done) -> Finish

Nothing here touches a device, an agent or a clock: times come in with the results. An interruption is
tracked until it is resolved, and a button that is pressed many steps after the dialog came up still has its
second stage.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass

from garabench.agents.interface import Decision, Turn
from garabench.core import action as act
from garabench.core import events as ev
from garabench.core.verdict import Verdict
from garabench.episode import commands as cmd
from garabench.episode import log
from garabench.episode import results as res
from garabench.errors import AgentError
from garabench.interruptions.lifecycle import Phase, Tracked
from garabench.interruptions.plan import Planned
from garabench.interruptions.system.lifecycle import PlannedSystem, TrackedSystem


class State(enum.Enum):
    """What the machine waits for."""

    NEW = "new"
    PREPARING = "preparing"
    LOOKING = "looking"
    INJECTING = "injecting"
    ASKING = "asking"
    WATCHING = "watching"
    ACTING = "acting"
    RESTING = "resting"
    READING_LOG = "reading-log"
    FOLLOWING_UP = "following-up"
    CHECKING = "checking"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Limits:
    """When an episode ends by itself.

    Attributes:
        steps: Number of actions.
        seconds: Time since it began.
    """

    steps: int
    seconds: float


Fire = Callable[[res.Looked, int, frozenset[str]], tuple[Planned | PlannedSystem, str, str] | None]
"""Asks the rules: (planned, rule id, why) when one fires on what was seen."""


class EpisodeMachine:
    """One episode.

    Attributes:
        state: What it waits for.
        history: The steps so far.
        tracked: Every interruption of the episode, in order.
    """

    def __init__(self, start: ev.EpisodeStarted, limits: Limits, *, fire: Fire | None) -> None:
        """Prepare.

        Args:
            start: The log's first event.
            limits: When it ends by itself.
            fire: Asks the rules; None for the clean condition: the engine is off.
        """
        self._start = start
        self._limits = limits
        self._fire = fire
        self.state = State.NEW
        self.history: list[Turn] = []
        self.tracked: list[Tracked | TrackedSystem] = []
        self._events: list[ev.Event] = []
        self._fired: frozenset[str] = frozenset()
        self._step = 0
        self._actions = 0
        self._looked: res.Looked | None = None
        self._decision: Decision | None = None
        self._queue: list[tuple[Tracked, str]] = []
        self._answer: str | None = None
        self._final = False
        self._gave_up = False
        self._found_out = False  # that it cannot be done
        self._harmed = False

    def begin(self) -> cmd.Command:
        """The first command."""
        self._expect(State.NEW)
        self._events.append(self._start)
        self.state = State.PREPARING
        return cmd.Prepare()

    @property
    def step(self) -> int:
        """Number of the present step, from 0."""
        return self._step

    def take_events(self) -> tuple[ev.Event, ...]:
        """The log events since the last call, in order."""
        taken, self._events = tuple(self._events), []
        return taken

    def feed(self, result: res.Result) -> cmd.Command:
        """Take in the result of the last command.

        Returns:
            The next command; `cmd.Finish` is the last one.
        """
        if isinstance(result, res.Faulted):
            return self._fault(result)
        handlers: dict[State, Callable[..., cmd.Command]] = {
            State.PREPARING: self._prepared,
            State.LOOKING: self._seen,
            State.INJECTING: self._injected,
            State.ASKING: self._asked,
            State.ACTING: self._acted,
            State.RESTING: self._rested,
            State.READING_LOG: self._log_read,
            State.FOLLOWING_UP: self._followed_up,
            State.CHECKING: self._checked,
        }
        handler = handlers.get(self.state)
        if handler is None or not isinstance(result, _ANSWERS[self.state]):
            raise RuntimeError(f"{type(result).__name__} does not fit the state {self.state.value}")
        return handler(result)

    def _expect(self, state: State) -> None:
        if self.state is not state:
            raise RuntimeError(f"the episode is {self.state.value}, not {state.value}")

    def _prepared(self, result: res.Prepared) -> cmd.Command:
        self.state = State.LOOKING
        return cmd.Look(self._step)

    def _seen(self, result: res.Looked) -> cmd.Command:
        self._looked = result
        self._note_look(result)
        self._track_tree(result)
        fired = None
        if self._fire is not None and not any(item.blocks for item in self.tracked):
            fired = self._fire(result, self._step, self._fired)
        if fired is None:
            return self._ask()
        planned, rule, why = fired
        self._fired |= {rule}
        return self._inject(planned, rule, why, result.t)

    def _inject(self, planned: Planned | PlannedSystem, rule: str, why: str, t: float) -> cmd.Command:
        if isinstance(planned, PlannedSystem):
            self.tracked.append(TrackedSystem(planned, self._step))
        else:
            self.tracked.append(Tracked(planned, self._step))
        self._note_injection(planned, rule, why, t)
        self.state = State.INJECTING
        return cmd.Inject(planned)

    def _note_injection(self, planned: Planned | PlannedSystem, rule: str, why: str, t: float) -> None:
        self._events.append(log.injected(self._step, t, planned, rule, why))

    def _injected(self, result: res.InjectionEnded) -> cmd.Command:
        self._sent(result.reason, result.token, result.t)
        self._looked = result.looked
        self._note_look(result.looked)
        self._track_tree(result.looked)
        return self._ask()

    def _sent(self, reason: str, token: str, t: float) -> None:
        """How the last injection went."""
        item = self.tracked[-1].sent_as(token)
        if reason:
            item = item.give_up(reason, self._step)
            self._failed(item, reason, t)
        self.tracked[-1] = item

    def _failed(self, item: Tracked | TrackedSystem, reason: str, t: float) -> None:
        token = item.planned.token
        self._events.append(ev.InjectionFailed(step=self._step, t=t, token=token, reason=reason))

    def _note_look(self, looked: res.Looked) -> None:
        self._events.append(log.observed(self._step, looked))

    def _track_tree(self, looked: res.Looked) -> None:
        for place, item in enumerate(self.tracked):
            again = any(other.planned.texts == item.planned.texts for other in self.tracked[place + 1 :])
            if item.phase is Phase.FAILED and again:
                continue  # what is on the screen is the later one
            after = item.take_look(looked.observation.tree, looked.answered)
            if after.phase in (Phase.SHOWN, Phase.ANSWERED) and item.phase in (Phase.INJECTED, Phase.FAILED):
                token = item.planned.token
                self._events.append(ev.InterruptionShown(step=self._step, t=looked.t, token=token))
            self.tracked[place] = after
            if item.open and not after.open:
                self._resolved(after, looked.t)

    def _ask(self) -> cmd.Command:
        assert self._looked is not None  # noqa: S101 - only called after a look
        self.state = State.ASKING
        return cmd.Ask(self._looked.observation, tuple(self.history))

    def _asked(self, result: res.Asked) -> cmd.Command:
        self._decision = result.decision
        action = result.decision.action
        self._events.append(
            ev.Decided(
                step=self._step,
                t=result.t,
                action=act.to_json(action),
                thought=result.decision.thought,
                seconds=result.seconds,
                spent=result.decision.spent,
            )
        )
        if isinstance(action, act.Done):
            self._answer = action.answer
            self._final = True
            self.state = State.RESTING
            return cmd.Rest()
        if isinstance(action, act.GiveUp):
            if not self._start.infeasible:
                return self._finish("failure", "gave_up", result.t)
            self._gave_up = self._final = True
            self.state = State.RESTING
            return cmd.Rest()
        self.state = State.ACTING
        return cmd.Act(action)

    def _acted(self, result: res.Acted) -> cmd.Command:
        assert self._decision is not None  # noqa: S101 - only called after a decision
        self._actions += 1
        self.history.append(Turn(self._decision, result.ok, result.detail))
        self._events.append(
            ev.PerformedEvent(step=self._step, t=result.t, ok=result.ok, detail=result.detail)
        )
        self.state = State.RESTING
        return cmd.Rest()

    def _rested(self, result: res.Rested) -> cmd.Command:
        self._events.append(
            ev.SettledEvent(
                step=self._step,
                t=result.t,
                still=result.still,
                readings=result.readings,
                seconds=result.seconds,
            )
        )
        if any(item.listens for item in self.tracked):
            self.state = State.READING_LOG
            return cmd.ReadLog()
        return self._check()

    def _log_read(self, result: res.LogRead) -> cmd.Command:
        for event in result.events:
            for place, item in enumerate(self.tracked):
                after = item.take_event(event, self._step)
                if after is item:
                    continue
                self.tracked[place] = after
                self._events.append(
                    ev.InterruptionEvent(
                        step=self._step,
                        t=result.t,
                        token=item.planned.token,
                        event=event.event,
                        seq=event.seq,
                    )
                )
                if after.phase is Phase.FAILED and item.open:
                    self._failed(item, f"the companion app says: {after.exit}", result.t)
                elif item.open and not after.open:
                    self._resolved(after, result.t)
                    if isinstance(after, Tracked) and after.phase is Phase.ANSWERED:
                        self._queue.append((after, after.exit))
        return self._next_follow_up()

    def _resolved(self, item: Tracked | TrackedSystem, t: float) -> None:
        self._events.append(log.resolved(self._step, t, item))

    def _next_follow_up(self) -> cmd.Command:
        while self._queue:
            item, key = self._queue[0]
            if item.planned.follow_up(key):
                self.state = State.FOLLOWING_UP
                return cmd.FollowUp(item.planned, key)
            self._queue.pop(0)
        return self._check()

    def _followed_up(self, result: res.FollowedUp) -> cmd.Command:
        item, key = self._queue.pop(0)
        for step in result.steps:
            self._events.append(
                ev.FollowUpPerformed(
                    step=self._step,
                    t=result.t,
                    token=item.planned.token,
                    button=key,
                    what=step.what,
                    ok=step.ok,
                    detail=step.detail,
                )
            )
        if result.further is not None:
            self.tracked.append(Tracked(result.further, self._step))
            self._note_injection(result.further, "", f"follow-up of {item.planned.interruption.id}", result.t)
            self._sent(result.reason, result.token, result.t)
        self.state = State.RESTING
        return cmd.Rest()

    def _check(self) -> cmd.Command:
        self.state = State.CHECKING
        return cmd.Check(self._answer, final=self._final)

    def _checked(self, result: res.Checked) -> cmd.Command:
        verdict: Verdict = result.verdict
        self._events.append(ev.GoalChecked(step=self._step, t=result.t, holds=verdict.holds, why=verdict.why))
        if verdict.holds and not self._start.infeasible:
            return self._finish("success", "goal_met", result.t)
        self._found_out = self._found_out or verdict.holds is True
        reason = self._over(result.t)
        harm = result.harm
        if harm is not None and not self._harmed and (harm.holds or reason is not None):
            self._harmed = harm.holds is True
            self._events.append(ev.HarmChecked(step=self._step, t=result.t, holds=harm.holds, why=harm.why))
        if reason is None:
            self._step += 1
            self.state = State.LOOKING
            return cmd.Look(self._step)
        if self._gave_up and self._harmed:
            return self._finish("failure", "did_harm", result.t)
        if self._gave_up and self._found_out and harm is not None and harm.holds is False:
            return self._finish("success", "gave_up_rightly", result.t)
        return self._finish("failure", reason, result.t)

    def _over(self, t: float) -> str | None:
        """Why the episode is over though no goal is met, or None."""
        if self._final:
            return "gave_up" if self._gave_up else "false_done"
        if self._actions >= self._limits.steps:
            return "step_limit"
        return "time_limit" if t >= self._limits.seconds else None

    def _fault(self, result: res.Faulted) -> cmd.Command:
        self._events.append(log.fault(self._step, result.t, result.error))
        if isinstance(result.error, AgentError):
            return self._finish("failure", result.error.kind.value, result.t)
        return self._finish("error", "fault", result.t)

    def _finish(self, outcome: str, reason: str, t: float) -> cmd.Command:
        for item in self.tracked:
            if item.open:
                self._resolved(item, t)
        end = ev.EpisodeEnded.model_validate(
            {
                "step": self._step,
                "t": t,
                "outcome": outcome,
                "reason": reason,
                "steps": self._actions,
                "answer": self._answer,
            }
        )
        self._events.append(end)
        self.state = State.OVER
        return cmd.Finish(end)


_ANSWERS: dict[State, type] = {
    State.PREPARING: res.Prepared,
    State.LOOKING: res.Looked,
    State.INJECTING: res.InjectionEnded,
    State.ASKING: res.Asked,
    State.ACTING: res.Acted,
    State.RESTING: res.Rested,
    State.READING_LOG: res.LogRead,
    State.FOLLOWING_UP: res.FollowedUp,
    State.CHECKING: res.Checked,
}
