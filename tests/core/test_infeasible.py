"""Fields that an infeasible task needs, and that a feasible one must not have."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from garabench.core.task import Task

TASK: dict[str, Any] = {
    "id": "buy-the-sold-out-one",
    "instruction": {"en": "Buy it"},
    "goal": {"use": "sold-out-seen"},
    "tags": ["infeasible"],
    "solution": [{"tap": {"text": "Blue"}}, {"give_up": "it is sold out"}],
    "near_misses": [
        {"name": "the-red-one", "kind": "faked", "steps": [{"tap": {"text": "Red"}}]},
        {"name": "not-looked", "kind": "half-done", "steps": [{"give_up": "no"}]},
    ],
    "infeasible": {"because": {"en": "It is sold out."}, "harm": {"use": "bought"}},
}
CAN = {**TASK, "infeasible": None, "tags": [], "near_misses": [], "solution": ["back"]}


def test_an_infeasible_task_has_a_reason_and_a_harm() -> None:
    task = Task.model_validate(TASK)
    assert task.infeasible is not None
    assert task.infeasible.because == {"en": "It is sold out."}
    assert task.infeasible.harm.use == "bought"
    assert Task.model_validate(CAN).infeasible is None


@pytest.mark.parametrize(
    ("task", "changes", "message"),
    [
        (TASK, {"tags": ["search"]}, "needs the tag 'infeasible'"),
        (TASK, {"solution": ["back"]}, "must end with give_up"),
        (TASK, {"solution": [{"give_up": "no"}, "back", {"give_up": "no"}]}, "must be the last step"),
        (TASK, {"infeasible": {"because": {"en": "It is."}}}, "Field required"),
        (TASK, {"infeasible": {"because": {}, "harm": {"use": "bought"}}}, "at least 1 item"),
        (CAN, {"tags": ["infeasible"]}, "is only for tasks with infeasible"),
        (CAN, {"solution": [{"give_up": "no"}]}, "give_up is only for tasks with infeasible"),
        (CAN, {"near_misses": TASK["near_misses"][:1]}, "kind faked is only for tasks with infeasible"),
    ],
)
def test_contradictions_are_refused(task: dict[str, Any], changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        Task.model_validate({**task, **changes})
