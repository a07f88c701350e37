"""The tables of a comparison, as text; every share states its denominator."""

from __future__ import annotations

import io
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from garabench.stats.measures import ConditionRow, DropRow
from garabench.stats.rates import Rate

_WIDTH = 150


def show_rate(rate: Rate) -> str:
    """A rate with its counts and its 95 % interval: ``75.0% (3/4; 30-95)``."""
    interval = rate.interval()
    if rate.value is None or interval is None:
        return f"- (0/{rate.trials})"
    low, high = interval
    return f"{rate.value:.1%} ({rate.successes}/{rate.trials}; {low * 100:.0f}-{high * 100:.0f})"


def _agent(name: str, reference: bool) -> str:
    return f"{name} (reference)" if reference else name


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _render(table: Table) -> str:
    console = Console(file=io.StringIO(), width=_WIDTH, color_system=None)
    console.print(table)
    text = console.file.getvalue() if isinstance(console.file, io.StringIO) else ""
    return "\n".join(line.rstrip() for line in text.splitlines())


def condition_table(rows: Sequence[ConditionRow], kind: str) -> str:
    """The success rate and its company, by agent and condition.

    Args:
        rows: One for each agent and condition.
        kind: ``virtual`` or ``real``: results of the two are never mixed.
    """
    table = Table(title=f"Success by condition, on a {kind} device (rate (n/N; 95% Wilson interval))")
    for name in (
        "agent",
        "condition",
        "SR",
        "errors",
        "triggered",
        "exits",
        "false done",
        "steps",
        "inflation",
    ):
        table.add_column(name, justify="left" if name in ("agent", "condition", "exits") else "right")
    for row in rows:
        exits = ", ".join(f"{name} {count}" for name, count in row.exits) or "-"
        table.add_row(
            _agent(row.agent, row.reference),
            row.condition,
            show_rate(row.success),
            str(row.errors),
            show_rate(row.triggered) if row.condition != "clean" else "-",
            exits,
            show_rate(row.false_done),
            _number(row.mean_steps),
            _number(row.inflation),
        )
    return _render(table)


def drop_table(rows: Sequence[DropRow]) -> str:
    """What interruptions cost, on the same tasks and seeds."""
    table = Table(title="Clean against interrupted, paired by task and seed; episodes in error left out")
    for name in (
        "agent",
        "condition",
        "pairs",
        "SR clean",
        "SR interrupted",
        "drop",
        "RSR",
        "RSR shown",
        "McNemar p",
    ):
        table.add_column(name, justify="left" if name in ("agent", "condition") else "right")
    for row in rows:
        table.add_row(
            _agent(row.agent, row.reference),
            row.condition,
            str(row.paired.trials),
            show_rate(row.clean),
            show_rate(row.interrupted),
            "-" if row.drop is None else f"{row.drop * 100:+.1f} pp",
            show_rate(row.rsr),
            show_rate(row.rsr_shown),
            f"{row.paired.p_value:.3g}",
        )
    return _render(table)
