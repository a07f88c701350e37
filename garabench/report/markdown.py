"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Sequence

Cell = str | int


def table(head: Sequence[Cell], rows: Sequence[Sequence[Cell]], *, total: str = "") -> str:
    """A table whose columns after the first are numbers, aligned to the right.

    Args:
        head: The columns' names.
        rows: As many cells each as there are columns.
        total: Name of a last row with the columns' sums; none unless given.

    Raises:
        ValueError: A row has another number of cells.
    """
    if any(len(row) != len(head) for row in rows):
        raise ValueError("a row has not as many cells as the head")
    lines = [list(map(str, head)), ["---", *["---:"] * (len(head) - 1)]]
    lines += [list(map(str, row)) for row in rows]
    if total:
        lines.append([f"**{total}**", *(_sum(rows, place) for place in range(1, len(head)))])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _sum(rows: Sequence[Sequence[Cell]], place: int) -> str:
    """A column's sum in bold; empty where it holds words."""
    numbers = [cell for row in rows if isinstance(cell := row[place], int)]
    return f"**{sum(numbers)}**" if numbers else ""
