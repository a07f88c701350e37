"""Small suites for the parts of a proof that need no device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from garabench.core.goal import GoalSchema, bind, with_earlier
from garabench.core.interruption import Interruption
from garabench.core.rule import BoundRule, Rule
from garabench.core.task import Task
from garabench.suite.suite import Suite, SuiteTask

APP = "com.example.reader"


def goal(name: str, holds: Mapping[str, Any], **more: Any) -> GoalSchema:
    """Return a goal without an object, or with parameters."""
    data = {"id": name, "description": "for a test", "holds": holds, **more}
    return GoalSchema.model_validate(data if "params" in more else {"object": "the screen", **data})


def task(name: str, use: str, *, app: str = APP, **more: Any) -> tuple[str, dict[str, Any]]:
    """Return a task's data with its app."""
    data = {"id": name, "instruction": {"en": "do it"}, "goal": {"use": use}, "solution": ["back"], **more}
    return app, data


def interruption(name: str, **more: Any) -> Interruption:
    """Return an interruption with an easy exit and another one."""
    buttons = [
        {"key": "dismiss", "role": "dismiss", "easy": True, "label": {"en": "No"}},
        {"key": "accept", "role": "accept", "label": {"en": "Yes"}, **more.pop("accept", {})},
    ]
    data = {"id": name, "description": "for a test", "category": "network", "title": {"en": "Title"}}
    return Interruption.model_validate({**data, "message": {"en": "Text"}, "buttons": buttons, **more})


def rule(name: str, inject: str, **more: Any) -> Rule:
    """Return a rule that fires on a screen with a word."""
    data = {"id": name, "description": "for a test", "inject": inject}
    return Rule.model_validate({"when": {"all": [{"exists": {"text": "word"}}]}, **data, **more})


def suite(
    goals: Sequence[GoalSchema],
    tasks: Sequence[tuple[str, dict[str, Any]]],
    rules: Sequence[Rule] = (),
    interruptions: Sequence[Interruption] = (),
) -> Suite:
    """Return a suite of these entries."""
    schemas = {each.id: each for each in goals}
    made = {}
    for app, data in tasks:
        read = Task.model_validate(data)
        own, *earlier = (bind(schemas[use.use], use.with_) for use in (read.goal, *read.earlier))
        whole = own.model_copy(update={"condition": with_earlier(own.condition, earlier)})
        made[read.id] = SuiteTask(read, app, "reader", whole, earlier=tuple(earlier))
    return Suite(
        made,
        schemas,
        {each.id: BoundRule(each, each.app or APP) for each in rules},
        {each.id: each for each in interruptions},
        "digest",
        Path(),
    )
