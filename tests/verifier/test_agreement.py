"""Agreement: published examples, published figures, and properties."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from garabench.stats.intervals import wilson_interval
from garabench.verifier.agreement import (
    Confusion,
    agreement,
    bootstrap_interval,
    confusion_by_category,
    confusion_of,
    interval_distance,
    kappa_of_categories,
    krippendorff_alpha,
    label_flips,
    majority_label,
)
from garabench.verifier.label_agreement import kendall_tau

PAIRS = st.lists(st.tuples(st.booleans(), st.booleans()), max_size=40)

# Krippendorff (2011), section C: twelve units, four observers, missing labels.
RELIABILITY = [
    [1, 1, 1],
    [2, 2, 3, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [2, 2, 2, 2],
    [1, 2, 3, 4],
    [4, 4, 4, 4],
    [1, 1, 2, 1],
    [2, 2, 2, 2],
    [5, 5, 5],
    [1, 1],
    [3],
]


def test_the_kappa_of_published_failure_labels() -> None:
    labels = Confusion(true_positive=91, false_positive=24, false_negative=27, true_negative=520)
    assert labels.accuracy == pytest.approx(0.922961, abs=5e-7)
    assert labels.kappa == pytest.approx(0.734379, abs=5e-7)


def test_the_textbook_kappa() -> None:
    # 20 and 15 of 50 proposals judged alike: Cohen's kappa .4.
    counts = Confusion(true_positive=20, false_positive=5, false_negative=10, true_negative=15)
    assert counts.kappa == pytest.approx(0.4)
    assert counts.accuracy == pytest.approx(0.7)
    assert counts.false_positive_rate == pytest.approx(0.25)
    assert counts.false_negative_rate == pytest.approx(1 / 3)
    assert counts.f1 == pytest.approx(2 * 0.8 * (2 / 3) / (0.8 + 2 / 3))


@pytest.mark.parametrize(
    ("counts", "published"),
    [
        # For each stage the only counts of 106 trajectories with all five published figures.
        (Confusion(11, 4, 18, 73), (0.79, 0.50, 0.39, 0.62, 0.05)),  # outcome, blind
        (Confusion(11, 4, 6, 85), (0.91, 0.69, 0.63, 0.35, 0.04)),  # outcome, informed
        (Confusion(25, 16, 12, 53), (0.74, 0.64, 0.43, 0.32, 0.23)),  # process, blind
        (Confusion(20, 21, 2, 63), (0.78, 0.63, 0.50, 0.09, 0.25)),  # process, informed
    ],
)
def test_the_published_figures_follow_from_their_counts(
    counts: Confusion, published: tuple[float, ...]
) -> None:
    found = (
        counts.accuracy,
        counts.f1,
        counts.kappa,
        counts.false_negative_rate,
        counts.false_positive_rate,
    )
    assert found == pytest.approx(published, abs=0.005)


def test_krippendorffs_own_example() -> None:
    assert krippendorff_alpha(RELIABILITY) == pytest.approx(0.743, abs=0.0005)
    assert krippendorff_alpha(RELIABILITY, interval_distance) == pytest.approx(0.849, abs=0.0005)


def test_what_is_not_defined_is_none() -> None:
    empty = Confusion()
    assert (empty.accuracy, empty.kappa, empty.f1, empty.false_positive_rate) == (None, None, None, None)
    assert Confusion(true_positive=5).kappa is None
    assert krippendorff_alpha([[True], [False]]) is None
    assert krippendorff_alpha([[True, True], [True, True]]) is None
    assert kendall_tau([(1, 1), (1, 2)]) is None
    assert (majority_label([]), majority_label([True, False])) == (None, None)


@given(PAIRS)
def test_kappa_is_the_same_by_both_formulas_and_symmetric(pairs: list[tuple[bool, bool]]) -> None:
    kappa = confusion_of(pairs).kappa
    assert kappa == pytest.approx(kappa_of_categories(pairs))
    assert kappa == pytest.approx(confusion_of([(b, a) for a, b in pairs]).kappa)
    assert kappa is None or -1 <= kappa <= 1


@settings(max_examples=25)
@given(PAIRS.filter(lambda pairs: len(pairs) > 1))
def test_intervals_hold_their_value(pairs: list[tuple[bool, bool]]) -> None:
    found = agreement(pairs, draws=5)
    assert found.accuracy is not None
    assert found.confusion.accuracy is not None
    assert found.accuracy.low <= found.confusion.accuracy <= found.accuracy.high


def test_the_bootstrap_is_reproducible_and_resamples_whole_clusters() -> None:
    pairs = [(True, True)] * 10 + [(False, False)] * 8 + [(True, False)] * 2
    one = bootstrap_interval(pairs, lambda each: each.kappa, seed=3)
    assert one == bootstrap_interval(pairs, lambda each: each.kappa, seed=3)
    assert one is not None
    assert one.low < 0.8 < one.high
    assert bootstrap_interval(pairs, lambda each: each.kappa, clusters=["a"] * 20) is None


def test_without_a_disagreement_kappa_has_no_interval_and_rates_have_that_of_their_tasks() -> None:
    pairs = [(True, True)] * 30 + [(False, False)] * 30
    found = agreement(pairs, clusters=[str(number // 3) for number in range(60)])
    assert (found.confusion.kappa, found.kappa) == (1.0, None)
    assert found.accuracy == wilson_interval(20, 20)
    assert found.false_positive_rate == found.false_negative_rate == wilson_interval(0, 10)


def test_counts_by_category() -> None:
    assert confusion_by_category([("a", "a"), ("a", "b"), ("a", "b")]) == {("a", "a"): 1, ("a", "b"): 2}


def test_flips_and_correlations() -> None:
    rows = [(False, True, False)] * 33 + [(False, False, True)] + [(True, True, True)] * 171
    flips = label_flips(rows)
    assert (flips.labels, flips.to_judge, flips.from_judge) == (205, 33, 1)
    assert (flips.to_judge + flips.from_judge) / flips.labels == pytest.approx(0.166, abs=0.0005)
    assert kendall_tau([(1, 1), (2, 3), (3, 2)]) == pytest.approx(1 / 3)
