"""Find rules, goals and interruptions that no task uses."""

from __future__ import annotations

from collections.abc import Iterator, Set

from garabench.core.suggestions import nearest
from garabench.errors import InputError
from garabench.suite.suite import SuiteSources
from garabench.suite.used_names import KIND_OF_LIST, Name, names_used_by

_KINDS = {key: kind for key, kind in KIND_OF_LIST.items() if kind != "task"}


def are_users_known(sources: SuiteSources) -> bool:
    """Return whether the suite has tasks, and every file that may use an entry can be read."""
    has_tasks = any(kind == "task" for kind, _ in sources.places) or sources.files.settings.tasks
    return bool(has_tasks) and not sources.files.unreadable


def unused(sources: SuiteSources) -> Iterator[InputError]:
    """Find entries that no task uses, directly or through goals, rules and interruptions.

    The files are read as written, so that nothing counts as unused because its user has a mistake. A
    misspelled name counts as the nearest one. Only meaningful if `are_users_known`.
    """
    own = {name for name in sources.places if name[0] in _KINDS.values()}
    known = own | sources.suite.borrowed
    uses_of: dict[Name, set[Name]] = {}
    found: set[Name] = set()
    for content in (each for contents in sources.files.loaded.values() for each in contents):
        for key, entries in content.doc.data.items():
            for entry in entries if isinstance(entries, list) else ():
                if isinstance(entry, dict) and key == "tasks":
                    found |= _resolved(names_used_by(key, entry), known)
                elif isinstance(entry, dict) and key in _KINDS:
                    name = (_KINDS[key], str(entry.get("id")))
                    uses_of.setdefault(name, set()).update(_resolved(names_used_by(key, entry), known))
    for included in sources.files.settings.tasks:
        found |= _resolved((("rule", rule) for rule in included.rules or ()), known)
    waiting = list(found)
    while waiting:
        more = uses_of.get(waiting.pop(), set()) - found
        found |= more
        waiting += more
    for kind, idle in sorted(own - found):
        doc, at = sources.places[kind, idle]
        user = "rule of a task" if kind == "interruption" else "task"
        yield doc.error((*at, "id"), f"unused {kind} {idle!r}: no {user} uses it")


def _resolved(named: Iterator[Name], known: Set[Name]) -> set[Name]:
    """Resolve names, which may be misspelled, to the nearest known ones."""
    found: set[Name] = set()
    for kind, name in named:
        if (kind, name) not in known:
            name = nearest(name, {other for each, other in known if each == kind}) or name
        found.add((kind, name))
    return found
