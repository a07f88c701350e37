"""The verdicts on episodes with a turned screen are compared with the apps' state, in both directions."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pydantic import TypeAdapter

from benchmarks.report import with_block
from benchmarks.rotation import (
    DOCS,
    StateComparison,
    TurnedEpisode,
    TurnedVerdict,
    UprightResult,
    as_block,
    compare_state,
    compare_upright,
    missed_step,
)
from garabench.agents.reference.agent import SEARCHING_THOUGHTS
from garabench.core import events as ev
from garabench.core.app_state import AppEffects, StateRecord
from garabench.core.expected_effects import ChangeKind, EffectExpectation, StateChange
from garabench.core.steps import SolutionStep

APP = "com.example.reader"
SONG, BOOK = (StateRecord(kind="like", object=name) for name in ("song", "book"))
EXPECTED = EffectExpectation(
    variants=((StateChange(package=APP, change=ChangeKind.ADDED, kind="like", object="song"),),)
)


FAILURES = ("false_done", "step_limit", "gave_up")
MISSED = "step 2 of 3, tap id=like"


def turned(outcome: str, reason: str, state: StateComparison, missed: str = "") -> TurnedEpisode:
    return TurnedEpisode("a", True, outcome, reason, 3, state, missed)


@pytest.mark.parametrize("missed", ["", MISSED])
@pytest.mark.parametrize("reason", FAILURES)
@pytest.mark.parametrize(
    ("app", "success", "failure"),
    [
        (AppEffects(package=APP, added=(SONG,)), TurnedVerdict.SUCCEEDED, TurnedVerdict.MISSCORED),
        (AppEffects(package=APP, added=(SONG, BOOK)), TurnedVerdict.SUCCEEDED, TurnedVerdict.NOT_PERFORMED),
        (AppEffects(package=APP, added=(BOOK,)), TurnedVerdict.MISSCORED, TurnedVerdict.NOT_PERFORMED),
        (AppEffects(package=APP), TurnedVerdict.MISSCORED, TurnedVerdict.NOT_PERFORMED),
    ],
)
def test_a_verdict_that_the_state_contradicts_is_wrong_however_the_episode_ended(
    app: AppEffects, success: TurnedVerdict, failure: TurnedVerdict, reason: str, missed: str
) -> None:
    state = compare_state(EXPECTED, [ev.Effects(step=1, t=1, apps=(app,))])
    assert turned("success", "goal_met", state).verdict is success
    assert turned("failure", reason, state, missed).verdict is failure


@pytest.mark.parametrize("reason", FAILURES)
@pytest.mark.parametrize(
    ("expected", "app"),
    [
        (EXPECTED, None),
        (EXPECTED, AppEffects(package=APP, unknown="lost")),
        (EffectExpectation(), AppEffects(package=APP)),
        (EffectExpectation(variants=((),)), AppEffects(package=APP)),
    ],
    ids=["not-read", "lost", "nothing-recorded", "no-change-asked-for"],
)
def test_where_the_state_cannot_tell_the_same_steps_on_an_upright_screen_decide(
    expected: EffectExpectation, app: AppEffects | None, reason: str
) -> None:
    state = compare_state(expected, [] if app is None else [ev.Effects(step=1, t=1, apps=(app,))])
    assert turned("success", "goal_met", state).verdict is TurnedVerdict.SUCCEEDED
    failed = turned("failure", reason, state, MISSED)
    assert failed.needs_upright
    assert failed.verdict is TurnedVerdict.MISSCORED
    for upright, verdict in (
        (failed, TurnedVerdict.FAILS_UPRIGHT),
        (turned("success", "goal_met", state), TurnedVerdict.MISSCORED),
        (turned("error", "device_lost", state), TurnedVerdict.MISSCORED),
        (replace(failed, unknown=True), TurnedVerdict.MISSCORED),
        (replace(failed, changes=EXPECTED.variants[0]), TurnedVerdict.MISSCORED),
    ):
        assert compare_upright(failed, upright).verdict is verdict


@pytest.mark.parametrize(
    ("state", "upright", "truth"),
    [
        (StateComparison.AS_EXPECTED, None, "changed exactly what the task asks for"),
        (StateComparison.LACKING, None, "a change is missing"),
        (StateComparison.CANNOT_TELL, "success", "succeeds upright"),
        (StateComparison.CANNOT_TELL, "failure", "fails upright, too"),
    ],
)
def test_what_the_agent_did_is_said_for_an_unknown_verdict(
    state: StateComparison, upright: str | None, truth: str
) -> None:
    episode = replace(turned("failure", "false_done", state), unknown=True)
    assert episode.needs_upright is (upright is not None)
    if upright is not None:
        episode = compare_upright(episode, turned(upright, "", state))
    assert episode.verdict is TurnedVerdict.UNKNOWN
    assert episode.truth == truth


def test_the_missed_step_is_the_one_that_the_agent_searched_for() -> None:
    steps = TypeAdapter(tuple[SolutionStep, ...]).validate_python(
        [{"tap": {"id": "open"}}, {"tap": {"id": "like"}}]
    )
    search = ev.Decided(step=1, t=1, action={"type": "wait"}, thought=min(SEARCHING_THOUGHTS))
    assert missed_step(steps, 1, [search]) == "step 2 of 2, tap id=like"
    assert missed_step(steps, 2, [search]) == ""
    assert missed_step(steps, 1, [search.model_copy(update={"thought": "step 2 of the solution"})]) == ""


def test_a_run_is_a_table_with_the_tasks_to_look_at() -> None:
    as_expected, cannot_tell = StateComparison.AS_EXPECTED, StateComparison.CANNOT_TELL
    done = [
        TurnedEpisode("a", True, "success", "goal_met", 3, as_expected),
        TurnedEpisode("b", False, "failure", "step_limit", 9, StateComparison.LACKING, MISSED),
        TurnedEpisode("c", True, "failure", "step_limit", 3, as_expected),
        TurnedEpisode("d", True, "failure", "false_done", 3, as_expected, unknown=True),
        TurnedEpisode(
            "e", True, "failure", "step_limit", 9, cannot_tell, MISSED, upright=UprightResult.FAILURE
        ),
    ]
    assert as_block("android-19:720x1280", done).splitlines() == [
        "| virtual phone | tasks that fit | screens turned | succeeded | state differs "
        "| fails upright, too | unknown | wrong | errors |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        "| `android-19:720x1280` | 5 | 4 | 1 | 1 | 1 | 1 | 1 | 0 |",
        "",
        "Not turned: `b`.",
        "",
        f"Fails upright, too: `e` ({MISSED}).",
        "",
        "Unknown: `d` (changed exactly what the task asks for).",
        "",
        "Wrong: `c`.",
    ]


def test_the_page_has_one_place_for_the_table() -> None:
    page = with_block(DOCS.read_text(encoding="utf-8"), "rotation", "new")
    assert "<!-- rotation -->\nnew\n<!-- end of rotation -->" in page
