"""The goals of a suite: read them, compose those that use others, and bind them for tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from garabench.core.goal import Goal, GoalFile, GoalSchema, GoalUse, bind, parameter_violations
from garabench.core.goal_composition import UseError, compose, invalid_uses, uses, with_arbitrary_values
from garabench.core.suggestions import did_you_mean
from garabench.core.yamldoc import Path as DocPath
from garabench.core.yamldoc import YamlDoc
from garabench.core.yamlmodel import input_errors
from garabench.suite.symbols import SymbolTable


@dataclass(frozen=True, slots=True)
class GoalTable:
    """The goals that tasks may use.

    Attributes:
        goals: The goals by id.
        apps: The app of each goal, by id.
    """

    goals: Mapping[str, GoalSchema]
    apps: Mapping[str, str]


def read_goals(names: SymbolTable, borrowed: GoalTable | None = None) -> GoalTable:
    """Read the goals and collect their mistakes.

    Args:
        names: The suite's names.
        borrowed: The goals of the built-in suite that this one uses.
    """
    goals: dict[str, GoalSchema] = {} if borrowed is None else dict(borrowed.goals)
    apps: dict[str, str] = {} if borrowed is None else dict(borrowed.apps)
    faulty: list[dict[str, Any]] = []
    for file in names.goal_files():
        for place, goal in file.entries:
            if names.register("goal", goal.id, file.doc, ("goals", place)):
                goals[goal.id] = goal
                apps[goal.id] = names.app(file.app)
        names.register_faulty("goal", "goals", file)
        faulty += [entry for _, entry in file.faulty if isinstance(entry.get("holds"), dict)]
    for entry in faulty:
        if ("goal", entry["id"]) in names.places and entry["id"] not in goals:
            schema = GoalSchema.model_construct(id=entry["id"], holds=entry["holds"], params={})
            _misuses(names, schema, goals)
            _conditions(names, entry)
    _cycles(names, faulty, goals)
    return GoalTable(_composed(names, goals), apps)


def _composed(names: SymbolTable, goals: dict[str, GoalSchema]) -> dict[str, GoalSchema]:
    """Compose the goals that use other goals; omit those that use an unusable one."""
    whole: dict[str, GoalSchema] = {}
    unusable = names.files.unusable.setdefault(GoalFile, set())
    named = {name: {use["use"] for _, use in uses(goal.holds)} for name, goal in goals.items()}
    while more := {name for name in goals if name not in unusable and not unusable.isdisjoint(named[name])}:
        unusable |= more  # the mistake is reported at its location
    for name in goals:
        if name in unusable:
            continue
        try:
            whole[name] = compose(name, goals)
        except UseError:
            _misuses(names, goals[name], goals)
            unusable.add(name)
    return whole


def _cycles(names: SymbolTable, faulty: Sequence[Mapping[str, Any]], goals: Mapping[str, GoalSchema]) -> None:
    """Report faulty goals that use themselves through other faulty goals."""
    written = {str(entry["id"]): entry["holds"] for entry in faulty}
    named = {name: [str(use["use"]) for _, use in uses(holds)] for name, holds in written.items()}
    named |= {name: [str(use["use"]) for _, use in uses(goal.holds)] for name, goal in goals.items()}
    for name, holds in written.items():
        doc, at = names.places["goal", name]
        for path, use in uses(holds):
            trail = _chain(str(use["use"]), name, named)
            if any(goal in written for goal in trail[:-1]):  # else it is reported with the goal's other uses
                message = f"the goal uses itself: {' → '.join((name, *trail))}"
                names.errors.append(doc.error((*at, "holds", *path, "use"), message))


def _chain(begin: str, end: str, named: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return the chain of uses from one goal to another, both included; empty if there is none."""
    chains: list[tuple[str, ...]] = [(begin,)]
    seen = {begin}
    while chains:
        chain = chains.pop(0)
        if chain[-1] == end:
            return chain
        for name in named.get(chain[-1], ()):
            if name not in seen:
                seen.add(name)
                chains.append((*chain, name))
    return ()


def _conditions(names: SymbolTable, entry: dict[str, Any]) -> None:
    """Report the mistakes in the conditions of a faulty goal, which no task can bind."""
    doc, path = names.places["goal", entry["id"]]
    try:
        Goal.model_validate(
            {"id": "faulty", "condition": with_arbitrary_values(entry["holds"], entry.get("params"))}
        )
    except ValidationError as error:
        data = {"condition": entry["holds"]}
        names.errors.extend(input_errors(error, doc, Goal, data=data, at=(*path, "holds")))


def _misuses(names: SymbolTable, goal: GoalSchema, goals: Mapping[str, GoalSchema]) -> None:
    """Report a goal's uses of unknown goals and of itself."""
    doc, path = names.places["goal", goal.id]
    unusable = names.files.unusable.get(GoalFile, set())
    for error in invalid_uses(goal, goals):
        use = doc.value((*path, "holds", *error.path))
        named = use.get("use") if isinstance(use, dict) else use
        if not isinstance(named, str) or named in goals or named == goal.id or named not in unusable:
            where = (*path, "holds", *error.path)
            names.errors.append(doc.error(where, error.message, hint=error.hint))


def bind_goal(
    names: SymbolTable, use: GoalUse, app: str, known: GoalTable, doc: YamlDoc, at: DocPath
) -> Goal | None:
    """Bind the goal that a task uses; None, with an error reported, if that is impossible.

    Args:
        names: The suite's names.
        use: The task's use of the goal.
        app: The task's package.
        known: The goals of the suite.
        doc: The task's document.
        at: Location of the use.
    """
    name = use.use
    if not names.resolve("goal", name, known.goals, doc, (*at, "use")):
        return None
    if app and known.apps[name] not in (app, "any"):
        message = f"the goal {name!r} is for {known.apps[name]}, the task for {app}"
        names.errors.append(doc.error((*at, "use"), message))
        return None
    if wrong := list(parameter_violations(known.goals[name], use.with_)):
        for path, message in wrong:
            hint = did_you_mean(str(path[0]), known.goals[name].params) if "no parameter" in message else ""
            where = (*at, "with", *path) if path else at
            names.errors.append(doc.error(where, message, hint=hint, key=bool(path)))
        return None
    try:
        return bind(known.goals[name], use.with_)
    except ValidationError as error:
        if ("goal", name) not in names.places:  # a goal of the built-in suite, whose file is right
            reason = next(iter(error.errors(include_url=False)))["msg"]
            names.errors.append(doc.error((*at, "with"), f"the goal {name!r} does not accept this: {reason}"))
            return None
        goal_doc, goal_at = names.places["goal", name]
        data = {"condition": known.goals[name].holds}
        reported = {str(earlier) for earlier in names.errors}
        found = input_errors(error, goal_doc, Goal, data=data, at=(*goal_at, "holds"))
        # A mistake in the goal itself is reported once, however many tasks use it.
        names.errors.extend(mistake for mistake in found if str(mistake) not in reported)
    return None
