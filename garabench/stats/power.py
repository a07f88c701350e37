"""Power: how many tasks or seeds a difference between paired success rates needs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean

ALPHA = 0.05
POWER = 0.8
MAX_SEEDS = 1000
"""The most seeds that a run can have."""


def mcnemar_pairs(discordant: float, difference: float, power: float = POWER, alpha: float = ALPHA) -> int:
    """Return the number of independent pairs that the two-sided McNemar test needs.

    Args:
        discordant: The share of pairs with different outcomes.
        difference: The difference between both success rates, not 0 and at most `discordant`.
        power: The chance to find that difference.
        alpha: The significance level.

    Raises:
        ValueError: The difference is 0, or larger than the share of discordant pairs.

    Source: Connor (1987), Sample size for testing differences in proportions for the paired-sample design,
    Biometrics 43:207-211.
    """
    if not 0 < abs(difference) <= discordant <= 1:
        raise ValueError(f"no sample size for a difference of {difference} of {discordant} discordant pairs")
    z_alpha, z_power = _quantiles(power, alpha)
    root = z_alpha * math.sqrt(discordant) + z_power * math.sqrt(discordant - difference**2)
    return math.ceil(root**2 / difference**2)


@dataclass(frozen=True, slots=True)
class DifferenceVariance:
    """The variance of paired differences (1, 0 or -1 for each pair), in two parts.

    Attributes:
        between: Variance of the tasks' true mean differences.
        within: Variance between the seeds of one task; None if no task has several seeds, which then is part
            of `between`.
    """

    between: float
    within: float | None

    def at_least(self, difference: float) -> DifferenceVariance:
        """Return the variance that a difference has at the least, if the observed one is smaller.

        Pairs whose mean is `difference` have at least the variance of as many discordant pairs, all in one
        direction.
        """
        least = abs(difference) - difference**2
        missing = least - self.between - (self.within or 0.0)
        return self if missing <= 0 else DifferenceVariance(self.between + missing, self.within)

    def of_task_mean(self, seeds: int) -> float:
        """Return the variance of a task's mean difference over so many seeds.

        Raises:
            ValueError: Several seeds are given, but the variance between seeds is not known.
        """
        if self.within is None:
            if seeds != 1:
                raise ValueError("the variance between seeds is not known")
            return self.between
        return self.between + self.within / seeds


def estimate_variance(differences: Mapping[str, Sequence[float]]) -> DifferenceVariance | None:
    """Estimate the variance of paired differences from a run.

    Args:
        differences: The differences of each task's pairs, one per seed.

    Returns:
        None with fewer than two tasks.

    Source: the one-way random effects model by unweighted means, which for equal numbers of seeds is the
    analysis of variance; Searle, Casella and McCulloch (1992), Variance Components, chapter 3.
    """
    groups = [list(values) for values in differences.values() if values]
    if len(groups) < 2:
        return None
    spread = _variance([fmean(values) for values in groups])
    repeated = [values for values in groups if len(values) > 1]
    if not repeated:
        return DifferenceVariance(spread, None)
    freedom = sum(len(values) - 1 for values in repeated)
    within = sum(_variance(values) * (len(values) - 1) for values in repeated) / freedom
    mean_inverse = fmean([1 / len(values) for values in groups])
    return DifferenceVariance(max(0.0, spread - within * mean_inverse), within)


def _variance(values: Sequence[float]) -> float:
    """Return the sample variance; `statistics.variance` is exact, and fifty times slower."""
    mean = math.fsum(values) / len(values)
    return math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)


def tasks_needed(
    spread: DifferenceVariance, difference: float, seeds: int = 1, power: float = POWER, alpha: float = ALPHA
) -> int:
    """Return the number of tasks that a difference needs, each with so many seeds.

    Args:
        spread: The variance of the paired differences.
        difference: The difference between both success rates; not 0.
        seeds: Number of seeds per task.
        power: The chance to find that difference.
        alpha: The significance level of the two-sided test.

    Raises:
        ValueError: The difference is 0, or the variance between seeds is not known.

    Source: the normal sample size for the mean of one cluster each; Donner and Klar (2000), Design and
    Analysis of Cluster Randomization Trials.
    """
    if not difference:
        raise ValueError("no number of tasks shows a difference of 0")
    z_alpha, z_power = _quantiles(power, alpha)
    return max(2, math.ceil((z_alpha + z_power) ** 2 * spread.of_task_mean(seeds) / difference**2))


def seeds_needed(
    spread: DifferenceVariance, difference: float, tasks: int, power: float = POWER, alpha: float = ALPHA
) -> int | None:
    """Return the number of seeds per task that a difference needs on a given number of tasks.

    Returns:
        None if no number of seeds suffices, because the tasks differ too much, or if the variance between
        seeds is not known.

    Raises:
        ValueError: The difference is 0.

    Source: that of `tasks_needed`, solved for the number of seeds.
    """
    if not difference:
        raise ValueError("no number of seeds shows a difference of 0")
    if spread.within is None:
        return 1 if tasks_needed(spread, difference, 1, power, alpha) <= tasks else None
    z_alpha, z_power = _quantiles(power, alpha)
    left = tasks * difference**2 / (z_alpha + z_power) ** 2 - spread.between
    if left <= 0:
        return None
    seeds = max(1, math.ceil(spread.within / left))
    return seeds if seeds <= MAX_SEEDS else None


def detectable_difference(
    spread: DifferenceVariance, tasks: int, seeds: int = 1, power: float = POWER, alpha: float = ALPHA
) -> float:
    """Return the smallest difference that so many tasks and seeds find with the given power.

    It is not smaller than what would be found if all discordant pairs were in one direction.

    Raises:
        ValueError: There is no task, or the variance between seeds is not known.

    Source: those of `tasks_needed` and `mcnemar_pairs`, solved for the difference.
    """
    if tasks < 1:
        raise ValueError("no task")
    z_alpha, z_power = _quantiles(power, alpha)
    squared = (z_alpha + z_power) ** 2 / tasks
    return max(math.sqrt(squared * spread.of_task_mean(seeds)), squared / (1 + squared))


def _quantiles(power: float, alpha: float) -> tuple[float, float]:
    normal = NormalDist()
    return normal.inv_cdf(1 - alpha / 2), normal.inv_cdf(power)
