"""Borrow from the built-in suite: the entries that another suite uses by id and does not define."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from garabench.core.goal import GoalSchema
from garabench.core.interruption import Interruption, SystemInterruption
from garabench.core.rule import BoundRule
from garabench.core.steps import ShowStep
from garabench.suite.files import SuiteFiles
from garabench.suite.used_names import KIND_OF_LIST, Name, names_used_by

_Entry = TypeVar("_Entry")


@dataclass(frozen=True, slots=True)
class Borrowed:
    """Entries of the built-in suite that another suite uses, with everything that they use themselves.

    Attributes:
        goals, rules, interruptions, anomalies: By id.
        goal_apps: The app of each goal, by id.
        tasks: The ids of tasks.
        digest: The digest of the built-in suite; empty if nothing is borrowed.
    """

    goals: Mapping[str, GoalSchema] = field(default_factory=dict)
    goal_apps: Mapping[str, str] = field(default_factory=dict)
    rules: Mapping[str, BoundRule] = field(default_factory=dict)
    interruptions: Mapping[str, Interruption] = field(default_factory=dict)
    anomalies: Mapping[str, SystemInterruption] = field(default_factory=dict)
    tasks: frozenset[str] = frozenset()
    digest: str = ""

    @property
    def names(self) -> frozenset[Name]:
        """The kinds and ids of all entries."""
        tables: tuple[tuple[str, Iterable[str]], ...] = (
            ("goal", self.goals),
            ("rule", self.rules),
            ("interruption", self.interruptions),
            ("interruption", self.anomalies),
            ("task", self.tasks),
        )
        return frozenset((kind, name) for kind, table in tables for name in table)


NOTHING = Borrowed()
"""Nothing is borrowed."""


def undefined_names(files: SuiteFiles) -> frozenset[Name]:
    """Return the names that a suite's files, once parsed, use and do not define."""
    defined: set[Name] = set()
    used: set[Name] = set()
    for content in (each for contents in files.loaded.values() for each in contents):
        data = content.doc.data if isinstance(content.doc.data, dict) else {}
        for key, kind in KIND_OF_LIST.items():
            listed = data.get(key)
            for entry in listed if isinstance(listed, list) else ():
                if isinstance(entry, dict):
                    defined.add((kind, str(entry.get("id"))))
                    used |= set(names_used_by(key, entry))
    return frozenset(used - defined)


def borrow(whole: Borrowed, names: Iterable[Name]) -> Borrowed:
    """Return some entries of the built-in suite and all that they use.

    Args:
        whole: The whole built-in suite.
        names: The kinds and ids of the entries; those that the suite does not have are skipped.
    """
    known = whole.names
    found: set[Name] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in known and name not in found:
            found.add(name)
            waiting += _used_by(whole, *name)

    def chosen(kind: str, table: Mapping[str, _Entry]) -> dict[str, _Entry]:
        return {name: entry for name, entry in table.items() if (kind, name) in found}

    return Borrowed(
        goals=chosen("goal", whole.goals),
        goal_apps=chosen("goal", whole.goal_apps),
        rules=chosen("rule", whole.rules),
        interruptions=chosen("interruption", whole.interruptions),
        anomalies=chosen("interruption", whole.anomalies),
        tasks=frozenset(name for kind, name in found if kind == "task"),
        digest=whole.digest if found else "",
    )


def _used_by(whole: Borrowed, kind: str, name: str) -> Iterator[Name]:
    """Iterate over the names that an entry of a checked suite uses."""
    if kind == "rule":
        yield from (("interruption", shown) for shown in whole.rules[name].rule.inject)
    elif kind == "interruption" and name in whole.interruptions:
        for button in whole.interruptions[name].buttons:
            yield from (
                ("interruption", step.show) for step in button.follow_up if isinstance(step, ShowStep)
            )
