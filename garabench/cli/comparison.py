"""Comparison of agents and conditions: its tables, and its JSON data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from garabench.cli.cost_tables import usage_table
from garabench.cli.measure_tables import (
    breakdown_table,
    excluded_table,
    older_results,
    power_table,
    recovery_table,
    repeat_table,
    side_effect_tables,
    statement_lists,
)
from garabench.cli.table_formats import Block, TextList
from garabench.cli.tables import (
    agent_fault_list,
    condition_tables,
    drop_tables,
    error_list,
    follow_up_list,
    headline_table,
    infeasible_table,
)
from garabench.core.end_criterion import EndCriterion
from garabench.core.phrases import counted
from garabench.records.plan import CLEAN
from garabench.records.results import Summary
from garabench.stats.breakdown import GroupedBy
from garabench.stats.infeasible import infeasible_rows
from garabench.stats.measures import DropRow, condition_rows
from garabench.stats.result_tables import ResultTables


def run_summary(
    summaries: Sequence[Summary],
    kind: str,
    level: int | None = None,
    end: EndCriterion = EndCriterion.GOAL,
) -> str:
    """Return the summary of a run, which fits one screen: the headline table and the errors.

    Args:
        summaries: Episodes of one run; at least one.
        kind: ``virtual`` or ``real``.
        level: Stress level: requested interruptions per episode; None if the rules alone decide.
        end: When the episodes ended.
    """
    drops = ResultTables(summaries=tuple(summaries)).drops
    blocks = [*_headline(summaries, drops, kind, level, end), *_errors(summaries)]
    return "\n\n".join(map(str, blocks))


def _headline(
    summaries: Sequence[Summary], drops: Sequence[DropRow], kind: str, level: int | None, end: EndCriterion
) -> list[Block]:
    parts: list[Block] = [] if level is None else [_level_text(summaries, level)]
    if end is EndCriterion.DONE:
        parts.append("Episodes ended when the agent said that it was done (--end done).")
    if rows := condition_rows(summaries):
        parts.append(headline_table(rows, drops, kind))
    if infeasible := infeasible_rows(summaries):
        parts.append(infeasible_table(infeasible, kind))
    return parts


def _errors(summaries: Sequence[Summary]) -> list[TextList]:
    failed = [item for item in summaries if item.outcome == "error"]
    return [error_list(failed)] if failed else []


def comparison_blocks(
    tables: ResultTables,
    kind: str,
    level: int | None = None,
    end: EndCriterion = EndCriterion.GOAL,
    *,
    by: Sequence[GroupedBy] = (),
    power: float | None = None,
) -> list[Block]:
    """Return all tables and lists of a comparison.

    Args:
        tables: The rows of its tables.
        kind: ``virtual`` or ``real``.
        level: Stress level: requested interruptions per episode; None if the rules alone decide.
        end: When the episodes ended.
        by: What success is broken down by.
        power: The difference for which tasks and seeds are computed, as a share; None for no such table.
    """
    parts = _headline(tables.summaries, tables.drops, kind, level, end)
    parts += statement_lists(tables.statements)
    if tables.conditions:
        parts += condition_tables(tables.conditions)
    if tables.side_effects:
        parts += side_effect_tables(tables.side_effects)
    if any(row.shown > row.unknown for row in tables.recovery):
        parts.append(recovery_table(tables.recovery))
    if any(item.version == 1 for item in tables.summaries):
        parts.append(older_results())
    if tables.follow_ups:
        parts.append(follow_up_list(tables.follow_ups))
    if tables.drops:
        parts += drop_tables(tables.drops)
    if tables.repeats:
        parts.append(repeat_table(tables.repeats))
    for each in by:
        if rows := tables.breakdown(each):
            parts.append(breakdown_table(rows, each))
    if power is not None and (power_rows := tables.power(power)):
        reference = {item.agent for item in tables.summaries if item.reference}
        parts.append(power_table(power_rows, power, reference))
    if tables.usage:
        parts.append(usage_table(tables.usage))
    if tables.excluded:
        parts.append(excluded_table(tables.excluded))
    parts += _errors(tables.summaries)
    if failed := [item for item in tables.summaries if item.outcome == "failure" and item.fault]:
        parts.append(agent_fault_list(failed))
    return parts


def comparison_tables(
    summaries: Sequence[Summary],
    kind: str,
    level: int | None = None,
    end: EndCriterion = EndCriterion.GOAL,
) -> str:
    """Return all tables of a comparison as text; arguments as for `comparison_blocks`."""
    blocks = comparison_blocks(ResultTables(summaries=tuple(summaries)), kind, level, end)
    return "\n\n".join(map(str, blocks))


def _level_text(summaries: Sequence[Summary], level: int) -> str:
    """Describe the stress level and how many interruptions were shown."""
    shown = Counter(s.shown for s in summaries if s.condition != CLEAN and s.outcome != "error")
    counts = ", ".join(
        f"{number} in {counted(count, 'episode')}" for number, count in sorted(shown.items(), reverse=True)
    )
    text = f"Stress level: {level} interruptions per episode (--interruptions {level})."
    return f"{text}\nInterruptions shown, including follow-ups: {counts}." if counts else text
