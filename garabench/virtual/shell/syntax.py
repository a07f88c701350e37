"""The grammar of a shell line: words with quotes, pipes, lists and redirections, parsed to frozen values.

What Android's mksh takes of clients' lines: ``;``, ``&&``, ``||``, ``|``, quotes, backslashes, ``$NAME``,
``${NAME}``, ``$?``, assignments before a command, ``<``, ``>``, ``>>``, ``2>``, ``2>&1``, comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_OPERATOR = re.compile(r"2>&1|1>&2|>&2|&&|\|\||2>>|2>|>>|>|<|;|\||&|\n|\(|\)")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ASSIGNMENT = re.compile(r"^([A-Za-z_][A-Za-z0-9_]*)=")
_BLANK = " \t"
REDIRECTIONS = frozenset({">", ">>", "<", "2>", "2>>"})
DUPLICATIONS = frozenset({"2>&1", ">&2", "1>&2"})


class SyntaxProblem(ValueError):
    """The line is not shell."""


@dataclass(frozen=True, slots=True)
class Literal:
    """Text that stands for itself; quoted text is never split."""

    text: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable; outside of quotes its value is split at blanks."""

    name: str
    quoted: bool = False


Part = Literal | Variable


@dataclass(frozen=True, slots=True)
class Word:
    """A word of parts that stand together."""

    parts: tuple[Part, ...]

    @property
    def plain(self) -> str | None:
        """Its text when it holds nothing to expand, else None."""
        if all(isinstance(part, Literal) for part in self.parts):
            return "".join(part.text for part in self.parts if isinstance(part, Literal))
        return None


@dataclass(frozen=True, slots=True)
class Redirection:
    """A redirection of a stream to or from a file; without a word it joins two streams."""

    operator: str
    target: Word | None = None


@dataclass(frozen=True, slots=True)
class Simple:
    """A simple command."""

    assignments: tuple[tuple[str, Word], ...] = ()
    words: tuple[Word, ...] = ()
    redirections: tuple[Redirection, ...] = ()


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Commands whose output goes to the next one's input."""

    commands: tuple[Simple, ...]


@dataclass(frozen=True, slots=True)
class Script:
    """Pipelines, each with the operator before it: ``;``, ``&&`` or ``||``."""

    items: tuple[tuple[str, Pipeline], ...] = field(default=())


def tokens(text: str) -> Iterator[Word | str]:
    """The words and operators of a line.

    Raises:
        SyntaxProblem: A quote is not closed.
    """
    at, parts = 0, list[Part]()
    while at < len(text):
        letter = text[at]
        operator = _OPERATOR.match(text, at)
        if letter == "#" and not parts:
            at = text.find("\n", at) if "\n" in text[at:] else len(text)
        elif letter in _BLANK:
            if parts:
                yield Word(tuple(parts))
                parts = []
            at += 1
        elif operator and not (operator[0][0] in "12" and parts):
            if parts:
                yield Word(tuple(parts))
                parts = []
            yield operator[0]
            at = operator.end()
        else:
            at = _part(text, at, parts)
    if parts:
        yield Word(tuple(parts))


def _part(text: str, at: int, parts: list[Part]) -> int:
    letter = text[at]
    if letter == "'":
        end = text.find("'", at + 1)
        if end < 0:
            raise SyntaxProblem("no closing quote")
        parts.append(Literal(text[at + 1 : end], quoted=True))
        return end + 1
    if letter == '"':
        return _double(text, at + 1, parts)
    if letter == "\\":
        parts.append(Literal(text[at + 1 : at + 2], quoted=True))
        return at + 2
    if letter == "$":
        return _variable(text, at, parts, quoted=False)
    parts.append(Literal(letter))
    return at + 1


def _double(text: str, at: int, parts: list[Part]) -> int:
    parts.append(Literal("", quoted=True))
    while at < len(text):
        letter = text[at]
        if letter == '"':
            return at + 1
        if letter == "\\" and text[at + 1 : at + 2] in ('"', "\\", "$", "`"):
            parts.append(Literal(text[at + 1], quoted=True))
            at += 2
        elif letter == "$":
            at = _variable(text, at, parts, quoted=True)
        else:
            parts.append(Literal(letter, quoted=True))
            at += 1
    raise SyntaxProblem("no closing quote")


def _variable(text: str, at: int, parts: list[Part], *, quoted: bool) -> int:
    if text[at + 1 : at + 2] in ("?", "$", "#"):
        parts.append(Variable(text[at + 1], quoted))
        return at + 2
    if text[at + 1 : at + 2] == "{":
        end = text.find("}", at)
        if end < 0 or not _NAME.fullmatch(text, at + 2, end):
            raise SyntaxProblem("bad substitution")
        parts.append(Variable(text[at + 2 : end], quoted))
        return end + 1
    if name := _NAME.match(text, at + 1):
        parts.append(Variable(name[0], quoted))
        return name.end()
    parts.append(Literal("$", quoted))
    return at + 1


def parse(text: str) -> Script:
    """Parse a line (or several).

    Raises:
        SyntaxProblem: It is not shell as far as this grammar goes.
    """
    items: list[tuple[str, Pipeline]] = []
    commands: list[Simple] = []
    current: list[Word | Redirection] = []
    before, awaited = ";", ""

    def close_command(operator: str) -> None:
        if not current:
            raise SyntaxProblem(f"unexpected {operator!r}")
        commands.append(_simple(current))
        current.clear()

    for item in tokens(text):
        if awaited:
            if isinstance(item, str):
                raise SyntaxProblem(f"unexpected {item!r}")
            current.append(Redirection(awaited, item))
            awaited = ""
        elif isinstance(item, Word):
            current.append(item)
        elif item in DUPLICATIONS:
            current.append(Redirection(item))
        elif item in REDIRECTIONS:
            awaited = item
        elif item == "|":
            close_command(item)
        elif item == "\n" and not current:
            continue  # an empty line, or a line that goes on after an operator
        elif item in (";", "\n", "&", "&&", "||"):
            close_command(item)
            if commands:
                items.append((before, Pipeline(tuple(commands))))
                commands = []
            before = item if item in ("&&", "||") else ";"
        else:
            raise SyntaxProblem(f"unexpected {item!r}")
    if awaited:
        raise SyntaxProblem("unexpected end")
    if current:
        commands.append(_simple(current))
    elif commands or before != ";":
        raise SyntaxProblem("unexpected end")
    if commands:
        items.append((before, Pipeline(tuple(commands))))
    return Script(tuple(items))


def _simple(parts: list[Word | Redirection]) -> Simple:
    assignments: list[tuple[str, Word]] = []
    words: list[Word] = []
    redirections = tuple(part for part in parts if isinstance(part, Redirection))
    for part in parts:
        if isinstance(part, Redirection):
            continue
        first = "".join(p.text for p in _leading(part))
        match = _ASSIGNMENT.match(first)
        if match and not words:
            assignments.append((match[1], _without(part, match.end())))
        else:
            words.append(part)
    return Simple(tuple(assignments), tuple(words), redirections)


def _leading(word: Word) -> Iterator[Literal]:
    for part in word.parts:
        if not isinstance(part, Literal) or part.quoted:
            return
        yield part


def _without(word: Word, count: int) -> Word:
    """The word less its first letters, which are unquoted literals of one letter each."""
    return Word(word.parts[count:])
