"""Read a YAML file into a typed model, and say exactly where a mistake is.

PyYAML's events are read once: plain values for pydantic, and a place for each of them.
A mistake is reported with file, line, column, a caret and the nearest valid name. The text is untrusted:
no tags, no aliases (the suite's files need none, and an alias can blow up a small file), a size limit.
"""

from __future__ import annotations

import codecs
import re
import types
import typing
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from garabench.core.names import PATTERNS_IN_WORDS, did_you_mean
from garabench.errors import InputError, InputErrors, SourcePlace

MAX_CHARACTERS = 2_000_000
MAX_DEPTH = 60
Path = tuple[str | int, ...]
Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class YamlDoc:
    """A parsed file.

    Attributes:
        file: Its path as the user knows it.
        data: Plain values: dict, list, str, int, float, bool, None.
        lines: The text's lines, for carets.
        marks: Where each value begins, by its path from the top; line and column from 0.
        key_marks: Where each mapping key stands, by the path of its value.
        faults: What is wrong and does not keep the rest from being read: keys that stand twice.
    """

    file: str
    data: Any
    lines: tuple[str, ...]
    marks: dict[Path, tuple[int, int]]
    key_marks: dict[Path, tuple[int, int]]
    faults: list[InputError] = field(default_factory=list)

    def place(self, path: Path, *, key: bool = False) -> SourcePlace:
        """The place of a value (or of its key); of the nearest one above where it has none itself."""
        table = self.key_marks if key else self.marks
        while path and path not in table and path not in self.marks:
            path = path[:-1]
        return self.at(*(table.get(path) or self.marks.get(path) or (0, 0)))

    def at(self, line: int, column: int) -> SourcePlace:
        """A place by its line and column, from 0."""
        text = self.lines[line] if line < len(self.lines) else ""
        return SourcePlace(self.file, line + 1, column + 1, text)

    def value(self, path: Path) -> Any:
        """The value at a path; None where there is none."""
        found = self.data
        for step in path:
            if isinstance(found, dict):
                found = found.get(step)
            elif isinstance(found, list) and isinstance(step, int) and step < len(found):
                found = found[step]
            else:
                return None
        return found

    def nearest(self, path: Path) -> Path:
        """A place, or the innermost place around it that there is."""
        while path and path not in self.marks and path not in self.key_marks:
            path = path[:-1]
        return path

    def error(self, path: Path, message: str, *, hint: str = "", key: bool = False) -> InputError:
        """An error at a value's place."""
        return InputError(message, place=self.place(path, key=key), hint=hint)


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader with the scalar rules of YAML 1.2.

    ``on``, ``off``, ``yes`` and ``no`` stay texts, and so do dates, times and numbers with leading zeros.
    """

    yaml_implicit_resolvers: ClassVar[dict[str, list[tuple[str, re.Pattern[str]]]]] = {}  # type: ignore[misc]


_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), list("tf"))
_Loader.add_implicit_resolver("tag:yaml.org,2002:null", re.compile(r"^(?:null|~|)$"), ["n", "~", ""])
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:int", re.compile(r"^-?(?:0|[1-9][0-9]{0,15})$"), list("-0123456789")
)
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"^-?(?:0|[1-9][0-9]*)\.[0-9]+$"), list("-0123456789")
)


if yaml.__with_libyaml__:

    class _FastLoader(yaml.CSafeLoader):
        """The same with libyaml's scanner, which is ten times as fast."""

        yaml_implicit_resolvers = _Loader.yaml_implicit_resolvers

    _FAST: type[_FastLoader] | None = _FastLoader
else:  # PyYAML comes without it on some systems
    _FAST = None


def decode(data: bytes, file: str) -> str:
    """The text of a file's bytes, without a byte order mark.

    Args:
        data: The bytes.
        file: Its path as the user knows it.

    Raises:
        InputError: They are not UTF-8; with the place of the first byte that is not.
    """
    body = data.removeprefix(codecs.BOM_UTF8)
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        before = body[: error.start].decode("utf-8")
        line, column = before.count("\n") + 1, len(before.rpartition("\n")[2]) + 1
        at = len(data) - len(body) + error.start
        raise InputError(f"not UTF-8 text (byte {at})", place=SourcePlace(file, line, column)) from error


def parse(text: str, file: str) -> YamlDoc:
    """Parse a YAML text.

    Args:
        text: The text.
        file: Its path as the user knows it.

    Returns:
        The document; of a key that stands twice, which is among its faults, it has the first value.

    Raises:
        InputError: It is not YAML, or uses what the suite's files may not: aliases, tags.
    """
    lines = tuple(text.splitlines())
    if len(text) > MAX_CHARACTERS:
        raise InputError(f"{file} is larger than {MAX_CHARACTERS} characters")
    if _FAST is not None:
        try:
            return _read(text, YamlDoc(file, None, lines, {}, {}), _FAST)
        except (InputError, yaml.YAMLError, UnicodeError):
            pass  # what is wrong is said below, in the words of PyYAML's own scanner
    doc = YamlDoc(file, None, lines, {}, {})
    try:
        return _read(text, doc, _Loader)
    except yaml.reader.ReaderError as error:
        before = text[: error.position]
        line, column = before.count("\n"), len(before) - (before.rfind("\n") + 1)
        at = SourcePlace(file, line + 1, column + 1)
        raise InputError(f"the character U+{error.character:04X} may not stand in YAML", place=at) from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = None
        if mark is not None:
            shown = lines[mark.line] if mark.line < len(lines) else ""
            place = SourcePlace(file, mark.line + 1, mark.column + 1, shown)
        what = error.problem or "it cannot be read"
        if "'\\t'" in what:
            raise InputError("a tab stands where only spaces may", place=place) from error
        raise InputError(f"not valid YAML: {what}", place=place, hint=error.context or "") from error
    except yaml.YAMLError as error:
        raise InputError(f"{file}: not valid YAML: {error}") from error


def _read(text: str, doc: YamlDoc, kind: type[Any]) -> YamlDoc:
    """Read a text into a document that has no data yet."""
    loader = kind(text)
    try:
        data = _Reader(loader, doc).document()
    finally:
        loader.dispose()
    return YamlDoc(doc.file, data, doc.lines, doc.marks, doc.key_marks, doc.faults)


class _Reader:
    """Builds plain data from the flat events, which is twice as fast as from PyYAML's nodes.

    What the suite's files may not use is refused on its event, before anything is made of it.
    """

    def __init__(self, loader: Any, doc: YamlDoc) -> None:
        self._loader = loader
        self._doc = doc
        self._depth = 0
        self._plain: dict[str, Any] = {}

    def document(self) -> Any:
        """The only document's data; None of an empty text."""
        self._next()  # the stream's start
        event = self._next()
        if isinstance(event, yaml.StreamEndEvent):
            return None
        first = event.start_mark
        data = self._value(self._next(), ())
        self._next()  # the document's end
        event = self._next()
        if not isinstance(event, yaml.StreamEndEvent):
            raise yaml.composer.ComposerError(
                "expected a single document in the stream",
                first,
                "but found another document",
                event.start_mark,
            )
        return data

    def _next(self) -> Any:
        event = self._loader.get_event()
        if isinstance(event, yaml.NodeEvent):
            if isinstance(event, yaml.AliasEvent):
                raise self._refused("aliases (*name) are not used in these files", event)
            if event.anchor is not None:
                raise self._refused("anchors (&name) are not used in these files", event)
            if event.tag is not None:  # type: ignore[attr-defined]
                raise self._refused("tags (!name) are not used in these files", event)
            if isinstance(event, yaml.CollectionStartEvent):
                self._depth += 1
                if self._depth > MAX_DEPTH:
                    raise self._refused(f"nested more than {MAX_DEPTH} levels deep", event)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._depth -= 1
        return event

    def _refused(self, message: str, event: Any) -> InputError:
        return InputError(message, place=self._doc.at(event.start_mark.line, event.start_mark.column))

    def _value(self, event: Any, path: Path) -> Any:
        self._doc.marks[path] = (event.start_mark.line, event.start_mark.column)
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(path)
        return self._mapping(path)

    def _scalar(self, event: Any) -> Any:
        value = event.value
        if not event.implicit[0]:  # quoted, or a block: a text whatever stands in it
            return value
        if value not in self._plain:
            tag = self._loader.resolve(yaml.ScalarNode, value, event.implicit)
            node = yaml.ScalarNode(tag, value, event.start_mark, event.end_mark)
            self._plain[value] = self._loader.construct_object(node)
        return self._plain[value]

    def _sequence(self, path: Path) -> list[Any]:
        result: list[Any] = []
        while not isinstance(event := self._next(), yaml.SequenceEndEvent):
            result.append(self._value(event, (*path, len(result))))
        return result

    def _mapping(self, path: Path) -> dict[str, Any]:
        result: dict[str, Any] = {}
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            key = event.value if isinstance(event, yaml.ScalarEvent) else ""
            mark = (event.start_mark.line, event.start_mark.column)
            if not key or key in result:
                said = f"the key {key!r} stands twice" if key else "a key has to be a plain word"
                self._doc.faults.append(InputError(said, place=self._doc.at(*mark)))
                self._pass_over(event)
                self._pass_over(self._next())
                continue
            inner = (*path, key)
            self._doc.key_marks[inner] = mark
            result[key] = self._value(self._next(), inner)
        return result

    def _pass_over(self, event: Any) -> None:
        """Leave out a value, or a key that is no word."""
        if not isinstance(event, yaml.CollectionStartEvent):
            return
        around = self._depth - 1
        while self._depth > around:
            self._next()


def load_model(text: str, file: str, model: type[Model]) -> tuple[Model, YamlDoc]:
    """Read a file's text into a model.

    Args:
        text: The file's text.
        file: Its path as the user knows it.
        model: The pydantic model of the whole file.

    Returns:
        The model and the document, which knows the place of every value.

    Raises:
        InputErrors: Every mistake in it, with its place.
    """
    try:
        doc = parse(text, file)
    except InputError as error:
        raise InputErrors((error,)) from error
    if not isinstance(doc.data, dict):
        raise InputErrors((*doc.faults, doc.error((), f"{file} has to hold a mapping at its top")))
    try:
        made = model.model_validate(doc.data)
    except ValidationError as error:
        raise InputErrors((*doc.faults, *explain(error, doc, model))) from error
    if doc.faults:
        raise InputErrors(tuple(doc.faults))
    return made, doc


def explain(
    error: ValidationError, doc: YamlDoc, model: type[BaseModel], *, data: Any = None, at: Path = ()
) -> Iterator[InputError]:
    """Each of pydantic's errors once, at its place; follow-ups of an error already told are left out.

    Args:
        error: The errors.
        doc: The document.
        model: What was validated.
        data: What it was validated from, where that is not the whole document: a mapping of one key, whose
            value stands in the document.
        at: Where it stands.
    """
    told: set[Path] = set()
    misfits: set[tuple[Path, str]] = set()
    for detail in error.errors(include_url=False):
        path = real_path(detail["loc"], doc.data if data is None else data)
        if data is not None:
            path = doc.nearest((*at, *path[1:]))
        kind, message = detail["type"], detail["msg"]
        if kind == "misfit":  # what does not fit together is no follow-up of what is wrong within it
            if (path, message) not in misfits:
                misfits.add((path, message))
                told.add(path)
                yield doc.error(path, _in_words(detail))
            continue
        if any(other[: len(path)] == path and other != path for other in told) or path in told:
            continue
        told.add(path)
        if kind == "extra_forbidden":
            name = str(path[-1]) if path else ""
            hint = did_you_mean(name, _fields_beside(detail["loc"], model))
            yield doc.error(path, f"unknown key {name!r}", hint=hint, key=True)
        elif kind == "missing":
            yield doc.error(path, f"the key {str(detail['loc'][-1])!r} is missing")
        elif kind == "condition" or kind == "step":
            wrong = detail["input"]
            names = message.split(": ", 1)[-1].split(", ")
            name = next(iter(wrong)) if isinstance(wrong, dict) and wrong else str(wrong)
            many = isinstance(wrong, dict) and len(wrong) > 1
            hint = "" if many else did_you_mean(str(name), names)
            if many:
                said = f"{message}; here are {len(wrong)} keys"
            elif isinstance(wrong, str) and wrong in names:
                said, hint = f"the {kind} {wrong!r} says nothing yet", f"Write it as {wrong}: …"
            else:
                said = f"no {kind} is called {name!r}"
            yield doc.error(path, said, hint=hint)
        else:
            shown = detail["input"]
            value = f" (it is {shown!r})" if isinstance(shown, str | int | float | bool) else ""
            yield doc.error(path, f"{_in_words(detail)}{value}", hint=_nearest_choice(detail))


_TYPES = {
    "string_type": "a text has to stand here",
    "int_type": "a whole number has to stand here",
    "int_parsing": "a whole number has to stand here",
    "float_type": "a number has to stand here",
    "float_parsing": "a number has to stand here",
    "bool_type": "true or false has to stand here",
    "bool_parsing": "true or false has to stand here",
    "tuple_type": "a list has to stand here",
    "list_type": "a list has to stand here",
    "dict_type": "a mapping (key: value) has to stand here",
    "model_type": "a mapping (key: value) has to stand here",
    "model_attributes_type": "a mapping (key: value) has to stand here",
}


def _in_words(detail: ErrorDetails) -> str:
    """What pydantic found, in the words of someone who writes YAML."""
    kind, context = detail["type"], detail.get("ctx", {})
    if kind in _TYPES:
        return _TYPES[kind]
    if kind == "string_pattern_mismatch" and context.get("pattern") in PATTERNS_IN_WORDS:
        return PATTERNS_IN_WORDS[context["pattern"]]
    if kind == "too_short":
        return f"at least {context['min_length']} has to stand here"
    message = detail["msg"].removeprefix("Value error, ").removeprefix("Assertion failed, ")
    return message[:1].lower() + message[1:]


def _nearest_choice(detail: ErrorDetails) -> str:
    """The nearest of the words that may stand at a place, where only some may."""
    if detail["type"] not in ("literal_error", "enum") or not isinstance(detail["input"], str):
        return ""
    return did_you_mean(detail["input"], re.findall(r"'([^']*)'", detail["ctx"]["expected"]))


def real_path(loc: tuple[str | int, ...], data: Any) -> Path:
    """Pydantic's location without the names of the union members in it."""
    path: list[str | int] = []
    here = data
    for place, part in enumerate(loc):
        if isinstance(here, dict) and part in here:
            # A tag looks like its key: ('exists', 'exists', 'id') is the key once and its tag once.
            path.append(part)
            here = here[part]
        elif isinstance(here, list) and isinstance(part, int) and part < len(here):
            path.append(part)
            here = here[part]
        elif place == len(loc) - 1:
            break
    return tuple(path)


def _fields_beside(loc: tuple[str | int, ...], model: type[BaseModel]) -> tuple[str, ...]:
    """The keys that the model at a location knows, for the nearest name."""
    current: list[type[BaseModel]] = [model]
    for part in loc[:-1]:
        found: list[type[BaseModel]] = []
        for candidate in current:
            for name, info in candidate.model_fields.items():
                if part in (name, info.alias):
                    found += _models_in(info.annotation)
        current = found or current
    names = [info.alias or name for one in current for name, info in one.model_fields.items()]
    return tuple(dict.fromkeys(names))


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and not isinstance(annotation, types.GenericAlias):
        return [annotation] if issubclass(annotation, BaseModel) else []
    return [model for argument in typing.get_args(annotation) for model in _models_in(argument)]
