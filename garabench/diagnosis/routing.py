"""Failure categories, and how the candidate probes of a round are distributed over the three types."""

from __future__ import annotations

import enum
from collections.abc import Mapping

from garabench.diagnosis.probe import ProbeType


class FailureCategory(enum.StrEnum):
    """Why an episode failed, as far as its record shows; it decides which probes are tried."""

    INSUFFICIENT_EXPLORATION = "insufficient_exploration"
    """The agent gave up too early, or did not scroll or navigate enough."""
    WRONG_STRATEGY = "wrong_strategy"
    """The agent found the right elements and used them in a wrong way."""
    WRONG_TARGET = "wrong_target"
    """The agent acted on a wrong element."""
    ENV_BOUNDARY = "env_boundary"
    """A component of the app responds to nothing that the agent tries."""
    UNKNOWN = "unknown"


Weights = Mapping[ProbeType, float]

_SUCCESSES: Mapping[FailureCategory, tuple[int, int, int]] = {
    FailureCategory.INSUFFICIENT_EXPLORATION: (1, 7, 0),
    FailureCategory.WRONG_STRATEGY: (3, 0, 0),
    FailureCategory.WRONG_TARGET: (2, 0, 0),
    FailureCategory.ENV_BOUNDARY: (2, 1, 0),
    FailureCategory.UNKNOWN: (0, 0, 0),
}
"""Successful probes of the types A, B and C in the pilot of DiagEval (arXiv 2605.17439, table 6)."""


def routing_weights(category: FailureCategory) -> dict[ProbeType, float]:
    """Return the share of each type for a category: the pilot's counts with Laplace smoothing."""
    counts = _SUCCESSES[category]
    total = sum(counts) + len(counts)
    return {kind: (count + 1) / total for kind, count in zip(ProbeType, counts, strict=True)}


def quotas(weights: Weights, candidates: int) -> dict[ProbeType, int]:
    """Distribute candidates over the types by rounding, with a remainder repair.

    Args:
        weights: The share of each type.
        candidates: Number of candidates; with three or more, each type gets at least one.

    Returns:
        The number of candidates of each type; they sum to `candidates`.

    Raises:
        ValueError: `candidates` is negative.
    """
    if candidates < 0:
        raise ValueError("the number of candidates is negative")
    least = 1 if candidates >= len(ProbeType) else 0
    ideal = {kind: weights[kind] * candidates for kind in ProbeType}
    result = {kind: max(least, round(ideal[kind])) for kind in ProbeType}
    while (surplus := sum(result.values()) - candidates) != 0:
        if surplus > 0:  # the last type gives way among equals
            kinds = [kind for kind in reversed(ProbeType) if result[kind] > least]
            result[max(kinds, key=lambda kind: result[kind] - ideal[kind])] -= 1
        else:
            result[max(ProbeType, key=lambda kind: ideal[kind] - result[kind])] += 1
    return result
