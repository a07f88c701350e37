from __future__ import annotations

import math

import pytest

from garabench.core.sections import Cell, CellFormat
from garabench.web.cell_text import cell_text


@pytest.mark.parametrize(
    ("value", "cell_format", "text"),
    [
        (0.947, CellFormat.PERCENT, "94.7%"),
        (1, CellFormat.PERCENT, "100%"),
        (0.0, CellFormat.PERCENT, "0%"),
        (-0.062, CellFormat.PERCENT, "−6.2%"),
        (-0.0001, CellFormat.PERCENT, "0.0%"),
        (1204, CellFormat.INTEGER, "1,204"),
        (1204.0, CellFormat.INTEGER, "1,204"),
        (3.449, CellFormat.SECONDS, "3.4 s"),
        (0.0123, CellFormat.MONEY, "$0.0123"),
        (12.5, CellFormat.MONEY, "$12.50"),
        (-12.5, CellFormat.MONEY, "−$12.50"),
        (2.5, CellFormat.NUMBER, "2.50"),
        (7, CellFormat.NUMBER, "7"),
        ("36/38", CellFormat.PERCENT, "36/38"),
        (None, CellFormat.PERCENT, "–"),
        (math.nan, CellFormat.NUMBER, "–"),
        (math.inf, CellFormat.INTEGER, "–"),
    ],
)
def test_values_are_shown_in_their_format(value: Cell, cell_format: CellFormat, text: str) -> None:
    assert cell_text(value, cell_format) == text
