from __future__ import annotations

import pytest

from garabench.records.aftermath import AfterInterruption, RecoveredTo
from garabench.records.results import InjectedInterruption
from garabench.stats.breakdown import UNRECORDED, GroupedBy, breakdown_rows
from garabench.stats.rates import Rate
from tests.stats.test_measures import episode


def interruption(name: str, category: str, step: int, exit_: str) -> InjectedInterruption:
    after = AfterInterruption(RecoveredTo.NEVER if exit_ == "open" else RecoveredTo.SAME)
    return InjectedInterruption(
        name, category, "low", True, rule="r", mode="dual", step=step, exit=exit_, aftermath=after
    )


CRASH = interruption("app-crash", "app-fault", 0, "accept")
OFFLINE = interruption("offline", "network", 3, "open")
ITEMS = [
    episode("x", "clean", "success", app="a.b", solution_steps=4),
    episode("y", "clean", "success", app="a.c", solution_steps=4),
    episode("x", "dual", "success", app="a.b", shown=1, interruptions=(CRASH,), solution_steps=4),
    episode("y", "dual", "failure", app="a.c", shown=2, interruptions=(CRASH, OFFLINE), solution_steps=4),
    episode("z", "dual", "error", app="a.c", shown=1, interruptions=(CRASH,), solution_steps=4),
]


@pytest.mark.parametrize(
    ("dimension", "expected"),
    [
        (GroupedBy.APP, {"a.b": Rate(1, 1), "a.c": Rate(0, 1)}),
        (GroupedBy.CATEGORY, {"app-fault": Rate(1, 2), "network": Rate(0, 1)}),
        (GroupedBy.MODE, {"dual": Rate(1, 2)}),
        (GroupedBy.DEPTH, {"1: first third": Rate(1, 2), "3: last third": Rate(0, 1)}),
        (GroupedBy.INTERRUPTION, {"app-crash": Rate(1, 2), "offline": Rate(0, 1)}),
        (GroupedBy.EXIT, {"accept": Rate(1, 2), "open": Rate(0, 1)}),
    ],
)
def test_an_episode_is_in_the_group_of_each_of_its_interruptions(
    dimension: GroupedBy, expected: dict[str, Rate]
) -> None:
    rows = breakdown_rows(ITEMS, dimension)
    assert {row.group: row.success for row in rows if row.condition == "dual"} == expected
    assert {row.group: row.rsr for row in rows if row.condition == "dual"} == expected
    clean = [row for row in rows if row.condition == "clean"]
    assert [row.group for row in clean] == (["a.b", "a.c"] if dimension is GroupedBy.APP else [])
    assert all(row.rsr == Rate(0, 0) for row in clean)


def test_recoveries_are_counted_by_interruption() -> None:
    rows = {row.group: row for row in breakdown_rows(ITEMS, GroupedBy.CATEGORY)}
    assert (rows["app-fault"].interruptions, rows["app-fault"].recovered) == (2, Rate(2, 2))
    assert rows["network"].recovered == Rate(0, 1)


def test_what_older_results_do_not_say_has_a_group_of_its_own() -> None:
    old = InjectedInterruption("n", "", "", True)
    items = [episode("x", "dual", "success", shown=1, interruptions=(old,))]
    for dimension in (GroupedBy.APP, GroupedBy.CATEGORY, GroupedBy.DEPTH, GroupedBy.EXIT):
        assert [row.group for row in breakdown_rows(items, dimension)] == [UNRECORDED]
