"""Values of tables and charts as text."""

from __future__ import annotations

import math

from garabench.core.sections import Cell, CellFormat

UNDEFINED = "–"
"""A value that is not known or not defined."""
_SMALL_AMOUNT = 0.1


def cell_text(value: Cell, cell_format: CellFormat) -> str:
    """Return a value in a format: ``94.7%``, ``1,204``, ``3.4 s``, ``$0.0123``.

    Args:
        value: The value; a share from 0 to 1 for a percentage. A text is returned as it is.
        cell_format: The format of numbers.
    """
    if isinstance(value, str):
        return value
    if value is None or not math.isfinite(value):
        return UNDEFINED
    match cell_format:
        case CellFormat.PERCENT:
            return f"{value:.0%}" if value in (0, 1, -1) else _minus(f"{value:.1%}")
        case CellFormat.INTEGER:
            return _minus(f"{round(value):,}")
        case CellFormat.SECONDS:
            return _minus(f"{value:,.1f} s")
        case CellFormat.MONEY:
            return _minus(f"${value:,.4f}" if 0 < abs(value) < _SMALL_AMOUNT else f"${value:,.2f}")
        case _:
            return _minus(f"{value:,}" if isinstance(value, int) else f"{value:,.2f}")


def _minus(text: str) -> str:
    """Return a number with a typographic minus, which is as wide as a digit; ``-0.0`` has none."""
    if not text.startswith(("-", "$-")):
        return text
    bare = text.replace("-", "", 1)
    return f"−{bare}" if any(digit in bare for digit in "123456789") else bare
