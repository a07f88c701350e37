from __future__ import annotations

from typing import Any

import pytest

from garabench.core.condition import AllOf, Exists, Matches
from garabench.core.goal import GoalSchema, bind
from garabench.core.goal_composition import UseError, compose, uses


def goal(goal_id: str, holds: dict[str, Any], **params: dict[str, Any]) -> GoalSchema:
    data = {"id": goal_id, "description": "for a test", "params": params, "holds": holds}
    return GoalSchema.model_validate(data if params else {"object": "the page", **data})


OPEN = goal(
    "open",
    {
        "all": [
            {"exists": {"id": "title", "text": "{title}"}},
            {"exists": {"id": "likes", "text": "{count} 赞"}},
        ]
    },
    title={},
    count={"type": "number", "default": 3},
)
LIKED = goal(
    "liked", {"all": [{"use": "open", "with": {"title": "{name}"}}, {"exists": {"id": "like"}}]}, name={}
)
PATTERN = goal("like-it", {"matches": {"select": {"id": "title"}, "pattern": "^{title}"}}, title={})


def test_a_goal_passes_its_parameters_to_the_goal_it_uses() -> None:
    whole = compose("liked", {"open": OPEN, "liked": LIKED})
    condition = bind(whole, {"name": "稻香"}).condition
    assert isinstance(condition, AllOf)
    inner, like = condition.all
    assert isinstance(inner, AllOf)
    texts = [part.exists.text for part in inner.all if isinstance(part, Exists)]
    assert texts == ["稻香", "3 赞"]
    assert isinstance(like, Exists)


def test_a_parameter_passed_into_a_pattern_is_escaped() -> None:
    outer = goal("outer", {"use": "like-it", "with": {"title": "{what} (live)"}}, what={})
    condition = bind(compose("outer", {"outer": outer, "like-it": PATTERN}), {"what": "C++"}).condition
    assert isinstance(condition, Matches)
    assert condition.matches.pattern == r"^C\+\+\ \(live\)"
    fixed = goal("fixed", {"use": "like-it", "with": {"title": "C++"}})
    condition = bind(compose("fixed", {"fixed": fixed, "like-it": PATTERN}), {}).condition
    assert isinstance(condition, Matches)
    assert condition.matches.pattern == r"^C\+\+"


def test_goals_are_composed_over_several_levels() -> None:
    top = goal(
        "top",
        {
            "any": [
                {"use": "liked", "with": {"name": "晴天"}},
                {"not": {"use": "liked", "with": {"name": "稻香"}}},
            ]
        },
    )
    goals = {"open": OPEN, "liked": LIKED, "top": top}
    text = str(bind(compose("top", goals), {}).condition)
    assert "晴天" in text
    assert "稻香" in text
    assert [path for path, _ in uses(top.holds)] == [("any", 0), ("any", 1, "not")]
    assert compose("open", goals).holds == OPEN.holds


@pytest.mark.parametrize(
    ("holds", "path", "message", "hint"),
    [
        ({"use": "opne", "with": {}}, ("use",), "unknown goal 'opne'", "Did you mean 'open'?"),
        (
            {"any": [{"use": "open", "with": {"titel": "x"}}]},
            ("any", 0, "with"),
            "the goal 'open' has no parameter 'titel'",
            "Did you mean 'title'?",
        ),
        ({"not": {"use": "open"}}, ("not",), "the goal 'open' is missing the parameter 'title'", ""),
        ({"use": "this"}, ("use",), "the goal uses itself: this → this", ""),
        ({"use": "around"}, ("use",), "in the goal 'around': the goal uses itself: this → around → this", ""),
        ({"use": ["open"]}, (), "write a use as {use: GOAL, with: {PARAMETER: VALUE}}", ""),
    ],
)
def test_an_invalid_use_is_reported(
    holds: dict[str, Any], path: tuple[str | int, ...], message: str, hint: str
) -> None:
    around = goal("around", {"all": [{"use": "this"}]})
    goals = {"this": goal("this", holds), "open": OPEN, "around": around}
    with pytest.raises(UseError) as caught:
        compose("this", goals)
    assert (caught.value.path, caught.value.message, caught.value.hint) == (path, message, hint)
