"""Goals that leave one parameter open: which object is meant has to matter wherever a selector says it.

A goal names its object in its selectors: in a text, or in what stands around an element or within it. Where
such a field says nothing of the parameter, the goal takes any object for the one that is meant. A text that
is nothing but the parameter is left out; of one with more in it the rest has to be there all the same. What a
relation says is left open within it, since less would be asked of a near miss if it were left out: the
relation goes only where nothing is left of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from garabench.campaign.mutants import OTHER_CHANGE, Change, Mutant
from garabench.core.goal import PLACEHOLDER, GoalSchema, Guard, bind, is_pattern, placeholders
from garabench.core.patterns import MAX_PATTERN

Data = dict[str, Any]
_Put = Callable[[Data | None], Data]

_RELATIONS = ("inside", "has", "sibling")
_SELECTS = ("exists", "selected", "checked", "absent")
_OF_SELECTION = ("count", "equals", "contains", "matches")
_TEXTS = re.compile(r"(text|desc)(_contains|_matches)?")


def field_mutants(schema: GoalSchema, given: Mapping[str, str | int | float]) -> tuple[Mutant, ...]:
    """A task's goal with each parameter left open in each field of a selector that says it.

    A field that is all that a condition says is none of them: without it the condition goes, which is asked
    by itself.

    Args:
        schema: The goal.
        given: What the task fills in.
    """
    made: dict[str, Mutant] = {}
    seen: list[Data] = []
    for part, selector, change, put in _selectors(schema.holds, (), Change.LOOSER, lambda left: left):
        for field, name, left, moved in _opened(selector, change):
            if left is None or (whole := put(left)) in seen:
                continue
            seen.append(whole)
            path = ".".join(map(str, part))
            key = " ".join(filter(None, (path, field)))
            if key in made or len(_named(selector, field)) > 1:
                key = f"{key} {{{name}}}"
            goal = bind(schema.model_copy(update={"holds": whole}), dict(given))
            made[key] = Mutant(key, goal.condition, moved, _reason(schema.guards, path, field))
    return tuple(made.values())


def _reason(guards: tuple[Guard, ...], part: str, field: str) -> str:
    """Why a field is in the goal though no way needs it: as a guard of it, or of what it stands in, says."""
    within = [
        guard
        for guard in guards
        if f"{part}.".startswith(f"{guard.part}." if guard.part else "")
        and (guard.field is None or (guard.part or "") == part)
        and f"{field}.".startswith(f"{guard.field}." if guard.field else "")
    ]
    return max(within, key=lambda guard: (guard.field or "", guard.part or "")).reason if within else ""


def _selectors(
    holds: Data, part: tuple[int, ...], change: Change, put: Callable[[Data], Data]
) -> Iterator[tuple[tuple[int, ...], Data, Change, Callable[[Data], Data]]]:
    """The selectors of a goal as it is written, each with its part's numbers.

    Args:
        holds: A condition.
        part: Its numbers.
        change: What the goal is where the condition accepts more.
        put: The goal with another condition in its place.

    Yields:
        The part, the selector, what the goal is where more is selected, and the goal with another selector.
    """
    ((kind, said),) = holds.items()
    if kind == "not":
        yield from _selectors(said, part, OTHER_CHANGE[change], lambda left: put({"not": left}))
    elif kind in ("all", "any"):
        for place, each in enumerate(said):
            yield from _selectors(each, (*part, place + 1), change, _in_place(kind, said, place, put))
    elif kind in _SELECTS:
        moved = OTHER_CHANGE[change] if kind == "absent" else change
        yield part, said, moved, lambda left: put({kind: left})
    elif kind in _OF_SELECTION:
        moved = _of_count(said, change) if kind == "count" else change
        yield part, said["select"], moved, lambda left: put({kind: {**said, "select": left}})


def _in_place(
    kind: str, listed: list[Data], place: int, put: Callable[[Data], Data]
) -> Callable[[Data], Data]:
    return lambda left: put({kind: [*listed[:place], left, *listed[place + 1 :]]})


def _of_count(said: Data, change: Change) -> Change:
    """What a goal is where more is counted: by how many there have to be, or may be."""
    if "equals" in said or {"at_least", "at_most"} <= said.keys():
        return Change.MIXED
    return change if "at_least" in said else OTHER_CHANGE[change]


def _opened(selector: Data, change: Change) -> Iterator[tuple[str, str, Data | None, Change]]:
    """A selector with each parameter left open in each of its fields.

    Yields:
        The field, with those it stands in before it; the parameter; what is left of the selector, None for
        nothing; and what the goal is then.
    """
    for field, said in selector.items():
        rest = {key: value for key, value in selector.items() if key != field}
        left = rest if rest.keys() - {"index"} else None
        # Where more fits, another element may be the nearest, or the one of that number.
        moved = Change.MIXED if rest.keys() & {"index", "near"} else change
        if field in _RELATIONS and isinstance(said, dict):
            for inner, name, within, mixed in _opened(said, moved):
                if within is None:
                    yield f"{field}.{inner}", name, left, mixed
                else:
                    yield f"{field}.{inner}", name, {**selector, field: within}, mixed
            continue
        for name in sorted(placeholders(said)):
            yield field, name, _without(selector, field, name) or left, moved


def _without(selector: Data, field: str, name: str) -> Data | None:
    """A selector in one of whose texts a parameter may be anything; None where the text has to go."""
    text = selector[field]
    kind = _TEXTS.fullmatch(field)
    if kind is None or not isinstance(text, str) or PLACEHOLDER.fullmatch(text):
        return None
    pattern = text if is_pattern(field) else _as_pattern(text, whole=kind[2] is None)
    opened = pattern.replace(f"{{{name}}}", ".*")
    key = f"{kind[1]}_matches"
    if len(opened) > MAX_PATTERN or (key in selector and key != field) or _in_brackets(pattern, name):
        return None
    return {other: said for other, said in selector.items() if other != field} | {key: opened}


def _as_pattern(text: str, *, whole: bool) -> str:
    """A text with parameters in it as a pattern; ``whole`` unless it may be a part of what is shown."""
    pieces = PLACEHOLDER.split(text)
    escaped = "".join(f"{{{piece}}}" if at % 2 else re.escape(piece) for at, piece in enumerate(pieces))
    return f"^{escaped}$" if whole else escaped


def _in_brackets(pattern: str, name: str) -> bool:
    """Whether a pattern has a parameter among the characters of a set, where it cannot be anything."""
    return re.search(rf"\[[^\]]*\{{{name}\}}", pattern) is not None


def _named(selector: Data, field: str) -> set[str]:
    """The parameters in a field, given with those it stands in before it."""
    said: Any = selector
    for key in field.split("."):
        said = said[key]
    return placeholders(said)
