"""Rates with confidence intervals; pure functions of counts."""

from __future__ import annotations

from dataclasses import dataclass, field

from garabench.stats.intervals import Z95, Interval, wilson_interval


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of successes among trials.

    Attributes:
        successes: Number of successes.
        trials: Number of trials.
        effective: Number of independent trials that the trials are worth, if several are of one task; None if
            each counts in full.
    """

    successes: int
    trials: int
    effective: float | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not 0 <= self.successes <= self.trials:
            raise ValueError(f"{self.successes} successes of {self.trials} trials")

    @property
    def value(self) -> float | None:
        """The share, 0 to 1; None without a trial."""
        return self.successes / self.trials if self.trials else None

    def interval(self, z: float = Z95) -> Interval | None:
        """Return Wilson's score interval, of the effective number of trials; None without a trial.

        Args:
            z: Quantile of the normal distribution; the default gives 95%.
        """
        if not self.trials:
            return None
        if self.effective is None:
            return wilson_interval(self.successes, self.trials, z)
        return wilson_interval(self.successes / self.trials * self.effective, self.effective, z)


NO_TRIAL = Rate(0, 0)
"""The rate of nothing."""
