from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.stats.intervals import Interval, paired_difference_interval, wilson_interval

SIMULATIONS = 2000
COVERED = (0.93, 0.97)


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        # Newcombe (1998), Statistics in Medicine 17:2635, table I, method 10.
        ((36, 12, 2, 0), (0.0569, 0.3404)),
        ((20, 12, 2, 16), (0.0562, 0.3292)),
        ((0, 0, 0, 50), (-0.0714, 0.0714)),
    ],
)
def test_paired_differences_match_the_literature(
    cells: tuple[int, int, int, int], expected: tuple[float, float]
) -> None:
    interval = paired_difference_interval(*cells)
    assert interval == pytest.approx(expected, abs=5e-4)


def test_no_pair_gives_no_interval() -> None:
    assert paired_difference_interval(0, 0, 0, 0) is None


@given(*[st.integers(0, 40)] * 4)
def test_an_interval_contains_the_difference_and_turns_with_its_sides(
    both: int, first: int, second: int, neither: int
) -> None:
    interval = paired_difference_interval(both, first, second, neither)
    turned = paired_difference_interval(both, second, first, neither)
    if interval is None or turned is None:
        assert both + first + second + neither == 0
        return
    difference = (first - second) / (both + first + second + neither)
    assert -1 <= interval.low <= difference <= interval.high <= 1
    assert interval.low < interval.high
    assert turned.negated() == pytest.approx(interval, abs=1e-12)


def test_an_interval_excludes_zero_on_either_side() -> None:
    assert Interval(0.1, 0.2).excludes_zero
    assert Interval(-0.2, -0.1).excludes_zero
    assert not Interval(-0.1, 0.2).excludes_zero
    assert not Interval(0.0, 0.2).excludes_zero


@pytest.mark.parametrize("share", [0.15, 0.5, 0.8])
def test_wilson_intervals_cover_the_true_rate(share: float) -> None:
    counts = np.random.default_rng(1).binomial(152, share, SIMULATIONS)
    covered = [low <= share <= high for low, high in (wilson_interval(int(k), 152) for k in counts)]
    assert COVERED[0] <= np.mean(covered) <= COVERED[1]


@pytest.mark.parametrize("chances", [(0.5, 0.15, 0.1, 0.25), (0.7, 0.2, 0.02, 0.08)])
def test_paired_difference_intervals_cover_the_true_difference(chances: tuple[float, ...]) -> None:
    drawn = np.random.default_rng(2).multinomial(152, chances, SIMULATIONS)
    intervals = [paired_difference_interval(*row) for row in drawn.tolist()]
    true = chances[1] - chances[2]
    covered = [interval is not None and interval.low <= true <= interval.high for interval in intervals]
    assert COVERED[0] <= np.mean(covered) <= COVERED[1]
