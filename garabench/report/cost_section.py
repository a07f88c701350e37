"""What the runs cost: tokens, money and time."""

from __future__ import annotations

from collections.abc import Iterator

from garabench.core.phrases import counted
from garabench.core.sections import Block, CellFormat, Paragraph, Section, Table, TableColumn
from garabench.report.report_input import ReportInput, episode_groups
from garabench.report.wording import agent_label
from garabench.stats.usage_rows import UsageRow


def cost_section(given: ReportInput) -> Section:
    """Return the section."""
    return Section("cost", "Cost and time", tuple(_blocks(given)))


def _blocks(given: ReportInput) -> Iterator[Block]:
    if not given.summaries:
        yield Paragraph("No episode has ended yet.")
        return
    rows = given.tables.usage
    if rows:
        yield _usage(rows)
    else:
        yield Paragraph("No agent of these runs reported the usage of a model.")
    yield Table(
        "Time by agent and condition, over all ended episodes",
        (
            TableColumn("Agent"),
            TableColumn("Condition"),
            TableColumn("Episodes", CellFormat.INTEGER),
            TableColumn("Seconds per episode", CellFormat.SECONDS, "Mean duration of an episode."),
            TableColumn("of which deciding", CellFormat.SECONDS, "Mean time in which the agent decided."),
            TableColumn("Total", CellFormat.SECONDS),
        ),
        tuple(
            (
                agent_label(agent, group[0].reference),
                condition,
                len(group),
                sum(each.seconds for each in group) / len(group),
                sum(each.deciding for each in group) / len(group),
                sum(each.seconds for each in group),
            )
            for (agent, condition), group in episode_groups(given.summaries)
        ),
        "Times of a virtual device say nothing about a real one.",
    )


def _usage(rows: tuple[UsageRow, ...]) -> Table:
    unknown = [row for row in rows if row.cost is None]
    return Table(
        "Model usage by agent and condition",
        (
            TableColumn("Agent"),
            TableColumn("Condition"),
            TableColumn(
                "Episodes", CellFormat.INTEGER, "With reported usage, including those that ended in error."
            ),
            TableColumn("Requests", CellFormat.INTEGER),
            TableColumn("Tokens sent", CellFormat.INTEGER),
            TableColumn("Tokens received", CellFormat.INTEGER),
            TableColumn("Cost", CellFormat.MONEY),
            TableColumn("Cost per episode", CellFormat.MONEY),
            TableColumn("Model time", CellFormat.SECONDS, "Time waiting for the model."),
            TableColumn("Queued", CellFormat.SECONDS, "Time waiting for a slot at its endpoint."),
        ),
        tuple(
            (
                agent_label(row.agent, row.reference),
                row.condition,
                row.episodes,
                row.requests,
                row.sent,
                row.received,
                None if row.cost is None else float(row.cost),
                None if row.cost_per_episode is None else float(row.cost_per_episode),
                row.model_seconds,
                row.queued_seconds,
            )
            for row in rows
        ),
        f"The cost is unknown in {counted(len(unknown), 'row')}: a price or a token count is missing."
        if unknown
        else "",
    )
