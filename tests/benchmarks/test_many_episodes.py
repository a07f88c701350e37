"""The growth of a value over many episodes, task by task."""

from __future__ import annotations

import pytest

from benchmarks.many_episodes import Sample, growth


def _sample(task: str, step_s: float) -> Sample:
    return Sample(task, runner_mb=1, phone_mb=1, descriptors=1, step_s=step_s, step_cpu_s=step_s)


def test_tasks_are_compared_with_themselves() -> None:
    before = [_sample("short", 1), _sample("long", 4), _sample("long", 4)]
    after = [_sample("long", 4), _sample("short", 1), _sample("short", 1)]
    assert growth(before, after, lambda each: each.step_s) == pytest.approx(0)


def test_one_slow_episode_does_not_decide() -> None:
    before = [_sample("short", 1)] * 3
    after = [*before[:2], _sample("short", 9)]
    assert growth(before, after, lambda each: each.step_s) == pytest.approx(0)


def test_a_true_growth_is_found() -> None:
    before = [_sample("short", 1), _sample("long", 4)]
    after = [_sample("short", 1.2), _sample("long", 4.8)]
    assert growth(before, after, lambda each: each.step_cpu_s) == pytest.approx(20)
