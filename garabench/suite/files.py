"""The files of a suite: their locations, their models, and reading them."""

from __future__ import annotations

import contextlib
import hashlib
import re
import shlex
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from garabench.caret import SourcePlace
from garabench.core.file_errors import unreadable
from garabench.core.goal import GoalFile
from garabench.core.interruption import InterruptionFile
from garabench.core.rule import RuleFile
from garabench.core.task import TaskFile
from garabench.core.yamldoc import MAX_CHARACTERS, YamlDoc, decode_text, parse_yaml
from garabench.core.yamldoc import Path as DocPath
from garabench.core.yamlmodel import load_model
from garabench.errors import CombinedInputError, InputError
from garabench.suite.expected_effects import Variants, parse_expected_effects, path_of
from garabench.suite.suite_settings import DEFAULT_SETTINGS, SETTINGS_FILE, SuiteSettings

FOLDERS = ("tasks", "goal_schemas", "rules")
APPS_FOLDER = "apps"
"""The folder of a suite with the files of apps, which virtual phones install."""
FUZZ_ACCEPTED = Path("tasks/fuzz_accepted.yaml")
"""The accepted findings of fuzzed walks; it has no tasks, and does not change what the suite is."""
_MAX_BYTES = 4 * MAX_CHARACTERS
_Model = TypeVar("_Model", bound=BaseModel)
_Entry = TypeVar("_Entry", bound=BaseModel)


def default_root() -> Path:
    """Return the folder of the bundled suite: in the source tree, or inside the installed package.

    Raises:
        InputError: Neither exists.
    """
    package = Path(__file__).resolve().parent.parent
    for candidate in (package.parent, package / "suite"):
        if is_root(candidate):
            return candidate
    raise InputError("the bundled suite is missing from this installation", hint="Reinstall GaraBench.")


def suite_words(folder: Path) -> str:
    """Return the option that selects a suite on the command line, quoted for a shell."""
    return shlex.join(["--suite", str(folder)])


def is_root(folder: Path) -> bool:
    """Return whether a folder contains a suite."""
    return all((folder / name).is_dir() for name in FOLDERS)


def is_suite(folder: Path) -> bool:
    """Return whether a folder is a suite, possibly without some of the three folders."""
    return any((folder / name).is_dir() for name in FOLDERS)


def holds_interruptions(path: Path) -> bool:
    """Return whether a file of ``rules/`` has interruptions, such as ``jd_interruptions.yaml``."""
    return path.stem == "interruptions" or path.stem.endswith("_interruptions")


def model_of(path: Path) -> type[BaseModel]:
    """Return the model of a file in or below one of a suite's folders."""
    folder = next(name for name in reversed(path.parts[:-1]) if name in FOLDERS)
    if folder == "rules":
        return InterruptionFile if holds_interruptions(path) else RuleFile
    return TaskFile if folder == "tasks" else GoalFile


_LIST = re.compile(rb"^(tasks|goals|rules|interruptions|anomalies)\s*:", re.MULTILINE)
_MODEL_OF_LIST: Mapping[bytes, type[BaseModel]] = {
    b"tasks": TaskFile,
    b"goals": GoalFile,
    b"rules": RuleFile,
    b"interruptions": InterruptionFile,
    b"anomalies": InterruptionFile,
}
LISTS = tuple(name.decode() for name in _MODEL_OF_LIST)
"""The keys of the lists in the suite's files."""


def model_by_content(data: bytes) -> type[BaseModel] | None:
    """Return the model of a file outside of a suite, by the list in it; None if it has none."""
    found = _LIST.search(data)
    return None if found is None else _MODEL_OF_LIST[found[1]]


def display_path(path: Path) -> str:
    """Return a path for messages: relative to the working directory, with unprintable characters escaped."""
    shown = str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)
    if shown.isprintable():
        return shown
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in shown)


def read_bytes(path: Path) -> bytes:
    """Read the bytes of a file.

    Raises:
        InputError: It cannot be read, is too large, or is not a regular file; reading a pipe would block.
    """
    shown = display_path(path)
    try:
        kind = path.stat().st_mode
        if not stat.S_ISREG(kind) and not stat.S_ISDIR(kind):
            raise InputError(f"{shown} is not a file")
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
    except OSError as error:
        raise unreadable(shown, error) from error
    if len(data) > _MAX_BYTES:
        raise InputError(f"the file is larger than {_MAX_BYTES} bytes", place=SourcePlace(shown, 1, 1))
    return data


def read_model(data: bytes, shown: str, model: type[_Model]) -> tuple[_Model, YamlDoc]:
    """Parse a file's bytes into a model.

    Raises:
        CombinedInputError: Every mistake in it.
    """
    try:
        text = decode_text(data, shown)
    except InputError as error:
        raise CombinedInputError((error,)) from error
    return load_model(text, shown, model)


def ids_in(data: object) -> Iterator[str]:
    """Iterate over the ids of the entries in a file's lists, even if something else is wrong with them."""
    lists = data.values() if isinstance(data, dict) else ()
    for entry in (entry for entries in lists if isinstance(entries, list) for entry in entries):
        if isinstance(entry, dict) and isinstance(entry.get("id"), str):
            yield entry["id"]


def valid_entries(data: object, key: str, model: type[_Model]) -> Iterator[tuple[int, _Model]]:
    """Iterate over the valid entries of a list in a file, each with its index.

    Args:
        data: The file's data.
        key: The key of the list.
        model: The model of an entry.
    """
    entries = data.get(key) if isinstance(data, dict) else None
    for place, entry in enumerate(entries if isinstance(entries, list) else ()):
        try:
            yield place, model.model_validate(entry)
        except ValidationError:
            continue  # reported with its file


def shown_interruptions(buttons: object, at: DocPath) -> Iterator[tuple[DocPath, str]]:
    """Iterate over the interruptions that buttons show, with the location of each reference.

    Args:
        buttons: An interruption's ``buttons`` as written, even if something else is wrong with them.
        at: Their location.
    """
    for number, button in enumerate(buttons if isinstance(buttons, list) else ()):
        steps = button.get("follow_up") if isinstance(button, dict) else None
        for place, step in enumerate(steps if isinstance(steps, list) else ()):
            if isinstance(step, dict) and isinstance(step.get("show"), str):
                yield (*at, number, "follow_up", place, "show"), step["show"]


class _UnreadableFileError(Exception):
    """The file is not a YAML mapping; the error has been reported."""


@dataclass(frozen=True, slots=True)
class ParsedFile(Generic[_Entry]):
    """The usable content of a file.

    Attributes:
        path: The file.
        app: Its app; empty if it names none, which is reported.
        entries: The valid entries, each with its index in the file.
        doc: The document.
        faulty: The invalid entries that have an id, as written, each with its index.
    """

    path: Path
    app: str
    entries: Sequence[tuple[int, _Entry]]
    doc: YamlDoc
    faulty: Sequence[tuple[int, dict[str, Any]]] = ()


@dataclass
class SuiteFiles:
    """The files of a suite, and the mistakes in each.

    Attributes:
        root: The suite's folder.
        errors: The mistakes found so far, to which later checks append.
        unusable: Ids that invalid entries define, by the model of their file.
        unreadable: Models of files that cannot be read at all: the ids that they define are unknown.
        texts: The bytes of each file, read once.
        loaded: The usable content of each file, by model; cached, so that each mistake is reported once.
        expected: The expected effects of each task, by the name of the tasks' file.
        settings: The content of ``suite.yaml``.
        settings_doc: Its document; None if there is no such file.
        loose: A single file outside of a suite and its model; None for a suite.
    """

    root: Path
    errors: list[InputError] = field(default_factory=list)
    unusable: dict[type[BaseModel], set[str]] = field(default_factory=dict)
    unreadable: set[type[BaseModel]] = field(default_factory=set)
    texts: dict[Path, bytes] = field(default_factory=dict)
    loaded: dict[type[BaseModel], Sequence[ParsedFile[Any]]] = field(default_factory=dict)
    expected: dict[str, dict[str, Variants]] = field(default_factory=dict)
    settings: SuiteSettings = DEFAULT_SETTINGS
    settings_doc: YamlDoc | None = None
    loose: tuple[Path, type[BaseModel]] | None = None

    def read(self, folders: Sequence[str] = FOLDERS) -> str:
        """Read the bytes of all files.

        A file that cannot be read, or that would be ignored, is an error.

        Args:
            folders: The folders to read.

        Returns:
            The hash of their names and bytes.

        Raises:
            InputError: The folder is not a suite.
        """
        digest = hashlib.sha256()
        if self.loose is not None:
            self.texts[self.loose[0]] = read_bytes(self.loose[0])
            return digest.hexdigest()
        if not is_suite(self.root):
            folders = ", ".join(f"{name}/" for name in FOLDERS)
            raise InputError(
                f"{self.root} is not a suite: it has none of the folders {folders}",
                hint=f"Create a suite: garabench init {self.root}",
            )
        self._read_settings(digest)
        for path in (each for folder in folders for each in self._files(folder)):
            try:
                data = read_bytes(path)
            except InputError as error:
                self._cannot_read(path, error)
            else:
                digest.update(f"{path.parent.name}/{path.name}\0".encode(errors="surrogateescape") + data)
                self.texts[path] = data
        for path in [each for each in self.texts if each.parent.name == "tasks"]:
            self._read_expected_effects(path_of(path.parent, path.stem), digest)
        return digest.hexdigest()

    def _read_settings(self, digest: hashlib._Hash) -> None:
        """Read ``suite.yaml``, if it exists."""
        path = self.root / SETTINGS_FILE
        if not path.exists():
            return
        try:
            data = read_bytes(path)
            self.settings, self.settings_doc = read_model(data, display_path(path), SuiteSettings)
        except InputError as error:
            self.errors.extend(error.errors if isinstance(error, CombinedInputError) else (error,))
        else:
            digest.update(f"{SETTINGS_FILE}\0".encode() + data)

    def _read_expected_effects(self, path: Path, digest: hashlib._Hash) -> None:
        """Read the expected effects of a file's tasks, if they are recorded."""
        if not path.is_file():
            return
        try:
            data = read_bytes(path)
            self.expected[path.stem] = parse_expected_effects(data, display_path(path))
        except InputError as error:
            self.errors.append(error)
        else:
            digest.update(f"{path.parent.name}/{path.name}\0".encode(errors="surrogateescape") + data)

    def expected_effects(self, group: str) -> Mapping[str, Variants]:
        """Return the recorded expected effects of a file's tasks, by task.

        Args:
            group: Name of the file of the tasks, without its suffix.
        """
        return self.expected.get(group, {})

    def _cannot_read(self, path: Path, error: InputError) -> None:
        """Record that a file's content, and so the ids that it defines, is unknown."""
        self.errors.append(error)
        self.unreadable.add(model_of(path))

    def _files(self, folder: str) -> list[Path]:
        """Return a folder's files; a file that would be ignored because of its name is an error."""
        apart = self.root / FUZZ_ACCEPTED
        files = [path for path in sorted((self.root / folder).glob("*.yaml")) if path != apart]
        for path in sorted((self.root / folder).rglob("*")):
            if path.suffix.lower() in (".yaml", ".yml") and path not in (*files, apart):
                reason = (
                    "the file name must end in .yaml"
                    if path.suffix != ".yaml"
                    else f"it must be directly in {folder}/"
                )
                self._cannot_read(path, InputError(f"{display_path(path)} is not read: {reason}"))
        return files

    def _holds(self, path: Path, folder: str, model: type[BaseModel]) -> bool:
        """Return whether a file has entries of a model."""
        return path.parent.name == folder if self.loose is None else self.loose[1] is model

    def each(
        self,
        folder: str,
        model: type[BaseModel],
        key: str,
        entry: type[_Entry],
        selects: Callable[[Path], bool] = lambda path: True,
    ) -> Sequence[ParsedFile[_Entry]]:
        """Return the usable content of each file of a kind.

        Args:
            folder: The folder of the files.
            model: The model of a file.
            key: The key of the file's list.
            entry: The model of an entry.
            selects: Selects the files of this kind.
        """
        if model not in self.loaded:
            found = []
            for path in self.texts:
                if self._holds(path, folder, model) and (self.loose is not None or selects(path)):
                    with contextlib.suppress(_UnreadableFileError):
                        found.append(self._load(path, model, key, entry))
            self.loaded[model] = found
        return self.loaded[model]

    def _load(self, path: Path, model: type[BaseModel], key: str, entry: type[_Entry]) -> ParsedFile[_Entry]:
        """Load the valid entries of a file, and report the others."""
        shown = display_path(path)
        try:
            content, doc = read_model(self.texts[path], shown, model)
            return ParsedFile(path, getattr(content, "app", ""), list(enumerate(getattr(content, key))), doc)
        except CombinedInputError as error:
            self.errors.extend(error.errors)
            first = error
        try:
            whole = parse_yaml(decode_text(self.texts[path], shown), shown)
        except InputError:
            whole = None
        if whole is None or not isinstance(whole.data, dict):
            self.unreadable.add(model)
            raise _UnreadableFileError from first
        doc = whole
        app = doc.data.get("app", "")
        entries = list(valid_entries(doc.data, key, entry)) if isinstance(app, str) else []
        valid_ids = {doc.value((key, place, "id")) for place, _ in entries}
        self.unusable.setdefault(model, set()).update(set(ids_in(doc.data)) - valid_ids)
        valid = {place for place, _ in entries}
        listed = doc.value((key,))
        if not listed or not isinstance(listed, list):
            self.unreadable.add(model)
        faulty = [
            (place, each)
            for place, each in enumerate(listed if isinstance(listed, list) else ())
            if place not in valid and isinstance(each, dict) and isinstance(each.get("id"), str)
        ]
        return ParsedFile(path, app if isinstance(app, str) else "", entries, doc, faulty)
