from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.stats.rates import Rate


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        # Newcombe (1998), Statistics in Medicine 17: method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_intervals_match_the_literature(successes: int, trials: int, low: float, high: float) -> None:
    interval = Rate(successes, trials).interval()
    assert interval == pytest.approx((low, high), abs=5e-5)


def test_no_trial_gives_no_rate() -> None:
    assert Rate(0, 0).value is None
    assert Rate(0, 0).interval() is None


def test_a_rate_above_one_is_refused() -> None:
    with pytest.raises(ValueError, match="3 successes of 2 trials"):
        Rate(3, 2)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_contains_the_rate_and_is_symmetric(counts: tuple[int, int]) -> None:
    k, n = counts
    low, high = Rate(k, n).interval() or (2.0, -1.0)
    assert 0 <= low <= k / n <= high <= 1
    mirrored = Rate(n - k, n).interval() or (2.0, -1.0)
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-12)
