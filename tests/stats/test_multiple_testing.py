from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.stats.multiple_testing import holm


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_adjusted_values_keep_the_order_and_are_no_smaller(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    pairs = sorted(zip(p_values, adjusted, strict=True))
    assert [value for _, value in pairs] == sorted(adjusted)
    assert all(p <= q <= 1 for p, q in pairs)
    assert min(adjusted) == pytest.approx(min(1.0, len(p_values) * min(p_values)))


def test_one_test_or_none_needs_no_correction() -> None:
    assert holm([0.03]) == (0.03,)
    assert holm([]) == ()
