from __future__ import annotations

import pytest

from garabench.report.markdown import table


def test_numbers_are_right_aligned_and_summed() -> None:
    assert table(["app", "tasks", "steps"], [["JD", 2, "3–5"], ["Weibo", 10, "4"]], total="all") == (
        "| app | tasks | steps |\n"
        "| --- | ---: | ---: |\n"
        "| JD | 2 | 3–5 |\n"
        "| Weibo | 10 | 4 |\n"
        "| **all** | **12** |  |\n"
    )


def test_a_row_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="more or fewer cells"):
        table(["app", "tasks"], [["JD"]])
