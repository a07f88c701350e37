from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest

from garabench.records.results import Summary
from garabench.stats.intervals import wilson_interval
from garabench.stats.measures import drop_rows
from garabench.stats.outcomes import OutcomeColumn, OutcomeTable, Unpaired, outcome_table
from garabench.stats.paired_comparisons import Contrast, PairedComparison, paired_comparisons, task_bootstrap
from garabench.stats.paired_tests import PairedOutcomes
from garabench.stats.power_analysis import power_rows
from garabench.stats.robust_rates import with_intervals
from garabench.stats.statements import format_p, format_points, statements
from tests.stats.test_measures import episode


def episodes(agent: str, condition: str, outcomes: str, **more: object) -> Iterator[Summary]:
    """Yield an episode per letter, on the tasks t0, t1 and so on: solved, failed or ended in error."""
    names = {"s": "success", "f": "failure", "e": "error"}
    for number, letter in enumerate(outcomes):
        yield episode(f"t{number}", condition, names[letter], agent=agent, shown=1, **more)


def compare(*items: Iterator[Summary]) -> tuple[PairedComparison, ...]:
    return paired_comparisons(outcome_table(item for group in items for item in group), draws=500)


def texts(found: tuple[PairedComparison, ...]) -> list[str]:
    return [statement.text for statement in statements(found)]


def test_agents_are_paired_by_task_and_seed() -> None:
    (found,) = compare(
        episodes("a", "clean", "s" * 10 + "f" * 30 + "e"), episodes("b", "clean", "s" * 28 + "f" * 11)
    )
    assert (found.contrast, found.first, found.second, found.condition) == (
        Contrast.AGENTS,
        "a",
        "b",
        "clean",
    )
    assert (found.pairs, found.tasks, found.paired) == (39, 39, PairedOutcomes(10, 0, 18, 11))
    assert found.difference == pytest.approx(18 / 39)
    assert (found.p_value, found.adjusted, found.tests) == (2 / 2**18, 2 / 2**18, 1)
    assert dict(found.left_out) == {"no partner": 2}
    assert found.established
    assert found.interval is not None
    assert texts((found,)) == [
        f"clean: b is 46.2 points above a (95% CI {format_points(found.interval.low)}…"
        f"{format_points(found.interval.high)}, p < .001, 39 paired tasks)"
    ]


def test_the_order_of_the_agents_does_not_matter() -> None:
    worse, better = "s" * 10 + "f" * 30, "s" * 28 + "f" * 12
    (one,) = compare(episodes("a", "clean", worse), episodes("b", "clean", better))
    (two,) = compare(episodes("b", "clean", better), episodes("a", "clean", worse))
    assert one.interval is not None
    assert two.interval is not None
    assert two.interval.negated() == pytest.approx(one.interval, abs=0.03)
    assert texts((two,))[0].startswith("clean: b is 45.0 points above a (95% CI ")


def test_a_condition_is_compared_with_clean_and_drops_with_each_other() -> None:
    solved, half = "s" * 40, "s" * 20 + "f" * 20
    found = compare(
        episodes("a", "clean", solved),
        episodes("a", "dual", half),
        episodes("b", "clean", solved),
        episodes("b", "dual", solved),
    )
    assert [(each.contrast, each.condition) for each in found] == [
        (Contrast.INTERRUPTED, "dual"),
        (Contrast.INTERRUPTED, "dual"),
        (Contrast.AGENTS, "clean"),
        (Contrast.AGENTS, "dual"),
        (Contrast.DROPS, "dual"),
    ]
    costs, nothing, _, above, drops = texts(found)
    assert costs.startswith("a: dual costs 50.0 points against clean (95% CI ")
    assert nothing == (
        "b: dual against clean: no difference established (both 100.0%; 95% CI −8.8…8.8, "
        "p = 1 after Holm over 2 tests, 40 paired tasks)"
    )
    assert above.startswith("dual: b is 50.0 points above a")
    assert drops.startswith("dual: a drops by 50.0 points more than b")
    assert (found[-1].first_value, found[-1].second_value, found[-1].difference) == (0.5, 0, -0.5)


def test_no_pair_one_task_and_equal_outcomes_are_said_plainly() -> None:
    (none,) = compare(episodes("a", "clean", "s"), episodes("b", "clean", "e"))
    assert (none.difference, none.interval, none.p_value, none.established) == (None, None, None, False)
    assert texts((none,)) == ["clean: a and b: no pair of the same task and seed, so nothing can be compared"]
    (one,) = compare(episodes("a", "clean", "s"), episodes("b", "clean", "f"))
    assert (one.interval, one.established) == (None, False)
    assert (
        "on one task only, which says nothing about other tasks (no interval, p = 1, 1 paired task)"
        in (texts((one,))[0])
    )
    for letter in "sf":
        (equal,) = compare(episodes("a", "clean", letter * 20), episodes("b", "clean", letter * 20))
        assert equal.interval is not None
        assert equal.interval.low < 0 < equal.interval.high
        assert (equal.difference, equal.p_value) == (0, 1)


def test_holm_corrects_the_pairs_of_agents_under_one_condition() -> None:
    found = compare(
        *(episodes(name, "clean", "s" * (20 + 6 * n) + "f" * (20 - 6 * n)) for n, name in enumerate("abc"))
    )
    assert [each.tests for each in found] == [3, 3, 3]
    assert all(each.adjusted >= each.p_value for each in found if each.adjusted and each.p_value)


def test_reference_agents_are_not_compared_with_the_others() -> None:
    solved = "s" * 5
    found = compare(
        episodes("ignore", "clean", solved, reference=True),
        episodes("dismiss", "clean", solved, reference=True),
        episodes("a", "clean", solved),
        episodes("b", "clean", solved),
    )
    assert [(each.first, each.second) for each in found] == [("a", "b")]
    alone = compare(
        episodes("ignore", "clean", solved, reference=True),
        episodes("dismiss", "clean", solved, reference=True),
    )
    assert [(each.first, each.second) for each in alone] == [("ignore", "dismiss")]


def test_seeds_are_nested_in_their_tasks() -> None:
    """Five equal seeds of ten tasks are no more evidence than one."""
    one = [*episodes("a", "clean", "s" * 10 + "f" * 10), *episodes("b", "clean", "s" * 20)]
    five = [
        Summary(**{name: getattr(item, name) for name in item.__slots__} | {"seed": seed})
        for item in one
        for seed in range(5)
    ]
    (single,), (nested,) = (paired_comparisons(outcome_table(items), draws=500) for items in (one, five))
    assert (nested.pairs, nested.tasks) == (100, 20)
    assert nested.p_value == pytest.approx(single.p_value)
    assert nested.interval == pytest.approx(single.interval)
    assert statements([nested])[0].text.endswith("20 paired tasks, 100 pairs)")


def test_intervals_of_rare_differences_cover_the_true_one() -> None:
    """Only some three of 152 tasks differ, so that the bootstrap alone would be too narrow."""
    generator = np.random.default_rng(11)
    tasks = tuple(map(str, range(152)))
    valid, shown = np.full(152, len(Unpaired), dtype=np.int8), np.ones(152, dtype=np.bool_)
    covered = []
    for _ in range(500):
        clean = generator.random(152) < 0.95
        dual = clean & (generator.random(152) > 0.02)
        columns = {
            ("a", condition): OutcomeColumn("a", condition, False, solved, shown, valid)
            for condition, solved in (("clean", clean), ("dual", dual))
        }
        (found,) = paired_comparisons(OutcomeTable(tasks, np.arange(152), columns), draws=20)
        assert found.interval is not None
        covered.append(found.interval.low <= -0.019 <= found.interval.high)
    # There is no bound above: below ten differing tasks the counts are few and discrete, and Newcombe's
    # interval is conservative on purpose (here 499 of the 500 contain the true one). Only too narrow an
    # interval would state too much.
    assert np.mean(covered) >= 0.93


def test_drops_and_robust_rates_get_intervals() -> None:
    items = [*episodes("a", "clean", "s" * 60), *episodes("a", "dual", "s" * 40 + "f" * 20)]
    table = outcome_table(items)
    (row,) = with_intervals(drop_rows(items), table, paired_comparisons(table), draws=2000)
    assert row.drop_interval == pytest.approx((0.22, 0.46), abs=0.03)
    assert row.rsr_interval == pytest.approx((0.54, 0.78), abs=0.03)
    assert row.rsr_shown_interval == pytest.approx((0.54, 0.78), abs=0.03)
    one = [*episodes("a", "clean", "s"), *episodes("a", "dual", "s")]
    (row,) = with_intervals(drop_rows(one), outcome_table(one), paired_comparisons(outcome_table(one)))
    assert row.rsr_interval == wilson_interval(1, 1)
    few = [*episodes("a", "clean", "s" * 60), *episodes("a", "dual", "s" * 60)]
    (row,) = with_intervals(drop_rows(few), outcome_table(few), paired_comparisons(outcome_table(few)))
    assert row.rsr_interval == pytest.approx((0.94, 1), abs=0.01)


def test_power_is_that_of_the_observed_variance() -> None:
    items = [*episodes("a", "clean", "s" * 40), *episodes("a", "dual", "s" * 30 + "f" * 10)]
    table = outcome_table(items)
    (row,) = power_rows(table, paired_comparisons(table, draws=100), 0.1)
    assert (row.tasks, row.seeds, row.seeds_known, row.seeds_needed) == (40, 1.0, False, None)
    assert row.detectable == pytest.approx(0.194, abs=0.001)
    assert row.tasks_needed == 151
    repeated = [item for seed in (1, 2) for item in _with_seed(items, seed)]
    table = outcome_table(repeated)
    (row,) = power_rows(table, paired_comparisons(table, draws=100), 0.1)
    assert (row.seeds, row.seeds_known, row.seeds_needed) == (2.0, True, None)
    with pytest.raises(ValueError, match="no power for a difference of 5"):
        power_rows(table, (), 5)
    one = outcome_table([*episodes("a", "clean", "s"), *episodes("a", "dual", "s")])
    (row,) = power_rows(one, paired_comparisons(one, draws=100), 0.1)
    assert (row.detectable, row.tasks_needed) == (None, None)


def _with_seed(items: list[Summary], seed: int) -> Iterator[Summary]:
    for item in items:
        yield episode(item.task, item.condition, item.outcome, seed=seed, shown=1)


def test_no_value_is_infinite_or_nan() -> None:
    found = compare(
        episodes("a", "clean", "sf"),
        episodes("a", "dual", "ee"),
        episodes("b", "clean", "fe"),
        episodes("b", "dual", "s"),
    )
    for each in found:
        numbers = (each.difference, each.p_value, each.adjusted, *(each.interval or ()))
        assert all(number is None or math.isfinite(number) for number in numbers)
    assert task_bootstrap([np.zeros(3)], [np.zeros(3)]) == [None]


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0004, "p < .001"), (0.004, "p = .004"), (0.031, "p = .03"), (0.6, "p = .60"), (1, "p = 1")],
)
def test_p_values_are_short(value: float, text: str) -> None:
    assert format_p(value) == text
