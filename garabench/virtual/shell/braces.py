"""Brace expansion, ``a{b,c}`` (``mksh.1``: Brace expansion)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

_MAX_WORDS = 10_000

Letter = tuple[str, bool]
"""A character, and whether it is quoted."""


def expand_braces(field: Sequence[tuple[str, bool]]) -> list[list[tuple[str, bool]]]:
    """Return the fields that a field's unquoted braces stand for, at least one.

    Args:
        field: Pieces of text, each quoted or not.
    """
    letters = [(char, quoted) for text, quoted in field for char in text or ("",)]
    return [
        [("".join(char for char, _ in group), quoted) for quoted, group in groupby(each, key=lambda x: x[1])]
        for each in _expand(letters)
    ]


def _expand(letters: list[Letter]) -> list[list[Letter]]:
    for start, letter in enumerate(letters):
        found = _alternatives(letters, start) if letter == ("{", False) else None
        if found is None:
            continue
        choices, end = found
        tails = _expand(letters[end + 1 :])
        heads = [letters[:start] + each for choice in choices for each in _expand(choice)]
        return [head + tail for head in heads for tail in tails][:_MAX_WORDS]
    return [letters]


def _alternatives(letters: Sequence[Letter], start: int) -> tuple[list[list[Letter]], int] | None:
    """Return the parts between the commas of the braces that open here, and where they close."""
    choices: list[list[Letter]] = [[]]
    depth = 0
    for at in range(start + 1, len(letters)):
        letter = letters[at]
        if letter == ("}", False) and depth == 0:
            return (choices, at) if len(choices) > 1 else None
        depth += (letter == ("{", False)) - (letter == ("}", False))
        if letter == (",", False) and depth == 0:
            choices.append([])
        else:
            choices[-1].append(letter)
    return None
