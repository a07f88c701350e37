from __future__ import annotations

import itertools

import numpy as np
import pytest

from garabench.stats.intervals import wilson_interval
from garabench.stats.rates import Rate
from garabench.stats.repeats import (
    RepeatedTask,
    clustered_interval,
    flips,
    pass_at_k,
    pass_hat_k,
    rate_over_tasks,
    repeat_rows,
    repeated_tasks,
    seed_agreement,
)
from tests.stats.test_measures import episode

OUTCOMES = (np.random.default_rng(5).random((30, 5)) < 0.6).tolist()
TASKS = repeated_tasks((str(number), value) for number, row in enumerate(OUTCOMES) for value in row)


def test_outcomes_are_grouped_by_task() -> None:
    assert repeated_tasks([("a", True), ("b", False), ("a", False)]) == (
        RepeatedTask(1, 2),
        RepeatedTask(0, 1),
    )
    with pytest.raises(ValueError, match="3 successes of 2"):
        RepeatedTask(3, 2)


def test_flips_count_tasks_with_different_outcomes() -> None:
    tasks = (RepeatedTask(0, 3), RepeatedTask(2, 3), RepeatedTask(3, 3), RepeatedTask(1, 1))
    assert flips(tasks) == Rate(1, 3)


@pytest.mark.parametrize("k", [1, 2, 5])
def test_pass_at_k_and_pass_hat_k_equal_all_choices(k: int) -> None:
    choices = [list(itertools.combinations(row, k)) for row in OUTCOMES]
    any_ = np.mean([np.mean([any(choice) for choice in row]) for row in choices])
    all_ = np.mean([np.mean([all(choice) for choice in row]) for row in choices])
    assert (pass_at_k(TASKS, k), pass_hat_k(TASKS, k)) == (pytest.approx(any_), pytest.approx(all_))


def test_too_few_seeds_give_no_value() -> None:
    once = (RepeatedTask(1, 1),)
    assert (seed_agreement(once), pass_at_k(once, 2), pass_hat_k(once, 2)) == (None, None, None)
    assert flips(once) == Rate(0, 0)
    assert pass_at_k(once, 1) == pass_hat_k(once, 1) == 1


def test_one_seed_per_task_gives_wilsons_interval() -> None:
    assert clustered_interval([RepeatedTask(1, 1)] * 36 + [RepeatedTask(0, 1)] * 2) == wilson_interval(36, 38)
    assert clustered_interval([]) is None


def test_seeds_that_always_agree_add_nothing_to_their_tasks() -> None:
    tasks = [RepeatedTask(5, 5)] * 30 + [RepeatedTask(0, 5)] * 10
    one_seed = wilson_interval(30, 40)
    assert clustered_interval(tasks) == pytest.approx(one_seed, abs=0.01)
    assert clustered_interval([RepeatedTask(5, 5)] * 40) == wilson_interval(40, 40)
    assert clustered_interval([RepeatedTask(5, 5)]) == wilson_interval(1, 1)


@pytest.mark.parametrize(("tasks", "seeds"), [(152, 5), (40, 3)])
def test_intervals_over_seeds_cover_the_true_rate(tasks: int, seeds: int) -> None:
    generator = np.random.default_rng(tasks)
    drawn = generator.binomial(seeds, generator.beta(2, 1, (2000, tasks)))
    covered = []
    for row in drawn.tolist():
        interval = clustered_interval([RepeatedTask(count, seeds) for count in row])
        covered.append(interval is not None and interval.low <= 2 / 3 <= interval.high)
    assert 0.93 <= np.mean(covered) <= 0.97


def test_rows_need_several_seeds() -> None:
    items = [
        episode("x", "clean", "success", seed=1),
        episode("x", "clean", "failure", seed=2),
        episode("y", "clean", "success", seed=1),
        episode("y", "clean", "error", seed=2),
        episode("x", "dual", "success", seed=1),
    ]
    (row,) = repeat_rows(items)
    assert (row.condition, row.tasks, row.seeds, row.agreement) == ("clean", 1, 2, 0.0)
    assert (row.flips, row.pass_at, row.pass_hat) == (Rate(1, 1), (0.75, 1.0), (0.75, 0.0))
    assert (row.tasks_of, row.left_out) == ((2, 1), (0, 1))


def test_a_rate_over_tasks_has_their_interval_and_equals_the_plain_rate() -> None:
    rate = rate_over_tasks((str(task), task < 12) for task in range(40) for _ in range(3))
    assert rate == Rate(36, 120)
    assert rate.interval() == clustered_interval([RepeatedTask(3, 3)] * 12 + [RepeatedTask(0, 3)] * 28)
    assert rate.interval() != Rate(36, 120).interval()
    assert rate_over_tasks([]).interval() is None
