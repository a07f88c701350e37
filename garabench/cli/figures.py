"""The figures of one or several runs, as text and as JSON-like data."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence
from typing import Any

from garabench.cli.spending import spending_table
from garabench.cli.tables import agent_fault_list, condition_table, drop_table, error_list, infeasible_table
from garabench.stats.infeasible import infeasible_rows
from garabench.stats.measures import CLEAN, Summary, by_condition, drops
from garabench.stats.spending import SpendingRow, spending


def figures(summaries: Sequence[Summary], kind: str, wanted: int | None = None) -> str:
    """All tables that these episodes give.

    Args:
        summaries: Of episodes of one suite on one kind of device, of one stress level; at least one.
        kind: ``virtual`` or ``real``.
        wanted: The stress level: interruptions an episode was to have; None where the rules alone decide.
    """
    parts = [] if wanted is None else [_level(summaries, wanted)]
    if rows := by_condition(summaries):
        parts.append(condition_table(rows, kind))
    if rows_of_drops := drops(summaries):
        parts.append(drop_table(rows_of_drops))
    if beside := infeasible_rows(summaries):
        parts.append(infeasible_table(beside, kind))
    if spent := spending(summaries):
        parts.append(spending_table(spent))
    if failed := [item for item in summaries if item.outcome == "error"]:
        parts.append(error_list(failed))
    if failed := [item for item in summaries if item.outcome == "failure" and item.fault]:
        parts.append(agent_fault_list(failed))
    return "\n\n".join(parts)


def _level(summaries: Sequence[Summary], wanted: int) -> str:
    """The stress level, and how many interruptions there really were."""
    met = Counter(s.shown for s in summaries if s.condition != CLEAN and s.outcome != "error")
    counts = ", ".join(f"{number} in {count}" for number, count in sorted(met.items(), reverse=True))
    words = f"Stress level: {wanted} interruptions an episode (--interruptions {wanted})."
    return f"{words}\nShown, with those that a button leads to: {counts} episodes." if counts else words


def figures_data(summaries: Sequence[Summary]) -> dict[str, Any]:
    """The rows of the tables, by table."""
    return {
        "conditions": [dataclasses.asdict(row) for row in by_condition(summaries)],
        "drops": [dataclasses.asdict(row) for row in drops(summaries)],
        "infeasible": [dataclasses.asdict(row) for row in infeasible_rows(summaries)],
        "spending": [_plain(row) for row in spending(summaries)],
    }


def _plain(row: SpendingRow) -> dict[str, Any]:
    """A row for JSON: money as text, to the last digit, or null where it is not known."""
    return dataclasses.asdict(row) | {"cost": None if row.cost is None else format(row.cost, "f")}
