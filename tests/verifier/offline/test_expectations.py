from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter

from garabench.core.condition import Condition
from garabench.core.selector import Selector
from garabench.core.tree import parse_tree
from garabench.verifier.offline.expectations import (
    ExpectationKind,
    ExpectationStatus,
    expectations_of,
    read_expectation,
    without_values,
)
from tests.verifier.offline import player

CONDITION: TypeAdapter[Any] = TypeAdapter(Condition)
SHOWN, AGAINST, UNSEEN = ExpectationStatus.SHOWN, ExpectationStatus.CONTRADICTED, ExpectationStatus.UNSEEN


@pytest.mark.parametrize(
    ("condition", "on_page", "on_home"),
    [
        ({"exists": {"id": "author", "text": "Ann"}}, SHOWN, UNSEEN),
        ({"exists": {"id": "author", "text": "Bob"}}, AGAINST, UNSEEN),
        ({"exists": {"text": "Bob"}}, UNSEEN, UNSEEN),
        ({"absent": {"id": "like", "desc": "Like"}}, AGAINST, UNSEEN),
        ({"absent": {"id": "like", "desc": "Liked"}}, UNSEEN, UNSEEN),
        ({"not": {"absent": {"id": "like"}}}, SHOWN, UNSEEN),
        ({"not": {"exists": {"id": "like"}}}, AGAINST, UNSEEN),
        ({"count": {"select": {"id": "like"}, "equals": 1}}, SHOWN, UNSEEN),
        ({"count": {"select": {"id": "like"}, "at_least": 2}}, AGAINST, UNSEEN),
        ({"count": {"select": {"id": "like"}, "at_most": 1}}, UNSEEN, UNSEEN),
        ({"count": {"select": {"id": "like"}, "equals": 0}}, AGAINST, UNSEEN),
        ({"selected": {"id": "like"}}, AGAINST, UNSEEN),
        ({"checked": {"id": "like"}}, AGAINST, UNSEEN),
        ({"equals": {"select": {"id": "author"}, "value": "Ann"}}, SHOWN, UNSEEN),
        ({"contains": {"select": {"id": "author"}, "value": "B"}}, AGAINST, UNSEEN),
        ({"matches": {"select": {"id": "author"}, "pattern": "^A"}}, SHOWN, UNSEEN),
        ({"keywords": {"of": ["ann", "song"]}}, SHOWN, UNSEEN),
        ({"activity": ".Main"}, SHOWN, SHOWN),
        ({"package": "x.y"}, UNSEEN, UNSEEN),
        ({"answer": {"equals": "Ann"}}, UNSEEN, UNSEEN),
        ({"setting": {"namespace": "system", "key": "a", "equals": "1"}}, UNSEEN, UNSEEN),
        ({"earlier": {"exists": {"id": "author", "text": "Ann"}}}, SHOWN, UNSEEN),
        ({"earlier": {"exists": {"id": "author", "text": "Bob"}}}, UNSEEN, UNSEEN),
    ],
)
def test_a_screen_shows_a_expectation_contradicts_it_or_says_nothing(
    condition: Any, on_page: ExpectationStatus, on_home: ExpectationStatus
) -> None:
    (expectation,) = expectations_of(CONDITION.validate_python(condition)).items
    page, home = parse_tree(player.page()), parse_tree(player.HOME)
    assert read_expectation(expectation, page, "p.q", "p.q.Main") is on_page
    assert read_expectation(expectation, home, "p.q", "p.q.Main") is on_home
    assert expectation.text


def test_alternatives_share_their_common_expectations() -> None:
    one, two, three = ({"exists": {"id": name}} for name in ("a", "b", "c"))
    found = expectations_of(CONDITION.validate_python({"all": [one, {"any": [two, three]}]}))
    assert found.branches == ((0, 1), (0, 2)) and found.common == {0}


def test_a_goal_of_many_alternatives_is_cut_off() -> None:
    pairs = [{"any": [{"exists": {"id": f"a{at}"}}, {"exists": {"id": f"b{at}"}}]} for at in range(12)]
    assert len(expectations_of(CONDITION.validate_python({"all": pairs})).branches) == 64


def test_only_parts_with_a_name_of_the_task_are_naming() -> None:
    condition = CONDITION.validate_python(
        {"all": [{"exists": {"text": "Song"}}, {"exists": {"desc": "Liked"}}]}
    )
    assert expectations_of(condition, ["Song"]).naming == {0}


def test_kinds_say_where_the_evidence_is() -> None:
    parts = [
        {"absent": {"id": "a"}},
        {"answer": {"equals": "b"}},
        {"package_state": {"package": "a.b", "is": "running"}},
    ]
    kinds = [
        expectation.kind for expectation in expectations_of(CONDITION.validate_python({"all": parts})).items
    ]
    assert kinds == [ExpectationKind.GUARD, ExpectationKind.ANSWER, ExpectationKind.DEVICE]


@pytest.mark.parametrize(
    ("selector", "loose"),
    [
        ({"id": "a", "text": "b", "checked": True}, {"id": "a"}),
        ({"text": "b", "near": "c"}, None),
        ({"class": "X", "desc": "b", "inside": {"text": "c"}}, {"class": "X", "inside": {"text": "c"}}),
    ],
)
def test_a_selector_without_values_keeps_what_names_the_thing(selector: Any, loose: Any) -> None:
    found = without_values(Selector.model_validate(selector))
    assert found == (None if loose is None else Selector.model_validate(loose))
