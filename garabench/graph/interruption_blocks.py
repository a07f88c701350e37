"""What interruptions cost, as blocks of the report: lost pairs, recovery depth, exits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from garabench.core.sections import (
    Block,
    CellFormat,
    Chart,
    ChartKind,
    ChartSeries,
    Details,
    Paragraph,
    Table,
    TableColumn,
)
from garabench.graph.analysis import GraphAnalysis
from garabench.graph.detours import InterruptionState
from garabench.graph.rate_cells import counts_text, rate_points

_MOST_STATES = 15


def interruption_blocks(analysis: GraphAnalysis) -> Iterator[Block]:
    """Yield the tables and the chart of what interruptions cost, the most costly first."""
    by_id = analysis.interruptions(by_place=False)
    yield Paragraph(
        "Each interruption against the clean trajectory of the same agent, task and seed. A pair is lost if "
        "it succeeded clean and failed here. The recovery depth is the number of actions from the "
        "interruption until the path is back on the clean graph. A trajectory with several interruptions "
        "counts for each of them."
    )
    yield _states("Interruptions over all places, the most costly first", by_id[:_MOST_STATES], place=False)
    yield Chart(
        "Lost pairs by interruption",
        ChartKind.INTERVALS,
        "Interruption",
        "Share of lost pairs",
        (
            ChartSeries(
                "lost pairs",
                tuple(
                    p for state in by_id[:_MOST_STATES] for p in rate_points(state.interruption, state.loss)
                ),
            ),
        ),
        CellFormat.PERCENT,
    )
    states = analysis.interruptions()
    yield _states(
        f"Most costly interruption states: {min(len(states), _MOST_STATES)} of {len(states)}",
        states[:_MOST_STATES],
        place=True,
    )
    yield Details("Exits and the success through each", (_exits(by_id),))


def _states(caption: str, states: Sequence[InterruptionState], *, place: bool) -> Table:
    return Table(
        caption,
        (
            TableColumn("Interruption"),
            *((TableColumn("Over", help="The package and activity that it covered."),) if place else ()),
            TableColumn("Shown", CellFormat.INTEGER),
            TableColumn("Success"),
            TableColumn("Lost pairs"),
            TableColumn("Cost", CellFormat.PERCENT, "Clean minus interrupted success rate over the pairs."),
            TableColumn("Extra actions", CellFormat.NUMBER, "Over the pairs that succeeded in both."),
            TableColumn("Recovery depth", CellFormat.NUMBER),
            TableColumn("Returned", CellFormat.PERCENT),
        ),
        tuple(
            (
                state.interruption,
                *((state.place,) if place else ()),
                state.shown,
                counts_text(state.success),
                f"{state.lost}/{state.pairs}",
                state.cost,
                state.extra,
                state.depth,
                state.returned.value,
            )
            for state in states
        ),
    )


def _exits(states: Sequence[InterruptionState]) -> Table:
    return Table(
        "Exits of each interruption",
        (
            TableColumn("Interruption"),
            TableColumn("Exit"),
            TableColumn("Taken", CellFormat.INTEGER),
            TableColumn("Success", CellFormat.PERCENT),
        ),
        tuple(
            (state.interruption, each.exit, each.success.trials, each.success.value)
            for state in states
            for each in state.exits
        ),
    )
