"""Means with the number of values that they are over."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean


@dataclass(frozen=True, slots=True)
class Mean:
    """An arithmetic mean and its denominator.

    Attributes:
        value: The mean; None without a value.
        count: Number of values that it is over.
    """

    value: float | None
    count: int


NO_VALUE = Mean(None, 0)
"""The mean of nothing."""


def mean_of(values: Iterable[float]) -> Mean:
    """Return the mean of values."""
    found = list(values)
    return Mean(fmean(found), len(found)) if found else NO_VALUE
