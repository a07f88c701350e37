"""Correction of p-values for several tests."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return Holm's adjusted p-values, in the order of the given ones.

    If the hypotheses whose adjusted value is at most 0.05 are rejected, the chance of a false one among
    all of them is at most 5%, regardless of dependence between the tests.

    Source: Holm (1979), A simple sequentially rejective multiple test procedure, Scandinavian Journal of
    Statistics 6:65-70.
    """
    order = sorted(range(len(p_values)), key=lambda index: p_values[index])
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, index in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = highest
    return tuple(adjusted)
