from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from garabench.errors import InputError
from garabench.known_causes import data_set
from garabench.known_causes.cause import Cause, CauseKind
from garabench.known_causes.data_set import DefectSwitcher, plan_rounds
from garabench.suite.suite import Suite


class Lease:
    """A virtual phone whose defects are recorded."""

    def __init__(self) -> None:
        self.calls: list[tuple[object, ...]] = []
        self.phone = self
        self.running = True

    def defect(self, name: str, *, on: bool = True, draw: int = 0) -> None:
        self.calls.append((name, on, draw))

    def connect(self) -> Any:
        self.running = True
        return SimpleNamespace(close=lambda: None)


@pytest.fixture
def lease(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(data_set, "VirtualLease", Lease)
    return Lease()


def spec(task: str) -> Any:
    return SimpleNamespace(task=SimpleNamespace(id=task))


def test_each_episode_has_the_defect_of_its_task_and_no_other(lease: Any) -> None:
    causes = {"a": Cause(CauseKind.DEFECT, "dead"), "b": Cause(CauseKind.AGENT_FAULT, "loops")}
    switcher = DefectSwitcher(causes)
    switcher(spec("a"), lease)
    assert lease.calls == [("dead", True, 0)]
    switcher(spec("b"), lease)
    switcher(spec("c"), lease)
    assert lease.calls[1:] == [("dead", False, 0)]


def test_a_lost_phone_is_restarted_before_its_defect_is_switched_on(lease: Any) -> None:
    switcher = DefectSwitcher({})
    switcher.switch(lease, Cause(CauseKind.DEFECT, "dead"), draw=1)
    lease.running = False
    switcher.switch(lease, Cause(CauseKind.DEFECT, "slow"), draw=1)
    assert lease.running
    assert lease.calls == [("dead", True, 1), ("slow", True, 1)], "a restarted phone has no defect"


def test_real_devices_have_no_defects() -> None:
    with pytest.raises(InputError, match="only virtual phones"):
        DefectSwitcher({}).switch(SimpleNamespace(), None)  # type: ignore[arg-type]


def test_infeasible_tasks_are_in_no_round() -> None:
    suite = Suite.load()
    every = suite.every_task
    infeasible = {name for name, item in every.items() if item.task.infeasible is not None}
    rounds = plan_rounds(tuple(every.values()), 0)
    assert infeasible
    assert not any(infeasible & each.causes.keys() for each in rounds)
    assert [each.name for each in rounds] == sorted({each.name for each in rounds})
