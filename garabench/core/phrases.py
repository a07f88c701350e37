"""Phrases of messages and reports: counts with their nouns, names in a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: ``1 task``, ``1,204 tasks``.

    Args:
        number: The number.
        noun: Singular noun.
        plural: Plural noun; default: the singular with an s.
    """
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def first_and_more(names: Sequence[str]) -> str:
    """Return the first of some names and the number of the others, as ``bili-like-song and 3 more``."""
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"


def joined(names: Iterable[str]) -> str:
    """Return names as a list in a sentence: ``a, b and c``."""
    *others, last = list(names) or [""]
    return f"{', '.join(others)} and {last}" if others else last
