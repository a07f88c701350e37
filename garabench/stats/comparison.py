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
from garabench.stats.comparability import incomparable_reasons
from garabench.stats.follow_ups import FollowUpRow, follow_up_rows
from garabench.stats.infeasible import InfeasibleRow, infeasible_rows
from garabench.stats.measures import ConditionRow, DropRow, condition_rows, drop_rows
from garabench.stats.usage import UsageRow, usage_rows


@dataclass(frozen=True)
class Comparison:
    """Runs that may be compared, and the rows of their tables.

    Attributes:
        runs: At least one.
        summaries: One for each ended episode of all runs.
    """

    runs: tuple[Run, ...]
    summaries: tuple[Summary, ...]

    @property
    def kind(self) -> DeviceKind:
        """Kind of device on which all runs were performed."""
        return self.runs[0].kind

    @property
    def suite_hash(self) -> str:
        """Hash of the suite that all runs have in common."""
        return self.runs[0].file.suite_hash

    @property
    def stress_level(self) -> int | None:
        """Requested interruptions per episode; None if the rules alone decide."""
        return self.runs[0].plan.interruptions

    @property
    def end(self) -> EndCriterion:
        """When the episodes of all runs ended."""
        return self.runs[0].plan.end

    @cached_property
    def conditions(self) -> tuple[ConditionRow, ...]:
        """Success by agent and condition."""
        return condition_rows(self.summaries)

    @cached_property
    def follow_ups(self) -> tuple[FollowUpRow, ...]:
        """Interruptions whose second stage could not be performed in full, by agent and condition."""
        return follow_up_rows(self.summaries)

    @cached_property
    def drops(self) -> tuple[DropRow, ...]:
        """Drop and robust success rate of each agent, paired by task and seed."""
        return drop_rows(self.summaries)

    @cached_property
    def infeasible(self) -> tuple[InfeasibleRow, ...]:
        """Results on infeasible tasks, which are in no other table."""
        return infeasible_rows(self.summaries)

    @cached_property
    def usage(self) -> tuple[UsageRow, ...]:
        """Tokens, money and seconds by agent and condition."""
        return usage_rows(self.summaries)


def compare(runs: Sequence[Run | Path | str] | Run | Path | str) -> Comparison:
    """Compare agents and conditions over one or more runs.

    Args:
        runs: Runs, or their folders.

    Raises:
        InputError: There is no run, one cannot be read, or they may not be compared: see
            `garabench.stats.comparability`.
    """
    given = [runs] if isinstance(runs, Run | Path | str) else list(runs)
    loaded = tuple(run if isinstance(run, Run) else load_run(run) for run in given)
    if not loaded:
        raise InputError("no run was given to compare")
    for reason in incomparable_reasons(loaded):
        raise InputError(reason.message, hint=reason.hint)
    return Comparison(loaded, tuple(summary for run in loaded for summary in run.summaries))
