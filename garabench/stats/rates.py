"""Rates with confidence intervals; pure functions of counts."""

from __future__ import annotations

from dataclasses import dataclass

from garabench.stats.intervals import Z95, Interval, wilson_interval


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

    def interval(self, z: float = Z95) -> Interval | None:
        """Return Wilson's score interval; None without a trial.

        Args:
            z: Quantile of the normal distribution; the default gives 95%.
        """
        return wilson_interval(self.successes, self.trials, z) if self.trials else None


NO_TRIAL = Rate(0, 0)
"""The rate of nothing."""
