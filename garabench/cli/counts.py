"""Counts with their nouns, for messages."""

from __future__ import annotations


def counted(number: int, one: str, many: str = "") -> str:
    """Return a count with its noun: ``1 rule``, ``2 rules``.

    Args:
        number: The count.
        one: Singular noun.
        many: Plural noun; default: the singular with an s.
    """
    return f"{number} {one if number == 1 else many or f'{one}s'}"
