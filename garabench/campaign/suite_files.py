"""The files of a suite: where they are, what each holds, and how one is read."""

from __future__ import annotations

import contextlib
import hashlib
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from garabench.core.goal import GoalFile
from garabench.core.interruption import InterruptionFile
from garabench.core.rule import RuleFile
from garabench.core.task import TaskFile
from garabench.core.yamldoc import MAX_CHARACTERS, YamlDoc, decode, parse
from garabench.core.yamldoc import Path as DocPath
from garabench.core.yamlmodel import load_model
from garabench.errors import InputError, InputErrors

FOLDERS = ("tasks", "goal_schemas", "rules")
_MAX_BYTES = 4 * MAX_CHARACTERS
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


def model_of(path: Path) -> type[BaseModel]:
    """What a file in or below one of a suite's folders holds."""
    folder = next(name for name in reversed(path.parts[:-1]) if name in FOLDERS)
    if folder == "rules":
        return InterruptionFile if holds_interruptions(path) else RuleFile
    return TaskFile if folder == "tasks" else GoalFile


def as_shown(path: Path) -> str:
    """A path as a person would write it here, without letters that a terminal would not show as such."""
    shown = str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)
    if shown.isprintable():
        return shown
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in shown)


def read_bytes(path: Path) -> bytes:
    """The bytes of a file.

    Raises:
        InputError: It cannot be read, is too large, or is no file: a pipe would be waited for.
    """
    shown = as_shown(path)
    try:
        kind = path.stat().st_mode
        if not stat.S_ISREG(kind) and not stat.S_ISDIR(kind):
            raise InputError(f"{shown} is no file")
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
    except OSError as error:
        raise InputError(f"{shown} cannot be read: {error.strerror or error}") from error
    if len(data) > _MAX_BYTES:
        raise InputError(f"{shown} is larger than {_MAX_BYTES} bytes")
    return data


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
        app: Its app; empty where it names none, which is told.
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
        unreadable: The models of files of which nothing can be read: what they define is unknown.
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

        One that cannot be read, or would be passed over, is an error.

        Returns:
            Their hash, with their names.

        Raises:
            InputError: There is no suite.
        """
        for folder in FOLDERS:
            if not (self.root / folder).is_dir():
                raise InputError(f"{self.root} holds no suite: there is no folder {folder}/")
        digest = hashlib.sha256()
        for path in (each for folder in FOLDERS for each in self._files(folder)):
            try:
                data = read_bytes(path)
            except InputError as error:
                self._cannot_read(path, error)
            else:
                digest.update(f"{path.parent.name}/{path.name}\0".encode(errors="surrogateescape") + data)
                self.texts[path] = data
        return digest.hexdigest()

    def _cannot_read(self, path: Path, error: InputError) -> None:
        """Note that a file's content is unknown, and with it what it defines."""
        self.errors.append(error)
        self.unreadable.add(model_of(path))

    def _files(self, folder: str) -> list[Path]:
        """A folder's files; one that would be passed over because of its name is an error."""
        files = sorted((self.root / folder).glob("*.yaml"))
        for path in sorted((self.root / folder).rglob("*")):
            if path.suffix.lower() in (".yaml", ".yml") and path not in files:
                why = (
                    "a file's name ends in .yaml"
                    if path.suffix != ".yaml"
                    else f"it is not in {folder}/ itself"
                )
                self._cannot_read(path, InputError(f"{as_shown(path)} is not read: {why}"))
        return files

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
        if not listed or not isinstance(listed, list):
            self.unreadable.add(model)
        faulty = [
            (place, each)
            for place, each in enumerate(listed if isinstance(listed, list) else ())
            if place not in sound and isinstance(each, dict) and isinstance(each.get("id"), str)
        ]
        return Content(path, app if isinstance(app, str) else "", entries, doc, faulty)
