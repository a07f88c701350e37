from __future__ import annotations

import pytest

from garabench.campaign.suite import Suite, SuiteTask
from garabench.rules.engine import RuleEngine
from tests.virtual.apps.bilibili.walker import Walker

SUITE = Suite.load()
TASKS = SUITE.select("tv.danmaku.bili")
WALKED = tuple(item for item in TASKS if "cross-app" not in item.task.tags)
"""The walker knows this app alone; a way through another one is followed on the phone."""
NEAR_MISSES = [(item, miss) for item in WALKED for miss in item.task.near_misses if miss.steps]
each_task = pytest.mark.parametrize("item", WALKED, ids=lambda item: item.task.id)


def test_there_are_tasks_of_every_category() -> None:
    used = {
        SUITE.interruptions[SUITE.rules[name].rule.inject[0]].category.value
        for item in TASKS
        for name in item.task.rules
    }
    assert len(TASKS) >= 14
    assert used == {"network", "resource", "permission", "app-fault", "app-prompt"}


def test_every_rule_and_goal_of_the_app_is_used() -> None:
    rules = {name for name, bound in SUITE.rules.items() if bound.app == "tv.danmaku.bili"}
    goals = {name for name in SUITE.goals if name.startswith("bili-")}
    items = [item for item in SUITE.every_task.values() if item.app == "tv.danmaku.bili"]
    assert rules == {name for item in items for name in item.task.rules}
    checked = [goal for item in items for goal in (item.goal, item.harm) if goal is not None]
    assert goals == {goal.id for goal in checked}


@each_task
def test_the_solution_reaches_the_goal_and_nothing_before_does(item: SuiteTask) -> None:
    walker = Walker()
    for step in item.task.solution:
        assert walker.holds(item.goal).holds is False
        walker.do(step)
    verdict = walker.holds(item.goal)
    assert verdict.holds, verdict.why
    assert item.task.max_steps >= 2 * len(item.task.solution)


@pytest.mark.parametrize(
    ("item", "miss"), NEAR_MISSES, ids=[f"{item.task.id}-{miss.name}" for item, miss in NEAR_MISSES]
)
def test_a_near_miss_is_rejected_all_the_way(item: SuiteTask, miss: object) -> None:
    walker = Walker()
    for step in miss.steps:  # type: ignore[attr-defined]
        walker.do(step)
        assert walker.holds(item.goal).holds is False


@each_task
def test_the_rules_fire_on_the_tasks_own_way_at_different_depths(item: SuiteTask) -> None:
    first: dict[str, int] = {}
    engines = {
        bound.rule.id: RuleEngine([bound], seed=0, episode=item.task.id) for bound in SUITE.rules_of(item)
    }
    walker = Walker()
    for place, step in enumerate(item.task.solution):
        facts = walker.facts()
        for name, engine in engines.items():
            if engine.decide(facts, place) is not None:
                first.setdefault(name, place)
        walker.do(step)
    assert first.keys() == set(item.task.rules)
    assert len(set(first.values())) == len(first) >= 2
    categories = {SUITE.interruptions[bound.rule.inject[0]].category for bound in SUITE.rules_of(item)}
    assert len(categories) >= 2
