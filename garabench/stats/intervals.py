"""Confidence intervals as values, and the interval of a difference between paired proportions.

Wilson's interval of a single rate is `garabench.stats.rates.Rate.interval`; intervals by resampling are in
`garabench.stats.bootstrap`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

Z95 = 1.959963984540054
"""The 97.5% quantile of the standard normal distribution."""


class Interval(NamedTuple):
    """A confidence interval.

    Attributes:
        low: Its lower end.
        high: Its upper end.
    """

    low: float
    high: float

    @property
    def excludes_zero(self) -> bool:
        """Whether it lies on one side of zero."""
        return self.low > 0 or self.high < 0

    def negated(self) -> Interval:
        """Return the interval of the opposite difference."""
        return Interval(-self.high, -self.low)


def t_quantile(freedom: float, share: float) -> float:
    """Return a quantile of Student's t distribution.

    Args:
        freedom: The degrees of freedom.
        share: The share of the distribution below the quantile.
    """
    from scipy.special import stdtrit  # takes a third of a second to import, which most commands can save

    return float(stdtrit(freedom, share))


def wilson_interval(successes: float, trials: float, z: float = Z95) -> Interval:
    """Return Wilson's score interval of a proportion.

    It stays within 0 and 1, and has its coverage also with few trials and near the ends.

    Args:
        successes: Number of successes; a fraction is allowed for an effective number.
        trials: Number of trials, more than 0.
        z: Quantile of the normal distribution; the default gives 95%.

    Source: Wilson (1927), Probable inference, the law of succession, and statistical inference, JASA
    22:209-212.
    """
    n, p = trials, successes / trials
    center = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(max(0.0, p * (1 - p)) / n + z * z / (4 * n * n))
    # The bounds are exactly 0 and 1 at the ends; rounding must not move them.
    low = 0.0 if successes <= 0 else max(0.0, center - half)
    high = 1.0 if successes >= n else min(1.0, center + half)
    return Interval(low, high)


def paired_difference_interval(
    both: float, only_first: float, only_second: float, neither: float, z: float = Z95
) -> Interval | None:
    """Return Newcombe's hybrid score interval of a difference between paired proportions, first minus second.

    It has a width also where no pair differs, for example if all trials succeeded under both conditions.

    Args:
        both: Pairs that succeeded under both conditions.
        only_first: Pairs that succeeded under the first condition only.
        only_second: Pairs that succeeded under the second condition only.
        neither: Pairs that failed under both.
        z: Quantile of the normal distribution; the default gives 95%.

    Returns:
        None without a pair.

    Source: Newcombe (1998), Improved confidence intervals for the difference between binomial proportions
    based on paired data, Statistics in Medicine 17:2635-2650, method 10.
    """
    n = both + only_first + only_second + neither
    if not n:
        return None
    first, second = (both + only_first) / n, (both + only_second) / n
    low1, high1 = wilson_interval(both + only_first, n, z)
    low2, high2 = wilson_interval(both + only_second, n, z)
    margins = (both + only_first) * (only_second + neither) * (both + only_second) * (only_first + neither)
    phi = 0.0
    if margins:
        product = both * neither - only_first * only_second
        corrected = max(0.0, product - n / 2) if product > 0 else product
        phi = corrected / math.sqrt(margins)
    below1, above1, below2, above2 = first - low1, high1 - first, second - low2, high2 - second
    down = math.sqrt(max(0.0, below1**2 - 2 * phi * below1 * above2 + above2**2))
    up = math.sqrt(max(0.0, above1**2 - 2 * phi * above1 * below2 + below2**2))
    difference = (only_first - only_second) / n
    return Interval(max(-1.0, difference - down), min(1.0, difference + up))
