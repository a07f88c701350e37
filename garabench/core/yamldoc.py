"""Parse YAML into plain values, with the location of each of them.

One pass over PyYAML's events yields plain values for pydantic and a location for each. The text is untrusted:
no tags, no aliases (the suite's files need none, and aliases can expand a small file without limit), and a
size limit.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import yaml
from yaml.events import MappingEndEvent, ScalarEvent, SequenceEndEvent

from garabench.caret import SourcePlace
from garabench.errors import InputError

MAX_CHARACTERS = 2_000_000
MAX_DEPTH = 60
_LINE_END = re.compile("\r\n|[\r\n\x85\u2028\u2029]")
"""The line ends of YAML."""
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_LOOK_ALIKES = re.compile("[\uff1a\uff0c\uff5b\uff5d\uff3b\uff3d\u3010\u3011\uff0d\u3000\u00a0]")
"""Full-width punctuation, brackets and spaces, as Chinese keyboards type them, and the no-break space."""
_LINES_BEFORE = 3
"""How many lines before an error are searched for its cause."""
_SHORTEST_WIDE = 4
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class YamlDoc:
    """A parsed file.

    Attributes:
        file: Its path, for error messages.
        data: Plain values: dict, list, str, int, float, bool, None.
        lines: The lines of the text, for carets.
        marks: The start of each value, by its path from the top; line and column from 0.
        key_marks: The start of each mapping key, by the path of its value.
        mistakes: Mistakes that do not prevent reading the rest, such as duplicate keys.
    """

    file: str
    data: Any
    lines: tuple[str, ...]
    marks: dict[Path, tuple[int, int]]
    key_marks: dict[Path, tuple[int, int]]
    mistakes: list[InputError] = field(default_factory=list)

    def place(self, path: Path, *, key: bool = False) -> SourcePlace:
        """Return the location of a value (or of its key), or of the innermost enclosing one."""
        table = self.key_marks if key else self.marks
        while path and path not in table and path not in self.marks:
            path = path[:-1]
        return self.at(*(table.get(path) or self.marks.get(path) or (0, 0)))

    def at(self, line: int, column: int) -> SourcePlace:
        """Return the location at a line and column, counted from 0."""
        text = self.lines[line] if line < len(self.lines) else ""
        return SourcePlace(self.file, line + 1, column + 1, text)

    def value(self, path: Path) -> Any:
        """Return the value at a path; None if there is none."""
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
        """Return a path if it exists, or the innermost enclosing path that does."""
        while path and path not in self.marks and path not in self.key_marks:
            path = path[:-1]
        return path

    def error(self, path: Path, message: str, *, hint: str = "", key: bool = False) -> InputError:
        """Return an error at the location of a value."""
        return InputError(message, place=self.place(path, key=key), hint=hint)


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader with the scalar rules of YAML 1.2.

    ``on``, ``off``, ``yes`` and ``no`` remain strings, as do dates, times and numbers with leading zeros.
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
        """The same with libyaml's scanner, which is ten times faster."""

        yaml_implicit_resolvers = _Loader.yaml_implicit_resolvers

    _FAST: type[_FastLoader] | None = _FastLoader
else:  # on some systems PyYAML comes without libyaml
    _FAST = None


@dataclass(frozen=True, slots=True)
class WideEncoding:
    """An encoding with several bytes per letter, in which some editors save files.

    Attributes:
        name: Its name, also for `bytes.decode`.
        mark: Its byte order mark.
    """

    name: str
    mark: bytes


_CONTROL = re.compile(rb"[\x01-\x08\x0e-\x1a\x1c-\x1f]")
_MANY_CONTROLS = 8
_WIDE_ENCODINGS = (
    WideEncoding("UTF-32-LE", codecs.BOM_UTF32_LE),  # before UTF-16-LE, whose mark it begins with
    WideEncoding("UTF-32-BE", codecs.BOM_UTF32_BE),
    WideEncoding("UTF-16-LE", codecs.BOM_UTF16_LE),
    WideEncoding("UTF-16-BE", codecs.BOM_UTF16_BE),
)


def other_encoding(data: bytes) -> WideEncoding | None:
    """Return the encoding of a file that is UTF-16 or UTF-32; None for all others.

    Without a byte order mark, only a file that begins with an ASCII letter in UTF-16 is recognized.
    """
    for each in _WIDE_ENCODINGS:
        if data.startswith(each.mark):
            return each
    if len(data) >= _SHORTEST_WIDE and data[0] and not data[1]:
        return _WIDE_ENCODINGS[2]
    return _WIDE_ENCODINGS[3] if len(data) >= _SHORTEST_WIDE and data[1] and not data[0] else None


def _is_binary(data: bytes) -> bool:
    """Return whether bytes are not text: neither UTF-8 nor a wide encoding, but with control characters."""
    if any(data.startswith(each.mark) for each in _WIDE_ENCODINGS):
        return False
    return len(_CONTROL.findall(data)) >= _MANY_CONTROLS


def decode_text(data: bytes, file: str) -> str:
    """Decode the bytes of a file, without a byte order mark.

    Args:
        data: The bytes.
        file: The file's path, for error messages.

    Raises:
        InputError: The bytes are not UTF-8; with the location of the first invalid byte.
    """
    if _is_binary(data):
        raise InputError("not a text file", place=SourcePlace(file, 1, 1), hint="Save it as text, in UTF-8.")
    if encoding := other_encoding(data):
        hint = "Save the file in UTF-8, the encoding of all of a suite's files."
        if data.startswith(encoding.mark):
            hint += f" To convert it: garabench check --fix {file}"
        raise InputError(f"{encoding.name} text, not UTF-8", place=SourcePlace(file, 1, 1), hint=hint)
    body = data.removeprefix(codecs.BOM_UTF8)
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        before = body[: error.start].decode("utf-8")
        line, column = before.count("\n") + 1, len(before.rpartition("\n")[2]) + 1
        at = len(data) - len(body) + error.start
        text = body.decode("utf-8", "replace").splitlines()
        place = SourcePlace(file, line, column, text[line - 1] if line <= len(text) else "")
        hint = "Save the file in UTF-8, the encoding of all of a suite's files."
        raise InputError(f"not UTF-8 text (byte {at})", place=place, hint=hint) from error


def parse_yaml(text: str, file: str) -> YamlDoc:
    """Parse a YAML text.

    Args:
        text: The text.
        file: The file's path, for error messages.

    Returns:
        The document. Duplicate keys are among its mistakes; the first value counts.

    Raises:
        InputError: It is not YAML, or uses unsupported features: aliases, anchors, tags.
    """
    if len(text) > MAX_CHARACTERS:
        raise InputError(
            f"the file is larger than {MAX_CHARACTERS} characters", place=SourcePlace(file, 1, 1)
        )
    lines = tuple(_LINE_END.split(text))
    if _FAST is not None:
        try:
            return _read(text, YamlDoc(file, None, lines, {}, {}), _FAST)
        except (yaml.YAMLError, UnicodeError):
            pass  # PyYAML's own scanner, below, gives better error messages
    doc = YamlDoc(file, None, lines, {}, {})
    try:
        return _read(text, doc, _Loader)
    except yaml.reader.ReaderError as error:
        before = text[: error.position]
        line, column = before.count("\n"), len(before) - (before.rfind("\n") + 1)
        printable = "".join(char if char.isprintable() else "\ufffd" for char in lines[line])
        at = SourcePlace(file, line + 1, column + 1, printable)
        raise InputError(f"the character U+{error.character:04X} is not allowed in YAML", place=at) from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = None
        if mark is not None:
            line_text = lines[mark.line] if mark.line < len(lines) else ""
            place = SourcePlace(file, mark.line + 1, mark.column + 1, line_text)
        what = error.problem or "it cannot be read"
        if "'\\t'" in what:
            raise InputError("tabs are not allowed for indentation; use spaces", place=place) from error
        hint = _likely_cause(error, lines)
        raise InputError(f"not valid YAML: {what}", place=place, hint=hint) from error
    except yaml.YAMLError as error:
        raise InputError(f"{file}: not valid YAML: {error}") from error


def _likely_cause(error: yaml.MarkedYAMLError, lines: Sequence[str]) -> str:
    """Return a hint at the likely cause, which is often before the place where the scanner fails."""
    start, found_at = error.context_mark, error.problem_mark
    last = 0 if found_at is None else found_at.line
    first = min(last, last - 1 if start is None else start.line)
    for number in range(last, max(first, last - _LINES_BEFORE) - 1, -1):
        line = lines[number] if 0 <= number < len(lines) else ""
        if found := _LOOK_ALIKES.search(_QUOTED.sub("", line)):
            named = unicodedata.name(found[0])
            return f"Line {number + 1} has the character {named}, which has no meaning in YAML."
    if error.problem == "mapping values are not allowed here":
        return "Put a space after each colon and hyphen, and check the indentation of the line before."
    since = f", which starts on line {start.line + 1}" if start is not None and start.line != last else ""
    return f"{error.context or ''}{since}"


def _read(text: str, doc: YamlDoc, kind: type[Any]) -> YamlDoc:
    """Parse a text into a document that has no data yet."""
    loader = kind(text)
    try:
        data = _Reader(loader, doc).document()
    finally:
        loader.dispose()
    return YamlDoc(doc.file, data, doc.lines, doc.marks, doc.key_marks, doc.mistakes)


class _Reader:
    """Builds plain data from the flat events, twice as fast as from PyYAML's nodes.

    Unsupported features are refused at their event, before any data is built.
    """

    def __init__(self, loader: Any, doc: YamlDoc) -> None:
        self._loader = loader
        self._doc = doc
        self._depth = 0
        self._plain: dict[str, Any] = {}

    def document(self) -> Any:
        """Return the data of the only document; None for an empty text."""
        self._next()  # the stream's start
        event = self._next()
        if isinstance(event, yaml.StreamEndEvent):
            return None
        data = self._value(self._next(), ())
        self._next()  # the document's end
        event = self._next()
        if not isinstance(event, yaml.StreamEndEvent):
            raise self._refused("the file has two YAML documents; write one", event)
        return data

    def _next(self) -> Any:
        event = self._loader.get_event()
        if type(event) is ScalarEvent and event.anchor is None and event.tag is None:
            return event  # most events
        if isinstance(event, yaml.NodeEvent):
            if isinstance(event, yaml.AliasEvent):
                raise self._refused("aliases (*name) are not supported", event)
            if event.anchor is not None:
                raise self._refused("anchors (&name) are not supported", event)
            if event.tag is not None:  # type: ignore[attr-defined]
                raise self._refused("tags (!name) are not supported", event)
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
        if isinstance(event, ScalarEvent):
            return self._scalar(event)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(path)
        return self._mapping(path)

    def _scalar(self, event: Any) -> Any:
        value = event.value
        if not event.implicit[0]:  # quoted, or a block: always a string
            return value
        if value not in self._plain:
            tag = self._loader.resolve(yaml.ScalarNode, value, event.implicit)
            node = yaml.ScalarNode(tag, value, event.start_mark, event.end_mark)
            self._plain[value] = self._loader.construct_object(node)
        return self._plain[value]

    def _sequence(self, path: Path) -> list[Any]:
        result: list[Any] = []
        while type(event := self._next()) is not SequenceEndEvent:
            result.append(self._value(event, (*path, len(result))))
        return result

    def _mapping(self, path: Path) -> dict[str, Any]:
        result: dict[str, Any] = {}
        while type(event := self._next()) is not MappingEndEvent:
            key = event.value if isinstance(event, ScalarEvent) else ""
            mark = (event.start_mark.line, event.start_mark.column)
            if not key or key in result:
                message = f"duplicate key {key!r}" if key else "a key must be a plain word"
                self._doc.mistakes.append(InputError(message, place=self._doc.at(*mark)))
                self._skip(event)
                self._skip(self._next())
                continue
            inner = (*path, key)
            self._doc.key_marks[inner] = mark
            result[key] = self._value(self._next(), inner)
        return result

    def _skip(self, event: Any) -> None:
        """Skip a value, or a key that is not a scalar."""
        if not isinstance(event, yaml.CollectionStartEvent):
            return
        around = self._depth - 1
        while self._depth > around:
            self._next()
