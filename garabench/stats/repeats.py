"""Repeated seeds: how far the outcomes of one task agree, and how often it is solved in k attempts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from garabench.stats.rates import Rate


@dataclass(frozen=True, slots=True)
class RepeatedTask:
    """The outcomes of one task over its seeds.

    Attributes:
        successes: Number of successes.
        trials: Number of seeds.
    """

    successes: int
    trials: int

    def __post_init__(self) -> None:
        if not 0 <= self.successes <= self.trials:
            raise ValueError(f"{self.successes} successes of {self.trials} trials")

    @property
    def flips(self) -> bool:
        """Whether its outcomes differ."""
        return 0 < self.successes < self.trials


def repeated_tasks(outcomes: Iterable[tuple[str, bool]]) -> tuple[RepeatedTask, ...]:
    """Group outcomes by task.

    Args:
        outcomes: A task's id and an outcome, for each seed.
    """
    groups: dict[str, list[bool]] = {}
    for task, success in outcomes:
        groups.setdefault(task, []).append(success)
    return tuple(RepeatedTask(sum(group), len(group)) for group in groups.values())


def flips(tasks: Sequence[RepeatedTask]) -> Rate:
    """Return the share of tasks whose outcomes differ between seeds, among those with several seeds."""
    repeated = [task for task in tasks if task.trials > 1]
    return Rate(sum(task.flips for task in repeated), len(repeated))


def agreement(tasks: Sequence[RepeatedTask]) -> float | None:
    """Return the mean share of pairs of seeds with the same outcome; None without a repeated task.

    Source: Fleiss (1971), Measuring nominal scale agreement among many raters, Psychological Bulletin
    76:378-382, the mean observed agreement, for tasks with a number of seeds of their own.
    """
    shares = [
        (_pairs(task.successes) + _pairs(task.trials - task.successes)) / _pairs(task.trials)
        for task in tasks
        if task.trials > 1
    ]
    return sum(shares) / len(shares) if shares else None


def pass_at_k(tasks: Sequence[RepeatedTask], k: int) -> float | None:
    """Return the unbiased estimate of pass@k: the chance that at least one of k attempts succeeds.

    Tasks with fewer than k seeds are left out.

    Returns:
        The mean over tasks; None without a task of k seeds.

    Source: Chen et al. (2021), Evaluating large language models trained on code, arXiv:2107.03374,
    equation 1.
    """
    found = [
        1 - math.comb(task.trials - task.successes, k) / math.comb(task.trials, k)
        for task in tasks
        if task.trials >= k
    ]
    return sum(found) / len(found) if found else None


def pass_hat_k(tasks: Sequence[RepeatedTask], k: int) -> float | None:
    """Return the unbiased estimate of pass^k: the chance that all of k attempts succeed.

    Tasks with fewer than k seeds are left out.

    Returns:
        The mean over tasks; None without a task of k seeds.

    Source: Yao et al. (2024), tau-bench: a benchmark for tool-agent-user interaction in real-world domains,
    arXiv:2406.12045, section 3.
    """
    found = [math.comb(task.successes, k) / math.comb(task.trials, k) for task in tasks if task.trials >= k]
    return sum(found) / len(found) if found else None


def _pairs(count: int) -> int:
    return count * (count - 1) // 2
