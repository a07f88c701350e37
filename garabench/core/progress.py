"""The progress of a long operation: how many of its items are done, and the result of the last one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Progress(Generic[T]):
    """The progress after an item is done.

    Attributes:
        done: Number of items that are done.
        total: Number of all items.
        result: The result of the item that has just been done.
    """

    done: int
    total: int
    result: T
