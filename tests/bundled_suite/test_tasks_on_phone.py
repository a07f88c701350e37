"""Tasks are proven on a virtual phone: solvable, and solved neither at the start nor by mistakes.

One task per app is proven here, together with every operator and relation of the goals; `make prove` proves
every task, and more of it, over the wire.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any

import pytest

from garabench.core.steps import OpenAppStep
from garabench.proof.findings import ProofCheck, Variant
from garabench.proof.prove_task import prove_task
from garabench.suite.suite import SuiteTask
from garabench.virtual.android.device_profile import Profile
from tests.bundled import bundled_suite
from tests.cases import every_case
from tests.virtual.apps.driver_performer import DriverPerformer

PROFILES = ("android-34:1080x2400", "android-19:720x1280", "android-30:1440x3120")
SUITE = bundled_suite()
TASKS = tuple(SUITE.tasks.values())


def test_each_app_has_its_tasks() -> None:
    counts = {app: sum(item.app == app for item in TASKS) for app in {item.app for item in TASKS}}
    assert counts.keys() >= {"tv.danmaku.bili", "com.jingdong.app.mall"}
    assert min(counts.values()) >= 12


def test_every_rule_and_every_goal_is_used() -> None:
    every = SUITE.every_task.values()
    assert SUITE.rules.keys() == {name for item in every for name in item.task.rules}
    assert SUITE.goals.keys() == {use for item in every for use in item.uses}


_PARTS = {"any", "checked", "contains", "count", "equals", "exists", "has", "inside", "matches", "near"}
_PARTS |= {"answer", "not", "selected", "setting", "sibling"}


def parts(condition: Any) -> frozenset[str]:
    """Return what a condition is made of: its operators, and the relations of its selectors."""
    if isinstance(condition, dict):
        return (frozenset(condition) & _PARTS).union(*map(parts, condition.values()))
    if isinstance(condition, list | tuple):
        return frozenset[str]().union(*map(parts, condition))
    return frozenset()


def kind(item: SuiteTask) -> frozenset[str]:
    return parts(item.goal.condition.model_dump(by_alias=True, exclude_defaults=True))


def with_every_part() -> Iterator[SuiteTask]:
    """Yield one task of each app, and further ones until every part of a goal is in one of them."""
    by_length = sorted(TASKS, key=lambda item: (len(item.task.solution), item.task.id))
    wanted = frozenset[str]().union(*map(kind, TASKS))
    for app in sorted({item.app for item in TASKS}):
        chosen = max(
            (item for item in by_length if item.app == app), key=lambda item: len(kind(item) & wanted)
        )
        wanted -= kind(chosen)
        yield chosen
    for item in by_length:
        if kind(item) & wanted:
            wanted -= kind(item)
            yield item


PROVEN = tuple(with_every_part())


def height_dp(profile: str) -> int:
    parsed = Profile.parse(profile)
    return parsed.size.height * 160 // parsed.density


def test_every_app_has_goals_of_several_kinds() -> None:
    assert len({kind(item) for item in TASKS}) >= 30
    assert {item.app for item in PROVEN} == {item.app for item in TASKS}
    assert frozenset[str]().union(*map(kind, PROVEN)) == frozenset[str]().union(*map(kind, TASKS))


@pytest.mark.parametrize("item", PROVEN, ids=lambda item: item.task.id)
def test_a_task_is_proven(item: SuiteTask) -> None:
    high_enough = [name for name in PROFILES if (item.task.min_height_dp or 0) <= height_dp(name)]
    profile = high_enough[zlib.crc32(item.task.id.encode()) % len(high_enough)]
    steps = [*item.task.solution, *(step for miss in item.task.near_misses for step in miss.steps)]
    performer = DriverPerformer(profile, all_apps=any(isinstance(step, OpenAppStep) for step in steps))
    proof = prove_task(item, SUITE, [(Variant(profile), performer)]).proof
    assert proof.failures == ()
    named = {(finding.check, finding.subject) for finding in proof.findings}
    assert named >= {(ProofCheck.RULE_FIRES, name) for name in item.task.rules}
    assert named >= {(ProofCheck.NEAR_MISS, miss.name) for miss in item.task.near_misses}
    fired = [finding.step for finding in proof.findings if finding.check is ProofCheck.RULE_FIRES]
    assert len(set(fired)) == len(fired) >= 2  # at different depths


@every_case("item", TASKS, ids=lambda item: item.task.id)
def test_a_task_meets_the_requirements_of_the_suite(item: SuiteTask) -> None:
    assert item.task.near_misses
    assert item.task.max_steps >= 2 * len(item.task.solution)
    assert len({SUITE.interruptions[bound.rule.inject[0]].category for bound in SUITE.rules_of(item)}) >= 2
    assert {"zh", "en"} <= item.task.instruction.keys()
