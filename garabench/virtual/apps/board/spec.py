"""The specification of a board page, parsed from the intent.

It is a Base64-encoded JSON object::

    {"v": 1, "mode": "taps", "title": "Tap 17", "note": "…", "columns": 5, "rows": 8, "target": 17,
     "fields": ["A", "B"], "lines": 100, "first": 50}

``columns``, ``rows`` and ``target`` belong to the mode ``taps``, ``fields`` to ``text``, ``lines`` and
``first`` (the line at the top) to ``scroll``; ``page`` shows title and note only. Any defect raises a
`BoardSpecError` with the reason that is logged.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any

from garabench.virtual.kit.intent_payload import IntentPayloadError, decode_payload

MAX_TEXT = 2000
MAX_SIDE = 20
MAX_FIELDS = 6
MAX_LINES = 1000


class BoardSpecError(ValueError):
    """An invalid specification; the message is a short reason in kebab case."""


class BoardMode(enum.StrEnum):
    """What the board tests."""

    TAPS = "taps"
    TEXT = "text"
    SCROLL = "scroll"
    PAGE = "page"


@dataclass(frozen=True, slots=True)
class BoardSpec:
    """A page of the board.

    Attributes:
        mode: The mode.
        title, note: Texts at the top.
        columns, rows: The grid of numbered buttons.
        target: The button that the title names; 0 for none.
        fields: Names of the text fields.
        lines: Number of lines of the list.
        first: The line at the top of the list, from 1.
    """

    mode: BoardMode
    title: str
    note: str = ""
    columns: int = 5
    rows: int = 8
    target: int = 0
    fields: tuple[str, ...] = ()
    lines: int = 100
    first: int = 1


def parse(encoded: object) -> BoardSpec:
    """Parse a specification.

    Args:
        encoded: The intent's ``spec`` extra, of any type.

    Raises:
        BoardSpecError: It is missing or invalid.
    """
    try:
        return _spec(decode_payload(encoded))
    except IntentPayloadError as error:
        raise BoardSpecError(str(error)) from error


def _spec(value: dict[str, Any]) -> BoardSpec:
    mode = value.get("mode")
    if mode not in list(BoardMode):
        raise BoardSpecError("bad-mode")
    fields = value.get("fields", [])
    named = isinstance(fields, list) and all(isinstance(name, str) and name for name in fields)
    if not named or len(fields) > MAX_FIELDS or len(set(fields)) != len(fields):
        raise BoardSpecError("bad-fields")
    columns, rows = _number(value, "columns", 5, 1, MAX_SIDE), _number(value, "rows", 8, 1, MAX_SIDE)
    lines = _number(value, "lines", 100, 1, MAX_LINES)
    return BoardSpec(
        mode=BoardMode(mode),
        title=_text(value.get("title", "")),
        note=_text(value.get("note", "")),
        columns=columns,
        rows=rows,
        target=_number(value, "target", 0, 0, columns * rows),
        fields=tuple(fields),
        lines=lines,
        first=_number(value, "first", 1, 1, lines),
    )


def _number(value: dict[str, Any], name: str, default: int, minimum: int, maximum: int) -> int:
    number = value.get(name, default)
    if isinstance(number, bool) or not isinstance(number, int) or not minimum <= number <= maximum:
        raise BoardSpecError(f"bad-{name}")
    return number


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > MAX_TEXT:
        raise BoardSpecError("bad-text")
    return value
