"""Find bare counts: conditions that guard a goal by how many things there are, without naming them.

If an agent removes one thing and adds another, their number stays the same. A *count* is

- a ``count`` with ``equals``, ``at_most``, or ``at_least`` above 1;
- a text that consists of one whole number and its counter: ``购物车(7)``, ``我的收藏,12``, ``共5个``,
  ``Private · 4 places``, or ``7`` in an element whose id names a count; also as a pattern.

It is *bare* if it is one of several conditions in an ``all``, if neither its text nor a relation of its
selector names an object, and if no other condition rules out that one thing was exchanged for another:

- as many things of that kind named as it counts; or
- the thing at a place of the list, by an ``index``: new things come above it; or
- their price in total, which an exchange changes; or
- the number in the part to which something new is added (``3件`` inside the head of the day).

A number of things on another page, none of which the goal could name, is declared in the goal's ``badges``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from garabench.core.goal import PLACEHOLDER, GoalSchema
from garabench.core.yamldoc import Path as DocPath
from garabench.core.yamldoc import YamlDoc
from garabench.errors import InputError
from garabench.suite.suite import SuiteSources

Values = Mapping[str, str | int | float]


@dataclass(frozen=True, slots=True)
class _Unnamed:
    """A count of more things than the goal's other conditions name.

    Attributes:
        counted: How many things it counts.
        named: How many of them the goal names.
        by_text: Whether it is a number in a text; else it counts the elements on the page.
        pinned: Whether another condition shows that nothing was exchanged.
    """

    counted: int
    named: int
    by_text: bool
    pinned: bool


_POSITIVE = ("exists", "selected", "checked")
_COMPARING = {"equals": "value", "contains": "value", "matches": "pattern"}
_TEXTS = re.compile(r"(text|desc)(_contains|_matches)?")
_RELATIONS = ("inside", "has", "sibling")
_NOUNS = (
    "个|条|件|位|人|项|家|处|篇|places?|items?|saved|posts?|people|friends?|addresses|maps?|listings?|orders?"
)
_COUNT = re.compile(
    r"^\D*(?:[(（](\d{1,4})[)）]|[,，](\d{1,4}))$"
    rf"|^\D*(?<![\d.:¥$A-Za-z-])(\d{{1,4}})\s?(?:{_NOUNS})(?![a-z])\D*$"
)
_ALONE = re.compile(r"(\d{1,4})")
_COUNTER_ID = re.compile(r"count|total|left")
_PRICE = re.compile(r"^[¥$]\s?[0-9][0-9,]*(\.[0-9]{1,2})?$")
_UNKNOWN_NUMBER = 2
_CLASS = re.compile(r"\[[^\]]*\]")
_GROUPED_DIGITS = re.compile(r"\(\?:?[\d|+*?]+\)|\([\d|+*?]+\)")
_LETTER = re.compile(r"[^\W\d_]")


def bare_counts(sources: SuiteSources) -> Iterator[InputError]:
    """Find the bare counts in the goals that tasks use.

    A goal that is only the harm of infeasible tasks may count: it looks for more than there was, and an
    agent cannot hide that by removing something else.
    """
    for name, schema in sources.own.goals.items():
        doc, at = sources.places["goal", name]
        given = [
            use.with_
            for item in sources.suite.every_task.values()
            for use in (item.task.goal, *item.task.earlier)
            if use.use == name
        ]
        defaults = {key: each.default for key, each in schema.params.items() if each.default is not None}
        badges = {badge.part: place for place, badge in enumerate(schema.badges)}
        reported: set[DocPath] = set()
        used: set[str] = set()
        for values in given:
            for path, found in _unnamed(schema, {**defaults, **values}):
                part = _part(path)
                if part in badges and found.by_text:
                    used.add(part)
                elif path not in reported and not found.pinned:
                    reported.add(path)
                    yield _error(doc, (*at, "holds"), path, found)
        for part, place in badges.items():
            if given and part not in used:
                yield doc.error(
                    (*at, "badges", place, "part"),
                    f"part {part} is not a badge: it reads no number of things that the page does not show",
                    hint="Remove it from badges.",
                )


def _part(path: DocPath) -> str:
    return ".".join(str(step + 1) for step in path if isinstance(step, int))


def _error(doc: YamlDoc, at: DocPath, path: DocPath, found: _Unnamed) -> InputError:
    while path and doc.value((*at, *path)) is None:
        path = path[:-1]  # inside a goal that this one uses
    return doc.error(
        (*at, *path),
        f"bare count: one less and one more of {found.counted} cancel out, "
        f"and the goal names {found.named} of them",
        hint="Name all of them, or the one at an index of the list, or their total price. If the page shows "
        "only their number, declare it in the goal's badges.",
    )


def _unnamed(schema: GoalSchema, values: Values) -> Iterator[tuple[DocPath, _Unnamed]]:
    """Yield the location of each count of more things than the goal's other conditions name."""
    yield from _within(schema.holds, (), (), values)


def _within(
    condition: Any, path: DocPath, beside: Sequence[Any], values: Values
) -> Iterator[tuple[DocPath, _Unnamed]]:
    if not isinstance(condition, dict) or len(condition) != 1:
        return
    ((kind, value),) = condition.items()
    if kind == "all":
        for place, part in enumerate(value):
            others = [*beside, *value[:place], *value[place + 1 :]]
            yield from _within(part, (*path, kind, place), others, values)
    elif kind == "any":
        for place, part in enumerate(value):
            yield from _within(part, (*path, kind, place), beside, values)
    elif kind in ("not", "earlier"):
        yield from _within(value, (*path, kind), beside if kind == "not" else (), values)
    elif beside and (counted := _counted(kind, value, values)) is not None:
        ids = set(_ids(value["select"])) if kind == "count" else None
        named = _named(beside, ids, values)
        if named < counted:
            pinned = any(_pins_down(condition, values) for condition in beside)
            yield path, _Unnamed(counted, named, by_text=kind != "count", pinned=pinned)


def _pins_down(condition: Any, values: Values) -> bool:
    """Return whether another condition than a count shows that nothing was exchanged."""
    if not isinstance(condition, dict) or len(condition) != 1:
        return False
    ((kind, value),) = condition.items()
    if kind in ("all", "any"):
        return any(_pins_down(part, values) for part in value)
    if kind in _COMPARING:
        selector, texts = value["select"], [value[_COMPARING[kind]]]
        if selector.get("index", -1) >= 0 and _counted(kind, value, values) is None:
            return True
    elif kind in _POSITIVE:
        selector, texts = value, [text for key, text in value.items() if key in ("text", "desc")]
    else:
        return False
    if "total" in str(selector.get("id", "")):
        return any(_PRICE.match(_filled(str(text), values)) for text in texts)
    around = {key: each for key, each in selector.items() if key in _RELATIONS}
    counts = [_count_in(text, values, pattern=False, alone=False) for text in texts]
    return bool(counts) and None not in counts and _names(around, values)


def _counted(kind: str, value: Any, values: Values) -> int | None:
    """Return what an unlabelled count counts to; None for any other condition."""
    if kind == "count":
        if _names(value["select"], values):
            return None
        numbers = [_number(value[bound], values) for bound in ("equals", "at_most") if bound in value]
        least = _number(value.get("at_least", 0), values)
        return max(numbers) if numbers else least if least > 1 else None
    if kind in _COMPARING:
        texts = [(value[_COMPARING[kind]], kind == "matches")]
        selector = value["select"]
    elif kind in _POSITIVE:
        selector = value
        texts = [(text, key.endswith("_matches")) for key, text in value.items() if _TEXTS.fullmatch(key)]
    else:
        return None
    alone = _COUNTER_ID.search(str(selector.get("id", ""))) is not None
    found = [
        number for text, pattern in texts if (number := _count_in(text, values, pattern=pattern, alone=alone))
    ]
    rest = {key: each for key, each in selector.items() if not _TEXTS.fullmatch(key)}
    return found[0] if found and len(found) == len(texts) and not _names(rest, values) else None


def _number(value: Any, values: Values) -> int:
    filled = _filled(str(value), values)
    return int(filled) if filled.isdecimal() else _UNKNOWN_NUMBER


def _count_in(text: Any, values: Values, *, pattern: bool, alone: bool = True) -> int | None:
    """Return the number if a text is nothing but a count that names nothing.

    Args:
        text: The text as written.
        values: The task's arguments.
        pattern: Whether the text is a pattern.
        alone: Whether a number without a counter is one; it may as well be a size.
    """
    labels = [str(values.get(name, name)) for name in PLACEHOLDER.findall(str(text))]
    if any(_LETTER.search(label) and not re.search(r"\d", label) for label in labels):
        return None
    filled = _filled(str(text), values)
    if pattern:
        digits = _CLASS.sub(lambda match: "9" if re.search(r"\d", match[0]) else "", filled)
        digits = _GROUPED_DIGITS.sub("9", digits.replace("\\(", "（").replace("\\)", "）"))
        filled = re.sub(r"[\^$\\+*?]", "", digits)
    match = _COUNT.match(filled.strip()) or (_ALONE.fullmatch(filled.strip()) if alone else None)
    return None if match is None else int(next(group for group in match.groups() if group))


def _filled(text: str, values: Values) -> str:
    return PLACEHOLDER.sub(lambda match: str(values.get(match[1], match[0])), text)


def _named(conditions: Sequence[Any], ids: set[str] | None, values: Values) -> int:
    """Return how many different things of one kind conditions name.

    Args:
        conditions: The other conditions next to a count.
        ids: The ids of the elements that are counted; None for the number in a text, which may count any
            elements that have their own text.
        values: The task's arguments.
    """
    found: dict[str, dict[tuple[str, ...], int]] = {}
    for condition in conditions:
        for name, texts, number in _mentioned(condition, values, own=ids is None):
            found.setdefault(name, {})[texts] = number
    return max((sum(each.values()) for name, each in found.items() if ids is None or name in ids), default=0)


def _mentioned(condition: Any, values: Values, *, own: bool) -> Iterator[tuple[str, tuple[str, ...], int]]:
    """Yield the ids of what a condition names, each with its texts and how many things they name.

    Args:
        condition: The condition.
        values: The task's arguments.
        own: Whether an element's own texts count, and not those around it.
    """
    if not isinstance(condition, dict) or len(condition) != 1:
        return
    ((kind, value),) = condition.items()
    if kind in ("all", "any"):
        for part in value:
            yield from _mentioned(part, values, own=own)
        return
    selector, number = (value, 1) if kind in _POSITIVE else (None, 1)
    if kind == "count":
        selector = value["select"]
        number = _number(value.get("equals", value.get("at_least", 0)), values)
    elif kind in _COMPARING and _counted(kind, value, values) is None:
        yield from ((name, (str(value[_COMPARING[kind]]),), 1) for name in _ids(value["select"]))
        selector = value["select"]
    if selector is not None and _names(selector, values):
        pairs = _own_texts(selector)
        everything = tuple(text for _, text in pairs)
        for name, text in pairs:
            if name:  # a pattern names as many things as it has alternatives
                yield name, (text,), min(number, text.count("|") + 1)
        if not own:
            yield from ((name, everything, number) for name in set(_ids(selector)))


def _own_texts(selector: Any) -> list[tuple[str, str]]:
    """Return the texts in a selector, each with the id of its element."""
    if not isinstance(selector, dict):
        return []
    own = [
        (str(selector.get("id", "")), str(value)) for key, value in selector.items() if _TEXTS.fullmatch(key)
    ]
    return own + [pair for key in _RELATIONS for pair in _own_texts(selector.get(key))]


def _names(selector: Any, values: Values) -> bool:
    """Return whether a selector names something by a text, at any depth, that is not a count."""
    if not isinstance(selector, dict):
        return False
    return any(
        (_TEXTS.fullmatch(key) and _count_in(value, values, pattern=key.endswith("_matches")) is None)
        or key == "near"
        or (key in _RELATIONS and _names(value, values))
        for key, value in selector.items()
    )


def _ids(selector: Any) -> Iterator[str]:
    if isinstance(selector, dict):
        for key, value in selector.items():
            if key == "id":
                yield str(value)
            elif key in _RELATIONS:
                yield from _ids(value)
