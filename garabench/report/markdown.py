"""Markdown tables."""

from __future__ import annotations

from collections.abc import Sequence

Cell = str | int


def table(head: Sequence[Cell], rows: Sequence[Sequence[Cell]], *, total: str = "") -> str:
    """Render a table; all columns after the first are numbers, aligned to the right.

    Args:
        head: Column names.
        rows: Rows with one cell per column.
        total: Label of a last row with the column sums; empty for none.

    Raises:
        ValueError: A row has another number of cells than the head.
    """
    if any(len(row) != len(head) for row in rows):
        raise ValueError("a row has more or fewer cells than the header")
    lines = [list(map(str, head)), ["---", *["---:"] * (len(head) - 1)]]
    lines += [list(map(str, row)) for row in rows]
    if total:
        lines.append([f"**{total}**", *(_sum(rows, place) for place in range(1, len(head)))])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _sum(rows: Sequence[Sequence[Cell]], place: int) -> str:
    """Return a column's sum in bold; empty for a column of text."""
    numbers = [cell for row in rows if isinstance(cell := row[place], int)]
    return f"**{sum(numbers)}**" if numbers else ""
