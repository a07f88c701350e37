from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from garabench.core.condition import Condition
from garabench.core.earlier_screens import (
    EarlierScreens,
    earlier_conditions,
    earlier_screens_from_json,
)
from garabench.core.evaluate import evaluate
from garabench.core.recorded_facts import RecordedFacts, fact_queries
from garabench.core.rule import Rule
from garabench.core.tree import UiNode, UiTree

CONDITIONS: TypeAdapter[Any] = TypeAdapter(Condition)


def read(data: Any) -> Any:
    return CONDITIONS.validate_python(data)


def screen(*words: str) -> RecordedFacts:
    return RecordedFacts(UiTree((UiNode(children=tuple(UiNode(text=word) for word in words)),)))


def after(goal: Any, *screens: RecordedFacts) -> EarlierScreens:
    earlier = EarlierScreens.before([goal])
    for step, facts in enumerate(screens):
        earlier = earlier.after(facts, step)
    return earlier


SAVED_THEN_LIKED = {"all": [{"exists": {"text": "liked"}}, {"earlier": {"exists": {"text": "Saved"}}}]}
SETTING = {"setting": {"namespace": "global", "key": "x", "equals": "1"}}


@pytest.mark.parametrize(
    ("condition", "before", "now", "holds"),
    [
        (SAVED_THEN_LIKED, ["Saved", "post"], "liked", True),
        (SAVED_THEN_LIKED, ["post"], "liked", False),  # the step was skipped
        (SAVED_THEN_LIKED, ["Saved"], "post", False),
        (SAVED_THEN_LIKED, [], "liked Saved", False),  # the present screen is not an earlier one
        ({"earlier": {"exists": {"text": "a"}}}, ["a", "b", "c"], "c", True),
        ({"earlier": {"absent": {"text": "a"}}}, ["a"], "b", False),
        ({"not": {"earlier": {"exists": {"text": "a"}}}}, ["b"], "c", True),
        ({"not": {"earlier": {"exists": {"text": "a"}}}}, ["b", "a"], "c", False),
        ({"any": [{"exists": {"text": "a"}}, {"earlier": {"exists": {"text": "b"}}}]}, ["b"], "c", True),
        # Inside another one: b, and before that a.
        ({"earlier": {"all": [{"exists": {"text": "b"}}, {"earlier": {"exists": {"text": "a"}}}]}},
         ["a", "b"], "c", True),
        ({"earlier": {"all": [{"exists": {"text": "b"}}, {"earlier": {"exists": {"text": "a"}}}]}},
         ["b", "a"], "c", False),
        ({"earlier": SETTING}, ["a"], "b", None),
        ({"earlier": {"any": [SETTING, {"exists": {"text": "b"}}]}}, ["a", "b"], "c", True),
    ],
)  # fmt: skip
def test_an_earlier_condition_is_judged_by_the_screens_before(
    condition: Any, before: list[str], now: str, holds: bool | None
) -> None:
    goal = read(condition)
    earlier = after(goal, *(screen(*each.split()) for each in before))
    assert evaluate(goal, screen(*now.split()), earlier.verdict).holds is holds


def test_the_reason_names_the_step_and_shows_no_element_of_another_screen() -> None:
    goal = read(SAVED_THEN_LIKED)
    earlier = after(goal, screen("home"), screen("Saved"))
    verdict = evaluate(goal, screen("liked"), earlier.verdict)
    assert verdict.reason == "text=liked is on the screen; earlier, at step 1: text=Saved is on the screen"
    assert [node.text for node in verdict.evidence] == ["liked"]
    missing = evaluate(goal, screen("liked"), after(goal, screen("home")).verdict)
    assert missing.reason == "on no earlier screen, last: text=Saved is not on the screen"
    assert evaluate(goal, screen("liked")).reason == "there is no earlier screen"


def test_an_interruption_in_front_makes_nothing_unknown() -> None:
    goal = read({"earlier": SETTING})
    assert EarlierScreens.before([goal]).after(screen("a"), 0, obstructed=True).verdict(
        goal.earlier
    ).holds is (False)
    unknown = after(goal, screen("a"))
    assert unknown.verdict(goal.earlier).holds is None
    assert unknown.after(screen("a"), 1, obstructed=True) == unknown


def test_what_was_not_asked_for_is_unknown() -> None:
    verdict = EarlierScreens().verdict(read({"exists": {"text": "a"}}))
    assert (verdict.holds, verdict.reason) == (None, "earlier screens were not recorded")


def test_facts_inside_are_queried_and_verdicts_can_be_stored() -> None:
    goal = read({"all": [{"earlier": {"not": SETTING}}, {"earlier": {"exists": {"text": "a"}}}, SETTING]})
    assert fact_queries([goal]) == {("setting", "global", "x")}
    assert len(earlier_conditions([goal, goal])) == 2
    earlier = after(goal, screen("a"))
    assert earlier_screens_from_json(earlier.to_json()) == earlier


@given(st.lists(st.sampled_from(["a", "b", "c"]), max_size=6))
def test_once_it_has_held_it_stays(words: list[str]) -> None:
    goal = read({"earlier": {"exists": {"text": "a"}}})
    earlier = after(goal, *map(screen, words))
    assert evaluate(goal, screen("c"), earlier.verdict).holds is ("a" in words)


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        (
            {"earlier": {"answer": {"equals": "5"}}},
            "an answer ends the episode, so no earlier screen has one",
        ),
        ({"earlier": {"all": [{"answer": {"equals": "5"}}]}}, "so no earlier screen has one"),
        ({"earlier": []}, "a condition is one of: all, any, not, earlier"),
    ],
)
def test_an_invalid_earlier_is_refused(condition: Any, message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        read(condition)


def test_a_rule_reads_the_present_screen_only() -> None:
    when = {"any": [{"not": {"earlier": {"exists": {"text": "a"}}}}]}
    with pytest.raises(ValidationError, match="earlier is for goals: a rule reads the present screen only"):
        Rule.model_validate({"id": "r", "description": "a rule", "when": when, "inject": "x"})


def test_what_a_turned_screen_does_not_show_is_unknown() -> None:
    goal = read(SAVED_THEN_LIKED)
    turned = EarlierScreens.before([goal]).after(screen("post"), 0, cropped=True)
    assert evaluate(goal, screen("liked"), turned.verdict).holds is None
    assert evaluate(goal, screen("post"), turned.verdict).holds is False  # regardless of the earlier screens
    upright = turned.after(screen("post"), 1)
    assert evaluate(goal, screen("liked"), upright.verdict).holds is None
    assert evaluate(goal, screen("liked"), upright.after(screen("Saved"), 2).verdict).holds is True
