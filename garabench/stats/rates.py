"""Rates with confidence intervals; pure functions of counts."""

from __future__ import annotations

import math
from dataclasses import dataclass

_Z95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of successes among trials.

    Attributes:
        successes: Number of successes.
        trials: Number of trials.
    """

    successes: int
    trials: int

    def __post_init__(self) -> None:
        if not 0 <= self.successes <= self.trials:
            raise ValueError(f"{self.successes} successes of {self.trials} trials")

    @property
    def value(self) -> float | None:
        """The share, 0 to 1; None without a trial."""
        return self.successes / self.trials if self.trials else None

    def interval(self, z: float = _Z95) -> tuple[float, float] | None:
        """Return Wilson's score interval (Wilson 1927); None without a trial.

        Args:
            z: Quantile of the normal distribution; the default gives 95 %.
        """
        if not self.trials:
            return None
        n, p = self.trials, self.successes / self.trials
        center = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        # The bounds are exactly 0 and 1 at the ends; rounding must not move them.
        low = 0.0 if self.successes == 0 else max(0.0, center - half)
        high = 1.0 if self.successes == n else min(1.0, center + half)
        return low, high
