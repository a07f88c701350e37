from __future__ import annotations

import pytest

from garabench.agents.interface import Decision
from garabench.core import events as ev
from garabench.core.action import Done, GiveUp
from garabench.core.evaluate import Verdict
from garabench.core.injection import FailureKind
from garabench.episode import command_results as res
from garabench.episode import commands as cmd
from garabench.errors import DeviceLostError, Fault, GaraError, HarnessError, ModelError
from tests.cases import every_case
from tests.episode.dialogue import COVERED, NO, TAP, UNKNOWN, YES, Dialogue, fire_at, only


def test_a_clean_episode_that_meets_its_goal() -> None:
    talk = Dialogue()
    talk.turn()
    talk.turn(verdict=YES)
    assert talk.asked == [
        *("PrepareDevice", "ObserveScreen", "AskAgent", "PerformAction", "Settle", "CheckGoal"),
        *("ObserveScreen", "AskAgent", "PerformAction", "Settle", "CheckGoal", "FinishEpisode"),
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
    assert talk.asked[-5:] == ["ObserveScreen", "AskAgent", "Settle", "CheckGoal", "FinishEpisode"]


def test_the_answer_reaches_the_check() -> None:
    talk = Dialogue()
    talk.say(res.DevicePrepared(0))
    talk.say(talk.looked())
    talk.say(res.AgentDecided(0, Decision(Done(answer="42")), 0))
    check = talk.say(res.ScreenSettled(0, True, 1, 0))
    assert isinstance(check, cmd.CheckGoal)
    assert check.answer == "42"


def test_giving_up_ends_at_once() -> None:
    talk = Dialogue()
    talk.turn(GiveUp(reason="no such button"))
    assert (talk.end().outcome, talk.end().reason, talk.end().steps) == ("failure", "gave_up", 0)
    assert talk.asked == ["PrepareDevice", "ObserveScreen", "AskAgent", "FinishEpisode"]


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
    assert isinstance(talk.turn(), cmd.ObserveScreen)
    talk.turn()
    assert (talk.end().outcome, talk.end().reason, talk.end().t) == ("failure", "time_limit", 30)


def test_an_action_that_fails_is_kept_and_told_to_the_agent() -> None:
    talk = Dialogue()
    talk.turn(ok=False)
    ask = talk.say(talk.looked())
    assert isinstance(ask, cmd.AskAgent)
    (turn,) = ask.history
    assert (turn.decision.action, turn.ok, turn.detail) == (TAP, False, "out of the screen")


@every_case(
    ("error", "at_fault"),
    [
        (DeviceLostError("gone"), "device"),
        (ModelError("no answer"), "model"),
        (HarnessError("broken"), "harness"),
        (GaraError("broken"), "harness"),
    ],
)
@every_case(
    "moment",
    [
        "PrepareDevice",
        "ObserveScreen",
        "InjectInterruption",
        "AskAgent",
        "PerformAction",
        "Settle",
        "ReadLog",
        "CheckGoal",
    ],
)
def test_a_fault_at_any_moment_ends_as_an_error(moment: str, error: GaraError, at_fault: str) -> None:
    talk = Dialogue(fire_at(0))
    answers: dict[str, res.CommandResult] = {
        "PrepareDevice": res.DevicePrepared(0),
        "ObserveScreen": talk.looked(),
        "InjectInterruption": res.InjectionEnded(0, talk.looked(COVERED)),
        "AskAgent": res.AgentDecided(0, Decision(TAP), 0),
        "PerformAction": res.ActionPerformed(0, True, ""),
        "Settle": res.ScreenSettled(0, True, 1, 0),
        "ReadLog": res.LogRead(0, ()),
    }
    while type(talk.command).__name__ != moment:
        talk.say(answers[type(talk.command).__name__])
    talk.say(res.CommandFaulted(7, error))
    assert (talk.end().outcome, talk.end().reason) == ("error", "fault")
    log = talk.machine.take_events()
    (fault,) = [event for event in log if isinstance(event, ev.FaultEvent)]
    assert (fault.at_fault, fault.error, fault.message) == (at_fault, type(error).__name__, str(error))
    injected = sum(isinstance(event, ev.InterruptionInjected) for event in log)
    failed = [event.kind for event in log if isinstance(event, ev.InjectionFailed)]
    assert failed == ([FailureKind.LOST_DEVICE] if moment == "InjectInterruption" else [])
    assert len(only(log, ev.InterruptionResolved)) + len(failed) == injected
    assert Fault(at_fault) is error.fault


def test_a_result_that_does_not_fit_is_a_mistake_of_the_caller() -> None:
    talk = Dialogue()
    with pytest.raises(RuntimeError, match="ScreenSettled does not fit the state preparing"):
        talk.say(res.ScreenSettled(0, True, 1, 0))
    with pytest.raises(RuntimeError, match="the episode's state is preparing, not new"):
        talk.machine.begin()
    talk.turn(GiveUp())
    with pytest.raises(RuntimeError, match="does not fit the state over"):
        talk.say(res.DevicePrepared(0))


def test_without_rules_the_log_is_never_read_and_nothing_is_injected() -> None:
    talk = Dialogue(None)
    for _ in range(4):
        talk.turn()
    assert not {"InjectInterruption", "ReadLog", "PerformFollowUp"} & set(talk.asked)
    assert talk.machine.tracked == []
