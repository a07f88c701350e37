"""The statistics against scipy and statsmodels, imported in the tests because they load slowly."""

from __future__ import annotations

import numpy as np
import pytest

from garabench.stats.intervals import wilson_interval
from garabench.stats.multiple_testing import holm
from garabench.stats.paired_tests import PairedOutcomes
from garabench.stats.power import DifferenceVariance, tasks_needed
from garabench.stats.repeats import repeated_tasks, seed_agreement
from garabench.stats.sign_flips import sign_flip_p_value


def test_tests_and_intervals_equal_scipys() -> None:
    from scipy.stats import binomtest, permutation_test

    for successes, trials in ((0, 1), (1, 1), (3, 7), (81, 263), (152, 152)):
        expected = binomtest(successes, trials).proportion_ci(method="wilson")
        assert wilson_interval(successes, trials) == pytest.approx((expected.low, expected.high), abs=1e-12)
    for differences in ([3, -1, 2, 2, 0], [5, 5, 5], [-2, 1, 1, -3, 2, 2, 1]):
        found = permutation_test(
            (np.array(differences, dtype=float),), np.sum, permutation_type="samples", n_resamples=np.inf
        )
        assert sign_flip_p_value(differences) == pytest.approx(found.pvalue)


def test_tests_and_sample_sizes_equal_statsmodels() -> None:
    from statsmodels.stats.contingency_tables import mcnemar
    from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa
    from statsmodels.stats.multitest import multipletests
    from statsmodels.stats.power import normal_sample_size_one_tail
    from statsmodels.stats.proportion import proportion_confint

    assert wilson_interval(36, 38) == pytest.approx(proportion_confint(36, 38, method="wilson"))
    for first, second in ((0, 0), (12, 3), (40, 22)):
        expected = mcnemar([[50, first], [second, 10]], exact=True).pvalue
        assert PairedOutcomes(50, first, second, 10).p_value == pytest.approx(expected)
    for p_values in ([0.01, 0.04, 0.03], [0.5, 0.5], [0.0, 1.0, 0.02, 0.02, 0.9]):
        assert holm(p_values) == pytest.approx(multipletests(p_values, method="holm")[1])
    size = normal_sample_size_one_tail(0.1, 0.8, 0.025, std_null=np.sqrt(0.25))
    assert tasks_needed(DifferenceVariance(0.05, 0.2), 0.1) == int(np.ceil(size))
    outcomes = (np.random.default_rng(5).random((30, 5)) < 0.6).tolist()
    observed = seed_agreement(
        repeated_tasks((str(number), value) for number, row in enumerate(outcomes) for value in row)
    )
    assert observed is not None
    counts, _ = aggregate_raters(np.array(outcomes, dtype=int))
    by_chance = float(((counts.sum(axis=0) / counts.sum()) ** 2).sum())
    assert (observed - by_chance) / (1 - by_chance) == pytest.approx(fleiss_kappa(counts))
