"""Repeated seeds: how far the outcomes of one task agree, and how often it is solved in k attempts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from garabench.records.results import Summary
from garabench.stats.intervals import Z95, Interval, t_quantile
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


def clustered_interval(tasks: Sequence[RepeatedTask]) -> Interval | None:
    """Return the 95% interval of a success rate over tasks with several seeds.

    Wilson's interval gets the effective number of trials. With one seed per task it is Wilson's own interval.

    Returns:
        None without a trial.
    """
    return _rate(tasks).interval()


def rate_over_tasks(outcomes: Iterable[tuple[str, bool]]) -> Rate:
    """Return the share of outcomes that hold; its interval allows for several outcomes of one task.

    Args:
        outcomes: A task's id and whether the outcome holds, for each trial.
    """
    return _rate(repeated_tasks(outcomes))


def _rate(tasks: Sequence[RepeatedTask]) -> Rate:
    successes, trials = sum(task.successes for task in tasks), sum(task.trials for task in tasks)
    return Rate(successes, trials, effective_trials(tasks))


def effective_trials(tasks: Sequence[RepeatedTask]) -> float | None:
    """Return the number of independent trials that would give the same variance as the tasks' trials.

    Seeds of one task are alike, so they say less than as many tasks.

    Returns:
        None if no task has several trials.

    Source: Dean and Pagano (2015), Evaluating confidence interval methods for binomial proportions in
    clustered surveys, Journal of Survey Statistics and Methodology 3:484-503; degrees of freedom as in Korn
    and Graubard (1998), Survey Methodology 24:193-201.
    """
    clusters = [task for task in tasks if task.trials]
    trials, count = sum(task.trials for task in clusters), len(clusters)
    if all(task.trials == 1 for task in clusters):
        return None
    rate = sum(task.successes for task in clusters) / trials
    squares = sum((task.successes - rate * task.trials) ** 2 for task in clusters)
    effective = float(count)  # without a variance, nothing says that seeds add to their tasks
    if squares and count > 1:
        variance = squares * count / (count - 1) / trials**2
        adjustment = (Z95 / t_quantile(count - 1, 0.975)) ** 2
        effective = min(float(trials), max(1.0, rate * (1 - rate) / variance * adjustment))
    return effective


def flips(tasks: Sequence[RepeatedTask]) -> Rate:
    """Return the share of tasks whose outcomes differ between seeds, among those with several seeds."""
    repeated = [task for task in tasks if task.trials > 1]
    return Rate(sum(task.flips for task in repeated), len(repeated))


def seed_agreement(tasks: Sequence[RepeatedTask]) -> float | None:
    """Return the mean share of pairs of seeds with the same outcome; None without a repeated task.

    Source: Fleiss (1971), Measuring nominal scale agreement among many raters, Psychological Bulletin
    76:378-382, the mean observed agreement, for tasks with different numbers of seeds.
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


@dataclass(frozen=True, slots=True)
class RepeatRow:
    """One agent under one condition over repeated seeds.

    Attributes:
        agent, condition, reference: The agent, its condition, whether it is a reference agent.
        tasks: Number of tasks with several valid seeds.
        seeds: The most valid seeds of a task; k of `pass_at` and `pass_hat`.
        agreement: Mean share of pairs of seeds with the same outcome.
        flips: Share of the tasks whose outcomes differ between seeds.
        pass_at: Chance that at least one of k attempts succeeds, k from 1.
        pass_hat: Chance that all of k attempts succeed, k from 1.
        tasks_of: For each k, the number of tasks with at least k valid seeds, over which the two are means.
        left_out: For each k, the number of tasks with fewer valid seeds, which are left out.
    """

    agent: str
    condition: str
    reference: bool
    tasks: int
    seeds: int
    agreement: float | None
    flips: Rate
    pass_at: tuple[float, ...]
    pass_hat: tuple[float, ...]
    tasks_of: tuple[int, ...]
    left_out: tuple[int, ...]


def repeat_rows(summaries: Iterable[Summary]) -> tuple[RepeatRow, ...]:
    """Return a row per agent and condition with a task of several valid seeds, on feasible tasks."""
    groups: dict[tuple[str, str, bool], list[tuple[str, bool]]] = {}
    for item in summaries:
        if item.counts and not item.infeasible:
            key = (item.agent, item.condition, item.reference)
            groups.setdefault(key, []).append((item.task, item.outcome == "success"))
    rows = (_row(*key, repeated_tasks(group)) for key, group in groups.items())
    return tuple(row for row in rows if row.seeds > 1)


def _row(agent: str, condition: str, reference: bool, tasks: Sequence[RepeatedTask]) -> RepeatRow:
    seeds = max(task.trials for task in tasks)
    numbers = range(1, seeds + 1)
    return RepeatRow(
        agent=agent,
        condition=condition,
        reference=reference,
        tasks=sum(task.trials > 1 for task in tasks),
        seeds=seeds,
        agreement=seed_agreement(tasks),
        flips=flips(tasks),
        pass_at=tuple(pass_at_k(tasks, k) or 0.0 for k in numbers),
        pass_hat=tuple(pass_hat_k(tasks, k) or 0.0 for k in numbers),
        tasks_of=tuple(sum(task.trials >= k for task in tasks) for k in numbers),
        left_out=tuple(sum(task.trials < k for task in tasks) for k in numbers),
    )
