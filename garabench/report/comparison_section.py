"""The effect of interruptions, paired by task and seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from garabench.core.sections import (
    Block,
    CellFormat,
    Chart,
    ChartKind,
    ChartPoint,
    ChartSeries,
    Paragraph,
    Section,
    Table,
    TableColumn,
)
from garabench.report.report_input import ReportInput
from garabench.report.wording import agent_label, interval_text
from garabench.stats.intervals import Interval, paired_difference_interval
from garabench.stats.measures import DropRow, drop_rows
from garabench.stats.multiple_testing import holm


def comparison_section(given: ReportInput) -> Section:
    """Return the section."""
    return Section("comparison", "Clean against interrupted", tuple(_blocks(given)))


def _blocks(given: ReportInput) -> Iterator[Block]:
    rows = [row for row in drop_rows(given.summaries) if row.paired.trials]
    if not rows:
        yield Paragraph(
            "There is no pair to compare: a pair is a task and seed that an agent has both clean and "
            "interrupted, both without error."
        )
        return
    yield Paragraph(
        "Each agent is compared with itself on the same tasks and seeds. The drop is its clean success rate "
        "minus its interrupted one; an interval that excludes 0 lies on one side of the line."
    )
    yield _chart(rows)
    yield _table(rows)


def _interval(row: DropRow) -> Interval | None:
    paired = row.paired
    return paired_difference_interval(paired.both, paired.only_first, paired.only_second, paired.neither)


def _chart(rows: Sequence[DropRow]) -> Chart:
    series = []
    for condition in dict.fromkeys(row.condition for row in rows):
        points = tuple(
            ChartPoint(agent_label(row.agent, row.reference), row.drop, *interval)
            for row in rows
            if row.condition == condition
            and row.drop is not None
            and (interval := _interval(row)) is not None
        )
        series.append(ChartSeries(condition, points))
    return Chart(
        "Drop of the success rate under interruptions, with 95% intervals",
        ChartKind.INTERVALS,
        "Agent",
        "Drop: clean minus interrupted",
        tuple(series),
        CellFormat.PERCENT,
    )


def _table(rows: Sequence[DropRow]) -> Table:
    adjusted = holm([row.paired.p_value for row in rows])
    return Table(
        "Paired outcomes by agent and condition",
        (
            TableColumn("Agent"),
            TableColumn("Condition"),
            TableColumn("Pairs", CellFormat.INTEGER, "Same task and seed, both episodes valid."),
            TableColumn("Clean", CellFormat.PERCENT, "Success rate of the clean episodes of the pairs."),
            TableColumn("Interrupted", CellFormat.PERCENT, "Success rate of their interrupted episodes."),
            TableColumn("Drop", CellFormat.PERCENT, "Clean minus interrupted, in percentage points."),
            TableColumn("95% interval", help="Newcombe's interval of the paired difference."),
            TableColumn("Lost", CellFormat.INTEGER, "Pairs solved clean and not interrupted."),
            TableColumn("Won", CellFormat.INTEGER, "Pairs solved interrupted and not clean."),
            TableColumn("p", CellFormat.TEXT, "McNemar's exact test."),
            TableColumn("p (Holm)", CellFormat.TEXT, "Adjusted for the number of rows of this table."),
            TableColumn(
                "RSR", CellFormat.PERCENT, "Share of the pairs solved clean that are also solved interrupted."
            ),
            TableColumn(
                "RSR where shown",
                CellFormat.PERCENT,
                "The same over the pairs in which an interruption was shown.",
            ),
        ),
        tuple(_row(row, p) for row, p in zip(rows, adjusted, strict=True)),
    )


def _row(row: DropRow, adjusted: float) -> tuple[str | float | None, ...]:
    return (
        agent_label(row.agent, row.reference),
        row.condition,
        row.paired.trials,
        row.clean.value,
        row.interrupted.value,
        row.drop,
        interval_text(_interval(row)),
        row.paired.only_first,
        row.paired.only_second,
        p_text(row.paired.p_value),
        p_text(adjusted),
        row.rsr.value,
        row.rsr_shown.value,
    )


def p_text(p_value: float) -> str:
    """Return a p-value as text: ``.031``, ``<.001``."""
    if p_value < 0.001:
        return "<.001"
    return "1" if p_value >= 0.9995 else f"{p_value:.3f}".removeprefix("0")
