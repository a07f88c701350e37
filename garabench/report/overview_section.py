"""The first section: what the runs found, in sentences, a chart and a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from garabench.core.phrases import counted, joined
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
from garabench.report.wording import agent_label, interval_text, mean_text, points
from garabench.stats.completeness import no_effect_text
from garabench.stats.measures import ConditionRow
from garabench.stats.paired_comparisons import Contrast, PairedComparison

_FEW = 3
"""More affected agents are summarized in one sentence."""


def overview_section(given: ReportInput) -> Section:
    """Return the section."""
    return Section("overview", "Overview", tuple(_blocks(given)))


def _blocks(given: ReportInput) -> Iterator[Block]:
    rows = given.tables.conditions
    yield Paragraph(_finding(given))
    yield Paragraph(_extent(given))
    if rows:
        yield _chart(rows)
        empty = [_agent_and_condition(row.agent, row.condition) for row in rows if not row.success.trials]
        if empty:
            yield Paragraph(f"Not in the chart, without a valid episode: {joined(empty)}.")
        yield _table(rows)


def _finding(given: ReportInput) -> str:
    """Return what the interruptions did to the agents, as far as it is established."""
    if not given.summaries:
        begun = counted(len(given.unfinished), "episode")
        return f"No episode has ended yet. {begun} of {given.planned:,} planned have begun."
    if all(summary.outcome == "error" for summary in given.summaries):
        return (
            f"Every episode ended in error ({len(given.summaries):,} of {given.planned:,} planned): nothing "
            "can be said about an agent."
        )
    compared = [
        each
        for each in given.tables.comparisons
        if each.contrast is Contrast.INTERRUPTED and each.difference is not None
    ]
    if compared:
        contenders = [each for each in compared if not each.reference]
        return " ".join([*_effects(contenders or compared), *_unpaired(given)])
    return no_effect_text(given.conditions, given.tables.comparisons) or ""


def _agent_and_condition(agent: str, condition: str) -> str:
    return f"{agent} ({condition})"


def _unpaired(given: ReportInput) -> Iterator[str]:
    """Yield of which agents nothing can be said, since no pair of their episodes is valid."""
    found = [
        _agent_and_condition(each.first, each.condition)
        for each in given.tables.comparisons
        if each.contrast is Contrast.INTERRUPTED and each.difference is None
    ]
    if found:
        few = len(found) <= _FEW
        names = joined(found) if few else f"{len(found)} pairs of agent and condition"
        yield (
            f"Nothing can be compared for {names}: no task and seed has valid episodes both clean and "
            "interrupted."
        )


def _effects(compared: Sequence[PairedComparison]) -> Iterator[str]:
    """Yield what is established about each agent, clean against interrupted, and what is not."""
    found = [each for each in compared if each.established]
    affected = {each.first for each in found}
    if len(affected) > _FEW:
        yield _summary(compared, found)
        return
    for agent in dict.fromkeys(each.first for each in found):
        ours = [each for each in found if each.first == agent]
        if lost := [each for each in ours if (each.difference or 0) < 0]:
            yield f"Interruptions cost {agent} {_amounts(lost)}."
        if won := [each for each in ours if (each.difference or 0) > 0]:
            yield f"With interruptions, the success of {agent} rises by {_amounts(won)}."
    without = [agent for agent in dict.fromkeys(each.first for each in compared) if agent not in affected]
    without += [
        f"{each.first} ({each.condition})"
        for each in compared
        if each.first in affected and each not in found
    ]
    if without:
        yield f"No effect is established for {joined(without)}."


def _summary(compared: Sequence[PairedComparison], found: Sequence[PairedComparison]) -> str:
    """Return the effects on many agents in one sentence."""
    agents = len({each.first for each in compared})
    lost = [each for each in found if (each.difference or 0) < 0]
    others = len({each.first for each in compared} - {each.first for each in found})
    parts = []
    if lost:
        drops = [-(each.difference or 0) for each in lost]
        most = max(lost, key=lambda each: -(each.difference or 0))
        hit = len({each.first for each in lost})
        share_of = f"all {agents}" if hit == agents else f"{hit} of {agents}"
        parts.append(
            f"Interruptions cost {share_of} agents success: "
            f"{points(min(drops))} to {points(max(drops))} percentage points, "
            f"the most {most.first} ({most.condition})."
        )
    if won := {each.first for each in found} - {each.first for each in lost}:
        parts.append(f"With interruptions, the success of {joined(sorted(won))} rises.")
    if others:
        parts.append(f"No effect is established for {counted(others, 'other agent')}.")
    return " ".join(parts)


def _amounts(compared: Sequence[PairedComparison]) -> str:
    """Return differences as ``16.0 percentage points of success (forced)``."""
    amounts = [(points(abs(each.difference or 0)), each.condition) for each in compared]
    if len(amounts) == 1:
        ((amount, condition),) = amounts
        return f"{amount} percentage points of success ({condition})"
    return (
        f"{joined(f'{amount} ({condition})' for amount, condition in amounts)} percentage points of success"
    )


def _extent(given: ReportInput) -> str:
    """Return what was run: how many episodes, on which device, and how many are missing."""
    outcomes = Counter(each.known_outcome for each in given.summaries)
    unknown = f", {outcomes['unknown']:,} with an unknown outcome" if outcomes["unknown"] else ""
    seeds = sum(run.plan.seeds for run in given.runs)
    environment = given.runs[0].environment
    device = ", ".join(
        filter(None, (environment.model, environment.release and f"Android {environment.release}"))
    )
    text = (
        f"{counted(len(given.agents), 'agent')} on {counted(len(given.tasks), 'task')}, "
        f"{joined(given.conditions)}, {counted(seeds, 'seed')}: {len(given.summaries):,} of "
        f"{counted(given.planned, 'planned episode')} ended ({outcomes['success']:,} in success, "
        f"{outcomes['failure']:,} in failure, {outcomes['error']:,} in error{unknown}), on a "
        f"{given.runs[0].kind} device"
        f"{f' ({device})' if device else ''}."
    )
    if given.unfinished:
        text += f" {given.completeness.unfinished_text}"
    if given.completeness.truncated:
        text += f" {given.completeness.truncated_text}"
    return text


def _chart(rows: Sequence[ConditionRow]) -> Chart:
    series = []
    for condition in dict.fromkeys(row.condition for row in rows):
        points_ = []
        for row in rows:
            interval = row.interval or row.success.interval()
            if row.condition == condition and row.success.value is not None and interval is not None:
                points_.append(
                    ChartPoint(agent_label(row.agent, row.reference), row.success.value, *interval)
                )
        series.append(ChartSeries(condition, tuple(points_)))
    return Chart(
        "Success rate by agent and condition, with 95% intervals",
        ChartKind.INTERVALS,
        "Agent",
        "Success rate",
        tuple(series),
        CellFormat.PERCENT,
    )


def _table(rows: Sequence[ConditionRow]) -> Table:
    notes = ["Episodes that ended in error say nothing about the agent and are in no rate."]
    if any(row.reference for row in rows):
        notes.append("* reference agent: it follows the reference solution of the task.")
    return Table(
        "Success by agent and condition",
        (
            TableColumn("Agent"),
            TableColumn("Condition"),
            TableColumn("Success rate", CellFormat.PERCENT, "Successes among the valid episodes."),
            TableColumn("95% interval", help="Wilson's interval; it allows for several seeds of one task."),
            TableColumn("Successes", CellFormat.INTEGER),
            TableColumn(
                "Valid episodes", CellFormat.INTEGER, "Without error, and with the interruption shown if any."
            ),
            TableColumn("Errors", CellFormat.INTEGER, "Episodes that ended in error: not the agent's fault."),
            TableColumn("Unknown", CellFormat.INTEGER, "Episodes whose outcome is unknown; excluded."),
            TableColumn(
                "Not shown", CellFormat.INTEGER, "Episodes whose interruption could not be shown; excluded."
            ),
            TableColumn(
                "Interrupted", CellFormat.INTEGER, "Valid episodes in which an interruption was shown."
            ),
            TableColumn(
                "False done",
                CellFormat.INTEGER,
                "Valid episodes in which the agent reported success wrongly.",
            ),
            TableColumn("Mean actions", help="Actions of a valid episode (of so many episodes)."),
            TableColumn(
                "× reference",
                help="Mean ratio of actions to steps of the reference solution (of so many successes).",
            ),
        ),
        tuple(_table_row(row) for row in rows),
        " ".join(notes),
    )


def _table_row(row: ConditionRow) -> tuple[str | float | None, ...]:
    return (
        agent_label(row.agent, row.reference),
        row.condition,
        row.success.value,
        interval_text(row.interval or row.success.interval()),
        row.success.successes,
        row.success.trials,
        row.errors,
        row.unknown,
        sum(count for _, count in row.missed),
        row.triggered.successes,
        row.false_done.successes,
        mean_text(row.mean_steps),
        mean_text(row.inflation),
    )
