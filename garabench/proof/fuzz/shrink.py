"""Delta debugging: find a minimal part of a sequence that still has a property."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

_T = TypeVar("_T")


def shrink(items: Sequence[_T], holds: Callable[[tuple[_T, ...]], bool]) -> tuple[_T, ...]:
    """Return a part of a sequence that has a property, from which no single item can be left out.

    It is the algorithm *ddmin* (Zeller and Hildebrandt, 2002). The result depends on the arguments only.

    Args:
        items: The sequence; the property holds for the whole of it.
        holds: Whether the property holds for a part, in the same order.
    """
    current = tuple(items)
    parts = 2
    while len(current) >= 2:
        size = -(-len(current) // parts)
        chunks = [current[start : start + size] for start in range(0, len(current), size)]
        for place, chunk in enumerate(chunks):
            rest = tuple(item for other, each in enumerate(chunks) if other != place for item in each)
            if holds(rest):
                current, parts = rest, max(parts - 1, 2)
                break
            if len(chunks) > 2 and holds(chunk):
                current, parts = chunk, 2
                break
        else:
            if parts >= len(current):
                break
            parts = min(len(current), 2 * parts)
    return current
