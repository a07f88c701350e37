from __future__ import annotations

import pytest

from garabench.agents.interface import Decision
from garabench.core import events as ev
from garabench.core.action import Action, Done, GiveUp
from garabench.core.end_criterion import EndCriterion
from garabench.core.evaluate import Verdict
from garabench.core.injection import FailureKind
from garabench.episode import command_results as res
from garabench.episode import commands as cmd
from garabench.errors import DeviceLostError, Fault, GaraError, HarnessError, ModelError
from tests.cases import every_case
from tests.episode.dialogue import COVERED, NO, TAP, UNKNOWN, YES, Dialogue, fire_at, only


def test_clean_episode_that_meets_its_goal() -> None:
    dialogue = Dialogue()
    dialogue.turn()
    dialogue.turn(verdict=YES)
    assert dialogue.commands == [
        *("PrepareDevice", "ObserveScreen", "RequestDecision", "PerformAction", "Settle", "CheckGoal"),
        *("ObserveScreen", "RequestDecision", "PerformAction", "Settle", "CheckGoal", "FinishEpisode"),
    ]
    assert (dialogue.end().outcome, dialogue.end().reason, dialogue.end().steps) == ("success", "goal_met", 2)
    log = dialogue.machine.take_events()
    assert [event.type for event in log] == [
        "episode_started",
        *("observed", "decided", "performed", "settled", "goal_checked"),
        *("observed", "decided", "performed", "settled", "goal_checked"),
        "episode_ended",
    ]
    assert [event.step for event in log] == [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
    assert log[-1] == dialogue.end()
    assert dialogue.machine.take_events() == ()


@pytest.mark.parametrize(
    ("verdict", "outcome", "reason"),
    [
        (YES, "success", "goal_met"),
        (NO, "failure", "false_done"),
        (UNKNOWN, "failure", "false_done"),
        (Verdict(False, "27 or 28", ambiguous_answer=True), "failure", "ambiguous_answer"),
    ],
)
def test_done_succeeds_only_if_the_goal_holds(verdict: Verdict, outcome: str, reason: str) -> None:
    dialogue = Dialogue()
    dialogue.turn()
    dialogue.turn(Done(answer="42"), verdict=verdict)
    end = dialogue.end()
    assert (end.outcome, end.reason, end.answer) == (outcome, reason, "42")
    assert end.steps == 1  # Done is not an action
    assert dialogue.commands[-5:] == [
        "ObserveScreen",
        "RequestDecision",
        "Settle",
        "CheckGoal",
        "FinishEpisode",
    ]


@pytest.mark.parametrize(
    ("final", "verdict", "outcome", "reason"),
    [
        (Done(), YES, "success", "goal_met"),
        (Done(), NO, "failure", "false_done"),
        (Done(), UNKNOWN, "failure", "false_done"),
        (GiveUp(), YES, "failure", "gave_up"),
        (TAP, YES, "failure", "step_limit"),
    ],
)
def test_until_done_only_the_screen_at_done_decides(
    final: Action, verdict: Verdict, outcome: str, reason: str
) -> None:
    dialogue = Dialogue(steps=3, ends=EndCriterion.DONE)
    dialogue.turn(verdict=YES)  # met, and the agent goes on
    assert dialogue.machine.step == 1
    dialogue.turn(verdict=verdict)
    dialogue.turn(final, verdict=verdict)
    assert (dialogue.end().outcome, dialogue.end().reason) == (outcome, reason)
    checks = [event.holds for event in dialogue.machine.take_events() if isinstance(event, ev.GoalChecked)]
    assert checks[0] is True  # the record shows that the goal was met earlier


def test_answer_is_passed_to_the_goal_check() -> None:
    dialogue = Dialogue()
    dialogue.feed(res.DevicePrepared(0))
    dialogue.feed(dialogue.observed())
    dialogue.feed(res.AgentDecided(0, Decision(Done(answer="42")), 0))
    check = dialogue.feed(res.ScreenSettled(0, True, 1, 0))
    assert isinstance(check, cmd.CheckGoal)
    assert check.answer == "42"


def test_giving_up_ends_the_episode_at_once() -> None:
    dialogue = Dialogue()
    dialogue.turn(GiveUp(reason="no such button"))
    assert (dialogue.end().outcome, dialogue.end().reason, dialogue.end().steps) == ("failure", "gave_up", 0)
    assert dialogue.commands == ["PrepareDevice", "ObserveScreen", "RequestDecision", "FinishEpisode"]


def test_step_limit_counts_actions_and_the_last_one_may_succeed() -> None:
    failed, solved = Dialogue(steps=3), Dialogue(steps=3)
    for _ in range(3):
        failed.turn()
    assert (failed.end().outcome, failed.end().reason, failed.end().steps) == (
        "failure",
        "step_limit",
        3,
    )
    solved.turn()
    solved.turn()
    solved.turn(verdict=YES)
    assert solved.end().reason == "goal_met"


def test_time_limit_ends_the_episode_after_the_current_step() -> None:
    dialogue = Dialogue(seconds=25)
    dialogue.step_seconds = 10
    dialogue.turn()
    assert isinstance(dialogue.turn(), cmd.ObserveScreen)
    dialogue.turn()
    assert (dialogue.end().outcome, dialogue.end().reason, dialogue.end().t) == ("failure", "time_limit", 30)


def test_failed_action_is_in_the_agents_history() -> None:
    dialogue = Dialogue()
    dialogue.turn(ok=False)
    request = dialogue.feed(dialogue.observed())
    assert isinstance(request, cmd.RequestDecision)
    (turn,) = request.history
    assert (turn.decision.action, turn.ok, turn.detail) == (TAP, False, "out of the screen")


@every_case(
    ("error", "at_fault"),
    [
        (DeviceLostError("offline"), "device"),
        (ModelError("no answer"), "model"),
        (HarnessError("broken"), "harness"),
        (GaraError("broken"), "harness"),
    ],
)
@every_case(
    "command",
    [
        "PrepareDevice",
        "ObserveScreen",
        "InjectInterruption",
        "RequestDecision",
        "PerformAction",
        "Settle",
        "ReadLog",
        "CheckGoal",
    ],
)
def test_fault_at_any_moment_ends_as_an_error(command: str, error: GaraError, at_fault: str) -> None:
    dialogue = Dialogue(fire_at(0))
    answers: dict[str, res.CommandResult] = {
        "PrepareDevice": res.DevicePrepared(0),
        "ObserveScreen": dialogue.observed(),
        "InjectInterruption": res.InjectionEnded(0, dialogue.observed(COVERED)),
        "RequestDecision": res.AgentDecided(0, Decision(TAP), 0),
        "PerformAction": res.ActionPerformed(0, True, ""),
        "Settle": res.ScreenSettled(0, True, 1, 0),
        "ReadLog": res.LogRead(0, ()),
    }
    while type(dialogue.command).__name__ != command:
        dialogue.feed(answers[type(dialogue.command).__name__])
    dialogue.feed(res.CommandFailed(7, error))
    assert (dialogue.end().outcome, dialogue.end().reason) == ("error", "fault")
    log = dialogue.machine.take_events()
    (fault,) = [event for event in log if isinstance(event, ev.FaultEvent)]
    assert (fault.at_fault, fault.error, fault.message) == (at_fault, type(error).__name__, str(error))
    injected = sum(isinstance(event, ev.InterruptionInjected) for event in log)
    failed = [event.kind for event in log if isinstance(event, ev.InjectionFailed)]
    assert failed == ([FailureKind.LOST_DEVICE] if command == "InjectInterruption" else [])
    assert len(only(log, ev.InterruptionResolved)) + len(failed) == injected
    assert Fault(at_fault) is error.fault


def test_result_of_another_command_is_rejected() -> None:
    dialogue = Dialogue()
    with pytest.raises(RuntimeError, match="ScreenSettled does not fit the state preparing"):
        dialogue.feed(res.ScreenSettled(0, True, 1, 0))
    with pytest.raises(RuntimeError, match="the episode's state is preparing, not new"):
        dialogue.machine.begin()
    dialogue.turn(GiveUp())
    with pytest.raises(RuntimeError, match="does not fit the state finished"):
        dialogue.feed(res.DevicePrepared(0))


def test_without_rules_nothing_is_injected_and_logcat_is_not_read() -> None:
    dialogue = Dialogue(None)
    for _ in range(4):
        dialogue.turn()
    assert not {"InjectInterruption", "ReadLog", "PerformFollowUp"} & set(dialogue.commands)
    assert dialogue.machine.tracked == []


def test_success_during_a_fault_is_checked_again() -> None:
    dialogue = Dialogue()
    dialogue.turn(verdict=NO)
    dialogue.fault = "2 readings of the screen failed"
    dialogue.turn(verdict=YES)
    assert (dialogue.end().outcome, dialogue.end().reason) == ("success", "goal_met")
    assert dialogue.commands[-4:] == ["CheckGoal", "Settle", "CheckGoal", "FinishEpisode"]


def test_success_that_only_a_fault_shows_is_an_error() -> None:
    dialogue = Dialogue()
    dialogue.fault = "2 readings of the screen failed"
    dialogue.verdicts = [YES, NO]
    dialogue.turn()
    assert (dialogue.end().outcome, dialogue.end().reason) == ("error", "fault")
    (fault,) = only(dialogue.machine.take_events(), ev.FaultEvent)
    assert (fault.at_fault, fault.error) == ("device", "DeviceError")
    assert "read during a fault: 2 readings" in fault.message
