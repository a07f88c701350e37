"""The tag `sample`, which `make run` uses, selects two feasible tasks of each app."""

from __future__ import annotations

from collections import Counter

from tests.bundled import bundled_suite


def test_the_sample_has_two_tasks_per_app() -> None:
    suite = bundled_suite()
    sample = suite.select("sample")
    assert Counter(item.group for item in sample) == {item.group: 2 for item in suite.tasks.values()}
    assert not any(item.task.infeasible for item in sample)
