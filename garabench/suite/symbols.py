"""The names that a suite's files define and use, with their locations."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from garabench.core.goal import GoalFile, GoalSchema
from garabench.core.interruption import InterruptionFile
from garabench.core.rule import RuleFile
from garabench.core.suggestions import did_you_mean, nearest
from garabench.core.yamldoc import Path as DocPath
from garabench.core.yamldoc import YamlDoc
from garabench.errors import InputError
from garabench.suite.files import ParsedFile, SuiteFiles

DEFINED_BY: dict[str, type[BaseModel]] = {
    "interruption": InterruptionFile,
    "goal": GoalFile,
    "rule": RuleFile,
}
"""The model of the files that define each kind of name."""


@dataclass
class SymbolTable:
    """Registers and resolves names, and collects mistakes.

    Attributes:
        files: The suite's files.
        places: The document and path of each definition, by kind and name.
        intended: The intended app of each misspelled one.
        builtin: The ids of the built-in suite that could be used, by kind, to suggest names.
    """

    files: SuiteFiles
    places: dict[tuple[str, str], tuple[YamlDoc, DocPath]] = field(default_factory=dict)
    intended: Mapping[str, str] = field(default_factory=dict)
    builtin: Mapping[str, Collection[str]] = field(default_factory=dict)

    def app(self, name: str) -> str:
        """Return the intended app of a name, which may be misspelled."""
        return self.intended.get(name, name)

    def goal_files(self) -> Sequence[ParsedFile[GoalSchema]]:
        """Return the usable content of the goal files."""
        return self.files.each("goal_schemas", GoalFile, "goals", GoalSchema)

    @property
    def errors(self) -> list[InputError]:
        """The mistakes found so far."""
        return self.files.errors

    def register(self, kind: str, name: str, doc: YamlDoc, path: DocPath) -> bool:
        """Register a name; if it is a duplicate, report it and return False."""
        before = self.places.get((kind, name))
        if before is not None:
            where = before[0].place(before[1])
            self.errors.append(
                doc.error((*path, "id"), f"duplicate {kind} {name!r}; first defined at {where}")
            )
            if kind in DEFINED_BY:
                self.files.unusable.setdefault(DEFINED_BY[kind], set()).add(name)
            return False
        self.places[kind, name] = (doc, path)
        return True

    def register_faulty(self, kind: str, key: str, file: ParsedFile[Any]) -> None:
        """Register the names of a file's faulty entries and report duplicates."""
        for place, entry in file.faulty:
            self.register(kind, entry["id"], file.doc, (key, place))

    def resolve(
        self, what: str, name: str, valid: Iterable[str], doc: YamlDoc, path: DocPath, *, hint: str = ""
    ) -> bool:
        """Resolve a name: report it if it is unknown, and return whether it can be used."""
        names = set(valid)
        if name in names:
            return True
        model = DEFINED_BY[what]
        unusable = self.files.unusable.get(model, set())
        if name not in unusable and model not in self.files.unreadable:
            hint = hint or self._suggestion(what, name, names | unusable)
            self.errors.append(doc.error(path, f"unknown {what} {name!r}", hint=hint))
        return False

    def _suggestion(self, what: str, name: str, own: Collection[str]) -> str:
        """Return a hint with the nearest name of the suite, or else of the built-in suite."""
        if nearest(name, own) is None and (found := nearest(name, self.builtin.get(what, ()))):
            return f"Did you mean {found!r} of the built-in suite?"
        return did_you_mean(name, own)
