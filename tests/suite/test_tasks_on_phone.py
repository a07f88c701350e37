"""Every task of the suite, by touch: solved by its solution, not before, and not by its near misses."""

from __future__ import annotations

import pytest

from garabench.campaign.suite import Suite, SuiteTask
from garabench.core.task import NearMiss
from garabench.rules.engine import RuleEngine
from garabench.virtual.apps.catalog import installed_apps
from tests.virtual.apps.driver import Driver

PROFILES = ("android-34:1080x2400", "android-19:720x1280", "android-30:1440x3120")
SUITE = Suite.load()
TASKS = tuple(SUITE.tasks.values())
NEAR_MISSES = [(item, miss) for item in TASKS for miss in item.task.near_misses]
APPS = {app.package: app for app in installed_apps()}


def test_each_app_has_its_tasks() -> None:
    counts = {app: sum(item.app == app for item in TASKS) for app in {item.app for item in TASKS}}
    assert counts.keys() == {"tv.danmaku.bili", "com.jingdong.app.mall"}
    assert min(counts.values()) >= 12


def test_every_rule_and_every_goal_is_used() -> None:
    assert SUITE.rules.keys() == {name for item in TASKS for name in item.task.rules}
    assert SUITE.goals.keys() == {item.goal.id for item in TASKS}


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("item", TASKS, ids=lambda item: item.task.id)
def test_the_solution_reaches_the_goal_and_every_rule_fires_on_its_way(item: SuiteTask, profile: str) -> None:
    driver = Driver(profile, APPS[item.app])
    engines = {
        bound.rule.id: RuleEngine([bound], seed=0, episode=item.task.id) for bound in SUITE.rules_of(item)
    }
    fired: dict[str, int] = {}
    for place, step in enumerate(item.task.solution):
        facts = driver.facts()
        for name, engine in engines.items():
            if engine.decide(facts, place) is not None:
                fired.setdefault(name, place)
        assert driver.holds(item.goal).holds is False
        driver.do(step)
    verdict = driver.holds(item.goal)
    assert verdict.holds, verdict.why
    assert fired.keys() == set(item.task.rules)
    assert len(set(fired.values())) == len(fired) >= 2  # at different depths
    assert len({SUITE.interruptions[bound.rule.inject].category for bound in SUITE.rules_of(item)}) >= 2
    assert item.task.max_steps >= 2 * len(item.task.solution)


@pytest.mark.parametrize(
    ("item", "miss"), NEAR_MISSES, ids=[f"{item.task.id}-{miss.name}" for item, miss in NEAR_MISSES]
)
def test_a_near_miss_is_rejected_all_the_way(item: SuiteTask, miss: NearMiss) -> None:
    driver = Driver(app=APPS[item.app])
    for step in miss.steps:
        driver.do(step)
        assert driver.holds(item.goal).holds is False
