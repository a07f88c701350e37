"""The proven table of broken tasks fits the defects and the suite."""

from __future__ import annotations

from importlib import resources

import yaml

from garabench.suite.suite import Suite
from garabench.virtual.defects.defect import ExpectedEffect
from garabench.virtual.defects.defect_table import defect_table


def test_each_defect_breaks_a_task_as_declared_and_more_than_a_hundred_tasks_are_broken() -> None:
    file = resources.files("garabench.virtual.defects") / "broken_tasks.yaml"
    table = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert list(table) == list(defect_table())
    suite = Suite.load()
    for defect, tasks in table.items():
        assert defect_table()[defect].expected.value in tasks.values(), defect
        assert set(tasks) <= suite.tasks.keys()
    broken = {
        task
        for tasks in table.values()
        for task, effect in tasks.items()
        if effect == ExpectedEffect.IMPOSSIBLE
    }
    assert len(broken) >= 100
