"""Facts that were read at one moment, so that conditions can be evaluated later without a device."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from garabench.core.condition import (
    Condition,
    ContentHas,
    PackageStateIs,
    SettingIs,
    nested_conditions,
)
from garabench.core.earlier_screens import (
    NO_EARLIER_SCREENS,
    EarlierScreens,
    earlier_screens_from_json,
)
from garabench.core.evaluate import Facts
from garabench.core.observation import Focus
from garabench.core.tree import TreeError, UiTree, parse_tree

FactQuery = tuple[str, ...]
"""A fact other than tree, focus and answer: ``("setting", namespace, key)``, ``("content", uri)``, …"""


def fact_queries(conditions: Iterable[Condition]) -> frozenset[FactQuery]:
    """Return the facts that conditions read in addition to the tree, the focus and the answer."""
    return frozenset(
        query
        for condition in conditions
        for part in nested_conditions(condition)
        for query in _queries_of(part)
    )


def _queries_of(condition: Condition) -> Iterator[FactQuery]:
    match condition:
        case SettingIs():
            yield ("setting", condition.setting.namespace, condition.setting.key)
        case PackageStateIs():
            yield ("package", condition.package_state.package, condition.package_state.is_)
        case ContentHas():
            yield ("content", condition.content.uri)


@dataclass(frozen=True, slots=True)
class RecordedFacts:
    """Facts that were read at one moment; implements `garabench.core.evaluate.Facts`.

    Attributes:
        tree: The UI tree of the settled screen.
        focus: The focused window; None if it was not recorded.
        answer: The agent's answer, or None.
        values: The other facts that were read; any other fact is unknown.
        earlier: What has held on the screens before; `evaluate` takes its verdicts as an argument.
    """

    tree: UiTree
    focus: Focus | None = None
    answer: str | None = None
    values: tuple[tuple[FactQuery, str | bool | None], ...] = ()
    earlier: EarlierScreens = NO_EARLIER_SCREENS

    def setting(self, namespace: str, key: str) -> str | None:
        """Return the recorded value of a system setting."""
        return self._text(("setting", namespace, key))

    def package_state(self, package: str, state: str) -> bool | None:
        """Return whether a package was ``installed`` or ``running``."""
        value = dict(self.values).get(("package", package, state))
        return value if isinstance(value, bool) else None

    def content(self, uri: str) -> str | None:
        """Return the recorded rows of a content query."""
        return self._text(("content", uri))

    def _text(self, query: FactQuery) -> str | None:
        value = dict(self.values).get(query)
        return value if isinstance(value, str) else None

    def to_json(self) -> dict[str, Any]:
        """Return the facts as JSON-compatible data."""
        return {
            "tree": base64.b64encode(zlib.compress(self.tree.to_xml())).decode("ascii"),
            "answer": self.answer,
            "focus": [self.focus.package, self.focus.activity] if self.focus else None,
            "values": [[list(query), value] for query, value in self.values],
            "earlier": self.earlier.to_json(),
        }


def record_facts(
    facts: Facts, queries: Iterable[FactQuery], earlier: EarlierScreens = NO_EARLIER_SCREENS
) -> RecordedFacts:
    """Read facts now and record them.

    Args:
        facts: The facts.
        queries: The facts to read in addition to the tree, the focus and the answer.
        earlier: What has held on the screens before.

    Raises:
        DeviceError: The device is gone.
    """
    values = tuple((query, _read(facts, query)) for query in sorted(queries))
    return RecordedFacts(facts.tree, facts.focus, facts.answer, values, earlier)


def _read(facts: Facts, query: FactQuery) -> str | bool | None:
    kind, *arguments = query
    match kind:
        case "setting":
            return facts.setting(arguments[0], arguments[1])
        case "package":
            return facts.package_state(arguments[0], arguments[1])
        case _:
            return facts.content(arguments[0])


def recorded_facts_from_json(data: dict[str, Any]) -> RecordedFacts:
    """Read the result of `RecordedFacts.to_json`.

    Raises:
        ValueError, TypeError, KeyError: The data is malformed.
    """
    try:
        tree = parse_tree(zlib.decompress(base64.b64decode(data["tree"], validate=True)))
    except (binascii.Error, zlib.error, TreeError) as error:
        raise ValueError(f"cannot read the recorded tree: {error}") from error
    focus = data["focus"]
    return RecordedFacts(
        tree,
        Focus(*focus) if focus is not None else None,
        data["answer"],
        tuple((tuple(query), value) for query, value in data["values"]),
        earlier_screens_from_json(data["earlier"]),
    )
