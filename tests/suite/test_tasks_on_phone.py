"""Every task is proven by touch, on one of several phones: solvable, not solved before nor by mistake.

`garabench tasks prove all` shows the same and more over the wire, and takes minutes.
"""

from __future__ import annotations

import zlib

import pytest

from garabench.campaign.proof import Check, Variant
from garabench.campaign.prove import prove_task
from garabench.campaign.suite import Suite, SuiteTask
from tests.virtual.apps.stage import DriverStage

PROFILES = ("android-34:1080x2400", "android-19:720x1280", "android-30:1440x3120")
SUITE = Suite.load()
TASKS = tuple(SUITE.tasks.values())


def test_each_app_has_its_tasks() -> None:
    counts = {app: sum(item.app == app for item in TASKS) for app in {item.app for item in TASKS}}
    assert counts.keys() >= {"tv.danmaku.bili", "com.jingdong.app.mall"}
    assert min(counts.values()) >= 12


def test_every_rule_and_every_goal_is_used() -> None:
    every = SUITE.every_task.values()
    assert SUITE.rules.keys() == {name for item in every for name in item.task.rules}
    assert SUITE.goals.keys() == {use for item in every for use in item.uses}


@pytest.mark.parametrize("item", TASKS, ids=lambda item: item.task.id)
def test_a_task_is_proven(item: SuiteTask) -> None:
    profile = PROFILES[zlib.crc32(item.task.id.encode()) % len(PROFILES)]
    proof = prove_task(item, SUITE, [(Variant(profile), DriverStage(profile))]).proof
    assert proof.failures == ()
    named = {(finding.check, finding.subject) for finding in proof.findings}
    assert named >= {(Check.RULE_FIRES, name) for name in item.task.rules}
    assert named >= {(Check.NEAR_MISS, miss.name) for miss in item.task.near_misses}
    fired = [finding.step for finding in proof.findings if finding.check is Check.RULE_FIRES]
    assert len(set(fired)) == len(fired) >= 2  # at different depths


@pytest.mark.parametrize("item", TASKS, ids=lambda item: item.task.id)
def test_a_task_has_what_makes_it_worth_running(item: SuiteTask) -> None:
    assert item.task.near_misses
    assert item.task.max_steps >= 2 * len(item.task.solution)
    assert len({SUITE.interruptions[bound.rule.inject[0]].category for bound in SUITE.rules_of(item)}) >= 2
    assert {"zh", "en"} <= item.task.instruction.keys()
