"""The names that entries of a suite's files use, as written, even if the entries have other mistakes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from garabench.core.goal_composition import uses
from garabench.suite.apps import goals_named_by
from garabench.suite.files import shown_interruptions

Name = tuple[str, str]
"""A kind of entry (``task``, ``goal``, ``rule``, ``interruption``) and its id."""

KIND_OF_LIST = {
    "tasks": "task",
    "goals": "goal",
    "rules": "rule",
    "interruptions": "interruption",
    "anomalies": "interruption",
}
"""The kind of entry in each list of a file."""


def names_used_by(key: str, entry: Mapping[str, Any]) -> Iterator[Name]:
    """Iterate over the names that an entry uses.

    Args:
        key: The key of its list: one of `KIND_OF_LIST`.
        entry: The entry as written.
    """
    if key == "tasks":
        for name in goals_named_by(entry):
            yield "goal", name
        for name in _texts(entry.get("rules")):
            yield "rule", name
    elif key == "goals":
        for _, use in uses(entry.get("holds")):
            if isinstance(use["use"], str):
                yield "goal", use["use"]
    elif key == "rules":
        for name in _texts(entry.get("inject")):
            yield "interruption", name
    else:
        for _, name in shown_interruptions(entry.get("buttons"), ()):
            yield "interruption", name


def _texts(value: Any) -> Iterator[str]:
    """Iterate over a string, or the strings in a list."""
    for each in value if isinstance(value, list) else (value,):
        if isinstance(each, str):
            yield each
