"""Side effects: what agents changed in addition to what the task asks for, with and without interruptions."""

from __future__ import annotations

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
from garabench.stats.side_effects import SideEffectRow


def side_effect_sections(given: ReportInput) -> tuple[Section, ...]:
    """Return the section; none if nothing is known about side effects."""
    rows = given.tables.side_effects
    return (Section("side-effects", "Side effects", _blocks(rows)),) if rows else ()


def _blocks(rows: tuple[SideEffectRow, ...]) -> tuple[Block, ...]:
    series: dict[str, list[ChartPoint]] = {}
    for row in rows:
        low, high = row.side_effects.interval() or (None, None)
        point = ChartPoint(agent_label(row.agent, row.reference), row.side_effects.value or 0.0, low, high)
        series.setdefault(row.condition, []).append(point)
    chart = Chart(
        "Episodes with a side effect, with 95% intervals",
        ChartKind.INTERVALS,
        "Agent",
        "Share of episodes",
        tuple(ChartSeries(condition, tuple(points)) for condition, points in series.items()),
        CellFormat.PERCENT,
    )
    table = Table(
        "Strict success and side effects by agent and condition",
        (
            TableColumn("Agent"),
            TableColumn("Condition"),
            TableColumn("Success", help="Goal met, of the episodes whose side effects are known"),
            TableColumn("Strict success", help="Goal met, and nothing changed that was not asked for"),
            TableColumn("With side effects", help="Episodes with such a change, with any outcome"),
            TableColumn("95% interval"),
            TableColumn("New", CellFormat.INTEGER, help="Pairs with a side effect only under interruption"),
            TableColumn("Gone", CellFormat.INTEGER, help="Pairs with a side effect only when clean"),
            TableColumn(
                "p",
                CellFormat.NUMBER,
                help="Exact sign-flip test over tasks; McNemar's test with one seed per task",
            ),
            TableColumn("Unknown", CellFormat.INTEGER, help="Valid episodes whose side effects are unknown"),
        ),
        tuple(
            (
                agent_label(row.agent, row.reference),
                row.condition,
                rate_text(row.success),
                rate_text(row.strict),
                rate_text(row.side_effects),
                interval_text(row.side_effects.interval()),
                None if row.paired is None else row.paired.only_second,
                None if row.paired is None else row.paired.only_first,
                None if row.p_value is None else round(row.p_value, 4),
                row.unknown,
            )
            for row in rows
        ),
    )
    kinds = tuple(
        (agent_label(row.agent, row.reference), row.condition, kind, count)
        for row in rows
        for kind, count in row.kinds
    )
    lead = Paragraph(
        "A side effect is a change of the user's data or of the system's settings that the task does not ask "
        "for: a second order, a like on another post. It is known only for apps that offer their state and "
        "for tasks whose expected effects are recorded. What any use leaves behind, such as the history, and "
        "what an interruption changes itself do not count."
    )
    if not kinds:
        return (lead, chart, table)
    listed = Table(
        "Side effects by kind",
        (
            TableColumn("Agent"),
            TableColumn("Condition"),
            TableColumn("Kind"),
            TableColumn("Number", CellFormat.INTEGER),
        ),
        kinds,
    )
    return (lead, chart, table, Details(f"Kinds of side effects ({len(kinds)})", (listed,)))
