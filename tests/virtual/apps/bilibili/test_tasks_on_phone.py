from __future__ import annotations

import pytest

from garabench.campaign.suite import SuiteTask
from garabench.rules.engine import RuleEngine
from tests.virtual.apps.bilibili.driver import Driver
from tests.virtual.apps.bilibili.test_tasks import NEAR_MISSES, SUITE, each_task

PROFILES = ("android-34:1080x2400", "android-19:720x1280", "android-30:1440x3120")


@pytest.mark.parametrize("profile", PROFILES)
@each_task
def test_by_touch_the_solution_reaches_the_goal_and_every_rule_fires(item: SuiteTask, profile: str) -> None:
    driver = Driver(profile)
    engines = {
        bound.rule.id: RuleEngine([bound], seed=0, episode=item.task.id) for bound in SUITE.rules_of(item)
    }
    fired: set[str] = set()
    for place, step in enumerate(item.task.solution):
        facts = driver.facts()
        fired |= {name for name, engine in engines.items() if engine.decide(facts, place) is not None}
        assert driver.holds(item.goal).holds is False
        driver.do(step)
    verdict = driver.holds(item.goal)
    assert verdict.holds, verdict.why
    assert fired == set(item.task.rules)


@pytest.mark.parametrize(
    ("item", "miss"), NEAR_MISSES, ids=[f"{item.task.id}-{miss.name}" for item, miss in NEAR_MISSES]
)
def test_by_touch_a_near_miss_is_rejected(item: SuiteTask, miss: object) -> None:
    driver = Driver()
    for step in miss.steps:  # type: ignore[attr-defined]
        driver.do(step)
        assert driver.holds(item.goal).holds is False
