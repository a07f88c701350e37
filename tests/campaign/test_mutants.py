from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from garabench.campaign.mutants import mutants
from garabench.core.condition import AllOf, Condition
from garabench.core.goal import Guard

A, B, C = ({"exists": {"text": letter}} for letter in "abc")


def condition(data: dict[str, Any]) -> Condition:
    read: Condition = TypeAdapter(Condition).validate_python(data)
    return read


def test_each_part_is_left_out_in_turn() -> None:
    made = mutants(condition({"all": [A, B, C]}), (Guard(part=2, reason="on a tablet"),))
    assert [(m.part, m.guard) for m in made] == [(1, ""), (2, "on a tablet"), (3, "")]
    assert [m.condition for m in made] == [
        AllOf(all=(condition(B), condition(C))),
        AllOf(all=(condition(A), condition(C))),
        AllOf(all=(condition(A), condition(B))),
    ]


def test_a_goal_of_one_part_has_none() -> None:
    for one in (A, {"all": [A]}, {"any": [A, B]}, {"not": {"all": [A, B]}}):
        assert mutants(condition(one)) == ()
