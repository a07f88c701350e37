from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from garabench.core.condition import AllOf, Condition
from garabench.core.evaluate import evaluate
from garabench.core.goal import Guard, guard_part_problem
from garabench.core.tree import UiTree
from garabench.proof.condition_mutants import WHOLE, Change, condition_mutants

A, B, C, D = ({"answer": {"contains": letter}} for letter in "abcd")
LOOSER, STRICTER = Change.LOOSER, Change.STRICTER


def condition(data: dict[str, Any]) -> Condition:
    read: Condition = TypeAdapter(Condition).validate_python(data)
    return read


def test_each_part_is_left_out_in_turn() -> None:
    made = condition_mutants(condition({"all": [A, B, C]}), (Guard(part="2", reason="on a tablet"),))
    assert [(m.part, m.guard, m.change) for m in made] == [
        ("1", "", LOOSER),
        ("2", "on a tablet", LOOSER),
        ("3", "", LOOSER),
    ]
    assert [m.condition for m in made] == [
        AllOf(all=(condition(B), condition(C))),
        AllOf(all=(condition(A), condition(C))),
        AllOf(all=(condition(A), condition(B))),
    ]


@pytest.mark.parametrize(
    ("goal", "made"),
    [
        ({"any": [A, B]}, {"1": ({"any": [B]}, STRICTER), "2": ({"any": [A]}, STRICTER)}),
        (
            {"all": [A, {"any": [B, C]}]},
            {
                "1": ({"all": [{"any": [B, C]}]}, LOOSER),
                "2": ({"all": [A]}, LOOSER),
                "2.1": ({"all": [A, {"any": [C]}]}, STRICTER),
                "2.2": ({"all": [A, {"any": [B]}]}, STRICTER),
            },
        ),
        (
            {"any": [A, {"all": [B, C]}]},
            {
                "1": ({"any": [{"all": [B, C]}]}, STRICTER),
                "2": ({"any": [A]}, STRICTER),
                "2.1": ({"any": [A, {"all": [C]}]}, LOOSER),
                "2.2": ({"any": [A, {"all": [B]}]}, LOOSER),
            },
        ),
        (
            {"all": [A, {"not": {"any": [B, {"all": [C, D]}]}}]},
            {
                "1": ({"all": [{"not": {"any": [B, {"all": [C, D]}]}}]}, LOOSER),
                "2": ({"all": [A]}, LOOSER),
                "2.1": ({"all": [A, {"not": {"any": [{"all": [C, D]}]}}]}, LOOSER),
                "2.2": ({"all": [A, {"not": {"any": [B]}}]}, LOOSER),
                "2.2.1": ({"all": [A, {"not": {"any": [B, {"all": [D]}]}}]}, STRICTER),
                "2.2.2": ({"all": [A, {"not": {"any": [B, {"all": [C]}]}}]}, STRICTER),
            },
        ),
        ({"not": {"not": {"all": [A, B]}}}, None),
        ({"all": [{"all": [A]}, B]}, {"1": ({"all": [B]}, LOOSER), "2": ({"all": [{"all": [A]}]}, LOOSER)}),
        ({"any": [{"any": [{"not": A}]}]}, {}),
    ],
)
def test_nested_conditions_are_left_out_in_turn(
    goal: dict[str, Any], made: Mapping[str, tuple[dict[str, Any], Change]] | None
) -> None:
    if made is None:
        twice = {"1": ({"not": {"not": {"all": [B]}}}, LOOSER), "2": ({"not": {"not": {"all": [A]}}}, LOOSER)}
        made = twice
    found = {m.part: (m.condition, m.change) for m in condition_mutants(condition(goal)) if m.part != WHOLE}
    assert found == {part: (condition(left), change) for part, (left, change) in made.items()}


@pytest.mark.parametrize(
    ("goal", "whole"),
    [
        (A, True),
        ({"all": [A]}, True),
        ({"any": [A, B]}, True),
        ({"not": {"all": [A, B]}}, True),
        ({"all": [A, B]}, False),
    ],
)
def test_a_goal_without_an_all_is_left_out_as_a_whole(goal: dict[str, Any], whole: bool) -> None:
    made = condition_mutants(condition(goal))
    assert ((made[0].part, made[0].condition, made[0].subject) == (WHOLE, None, "whole goal")) is whole


def test_a_guard_covers_nested_conditions() -> None:
    goal = condition({"all": [A, {"not": {"any": [B, {"all": [C, D]}]}}]})
    within = Guard(part="2.2", reason="also so")
    assert {m.part: m.guard for m in condition_mutants(goal, (within,))} == {
        "1": "",
        "2": "",
        "2.1": "",
        "2.2": "also so",
        "2.2.1": "also so",
        "2.2.2": "also so",
    }
    around = Guard(part=2, reason="on tablets")  # type: ignore[arg-type]
    guards = {m.part: m.guard for m in condition_mutants(goal, (around, within))}
    assert (guards["2"], guards["2.1"], guards["2.2.1"]) == ("on tablets", "on tablets", "also so")


LETTERS = st.sampled_from([A, B, C, D])
CONDITIONS = st.recursive(
    LETTERS,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: {"all": parts}),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: {"any": parts}),
        inner.map(lambda part: {"not": part}),
    ),
    max_leaves=8,
)


class _AnswerFacts:
    """Facts with an answer only."""

    tree = UiTree(())
    focus = None

    def __init__(self, answer: str) -> None:
        self.answer: str | None = answer

    def setting(self, namespace: str, key: str) -> str | None:
        return None

    def package_state(self, package: str, state: str) -> bool | None:
        return None

    def content(self, uri: str) -> str | None:
        return None


@given(CONDITIONS, st.sets(st.sampled_from("abcd")))
def test_each_mutant_accepts_more_or_less_as_declared(goal: dict[str, Any], letters: set[str]) -> None:
    whole = condition(goal)
    facts = _AnswerFacts(" ".join(letters))
    holds = evaluate(whole, facts).holds
    for mutant in condition_mutants(whole):
        if mutant.condition is None:
            continue
        left = evaluate(mutant.condition, facts).holds
        looser, stricter = (left, holds) if mutant.change is LOOSER else (holds, left)
        assert looser or not stricter
        assert not guard_part_problem(goal, mutant.part)


@given(CONDITIONS)
def test_every_condition_is_left_out_once(goal: dict[str, Any]) -> None:
    def several(part: Any) -> int:
        if "not" in part:
            return several(part["not"])
        listed = part.get("all") or part.get("any") or ()
        return (len(listed) if len(listed) > 1 else 0) + sum(map(several, listed))

    made = [mutant for mutant in condition_mutants(condition(goal)) if mutant.part != WHOLE]
    assert len({mutant.part for mutant in made}) == len(made) == several(goal)
    assert condition_mutants(condition(goal))
