"""Paired comparisons: agent against agent, interrupted against clean, and the drops of two agents."""

from __future__ import annotations

import enum
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from garabench.core.seeds import derive
from garabench.records.plan import CLEAN
from garabench.stats.bootstrap import DRAWS, Floats, percentile_interval, resampled_ratios, resampling_weights
from garabench.stats.intervals import Interval, paired_difference_interval
from garabench.stats.multiple_testing import holm
from garabench.stats.outcomes import Bools, OutcomeColumn, OutcomeTable, Unpaired
from garabench.stats.paired_tests import PairedOutcomes
from garabench.stats.rates import Rate
from garabench.stats.sign_flips import sign_flip_p_value

ALPHA = 0.05
"""A difference is established if its p-value, adjusted for all comparisons of its kind, is at most this."""
FEW_TASKS = 10
"""With fewer differing tasks, the bootstrap's interval would be too narrow."""
_COLUMNS = 64  # resampled at once


class Contrast(enum.StrEnum):
    """What is compared."""

    AGENTS = "agents"
    """Success of two agents under one condition."""
    INTERRUPTED = "interrupted"
    """Success of one agent under an interrupted condition, against clean."""
    DROPS = "drops"
    """The drops of two agents under one interrupted condition."""


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """A comparison of two sides on the same tasks and seeds.

    Attributes:
        contrast: What is compared.
        first, second: The agents; the same one for `Contrast.INTERRUPTED`.
        condition: The condition; for `Contrast.INTERRUPTED` the interrupted one, which is the second side.
        reference: Whether either is a reference agent.
        first_rate, second_rate: The success rates over the pairs; None for `Contrast.DROPS`.
        first_value, second_value: The compared values: success rates, or drops; None without a pair.
        difference: The second value minus the first one; None without a pair.
        interval: The 95% interval of the difference, from the bootstrap over tasks; None with fewer than two
            tasks.
        p_value: P-value of the exact sign-flip test over tasks (McNemar's test, with one seed per task); None
            without a pair.
        adjusted: The p-value after Holm's correction.
        tests: Number of tests that it was corrected for: those of the same contrast and condition, apart for
            reference agents.
        pairs, tasks: Number of pairs, and of their tasks.
        paired: The pairs by their outcomes; None for `Contrast.DROPS`.
        left_out: Number of tasks and seeds that are in no pair, by reason.
    """

    contrast: Contrast
    first: str
    second: str
    condition: str
    reference: bool
    first_rate: Rate | None
    second_rate: Rate | None
    first_value: float | None
    second_value: float | None
    difference: float | None
    interval: Interval | None
    p_value: float | None
    adjusted: float | None
    tests: int
    pairs: int
    tasks: int
    paired: PairedOutcomes | None
    left_out: tuple[tuple[Unpaired, int], ...]

    @property
    def established(self) -> bool:
        """Whether the difference is established for tasks like these."""
        return self.adjusted is not None and self.adjusted <= ALPHA and self.tasks > 1


@dataclass(frozen=True)
class _Sums:
    """A comparison before its interval and correction: its differences, and pairs, by task."""

    comparison: PairedComparison
    differences: Floats
    pairs: Floats


def paired_comparisons(
    table: OutcomeTable, *, draws: int = DRAWS, seed: int = 0
) -> tuple[PairedComparison, ...]:
    """Compare pairs of agents under each condition, and each agent's interrupted conditions with clean.

    Reference agents follow the reference solution and are not contenders: they are compared with each other
    only if there are no other agents.

    Args:
        table: The outcomes.
        draws: Number of bootstrap draws.
        seed: Seed of the draws.
    """
    found = [*_interrupted(table), *_agents(table), *_drops(table)]
    intervals = task_bootstrap(
        [each.differences for each in found], [each.pairs for each in found], draws=draws, seed=seed
    )
    done = [
        replace(each.comparison, interval=_interval(interval, each))
        for each, interval in zip(found, intervals, strict=True)
    ]
    return _corrected(done)


def task_bootstrap(
    numerators: Sequence[Floats], denominators: Sequence[Floats], *, draws: int = DRAWS, seed: int = 0
) -> list[Interval | None]:
    """Return bootstrap intervals of ratios of sums over tasks.

    Args:
        numerators: For each ratio, its numerator by task.
        denominators: Likewise; tasks with 0 are left out of the ratio.
        draws: Number of draws.
        seed: Seed of the draws.
    """
    intervals: list[Interval | None] = [None] * len(numerators)
    by_count: dict[int, list[int]] = {}
    for index, below in enumerate(denominators):
        by_count.setdefault(int(np.count_nonzero(below)), []).append(index)
    for count, indices in by_count.items():
        if count < 2:
            continue
        generator = np.random.default_rng(derive(seed, "bootstrap", count))
        weights = resampling_weights(count, draws, generator)
        for start in range(0, len(indices), _COLUMNS):
            chosen = indices[start : start + _COLUMNS]
            above = np.column_stack([numerators[i][denominators[i] > 0] for i in chosen])
            below = np.column_stack([denominators[i][denominators[i] > 0] for i in chosen])
            resampled = resampled_ratios(weights, above, below)
            for index, column in zip(chosen, resampled.T, strict=True):
                intervals[index] = percentile_interval(column, count)
    return intervals


def _interval(bootstrapped: Interval | None, sums: _Sums) -> Interval | None:
    """Return the interval of a comparison: the bootstrap's, or Newcombe's if only a few tasks differ.

    Resamples of a few differing tasks say little about how many others would differ, and of none nothing.
    Newcombe's interval gets the tasks as its pairs, so that their seeds do not narrow it.
    """
    if bootstrapped is None or np.count_nonzero(sums.differences) >= FEW_TASKS:
        return bootstrapped
    tasks = sums.comparison.tasks
    if (paired := sums.comparison.paired) is not None:
        share = tasks / paired.trials
        counts = (paired.both, paired.only_first, paired.only_second, paired.neither)
        found = paired_difference_interval(*(count * share for count in counts))
        return None if found is None else found.negated()
    means = sums.differences[sums.pairs > 0] / sums.pairs[sums.pairs > 0]
    up, down = float(means.clip(0, 1).sum()), float(-means.clip(-1, 0).sum())
    alike = max(0.0, tasks - up - down) / 2
    return paired_difference_interval(alike, up, down, alike)


def _corrected(comparisons: Sequence[PairedComparison]) -> tuple[PairedComparison, ...]:
    families: dict[tuple[Contrast, str, bool], list[int]] = {}
    for index, each in enumerate(comparisons):
        if each.p_value is not None:
            families.setdefault((each.contrast, each.condition, each.reference), []).append(index)
    done = list(comparisons)
    for indices in families.values():
        adjusted = holm([comparisons[index].p_value or 0.0 for index in indices])
        for index, value in zip(indices, adjusted, strict=True):
            done[index] = replace(comparisons[index], adjusted=value, tests=len(indices))
    return tuple(done)


def _interrupted(table: OutcomeTable) -> Iterator[_Sums]:
    for (agent, condition), column in table.columns.items():
        clean = table.columns.get((agent, CLEAN))
        if condition != CLEAN and clean is not None:
            yield _successes(table, Contrast.INTERRUPTED, clean, column)


def _agents(table: OutcomeTable) -> Iterator[_Sums]:
    for condition in table.conditions:
        columns = [column for column in _contenders(table) if column.condition == condition]
        for first, second in itertools.combinations(columns, 2):
            yield _successes(table, Contrast.AGENTS, first, second)


def _contenders(table: OutcomeTable) -> list[OutcomeColumn]:
    columns = list(table.columns.values())
    return [column for column in columns if not column.reference] or columns


def _successes(table: OutcomeTable, contrast: Contrast, first: OutcomeColumn, second: OutcomeColumn) -> _Sums:
    pairs = first.valid & second.valid
    one, two = first.solved & pairs, second.solved & pairs
    count = int(pairs.sum())
    paired = PairedOutcomes(
        both=int((one & two).sum()),
        only_first=int((one & ~two).sum()),
        only_second=int((two & ~one).sum()),
        neither=int((pairs & ~one & ~two).sum()),
    )
    first_rate, second_rate = Rate(int(one.sum()), count), Rate(int(two.sum()), count)
    sums = _comparison(table, contrast, (first, second), pairs, two.astype(np.int64) - one)
    comparison = replace(
        sums.comparison,
        first_rate=first_rate,
        second_rate=second_rate,
        first_value=first_rate.value,
        second_value=second_rate.value,
        paired=paired,
    )
    return replace(sums, comparison=comparison)


def _drops(table: OutcomeTable) -> Iterator[_Sums]:
    for condition in table.conditions:
        agents = [
            column.agent
            for column in _contenders(table)
            if column.condition == condition != CLEAN and (column.agent, CLEAN) in table.columns
        ]
        for first, second in itertools.combinations(agents, 2):
            yield _two_drops(table, condition, first, second)


def _two_drops(table: OutcomeTable, condition: str, first: str, second: str) -> _Sums:
    columns = [table.columns[agent, name] for agent in (first, second) for name in (CLEAN, condition)]
    pairs = np.logical_and.reduce([column.valid for column in columns])
    one, two = (
        (columns[index].solved & pairs).astype(np.int64) - (columns[index + 1].solved & pairs)
        for index in (0, 2)
    )
    ordered = (columns[1], columns[3], columns[0], columns[2])
    sums = _comparison(table, Contrast.DROPS, ordered, pairs, two - one)
    count = int(pairs.sum())
    if not count:
        return sums
    comparison = replace(
        sums.comparison, first_value=int(one.sum()) / count, second_value=int(two.sum()) / count
    )
    return replace(sums, comparison=comparison)


def _comparison(
    table: OutcomeTable,
    contrast: Contrast,
    columns: Sequence[OutcomeColumn],
    pairs: Bools,
    differences: npt.NDArray[np.int64],
) -> _Sums:
    first, second = columns[:2]
    by_task, pairs_by_task = table.by_task(differences), table.by_task(pairs)
    count = int(pairs.sum())
    comparison = PairedComparison(
        contrast=contrast,
        first=first.agent,
        second=second.agent,
        condition=second.condition,
        reference=first.reference or second.reference,
        first_rate=None,
        second_rate=None,
        first_value=None,
        second_value=None,
        difference=int(differences.sum()) / count if count else None,
        interval=None,
        p_value=sign_flip_p_value(by_task.astype(int).tolist()) if count else None,
        adjusted=None,
        tests=0,
        pairs=count,
        tasks=int(np.count_nonzero(pairs_by_task)),
        paired=None,
        left_out=table.left_out(*columns),
    )
    return _Sums(comparison, by_task, pairs_by_task)


def differences_by_task(table: OutcomeTable, comparison: PairedComparison) -> dict[str, list[float]]:
    """Return the differences of a comparison's pairs by task, second minus first; not for drops."""
    one_condition = CLEAN if comparison.contrast is Contrast.INTERRUPTED else comparison.condition
    first = table.columns[comparison.first, one_condition]
    second = table.columns[comparison.second, comparison.condition]
    found: dict[str, list[float]] = {}
    for cell in np.flatnonzero(first.valid & second.valid):
        difference = float(second.solved[cell]) - float(first.solved[cell])
        found.setdefault(table.tasks[table.task_of[cell]], []).append(difference)
    return found
