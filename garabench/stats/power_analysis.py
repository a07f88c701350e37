"""Power of the comparisons of a run: what it could find, and how many tasks or seeds would be needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from garabench.stats.outcomes import OutcomeTable
from garabench.stats.paired_comparisons import Contrast, PairedComparison, differences_by_task
from garabench.stats.power import (
    ALPHA,
    POWER,
    detectable_difference,
    estimate_variance,
    seeds_needed,
    tasks_needed,
)


@dataclass(frozen=True, slots=True)
class PowerRow:
    """The power of one comparison, by the variance that was observed in it.

    Attributes:
        contrast, first, second, condition: The comparison.
        tasks, seeds: Number of paired tasks, and the mean number of seeds of one.
        detectable: The smallest difference that is found with these tasks and seeds; None with fewer than two
            tasks.
        difference: The wanted difference.
        tasks_needed: Number of tasks that it needs with as many seeds; None with fewer than two tasks.
        seeds_needed: Number of seeds that it needs with as many tasks; None if no number suffices, or without
            a task of several seeds.
        seeds_known: Whether a task has several seeds, without which `seeds_needed` cannot be estimated.
        power: The chance with which a difference is found.
        alpha: The significance level; without a correction for several tests.
    """

    contrast: Contrast
    first: str
    second: str
    condition: str
    tasks: int
    seeds: float
    detectable: float | None
    difference: float
    tasks_needed: int | None
    seeds_needed: int | None
    seeds_known: bool
    power: float = POWER
    alpha: float = ALPHA


def power_rows(
    table: OutcomeTable, comparisons: Sequence[PairedComparison], difference: float
) -> tuple[PowerRow, ...]:
    """Return a row for each comparison of success rates.

    Args:
        table: The outcomes.
        comparisons: Their comparisons; those of drops are left out.
        difference: The difference that is to be found, as a share from 0 to 1.

    Raises:
        ValueError: The difference is not above 0 and below 1.
    """
    if not 0 < difference < 1:
        raise ValueError(f"no power for a difference of {difference}")
    wanted = (each for each in comparisons if each.contrast is not Contrast.DROPS)
    return tuple(_row(table, each, difference) for each in wanted)


def _row(table: OutcomeTable, comparison: PairedComparison, difference: float) -> PowerRow:
    differences = differences_by_task(table, comparison)
    spread = estimate_variance(differences)
    seeds = comparison.pairs / comparison.tasks if comparison.tasks else 0.0
    found = None
    if spread is not None:
        raised = spread.at_least(difference)
        used = max(1, round(seeds)) if raised.within is not None else 1
        found = (
            detectable_difference(spread, comparison.tasks, used),
            tasks_needed(raised, difference, used),
            seeds_needed(raised, difference, comparison.tasks) if raised.within is not None else None,
        )
    detectable, tasks, needed = found or (None, None, None)
    return PowerRow(
        contrast=comparison.contrast,
        first=comparison.first,
        second=comparison.second,
        condition=comparison.condition,
        tasks=comparison.tasks,
        seeds=seeds,
        detectable=detectable,
        difference=difference,
        tasks_needed=tasks,
        seeds_needed=needed,
        seeds_known=spread is not None and spread.within is not None,
    )
