"""Find rules, goals and interruptions that no task uses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import Any

from garabench.core.goal_composition import uses
from garabench.core.identifiers import nearest
from garabench.errors import InputError
from garabench.suite.files import shown_interruptions
from garabench.suite.suite import SuiteSources

_Name = tuple[str, str]
"""A kind of entry and its id."""
_KINDS = {"goals": "goal", "rules": "rule", "interruptions": "interruption", "anomalies": "interruption"}


def unused(sources: SuiteSources) -> Iterator[InputError]:
    """Find entries that no task uses, directly or through goals, rules and interruptions.

    The files are read as written, so that nothing counts as unused because its user has a mistake. A
    misspelled name counts as the nearest one. If any file cannot be read at all, nothing is reported.
    """
    if sources.files.unreadable:
        return
    known = {name for name in sources.places if name[0] in _KINDS.values()}
    uses_of: dict[_Name, set[_Name]] = {}
    found: set[_Name] = set()
    for content in (each for contents in sources.files.loaded.values() for each in contents):
        for key, entries in content.doc.data.items():
            for entry in entries if isinstance(entries, list) else ():
                if isinstance(entry, dict) and key == "tasks":
                    found |= _resolved(_named_by_task(entry), known)
                elif isinstance(entry, dict) and key in _KINDS:
                    name = (_KINDS[key], str(entry.get("id")))
                    uses_of.setdefault(name, set()).update(_resolved(_named_by(key, entry), known))
    waiting = list(found)
    while waiting:
        more = uses_of.get(waiting.pop(), set()) - found
        found |= more
        waiting += more
    for kind, idle in sorted(known - found):
        doc, at = sources.places[kind, idle]
        user = "rule of a task" if kind == "interruption" else "task"
        yield doc.error((*at, "id"), f"unused {kind} {idle!r}: no {user} uses it")


def _resolved(named: Iterator[_Name], known: Set[_Name]) -> set[_Name]:
    """Resolve names, which may be misspelled, to the nearest known ones."""
    found: set[_Name] = set()
    for kind, name in named:
        if (kind, name) not in known:
            name = nearest(name, {other for each, other in known if each == kind}) or name
        found.add((kind, name))
    return found


def _named_by_task(task: Mapping[str, Any]) -> Iterator[_Name]:
    infeasible = task.get("infeasible")
    for use in (task.get("goal"), infeasible.get("harm") if isinstance(infeasible, dict) else None):
        if isinstance(use, dict) and isinstance(use.get("use"), str):
            yield "goal", use["use"]
    for name in _texts(task.get("rules")):
        yield "rule", name


def _named_by(key: str, entry: Mapping[str, Any]) -> Iterator[_Name]:
    """Iterate over the names that a goal, a rule or an interruption uses, as written."""
    if key == "goals":
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
