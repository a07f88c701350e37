"""The apps of a suite's files, and detection of misspelled package names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from garabench.core.suggestions import nearest
from garabench.core.yamldoc import Path as DocPath
from garabench.core.yamldoc import YamlDoc

ANY = "any"
_MESSAGES = {
    "tasks": "no goal or rule of the suite is for the app {!r}",
    "goals": "no task or rule of the suite is for the app {!r}",
    "rules": "no task or goal of the suite is for the app {!r}",
}
_Misspelling = tuple[YamlDoc, DocPath, str, str]
"""The document and path of a misspelled name, the message, and the intended name."""


@dataclass
class AppNames:
    """The apps of a suite's files, by the kind of file: ``tasks``, ``goals`` or ``rules``.

    A package name is considered misspelled if only one kind of file uses it and a task connects it with a
    similar name that more kinds of files, or more files, use: a task for ``tv.danmaku.bili`` names a goal for
    ``tv.danmaku.bil``. In a tie, the name in the tasks is considered wrong.

    Attributes:
        places: The places that name each app, by kind.
        owners: The app of each goal and rule, by kind and id.
        named: The references of tasks: the task's app, and the kind and id of the target.
    """

    places: dict[str, dict[str, list[tuple[YamlDoc, DocPath]]]] = field(default_factory=dict)
    owners: dict[tuple[str, str], str] = field(default_factory=dict)
    named: list[tuple[str, str, str]] = field(default_factory=list)

    def add(self, kind: str, doc: YamlDoc) -> None:
        """Add a file as written, even if something is wrong with it."""
        app = doc.value(("app",))
        if not isinstance(app, str):
            return
        self.places.setdefault(app, {}).setdefault(kind, []).append((doc, ("app",)))
        entries = doc.value((kind,))
        for number, entry in enumerate(entries if isinstance(entries, list) else ()):
            if not isinstance(entry, dict):
                continue
            if kind == "tasks":
                self.named += [(app, *each) for each in _named_by(entry)]
            elif isinstance(entry.get("id"), str):
                own = entry.get("app") if kind == "rules" else None
                if isinstance(own, str):
                    where = (doc, ("rules", number, "app"))
                    self.places.setdefault(own, {}).setdefault(kind, []).append(where)
                self.owners.setdefault((kind, entry["id"]), own if isinstance(own, str) else app)

    def intended(self) -> Mapping[str, str]:
        """Return the intended app of each misspelled one."""
        found: dict[str, str] = {}
        for app, kind, name in self.named:
            other = self.owners.get((kind, name), app)
            if ANY in (app, other) or app == other or nearest(app, [other]) is None:
                continue
            wrong, right = (app, other) if self._weight(app) <= self._weight(other) else (other, app)
            if len(self.places[wrong]) == 1:
                found.setdefault(wrong, right)
        return {wrong: right for wrong, right in found.items() if right not in found}

    def misspellings(self) -> Iterator[_Misspelling]:
        """Iterate over the places that misspell an app."""
        for wrong, right in self.intended().items():
            for kind, places in self.places[wrong].items():
                for doc, path in places:
                    yield doc, path, _MESSAGES[kind].format(wrong), right

    def _weight(self, app: str) -> tuple[int, int]:
        """Return the number of kinds of files that name an app, and of places."""
        places = self.places.get(app, {})
        return len(places), sum(map(len, places.values()))


def goals_named_by(task: Mapping[str, Any]) -> Iterator[str]:
    """Iterate over the goals that a task names, as written: its own, the harm, the earlier ones."""
    infeasible, earlier = task.get("infeasible"), task.get("earlier")
    harm = infeasible.get("harm") if isinstance(infeasible, dict) else None
    for use in (task.get("goal"), harm, *(earlier if isinstance(earlier, list) else ())):
        if isinstance(use, dict) and isinstance(use.get("use"), str):
            yield use["use"]


def _named_by(task: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Iterate over the goals and rules that a task names, as written."""
    for goal in goals_named_by(task):
        yield "goals", goal
    rules = task.get("rules")
    for rule in rules if isinstance(rules, list) else ():
        if isinstance(rule, str):
            yield "rules", rule
