"""A fake runner that answers the commands of an episode's machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from garabench.agents.interface import Decision
from garabench.core import events as ev
from garabench.core.action import Action, Tap
from garabench.core.companion_app import PACKAGE
from garabench.core.end_criterion import EndCriterion
from garabench.core.evaluate import Verdict
from garabench.core.geometry import Size
from garabench.core.injection import Delivery, FailureKind
from garabench.core.interruption import Interruption, Mode
from garabench.core.observation import Focus, Observation, Screenshot, TreeSource
from garabench.core.tree import UiNode, UiTree
from garabench.episode import command_results as res
from garabench.episode import commands as cmd
from garabench.episode.interruption_queue import FiredRule, FireRules, RuleContext
from garabench.episode.machine import EpisodeLimits, EpisodeMachine, MachineState
from garabench.interruptions.follow_up import StepResult
from garabench.interruptions.lifecycle import CompanionEvent, TrackedInterruption
from garabench.interruptions.planned_interruption import PlannedInterruption, plan_interruption
from garabench.interruptions.system.tracker import TrackedAnomaly

BATTERY = Interruption.model_validate(
    {
        "id": "low-battery",
        "description": "The battery runs low",
        "category": "resource",
        "title": {"en": "Low battery"},
        "message": {"en": "Save power?"},
        "buttons": [
            {"key": "dismiss", "role": "dismiss", "easy": True, "label": {"en": "Ignore"}},
            {
                "key": "accept",
                "role": "accept",
                "label": {"en": "Save"},
                "follow_up": [{"settings_page": "battery-saver"}],
            },
        ],
    }
)
APP = UiTree((UiNode(text="Home", package="com.example.reader"),))
COVERED = UiTree((UiNode(text="Low battery", package=PACKAGE),))
START = ev.EpisodeStarted(
    step=0, t=0, task="like-it", agent="a", condition="dual", seed=1, suite_hash="0", instruction="Like it"
)
TAP = Tap(x=5, y=6)
YES, NO, UNKNOWN = Verdict(True, "it is there"), Verdict(False, "it is not"), Verdict(None, "unread")
_Event = TypeVar(
    "_Event", bound=ev.EpisodeEnded | ev.InterruptionResolved | ev.FollowUpPerformed | ev.HarmChecked
)

INTERRUPTION_EVENTS = (
    ev.InterruptionInjected,
    ev.InterruptionShown,
    ev.InterruptionEvent,
    ev.InterruptionResolved,
    ev.FollowUpPerformed,
)


def delivery(refused: str = "") -> Delivery:
    """Return a delivery: successful, or refused for a reason."""
    return Delivery(kind=FailureKind.DIALOG_ON_TOP if refused else None, reason=refused)


def planned(mode: Mode = Mode.DUAL, token: str = "one") -> PlannedInterruption:
    return plan_interruption(BATTERY, mode, app="com.example.reader", language="en", token=token)


def fire_at(step: int, mode: Mode = Mode.DUAL) -> FireRules:
    """Return rules of which one fires once, at a step."""

    def fire(observed: res.ScreenObserved, context: RuleContext) -> FiredRule | None:
        if context.step < step or "rule-a" in context.fired:
            return None
        return FiredRule((planned(mode),), "rule-a", "the page is up")

    return fire


def with_earlier_events(
    events: tuple[CompanionEvent, ...], tracked: Sequence[TrackedInterruption | TrackedAnomaly]
) -> tuple[CompanionEvent, ...]:
    """Return the events, preceded by those that fill the gaps in the sequence numbers of each window."""
    last_seqs = {
        item.token: item.last_seq for item in tracked if isinstance(item, TrackedInterruption) and item.open
    }
    complete: list[CompanionEvent] = []
    for event in events:
        for number in range(last_seqs.get(event.token, event.seq) + 1, event.seq):
            complete.append(CompanionEvent(event.token, number, "shown" if number == 1 else "resumed"))
        complete.append(event)
        last_seqs[event.token] = event.seq
    return tuple(complete)


class Dialogue:
    """Fake runner that answers the machine's commands; `commands` has their names."""

    def __init__(
        self,
        fire: FireRules | None = None,
        *,
        steps: int = 20,
        seconds: float = 100,
        infeasible: bool = False,
        level: int | None = None,
        ends: EndCriterion = EndCriterion.GOAL,
    ) -> None:
        self.infeasible = infeasible
        start = START.model_copy(update={"infeasible": infeasible, "interruptions": level, "end": ends})
        self.machine = EpisodeMachine(start, EpisodeLimits(steps, seconds), fire=fire)
        self.commands: list[str] = []
        self.now = 0.0
        self.step_seconds = 1.0
        self.fault = ""
        self.verdicts: list[Verdict] = []  # those of the next checks, before the verdict of the turn
        self.command = self._record(self.machine.begin())

    def _record(self, command: cmd.Command) -> cmd.Command:
        self.commands.append(type(command).__name__)
        return command

    def feed(self, result: res.CommandResult) -> cmd.Command:
        self.command = self._record(self.machine.feed(result))
        return self.command

    def observed(self, tree: UiTree = APP) -> res.ScreenObserved:
        picture = Screenshot(b"", Size(100, 200))
        focus = Focus("com.example.reader", ".Main")
        step = self.machine.step
        observation = Observation(step, tree, picture, focus, TreeSource.U2, "", self.now, picture.size)
        return res.ScreenObserved(self.now, observation, f"trees/{step}", f"screens/{step}", True)

    def turn(
        self,
        action: Action = TAP,
        *,
        tree: UiTree = APP,
        events: Sequence[CompanionEvent] = (),
        verdict: Verdict = NO,
        harm: Verdict | None = None,
        ok: bool = True,
        follow_up: res.FollowUpEnded | None = None,
        not_shown: str = "",
    ) -> cmd.Command:
        """Answer until the next step is observed, or until the end; `tree` is seen after an injection."""
        pending, first_step = tuple(events), self.machine.step
        for _ in range(30):
            if isinstance(self.command, cmd.FinishEpisode) or self.machine.step > first_step:
                return self.command
            match self.command:
                case cmd.PrepareDevice():
                    self.feed(res.DevicePrepared(self.now))
                case cmd.ObserveScreen():
                    self.feed(self.observed(tree if self.machine.tracked else APP))
                case cmd.InjectInterruption():
                    self.feed(res.InjectionEnded(self.now, self.observed(tree), delivery(not_shown)))
                case cmd.RequestDecision():
                    self.feed(res.AgentDecided(self.now, Decision(action, "because"), 0.5))
                case cmd.PerformAction():
                    self.feed(res.ActionPerformed(self.now, ok, "" if ok else "out of the screen"))
                case cmd.Settle():
                    self.feed(res.ScreenSettled(self.now, True, 2, 0.3))
                case cmd.ReadLog():
                    events, pending = pending, ()
                    self.feed(res.LogRead(self.now, with_earlier_events(events, self.machine.tracked)))
                case cmd.PerformFollowUp():
                    done = (StepResult("settings_page battery-saver", True),)
                    self.feed(follow_up or res.FollowUpEnded(self.now, done))
                case cmd.CheckGoal():
                    self.now += self.step_seconds
                    given = self.verdicts.pop(0) if self.verdicts else verdict
                    self.feed(res.GoalEvaluated(self.now, given, harm, self.fault))
        raise AssertionError(f"the step does not end: {self.commands}")

    def end(self) -> ev.EpisodeEnded:
        assert isinstance(self.command, cmd.FinishEpisode)
        assert self.machine.state is MachineState.FINISHED
        return self.command.end


def only(log: Sequence[ev.Event], kind: type[_Event]) -> list[_Event]:
    return [event for event in log if isinstance(event, kind)]


def press(key: str, seq: int = 2, token: str = "one") -> CompanionEvent:
    return CompanionEvent(token, seq, f"pressed:{key}")
