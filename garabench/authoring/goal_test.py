"""Test a goal on recorded screens: what holds, what does not, and why."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import ValidationError

from garabench.core.condition import ActivityIs, nested_conditions
from garabench.core.goal import Goal, GoalSchema, bind, parameter_violations
from garabench.core.observation import Focus
from garabench.core.recorded_facts import RecordedFacts
from garabench.core.suggestions import did_you_mean
from garabench.errors import InputError
from garabench.rules.engine import foreground
from garabench.rules.explain import Clause, explain_condition
from garabench.suite.suite import Suite


@dataclass(frozen=True, slots=True)
class GoalTest:
    """The result of a goal on a screen.

    Attributes:
        holds: Whether it holds; None if the recorded screen does not show it.
        clause: Its condition with all parts and reasons.
    """

    holds: bool | None
    clause: Clause


def bound_goal(suite: Suite, goal: str, given: Mapping[str, str]) -> Goal:
    """Return a goal of a suite with the values of its parameters.

    Args:
        suite: The suite.
        goal: The goal's id.
        given: The values as text; those of numbers are converted.

    Raises:
        InputError: The goal or a parameter is unknown, or a value is missing or wrong.
    """
    schema = suite.goals.get(goal)
    if schema is None:
        raise InputError(f"unknown goal {goal!r}", hint=did_you_mean(goal, suite.goals))
    values = {name: _value(schema, name, text) for name, text in given.items()}
    if problems := [message for _, message in parameter_violations(schema, values)]:
        raise InputError("; ".join(problems), hint=_parameters_hint(schema, given))
    try:
        return bind(schema, values)
    except ValueError as error:
        reason = str(error)
        if isinstance(error, ValidationError):
            reason = error.errors(include_url=False)[0]["msg"].removeprefix("Value error, ")
        raise InputError(f"the goal {goal!r} does not accept these values: {reason}") from error


def _parameters_hint(schema: GoalSchema, given: Mapping[str, str]) -> str:
    """Name the parameters of a goal, and the one that an unknown name may mean."""
    if not schema.params:
        return "It has no parameters."
    usage = " ".join(f"--with {name}=…" for name in schema.params)
    unknown = next((name for name in given if name not in schema.params), None)
    near = "" if unknown is None else did_you_mean(unknown, schema.params)
    return f"{near} Its parameters: {usage}".strip()


def _value(schema: GoalSchema, name: str, text: str) -> str | int | float:
    param = schema.params.get(name)
    if param is None or param.type != "number":
        return text
    try:
        return int(text) if text.lstrip("-").isdigit() else float(text)
    except ValueError:
        return text  # reported as a wrong value


def check_goal_on(goal: Goal, facts: RecordedFacts) -> GoalTest:
    """Evaluate a goal on a screen.

    A tree alone does not tell the focused activity; the focused app is that of its topmost window.

    Args:
        goal: The goal.
        facts: The screen, with the agent's answer if there is one.
    """
    needs_activity = any(isinstance(each, ActivityIs) for each in nested_conditions(goal.condition))
    if facts.focus is None and not needs_activity and (package := foreground(facts)):
        facts = dataclasses.replace(facts, focus=Focus(package, ""))
    clause = explain_condition(goal.condition, facts)
    return GoalTest(clause.holds, clause)
