"""A place in a file that a person wrote, and its line with a caret under the mistake."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

_MAX_SHOWN = 200
"""Maximum number of characters of a line in a message: some files have lines of megabytes."""


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """A place in a file that a person wrote.

    Attributes:
        file: Path as the user gave it.
        line: Line number from 1.
        column: Column number from 1, in characters.
        text: The whole line, without its line break.
    """

    file: str
    line: int
    column: int
    text: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


def point_at(place: SourcePlace) -> tuple[str, str]:
    """Return the line of a place, and below it a caret under its column."""
    before, after = _around(place)
    return f"{before}{after}", f"{_blank(before)}^"


def _around(place: SourcePlace) -> tuple[str, str]:
    """Return a place's line before its column and from it on, shortened around it if the line is long."""
    text, at = place.text, place.column - 1
    if len(text) <= _MAX_SHOWN:
        return text[:at], text[at:]
    first, end = max(0, at - _MAX_SHOWN // 2), at + _MAX_SHOWN // 2
    return ("…" if first else "") + text[first:at], text[at:end] + ("…" if end < len(text) else "")


def _blank(text: str) -> str:
    """Return white space as wide as a text on a terminal: a Chinese character takes two columns."""
    return "".join("\t" if character == "\t" else " " * _columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) == "Cf":
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1
