"""The attribution of failures as a table: success rates with the environment's failures set apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from garabench.cli.table_formats import Grid
from garabench.core.sections import Table
from garabench.records.reader import Run
from garabench.records.run_layout import DIAGNOSIS
from garabench.web.cell_text import cell_text


def attribution_grids(runs: Sequence[Run]) -> Iterator[Grid]:
    """Yield the tables of the stored diagnoses; none if no run has any.

    Raises:
        InputError: A stored diagnosis is broken or of a newer version.
    """
    if not any((run.folder / DIAGNOSIS).is_dir() for run in runs):
        return
    from garabench.diagnosis.report_section import sections  # most runs have no diagnoses

    for section in sections(runs):
        yield from (_grid(block) for block in section.blocks[:2] if isinstance(block, Table))


def _grid(table: Table) -> Grid:
    columns = tuple(column.title for column in table.columns)
    rows = tuple(
        tuple(cell_text(cell, column.format) for cell, column in zip(row, table.columns, strict=True))
        for row in table.rows
    )
    notes = tuple(f"{column.title}: {column.help}" for column in table.columns if column.help)
    return Grid(table.caption, columns, rows, notes)
