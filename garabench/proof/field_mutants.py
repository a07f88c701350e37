"""Goals with one parameter left open, to test that each mention of an object matters.

A goal names its object in the fields of its selectors: in a text, or in what surrounds or is inside an
element. A mutant accepts any object in one such field. A text that is only the parameter is dropped; in a
longer text the rest must still match. Inside a relation only the inner field is opened, since dropping the
whole relation would demand less of a near miss; the relation is dropped only when nothing remains of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from garabench.core.goal import PLACEHOLDER, GoalSchema, Guard, bind, is_pattern, placeholders
from garabench.core.patterns import MAX_PATTERN
from garabench.proof.condition_mutants import INVERSE_CHANGE, Change, Mutant

Data = dict[str, Any]
_Put = Callable[[Data | None], Data]

_RELATIONS = ("inside", "has", "sibling")
_SELECTS = ("exists", "selected", "checked", "absent")
_ON_SELECTION = ("count", "equals", "contains", "matches")
_TEXTS = re.compile(r"(text|desc)(_contains|_matches)?")


def field_mutants(schema: GoalSchema, arguments: Mapping[str, str | int | float]) -> tuple[Mutant, ...]:
    """Return a task's goal with each parameter left open in each selector field that mentions it.

    A field that is the whole of a condition is skipped: without it the condition goes, which
    `garabench.proof.condition_mutants` covers.

    Args:
        schema: The goal schema.
        arguments: The task's arguments.
    """
    mutants: dict[str, Mutant] = {}
    emitted: list[Data] = []
    for part, selector, change, rebuild in _selectors(schema.holds, (), Change.LOOSER, lambda left: left):
        for field, name, left, effect in _opened(selector, change):
            if left is None or (whole := rebuild(left)) in emitted:
                continue
            emitted.append(whole)
            path = ".".join(map(str, part))
            key = " ".join(filter(None, (path, field)))
            if key in mutants or len(_named(selector, field)) > 1:
                key = f"{key} {{{name}}}"
            goal = bind(schema.model_copy(update={"holds": whole}), dict(arguments))
            mutants[key] = Mutant(key, goal.condition, effect, _reason(schema.guards, path, field))
    return tuple(mutants.values())


def _reason(guards: tuple[Guard, ...], part: str, field: str) -> str:
    """Return the reason of the innermost guard that covers a field; empty if there is none."""
    within = [
        guard
        for guard in guards
        if f"{part}.".startswith(f"{guard.part}." if guard.part else "")
        and (guard.field is None or (guard.part or "") == part)
        and f"{field}.".startswith(f"{guard.field}." if guard.field else "")
    ]
    return max(within, key=lambda guard: (guard.field or "", guard.part or "")).reason if within else ""


def _selectors(
    holds: Data, part: tuple[int, ...], change: Change, rebuild: Callable[[Data], Data]
) -> Iterator[tuple[tuple[int, ...], Data, Change, Callable[[Data], Data]]]:
    """Yield the selectors of a goal as written in YAML.

    Args:
        holds: A condition.
        part: Its numbers.
        change: How the goal changes if the condition accepts more.
        rebuild: Returns the goal with another condition in this place.

    Yields:
        The part's numbers, the selector, how the goal changes if more is selected, and a function that
        returns the goal with another selector.
    """
    ((kind, value),) = holds.items()
    if kind == "not":
        yield from _selectors(value, part, INVERSE_CHANGE[change], lambda left: rebuild({"not": left}))
    elif kind == "earlier":
        yield from _selectors(value, part, change, lambda left: rebuild({"earlier": left}))
    elif kind in ("all", "any"):
        for place, each in enumerate(value):
            yield from _selectors(each, (*part, place + 1), change, _in_place(kind, value, place, rebuild))
    elif kind in _SELECTS:
        effect = INVERSE_CHANGE[change] if kind == "absent" else change
        yield part, value, effect, lambda left: rebuild({kind: left})
    elif kind in _ON_SELECTION:
        effect = _change_of_count(value, change) if kind == "count" else change
        yield part, value["select"], effect, lambda left: rebuild({kind: {**value, "select": left}})


def _in_place(
    kind: str, listed: list[Data], place: int, rebuild: Callable[[Data], Data]
) -> Callable[[Data], Data]:
    return lambda left: rebuild({kind: [*listed[:place], left, *listed[place + 1 :]]})


def _change_of_count(value: Data, change: Change) -> Change:
    """Return how a goal changes if more elements are counted: depends on the bounds."""
    if "equals" in value or {"at_least", "at_most"} <= value.keys():
        return Change.MIXED
    return change if "at_least" in value else INVERSE_CHANGE[change]


def _opened(selector: Data, change: Change) -> Iterator[tuple[str, str, Data | None, Change]]:
    """Yield a selector with each parameter left open in each of its fields.

    Yields:
        The path of the field; the parameter; the remaining selector, None if nothing remains; and how the
        goal changes.
    """
    for field, value in selector.items():
        rest = {key: value for key, value in selector.items() if key != field}
        left = rest if rest.keys() - {"index"} else None
        # Where more fits, another element may be the nearest, or the one of that number.
        effect = Change.MIXED if rest.keys() & {"index", "near"} else change
        if field in _RELATIONS and isinstance(value, dict):
            for inner, name, within, mixed in _opened(value, effect):
                if within is None:
                    yield f"{field}.{inner}", name, left, mixed
                else:
                    yield f"{field}.{inner}", name, {**selector, field: within}, mixed
            continue
        for name in sorted(placeholders(value)):
            yield field, name, _without(selector, field, name) or left, effect


def _without(selector: Data, field: str, name: str) -> Data | None:
    """Open one parameter in a text field of a selector; None if the field must be dropped."""
    text = selector[field]
    kind = _TEXTS.fullmatch(field)
    if kind is None or not isinstance(text, str) or PLACEHOLDER.fullmatch(text):
        return None
    pattern = text if is_pattern(field) else _as_pattern(text, whole=kind[2] is None)
    opened = pattern.replace(f"{{{name}}}", ".*")
    key = f"{kind[1]}_matches"
    if len(opened) > MAX_PATTERN or (key in selector and key != field) or _in_brackets(pattern, name):
        return None
    return {other: value for other, value in selector.items() if other != field} | {key: opened}


def _as_pattern(text: str, *, whole: bool) -> str:
    """Return a text with parameters as a pattern, anchored if ``whole``."""
    pieces = PLACEHOLDER.split(text)
    escaped = "".join(f"{{{piece}}}" if at % 2 else re.escape(piece) for at, piece in enumerate(pieces))
    return f"^{escaped}$" if whole else escaped


def _in_brackets(pattern: str, name: str) -> bool:
    """Return whether a pattern uses a parameter inside a character set, where it cannot be left open."""
    return re.search(rf"\[[^\]]*\{{{name}\}}", pattern) is not None


def _named(selector: Data, field: str) -> set[str]:
    """Return the parameters in a field, given by its path."""
    value: Any = selector
    for key in field.split("."):
        value = value[key]
    return placeholders(value)
