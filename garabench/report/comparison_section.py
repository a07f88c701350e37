"""Comparisons on the same tasks and seeds: clean against interrupted, and agent against agent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from garabench.core.phrases import counted
from garabench.core.sections import (
    Block,
    CellFormat,
    Chart,
    ChartKind,
    ChartPoint,
    ChartSeries,
    Details,
    Paragraph,
    Section,
    Table,
    TableColumn,
)
from garabench.report.report_input import ReportInput
from garabench.report.wording import agent_label, interval_text, rate_text
from garabench.stats.measures import DropRow
from garabench.stats.outcomes import Unpaired
from garabench.stats.paired_comparisons import Contrast, PairedComparison
from garabench.stats.power_analysis import PowerRow
from garabench.stats.repeats import RepeatRow

_FEW = 8
"""So many statements are shown without a click."""
_MANY = 30
"""More comparisons are shown on request."""
POWER_DIFFERENCE = 0.05
"""The difference of success rates for which the needed number of tasks is given."""


def comparison_section(given: ReportInput) -> Section:
    """Return the section."""
    return Section("comparison", "Comparison", tuple(_blocks(given)))


def _blocks(given: ReportInput) -> Iterator[Block]:
    compared = given.tables.comparisons
    if any(each.pairs for each in compared):
        yield Paragraph(
            "Both sides of a comparison have the same tasks and seeds. A difference is established if its "
            "p-value is at most .05 after Holm's correction for all comparisons of its kind."
        )
    else:
        yield Paragraph(
            "There is no pair to compare: a pair is a task and seed that two agents have, or an agent both "
            "clean and interrupted, both episodes valid."
        )
    yield from _statements(given)
    if rows := given.tables.drops:
        if paired := [row for row in rows if row.paired.trials]:
            yield _drop_chart(paired)
        yield _drop_table(rows, compared)
    for contrast, title in (
        (Contrast.AGENTS, "Agents against each other: difference of success rates, with 95% intervals"),
        (Contrast.DROPS, "Drops against each other: difference of drops, with 95% intervals"),
    ):
        ours = [each for each in compared if each.contrast is contrast]
        if any(each.pairs for each in ours):
            chart, table = _difference_chart(ours, title), _difference_table(ours)
            if len(ours) <= _MANY:
                yield chart
                yield Details(f"Figures ({len(ours)})", (table,))
            else:
                yield Details(f"{title} ({len(ours)})", (chart, table))
    if repeats := given.tables.repeats:
        yield _repeat_table(repeats)
    if power := given.tables.power(POWER_DIFFERENCE):
        yield Details("How many tasks a difference of 5 points needs", (_power_table(power),))


def _statements(given: ReportInput) -> Iterator[Block]:
    found = [each for each in given.tables.statements if each.comparison.pairs]
    established = [each.text for each in found if each.established]
    others = [each.text for each in found if not each.established]
    for texts, words in ((established, "established"), (others, "not established")):
        if texts:
            rows = tuple((text,) for text in texts)
            table = Table(f"Differences that are {words}", (TableColumn("Statement"),), rows)
            short = words == "established" and len(texts) <= _FEW
            yield table if short else Details(f"{counted(len(texts), 'difference')} {words}", (table,))
    if unpaired := [each for each in given.tables.statements if not each.comparison.pairs]:
        table = Table(
            "Nothing can be compared",
            (
                TableColumn("Statement"),
                TableColumn("Left out", help="Tasks and seeds in no pair, by reason."),
            ),
            tuple((each.text, _left_out_words([each.comparison])) for each in unpaired),
        )
        few = len(unpaired) <= _FEW
        yield table if few else Details(f"{counted(len(unpaired), 'comparison')} without a pair", (table,))


def _drop_chart(rows: Sequence[DropRow]) -> Chart:
    series = []
    for condition in dict.fromkeys(row.condition for row in rows):
        points = tuple(
            ChartPoint(agent_label(row.agent, row.reference), row.drop, *(row.drop_interval or (None, None)))
            for row in rows
            if row.condition == condition and row.drop is not None
        )
        series.append(ChartSeries(condition, points))
    return Chart(
        "Drop of the success rate under interruptions, with 95% intervals",
        ChartKind.INTERVALS,
        "Agent",
        "Drop: clean minus interrupted",
        tuple(series),
        CellFormat.PERCENT,
        difference=True,
    )


def _drop_table(rows: Sequence[DropRow], compared: Sequence[PairedComparison]) -> Table:
    found = {(each.first, each.condition): each for each in compared if each.contrast is Contrast.INTERRUPTED}
    return Table(
        "Clean against interrupted, by agent and condition",
        (
            TableColumn("Agent"),
            TableColumn("Condition"),
            TableColumn("Pairs", CellFormat.INTEGER, "Same task and seed, both episodes valid."),
            TableColumn("Clean", CellFormat.PERCENT, "Success rate of the clean episodes of the pairs."),
            TableColumn("Interrupted", CellFormat.PERCENT, "Success rate of their interrupted episodes."),
            TableColumn("Drop", CellFormat.PERCENT, "Clean minus interrupted, in percentage points."),
            TableColumn(
                "95% interval", help="Bootstrap over tasks; Newcombe's interval if only a few tasks differ."
            ),
            TableColumn("Lost", CellFormat.INTEGER, "Pairs solved clean and not interrupted."),
            TableColumn("Won", CellFormat.INTEGER, "Pairs solved interrupted and not clean."),
            TableColumn("p", help="Exact sign-flip test over tasks; McNemar's test with one seed per task."),
            TableColumn(
                "p (Holm)",
                help="After Holm's correction over the agents under this condition; reference apart.",
            ),
            TableColumn("RSR", help="Pairs solved under both conditions, of those solved clean."),
            TableColumn("RSR 95%", help="Its interval."),
            TableColumn("RSR where shown", help="The same over pairs in which an interruption was shown."),
        ),
        tuple(_drop_cells(row, found.get((row.agent, row.condition))) for row in rows),
        _left_out_note(list(found.values())),
    )


def _drop_cells(row: DropRow, compared: PairedComparison | None) -> tuple[str | float | None, ...]:
    return (
        agent_label(row.agent, row.reference),
        row.condition,
        row.paired.trials,
        row.clean.value,
        row.interrupted.value,
        row.drop,
        interval_text(row.drop_interval),
        row.paired.only_first,
        row.paired.only_second,
        p_text(compared.p_value if compared else None),
        p_text(compared.adjusted if compared else None),
        rate_text(row.rsr),
        interval_text(row.rsr_interval),
        rate_text(row.rsr_shown),
    )


def _left_out_note(compared: Sequence[PairedComparison]) -> str:
    words = _left_out_words(compared)
    return f"Tasks and seeds in no pair, over all rows: {words}." if words else ""


def _left_out_words(compared: Sequence[PairedComparison]) -> str:
    totals: dict[Unpaired, int] = {}
    for each in compared:
        for reason, count in each.left_out:
            totals[reason] = totals.get(reason, 0) + count
    return ", ".join(f"{reason.value} {count}" for reason, count in totals.items() if count)


def _difference_chart(compared: Sequence[PairedComparison], title: str) -> Chart:
    series = []
    for condition in dict.fromkeys(each.condition for each in compared):
        points = tuple(
            ChartPoint(f"{each.second} − {each.first}", each.difference, *(each.interval or (None, None)))
            for each in compared
            if each.condition == condition and each.difference is not None
        )
        series.append(ChartSeries(condition, points))
    return Chart(
        title, ChartKind.INTERVALS, "Agents", "Difference", tuple(series), CellFormat.PERCENT, difference=True
    )


def _difference_table(compared: Sequence[PairedComparison]) -> Table:
    return Table(
        "Paired comparisons",
        (
            TableColumn("First"),
            TableColumn("Second"),
            TableColumn("Condition"),
            TableColumn("First value", CellFormat.PERCENT),
            TableColumn("Second value", CellFormat.PERCENT),
            TableColumn("Difference", CellFormat.PERCENT, "Second minus first."),
            TableColumn("95% interval"),
            TableColumn("p (Holm)"),
            TableColumn("Tasks", CellFormat.INTEGER),
            TableColumn("Pairs", CellFormat.INTEGER),
        ),
        tuple(
            (
                each.first,
                each.second,
                each.condition,
                each.first_value,
                each.second_value,
                each.difference,
                interval_text(each.interval),
                p_text(each.adjusted),
                each.tasks,
                each.pairs,
            )
            for each in compared
        ),
        _left_out_note(compared),
    )


def _repeat_table(rows: Sequence[RepeatRow]) -> Table:
    most = max(row.seeds for row in rows)
    return Table(
        "Repeated seeds, by agent and condition",
        (
            TableColumn("Agent"),
            TableColumn("Condition"),
            TableColumn("Tasks", CellFormat.INTEGER, "Tasks with several valid seeds."),
            TableColumn("Agreement", CellFormat.PERCENT, "Mean share of pairs of seeds with one outcome."),
            TableColumn("Flips", help="Tasks whose outcomes differ between seeds."),
            TableColumn("k", CellFormat.INTEGER, "Number of attempts of the columns to the right."),
            TableColumn("Tasks of k", CellFormat.INTEGER, "Tasks with at least k valid seeds."),
            TableColumn("pass@k", CellFormat.PERCENT, "Chance that at least one of k attempts succeeds."),
            TableColumn("pass^k", CellFormat.PERCENT, "Chance that all of k attempts succeed."),
        ),
        tuple(
            (
                agent_label(row.agent, row.reference),
                row.condition,
                row.tasks,
                row.agreement,
                rate_text(row.flips),
                row.seeds,
                row.tasks_of[-1],
                row.pass_at[-1] if row.pass_at else None,
                row.pass_hat[-1] if row.pass_hat else None,
            )
            for row in rows
        ),
        f"Tasks have up to {most} valid seeds. pass@k and pass^k leave out tasks with fewer than k.",
    )


def _power_table(rows: Sequence[PowerRow]) -> Table:
    return Table(
        "Tasks that a difference of 5 points needs, with a power of 80% at a level of 5%",
        (
            TableColumn("Comparison"),
            TableColumn("Condition"),
            TableColumn("Tasks", CellFormat.INTEGER, "Paired tasks of these runs."),
            TableColumn(
                "Detectable", CellFormat.PERCENT, "Smallest difference that these tasks and seeds find."
            ),
            TableColumn("Tasks needed", CellFormat.INTEGER),
            TableColumn(
                "or seeds", CellFormat.INTEGER, "With as many tasks; unknown with one seed per task."
            ),
        ),
        tuple(
            (
                row.first if row.first == row.second else f"{row.first}, {row.second}",
                row.condition,
                row.tasks,
                row.detectable,
                row.tasks_needed,
                row.seeds_needed,
            )
            for row in rows
        ),
        "By the variance that was observed in each comparison, without a correction for several tests.",
    )


def p_text(p_value: float | None) -> str | None:
    """Return a p-value as text: ``.031``, ``<.001``; None without one."""
    if p_value is None:
        return None
    if p_value < 0.001:
        return "<.001"
    return "1" if p_value >= 0.9995 else f"{p_value:.3f}".removeprefix("0")
