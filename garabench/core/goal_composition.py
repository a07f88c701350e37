"""Compose goals from other goals: ``{use: video-open, with: {title: …}}`` becomes that goal's condition."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from garabench.core.answers import SAMPLES
from garabench.core.goal import PLACEHOLDER, GoalSchema, fill_placeholders, is_pattern, placeholders
from garabench.core.suggestions import did_you_mean

Path = tuple[str | int, ...]
_KEYS = frozenset({"use", "with"})


class UseError(Exception):
    """An invalid use of a goal.

    Attributes:
        path: Its location within the goal's ``holds``.
        message: The error message.
        hint: The nearest valid name, if any.
    """

    def __init__(self, path: Path, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.path = path
        self.message = message
        self.hint = hint


def uses(value: Any, path: Path = ()) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """Find the uses of other goals in a goal's ``holds``, which need not be valid."""
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


def with_arbitrary_values(holds: Any, params: Any) -> Any:
    """Return a goal's condition with an arbitrary value for each parameter and condition for each used goal.

    Args:
        holds: The condition as written, valid or not.
        params: The goal's parameters as written, valid or not.
    """
    known = params if isinstance(params, dict) else {}
    values: dict[str, str | int | float] = {
        str(name): 1 if isinstance(param, dict) and param.get("type") == "number" else "x"
        for name, param in known.items()
    }
    values |= _answer_samples(holds)
    return fill_placeholders(_without_uses(holds), values)


def _answer_samples(holds: Any) -> dict[str, str | int | float]:
    """Return a valid value for each parameter that is the value of a typed answer, or accepted instead."""
    if isinstance(holds, list):
        return {name: sample for part in holds for name, sample in _answer_samples(part).items()}
    if not isinstance(holds, dict):
        return {}
    answer = holds.get("answer")
    if not isinstance(answer, dict) or (kind := str(answer.get("type"))) not in SAMPLES:
        return {name: sample for part in holds.values() for name, sample in _answer_samples(part).items()}
    accepted = answer.get("accept")
    texts = [answer.get("value"), *(accepted if isinstance(accepted, list) else ())]
    return {name: SAMPLES[kind] for text in texts for name in placeholders(text)}


def _without_uses(value: Any) -> Any:
    if _is_use(value):
        return {"exists": {"id": "x"}}
    if isinstance(value, dict):
        return {key: _without_uses(part) for key, part in value.items()}
    return list(map(_without_uses, value)) if isinstance(value, list) else value


def invalid_uses(schema: GoalSchema, goals: Mapping[str, GoalSchema]) -> Iterator[UseError]:
    """Find the invalid uses of other goals in a goal.

    Args:
        schema: The goal; only its id and its ``holds`` are read.
        goals: All other goals, as written.
    """
    known = {**goals, schema.id: schema}
    for path, use in uses(schema.holds):
        try:
            _expand_use(use, known, (schema.id,), path)
        except UseError as error:
            yield error


def compose(name: str, goals: Mapping[str, GoalSchema]) -> GoalSchema:
    """Return a goal in which each use of another goal is replaced by that goal's condition.

    Args:
        name: The goal's id.
        goals: All goals, as written.

    Raises:
        UseError: It uses an unknown goal, omits a parameter, gives an unknown one, or uses itself, directly
            or through other goals.
    """
    schema = goals[name]
    return schema.model_copy(update={"holds": _expand(schema.holds, goals, (name,), ())})


def _expand(value: Any, goals: Mapping[str, GoalSchema], trail: tuple[str, ...], path: Path) -> Any:
    if _is_use(value):
        return _expand_use(value, goals, trail, path)
    if isinstance(value, dict):
        return {key: _expand(part, goals, trail, (*path, key)) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_expand(part, goals, trail, (*path, number)) for number, part in enumerate(value)]
    return value


def _expand_use(
    use: Mapping[str, Any], goals: Mapping[str, GoalSchema], trail: tuple[str, ...], path: Path
) -> Any:
    name, given = use["use"], use.get("with") or {}
    if not isinstance(name, str) or not isinstance(given, dict):
        raise UseError(path, "write a use as {use: GOAL, with: {PARAMETER: VALUE}}")
    if name not in goals:
        raise UseError((*path, "use"), f"unknown goal {name!r}", did_you_mean(name, goals))
    if name in trail:
        raise UseError((*path, "use"), f"the goal uses itself: {' → '.join((*trail, name))}")
    schema = goals[name]
    if unknown := sorted(given.keys() - schema.params.keys()):
        hint = did_you_mean(unknown[0], schema.params)
        raise UseError((*path, "with"), f"the goal {name!r} has no parameter {unknown[0]!r}", hint)
    values = {key: given.get(key, param.default) for key, param in schema.params.items()}
    if missing := [key for key, value in values.items() if value is None]:
        raise UseError(path, f"the goal {name!r} is missing the parameter {missing[0]!r}")
    try:
        inner = _expand(schema.holds, goals, (*trail, name), ())
    except UseError as error:
        raise UseError((*path, "use"), f"in the goal {name!r}: {error.message}", error.hint) from error
    return _substitute(inner, values)


def _substitute(condition: Any, values: Mapping[str, Any]) -> Any:
    """Fill the parameters of a used goal; those that the using goal passes on remain placeholders."""
    passed_on = {key: value for key, value in values.items() if _has_placeholder(value)}
    plain = {key: value for key, value in values.items() if key not in passed_on}
    return _rename_placeholders(fill_placeholders(condition, plain), passed_on)


def _has_placeholder(value: Any) -> bool:
    return isinstance(value, str) and PLACEHOLDER.search(value) is not None


def _rename_placeholders(value: Any, names: Mapping[str, str], key: str = "") -> Any:
    if isinstance(value, str):
        texts = {name: _escape(text) for name, text in names.items()} if is_pattern(key) else names
        return PLACEHOLDER.sub(lambda match: texts.get(match[1], match[0]), value)
    if isinstance(value, dict):
        return {name: _rename_placeholders(part, names, name) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_rename_placeholders(part, names, key) for part in value]
    return value


def _escape(text: str) -> str:
    """Escape a text for a pattern, except for its placeholders."""
    places = [match.span() for match in PLACEHOLDER.finditer(text)]
    made, done = "", 0
    for begin, end in places:
        made += re.escape(text[done:begin]) + text[begin:end]
        done = end
    return made + re.escape(text[done:])
