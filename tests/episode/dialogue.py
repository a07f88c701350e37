"""A machine's commands are answered as a runner would, for the tests of what it decides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from garabench.agents.interface import Decision
from garabench.core import events as ev
from garabench.core.action import Action, Tap
from garabench.core.companion_app import PACKAGE
from garabench.core.evaluate import Verdict
from garabench.core.geometry import Size
from garabench.core.injection import Delivery, FailureKind
from garabench.core.interruption import Interruption, Mode
from garabench.core.observation import Focus, Observation, Screenshot, TreeSource
from garabench.core.tree import UiNode, UiTree
from garabench.episode import command_results as res
from garabench.episode import commands as cmd
from garabench.episode.interruption_queue import FiredRule, FireRules, RuleContext
from garabench.episode.machine import EpisodeLimits, EpisodeMachine, EpisodeState
from garabench.interruptions.follow_up import StepResult
from garabench.interruptions.lifecycle import CompanionEvent, TrackedInterruption
from garabench.interruptions.planned_interruption import PlannedInterruption, plan_interruption
from garabench.interruptions.system.lifecycle import TrackedAnomaly

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

OF_AN_INTERRUPTION = (
    ev.InterruptionInjected,
    ev.InterruptionShown,
    ev.InterruptionEvent,
    ev.InterruptionResolved,
    ev.FollowUpPerformed,
)


def sent(refused: str = "") -> Delivery:
    """How an injection went."""
    return Delivery(kind=FailureKind.DIALOG_ON_TOP if refused else None, reason=refused)


def planned(mode: Mode = Mode.DUAL, token: str = "one") -> PlannedInterruption:
    return plan_interruption(BATTERY, mode, app="com.example.reader", language="en", token=token)


def fire_at(step: int, mode: Mode = Mode.DUAL) -> FireRules:
    """Rules of which one fires, once, at a step."""

    def fire(looked: res.ScreenObserved, now: RuleContext) -> FiredRule | None:
        if now.step < step or "rule-a" in now.fired:
            return None
        return FiredRule((planned(mode),), "rule-a", "the page is up")

    return fire


def begun_with(
    events: tuple[CompanionEvent, ...], tracked: Sequence[TrackedInterruption | TrackedAnomaly]
) -> tuple[CompanionEvent, ...]:
    """The events after the first word of each window, where nothing was heard of it before.

    Numbers are told without a gap: what lies between the first word and the event is told, too.
    """
    told = {
        item.token: item.last_seq for item in tracked if isinstance(item, TrackedInterruption) and item.open
    }
    whole: list[CompanionEvent] = []
    for event in events:
        for number in range(told.get(event.token, event.seq) + 1, event.seq):
            whole.append(CompanionEvent(event.token, number, "shown" if number == 1 else "resumed"))
        whole.append(event)
        told[event.token] = event.seq
    return tuple(whole)


class Dialogue:
    """Answers a machine's commands as a runner would; what it was asked is kept by name."""

    def __init__(
        self,
        fire: FireRules | None = None,
        *,
        steps: int = 20,
        seconds: float = 100,
        infeasible: bool = False,
        wanted: int | None = None,
    ) -> None:
        self.infeasible = infeasible
        start = START.model_copy(update={"infeasible": infeasible, "interruptions": wanted})
        self.machine = EpisodeMachine(start, EpisodeLimits(steps, seconds), fire=fire)
        self.asked: list[str] = []
        self.now = 0.0
        self.step_seconds = 1.0
        self.command = self._note(self.machine.begin())

    def _note(self, command: cmd.Command) -> cmd.Command:
        self.asked.append(type(command).__name__)
        return command

    def say(self, result: res.CommandResult) -> cmd.Command:
        self.command = self._note(self.machine.feed(result))
        return self.command

    def looked(self, tree: UiTree = APP) -> res.ScreenObserved:
        picture = Screenshot(b"", Size(100, 200))
        focus = Focus("com.example.reader", ".Main")
        step = self.machine.step
        seen = Observation(step, tree, picture, focus, TreeSource.U2, "", self.now, picture.size)
        return res.ScreenObserved(self.now, seen, f"trees/{step}", f"screens/{step}", True)

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
        """Answer until the next step's look, or the end; `tree` is seen once a window was injected."""
        pending, begun = tuple(events), self.machine.step
        for _ in range(30):
            if isinstance(self.command, cmd.FinishEpisode) or self.machine.step > begun:
                return self.command
            match self.command:
                case cmd.PrepareDevice():
                    self.say(res.DevicePrepared(self.now))
                case cmd.ObserveScreen():
                    self.say(self.looked(tree if self.machine.tracked else APP))
                case cmd.InjectInterruption():
                    self.say(res.InjectionEnded(self.now, self.looked(tree), sent(not_shown)))
                case cmd.AskAgent():
                    self.say(res.AgentDecided(self.now, Decision(action, "because"), 0.5))
                case cmd.PerformAction():
                    self.say(res.ActionPerformed(self.now, ok, "" if ok else "out of the screen"))
                case cmd.Settle():
                    self.say(res.ScreenSettled(self.now, True, 2, 0.3))
                case cmd.ReadLog():
                    taken, pending = pending, ()
                    self.say(res.LogRead(self.now, begun_with(taken, self.machine.tracked)))
                case cmd.PerformFollowUp():
                    done = (StepResult("settings_page battery-saver", True),)
                    self.say(follow_up or res.FollowUpEnded(self.now, done))
                case cmd.CheckGoal():
                    self.now += self.step_seconds
                    self.say(res.GoalEvaluated(self.now, verdict, harm))
        raise AssertionError(f"the step does not end: {self.asked}")

    def end(self) -> ev.EpisodeEnded:
        assert isinstance(self.command, cmd.FinishEpisode)
        assert self.machine.state is EpisodeState.OVER
        return self.command.end


def only(log: Sequence[ev.Event], kind: type[_Event]) -> list[_Event]:
    return [event for event in log if isinstance(event, kind)]


def press(key: str, seq: int = 2, token: str = "one") -> CompanionEvent:
    return CompanionEvent(token, seq, f"pressed:{key}")
