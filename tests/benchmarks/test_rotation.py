"""The verdicts on episodes with a turned screen are compared with the apps' state, in both directions."""

from __future__ import annotations

import pytest

from benchmarks.report import with_block
from benchmarks.rotation import DOCS, TurnedEpisode, TurnedVerdict, as_block, compare_state
from garabench.core import events as ev
from garabench.core.app_state import AppEffects, StateRecord
from garabench.core.expected_effects import ChangeKind, EffectExpectation, StateChange

APP = "com.example.reader"
SONG, BOOK = (StateRecord(kind="like", object=name) for name in ("song", "book"))
EXPECTED = EffectExpectation(
    variants=((StateChange(package=APP, change=ChangeKind.ADDED, kind="like", object="song"),),)
)


@pytest.mark.parametrize(
    ("app", "success", "false_done"),
    [
        (AppEffects(package=APP, added=(SONG,)), TurnedVerdict.SUCCEEDED, TurnedVerdict.MISSCORED),
        (AppEffects(package=APP, added=(SONG, BOOK)), TurnedVerdict.SUCCEEDED, TurnedVerdict.NOT_PERFORMED),
        (AppEffects(package=APP, added=(BOOK,)), TurnedVerdict.MISSCORED, TurnedVerdict.NOT_PERFORMED),
        (AppEffects(package=APP), TurnedVerdict.MISSCORED, TurnedVerdict.NOT_PERFORMED),
        (AppEffects(package=APP, unknown="lost"), TurnedVerdict.SUCCEEDED, TurnedVerdict.MISSCORED),
    ],
)
def test_a_verdict_that_the_state_contradicts_is_wrong(
    app: AppEffects, success: TurnedVerdict, false_done: TurnedVerdict
) -> None:
    as_expected, lacking = compare_state(EXPECTED, [ev.Effects(step=1, t=1, apps=(app,))])

    def verdict(outcome: str, reason: str) -> TurnedVerdict:
        return TurnedEpisode("a", True, outcome, reason, 3, as_expected=as_expected, lacking=lacking).verdict

    assert (verdict("success", "goal"), verdict("failure", "false_done")) == (success, false_done)


def test_a_state_that_was_not_read_contradicts_nothing() -> None:
    assert compare_state(EXPECTED, []) == (True, False)
    read = [ev.Effects(step=1, t=1, apps=(AppEffects(package=APP),))]
    assert compare_state(EffectExpectation(), read) == (True, False)


def test_a_run_is_a_table_with_the_tasks_to_look_at() -> None:
    done = [
        TurnedEpisode("a", True, "success", "goal_met", 3),
        TurnedEpisode("b", False, "failure", "step_limit", 9),
        TurnedEpisode("c", True, "failure", "false_done", 3, as_expected=True),
        TurnedEpisode("d", True, "failure", "false_done", 3, unknown=True),
    ]
    assert as_block("android-19:720x1280", done).splitlines() == [
        "| virtual phone | tasks that fit | screens turned | succeeded | failed | unknown | wrong | errors |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        "| `android-19:720x1280` | 4 | 3 | 1 | 1 | 1 | 1 | 0 |",
        "",
        "Not turned: `b`.",
        "",
        "Unknown: `d`.",
        "",
        "Wrong: `c`.",
    ]


def test_the_page_has_one_place_for_the_table() -> None:
    page = with_block(DOCS.read_text(encoding="utf-8"), "rotation", "new")
    assert "<!-- rotation -->\nnew\n<!-- end of rotation -->" in page
