"""Compare agents and conditions over runs: the rows of every table, from records alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from garabench.core.end_criterion import EndCriterion
from garabench.errors import InputError
from garabench.records.device_environment import DeviceKind
from garabench.records.reader import Run, load_run
from garabench.records.results import Summary
from garabench.stats.bootstrap import DRAWS
from garabench.stats.breakdown import BreakdownRow, GroupedBy, breakdown_rows
from garabench.stats.comparability import Incomparable, incomparable_reasons
from garabench.stats.excluded import ExcludedRow, excluded_rows
from garabench.stats.follow_ups import FollowUpRow, follow_up_rows
from garabench.stats.infeasible import InfeasibleRow, infeasible_rows
from garabench.stats.measures import ConditionRow, DropRow, condition_rows, drop_rows
from garabench.stats.outcomes import OutcomeTable, outcome_table
from garabench.stats.paired_comparisons import PairedComparison, paired_comparisons
from garabench.stats.power_analysis import PowerRow, power_rows
from garabench.stats.recovery import RecoveryRow, recovery_rows
from garabench.stats.repeats import RepeatRow, repeat_rows
from garabench.stats.robust_rates import with_intervals
from garabench.stats.statements import Statement, statements
from garabench.stats.usage import UsageRow, usage_rows


@dataclass(frozen=True, kw_only=True)
class ResultTables:
    """The rows of all tables about some episodes, each computed on first use.

    Attributes:
        summaries: One for each ended episode, of one kind of device, one stress level and one ``--end``.
        draws: Number of bootstrap draws.
    """

    summaries: tuple[Summary, ...]
    draws: int = DRAWS

    @cached_property
    def conditions(self) -> tuple[ConditionRow, ...]:
        """Success by agent and condition."""
        return condition_rows(self.summaries)

    @cached_property
    def follow_ups(self) -> tuple[FollowUpRow, ...]:
        """Interruptions whose second stage could not be performed in full, by agent and condition."""
        return follow_up_rows(self.summaries)

    @cached_property
    def outcomes(self) -> OutcomeTable:
        """Outcomes aligned by task and seed."""
        return outcome_table(self.summaries)

    @cached_property
    def comparisons(self) -> tuple[PairedComparison, ...]:
        """Agents, conditions and drops compared pair by pair."""
        return paired_comparisons(self.outcomes, draws=self.draws)

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """What the comparisons establish and what they do not, in sentences."""
        return statements(self.comparisons)

    @cached_property
    def drops(self) -> tuple[DropRow, ...]:
        """Drop and robust success rate of each agent, paired by task and seed, with bootstrap intervals."""
        return with_intervals(drop_rows(self.summaries), self.outcomes, self.comparisons, draws=self.draws)

    @cached_property
    def recovery(self) -> tuple[RecoveryRow, ...]:
        """Recovery from interruptions and perception drift, by agent and condition."""
        return recovery_rows(self.summaries)

    @cached_property
    def repeats(self) -> tuple[RepeatRow, ...]:
        """Agreement, flips, pass@k and pass^k over repeated seeds."""
        return repeat_rows(self.summaries)

    @cached_property
    def excluded(self) -> tuple[ExcludedRow, ...]:
        """Episodes that are in no rate, by reason."""
        return excluded_rows(self.summaries)

    @cached_property
    def infeasible(self) -> tuple[InfeasibleRow, ...]:
        """Results on infeasible tasks, which are in no other table."""
        return infeasible_rows(self.summaries)

    @cached_property
    def usage(self) -> tuple[UsageRow, ...]:
        """Tokens, money and seconds by agent and condition."""
        return usage_rows(self.summaries)

    def breakdown(self, by: GroupedBy) -> tuple[BreakdownRow, ...]:
        """Return success broken down by app, category, mode, depth, interruption or exit."""
        return breakdown_rows(self.summaries, by)

    def power(self, difference: float) -> tuple[PowerRow, ...]:
        """Return how many tasks or seeds a difference of success rates needs.

        Args:
            difference: The difference, as a share from 0 to 1.

        Raises:
            ValueError: The difference is not above 0 and below 1.
        """
        return power_rows(self.outcomes, self.comparisons, difference)


@dataclass(frozen=True, kw_only=True)
class Comparison(ResultTables):
    """Runs that may be compared, and the rows of their tables.

    Attributes:
        runs: At least one.
        warnings: Why the runs are not fully comparable; empty if they are.
    """

    runs: tuple[Run, ...]
    warnings: tuple[Incomparable, ...] = ()

    @property
    def kind(self) -> DeviceKind:
        """Kind of device on which all runs were performed."""
        return self.runs[0].kind

    @property
    def suite_hash(self) -> str:
        """Hash of the first run's suite; `warnings` says if the others have another one."""
        return self.runs[0].file.suite_hash

    @property
    def stress_level(self) -> int | None:
        """Requested interruptions per episode; None if the rules alone decide."""
        return self.runs[0].plan.interruptions

    @property
    def end(self) -> EndCriterion:
        """When the episodes of all runs ended."""
        return self.runs[0].plan.end


def compare(
    runs: Sequence[Run | Path | str] | Run | Path | str, *, strict: bool = False, draws: int = DRAWS
) -> Comparison:
    """Compare agents and conditions over one or more runs.

    Args:
        runs: Runs, or their folders.
        strict: Refuse runs that are not fully comparable, instead of listing the reasons as
            `Comparison.warnings`.
        draws: Number of bootstrap draws.

    Raises:
        InputError: There is no run, one cannot be read, or they may not be compared: see
            `garabench.stats.comparability`.
    """
    given = [runs] if isinstance(runs, Run | Path | str) else list(runs)
    loaded = tuple(run if isinstance(run, Run) else load_run(run) for run in given)
    if not loaded:
        raise InputError("no run was given to compare")
    reasons = incomparable_reasons(loaded)
    for reason in reasons:
        if strict or reason.difference.refused:
            raise InputError(reason.message, hint=reason.hint)
    summaries = tuple(summary for run in loaded for summary in run.summaries)
    return Comparison(runs=loaded, summaries=summaries, draws=draws, warnings=reasons)
