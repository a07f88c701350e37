from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import pytest

from garabench.campaign.exits import Exit
from garabench.campaign.passing import judge
from garabench.core import events as ev
from garabench.core.interruption import Mode

DISMISS = Exit(Mode.DUAL, ("dismiss",))
BACK = Exit(Mode.DUAL, ("back",))
TWICE = Exit(Mode.FORCED, ("accept", "close"))


def injected(token: str = "t1", rule: str = "rule", mode: str = "dual", what: str = "rate-app") -> ev.Event:
    return ev.InterruptionInjected(
        step=2, t=0, rule=rule, interruption=what, category="network", mode=mode, token=token
    )


def shown(token: str = "t1") -> ev.Event:
    return ev.InterruptionShown(step=2, t=0, token=token)


def left(key: str, token: str = "t1", how: Literal["answered", "left", "open"] = "answered") -> ev.Event:
    return ev.InterruptionResolved(step=3, t=0, token=token, how=how, exit=key)


def followed(ok: bool, detail: str = "") -> ev.Event:
    return ev.FollowUpPerformed(
        step=3, t=0, token="t1", button="accept", what="relaunch", ok=ok, detail=detail
    )


def ended(outcome: str = "success", reason: str = "goal_met") -> ev.Event:
    data: dict[str, Any] = {"step": 9, "t": 0, "outcome": outcome, "reason": reason, "steps": 8}
    return ev.EpisodeEnded.model_validate(data)


UNMET = ev.GoalChecked(step=9, t=0, holds=False, why="there is no id=like")
LOST = ev.FaultEvent(step=9, t=0, at_fault="device", error="DeviceLost", message="the phone is gone")
FORCED = injected(mode="forced")
SECOND = injected("t2", rule="", mode="forced", what="page")


@pytest.mark.parametrize(
    ("way", "events", "ok", "said"),
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
        (DISMISS, [FORCED, shown(), left("dismiss"), ended()], False, "it is shown in forced mode"),
        (DISMISS, [injected(), left("dismiss"), ended()], False, "rate-app is not shown: never seen"),
        (
            DISMISS,
            [injected(), ev.InjectionFailed(step=2, t=0, token="t1", reason="not installed"), ended()],
            False,
            "rate-app is not shown: not installed",
        ),
        (DISMISS, [injected(), shown(), ended()], False, "rate-app is not left, not by dismiss"),
        (
            DISMISS,
            [injected(), shown(), left("accept"), ended()],
            False,
            "rate-app is answered by accept, not by dismiss",
        ),
        (
            BACK,
            [injected(), shown(), left("on screen", how="open"), ended()],
            False,
            "rate-app is open by on screen, not by back",
        ),
        (
            TWICE,
            [FORCED, shown(), left("accept"), ended()],
            False,
            "no further interruption comes up after accept",
        ),
        (
            TWICE,
            [FORCED, shown(), left("accept"), SECOND, shown("t2"), left("gone", "t2", "left"), ended()],
            False,
            "page is left by gone, not by close",
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
            "not solved after it (failure, step_limit): there is no id=like",
        ),
        (
            DISMISS,
            [injected(), shown(), left("dismiss"), UNMET, LOST, ended("error", "fault")],
            False,
            "not solved after it (error, fault): the phone is gone",
        ),
        (DISMISS, [injected(), shown(), left("dismiss")], False, "the episode has no end"),
    ],
)
def test_an_episode_is_judged(way: Exit, events: Sequence[ev.Event], ok: bool, said: str) -> None:
    found = judge("rule", way, events)
    assert (found.ok, found.why, found.subject) == (ok, said, f"rule {way}")


def test_an_exit_that_is_declared_to_end_the_task_has_to_be_reached_only() -> None:
    way = Exit(Mode.DUAL, ("dismiss",), ends_task="the account is closed")
    failed = ended("failure", "gave_up")
    assert judge("rule", way, [injected(), shown(), left("dismiss"), failed]).why == (
        "ends the task: the account is closed"
    )
    assert not judge("rule", way, [injected(), shown(), failed]).ok


def test_an_exit_that_is_declared_to_end_the_task_and_does_not_is_told() -> None:
    way = Exit(Mode.DUAL, ("dismiss",), ends_task="the account is closed")
    found = judge("rule", way, [injected(), shown(), left("dismiss"), ended()])
    assert (found.ok, found.step) == (False, 9)
    assert found.why == "is declared to end the task (the account is closed), and the task is solved after it"
