"""Rates, their intervals, and paired tests: pure functions of counts."""

from __future__ import annotations

import math
from dataclasses import dataclass

_Z95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of successes among trials.

    Attributes:
        successes: How many.
        trials: Out of how many.
    """

    successes: int
    trials: int

    def __post_init__(self) -> None:
        if not 0 <= self.successes <= self.trials:
            raise ValueError(f"{self.successes} successes of {self.trials} trials")

    @property
    def value(self) -> float | None:
        """The share from 0 to 1; None without a trial."""
        return self.successes / self.trials if self.trials else None

    def interval(self, z: float = _Z95) -> tuple[float, float] | None:
        """Wilson's score interval (Wilson 1927); None without a trial.

        Args:
            z: Quantile of the normal distribution; 95 % unless given.
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


@dataclass(frozen=True, slots=True)
class Paired:
    """Outcomes of the same trials under two conditions.

    Attributes:
        both: Succeeded under both.
        only_first, only_second: Succeeded under one of them only.
        neither: Failed under both.
    """

    both: int
    only_first: int
    only_second: int
    neither: int

    @property
    def trials(self) -> int:
        """How many pairs."""
        return self.both + self.only_first + self.only_second + self.neither

    @property
    def p_value(self) -> float:
        """The exact two-sided McNemar test (binomial on the discordant pairs); 1 without any."""
        n = self.only_first + self.only_second
        if n == 0:
            return 1.0
        k = min(self.only_first, self.only_second)
        tail = sum(math.comb(n, i) for i in range(k + 1))
        return float(min(1.0, 2 * tail / 2**n))


def pair(outcomes: list[tuple[bool, bool]]) -> Paired:
    """Count pairs of outcomes (first condition, second condition)."""
    return Paired(
        both=sum(a and b for a, b in outcomes),
        only_first=sum(a and not b for a, b in outcomes),
        only_second=sum(b and not a for a, b in outcomes),
        neither=sum(not a and not b for a, b in outcomes),
    )
