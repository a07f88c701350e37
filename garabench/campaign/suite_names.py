"""The names that a suite's files define and use, with the place of each and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from garabench.campaign.suite_files import Content, SuiteFiles
from garabench.core.goal import GoalFile, GoalSchema
from garabench.core.interruption import InterruptionFile
from garabench.core.names import did_you_mean
from garabench.core.rule import RuleFile
from garabench.core.yamldoc import Path as DocPath
from garabench.core.yamldoc import YamlDoc
from garabench.errors import InputError

_DEFINED_BY: dict[str, type[BaseModel]] = {
    "interruption": InterruptionFile,
    "goal": GoalFile,
    "rule": RuleFile,
}


@dataclass
class Names:
    """Takes names in and looks them up, gathering mistakes.

    Attributes:
        files: The suite's files.
        places: Where each name is defined, by its kind and itself: the document and the path within.
        meant: Of each misspelt app the one that is meant.
    """

    files: SuiteFiles
    places: dict[tuple[str, str], tuple[YamlDoc, DocPath]] = field(default_factory=dict)
    meant: Mapping[str, str] = field(default_factory=dict)

    def app(self, name: str) -> str:
        """The app that is meant by a name, which may be misspelt."""
        return self.meant.get(name, name)

    def goal_files(self) -> Sequence[Content[GoalSchema]]:
        """What could be read of the files of goals."""
        return self.files.each("goal_schemas", GoalFile, "goals", GoalSchema)

    @property
    def errors(self) -> list[InputError]:
        """What is wrong, so far."""
        return self.files.errors

    def take(self, kind: str, name: str, doc: YamlDoc, path: DocPath) -> bool:
        """Take a name in; False, and an error, when it is taken already."""
        before = self.places.get((kind, name))
        if before is not None:
            where = before[0].place(before[1])
            self.errors.append(doc.error((*path, "id"), f"the {kind} {name!r} is there already, at {where}"))
            if kind in _DEFINED_BY:
                self.files.unusable.setdefault(_DEFINED_BY[kind], set()).add(name)
            return False
        self.places[kind, name] = (doc, path)
        return True

    def take_faulty(self, kind: str, key: str, file: Content[Any]) -> None:
        """Take in the names of a file's faulty entries: they must not be there already."""
        for place, entry in file.faulty:
            self.take(kind, entry["id"], file.doc, (key, place))

    def known(
        self, what: str, name: str, valid: Iterable[str], doc: YamlDoc, path: DocPath, *, hint: str = ""
    ) -> bool:
        """Whether a name can be used; an error when nothing defines it, with a hint or the nearest name."""
        names = set(valid)
        if name in names:
            return True
        model = _DEFINED_BY[what]
        unusable = self.files.unusable.get(model, set())
        if name not in unusable and model not in self.files.unreadable:
            hint = hint or did_you_mean(name, names | unusable)
            self.errors.append(doc.error(path, f"no {what} is called {name!r}", hint=hint))
        return False
