"""Mistakes between the fields of a model are reported together, each with its location."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from garabench.core.cross_field import raise_violations
from garabench.core.task import Task


def test_valid_models_pass() -> None:
    raise_violations("Task", ())


def test_each_violation_has_its_location() -> None:
    data = {
        "id": "long-way",
        "instruction": {"en": "Go"},
        "goal": {"use": "there"},
        "max_steps": 1,
        "tags": ["infeasible"],
        "solution": [{"tap": {"id": "a"}}, {"tap": {"id": "b"}}],
    }
    with pytest.raises(ValidationError) as caught:
        Task.model_validate(data)
    assert [(error["loc"], error["type"]) for error in caught.value.errors()] == [
        (("tags",), "cross_field"),
        (("max_steps",), "cross_field"),
    ]


TASK = {
    "id": "read-it",
    "instruction": {"en": "Read it"},
    "goal": {"use": "there"},
    "solution": [{"tap": {"id": "a"}}, {"answer": "42"}],
}


@pytest.mark.parametrize(
    ("changed", "at", "message"),
    [
        ({}, ("alternatives", 0), "either steps or an answer"),
        ({"answer": "x", "steps": [{"home": {}}]}, ("alternatives", 0), "either steps or an answer"),
        ({"steps": [{"give_up": "no"}]}, ("solution",), "give_up is only for tasks with infeasible"),
    ],
)
def test_a_variant_has_either_steps_or_an_answer(
    changed: dict[str, object], at: tuple[str | int, ...], message: str
) -> None:
    for key in ("alternatives", "near_misses"):
        with pytest.raises(ValidationError, match=message) as caught:
            Task.model_validate({**TASK, key: [{"name": "other", **changed}]})
        assert caught.value.errors()[0]["loc"] == (key if at[0] == "alternatives" else at[0], *at[1:])
    fine = Task.model_validate({**TASK, "alternatives": [{"name": "in-words", "answer": "forty-two"}]})
    assert fine.alternatives[0].answer == "forty-two"


def test_only_variants_turn_the_phone() -> None:
    turned = [{"rotate": None}, *TASK["solution"]]
    with pytest.raises(ValidationError, match="agents cannot turn the phone"):
        Task.model_validate({**TASK, "solution": turned})
    fine = Task.model_validate({**TASK, "alternatives": [{"name": "turned", "steps": turned}]})
    assert len(fine.alternatives[0].steps or ()) == 3


def test_a_variant_has_an_answer_only_if_the_solution_has_one() -> None:
    variants = [{"name": "listed", "steps": [{"home": {}}]}, {"name": "in-words", "answer": "forty-two"}]
    for key in ("alternatives", "near_misses"):
        with pytest.raises(ValidationError, match="does not end with an answer") as caught:
            Task.model_validate({**TASK, "solution": [{"home": {}}], key: variants})
        assert caught.value.errors()[0]["loc"] == (key, 1, "answer")
