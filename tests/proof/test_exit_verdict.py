from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import pytest
from pydantic import TypeAdapter

from garabench.core import events as ev
from garabench.core.interruption import Mode
from garabench.core.rule import BoundRule, Rule
from garabench.core.steps import DeviceStep
from garabench.proof.batching import ExitEpisode, ExitTrial
from garabench.proof.exit_verdict import anomaly_finding, batch_findings, exit_finding
from garabench.proof.exits import Exit
from garabench.proof.findings import ProofCheck
from tests.cases import every_case

DISMISS = Exit(Mode.DUAL, ("dismiss",))
BACK = Exit(Mode.DUAL, ("back",))
RELAUNCH = TypeAdapter(tuple[DeviceStep, ...]).validate_python(["relaunch"])
TWICE = Exit(Mode.FORCED, ("accept", "close"))


def injected(
    token: str = "t1", rule: str = "rule", mode: str = "dual", interruption: str = "rate-app"
) -> ev.Event:
    return ev.InterruptionInjected(
        step=2, t=0, rule=rule, interruption=interruption, category="network", mode=mode, token=token
    )


def shown(token: str = "t1") -> ev.Event:
    return ev.InterruptionShown(step=2, t=0, token=token)


def left(key: str, token: str = "t1", how: Literal["answered", "left", "open"] = "answered") -> ev.Event:
    return ev.InterruptionResolved(step=3, t=0, token=token, how=how, exit=key)


def followed(ok: bool, detail: str = "", token: str = "t1") -> ev.Event:
    return ev.FollowUpPerformed(
        step=3, t=0, token=token, button="accept", description="relaunch", ok=ok, detail=detail
    )


def ended(outcome: str = "success", reason: str = "goal_met") -> ev.Event:
    data: dict[str, Any] = {"step": 9, "t": 0, "outcome": outcome, "reason": reason, "steps": 8}
    return ev.EpisodeEnded.model_validate(data)


UNMET = ev.GoalChecked(step=9, t=0, holds=False, reason="id=like is not on the screen")
LOST = ev.FaultEvent(step=9, t=0, at_fault="device", error="DeviceLostError", message="the phone is gone")
FORCED = injected(mode="forced")
SECOND = injected("t2", rule="", mode="forced", interruption="page")


@every_case(
    ("exit_", "events", "ok", "expected"),
    [
        (DISMISS, [injected(), shown(), left("dismiss"), ended()], True, "solved after 8 steps"),
        (BACK, [injected(), shown(), left("back", how="left"), ended()], True, "solved after 8 steps"),
        (
            TWICE,
            [
                FORCED,
                shown(),
                left("accept"),
                followed(True),
                SECOND,
                shown("t2"),
                left("close", "t2"),
                ended(),
            ],
            True,
            "solved after 8 steps",
        ),
        (DISMISS, [ended()], False, "the rule does not fire"),
        (
            DISMISS,
            [injected(rule="other"), shown(), left("dismiss"), ended()],
            False,
            "the rule does not fire",
        ),
        (DISMISS, [FORCED, shown(), left("dismiss"), ended()], False, "shown in forced mode"),
        (DISMISS, [injected(), left("dismiss"), ended()], False, "rate-app was not shown: never seen"),
        (
            DISMISS,
            [injected(), ev.InjectionFailed(step=2, t=0, token="t1", reason="not installed"), ended()],
            False,
            "rate-app was not shown: not installed",
        ),
        (DISMISS, [injected(), shown(), ended()], False, "rate-app was not left; expected dismiss"),
        (
            DISMISS,
            [injected(), shown(), left("accept"), ended()],
            False,
            "rate-app was answered by accept; expected dismiss",
        ),
        (
            BACK,
            [injected(), shown(), left("on screen", how="open"), ended()],
            False,
            "rate-app was not left; expected back",
        ),
        (
            TWICE,
            [FORCED, shown(), left("accept"), ended()],
            False,
            "no other interruption is shown after accept",
        ),
        (
            TWICE,
            [FORCED, shown(), left("accept"), SECOND, shown("t2"), left("gone", "t2", "left"), ended()],
            False,
            "page was left by gone; expected close",
        ),
        (
            DISMISS,
            [injected(), shown(), left("dismiss"), followed(False, "it did not come back"), ended()],
            False,
            "the follow-up 'relaunch' of accept failed: it did not come back",
        ),
        (
            DISMISS,
            [injected(), shown(), left("dismiss"), UNMET, ended("failure", "step_limit")],
            False,
            "not solved after this exit (failure, step_limit): id=like is not on the screen",
        ),
        (
            DISMISS,
            [injected(), shown(), left("dismiss"), UNMET, LOST, ended("error", "fault")],
            False,
            "not solved after this exit (error, fault): the phone is gone",
        ),
        (DISMISS, [injected(), shown(), left("dismiss")], False, "the episode did not end"),
    ],
)
def test_an_episode_is_evaluated(exit_: Exit, events: Sequence[ev.Event], ok: bool, expected: str) -> None:
    found = exit_finding("rule", exit_, events)
    assert (found.ok, found.reason, found.subject) == (ok, expected, f"rule {exit_}")


def test_a_missing_follow_up_is_reported() -> None:
    events = [injected(), shown(), left("accept"), followed(True), ended()]
    steps: tuple[DeviceStep, ...] = (*RELAUNCH, *RELAUNCH)
    assert exit_finding("rule", Exit(Mode.DUAL, ("accept",), follow_up=RELAUNCH), events).ok
    found = exit_finding("rule", Exit(Mode.DUAL, ("accept",), follow_up=steps), events)
    assert (found.ok, found.reason) == (False, "only 1 of 2 follow-up steps were performed")


def test_an_exit_declared_to_end_the_task_only_has_to_be_reached() -> None:
    exit_ = Exit(Mode.DUAL, ("dismiss",), ends_task="the account is closed")
    failed = ended("failure", "gave_up")
    assert exit_finding("rule", exit_, [injected(), shown(), left("dismiss"), failed]).reason == (
        "ends the task: the account is closed"
    )
    assert not exit_finding("rule", exit_, [injected(), shown(), failed]).ok


def test_an_exit_wrongly_declared_to_end_the_task_is_reported() -> None:
    exit_ = Exit(Mode.DUAL, ("dismiss",), ends_task="the account is closed")
    found = exit_finding("rule", exit_, [injected(), shown(), left("dismiss"), ended()])
    assert (found.ok, found.step) == (False, 9)
    assert found.reason == "declared to end the task (the account is closed), but the task is solved after it"


def decided(furthest: int) -> tuple[ev.Event, int]:
    return ev.Decided(step=1, t=0, action={"type": "back"}), furthest


def episode_of(*reported: ev.Event | tuple[ev.Event, int]) -> ExitEpisode:
    return ExitEpisode(
        tuple(each[0] if isinstance(each, tuple) else each for each in reported),
        tuple(each[1] for each in reported if isinstance(each, tuple)),
    )


def trial(rule: str, exit_: Exit = DISMISS) -> ExitTrial:
    made = Rule.model_validate(
        {"id": rule, "description": "for a test", "inject": "rate-app", "when": {"at_step": 1}}
    )
    return ExitTrial(BoundRule(made, "any"), exit_, f"{rule} {exit_}")


REPAIRING = Exit(Mode.DUAL, ("accept",), follow_up=RELAUNCH)


def first(key: str = "dismiss") -> list[ev.Event]:
    return [injected("t1", "first"), shown("t1"), left(key, "t1")]


def second(key: str = "dismiss") -> list[ev.Event]:
    performed = [followed(True, token="t2")] if key == "accept" else []
    return [injected("t2", "second"), shown("t2"), left(key, "t2"), *performed]


@every_case(
    ("exit_", "reported", "proven"),
    [
        # One episode proves both.
        (DISMISS, episode_of(decided(1), *first(), decided(1), decided(2), *second(), ended()), "both"),
        # Two on one screen; the second only closes.
        (DISMISS, episode_of(decided(1), *first(), decided(1), *second(), ended()), "both"),
        # The second restarts the app, so the first is proven only if the solution advanced in between.
        (REPAIRING, episode_of(decided(1), *first(), decided(2), *second("accept"), ended()), "both"),
        (REPAIRING, episode_of(decided(1), *first(), decided(1), *second("accept"), ended()), "second"),
        (REPAIRING, episode_of(*first(), decided(0), *second("accept"), decided(3), ended()), "second"),
        # Repeating earlier steps is not an advance.
        (
            REPAIRING,
            episode_of(decided(3), *first(), decided(3), decided(3), *second("accept"), decided(4), ended()),
            "second",
        ),
        # A failure of one does not count against the other.
        (DISMISS, episode_of(*first("accept"), *second(), ended()), "second"),
        (DISMISS, episode_of(*second(), ended()), "second"),
        (DISMISS, episode_of(*first(), decided(1), ended()), "first"),
        (DISMISS, episode_of(*first(), injected("t2", "second"), ended()), "first"),
        (DISMISS, episode_of(*first(), followed(False), *second(), ended()), "second"),
        # Not solved: the cause is unknown.
        (DISMISS, episode_of(*first(), *second(), UNMET, ended("failure", "step_limit")), ""),
        (DISMISS, episode_of(*first(), *second()), ""),
    ],
)
def test_a_shared_episode_proves_the_exits_that_it_shows(
    exit_: Exit, reported: ExitEpisode, proven: str
) -> None:
    found = batch_findings([trial("first"), trial("second", exit_)], reported)
    names = {"both": ["first", "second"], "": []}.get(proven, [proven])
    assert [finding.subject.split()[0] for finding in found] == names
    assert all(finding.ok for finding in found)
    for finding in found:
        other = "second" if finding.subject.startswith("first") else "first"
        assert finding.reason == f"solved after 8 steps, in one episode with {other}"


def test_an_interruption_opened_by_a_button_belongs_to_the_previous_rule() -> None:
    events = [
        *(FORCED, shown(), left("accept"), SECOND, shown("t2"), left("close", "t2")),
        *(injected("t3", "other", mode="forced"), shown("t3"), left("accept", "t3"), ended()),
    ]
    assert exit_finding("rule", TWICE, events).ok
    assert not exit_finding("other", TWICE, events).ok
    assert exit_finding("other", Exit(Mode.FORCED, ("accept",)), events).ok


@pytest.mark.parametrize(
    ("events", "ok", "expected"),
    [
        ([injected(), shown(), UNMET, ended("failure", "step_limit")], True, "the anomaly is in effect"),
        ([ended()], False, "the rule does not fire"),
        (
            [injected(), ev.InjectionFailed(step=2, t=0, token="t1", reason="no such sensor"), ended()],
            False,
            "rate-app was not shown: no such sensor",
        ),
    ],
)
def test_a_system_anomaly_must_be_in_force(events: Sequence[ev.Event], ok: bool, expected: str) -> None:
    found = anomaly_finding("rule", events)
    assert (found.check, found.ok, found.reason) == (ProofCheck.IN_FORCE, ok, expected)
