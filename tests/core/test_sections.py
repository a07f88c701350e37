"""Values of report sections."""

from __future__ import annotations

import pytest

from garabench.core.sections import Table, TableColumn


def test_a_table_refuses_a_row_of_another_length() -> None:
    with pytest.raises(ValueError, match="every row needs 2 cells"):
        Table("rates", (TableColumn("agent"), TableColumn("rate")), (("dismiss",),))
