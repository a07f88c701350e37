from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.stats.paired_tests import PairedOutcomes, count_pairs


@pytest.mark.parametrize(
    ("first", "second", "p"),
    [
        (0, 0, 1.0),
        (1, 0, 1.0),
        (5, 0, 2 / 32),
        (10, 2, 2 * (1 + 12 + 66) / 4096),
        (3, 3, 1.0),
        (9, 0, 2 / 512),
    ],
)
def test_mcnemar_is_exact(first: int, second: int, p: float) -> None:
    assert PairedOutcomes(7, first, second, 4).p_value == pytest.approx(p)


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_symmetric_and_equals_the_binomial_sum(a: int, b: int) -> None:
    p = PairedOutcomes(0, a, b, 0).p_value
    assert p == PairedOutcomes(0, b, a, 0).p_value
    n = a + b
    probability = [math.comb(n, i) / 2**n for i in range(n + 1)]
    as_extreme = sum(q for i, q in enumerate(probability) if abs(2 * i - n) >= abs(a - b))
    assert p == pytest.approx(min(1.0, as_extreme)) if n else p == 1.0


@given(st.lists(st.tuples(st.booleans(), st.booleans())))
def test_every_pair_is_counted_once(outcomes: list[tuple[bool, bool]]) -> None:
    paired = count_pairs(outcomes)
    assert paired.trials == len(outcomes)
    assert paired.both + paired.only_first == sum(a for a, _ in outcomes)
