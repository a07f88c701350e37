"""The selectors that uiautomator2 sends.

On the wire a selector is an object with a bit mask of its valid fields, and two lists that chain further
selectors as children or siblings. The server turns it into one of two Android selectors that
behave differently, see `garabench.virtual.u2.object_search`:

- ``UiSelector`` (chains, index, instance): searches the active window only; ``textContains`` and
  ``textStartsWith`` ignore case.
- ``BySelector`` (otherwise): searches all windows, case-sensitively.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from garabench.virtual.u2.accessibility import AxNode
from garabench.virtual.u2.rpc import JavaError, invalid_params

MAX_CHAIN = 32
MAX_PATTERN = 2000


class Operator(enum.Enum):
    """Comparison operators of a field."""

    IS = "is"
    CONTAINS = "contains"
    MATCHES = "matches"
    STARTS_WITH = "starts-with"


class Relation(enum.Enum):
    """Start of a chained selector's search: the object found so far, or its parent."""

    CHILD = "child"
    SIBLING = "sibling"


_TEXT_FIELDS: Mapping[str, tuple[int, str, Operator]] = {
    "text": (0x01, "text", Operator.IS),
    "textContains": (0x02, "text", Operator.CONTAINS),
    "textMatches": (0x04, "text", Operator.MATCHES),
    "textStartsWith": (0x08, "text", Operator.STARTS_WITH),
    "className": (0x10, "cls", Operator.IS),
    "classNameMatches": (0x20, "cls", Operator.MATCHES),
    "description": (0x40, "desc", Operator.IS),
    "descriptionContains": (0x80, "desc", Operator.CONTAINS),
    "descriptionMatches": (0x0100, "desc", Operator.MATCHES),
    "descriptionStartsWith": (0x0200, "desc", Operator.STARTS_WITH),
    "packageName": (0x080000, "package", Operator.IS),
    "packageNameMatches": (0x100000, "package", Operator.MATCHES),
    "resourceId": (0x200000, "resource_id", Operator.IS),
    "resourceIdMatches": (0x400000, "resource_id", Operator.MATCHES),
}
_FLAGS: Mapping[str, int] = {
    "checkable": 0x0400,
    "checked": 0x0800,
    "clickable": 0x1000,
    "longClickable": 0x2000,
    "scrollable": 0x4000,
    "enabled": 0x8000,
    "focusable": 0x010000,
    "focused": 0x020000,
    "selected": 0x040000,
}
_INDEX = 0x800000
_INSTANCE = 0x01000000


@dataclass(frozen=True)
class FieldComparison:
    """A comparison of a text attribute with `wanted`, or of a flag with ``"true"``/``"false"``.

    Attributes:
        name: Name of the field in the selector.
        attribute: Attribute of `AxNode`; empty for flags.
    """

    name: str
    attribute: str
    op: Operator
    wanted: str

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The regular expression; a dot matches line ends, as in UiSelector."""
        if len(self.wanted) > MAX_PATTERN:
            raise JavaError("java.util.regex.PatternSyntaxException", "the pattern is too long")
        try:
            return re.compile(self.wanted, re.DOTALL)
        except (re.error, RecursionError) as error:
            raise JavaError(
                "java.util.regex.PatternSyntaxException", f"{error} near {self.wanted!r}"
            ) from error

    def holds(self, node: AxNode, *, ignore_case: bool) -> bool:
        """Return whether a node matches; `ignore_case` applies to CONTAINS and STARTS_WITH."""
        if not self.attribute:
            return node.flag(self.name) is (self.wanted == "true")
        value: str = getattr(node, self.attribute)
        if self.op is Operator.IS:
            return value == self.wanted
        if self.op is Operator.MATCHES:
            return self.pattern.fullmatch(value) is not None
        wanted = self.wanted
        if ignore_case:
            value, wanted = value.lower(), wanted.lower()
        return wanted in value if self.op is Operator.CONTAINS else value.startswith(wanted)

    def __str__(self) -> str:
        suffix = {
            Operator.IS: "",
            Operator.CONTAINS: "CONTAINS_",
            Operator.MATCHES: "",
            Operator.STARTS_WITH: "START_",
        }[self.op]
        names = {"text": "TEXT", "desc": "DESCRIPTION", "cls": "CLASS", "package": "PACKAGE NAME"}
        name = names.get(self.attribute, "RESOURCE_ID" if self.attribute else self.name.upper())
        return f"{suffix}{name}{'_REGEX' if self.op is Operator.MATCHES else ''}={self.wanted}"


@dataclass(frozen=True, slots=True)
class Criteria:
    """A link of a selector chain.

    Attributes:
        index: Index among the siblings, or None.
        instance: Number of the match in reading order, from 0; None means the first.
    """

    tests: tuple[FieldComparison, ...] = ()
    index: int | None = None
    instance: int | None = None

    def holds(self, node: AxNode, *, ignore_case: bool) -> bool:
        """Return whether a node passes every test; the search handles index and instance."""
        return all(test.holds(node, ignore_case=ignore_case) for test in self.tests)

    def parts(self) -> list[str]:
        """Return the pieces of `UiSelector.toString`."""
        parts = [str(test) for test in self.tests]
        if self.index is not None:
            parts.append(f"INDEX={self.index}")
        if self.instance is not None:
            parts.append(f"INSTANCE={self.instance}")
        return parts


@dataclass(frozen=True, slots=True)
class UiSelector:
    """A selector: the first link, and those chained to it in order."""

    first: Criteria
    chain: tuple[tuple[Relation, Criteria], ...] = ()

    @property
    def last(self) -> Criteria:
        """The link that the object itself must match."""
        return self.chain[-1][1] if self.chain else self.first

    @property
    def simple(self) -> bool:
        """Whether the server uses a BySelector: no chain, index or instance, and at least one test."""
        plain = self.first.index is None and self.first.instance is None
        return not self.chain and plain and bool(self.first.tests)

    def with_instance(self, instance: int, *, of_first: bool = False) -> UiSelector:
        """Return a copy with another instance of its last (or first) link."""
        if of_first or not self.chain:
            return replace(self, first=replace(self.first, instance=instance))
        relation, criteria = self.chain[-1]
        return replace(self, chain=(*self.chain[:-1], (relation, replace(criteria, instance=instance))))

    def __str__(self) -> str:
        text, closing = "UiSelector[" + ", ".join(self.first.parts()), "]"
        for relation, criteria in self.chain:
            name = "CHILD" if relation is Relation.CHILD else "PARENT"
            separator = "" if text.endswith("[") else ", "
            text += f"{separator}{name}=UiSelector[" + ", ".join(criteria.parts())
            closing += "]"
        return text + closing


def parse_selector(wire: Any) -> UiSelector:
    """Parse a selector as the client sends it.

    Raises:
        RpcError: It is not a selector.
    """
    first, chain = _parse_links(wire, 0)
    return UiSelector(first, tuple(chain))


def chained(base: UiSelector, relation: Relation, link: UiSelector) -> UiSelector:
    """Chain `link` to `base`, as a child or sibling."""
    chain = (*base.chain, (relation, link.first), *link.chain)
    if len(chain) > MAX_CHAIN:
        raise invalid_params()
    return UiSelector(base.first, chain)


def _parse_links(wire: Any, depth: int) -> tuple[Criteria, list[tuple[Relation, Criteria]]]:
    if not isinstance(wire, dict) or depth > MAX_CHAIN:
        raise invalid_params()
    relations, selectors = wire.get("childOrSibling", []), wire.get("childOrSiblingSelector", [])
    if not isinstance(relations, list) or not isinstance(selectors, list):
        raise invalid_params()
    chain: list[tuple[Relation, Criteria]] = []
    # The server walks both lists together and ignores the rest of the longer one.
    for relation, selector in zip(relations, selectors, strict=False):
        name = relation.lower() if isinstance(relation, str) else ""
        if name not in ("child", "sibling"):
            continue
        link, further = _parse_links(selector, depth + 1)
        chain += [(Relation(name), link), *further]
        if len(chain) > MAX_CHAIN:
            raise invalid_params()
    return _parse_criteria(wire), chain


def _parse_criteria(wire: Mapping[str, Any]) -> Criteria:
    mask = wire.get("mask", 0)
    if not isinstance(mask, int):
        raise invalid_params()
    tests: list[FieldComparison] = []
    for name, (bit, attribute, op) in _TEXT_FIELDS.items():
        if mask & bit:
            tests.append(FieldComparison(name, attribute, op, _text(wire.get(name))))
    for name, bit in _FLAGS.items():
        if mask & bit:
            tests.append(
                FieldComparison(name, "", Operator.IS, "true" if _flag(wire.get(name, False)) else "false")
            )
    index = _number(wire.get("index", 0)) if mask & _INDEX else None
    instance = _number(wire.get("instance", 0)) if mask & _INSTANCE else None
    return Criteria(tuple(tests), index, instance)


def _text(value: Any) -> str:
    # Jackson turns numbers and booleans into strings; null reaches UiSelector as null and is refused there.
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int | float):
        return str(value)
    raise JavaError("java.lang.IllegalArgumentException", "selector value cannot be null")


def _flag(value: Any) -> bool:
    if isinstance(value, bool | int):
        return bool(value)
    raise invalid_params()


def _number(value: Any) -> int:
    if isinstance(value, int | float):
        number = int(value)
        if number >= 0:
            return number
        raise JavaError("java.lang.IllegalArgumentException", "index and instance are not negative")
    raise invalid_params()
