"""The goals of a suite's files: read, put together where one uses another, and filled for tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from garabench.campaign.suite_names import Names
from garabench.core.goal import Goal, GoalFile, GoalSchema, GoalUse, bind, misbound
from garabench.core.goal_use import UseError, as_if_bound, composed, misuses, uses
from garabench.core.names import did_you_mean
from garabench.core.yamldoc import Path as DocPath
from garabench.core.yamldoc import YamlDoc
from garabench.core.yamlmodel import explain


@dataclass(frozen=True, slots=True)
class Goals:
    """The goals that tasks may name.

    Attributes:
        goals: By id.
        apps: Of each the app that it is for.
    """

    goals: Mapping[str, GoalSchema]
    apps: Mapping[str, str]


def read_goals(names: Names) -> Goals:
    """Read the goals, gathering what is wrong with them."""
    goals: dict[str, GoalSchema] = {}
    apps: dict[str, str] = {}
    faulty: list[dict[str, Any]] = []
    for file in names.goal_files():
        for place, goal in file.entries:
            if names.take("goal", goal.id, file.doc, ("goals", place)):
                goals[goal.id] = goal
                apps[goal.id] = names.app(file.app)
        names.take_faulty("goal", "goals", file)
        faulty += [entry for _, entry in file.faulty if isinstance(entry.get("holds"), dict)]
    for entry in faulty:
        if ("goal", entry["id"]) in names.places and entry["id"] not in goals:
            schema = GoalSchema.model_construct(id=entry["id"], holds=entry["holds"], params={})
            _misuses(names, schema, goals)
            _conditions(names, entry)
    _circles(names, faulty, goals)
    return Goals(_composed(names, goals), apps)


def _composed(names: Names, goals: dict[str, GoalSchema]) -> dict[str, GoalSchema]:
    """Goals with those that they use in their places, without those of which that cannot be said."""
    whole: dict[str, GoalSchema] = {}
    unusable = names.files.unusable.setdefault(GoalFile, set())
    named = {name: {use["use"] for _, use in uses(goal.holds)} for name, goal in goals.items()}
    while more := {name for name in goals if name not in unusable and not unusable.isdisjoint(named[name])}:
        unusable |= more  # what is wrong is told where it is wrong
    for name in goals:
        if name in unusable:
            continue
        try:
            whole[name] = composed(name, goals)
        except UseError:
            _misuses(names, goals[name], goals)
            unusable.add(name)
    return whole


def _circles(names: Names, faulty: Sequence[Mapping[str, Any]], goals: Mapping[str, GoalSchema]) -> None:
    """Tell the faulty goals that come back to themselves by other faulty ones."""
    written = {str(entry["id"]): entry["holds"] for entry in faulty}
    named = {name: [str(use["use"]) for _, use in uses(holds)] for name, holds in written.items()}
    named |= {name: [str(use["use"]) for _, use in uses(goal.holds)] for name, goal in goals.items()}
    for name, holds in written.items():
        doc, at = names.places["goal", name]
        for path, use in uses(holds):
            trail = _way(str(use["use"]), name, named)
            if any(each in written for each in trail[:-1]):  # else it is told with the goal's other uses
                said = f"the goal uses itself: {' → '.join((name, *trail))}"
                names.errors.append(doc.error((*at, "holds", *path, "use"), said))


def _way(begin: str, end: str, named: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The goals by which one leads to another, both with it; empty where it does not."""
    ways: list[tuple[str, ...]] = [(begin,)]
    seen = {begin}
    while ways:
        way = ways.pop(0)
        if way[-1] == end:
            return way
        for name in named.get(way[-1], ()):
            if name not in seen:
                seen.add(name)
                ways.append((*way, name))
    return ()


def _conditions(names: Names, entry: dict[str, Any]) -> None:
    """Tell what is wrong with the conditions of a goal that is faulty, so that no task can bind it."""
    doc, path = names.places["goal", entry["id"]]
    try:
        Goal.model_validate({"id": "faulty", "condition": as_if_bound(entry["holds"], entry.get("params"))})
    except ValidationError as error:
        data = {"condition": entry["holds"]}
        names.errors.extend(explain(error, doc, Goal, data=data, at=(*path, "holds")))


def _misuses(names: Names, goal: GoalSchema, goals: Mapping[str, GoalSchema]) -> None:
    """Tell the uses of other goals in a goal that lead nowhere, or back to it."""
    doc, path = names.places["goal", goal.id]
    unusable = names.files.unusable.get(GoalFile, set())
    for error in misuses(goal, goals):
        use = doc.value((*path, "holds", *error.path))
        named = use.get("use") if isinstance(use, dict) else use
        if not isinstance(named, str) or named in goals or named == goal.id or named not in unusable:
            where = (*path, "holds", *error.path)
            names.errors.append(doc.error(where, error.message, hint=error.hint))


def fill(names: Names, use: GoalUse, app: str, known: Goals, doc: YamlDoc, at: DocPath) -> Goal | None:
    """A goal that a task names, filled; None, and an error, where that cannot be.

    Args:
        names: Of the suite.
        use: How the task names it.
        app: The task's package.
        known: The goals that there are.
        doc: The task's document.
        at: Where in it the goal is named.
    """
    name = use.use
    if not names.known("goal", name, known.goals, doc, (*at, "use")):
        return None
    if app and known.apps[name] not in (app, "any"):
        message = f"the goal {name!r} is for {known.apps[name]}, the task for {app}"
        names.errors.append(doc.error((*at, "use"), message))
        return None
    if wrong := list(misbound(known.goals[name], use.with_)):
        for each, said in wrong:
            hint = did_you_mean(str(each[0]), known.goals[name].params) if "no parameter" in said else ""
            where = (*at, "with", *each) if each else at
            names.errors.append(doc.error(where, said, hint=hint, key=bool(each)))
        return None
    try:
        return bind(known.goals[name], use.with_)
    except ValidationError as error:
        goal_doc, path = names.places["goal", name]
        data = {"condition": known.goals[name].holds}
        told = {str(each) for each in names.errors}
        found = explain(error, goal_doc, Goal, data=data, at=(*path, "holds"))
        # What is wrong with the goal itself is told once, however many tasks have it.
        names.errors.extend(each for each in found if str(each) not in told)
    return None
