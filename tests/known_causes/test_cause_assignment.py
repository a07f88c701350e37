"""Causes are drawn evenly, reproducibly, and only where they matter."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from garabench.agents.faulty.agent_fault import AgentFaultKind
from garabench.errors import InputError
from garabench.known_causes.affected_tasks import affected_tasks, defects_by_task
from garabench.known_causes.cause import (
    Cause,
    CauseKind,
    Half,
    KnownFailure,
    half_of,
    read_truth,
    write_truth,
)
from garabench.known_causes.cause_assignment import (
    BREAKING_IMPACTS,
    applicable_faults,
    assign_defects,
    assign_faults,
)
from garabench.known_causes.data_set import plan_rounds
from garabench.suite.suite import Suite
from garabench.virtual.defects.defect_table import defect_table


@pytest.fixture(scope="module")
def suite() -> Suite:
    return Suite.load()


def test_each_defect_breaks_tasks_as_declared_and_more_than_a_hundred_tasks_are_broken(suite: Suite) -> None:
    assert list(affected_tasks()) == list(defect_table())
    for defect, tasks in affected_tasks().items():
        assert set(tasks) <= suite.tasks.keys()
        assert defect_table()[defect].impact.value in tasks.values(), defect
    assert len(defects_by_task(BREAKING_IMPACTS)) >= 100


def test_each_task_gets_a_defect_that_breaks_it_and_defects_are_used_evenly() -> None:
    broken = defects_by_task(BREAKING_IMPACTS)
    drawn = assign_defects(broken, broken, 0)
    assert drawn.keys() == broken.keys()
    assert all(cause.name in broken[task] and cause.environment for task, cause in drawn.items())
    assert len({cause.name for cause in drawn.values()}) >= 60
    assert drawn == assign_defects(reversed(list(broken)), broken, 0)
    assert drawn != assign_defects(broken, broken, 0, number=1)


def test_faults_are_drawn_evenly_where_they_matter(suite: Suite) -> None:
    tasks = [item.task for item in suite.select("all")]
    drawn = assign_faults(tasks, "dual", 0)
    used = Counter(cause.name for cause in drawn.values())
    assert set(used) == set(AgentFaultKind)
    assert max(used.values()) <= 3 * min(used.values())
    for task in tasks:
        assert drawn[task.id].name in applicable_faults(task, "dual")
        assert AgentFaultKind.TAPS_THROUGH not in applicable_faults(task, "clean")
    assert not any(cause.environment for cause in drawn.values())


def test_halves_are_fixed_by_the_task_and_about_equal(suite: Suite) -> None:
    halves = Counter(half_of(name) for name in suite.tasks)
    assert halves[Half.TUNING] + halves[Half.HELD_OUT] == len(suite.tasks)
    assert min(halves.values()) > 0.4 * len(suite.tasks)
    assert half_of("bili-like-song-live") is half_of("bili-like-song-live")


def test_rounds_balance_causes_and_conditions(suite: Suite) -> None:
    rounds = plan_rounds(suite.select("all"), 0)
    assert sum(each.share for each in rounds) == pytest.approx(1)
    assert {each.condition for each in rounds} == {"clean", "dual"}
    shares = Counter[bool]()
    for each in rounds:
        shares[next(iter(each.causes.values())).environment] += each.share
    assert 0.4 <= shares[True] <= 0.6


def test_causes_are_written_and_read(tmp_path: Path) -> None:
    failures = tuple(
        KnownFailure("runs/a", f"task-{n}", "subject", "clean", n, Cause(CauseKind.DEFECT, "x", "flaky"))
        for n in range(3)
    )
    write_truth(tmp_path, failures)
    assert read_truth(tmp_path) == failures
    (tmp_path / "truth.jsonl").write_text('{"run": 1}\n')
    with pytest.raises(InputError):
        read_truth(tmp_path)
