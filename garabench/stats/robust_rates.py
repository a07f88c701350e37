"""Bootstrap intervals of the drop and of the robust success rate (RSR)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from garabench.records.plan import CLEAN
from garabench.stats.bootstrap import DRAWS, Floats
from garabench.stats.intervals import Interval
from garabench.stats.measures import DropRow
from garabench.stats.outcomes import OutcomeTable
from garabench.stats.paired_comparisons import FEW_TASKS, Contrast, PairedComparison, task_bootstrap
from garabench.stats.repeats import RepeatedTask, clustered_interval


@dataclass(frozen=True)
class _Ratio:
    """A robust success rate by task: pairs solved under both conditions, and pairs solved clean."""

    both: Floats
    clean: Floats


def with_intervals(
    rows: Sequence[DropRow],
    table: OutcomeTable,
    comparisons: Sequence[PairedComparison],
    *,
    draws: int = DRAWS,
    seed: int = 0,
) -> tuple[DropRow, ...]:
    """Return the rows with their bootstrap intervals.

    Args:
        rows: The rows.
        table: The outcomes from which the rows were computed.
        comparisons: The comparisons of the same outcomes, which have the intervals of the drops.
        draws: Number of bootstrap draws.
        seed: Seed of the draws.
    """
    drops = {
        (each.first, each.condition): each for each in comparisons if each.contrast is Contrast.INTERRUPTED
    }
    ratios = [_ratio(table, row, shown=shown) for row in rows for shown in (False, True)]
    intervals = task_bootstrap(
        [ratio.both for ratio in ratios], [ratio.clean for ratio in ratios], draws=draws, seed=seed
    )
    done = []
    for index, row in enumerate(rows):
        found = drops.get((row.agent, row.condition))
        rsr, shown = (
            _interval(ratios[2 * index + offset], intervals[2 * index + offset]) for offset in range(2)
        )
        drop = None if found is None or found.interval is None else found.interval.negated()
        p_value = None if found is None else found.p_value
        done.append(
            replace(
                row,
                drop_interval=drop,
                rsr_interval=rsr,
                rsr_shown_interval=shown,
                p_value=p_value,
                left_out=() if found is None else tuple((why.value, n) for why, n in found.left_out),
            )
        )
    return tuple(done)


def _ratio(table: OutcomeTable, row: DropRow, *, shown: bool) -> _Ratio:
    clean, interrupted = table.columns[row.agent, CLEAN], table.columns[row.agent, row.condition]
    solved = clean.valid & interrupted.valid & clean.solved
    if shown:
        solved = solved & interrupted.shown
    return _Ratio(table.by_task(solved & interrupted.solved), table.by_task(solved))


def _interval(ratio: _Ratio, bootstrapped: Interval | None) -> Interval | None:
    """Return the bootstrap's interval, or Wilson's over tasks if few pairs are solved, or few are not.

    One task cannot be resampled; Wilson's interval of it is as wide as that of its success rate.
    """
    solved = float(ratio.both.sum())
    if bootstrapped is not None and min(solved, float(ratio.clean.sum()) - solved) >= FEW_TASKS:
        return bootstrapped
    tasks = zip(ratio.both.astype(int).tolist(), ratio.clean.astype(int).tolist(), strict=True)
    return clustered_interval([RepeatedTask(both, clean) for both, clean in tasks])
