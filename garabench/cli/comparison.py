"""Comparison of agents and conditions, as text and as JSON data."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence
from typing import Any

from garabench.cli.cost_tables import usage_table
from garabench.cli.counts import counted
from garabench.cli.tables import (
    agent_fault_list,
    condition_table,
    drop_table,
    error_list,
    follow_up_list,
    headline_table,
    infeasible_table,
)
from garabench.core.end_criterion import EndCriterion
from garabench.records.plan import CLEAN
from garabench.records.results import Summary
from garabench.stats.follow_ups import follow_up_rows
from garabench.stats.infeasible import infeasible_rows
from garabench.stats.measures import condition_rows, drop_rows
from garabench.stats.usage import UsageRow, usage_rows


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
    return "\n\n".join([*_headline(summaries, kind, level, end), *_errors(summaries)])


def _headline(summaries: Sequence[Summary], kind: str, level: int | None, end: EndCriterion) -> list[str]:
    parts = [] if level is None else [_level_text(summaries, level)]
    if end is EndCriterion.DONE:
        parts.append("Episodes ended when the agent said that it was done (--end done).")
    if rows := condition_rows(summaries):
        parts.append(headline_table(rows, drop_rows(summaries), kind))
    if infeasible := infeasible_rows(summaries):
        parts.append(infeasible_table(infeasible, kind))
    return parts


def _errors(summaries: Sequence[Summary]) -> list[str]:
    failed = [item for item in summaries if item.outcome == "error"]
    return [error_list(failed)] if failed else []


def comparison_tables(
    summaries: Sequence[Summary],
    kind: str,
    level: int | None = None,
    end: EndCriterion = EndCriterion.GOAL,
) -> str:
    """Return all tables of a comparison.

    Args:
        summaries: Episodes of one suite, one kind of device and one stress level; at least one.
        kind: ``virtual`` or ``real``.
        level: Stress level: requested interruptions per episode; None if the rules alone decide.
        end: When the episodes ended.
    """
    parts = _headline(summaries, kind, level, end)
    if rows := condition_rows(summaries):
        parts.append(condition_table(rows))
    if follow_ups := follow_up_rows(summaries):
        parts.append(follow_up_list(follow_ups))
    if rows_of_drops := drop_rows(summaries):
        parts.append(drop_table(rows_of_drops))
    if usage := usage_rows(summaries):
        parts.append(usage_table(usage))
    parts += _errors(summaries)
    if failed := [item for item in summaries if item.outcome == "failure" and item.fault]:
        parts.append(agent_fault_list(failed))
    return "\n\n".join(parts)


def _level_text(summaries: Sequence[Summary], level: int) -> str:
    """Describe the stress level and how many interruptions were shown."""
    shown = Counter(s.shown for s in summaries if s.condition != CLEAN and s.outcome != "error")
    counts = ", ".join(
        f"{number} in {counted(count, 'episode')}" for number, count in sorted(shown.items(), reverse=True)
    )
    text = f"Stress level: {level} interruptions per episode (--interruptions {level})."
    return f"{text}\nInterruptions shown, including follow-ups: {counts}." if counts else text


def comparison_data(summaries: Sequence[Summary]) -> dict[str, Any]:
    """Return the rows of all tables as JSON data."""
    return {
        "conditions": [dataclasses.asdict(row) for row in condition_rows(summaries)],
        "follow_ups": [dataclasses.asdict(row) for row in follow_up_rows(summaries)],
        "drops": [dataclasses.asdict(row) for row in drop_rows(summaries)],
        "infeasible": [dataclasses.asdict(row) for row in infeasible_rows(summaries)],
        "usage": [_usage_data(row) for row in usage_rows(summaries)],
    }


def _usage_data(row: UsageRow) -> dict[str, Any]:
    """Return a row as JSON data; the cost is an exact decimal string, or None if unknown."""
    return dataclasses.asdict(row) | {"cost": None if row.cost is None else format(row.cost, "f")}
