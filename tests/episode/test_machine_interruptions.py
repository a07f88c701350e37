from __future__ import annotations

import pytest

from garabench.core import events as ev
from garabench.core.action import Action, Back, Done, GiveUp, Home
from garabench.core.injection import Delivery, FailureKind
from garabench.core.interruption import Mode
from garabench.episode import command_results as res
from garabench.episode import commands as cmd
from garabench.episode.interruption_queue import FiredRule, RuleContext
from garabench.interruptions.follow_up import StepResult
from garabench.interruptions.lifecycle import CompanionEvent, Phase, TrackedInterruption
from tests.episode.dialogue import (
    APP,
    COVERED,
    NO,
    OF_AN_INTERRUPTION,
    TAP,
    YES,
    Dialogue,
    fire_at,
    only,
    planned,
    press,
)


def test_an_easy_exit_is_taken() -> None:
    talk = Dialogue(fire_at(1))
    talk.turn()
    talk.turn(tree=COVERED, events=[CompanionEvent("one", 1, "shown"), press("dismiss")])
    talk.turn(verdict=YES)
    assert talk.asked[6:14] == [
        "ObserveScreen",
        "InjectInterruption",
        "AskAgent",
        "PerformAction",
        "Settle",
        "ReadLog",
        "CheckGoal",
        "ObserveScreen",
    ]
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
    assert talk.asked.count("InjectInterruption") == 1
    talk.turn(tree=COVERED, events=[press("accept", 9)])
    assert talk.asked[-6:] == ["Settle", "ReadLog", "PerformFollowUp", "Settle", "CheckGoal", "ObserveScreen"]
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
    assert talk.asked.count("PerformFollowUp") == 1
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
    talk.turn(action, tree=COVERED, events=[CompanionEvent("one", 2, event)])
    assert "PerformFollowUp" not in talk.asked
    (resolved,) = only(talk.machine.take_events(), ev.InterruptionResolved)
    assert (resolved.how, resolved.exit, resolved.role) == ("left", exit_, "")


def test_one_left_by_home_stays_tracked_and_counts_as_left_at_the_end() -> None:
    talk = Dialogue(fire_at(0))
    talk.turn(Home(), tree=COVERED, events=[CompanionEvent("one", 2, "hidden")])
    assert talk.machine.tracked[0].open
    talk.turn(tree=APP)
    talk.turn(GiveUp(), tree=APP)
    (resolved,) = only(talk.machine.take_events(), ev.InterruptionResolved)
    assert (resolved.how, resolved.exit, resolved.step, resolved.steps) == ("left", "switched away", 2, 2)


def test_one_left_by_home_may_come_back_and_be_answered() -> None:
    talk = Dialogue(fire_at(0))
    talk.turn(Home(), tree=COVERED, events=[CompanionEvent("one", 2, "hidden")])
    talk.turn(tree=APP, events=[CompanionEvent("one", 3, "resumed"), press("accept", 4)])
    (resolved,) = only(talk.machine.take_events(), ev.InterruptionResolved)
    assert (resolved.how, resolved.exit) == ("answered", "accept")
    assert "PerformFollowUp" in talk.asked


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
    assert isinstance(item, TrackedInterruption)
    assert not item.was_shown
    assert only(log, ev.InterruptionResolved) == []
    assert "ReadLog" not in talk.asked
    assert talk.end().reason == "goal_met"


def test_no_rule_is_asked_while_an_interruption_is_open() -> None:
    steps: list[tuple[int, frozenset[str]]] = []

    def fire(looked: res.ScreenObserved, now: RuleContext) -> FiredRule | None:
        steps.append((now.step, now.fired))
        return FiredRule((planned(),), "rule-a", "why") if now.step == 0 else None

    talk = Dialogue(fire)
    talk.turn(tree=COVERED)
    talk.turn(tree=COVERED, events=[press("dismiss")])
    talk.turn()
    assert steps == [(0, frozenset()), (2, frozenset({"rule-a"}))]


def test_a_second_stage_may_show_a_further_interruption_that_is_tracked_too() -> None:
    talk = Dialogue(fire_at(0))
    shown = (StepResult("show low-battery", True),)
    further = res.FollowUpEnded(0, shown, planned(token="two"))
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
    failed = res.FollowUpEnded(0, (StepResult("settings_page battery-saver", False, "it is not up"),))
    talk.turn(tree=COVERED, events=[press("accept")], follow_up=failed)
    (step,) = only(talk.machine.take_events(), ev.FollowUpPerformed)
    assert (step.ok, step.detail) == (False, "it is not up")
    assert isinstance(talk.command, cmd.ObserveScreen)


@pytest.mark.parametrize("mode", list(Mode))
def test_done_while_an_interruption_is_up_still_reads_its_log(mode: Mode) -> None:
    talk = Dialogue(fire_at(1, mode))
    talk.turn()
    talk.turn(Done(), tree=COVERED, verdict=NO)
    assert talk.asked[-5:] == ["AskAgent", "Settle", "ReadLog", "CheckGoal", "FinishEpisode"]
    (resolved,) = only(talk.machine.take_events(), ev.InterruptionResolved)
    assert resolved.how == "open"
    assert talk.end().reason == "false_done"


@pytest.mark.parametrize("token", ["one", "one-2"])
def test_either_window_of_two_tries_may_be_answered_and_being_replaced_is_no_answer(token: str) -> None:
    talk = Dialogue(fire_at(0))
    talk.say(res.DevicePrepared(0))
    talk.say(talk.looked())
    talk.say(res.InjectionEnded(0, talk.looked(COVERED), Delivery(token="one-2")))
    talk.turn(
        tree=COVERED, events=[CompanionEvent("one", 1, "dismissed:replaced"), press("dismiss", 2, token)]
    )
    log = talk.machine.take_events()
    (resolved,) = only(log, ev.InterruptionResolved)
    assert (resolved.token, resolved.exit) == ("one", "dismiss")
    assert {event.token for event in log if isinstance(event, ev.InterruptionEvent)} == {"one"}
