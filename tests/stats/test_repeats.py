from __future__ import annotations

import itertools

import numpy as np
import pytest

from garabench.stats.rates import Rate
from garabench.stats.repeats import RepeatedTask, agreement, flips, pass_at_k, pass_hat_k, repeated_tasks

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
    assert (agreement(once), pass_at_k(once, 2), pass_hat_k(once, 2)) == (None, None, None)
    assert flips(once) == Rate(0, 0)
    assert pass_at_k(once, 1) == pass_hat_k(once, 1) == 1
