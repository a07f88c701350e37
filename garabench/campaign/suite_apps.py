"""The apps that a suite's files are for: one that is misspelt is told once, where it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from garabench.core.names import nearest
from garabench.core.yamldoc import Path as DocPath
from garabench.core.yamldoc import YamlDoc

ANY = "any"
_TOLD = {
    "tasks": "no goal and no rule of the suite is for the app {!r}",
    "goals": "no task and no rule of the suite is for the app {!r}",
    "rules": "no task and no goal of the suite is for the app {!r}",
}
_Misspelt = tuple[YamlDoc, DocPath, str, str]
"""Where a name is misspelt, what is wrong, and the name that is meant."""


@dataclass
class Apps:
    """The apps of a suite's files, by what the files hold: ``tasks``, ``goals`` or ``rules``.

    An app's name is misspelt where files of one kind alone have it, and tasks lead from it to another that is
    called nearly so and that more kinds of files have, or more files: a task for ``tv.danmaku.bili`` names a
    goal for ``tv.danmaku.bil``. Of two that are alike in this the tasks' is taken for the wrong one.

    Attributes:
        places: Where each app is named, by kind.
        owners: The app of each goal and rule, by kind and id.
        named: What tasks name: their app, and the kind and id.
    """

    places: dict[str, dict[str, list[tuple[YamlDoc, DocPath]]]] = field(default_factory=dict)
    owners: dict[tuple[str, str], str] = field(default_factory=dict)
    named: list[tuple[str, str, str]] = field(default_factory=list)

    def take(self, kind: str, doc: YamlDoc) -> None:
        """Take in a file as it is written, whatever is wrong with it."""
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

    def meant(self) -> Mapping[str, str]:
        """Of each misspelt app the one that is meant."""
        found: dict[str, str] = {}
        for app, kind, name in self.named:
            other = self.owners.get((kind, name), app)
            if ANY in (app, other) or app == other or nearest(app, [other]) is None:
                continue
            wrong, right = (app, other) if self._weight(app) <= self._weight(other) else (other, app)
            if len(self.places[wrong]) == 1:
                found.setdefault(wrong, right)
        return {wrong: right for wrong, right in found.items() if right not in found}

    def misspelt(self) -> Iterator[_Misspelt]:
        """Every place of a misspelt app."""
        for wrong, right in self.meant().items():
            for kind, places in self.places[wrong].items():
                for doc, path in places:
                    yield doc, path, _TOLD[kind].format(wrong), right

    def _weight(self, app: str) -> tuple[int, int]:
        """How many kinds of files have an app, and in how many places."""
        places = self.places.get(app, {})
        return len(places), sum(map(len, places.values()))


def _named_by(task: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The goals and rules that a task names, as it is written."""
    cannot = task.get("infeasible")
    for goal in (task.get("goal"), cannot.get("harm") if isinstance(cannot, dict) else None):
        if isinstance(goal, dict) and isinstance(goal.get("use"), str):
            yield "goals", goal["use"]
    rules = task.get("rules")
    for rule in rules if isinstance(rules, list) else ():
        if isinstance(rule, str):
            yield "rules", rule
