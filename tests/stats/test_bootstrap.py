from __future__ import annotations

import numpy as np
import pytest

from garabench.stats.bootstrap import percentile_interval, resampled_ratios, resampling_weights

SIMULATIONS = 2000
COVERED = (0.93, 0.97)


def test_each_draw_has_as_many_clusters_as_there_are() -> None:
    weights = resampling_weights(7, 500, np.random.default_rng(0))
    assert weights.shape == (500, 7)
    assert (weights.sum(axis=1) == 7).all()
    assert weights.mean(axis=0) == pytest.approx(np.ones(7), abs=0.2)


def test_the_same_seed_gives_the_same_draws() -> None:
    one, two = (resampling_weights(9, 50, np.random.default_rng(3)) for _ in range(2))
    assert (one == two).all()


def test_the_standard_error_is_that_of_the_mean() -> None:
    values = np.random.default_rng(4).normal(size=(60, 1))
    draws = resampled_ratios(
        resampling_weights(60, 4000, np.random.default_rng(5)), values, np.ones_like(values)
    )
    assert draws.std() == pytest.approx(values.std() / np.sqrt(60), rel=0.05)


def test_without_data_there_is_no_interval() -> None:
    weights = resampling_weights(4, 100, np.random.default_rng(0))
    nothing = resampled_ratios(weights, np.zeros((4, 1)), np.zeros((4, 1)))
    assert np.isnan(nothing).all()
    assert percentile_interval(nothing[:, 0], 4) is None
    assert percentile_interval(np.array([0.5, 0.5]), 1) is None
    assert resampling_weights(0, 10, np.random.default_rng(0)).shape == (10, 0)


def test_the_expanded_interval_approaches_the_plain_one() -> None:
    draws = np.linspace(0, 1, 10_001)
    assert percentile_interval(draws, 100_000) == pytest.approx((0.025, 0.975), abs=1e-3)
    few = percentile_interval(draws, 5)
    assert few is not None
    assert few.low < 0.01


@pytest.mark.parametrize(("tasks", "seeds"), [(152, 1), (40, 5), (20, 3)])
def test_intervals_of_a_paired_difference_cover_the_true_one(tasks: int, seeds: int) -> None:
    """Tasks differ in difficulty, and in how much the interruption costs; their seeds are nested in them."""
    generator = np.random.default_rng(tasks)
    shape = (tasks, SIMULATIONS)
    clean, cost = generator.beta(4, 2, shape), generator.beta(1, 4, shape)
    differences = generator.binomial(seeds, clean) - generator.binomial(seeds, clean * (1 - cost))
    expected = 4 / 6 * 1 / 5
    draws = resampled_ratios(
        resampling_weights(tasks, 600, generator), differences.astype(float), np.full(shape, float(seeds))
    )
    assert COVERED[0] <= covered(draws, expected, tasks) <= COVERED[1]


def test_intervals_of_a_robust_success_rate_cover_the_true_one() -> None:
    generator = np.random.default_rng(8)
    shape = (152, SIMULATIONS)
    both, solved = np.zeros(shape), np.zeros(shape)
    for _ in range(3):
        clean = generator.random(shape) < 0.8
        solved += clean
        both += clean & (generator.random(shape) < 0.6)
    draws = resampled_ratios(resampling_weights(152, 600, generator), both, solved)
    assert COVERED[0] <= covered(draws, 0.6, 152) <= COVERED[1]


def covered(draws: np.ndarray, expected: float, clusters: int) -> float:
    """Return the share of columns whose interval contains the expected value."""
    intervals = [percentile_interval(column, clusters) for column in draws.T]
    return float(np.mean([item is not None and item.low <= expected <= item.high for item in intervals]))
