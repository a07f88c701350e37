"""The rows of all tables about some episodes, and the same as JSON data."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from garabench.records.results import Summary
from garabench.stats.bootstrap import DRAWS
from garabench.stats.breakdown import BreakdownRow, GroupedBy, breakdown_rows
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
from garabench.stats.side_effects import SideEffectRow, side_effect_rows
from garabench.stats.statements import Statement, statements
from garabench.stats.usage_rows import UsageRow, usage_rows


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
        """Interruptions whose follow-up could not be performed in full, by agent and condition."""
        return follow_up_rows(self.summaries)

    @cached_property
    def side_effects(self) -> tuple[SideEffectRow, ...]:
        """Strict success and side effects, by agent and condition."""
        return side_effect_rows(self.summaries)

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


def comparison_data(tables: ResultTables, power: float | None = None) -> dict[str, Any]:
    """Return the rows of all tables as JSON data.

    Args:
        tables: The rows.
        power: The difference for which tasks and seeds are computed, as a share; None for no such rows.
    """
    data = {
        "conditions": _rows(tables.conditions),
        "follow_ups": _rows(tables.follow_ups),
        "drops": _rows(tables.drops),
        "comparisons": [
            {"text": each.text, "established": each.established, **_data(each.comparison)}
            for each in tables.statements
        ],
        "side_effects": _rows(tables.side_effects),
        "recovery": _rows(tables.recovery),
        "repeats": _rows(tables.repeats),
        "breakdowns": {by.value: _rows(tables.breakdown(by)) for by in GroupedBy},
        "excluded": _rows(tables.excluded),
        "infeasible": _rows(tables.infeasible),
        "usage": [_usage_data(row) for row in tables.usage],
    }
    return data if power is None else {**data, "power": _rows(tables.power(power))}


def _rows(rows: Sequence[Any]) -> list[dict[str, Any]]:
    return [_data(row) for row in rows]


def _data(row: Any) -> dict[str, Any]:
    """Return a row as JSON data; of a rate its counts."""
    return dataclasses.asdict(
        row, dict_factory=lambda pairs: {name: value for name, value in pairs if name != "effective"}
    )


def _usage_data(row: UsageRow) -> dict[str, Any]:
    """Return a row as JSON data; the cost is an exact decimal string, or None if unknown."""
    return _data(row) | {"cost": None if row.cost is None else format(row.cost, "f")}
