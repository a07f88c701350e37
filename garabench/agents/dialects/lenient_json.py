"""Parse JSON in a model's reply, tolerating common mistakes that are unambiguous.

Beyond JSON it accepts a trailing comma, single and typographic quotes, Chinese punctuation between values,
Python's ``True``, ``False`` and ``None``, and line breaks in strings. Nothing is evaluated; depth and length
are bounded.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from garabench.agents.dialects.reply import MalformedReplyError, ReplyFlaw

_MAX_DEPTH = 24
_MAX_FAILURES = 200
_MAX_PASSES = 8
"""Limit of reading a text, as a multiple of its length: the content of a truncated object is read again."""
_TOO_MANY = "the reply has too many brackets that do not begin a value"
_KEY = re.compile(r"""\s*["'“‘”]""")
_MORE = re.compile(r"""[\s\]}]*[,，]\s*["'“‘”{]""")
_PLAIN = {closing: re.compile(rf"[^\\{closing}]+") for closing in "\"'”’“"}
_SPACE = re.compile(r"[ \t\r\n\u00a0\u3000]*")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?")
_WORD = re.compile(r"[A-Za-z_]\w*")
QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "”": "”"}
_WORDS: dict[str, Any] = {
    "true": True,
    "false": False,
    "null": None,
    "True": True,
    "False": False,
    "None": None,
}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/", "\\": "\\"}
_HEX = re.compile(r"[0-9a-fA-F]{4}")


def read_value(text: str, start: int) -> tuple[Any, int]:
    """Read one value.

    Args:
        text: The reply.
        start: Index at which the value begins; leading spaces are skipped.

    Returns:
        The value, and the index of its end.

    Raises:
        MalformedReplyError: There is no value, or it is cut off.
    """
    return _Reader(text).value(start, 0)


def read_escape(text: str, start: int) -> tuple[str, int]:
    """Read an escape sequence after its backslash, as `read_value` does within strings."""
    return _Reader(text).escape(start)


def objects(text: str, matches: Callable[[dict[str, Any]], bool]) -> list[tuple[dict[str, Any], int, int]]:
    """Find the outermost objects in a text that match, each with the index of its start and end.

    An object that is cut off may contain complete ones, so a reply that lacks only its last bracket is
    accepted; not so if more follows them, since the missing part may be another action or belong to this one.

    Raises:
        MalformedReplyError: No object matches, and one is cut off or is not JSON; or an object after the
            matching ones is cut off or is not JSON; or an object has a duplicate key, so that its meaning is
            ambiguous; or too many brackets do not begin a value.
    """
    found: list[tuple[dict[str, Any], int, int]] = []
    problem: MalformedReplyError | None = None
    reader = _Reader(text)
    failures = 0
    open_at: int | None = None
    at = text.find("{")
    while at >= 0:
        end = at + 1
        try:
            value, past = reader.value(at, 0)
        except MalformedReplyError as error:
            failures += 1
            broken = error.flaw is ReplyFlaw.CUT_OFF
            if error.flaw is ReplyFlaw.SEVERAL_ACTIONS or (found and (broken or _KEY.match(text, end))):
                raise
            if failures > _MAX_FAILURES or reader.read > reader.max_read:
                raise MalformedReplyError(ReplyFlaw.BAD_ARGUMENT, _TOO_MANY) from error
            if problem is None or broken:
                problem = error
            if broken and open_at is None:
                open_at = at
        else:
            if isinstance(value, dict) and matches(value):
                found.append((value, at, past))
                end = past
            elif isinstance(value, dict):
                end = past
        at = text.find("{", end)
    if problem is not None and (not found or (open_at is not None and _MORE.match(text, found[-1][2]))):
        raise problem
    return found


class _Reader:
    """A reader without a cursor: each method takes an index and returns the next.

    Attributes:
        read: Work so far: characters within strings, and one for each value.
        max_read: Limit of `read`.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self.read = 0
        self.max_read = _MAX_PASSES * (len(text) + 100)

    def _count(self, characters: int) -> None:
        self.read += characters
        if self.read > self.max_read:
            raise MalformedReplyError(ReplyFlaw.BAD_ARGUMENT, _TOO_MANY)

    def _skip(self, at: int) -> int:
        match = _SPACE.match(self._text, at)
        return match.end() if match else at

    def _char(self, at: int) -> str:
        if at >= len(self._text):
            raise MalformedReplyError(ReplyFlaw.CUT_OFF, "the reply is cut off")
        return self._text[at]

    def value(self, at: int, depth: int) -> tuple[Any, int]:
        self._count(1)
        at = self._skip(at)
        char = self._char(at)
        if depth > _MAX_DEPTH:
            raise MalformedReplyError(ReplyFlaw.BAD_ARGUMENT, f"values are nested deeper than {_MAX_DEPTH}")
        if char == "{":
            return self._object(at + 1, depth)
        if char == "[":
            return self._list(at + 1, "]", depth)
        if char in QUOTES:
            return self.text(at)
        if (number := _NUMBER.match(self._text, at)) is not None:
            return _number(number.group()), number.end()
        word = _WORD.match(self._text, at)
        if word is not None and word.group() in _WORDS:
            return _WORDS[word.group()], word.end()
        raise MalformedReplyError(
            ReplyFlaw.BAD_ARGUMENT, f"expected a value, found {self._text[at : at + 12]!r}"
        )

    def _object(self, at: int, depth: int) -> tuple[dict[str, Any], int]:
        found: dict[str, Any] = {}
        while True:
            at = self._skip(at)
            if self._char(at) == "}":
                return found, at + 1
            if self._char(at) not in QUOTES:
                raise MalformedReplyError(
                    ReplyFlaw.BAD_ARGUMENT, f"expected a key, found {self._text[at : at + 12]!r}"
                )
            key, at = self.text(at)
            if key in found:
                raise MalformedReplyError(ReplyFlaw.SEVERAL_ACTIONS, f"duplicate key {key!r}")
            at = self._skip(at)
            if self._char(at) not in ":：":
                raise MalformedReplyError(ReplyFlaw.BAD_ARGUMENT, f"expected a value after the key {key!r}")
            found[key], at = self.value(at + 1, depth + 1)
            at = self._after_value(at, "}")

    def _list(self, at: int, closing: str, depth: int) -> tuple[list[Any], int]:
        found: list[Any] = []
        while True:
            at = self._skip(at)
            if self._char(at) == closing:
                return found, at + 1
            value, at = self.value(at, depth + 1)
            found.append(value)
            at = self._after_value(at, closing)

    def _after_value(self, at: int, closing: str) -> int:
        at = self._skip(at)
        char = self._char(at)
        if char in ",，、":
            return at + 1
        if char == closing:
            return at
        raise MalformedReplyError(
            ReplyFlaw.BAD_ARGUMENT, f"expected a comma before {self._text[at : at + 12]!r}"
        )

    def text(self, at: int) -> tuple[str, int]:
        closing = QUOTES[self._char(at)]
        parts: list[str] = []
        at += 1
        while (char := self._char(at)) != closing:
            before = at
            if char == "\\":
                piece, at = self.escape(at + 1)
                parts.append(piece)
            else:
                plain = _PLAIN[closing].match(self._text, at)
                at = plain.end() if plain is not None else at + 1
                parts.append(self._text[before:at])
            self._count(at - before)
        return "".join(parts), at + 1

    def escape(self, at: int) -> tuple[str, int]:
        char = self._char(at)
        if char == "u" and (digits := _HEX.match(self._text, at + 1)) is not None:
            return self._code(int(digits.group(), 16), digits.end())
        return _ESCAPES.get(char, char), at + 1

    def _code(self, code: int, at: int) -> tuple[str, int]:
        """Decode a code unit; a surrogate pair is combined into one character."""
        if 0xD800 <= code < 0xDC00 and self._text.startswith("\\u", at):
            low = _HEX.match(self._text, at + 2)
            if low is not None and 0xDC00 <= int(low.group(), 16) < 0xE000:
                return chr(0x10000 + ((code - 0xD800) << 10) + int(low.group(), 16) - 0xDC00), low.end()
        return ("\ufffd" if 0xD800 <= code < 0xE000 else chr(code)), at


def _number(digits: str) -> int | float:
    if len(digits) > 40:
        raise MalformedReplyError(ReplyFlaw.BAD_ARGUMENT, "a number has too many digits")
    return float(digits) if any(mark in digits for mark in ".eE") else int(digits)
