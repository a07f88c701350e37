from __future__ import annotations

import numpy as np
import pytest

from garabench.stats.power import (
    DifferenceVariance,
    detectable_difference,
    estimate_variance,
    mcnemar_pairs,
    seeds_needed,
    tasks_needed,
)
from garabench.stats.sign_flips import sign_flip_p_value


def test_the_number_of_pairs_matches_the_literature() -> None:
    # Duffy (1984), Biometrics 40:1005-1015: discordant shares 0.25 and 0.125, power 90%.
    assert mcnemar_pairs(0.375, 0.125, power=0.9) == 248
    with pytest.raises(ValueError, match="no sample size"):
        mcnemar_pairs(0.1, 0.2)
    with pytest.raises(ValueError, match="no sample size"):
        mcnemar_pairs(0.1, 0)


def test_more_seeds_need_fewer_tasks_down_to_a_limit() -> None:
    spread = DifferenceVariance(between=0.05, within=0.2)
    needed = [tasks_needed(spread, 0.08, seeds) for seeds in (1, 2, 5, 1000)]
    assert needed == sorted(needed, reverse=True)
    assert needed[-1] >= tasks_needed(DifferenceVariance(0.05, None), 0.08)
    assert seeds_needed(spread, 0.08, needed[1]) == 2
    assert seeds_needed(spread, 0.08, needed[-1] - 10) is None
    assert seeds_needed(DifferenceVariance(0.05, None), 0.5, 10) == 1
    assert seeds_needed(DifferenceVariance(0.05, None), 0.01, 10) is None


def test_a_detectable_difference_needs_the_tasks_that_it_was_computed_for() -> None:
    spread = DifferenceVariance(0.1, 0.3)
    assert tasks_needed(spread, detectable_difference(spread, 152, 3), 3) in (152, 153)
    with pytest.raises(ValueError, match="no task"):
        detectable_difference(spread, 0)
    for call in (tasks_needed, lambda s, d: seeds_needed(s, d, 10)):
        with pytest.raises(ValueError, match="difference of 0"):
            call(spread, 0)


def test_the_variance_between_seeds_needs_several() -> None:
    assert estimate_variance({"a": [1.0]}) is None
    once = estimate_variance({"a": [1.0], "b": [0.0], "c": []})
    assert once == DifferenceVariance(0.5, None)
    with pytest.raises(ValueError, match="not known"):
        once.of_task_mean(2)


def test_the_parts_of_the_variance_are_estimated() -> None:
    generator = np.random.default_rng(6)
    rows = generator.normal(size=(4000, 1)) * 0.5 + generator.normal(size=(4000, 4))
    found = estimate_variance({str(number): row for number, row in enumerate(rows.tolist())})
    assert found is not None
    assert found.between == pytest.approx(0.25, abs=0.04)
    assert found.within == pytest.approx(1, abs=0.04)


def test_the_number_of_tasks_gives_the_power() -> None:
    """Simulated with the test that `compare` uses."""
    spread = DifferenceVariance(between=0.3 - 0.01, within=None)
    tasks = tasks_needed(spread, 0.1)
    drawn = np.random.default_rng(7).choice([1, 0, -1], p=[0.2, 0.7, 0.1], size=(400, tasks))
    found = np.mean([sign_flip_p_value(row) <= 0.05 for row in drawn.tolist()])
    assert 0.72 <= found <= 0.86
