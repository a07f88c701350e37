"""The episode as a pure state machine: command results go in, the next command and log events come out.

::

    PrepareDevice -> ObserveScreen -> (InjectInterruption ->) RequestDecision -> PerformAction -> Settle
        -> (ReadLog -> (PerformFollowUp -> Settle ->)) CheckGoal -> ObserveScreen …

After the agent has ended, RequestDecision is followed by Settle, CheckGoal and FinishEpisode. Nothing here
touches a device, an agent or a clock: times come with the results. An interruption is tracked until it is
resolved, and the follow-up of a button is performed however late the button is pressed: see
`garabench.episode.interruption_queue`. If logcat has lost an event, ReadCompanionLog follows ReadLog.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from garabench.agents.interface import Decision, Turn
from garabench.core import action as act
from garabench.core import events as ev
from garabench.core.end_criterion import EndCriterion
from garabench.core.evaluate import Verdict
from garabench.episode import command_results as res
from garabench.episode import commands as cmd
from garabench.episode import event_builders
from garabench.episode.interruption_queue import FireRules, InterruptionQueue
from garabench.errors import AgentError, DeviceError
from garabench.interruptions.lifecycle import CompanionEvent, TrackedInterruption
from garabench.interruptions.planned_interruption import PlannedInterruption
from garabench.interruptions.system.tracker import PlannedAnomaly, TrackedAnomaly


class MachineState(enum.Enum):
    """State of an episode's machine: the command whose result it awaits."""

    NEW = "new"
    PREPARING = "preparing"
    OBSERVING = "observing"
    INJECTING = "injecting"
    DECIDING = "deciding"
    WATCHING = "watching"
    PERFORMING = "performing"
    SETTLING = "settling"
    READING_LOG = "reading-log"
    READING_COMPANION_LOG = "reading-companion-log"
    FOLLOWING_UP = "following-up"
    CHECKING_GOAL = "checking-goal"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class EpisodeLimits:
    """The limits of an episode.

    Attributes:
        steps: Maximum number of actions.
        seconds: Maximum duration.
        expected_interruptions: Number of interruptions for which `steps` allows.
        steps_per_interruption: Additional actions for each additional interruption.
    """

    steps: int
    seconds: float
    expected_interruptions: int = 0
    steps_per_interruption: int = 0


class EpisodeMachine:
    """State machine of one episode.

    Attributes:
        state: Its state.
        history: The steps so far.
    """

    def __init__(self, start: ev.EpisodeStarted, limits: EpisodeLimits, *, fire: FireRules | None) -> None:
        """Create the machine; `begin` starts it.

        Args:
            start: First event of the log, which contains the requested number of interruptions.
            limits: The limits.
            fire: Evaluates the rules; None under the clean condition.
        """
        self._start = start
        self._limits = limits
        self.state = MachineState.NEW
        self.history: list[Turn] = []
        self._events: list[ev.Event] = []
        self._interruptions = InterruptionQueue(fire, self._record, target=start.interruptions)
        self._step = 0
        self._actions = 0
        self._observed: res.ScreenObserved | None = None
        self._decision: Decision | None = None
        self._logcat_events: tuple[CompanionEvent, ...] = ()
        self._answer: str | None = None
        self._final = False
        self._gave_up = False
        self._saw_infeasibility = False
        self._harmed = False
        self._met_during_fault = ""  # the fault, while a success is checked again

    def begin(self) -> cmd.Command:
        """Start the episode and return the first command."""
        self._expect(MachineState.NEW)
        self._record(self._start)
        self.state = MachineState.PREPARING
        return cmd.PrepareDevice()

    def set_limits(self, limits: EpisodeLimits) -> None:
        """Replace the limits, in an episode that continues from a mark."""
        self._limits = limits

    @property
    def step(self) -> int:
        """Number of the current step, from 0."""
        return self._step

    @property
    def tracked(self) -> Sequence[TrackedInterruption | TrackedAnomaly]:
        """All interruptions of the episode, in order."""
        return self._interruptions.tracked

    def take_events(self) -> tuple[ev.Event, ...]:
        """Return the log events since the last call, in order."""
        events, self._events = tuple(self._events), []
        return events

    def feed(self, result: res.CommandResult) -> cmd.Command:
        """Process the result of the last command.

        Returns:
            The next command; the last one is `FinishEpisode`.
        """
        if isinstance(result, res.CommandFailed):
            return self._on_failure(result)
        handlers: dict[MachineState, Callable[..., cmd.Command]] = {
            MachineState.PREPARING: self._on_prepared,
            MachineState.OBSERVING: self._on_observed,
            MachineState.INJECTING: self._on_injected,
            MachineState.DECIDING: self._on_decided,
            MachineState.PERFORMING: self._on_performed,
            MachineState.SETTLING: self._on_settled,
            MachineState.READING_LOG: self._on_log_read,
            MachineState.READING_COMPANION_LOG: self._on_companion_log_read,
            MachineState.FOLLOWING_UP: self._on_follow_up_ended,
            MachineState.CHECKING_GOAL: self._on_goal_checked,
        }
        handler = handlers.get(self.state)
        if handler is None or not isinstance(result, _RESULT_TYPES[self.state]):
            raise RuntimeError(f"{type(result).__name__} does not fit the state {self.state.value}")
        return handler(result)

    def _expect(self, state: MachineState) -> None:
        if self.state is not state:
            raise RuntimeError(f"the episode's state is {self.state.value}, not {state.value}")

    def _on_prepared(self, result: res.DevicePrepared) -> cmd.Command:
        self.state = MachineState.OBSERVING
        return cmd.ObserveScreen(self._step)

    def _on_observed(self, result: res.ScreenObserved) -> cmd.Command:
        self._observe(result)
        return self._inject(self._interruptions.next(result, self._step))

    def _inject(self, planned: PlannedInterruption | PlannedAnomaly | None) -> cmd.Command:
        if planned is None:
            return self._request_decision()
        self.state = MachineState.INJECTING
        return cmd.InjectInterruption(planned)

    def _on_injected(self, result: res.InjectionEnded) -> cmd.Command:
        self._interruptions.delivered(result.delivery, self._step, result.t)
        self._observe(result.observed)
        return self._inject(self._interruptions.next_in_sequence(self._step, result.observed.t))

    def _observe(self, observed: res.ScreenObserved) -> None:
        self._observed = observed
        self._record(event_builders.observed(self._step, observed))
        self._interruptions.update(observed, self._step)

    def _record(self, event: ev.Event) -> None:
        self._events.append(event)

    def _request_decision(self) -> cmd.Command:
        assert self._observed is not None  # noqa: S101 - only called after an observation
        self.state = MachineState.DECIDING
        return cmd.RequestDecision(self._observed.observation, tuple(self.history))

    def _on_decided(self, result: res.AgentDecided) -> cmd.Command:
        self._decision = result.decision
        action = result.decision.action
        self._record(
            ev.Decided(
                step=self._step,
                t=result.t,
                action=act.to_json(action),
                thought=result.decision.thought,
                seconds=result.seconds,
                usage=result.decision.usage,
            )
        )
        if isinstance(action, act.Done):
            self._answer = action.answer
            self._final = True
            self.state = MachineState.SETTLING
            return cmd.Settle(last=True)
        if isinstance(action, act.GiveUp):
            if not self._start.infeasible:
                return self._finish("failure", "gave_up", result.t)
            self._gave_up = self._final = True
            self.state = MachineState.SETTLING
            return cmd.Settle(last=True)
        self.state = MachineState.PERFORMING
        return cmd.PerformAction(action)

    def _on_performed(self, result: res.ActionPerformed) -> cmd.Command:
        assert self._decision is not None  # noqa: S101 - only called after a decision
        self._actions += 1
        if result.ok:
            self._interruptions.action_performed(self._decision.action.type)
        self.history.append(Turn(self._decision, result.ok, result.detail))
        self._record(ev.PerformedEvent(step=self._step, t=result.t, ok=result.ok, detail=result.detail))
        self.state = MachineState.SETTLING
        return cmd.Settle()

    def _on_settled(self, result: res.ScreenSettled) -> cmd.Command:
        self._record(
            ev.SettledEvent(
                step=self._step,
                t=result.t,
                still=result.still,
                readings=result.readings,
                seconds=result.seconds,
            )
        )
        if self._interruptions.expects_events:
            self.state = MachineState.READING_LOG
            return cmd.ReadLog()
        return self._check()

    def _on_log_read(self, result: res.LogRead) -> cmd.Command:
        incomplete = self._interruptions.incomplete(result)
        if incomplete:
            self._logcat_events = result.events
            self.state = MachineState.READING_COMPANION_LOG
            return cmd.ReadCompanionLog(incomplete)
        return self._process_events(result.events, result.t)

    def _on_companion_log_read(self, result: res.CompanionLogRead) -> cmd.Command:
        from_logcat, self._logcat_events = self._logcat_events, ()
        return self._process_events(self._interruptions.merge_events(from_logcat, result.events), result.t)

    def _process_events(self, events: Sequence[CompanionEvent], t: float) -> cmd.Command:
        self._interruptions.take_events(events, self._step, t)
        pressed = self._interruptions.follow_up()
        if pressed is None:
            return self._check()
        item, key = pressed
        self.state = MachineState.FOLLOWING_UP
        return cmd.PerformFollowUp(item.planned, key)

    def _on_follow_up_ended(self, result: res.FollowUpEnded) -> cmd.Command:
        self._interruptions.follow_up_ended(result, self._step)
        self.state = MachineState.SETTLING
        return cmd.Settle()

    def _check(self) -> cmd.Command:
        self.state = MachineState.CHECKING_GOAL
        return cmd.CheckGoal(self._answer, final=self._final)

    def _on_goal_checked(self, result: res.GoalEvaluated) -> cmd.Command:
        verdict: Verdict = result.verdict
        self._record(ev.GoalChecked(step=self._step, t=result.t, holds=verdict.holds, reason=verdict.reason))
        if self._met_during_fault and not verdict.holds:
            message = (
                f"the goal was met only on a screen that was read during a fault: {self._met_during_fault}"
            )
            return self._on_failure(res.CommandFailed(result.t, DeviceError(message)))
        if verdict.holds and not self._start.infeasible and self._goal_decides:
            if result.fault and not self._met_during_fault:
                self._met_during_fault = result.fault
                self.state = MachineState.SETTLING
                return cmd.Settle()
            return self._finish("success", "goal_met", result.t)
        self._saw_infeasibility = self._saw_infeasibility or verdict.holds is True
        reason = self._end_reason(result.t, ambiguous=verdict.ambiguous_answer)
        harm = result.harm
        if harm is not None and not self._harmed and (harm.holds or reason is not None):
            self._harmed = harm.holds is True
            self._record(ev.HarmChecked(step=self._step, t=result.t, holds=harm.holds, reason=harm.reason))
        if reason is None:
            self._step += 1
            self.state = MachineState.OBSERVING
            return cmd.ObserveScreen(self._step)
        if self._gave_up and self._harmed:
            return self._finish("failure", "did_harm", result.t)
        if self._gave_up and self._saw_infeasibility and harm is not None and harm.holds is False:
            return self._finish("success", "gave_up_rightly", result.t)
        return self._finish("failure", reason, result.t)

    @property
    def _goal_decides(self) -> bool:
        """Whether a goal that is met ends the episode with success."""
        if self._start.end is EndCriterion.GOAL:
            return True
        return self._final and not self._gave_up

    def _end_reason(self, t: float, *, ambiguous: bool) -> str | None:
        """Return why the episode ends although the goal is not met, or None if it continues."""
        if self._final:
            if self._gave_up:
                return "gave_up"
            return "ambiguous_answer" if ambiguous and not self._start.infeasible else "false_done"
        limits = self._limits
        more = (
            max(0, self._interruptions.shown_count - limits.expected_interruptions)
            * limits.steps_per_interruption
        )
        if self._actions >= limits.steps + more:
            return "step_limit"
        return "time_limit" if t >= limits.seconds else None

    def _on_failure(self, result: res.CommandFailed) -> cmd.Command:
        self._record(event_builders.fault(self._step, result.t, result.error))
        if isinstance(result.error, AgentError):
            return self._finish("failure", result.error.kind.value, result.t)
        return self._finish("error", "fault", result.t)

    def _finish(self, outcome: str, reason: str, t: float) -> cmd.Command:
        self._interruptions.end(self._step, t)
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
        self._record(end)
        self.state = MachineState.FINISHED
        return cmd.FinishEpisode(end)


_RESULT_TYPES: dict[MachineState, type] = {
    MachineState.PREPARING: res.DevicePrepared,
    MachineState.OBSERVING: res.ScreenObserved,
    MachineState.INJECTING: res.InjectionEnded,
    MachineState.DECIDING: res.AgentDecided,
    MachineState.PERFORMING: res.ActionPerformed,
    MachineState.SETTLING: res.ScreenSettled,
    MachineState.READING_LOG: res.LogRead,
    MachineState.READING_COMPANION_LOG: res.CompanionLogRead,
    MachineState.FOLLOWING_UP: res.FollowUpEnded,
    MachineState.CHECKING_GOAL: res.GoalEvaluated,
}
