from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from garabench.core.condition import AllOf, Count, Equals, Exists, Matches
from garabench.core.goal import GoalSchema, GoalUse, bind, fill_placeholders, placeholders
from tests.cases import every_case


def schema(holds: dict[str, Any], **params: dict[str, Any]) -> GoalSchema:
    return GoalSchema.model_validate(
        {"id": "video-liked", "description": "The video is liked", "params": params, "holds": holds}
    )


TITLE = {"equals": {"select": {"id": "title"}, "value": "{title}"}}
LIKED = schema(TITLE, title={})


def test_a_goal_is_filled_with_the_tasks_parameters() -> None:
    goal = bind(LIKED, {"title": "稻香"})
    assert goal.id == "video-liked"
    assert isinstance(goal.condition, Equals)
    assert goal.condition.equals.value == "稻香"


def test_a_default_applies_unless_the_task_gives_a_value() -> None:
    count = schema(
        {"count": {"select": {"text": "{name}"}, "at_least": "{number}"}},
        name={},
        number={"type": "number", "default": 2},
    )
    for given_, expected in (({"name": "x"}, 2), ({"name": "x", "number": 5}, 5)):
        condition = bind(count, given_).condition
        assert isinstance(condition, Count)
        assert condition.count.at_least == expected


def test_placeholders_are_filled_in_texts_and_nested_selectors() -> None:
    nested = schema(
        {"all": [{"exists": {"text": "by {name}", "inside": {"id": "card", "has": {"text": "{title}"}}}}]},
        name={},
        title={},
    )
    condition = bind(nested, {"name": "周杰伦", "title": "稻香"}).condition
    assert isinstance(condition, AllOf)
    (part,) = condition.all
    assert isinstance(part, Exists)
    assert part.exists.text == "by 周杰伦"
    assert part.exists.inside is not None
    assert part.exists.inside.has is not None
    assert part.exists.inside.has.text == "稻香"


def test_a_number_is_converted_to_text_for_a_text_parameter() -> None:
    condition = bind(LIKED, {"title": 2048}).condition
    assert isinstance(condition, Equals)
    assert condition.equals.value == "2048"


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        ({}, "the goal 'video-liked' is missing the parameter 'title'"),
        ({"titel": "x"}, "the goal 'video-liked' has no parameter 'titel'"),
        ({"title": "x", "artist": "y"}, "has no parameter 'artist'"),
    ],
)
def test_missing_and_unknown_parameters_are_named(given_: dict[str, str | int | float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        bind(LIKED, given_)


def test_a_text_is_not_accepted_as_a_number() -> None:
    count = schema({"count": {"select": {"id": "row"}, "equals": "{number}"}}, number={"type": "number"})
    with pytest.raises(
        ValueError, match="the parameter 'number' of 'video-liked' must be a number, not 'three'"
    ):
        bind(count, {"number": "three"})


def test_a_number_out_of_range_is_refused_by_the_condition() -> None:
    count = schema({"count": {"select": {"id": "row"}, "equals": "{number}"}}, number={"type": "number"})
    with pytest.raises(ValidationError, match="greater than or equal to 0"):
        bind(count, {"number": -1})


def test_a_text_in_a_pattern_is_escaped() -> None:
    like = schema({"matches": {"select": {"id": "title"}, "pattern": "^{title}$"}}, title={})
    condition = bind(like, {"title": "C++ (a.b)"}).condition
    assert isinstance(condition, Matches)
    assert condition.matches.pattern == r"^C\+\+\ \(a\.b\)$"
    only = bind(schema({"exists": {"text_matches": "{title}"}}, title={}), {"title": "a.b"}).condition
    assert isinstance(only, Exists)
    assert only.exists.text_matches == r"a\.b"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"params": {}}, "unknown parameter {title}"),
        ({"params": {"title": {}, "artist": {}}}, "unused parameter 'artist'"),
        ({"holds": {"exists": {"id": "like"}}, "params": {}}, "must name its object with a parameter"),
        ({"holds": {**TITLE, "exists": {"id": "x"}}}, "holds takes one condition"),
        ({"holds": {}}, "holds takes one condition"),
        ({"id": "Video Liked"}, "String should match"),
        ({"params": {"title": {"type": "date"}}}, "'text', 'number' or 'pattern'"),
        ({"objekt": "none"}, "Extra inputs"),
    ],
)
def test_a_contradictory_schema_is_refused(data: dict[str, Any], message: str) -> None:
    good = {"id": "video-liked", "description": "The video is liked", "params": {"title": {}}, "holds": TITLE}
    with pytest.raises(ValidationError) as caught:
        GoalSchema.model_validate({**good, **data})
    assert message in str(caught.value)


def test_a_goal_without_an_object_needs_a_reason() -> None:
    goal = GoalSchema.model_validate(
        {
            "id": "history-empty",
            "description": "The history is empty",
            "holds": {"exists": {"text": "Nothing here"}},
            "object": "none: all of the history is meant",
        }
    )
    assert isinstance(bind(goal, {}).condition, Exists)


def test_a_use_is_validated() -> None:
    use = GoalUse.model_validate({"use": "video-liked", "with": {"title": "稻香", "number": 3}})
    assert use.with_ == {"title": "稻香", "number": 3}
    with pytest.raises(ValidationError):
        GoalUse.model_validate({"use": "video-liked", "with": {"title": ["稻香"]}})


def test_fill_ignores_unknown_placeholders() -> None:
    value = {"a": ["{x} and {y}", 3, None, True], "pattern": r"\d{2}{x}"}
    assert fill_placeholders(value, {"x": "1.5"}) == {
        "a": ["1.5 and {y}", 3, None, True],
        "pattern": r"\d{2}1\.5",
    }
    assert placeholders(value) == {"x", "y"}


def test_a_filled_value_is_not_filled_again() -> None:
    assert fill_placeholders("{a}-{b}", {"a": "{b}", "b": "x"}) == "{b}-x"


@given(st.text(max_size=40), st.dictionaries(st.sampled_from("abc"), st.text(max_size=5)))
def test_only_missing_parameters_remain_after_filling(text: str, values: dict[str, str]) -> None:
    plain = {name: value.replace("{", "") for name, value in values.items()}
    filled = fill_placeholders(text + "{a}{b}", dict(plain))
    assert placeholders(filled) >= {"a", "b"} - plain.keys()
    assert not placeholders(fill_placeholders("{a}{b}", {"a": "", "b": ""}))


@every_case(
    ("guards", "output"),
    [
        ([{"part": 5, "reason": "the page has no other sign"}], "unknown part 5: the goal's all has 4"),
        ([{"part": "2.1", "reason": "the page has no other sign"}], "part 2 has no parts"),
        ([{"part": "3.3", "reason": "the page has no other sign"}], "part 3's any has 2"),
        ([{"part": "3.2.4", "reason": "the page has no other sign"}], "part 3.2's all has 2"),
        ([{"part": 1, "reason": "the page has no other sign"}] * 2, "is already declared"),
        ([{"part": 1, "reason": "the page is so"}, {"part": "1", "reason": "so"}], "at least 5 characters"),
        ([{"part": 0, "reason": "the page has no other sign"}], "should match pattern"),
        ([{"part": "1.", "reason": "the page has no other sign"}], "should match pattern"),
        ([{"part": 2.1, "reason": "the page has no other sign"}], 'number of a nested part: "2.1"'),
        ([{"part": True, "reason": "the page has no other sign"}], "valid string"),
        ([{"part": 1, "reason": ""}], "at least 5 characters"),
        ([{"reason": "the page has no other sign"}], "needs part, field or both"),
        ([{"field": "text", "reason": "it is the only one"}], "unknown field text in the goal"),
        ([{"part": 1, "field": "text", "reason": "it is the only one"}], "unknown field text in part 1"),
        (
            [{"part": 1, "field": "id", "reason": "it is the only one"}],
            "uses no parameter, so it needs no guard",
        ),
        ([{"part": "3.2.2", "field": "has.text", "reason": "the only one"}], "unknown field has.text"),
        ([{"part": 5, "field": "text", "reason": "the only one"}], "unknown part 5"),
        ([{"part": 2, "field": "Text", "reason": "the only one"}], "should match pattern"),
    ],
)
def test_a_guard_must_name_a_part_of_the_goal(guards: list[dict[str, Any]], output: str) -> None:
    either = {"any": [TITLE, {"all": [{"exists": {"id": "list"}}, TITLE]}]}
    holds = {"all": [{"exists": {"id": "page"}}, TITLE, {"not": either}, {"use": "another"}]}
    data = {"id": "page-open", "description": "The page is open", "params": {"title": {}}, "holds": holds}
    for part, path in ((2, "2"), ("3.1", "3.1"), ("3.2.2", "3.2.2"), ("4.7", "4.7")):
        (guard,) = GoalSchema.model_validate(
            {**data, "guards": [{"part": part, "reason": "on tablets"}]}
        ).guards
        assert guard.part == path
    with pytest.raises(ValidationError, match=re.escape(output)):
        GoalSchema.model_validate({**data, "guards": guards})


def test_a_guard_may_name_a_field_of_a_part() -> None:
    card = {"exists": {"id": "n", "inside": {"id": "card", "has": {"text": "{title}"}}}}
    data = {"id": "page-open", "description": "The page is open", "params": {"title": {}}}
    whole = {**data, "holds": {"not": {"all": [{"not": card}, {"use": "another"}, {"any": [card, TITLE]}]}}}
    guards = [
        {"part": part, "field": field, "reason": "the only one"}
        for part in ("1", "3.1", "2.5")
        for field in ("inside", "inside.has.text")
    ]
    assert len(GoalSchema.model_validate({**whole, "guards": guards}).guards) == 6
    alone = {"field": "inside.has", "reason": "the only one"}
    assert GoalSchema.model_validate({**data, "holds": card, "guards": [alone]}).guards[0].part is None
    with pytest.raises(ValidationError, match="duplicate guard: the field is already declared"):
        GoalSchema.model_validate({**data, "holds": card, "guards": [alone, alone]})
