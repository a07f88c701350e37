"""Find what a handler changed in an app's data, and undo exactly that."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

_MISSING = object()


@dataclass(frozen=True, slots=True)
class DataChange:
    """A changed value of an app's data.

    Attributes:
        path: The keys that lead to it; a list is one value.
        before: The value before the change; a marker if there was none.
    """

    path: tuple[str, ...]
    before: object


def changes(before: dict[str, Any], after: dict[str, Any]) -> tuple[DataChange, ...]:
    """Return the values that differ, those that were added included."""
    return tuple(_changes(before, after, ()))


def _changes(before: dict[str, Any], after: dict[str, Any], path: tuple[str, ...]) -> Iterator[DataChange]:
    for key in dict.fromkeys((*before, *after)):
        was, now = before.get(key, _MISSING), after.get(key, _MISSING)
        if isinstance(was, dict) and isinstance(now, dict):
            yield from _changes(was, now, (*path, key))
        elif was is not now and was != now:
            yield DataChange((*path, key), was)


def undo(data: dict[str, Any], found: Sequence[DataChange]) -> None:
    """Set the values to what they were, in the same containers, which apps may hold on to."""
    for change in found:
        _set(data, change)


def _set(data: dict[str, Any], change: DataChange) -> None:
    here = data
    for key in change.path[:-1]:
        inner = here.get(key)
        if not isinstance(inner, dict):
            return  # replaced since; nothing of the change is left
        here = inner
    key, now = change.path[-1], here.get(change.path[-1])
    if change.before is _MISSING:
        here.pop(key, None)
    elif isinstance(now, list) and isinstance(change.before, list):
        now[:] = copy.deepcopy(change.before)
    else:
        here[key] = copy.deepcopy(change.before)
