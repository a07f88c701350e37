"""Goals made of other goals: ``{use: video-open, with: {title: …}}`` stands for that goal's condition."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from garabench.core.goal import PLACEHOLDER, GoalSchema, fill, is_pattern
from garabench.core.names import did_you_mean

Path = tuple[str | int, ...]
_KEYS = frozenset({"use", "with"})


class UseError(Exception):
    """A use of a goal that cannot be filled in.

    Attributes:
        path: Where it stands within the goal's ``holds``.
        message: What is wrong.
        hint: The nearest valid name, if any.
    """

    def __init__(self, path: Path, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.path = path
        self.message = message
        self.hint = hint


def uses(value: Any, path: Path = ()) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """Where a goal's ``holds`` uses other goals, as it is written."""
    if _is_use(value):
        yield path, value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from uses(part, (*path, key))
    elif isinstance(value, list | tuple):
        for number, part in enumerate(value):
            yield from uses(part, (*path, number))


def _is_use(value: Any) -> bool:
    return isinstance(value, dict) and "use" in value and value.keys() <= _KEYS


def as_if_bound(holds: Any, params: Any) -> Any:
    """A goal's condition with some value for each parameter and some condition for each goal that it uses.

    Args:
        holds: The condition as it is written; nothing is taken for granted.
        params: The goal's parameters, likewise.
    """
    known = params if isinstance(params, dict) else {}
    values: dict[str, str | int | float] = {
        str(name): 1 if isinstance(param, dict) and param.get("type") == "number" else "x"
        for name, param in known.items()
    }
    return fill(_without_uses(holds), values)


def _without_uses(value: Any) -> Any:
    if _is_use(value):
        return {"exists": {"id": "x"}}
    if isinstance(value, dict):
        return {key: _without_uses(part) for key, part in value.items()}
    return list(map(_without_uses, value)) if isinstance(value, list) else value


def misuses(schema: GoalSchema, goals: Mapping[str, GoalSchema]) -> Iterator[UseError]:
    """Each use of another goal in a goal that cannot be filled in.

    Args:
        schema: The goal; nothing is asked of it but its name and its ``holds``.
        goals: All other goals, as they are written.
    """
    known = {**goals, schema.id: schema}
    for path, use in uses(schema.holds):
        try:
            _used(use, known, (schema.id,), path)
        except UseError as error:
            yield error


def composed(name: str, goals: Mapping[str, GoalSchema]) -> GoalSchema:
    """A goal with the conditions of the goals that it uses in their places.

    Args:
        name: The goal's.
        goals: All goals, as they are written.

    Raises:
        UseError: It uses a goal that is not there, without a parameter, with one that it does not have, or
            one that comes back to it.
    """
    schema = goals[name]
    return schema.model_copy(update={"holds": _filled(schema.holds, goals, (name,), ())})


def _filled(value: Any, goals: Mapping[str, GoalSchema], trail: tuple[str, ...], path: Path) -> Any:
    if _is_use(value):
        return _used(value, goals, trail, path)
    if isinstance(value, dict):
        return {key: _filled(part, goals, trail, (*path, key)) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_filled(part, goals, trail, (*path, number)) for number, part in enumerate(value)]
    return value


def _used(use: Mapping[str, Any], goals: Mapping[str, GoalSchema], trail: tuple[str, ...], path: Path) -> Any:
    name, given = use["use"], use.get("with") or {}
    if not isinstance(name, str) or not isinstance(given, dict):
        raise UseError(path, "a use is written {use: GOAL, with: {PARAMETER: VALUE}}")
    if name not in goals:
        raise UseError((*path, "use"), f"no goal is called {name!r}", did_you_mean(name, goals))
    if name in trail:
        raise UseError((*path, "use"), f"the goal uses itself: {' → '.join((*trail, name))}")
    schema = goals[name]
    if unknown := sorted(given.keys() - schema.params.keys()):
        hint = did_you_mean(unknown[0], schema.params)
        raise UseError((*path, "with"), f"the goal {name!r} has no parameter {unknown[0]!r}", hint)
    values = {key: given.get(key, param.default) for key, param in schema.params.items()}
    if missing := [key for key, value in values.items() if value is None]:
        raise UseError(path, f"the goal {name!r} needs the parameter {missing[0]!r}")
    try:
        inner = _filled(schema.holds, goals, (*trail, name), ())
    except UseError as error:
        raise UseError((*path, "use"), f"in the goal {name!r}: {error.message}", error.hint) from error
    return _substituted(inner, values)


def _substituted(value: Any, values: Mapping[str, Any]) -> Any:
    """A used goal's condition with its parameters filled; those that the user hands on keep a placeholder."""
    handed = {key: each for key, each in values.items() if _hands_on(each)}
    plain = {key: each for key, each in values.items() if key not in handed}
    return _renamed(fill(value, plain), handed)


def _hands_on(value: Any) -> bool:
    return isinstance(value, str) and PLACEHOLDER.search(value) is not None


def _renamed(value: Any, names: Mapping[str, str], key: str = "") -> Any:
    if isinstance(value, str):
        texts = {name: _literal(text) for name, text in names.items()} if is_pattern(key) else names
        return PLACEHOLDER.sub(lambda match: texts.get(match[1], match[0]), value)
    if isinstance(value, dict):
        return {name: _renamed(part, names, name) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_renamed(part, names, key) for part in value]
    return value


def _literal(text: str) -> str:
    """A text that means itself in a pattern, but for its placeholders."""
    places = [match.span() for match in PLACEHOLDER.finditer(text)]
    made, done = "", 0
    for begin, end in places:
        made += re.escape(text[done:begin]) + text[begin:end]
        done = end
    return made + re.escape(text[done:])
