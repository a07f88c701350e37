"""Suggestions for unknown names: the nearest valid one, or a list of the valid ones."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable

_CUTOFF = 0.7
"""Minimum similarity of a suggestion. Two mistakes in a name are still found; an unrelated name is not."""
_SHORT, _SHORT_CUTOFF = 3, 0.6
"""In a name of three letters, one mistake already makes a third of it."""


def nearest(name: str, valid: Collection[str]) -> str | None:
    """Return the valid name that is most similar to a wrong one, or None if none is similar.

    A valid name that starts with the wrong one, as when its end is missing, takes precedence.
    """
    begun = min((other for other in valid if name and other.startswith(name)), key=_shortest, default=None)
    if begun is not None:
        return begun
    cutoff = _CUTOFF if len(name) > _SHORT else _SHORT_CUTOFF
    matches = difflib.get_close_matches(name, sorted(valid), n=1, cutoff=cutoff)
    return matches[0] if matches else None


def _shortest(name: str) -> tuple[int, str]:
    return len(name), name


def did_you_mean(name: str, valid: Iterable[str]) -> str:
    """Return a hint for an unknown name: the nearest valid one, or else the first few valid ones."""
    names = sorted(valid)
    if found := nearest(name, names):
        return f"Did you mean {found!r}?"
    if not names:
        return ""
    more = ", …" if len(names) > 8 else ""
    return f"Known: {', '.join(names[:8])}{more}"
