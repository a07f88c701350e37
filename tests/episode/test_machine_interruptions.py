"""The episode's state machine from the injection of an interruption to its end."""

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
    INTERRUPTION_EVENTS,
    NO,
    TAP,
    YES,
    Dialogue,
    fire_at,
    only,
    planned,
    press,
)


def test_easy_exit_resolves_an_interruption() -> None:
    dialogue = Dialogue(fire_at(1))
    dialogue.turn()
    dialogue.turn(tree=COVERED, events=[CompanionEvent("one", 1, "shown"), press("dismiss")])
    dialogue.turn(verdict=YES)
    assert dialogue.commands[6:14] == [
        "ObserveScreen",
        "InjectInterruption",
        "RequestDecision",
        "PerformAction",
        "Settle",
        "ReadLog",
        "CheckGoal",
        "ObserveScreen",
    ]
    log = dialogue.machine.take_events()
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
    assert dialogue.commands.count("ReadLog") == 1  # not after it is answered
    assert dialogue.end().reason == "goal_met"


def test_button_pressed_many_steps_later_is_followed_up() -> None:
    dialogue = Dialogue(fire_at(0))
    for _ in range(10):
        dialogue.turn(tree=COVERED)
    assert dialogue.commands.count("InjectInterruption") == 1
    dialogue.turn(tree=COVERED, events=[press("accept", 9)])
    assert dialogue.commands[-6:] == [
        "Settle",
        "ReadLog",
        "PerformFollowUp",
        "Settle",
        "CheckGoal",
        "ObserveScreen",
    ]
    log = dialogue.machine.take_events()
    (resolved,) = only(log, ev.InterruptionResolved)
    assert (resolved.how, resolved.exit, resolved.role) == ("answered", "accept", "accept")
    assert (resolved.step, resolved.steps) == (10, 10)
    (step,) = only(log, ev.FollowUpPerformed)
    assert (step.step, step.button, step.description, step.ok) == (
        10,
        "accept",
        "settings_page battery-saver",
        True,
    )


def test_events_of_an_interruption_have_its_category_and_severity() -> None:
    dialogue = Dialogue(fire_at(0))
    dialogue.turn(tree=COVERED)
    dialogue.turn(tree=COVERED, events=[press("accept", 9)])
    events = [event for event in dialogue.machine.take_events() if isinstance(event, INTERRUPTION_EVENTS)]
    assert {event.type for event in events} == {
        "interruption_injected",
        "interruption_shown",
        "interruption_event",
        "interruption_resolved",
        "follow_up_performed",
    }
    assert {(event.category, event.severity) for event in events} == {("resource", "medium")}


def test_second_press_is_not_followed_up() -> None:
    dialogue = Dialogue(fire_at(0))
    dialogue.turn(tree=COVERED, events=[press("accept", 2), press("accept", 2), press("dismiss", 3)])
    assert dialogue.commands.count("PerformFollowUp") == 1
    (resolved,) = only(dialogue.machine.take_events(), ev.InterruptionResolved)
    assert resolved.exit == "accept"


def test_events_of_other_tokens_are_ignored() -> None:
    dialogue = Dialogue(fire_at(0))
    dialogue.turn(tree=COVERED, events=[press("accept", token="another")])
    log = dialogue.machine.take_events()
    assert only(log, ev.InterruptionResolved) == []
    assert not any(isinstance(event, ev.InterruptionEvent) for event in log)
    assert dialogue.machine.tracked[0].open


def test_easy_button_does_not_answer_in_forced_mode() -> None:
    dialogue = Dialogue(fire_at(0, Mode.FORCED))
    dialogue.turn(tree=COVERED, events=[press("dismiss")])
    assert dialogue.machine.tracked[0].open
    dialogue.turn(tree=COVERED, events=[press("accept", 3)])
    assert dialogue.machine.tracked[0].phase is Phase.ANSWERED
    injected = [e for e in dialogue.machine.take_events() if isinstance(e, ev.InterruptionInjected)]
    assert [(event.mode, event.rule, event.reason) for event in injected] == [
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
def test_interruption_that_is_left_is_not_followed_up(action: Action, event: str, exit_: str) -> None:
    dialogue = Dialogue(fire_at(0))
    dialogue.turn(action, tree=COVERED, events=[CompanionEvent("one", 2, event)])
    assert "PerformFollowUp" not in dialogue.commands
    (resolved,) = only(dialogue.machine.take_events(), ev.InterruptionResolved)
    assert (resolved.how, resolved.exit, resolved.role) == ("left", exit_, "")


def test_interruption_left_by_home_stays_open_and_ends_as_left() -> None:
    dialogue = Dialogue(fire_at(0))
    dialogue.turn(Home(), tree=COVERED, events=[CompanionEvent("one", 2, "hidden")])
    assert dialogue.machine.tracked[0].open
    dialogue.turn(tree=APP)
    dialogue.turn(GiveUp(), tree=APP)
    (resolved,) = only(dialogue.machine.take_events(), ev.InterruptionResolved)
    assert (resolved.how, resolved.exit, resolved.step, resolved.steps) == ("left", "switched away", 2, 2)


def test_interruption_left_by_home_can_be_answered_later() -> None:
    dialogue = Dialogue(fire_at(0))
    dialogue.turn(Home(), tree=COVERED, events=[CompanionEvent("one", 2, "hidden")])
    dialogue.turn(tree=APP, events=[CompanionEvent("one", 3, "resumed"), press("accept", 4)])
    (resolved,) = only(dialogue.machine.take_events(), ev.InterruptionResolved)
    assert (resolved.how, resolved.exit) == ("answered", "accept")
    assert "PerformFollowUp" in dialogue.commands


def test_unanswered_interruption_is_open_at_the_end() -> None:
    dialogue = Dialogue(fire_at(0), steps=2)
    dialogue.turn(tree=COVERED)
    dialogue.turn(tree=COVERED)
    log = dialogue.machine.take_events()
    (resolved,) = only(log, ev.InterruptionResolved)
    assert (resolved.how, resolved.exit) == ("open", "on screen")
    assert [event.type for event in log[-2:]] == ["interruption_resolved", "episode_ended"]
    assert dialogue.end().reason == "step_limit"


def test_failed_injection_is_recorded_and_the_agent_continues() -> None:
    dialogue = Dialogue(fire_at(0))
    dialogue.turn(not_shown="another window is in front")
    dialogue.turn(verdict=YES)
    log = dialogue.machine.take_events()
    (failed,) = [event for event in log if isinstance(event, ev.InjectionFailed)]
    assert (failed.token, failed.reason) == ("one", "another window is in front")
    assert failed.kind is FailureKind.DIALOG_ON_TOP
    (item,) = dialogue.machine.tracked
    assert isinstance(item, TrackedInterruption)
    assert not item.was_shown
    assert only(log, ev.InterruptionResolved) == []
    assert "ReadLog" not in dialogue.commands
    assert dialogue.end().reason == "goal_met"


def test_no_rule_is_evaluated_while_an_interruption_is_open() -> None:
    steps: list[tuple[int, frozenset[str]]] = []

    def fire(observed: res.ScreenObserved, context: RuleContext) -> FiredRule | None:
        steps.append((context.step, context.fired))
        return FiredRule((planned(),), "rule-a", "why") if context.step == 0 else None

    dialogue = Dialogue(fire)
    dialogue.turn(tree=COVERED)
    dialogue.turn(tree=COVERED, events=[press("dismiss")])
    dialogue.turn()
    assert steps == [(0, frozenset()), (2, frozenset({"rule-a"}))]


def test_interruption_of_a_follow_up_is_tracked() -> None:
    dialogue = Dialogue(fire_at(0))
    shown = (StepResult("show low-battery", True),)
    follow_up = res.FollowUpEnded(0, shown, planned(token="two"))
    dialogue.turn(tree=COVERED, events=[press("accept")], follow_up=follow_up)
    dialogue.turn(tree=COVERED, events=[press("dismiss", 1, token="two")])
    dialogue.turn(verdict=YES)
    log = dialogue.machine.take_events()
    injected = [e for e in log if isinstance(e, ev.InterruptionInjected)]
    assert [(event.token, event.rule) for event in injected] == [("one", "rule-a"), ("two", "")]
    assert injected[1].reason == "follow-up of low-battery"
    assert [(e.token, e.exit) for e in only(log, ev.InterruptionResolved)] == [
        ("one", "accept"),
        ("two", "dismiss"),
    ]


def test_failed_follow_up_is_recorded() -> None:
    dialogue = Dialogue(fire_at(0))
    failed = res.FollowUpEnded(0, (StepResult("settings_page battery-saver", False, "it is not up"),))
    dialogue.turn(tree=COVERED, events=[press("accept")], follow_up=failed)
    (step,) = only(dialogue.machine.take_events(), ev.FollowUpPerformed)
    assert (step.ok, step.detail) == (False, "it is not up")
    assert isinstance(dialogue.command, cmd.ObserveScreen)


@pytest.mark.parametrize("mode", list(Mode))
def test_events_are_read_after_done_while_an_interruption_is_open(mode: Mode) -> None:
    dialogue = Dialogue(fire_at(1, mode))
    dialogue.turn()
    dialogue.turn(Done(), tree=COVERED, verdict=NO)
    assert dialogue.commands[-5:] == ["RequestDecision", "Settle", "ReadLog", "CheckGoal", "FinishEpisode"]
    (resolved,) = only(dialogue.machine.take_events(), ev.InterruptionResolved)
    assert resolved.how == "open"
    assert dialogue.end().reason == "false_done"


@pytest.mark.parametrize("token", ["one", "one-2"])
def test_window_of_either_attempt_can_be_answered(token: str) -> None:
    dialogue = Dialogue(fire_at(0))
    dialogue.feed(res.DevicePrepared(0))
    dialogue.feed(dialogue.observed())
    dialogue.feed(res.InjectionEnded(0, dialogue.observed(COVERED), Delivery(token="one-2")))
    dialogue.turn(
        tree=COVERED, events=[CompanionEvent("one", 1, "dismissed:replaced"), press("dismiss", 2, token)]
    )
    log = dialogue.machine.take_events()
    (resolved,) = only(log, ev.InterruptionResolved)
    assert (resolved.token, resolved.exit) == ("one", "dismiss")
    assert {event.token for event in log if isinstance(event, ev.InterruptionEvent)} == {"one"}
