from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.core.evaluate import evaluate
from garabench.core.goal import GoalSchema, bind, guard_field_problem
from garabench.core.recorded_facts import RecordedFacts
from garabench.core.tree import UiNode, UiTree
from garabench.proof.condition_mutants import Change
from garabench.proof.field_mutants import field_mutants
from tests.cases import every_case

LOOSER, STRICTER, MIXED = Change.LOOSER, Change.STRICTER, Change.MIXED
GIVEN: dict[str, str | int | float] = {"who": "C++", "what": "soup"}
CARD = {"id": "card", "has": {"id": "title", "text": "{what}"}}
WIDE = {"id": "card", "has": {"id": "title"}}


def schema(holds: dict[str, Any], *guards: dict[str, Any]) -> GoalSchema:
    params: dict[str, Any] = {name: {} for name in GIVEN}
    data = {"id": "goal", "description": "a goal", "params": params, "holds": holds, "guards": guards}
    return GoalSchema.model_validate(data)


def with_both(holds: dict[str, Any]) -> GoalSchema:
    """Return a goal with both parameters, in ``holds`` and in an answer, which has no selector."""
    return schema({"all": [holds, {"answer": {"contains": "{who} {what}"}}]})


@every_case(
    ("one", "made"),
    [
        # a text that is only the parameter is dropped
        (
            {"exists": {"id": "name", "text": "{who}", "inside": CARD}},
            {
                "1 text": ({"exists": {"id": "name", "inside": CARD}}, LOOSER),
                "1 inside.has.text": ({"exists": {"id": "name", "text": "{who}", "inside": WIDE}}, LOOSER),
            },
        ),
        # nothing remains of the relation, so it is dropped too
        (
            {"exists": {"id": "card", "has": {"text": "{what}"}}},
            {"1 has.text": ({"exists": {"id": "card"}}, LOOSER)},
        ),
        (
            {"exists": {"id": "card", "inside": {"has": {"text": "{what}", "index": 0}}}},
            {"1 inside.has.text": ({"exists": {"id": "card"}}, MIXED)},
        ),
        # nothing would remain: that is the condition left out
        ({"exists": {"text": "{who}"}}, {}),
        ({"exists": {"has": {"text": "{who}"}}}, {}),
        # in a longer text the rest must still match
        (
            {"exists": {"text": "{who} (a+b) {what}"}},
            {
                "1 text {what}": ({"exists": {"text_matches": r"^C\+\+\ \(a\+b\)\ .*$"}}, LOOSER),
                "1 text {who}": ({"exists": {"text_matches": r"^.*\ \(a\+b\)\ soup$"}}, LOOSER),
            },
        ),
        (
            {"exists": {"desc_contains": "by {who}"}},
            {"1 desc_contains": ({"exists": {"desc_matches": r"by\ .*"}}, LOOSER)},
        ),
        (
            {"exists": {"text_matches": "^(by|von) {who}$"}},
            {"1 text_matches": ({"exists": {"text_matches": "^(by|von) .*$"}}, LOOSER)},
        ),
        # not possible in a character set, or with two patterns
        (
            {"exists": {"id": "n", "text_matches": "[{who}-9]"}},
            {"1 text_matches": ({"exists": {"id": "n"}}, LOOSER)},
        ),
        (
            {"exists": {"text": "by {who}", "text_matches": "b"}},
            {"1 text": ({"exists": {"text_matches": "b"}}, LOOSER)},
        ),
        ({"exists": {"id": "n", "near": "{who}"}}, {"1 near": ({"exists": {"id": "n"}}, LOOSER)}),
        # under an absence or an upper bound, less is accepted
        ({"absent": {"id": "n", "text": "{who}"}}, {"1 text": ({"absent": {"id": "n"}}, STRICTER)}),
        (
            {"not": {"absent": {"id": "n", "text": "{who}"}}},
            {"1 text": ({"not": {"absent": {"id": "n"}}}, LOOSER)},
        ),
        (
            {"count": {"select": {"id": "n", "text": "{who}"}, "at_least": 2}},
            {"1 text": ({"count": {"select": {"id": "n"}, "at_least": 2}}, LOOSER)},
        ),
        (
            {"count": {"select": {"id": "n", "text": "{who}"}, "at_most": 2}},
            {"1 text": ({"count": {"select": {"id": "n"}, "at_most": 2}}, STRICTER)},
        ),
        (
            {"count": {"select": {"id": "n", "text": "{who}"}, "equals": 2}},
            {"1 text": ({"count": {"select": {"id": "n"}, "equals": 2}}, MIXED)},
        ),
        # another element may then be the nearest, or the first
        (
            {"exists": {"id": "n", "text": "{who}", "near": "soup"}},
            {"1 text": ({"exists": {"id": "n", "near": "soup"}}, MIXED)},
        ),
        (
            {"equals": {"select": {"id": "n", "desc": "{who}"}, "value": "{what}"}},
            {"1 desc": ({"equals": {"select": {"id": "n"}, "value": "soup"}}, LOOSER)},
        ),
        ({"keywords": {"of": ["{who}"]}}, {}),
    ],
)
def test_each_parameter_is_left_open_in_each_field(
    one: dict[str, Any], made: dict[str, tuple[dict[str, Any], Change]]
) -> None:
    found = {m.part: (m.condition, m.change) for m in field_mutants(with_both(one), GIVEN)}
    filled = {part: (bind(with_both(left), GIVEN).condition, change) for part, (left, change) in made.items()}
    assert found == filled


def test_fields_of_nested_conditions_are_named_by_their_path() -> None:
    within = {"any": [{"exists": {"id": "n", "text": "{who}"}}, {"selected": {"id": "m", "desc": "{who}"}}]}
    goal = schema({"all": [{"exists": CARD}, {"not": within}]})
    assert {m.part: (m.subject, m.change) for m in field_mutants(goal, GIVEN)} == {
        "1 has.text": ("part 1 has.text", LOOSER),
        "2.1 text": ("part 2.1 text", STRICTER),
        "2.2 desc": ("part 2.2 desc", STRICTER),
    }


def test_a_field_of_a_single_condition_has_no_number() -> None:
    goal = schema({"exists": {"id": "n", "text": "{who}", "inside": CARD}}, guard(field="inside.has"))
    assert {m.part: (m.subject, m.guard) for m in field_mutants(goal, GIVEN)} == {
        "text": ("field text", ""),
        "inside.has.text": ("field inside.has.text", "field"),
    }


def guard(**names: str) -> dict[str, Any]:
    return {**names, "reason": "field" if "field" in names else "whole"}


@pytest.mark.parametrize(
    ("guards", "reasons"),
    [
        ([], ["", "", ""]),
        ([guard(part="2")], ["", "whole", "whole"]),
        ([guard(part="2.1")], ["", "whole", "whole"]),
        ([guard(part="2.1", field="inside")], ["", "", "field"]),
        ([guard(part="2.1", field="text")], ["", "field", ""]),
        ([guard(part="2.1", field="text"), guard(part="2")], ["", "field", "whole"]),
        ([guard(part="1")], ["whole", "", ""]),
    ],
)
def test_a_guard_covers_a_field_and_nested_fields(guards: list[dict[str, Any]], reasons: list[str]) -> None:
    inner = {"exists": {"id": "n", "text": "{who}", "inside": CARD}}
    answer = {"answer": {"contains": "{who}"}}
    goal = schema({"all": [{"exists": CARD}, {"any": [inner, answer]}]}, *guards)
    assert [m.guard for m in field_mutants(goal, GIVEN)] == reasons


def _seen(name: str, title: str) -> UiTree:
    """Return a card with one title and one name."""

    def node(entry: str, text: str, *children: UiNode) -> UiNode:
        return UiNode(resource_id=f"a:id/{entry}", text=text, children=children)

    return UiTree((node("card", "", node("title", title), node("name", name)),))


SELECTORS = st.fixed_dictionaries(
    {"id": st.just("name")},
    optional={
        "text": st.sampled_from(["{who}", "by {who}", "{who} of {what}"]),
        "text_contains": st.sampled_from(["{who}", "{what}"]),
        "inside": st.just(CARD),
        "sibling": st.just({"id": "title", "text": "{what}"}),
    },
)
CONDITIONS = st.recursive(
    st.tuples(st.sampled_from(["exists", "absent"]), SELECTORS).map(lambda pair: {pair[0]: pair[1]}),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: {"all": parts}),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: {"any": parts}),
        inner.map(lambda part: {"not": part}),
    ),
    max_leaves=4,
)
NAMES = ["", "C++", "by C++", "C++ of soup", "by Ann", "Ann of soup", "C++ of rice"]


@given(CONDITIONS, st.sampled_from(NAMES), st.sampled_from(["soup", "rice"]))
def test_each_mutant_accepts_more_or_less_as_declared(holds: dict[str, Any], name: str, title: str) -> None:
    goal = with_both(holds)
    facts = RecordedFacts(_seen(name, title), answer="C++ soup")
    whole = evaluate(bind(goal, GIVEN).condition, facts).holds
    for mutant in field_mutants(goal, GIVEN):
        assert mutant.condition is not None
        left = evaluate(mutant.condition, facts).holds
        looser, stricter = (left, whole) if mutant.change is LOOSER else (whole, left)
        assert looser or not stricter
        part, _, field = mutant.part.partition(" ")
        assert guard_field_problem(goal.holds, part, field.partition(" ")[0]) == ""
