"""The files of a suite: where they are, what each holds, and how one is read."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from garabench.core.yamldoc import Path as DocPath
from garabench.core.yamldoc import YamlDoc, decode, parse
from garabench.core.yamlmodel import load_model
from garabench.errors import InputError, InputErrors

FOLDERS = ("tasks", "goal_schemas", "rules")
_Model = TypeVar("_Model", bound=BaseModel)
_Entry = TypeVar("_Entry", bound=BaseModel)


def default_root() -> Path:
    """The suite that comes with GaraBench: of the source tree, or inside of the installed package.

    Raises:
        InputError: Neither is there.
    """
    package = Path(__file__).resolve().parent.parent
    for candidate in (package.parent, package / "suite"):
        if is_root(candidate):
            return candidate
    raise InputError("the suite's files are missing from this installation", hint="Install GaraBench anew.")


def is_root(folder: Path) -> bool:
    """Whether a folder holds a suite."""
    return all((folder / name).is_dir() for name in FOLDERS)


def holds_interruptions(path: Path) -> bool:
    """Whether a file of ``rules/`` holds interruptions: ``interruptions.yaml``, ``jd_interruptions.yaml``."""
    return path.stem == "interruptions" or path.stem.endswith("_interruptions")


def as_shown(path: Path) -> str:
    """A path as a person would write it here."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


def read_model(data: bytes, shown: str, model: type[_Model]) -> tuple[_Model, YamlDoc]:
    """Read a file's bytes into a model.

    Raises:
        InputErrors: Every mistake in it.
    """
    try:
        text = decode(data, shown)
    except InputError as error:
        raise InputErrors((error,)) from error
    return load_model(text, shown, model)


def ids_in(data: object) -> Iterator[str]:
    """The ids of the entries of a file's lists, whatever else is wrong with them."""
    lists = data.values() if isinstance(data, dict) else ()
    for entry in (entry for entries in lists if isinstance(entries, list) for entry in entries):
        if isinstance(entry, dict) and isinstance(entry.get("id"), str):
            yield entry["id"]


def sound_entries(data: object, key: str, model: type[_Model]) -> Iterator[tuple[int, _Model]]:
    """The entries of a file's list that are in order by themselves, each with its number.

    Args:
        data: The file.
        key: The list's.
        model: What an entry is.
    """
    entries = data.get(key) if isinstance(data, dict) else None
    for place, entry in enumerate(entries if isinstance(entries, list) else ()):
        try:
            yield place, model.model_validate(entry)
        except ValidationError:
            continue  # told with its file


def shown_at(buttons: object, at: DocPath) -> Iterator[tuple[DocPath, str]]:
    """Where buttons lead to other interruptions, as they are written, and to which.

    Args:
        buttons: What stands below an interruption's ``buttons``, whatever else is wrong with it.
        at: Where that is.
    """
    for number, button in enumerate(buttons if isinstance(buttons, list) else ()):
        steps = button.get("follow_up") if isinstance(button, dict) else None
        for place, step in enumerate(steps if isinstance(steps, list) else ()):
            if isinstance(step, dict) and isinstance(step.get("show"), str):
                yield (*at, number, "follow_up", place, "show"), step["show"]


class _Unreadable(Exception):
    """A file is not even a mapping in YAML; the error is told already."""


@dataclass(frozen=True, slots=True)
class Content(Generic[_Entry]):
    """What could be read of a file.

    Attributes:
        path: The file.
        app: Its app; empty where it names none.
        entries: Those that are in order, each with its number in the file.
        doc: The document.
        faulty: The others that say at least their id, as they are written, each with its number.
    """

    path: Path
    app: str
    entries: Sequence[tuple[int, _Entry]]
    doc: YamlDoc
    faulty: Sequence[tuple[int, dict[str, Any]]] = ()


@dataclass
class SuiteFiles:
    """The files of a suite, and what is wrong with each by itself.

    Attributes:
        root: The suite's folder.
        errors: What is wrong, so far; whoever finds more adds it.
        unusable: Names that faulty entries define, by their files' model.
        unreadable: The models of files that are not even a mapping in YAML: what they define is unknown.
        texts: The bytes of each file, read once.
        loaded: What could be read of each file, by its kind: a mistake is told once, however often it is
            asked for.
    """

    root: Path
    errors: list[InputError] = field(default_factory=list)
    unusable: dict[type[BaseModel], set[str]] = field(default_factory=dict)
    unreadable: set[type[BaseModel]] = field(default_factory=set)
    texts: dict[Path, bytes] = field(default_factory=dict)
    loaded: dict[type[BaseModel], Sequence[Content[Any]]] = field(default_factory=dict)

    def read(self) -> str:
        """Read the bytes of all files.

        Returns:
            Their hash, with their names.

        Raises:
            InputError: There is no suite.
            InputErrors: A file cannot be read, or would be passed over.
        """
        for folder in FOLDERS:
            if not (self.root / folder).is_dir():
                raise InputError(f"{self.root} holds no suite: there is no folder {folder}/")
        digest = hashlib.sha256()
        for path in (each for folder in FOLDERS for each in self._files(folder)):
            if (data := self._bytes(path)) is not None:
                digest.update(f"{path.parent.name}/{path.name}\0".encode() + data)
                self.texts[path] = data
        if self.errors:
            raise InputErrors(tuple(self.errors))
        return digest.hexdigest()

    def _files(self, folder: str) -> list[Path]:
        """A folder's files; one that would be passed over because of its name is an error."""
        self.errors += [
            InputError(f"{as_shown(path)} is not read: a file's name ends in .yaml")
            for path in sorted((self.root / folder).glob("*.yml"))
        ]
        return sorted((self.root / folder).glob("*.yaml"))

    def _bytes(self, path: Path) -> bytes | None:
        try:
            return path.read_bytes()
        except OSError as error:
            self.errors.append(InputError(f"{as_shown(path)} cannot be read: {error.strerror or error}"))
            return None

    def each(
        self,
        folder: str,
        model: type[BaseModel],
        key: str,
        entry: type[_Entry],
        keep: Callable[[Path], bool] = lambda path: True,
    ) -> Sequence[Content[_Entry]]:
        """What could be read of each file of a kind.

        Args:
            folder: Where the files are.
            model: What a file holds.
            key: Of the file's list.
            entry: What an entry of the list is.
            keep: Which of the folder's files are of the kind.
        """
        if model not in self.loaded:
            found = []
            for path in self.texts:
                if path.parent.name == folder and keep(path):
                    with contextlib.suppress(_Unreadable):
                        found.append(self._load(path, model, key, entry))
            self.loaded[model] = found
        return self.loaded[model]

    def _load(self, path: Path, model: type[BaseModel], key: str, entry: type[_Entry]) -> Content[_Entry]:
        """The entries of a file that are in order, and errors for the others."""
        shown = as_shown(path)
        try:
            content, doc = read_model(self.texts[path], shown, model)
            return Content(path, getattr(content, "app", ""), list(enumerate(getattr(content, key))), doc)
        except InputErrors as error:
            self.errors.extend(error.errors)
            first = error
        try:
            whole = parse(decode(self.texts[path], shown), shown)
        except InputError:
            whole = None
        if whole is None or not isinstance(whole.data, dict):
            self.unreadable.add(model)
            raise _Unreadable from first
        doc = whole
        app = doc.data.get("app", "")
        entries = list(sound_entries(doc.data, key, entry)) if isinstance(app, str) else []
        fine = {doc.value((key, place, "id")) for place, _ in entries}
        self.unusable.setdefault(model, set()).update(set(ids_in(doc.data)) - fine)
        sound = {place for place, _ in entries}
        listed = doc.value((key,))
        faulty = [
            (place, each)
            for place, each in enumerate(listed if isinstance(listed, list) else ())
            if place not in sound and isinstance(each, dict) and isinstance(each.get("id"), str)
        ]
        return Content(path, str(app), entries, doc, faulty)
