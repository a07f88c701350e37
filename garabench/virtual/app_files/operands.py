"""Values in an app file: literals, and texts with placeholders such as ``{tea.price:2}``.

A placeholder names a variable, a field of a row, or a computed value; it contains no expression.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BeforeValidator, InstanceOf, WithJsonSchema

Scalar = str | int | float | bool
"""A literal of an app file."""
LANGUAGES = ("zh", "en")
_PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*)(?::([0-4]))?\}")
_BRACE = re.compile(r"[{}]")
_MAX_TEXT = 5000


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A reference to a value.

    Attributes:
        path: The name and, for rows and tables, the field.
        decimals: Number of decimals with which a number is written; None for as many as it has.
    """

    path: tuple[str, ...]
    decimals: int | None = None

    @property
    def name(self) -> str:
        """The path as it is written."""
        return ".".join(self.path)


Piece = str | Placeholder
Pieces = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Operand:
    """A literal, or a text with placeholders, in one or several languages.

    Attributes:
        literal: The literal; None for a text with placeholders or in several languages.
        texts: The pieces of the text by language; by ``""`` if it is the same in all languages.
    """

    literal: Scalar | None
    texts: tuple[tuple[str, Pieces], ...] = ()

    @classmethod
    def parse(cls, value: object) -> Operand:
        """Parse a value of a file.

        Raises:
            ValueError: It is neither a literal nor a text by language, or has a stray brace.
        """
        match value:
            case Operand():
                return value
            case bool() | int() | float():
                return cls(value)
            case str():
                pieces = _pieces(value)
                if all(isinstance(piece, str) for piece in pieces):
                    return cls("".join(map(str, pieces)))
                return cls(None, (("", pieces),))
            case dict():
                return cls(None, tuple((str(lang), _pieces(text)) for lang, text in _by_language(value)))
            case _:
                raise ValueError(
                    "expected a string, a number, true, false, or texts by language {zh: …, en: …}"
                )

    @property
    def placeholders(self) -> Iterator[Placeholder]:
        """The references in its texts."""
        for _, pieces in self.texts:
            yield from (piece for piece in pieces if isinstance(piece, Placeholder))

    def pieces(self, lang: str) -> Pieces:
        """Return the pieces of the text in a language, or else in the first language it has."""
        found = dict(self.texts)
        return found.get(lang) or found.get("") or self.texts[0][1]


def _by_language(value: Mapping[Any, Any]) -> Iterator[tuple[str, str]]:
    if not value:
        raise ValueError("expected texts by language {zh: …, en: …}")
    for lang, text in value.items():
        if lang not in LANGUAGES:
            raise ValueError(f"unknown language {lang!r}; the virtual phone has {' and '.join(LANGUAGES)}")
        if isinstance(text, bool) or not isinstance(text, str | int | float):
            raise ValueError(f"the text in the language {lang} must be a string")
        yield lang, str(text)


def _pieces(text: str) -> Pieces:
    if len(text) > _MAX_TEXT:
        raise ValueError(f"expected at most {_MAX_TEXT} characters")
    found: list[Piece] = []
    for at, part in enumerate(re.split(r"(\{\{|\}\})", text)):
        if at % 2:
            found.append(part[0])
            continue
        end = 0
        for match in _PLACEHOLDER.finditer(part):
            found += [_literal(part[end : match.start()]), _placeholder(match)]
            end = match.end()
        found.append(_literal(part[end:]))
    return tuple(piece for piece in found if piece != "")


def _placeholder(match: re.Match[str]) -> Placeholder:
    return Placeholder(tuple(match[1].split(".")), None if match[2] is None else int(match[2]))


def _literal(text: str) -> str:
    if stray := _BRACE.search(text):
        around = text[max(0, stray.start() - 10) : stray.start() + 20]
        raise ValueError(
            f"not a placeholder: {around!r}; write {{name}} or {{row.field}}, and {{{{ or }}}} for a brace"
        )
    return text


VALUE_SCHEMA: dict[str, Any] = {
    "description": "A literal, or a text with placeholders such as {row.field}, or texts by language.",
    "anyOf": [
        {"type": ["string", "number", "boolean"]},
        {
            "type": "object",
            "properties": {lang: {"type": ["string", "number"]} for lang in LANGUAGES},
            "additionalProperties": False,
            "minProperties": 1,
        },
    ],
}
"""The JSON Schema of an operand."""
Value = Annotated[InstanceOf[Operand], BeforeValidator(Operand.parse), WithJsonSchema(VALUE_SCHEMA)]
"""A field of an app file that holds an operand."""
