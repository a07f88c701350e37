from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import pytest

from garabench.agents.interface import Decision
from garabench.core import events as ev
from garabench.core.action import Action, Back, Done, GiveUp, Home, Tap
from garabench.core.geometry import Size
from garabench.core.injection import FailureKind, Sent
from garabench.core.interruption import Interruption, Mode
from garabench.core.observation import Focus, Observation, Screenshot, TreeSource
from garabench.core.tree import UiNode, UiTree
from garabench.core.verdict import Verdict
from garabench.episode import commands as cmd
from garabench.episode import results as res
from garabench.episode.interrupting import Fire, Fired, Moment
from garabench.episode.machine import EpisodeMachine, Limits, State
from garabench.errors import DeviceLost, Fault, GaraError, HarnessError, ModelError
from garabench.interruptions.followup import StepResult
from garabench.interruptions.lifecycle import AppEvent, Phase, Tracked
from garabench.interruptions.plan import PACKAGE, Planned, plan
from garabench.interruptions.system.lifecycle import TrackedSystem

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


def sent(refused: str = "") -> Sent:
    """How an injection went."""
    return Sent(kind=FailureKind.DIALOG_ON_TOP if refused else None, reason=refused)


def planned(mode: Mode = Mode.DUAL, token: str = "one") -> Planned:
    return plan(BATTERY, mode, app="com.example.reader", language="en", token=token)


def fire_at(step: int, mode: Mode = Mode.DUAL) -> Fire:
    """Rules of which one fires, once, at a step."""

    def fire(looked: res.Looked, now: Moment) -> Fired | None:
        if now.step < step or "rule-a" in now.fired:
            return None
        return Fired((planned(mode),), "rule-a", "the page is up")

    return fire


def begun_with(
    events: tuple[AppEvent, ...], tracked: Sequence[Tracked | TrackedSystem]
) -> tuple[AppEvent, ...]:
    """The events after the first word of each window, where nothing was heard of it before.

    Numbers are told without a gap: what lies between the first word and the event is told, too.
    """
    told = {item.token: item.told for item in tracked if isinstance(item, Tracked) and item.open}
    whole: list[AppEvent] = []
    for event in events:
        for number in range(told.get(event.token, event.seq) + 1, event.seq):
            whole.append(AppEvent(event.token, number, "shown" if number == 1 else "resumed"))
        whole.append(event)
        told[event.token] = event.seq
    return tuple(whole)


class Dialogue:
    """Answers a machine's commands as a runner would; what it was asked is kept by name."""

    def __init__(
        self,
        fire: Fire | None = None,
        *,
        steps: int = 20,
        seconds: float = 100,
        infeasible: bool = False,
        wanted: int | None = None,
    ) -> None:
        self.infeasible = infeasible
        start = START.model_copy(update={"infeasible": infeasible, "interruptions": wanted})
        self.machine = EpisodeMachine(start, Limits(steps, seconds), fire=fire)
        self.asked: list[str] = []
        self.now = 0.0
        self.step_seconds = 1.0
        self.command = self._note(self.machine.begin())

    def _note(self, command: cmd.Command) -> cmd.Command:
        self.asked.append(type(command).__name__)
        return command

    def say(self, result: res.Result) -> cmd.Command:
        self.command = self._note(self.machine.feed(result))
        return self.command

    def looked(self, tree: UiTree = APP) -> res.Looked:
        picture = Screenshot(b"", Size(100, 200))
        focus = Focus("com.example.reader", ".Main")
        step = self.machine.step
        seen = Observation(step, tree, picture, focus, TreeSource.U2, "", self.now, picture.size)
        return res.Looked(self.now, seen, f"trees/{step}", f"screens/{step}", True)

    def turn(
        self,
        action: Action = TAP,
        *,
        tree: UiTree = APP,
        events: Sequence[AppEvent] = (),
        verdict: Verdict = NO,
        harm: Verdict | None = None,
        ok: bool = True,
        follow_up: res.FollowedUp | None = None,
        not_shown: str = "",
    ) -> cmd.Command:
        """Answer until the next step's look, or the end; `tree` is seen once a window was injected."""
        pending, begun = tuple(events), self.machine.step
        for _ in range(30):
            if isinstance(self.command, cmd.Finish) or self.machine.step > begun:
                return self.command
            match self.command:
                case cmd.Prepare():
                    self.say(res.Prepared(self.now))
                case cmd.Look():
                    self.say(self.looked(tree if self.machine.tracked else APP))
                case cmd.Inject():
                    self.say(res.InjectionEnded(self.now, self.looked(tree), sent(not_shown)))
                case cmd.Ask():
                    self.say(res.Asked(self.now, Decision(action, "because"), 0.5))
                case cmd.Act():
                    self.say(res.Acted(self.now, ok, "" if ok else "out of the screen"))
                case cmd.Rest():
                    self.say(res.Rested(self.now, True, 2, 0.3))
                case cmd.ReadLog():
                    taken, pending = pending, ()
                    self.say(res.LogRead(self.now, begun_with(taken, self.machine.tracked)))
                case cmd.FollowUp():
                    done = (StepResult("settings_page battery-saver", True),)
                    self.say(follow_up or res.FollowedUp(self.now, done))
                case cmd.Check():
                    self.now += self.step_seconds
                    self.say(res.Checked(self.now, verdict, harm))
        raise AssertionError(f"the step does not end: {self.asked}")

    def end(self) -> ev.EpisodeEnded:
        assert isinstance(self.command, cmd.Finish)
        assert self.machine.state is State.OVER
        return self.command.end


def only(log: Sequence[ev.Event], kind: type[_Event]) -> list[_Event]:
    return [event for event in log if isinstance(event, kind)]


def press(key: str, seq: int = 2, token: str = "one") -> AppEvent:
    return AppEvent(token, seq, f"pressed:{key}")


def test_a_clean_episode_that_meets_its_goal() -> None:
    talk = Dialogue()
    talk.turn()
    talk.turn(verdict=YES)
    assert talk.asked == [
        *("Prepare", "Look", "Ask", "Act", "Rest", "Check"),
        *("Look", "Ask", "Act", "Rest", "Check", "Finish"),
    ]
    assert (talk.end().outcome, talk.end().reason, talk.end().steps) == ("success", "goal_met", 2)
    log = talk.machine.take_events()
    assert [event.type for event in log] == [
        "episode_started",
        *("observed", "decided", "performed", "settled", "goal_checked"),
        *("observed", "decided", "performed", "settled", "goal_checked"),
        "episode_ended",
    ]
    assert [event.step for event in log] == [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
    assert log[-1] == talk.end()
    assert talk.machine.take_events() == ()


@pytest.mark.parametrize(
    ("verdict", "outcome", "reason"),
    [(YES, "success", "goal_met"), (NO, "failure", "false_done"), (UNKNOWN, "failure", "false_done")],
)
def test_done_is_believed_only_when_the_goal_holds(verdict: Verdict, outcome: str, reason: str) -> None:
    talk = Dialogue()
    talk.turn()
    talk.turn(Done(answer="42"), verdict=verdict)
    end = talk.end()
    assert (end.outcome, end.reason, end.answer) == (outcome, reason, "42")
    assert end.steps == 1  # saying so is no action
    assert talk.asked[-5:] == ["Look", "Ask", "Rest", "Check", "Finish"]


def test_the_answer_reaches_the_check() -> None:
    talk = Dialogue()
    talk.say(res.Prepared(0))
    talk.say(talk.looked())
    talk.say(res.Asked(0, Decision(Done(answer="42")), 0))
    check = talk.say(res.Rested(0, True, 1, 0))
    assert isinstance(check, cmd.Check)
    assert check.answer == "42"


def test_giving_up_ends_at_once() -> None:
    talk = Dialogue()
    talk.turn(GiveUp(reason="no such button"))
    assert (talk.end().outcome, talk.end().reason, talk.end().steps) == ("failure", "gave_up", 0)
    assert talk.asked == ["Prepare", "Look", "Ask", "Finish"]


def test_the_step_limit_counts_actions_and_the_last_one_may_still_succeed() -> None:
    lost, won = Dialogue(steps=3), Dialogue(steps=3)
    for _ in range(3):
        lost.turn()
    assert (lost.end().outcome, lost.end().reason, lost.end().steps) == ("failure", "step_limit", 3)
    won.turn()
    won.turn()
    won.turn(verdict=YES)
    assert won.end().reason == "goal_met"


def test_the_time_limit_ends_after_the_step_in_which_it_passes() -> None:
    talk = Dialogue(seconds=25)
    talk.step_seconds = 10
    talk.turn()
    assert isinstance(talk.turn(), cmd.Look)
    talk.turn()
    assert (talk.end().outcome, talk.end().reason, talk.end().t) == ("failure", "time_limit", 30)


def test_an_action_that_fails_is_kept_and_told_to_the_agent() -> None:
    talk = Dialogue()
    talk.turn(ok=False)
    ask = talk.say(talk.looked())
    assert isinstance(ask, cmd.Ask)
    (turn,) = ask.history
    assert (turn.decision.action, turn.ok, turn.detail) == (TAP, False, "out of the screen")


@pytest.mark.parametrize(
    ("error", "at_fault"),
    [
        (DeviceLost("gone"), "device"),
        (ModelError("no answer"), "model"),
        (HarnessError("broken"), "harness"),
        (GaraError("broken"), "harness"),
    ],
)
@pytest.mark.parametrize("moment", ["Prepare", "Look", "Inject", "Ask", "Act", "Rest", "ReadLog", "Check"])
def test_a_fault_at_any_moment_ends_as_an_error(moment: str, error: GaraError, at_fault: str) -> None:
    talk = Dialogue(fire_at(0))
    answers: dict[str, res.Result] = {
        "Prepare": res.Prepared(0),
        "Look": talk.looked(),
        "Inject": res.InjectionEnded(0, talk.looked(COVERED)),
        "Ask": res.Asked(0, Decision(TAP), 0),
        "Act": res.Acted(0, True, ""),
        "Rest": res.Rested(0, True, 1, 0),
        "ReadLog": res.LogRead(0, ()),
    }
    while type(talk.command).__name__ != moment:
        talk.say(answers[type(talk.command).__name__])
    talk.say(res.Faulted(7, error))
    assert (talk.end().outcome, talk.end().reason) == ("error", "fault")
    log = talk.machine.take_events()
    (fault,) = [event for event in log if isinstance(event, ev.FaultEvent)]
    assert (fault.at_fault, fault.error, fault.message) == (at_fault, type(error).__name__, str(error))
    injected = sum(isinstance(event, ev.InterruptionInjected) for event in log)
    failed = [event.kind for event in log if isinstance(event, ev.InjectionFailed)]
    assert failed == ([FailureKind.LOST_DEVICE] if moment == "Inject" else [])
    assert len(only(log, ev.InterruptionResolved)) + len(failed) == injected
    assert Fault(at_fault) is error.fault


def test_a_result_that_does_not_fit_is_a_mistake_of_the_caller() -> None:
    talk = Dialogue()
    with pytest.raises(RuntimeError, match="Rested does not fit the state preparing"):
        talk.say(res.Rested(0, True, 1, 0))
    with pytest.raises(RuntimeError, match="the episode is preparing, not new"):
        talk.machine.begin()
    talk.turn(GiveUp())
    with pytest.raises(RuntimeError, match="does not fit the state over"):
        talk.say(res.Prepared(0))


def test_without_rules_the_log_is_never_read_and_nothing_is_injected() -> None:
    talk = Dialogue(None)
    for _ in range(4):
        talk.turn()
    assert not {"Inject", "ReadLog", "FollowUp"} & set(talk.asked)
    assert talk.machine.tracked == []


def test_an_easy_exit_is_taken() -> None:
    talk = Dialogue(fire_at(1))
    talk.turn()
    talk.turn(tree=COVERED, events=[AppEvent("one", 1, "shown"), press("dismiss")])
    talk.turn(verdict=YES)
    assert talk.asked[6:14] == ["Look", "Inject", "Ask", "Act", "Rest", "ReadLog", "Check", "Look"]
    log = talk.machine.take_events()
    assert [event.type for event in log if event.step == 1] == [
        *("observed", "interruption_injected", "observed", "interruption_shown", "decided", "performed"),
        *("settled", "interruption_event", "interruption_event", "interruption_resolved", "goal_checked"),
    ]
    (resolved,) = only(log, ev.InterruptionResolved)
    assert (resolved.how, resolved.exit, resolved.role, resolved.steps) == (
        "answered",
        "dismiss",
        "dismiss",
        0,
    )
    assert talk.asked.count("ReadLog") == 1  # once answered it is not asked about again
    assert talk.end().reason == "goal_met"


def test_a_button_pressed_many_steps_later_has_its_second_stage() -> None:
    talk = Dialogue(fire_at(0))
    for _ in range(10):
        talk.turn(tree=COVERED)
    assert talk.asked.count("Inject") == 1
    talk.turn(tree=COVERED, events=[press("accept", 9)])
    assert talk.asked[-6:] == ["Rest", "ReadLog", "FollowUp", "Rest", "Check", "Look"]
    log = talk.machine.take_events()
    (resolved,) = only(log, ev.InterruptionResolved)
    assert (resolved.how, resolved.exit, resolved.role) == ("answered", "accept", "accept")
    assert (resolved.step, resolved.steps) == (10, 10)
    (step,) = only(log, ev.FollowUpPerformed)
    assert (step.step, step.button, step.what, step.ok) == (10, "accept", "settings_page battery-saver", True)


def test_each_event_of_an_interruption_tells_its_category_and_severity() -> None:
    talk = Dialogue(fire_at(0))
    talk.turn(tree=COVERED)
    talk.turn(tree=COVERED, events=[press("accept", 9)])
    told = [event for event in talk.machine.take_events() if isinstance(event, OF_AN_INTERRUPTION)]
    assert {event.type for event in told} == {
        "interruption_injected",
        "interruption_shown",
        "interruption_event",
        "interruption_resolved",
        "follow_up_performed",
    }
    assert {(event.category, event.severity) for event in told} == {("resource", "medium")}


def test_a_second_press_has_no_second_second_stage() -> None:
    talk = Dialogue(fire_at(0))
    talk.turn(tree=COVERED, events=[press("accept", 2), press("accept", 2), press("dismiss", 3)])
    assert talk.asked.count("FollowUp") == 1
    (resolved,) = only(talk.machine.take_events(), ev.InterruptionResolved)
    assert resolved.exit == "accept"


def test_events_of_another_token_are_not_taken() -> None:
    talk = Dialogue(fire_at(0))
    talk.turn(tree=COVERED, events=[press("accept", token="another")])
    log = talk.machine.take_events()
    assert only(log, ev.InterruptionResolved) == []
    assert not any(isinstance(event, ev.InterruptionEvent) for event in log)
    assert talk.machine.tracked[0].open


def test_in_forced_mode_the_easy_button_is_no_answer() -> None:
    talk = Dialogue(fire_at(0, Mode.FORCED))
    talk.turn(tree=COVERED, events=[press("dismiss")])
    assert talk.machine.tracked[0].open
    talk.turn(tree=COVERED, events=[press("accept", 3)])
    assert talk.machine.tracked[0].phase is Phase.ANSWERED
    injected = [e for e in talk.machine.take_events() if isinstance(e, ev.InterruptionInjected)]
    assert [(event.mode, event.rule, event.why) for event in injected] == [
        ("forced", "rule-a", "the page is up")
    ]


@pytest.mark.parametrize(
    ("action", "event", "exit_"),
    [
        (Back(), "dismissed", "back"),
        (Back(), "dismissed:back", "back"),
        (TAP, "dismissed:outside", "outside"),
    ],
)
def test_an_interruption_that_is_left_has_no_second_stage(action: Action, event: str, exit_: str) -> None:
    talk = Dialogue(fire_at(0))
    talk.turn(action, tree=COVERED, events=[AppEvent("one", 2, event)])
    assert "FollowUp" not in talk.asked
    (resolved,) = only(talk.machine.take_events(), ev.InterruptionResolved)
    assert (resolved.how, resolved.exit, resolved.role) == ("left", exit_, "")


def test_one_left_by_home_stays_tracked_and_counts_as_left_at_the_end() -> None:
    talk = Dialogue(fire_at(0))
    talk.turn(Home(), tree=COVERED, events=[AppEvent("one", 2, "hidden")])
    assert talk.machine.tracked[0].open
    talk.turn(tree=APP)
    talk.turn(GiveUp(), tree=APP)
    (resolved,) = only(talk.machine.take_events(), ev.InterruptionResolved)
    assert (resolved.how, resolved.exit, resolved.step, resolved.steps) == ("left", "switched away", 2, 2)


def test_one_left_by_home_may_come_back_and_be_answered() -> None:
    talk = Dialogue(fire_at(0))
    talk.turn(Home(), tree=COVERED, events=[AppEvent("one", 2, "hidden")])
    talk.turn(tree=APP, events=[AppEvent("one", 3, "resumed"), press("accept", 4)])
    (resolved,) = only(talk.machine.take_events(), ev.InterruptionResolved)
    assert (resolved.how, resolved.exit) == ("answered", "accept")
    assert "FollowUp" in talk.asked


def test_one_that_is_never_answered_is_open_at_the_end() -> None:
    talk = Dialogue(fire_at(0), steps=2)
    talk.turn(tree=COVERED)
    talk.turn(tree=COVERED)
    log = talk.machine.take_events()
    (resolved,) = only(log, ev.InterruptionResolved)
    assert (resolved.how, resolved.exit) == ("open", "on screen")
    assert [event.type for event in log[-2:]] == ["interruption_resolved", "episode_ended"]
    assert talk.end().reason == "step_limit"


def test_a_failed_injection_is_recorded_and_the_agent_goes_on_undisturbed() -> None:
    talk = Dialogue(fire_at(0))
    talk.turn(not_shown="another window is in front")
    talk.turn(verdict=YES)
    log = talk.machine.take_events()
    (failed,) = [event for event in log if isinstance(event, ev.InjectionFailed)]
    assert (failed.token, failed.reason) == ("one", "another window is in front")
    assert failed.kind is FailureKind.DIALOG_ON_TOP
    (item,) = talk.machine.tracked
    assert isinstance(item, Tracked)
    assert not item.was_shown
    assert only(log, ev.InterruptionResolved) == []
    assert "ReadLog" not in talk.asked
    assert talk.end().reason == "goal_met"


def test_no_rule_is_asked_while_an_interruption_is_open() -> None:
    steps: list[tuple[int, frozenset[str]]] = []

    def fire(looked: res.Looked, now: Moment) -> Fired | None:
        steps.append((now.step, now.fired))
        return Fired((planned(),), "rule-a", "why") if now.step == 0 else None

    talk = Dialogue(fire)
    talk.turn(tree=COVERED)
    talk.turn(tree=COVERED, events=[press("dismiss")])
    talk.turn()
    assert steps == [(0, frozenset()), (2, frozenset({"rule-a"}))]


def test_a_second_stage_may_show_a_further_interruption_that_is_tracked_too() -> None:
    talk = Dialogue(fire_at(0))
    shown = (StepResult("show low-battery", True),)
    further = res.FollowedUp(0, shown, planned(token="two"))
    talk.turn(tree=COVERED, events=[press("accept")], follow_up=further)
    talk.turn(tree=COVERED, events=[press("dismiss", 1, token="two")])
    talk.turn(verdict=YES)
    log = talk.machine.take_events()
    injected = [e for e in log if isinstance(e, ev.InterruptionInjected)]
    assert [(event.token, event.rule) for event in injected] == [("one", "rule-a"), ("two", "")]
    assert injected[1].why == "follow-up of low-battery"
    assert [(e.token, e.exit) for e in only(log, ev.InterruptionResolved)] == [
        ("one", "accept"),
        ("two", "dismiss"),
    ]


def test_a_second_stage_that_fails_is_recorded_as_such() -> None:
    talk = Dialogue(fire_at(0))
    failed = res.FollowedUp(0, (StepResult("settings_page battery-saver", False, "it is not up"),))
    talk.turn(tree=COVERED, events=[press("accept")], follow_up=failed)
    (step,) = only(talk.machine.take_events(), ev.FollowUpPerformed)
    assert (step.ok, step.detail) == (False, "it is not up")
    assert isinstance(talk.command, cmd.Look)


@pytest.mark.parametrize("mode", list(Mode))
def test_done_while_an_interruption_is_up_still_reads_its_log(mode: Mode) -> None:
    talk = Dialogue(fire_at(1, mode))
    talk.turn()
    talk.turn(Done(), tree=COVERED, verdict=NO)
    assert talk.asked[-5:] == ["Ask", "Rest", "ReadLog", "Check", "Finish"]
    (resolved,) = only(talk.machine.take_events(), ev.InterruptionResolved)
    assert resolved.how == "open"
    assert talk.end().reason == "false_done"


@pytest.mark.parametrize("token", ["one", "one-2"])
def test_either_window_of_two_tries_may_be_answered_and_being_replaced_is_no_answer(token: str) -> None:
    talk = Dialogue(fire_at(0))
    talk.say(res.Prepared(0))
    talk.say(talk.looked())
    talk.say(res.InjectionEnded(0, talk.looked(COVERED), Sent(token="one-2")))
    talk.turn(tree=COVERED, events=[AppEvent("one", 1, "dismissed:replaced"), press("dismiss", 2, token)])
    log = talk.machine.take_events()
    (resolved,) = only(log, ev.InterruptionResolved)
    assert (resolved.token, resolved.exit) == ("one", "dismiss")
    assert {event.token for event in log if isinstance(event, ev.InterruptionEvent)} == {"one"}
