"""Mistakes between the parts of a model are told all at once, each with its place."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from garabench.core.misfits import refuse
from garabench.core.task import Task


def test_nothing_is_refused_where_all_fits() -> None:
    refuse("Task", ())


def test_each_misfit_has_its_place() -> None:
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
        (("tags",), "misfit"),
        (("max_steps",), "misfit"),
    ]
