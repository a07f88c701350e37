"""The operators of ``test``, ``[`` and ``[[``: conditions on strings, numbers and files."""

from __future__ import annotations

import posixpath
import stat
from collections.abc import Callable, Collection, Mapping, Sequence

from garabench.virtual.android.file_system import FileSystem
from garabench.virtual.shell.arithmetic import ShellArithmeticError, number

_NUMERIC: Mapping[str, Callable[[int, int], bool]] = {
    "-eq": lambda a, b: a == b,
    "-ne": lambda a, b: a != b,
    "-lt": lambda a, b: a < b,
    "-le": lambda a, b: a <= b,
    "-gt": lambda a, b: a > b,
    "-ge": lambda a, b: a >= b,
}
_TEXTUAL: Mapping[str, Callable[[str, str], bool]] = {
    "=": lambda a, b: a == b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
}
_AGES = frozenset({"-nt", "-ot", "-ef"})
_UNARY = frozenset(f"-{char}" for char in "znefdrwxsLhpbcStavogukGO")
OPTIONS: Mapping[str, str] = {
    "errexit": "e",
    "noclobber": "C",
    "noglob": "f",
    "nounset": "u",
    "pipefail": "pipefail",
    "xtrace": "x",
}
"""The options of ``set -o`` that have an effect: their letters."""


class ShellConditionError(ValueError):
    """The condition is invalid."""


class FileTests:
    """Tests of files.

    Attributes:
        terminals: The file descriptors that are a terminal.
    """

    def __init__(
        self,
        files: FileSystem,
        cwd: str,
        *,
        terminals: frozenset[int] = frozenset(),
        is_set: Callable[[str], bool] = lambda name: False,
        options: Collection[str] = (),
    ) -> None:
        """Test files.

        Args:
            files: The file system.
            cwd: The working directory.
            terminals: The file descriptors that are a terminal.
            is_set: Returns whether a variable is set.
            options: The options of the shell that are on, by letter or name.
        """
        self._files = files
        self.is_set = is_set
        self.options = options
        self._cwd = cwd
        self.terminals = terminals

    def holds(self, operator: str, path: str) -> bool:
        """Evaluate ``-e path`` and its like."""
        absolute = self._files.resolve(path, self._cwd)
        if operator in ("-L", "-h"):
            link = posixpath.normpath(posixpath.join(self._cwd, path)) if path[-1:] != "/" else absolute
            return bool(path) and self._files.readlink(link) is not None
        found = self._files.stat(absolute) if path else None
        if found is None:
            return operator == "-c" and path == "/dev/null"
        is_directory = self._files.is_dir(absolute)
        match operator:
            case "-e" | "-a" | "-r":
                return True
            case "-f":
                return not is_directory
            case "-d":
                return is_directory
            case "-w":
                return not absolute.startswith(("/system", "/proc"))
            case "-x":
                return is_directory or bool(found.mode & stat.S_IXUSR)
            case "-s":
                return is_directory or found.size > 0
            case _:
                return False

    def newer(self, operator: str, one: str, other: str) -> bool:
        """Evaluate ``one -nt other`` and its like."""
        first, second = (self._files.stat(self._files.resolve(path, self._cwd)) for path in (one, other))
        if operator == "-ef":
            return self._files.resolve(one, self._cwd) == self._files.resolve(other, self._cwd)
        if first is None or second is None:
            return (first if operator == "-nt" else second) is not None
        return first.mtime > second.mtime if operator == "-nt" else first.mtime < second.mtime


def unary(operator: str, text: str, files: FileTests) -> bool:
    """Evaluate ``-z text`` and its like."""
    match operator:
        case "-z":
            return not text
        case "-n":
            return bool(text)
        case "-v":
            return files.is_set(text)
        case "-o":
            name = text.removeprefix("no") if text.startswith("no") and text not in OPTIONS else text
            return (OPTIONS.get(name, name) in files.options) != (name != text)
        case "-t":
            return text.isdecimal() and int(text) in files.terminals
        case _:
            return files.holds(operator, text)


def is_unary(word: str) -> bool:
    """Return whether a word is a unary operator."""
    return word in _UNARY


def is_binary(word: str) -> bool:
    """Return whether a word is a binary operator."""
    return word in _NUMERIC or word in _TEXTUAL or word in _AGES


def binary(one: str, operator: str, other: str, files: FileTests) -> bool:
    """Evaluate ``one operator other``.

    Raises:
        ShellConditionError: A number is invalid.
    """
    if operator in _TEXTUAL:
        return _TEXTUAL[operator](one, other)
    if operator in _AGES:
        return files.newer(operator, one, other)
    try:
        return _NUMERIC[operator](number(one), number(other))
    except ShellArithmeticError as error:
        raise ShellConditionError(str(error)) from error


def evaluate_test(words: Sequence[str], files: FileTests) -> bool:
    """Evaluate the words of ``test`` (by their number first, as in POSIX).

    Raises:
        ShellConditionError: They are not a condition.
    """
    return _Expression(words, files).evaluate()


class _Expression:
    def __init__(self, words: Sequence[str], files: FileTests) -> None:
        self.words = list(words)
        self.files = files
        self.at = 0

    def evaluate(self) -> bool:
        words = self.words
        match len(words):
            case 0:
                return False
            case 1:
                return bool(words[0])
            case 2 if words[0] == "!":
                return not words[1]
            case 3 if is_binary(words[1]):
                return binary(words[0], words[1], words[2], self.files)
        value = self.either()
        if self.at < len(words):
            raise ShellConditionError(f"{words[self.at]}: unexpected operator/operand")
        return value

    def _peek(self) -> str | None:
        return self.words[self.at] if self.at < len(self.words) else None

    def either(self) -> bool:
        value = self.both()
        while self._peek() == "-o":
            self.at += 1
            value = self.both() or value
        return value

    def both(self) -> bool:
        value = self.negated()
        while self._peek() == "-a":
            self.at += 1
            value = self.negated() and value
        return value

    def negated(self) -> bool:
        if self._peek() == "!":
            self.at += 1
            return not self.negated()
        return self.primary()

    def primary(self) -> bool:
        word = self._peek()
        if word is None:
            raise ShellConditionError("expression expected")
        rest = self.words[self.at :]
        if len(rest) >= 3 and is_binary(rest[1]):
            self.at += 3
            return binary(rest[0], rest[1], rest[2], self.files)
        if word == "(":
            self.at += 1
            value = self.either()
            if self._peek() != ")":
                raise ShellConditionError("missing ')'")
            self.at += 1
            return value
        if is_unary(word) and len(rest) >= 2:
            self.at += 2
            return unary(word, rest[1], self.files)
        self.at += 1
        return bool(word)
