"""The suite is balanced over apps, categories and interruptions, as docs/suite.md shows."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from garabench.core.interruption import Category, Interruption, Mode
from garabench.core.rule import Rule
from garabench.core.steps import AnswerStep, OpenAppStep, ShowStep
from garabench.proof.exits import exit_keys
from garabench.proof.fuzz.accepted_findings import read_accepted
from garabench.suite.suite import SuiteTask
from tests.bundled import bundled_suite

SUITE = bundled_suite()
TASKS = tuple(SUITE.tasks.values())
APPS = {item.app for item in TASKS}
COUNTS = {
    "com.jingdong.app.mall": 25,
    "com.sina.weibo": 24,
    "tv.danmaku.bili": 24,
    "com.autonavi.minimap": 20,
    "ctrip.android.view": 18,
    "com.google.android.apps.maps": 15,
    "com.facebook.katana": 13,
    "com.amazon.mShop.android.shopping": 13,
}
CATEGORIES = (
    Category.NETWORK,
    Category.RESOURCE,
    Category.PERMISSION,
    Category.APP_FAULT,
    Category.APP_PROMPT,
)


def uses(app: str = "") -> list[tuple[SuiteTask, Rule, Interruption]]:
    """Return the interruptions of the tasks (of an app), once per pair of task and rule."""
    return [
        (item, bound.rule, SUITE.interruptions[name])
        for item in TASKS
        if app in ("", item.app)
        for bound in SUITE.rules_of(item)
        for name in bound.rule.inject
    ]


def injected(app: str = "") -> Counter[Category]:
    """Count the rules of the tasks (of an app) by category."""
    return Counter(window.category for _, _, window in uses(app))


def test_each_app_has_its_number_of_tasks() -> None:
    assert Counter(item.app for item in TASKS) == COUNTS


def test_every_category_has_15_to_25_percent_of_the_uses() -> None:
    counts = injected()
    shares = {category: counts[category] / counts.total() for category in CATEGORIES}
    assert {category: share for category, share in shares.items() if not 0.15 <= share <= 0.25} == {}
    assert counts.keys() == set(CATEGORIES)


@pytest.mark.parametrize("app", sorted(APPS))
def test_every_app_has_every_category(app: str) -> None:
    counts = injected(app)
    assert counts.keys() == set(CATEGORIES)
    assert min(counts.values()) >= 0.1 * counts.total()
    assert max(counts.values()) <= 0.3 * counts.total()


@pytest.mark.parametrize("category", CATEGORIES)
def test_no_interruption_has_more_than_40_percent_of_its_category(category: Category) -> None:
    counts = Counter(window.id for _, _, window in uses() if window.category is category)
    assert {name: n for name, n in counts.items() if n > 0.4 * counts.total()} == {}


def test_every_interruption_is_used_by_several_rules() -> None:
    tasks, rules, apps = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set), Counter[str]()
    for item, rule, window in uses():
        apps[window.id] += item.app not in {SUITE.tasks[name].app for name in tasks[window.id]}
        tasks[window.id].add(item.task.id)
        rules[window.id].add(rule.id)
    led_to = {
        step.show
        for window in SUITE.interruptions.values()
        for button in window.buttons
        for step in button.follow_up
        if isinstance(step, ShowStep)
    }
    assert tasks.keys() | led_to == SUITE.interruptions.keys()
    assert {name for name in tasks if len(tasks[name]) < 4 or len(rules[name]) < 3 or apps[name] < 2} == set()


@pytest.mark.parametrize("app", ["", *sorted(APPS)])
def test_each_interruption_has_exits_in_forced_mode_and_more_in_dual_mode(app: str) -> None:
    keys_of = [exit_keys(window, SUITE.interruptions) for _, _, window in uses(app)]
    assert all(set(keys[Mode.FORCED]) < set(keys[Mode.DUAL]) and keys[Mode.FORCED] for keys in keys_of)
    dual, forced = (sum(len(keys[mode]) for keys in keys_of) for mode in (Mode.DUAL, Mode.FORCED))
    assert forced >= dual / 3


def test_every_task_has_rules_of_two_categories() -> None:
    found = defaultdict[str, set[Category]](set)
    for item, _, window in uses():
        found[item.task.id].add(window.category)
    assert {item.task.id for item in TASKS if len(found[item.task.id]) < 2} == set()


def test_no_task_has_one_interruption_twice() -> None:
    counts = Counter((item.task.id, window.id) for item, _, window in uses())
    assert {where for where, n in counts.items() if n > 1} == set()


def test_lengths_languages_and_kinds_are_spread() -> None:
    lengths = [len(item.task.solution) for item in TASKS]
    assert (min(lengths), max(lengths)) == (3, 15)
    assert sum(length >= 9 for length in lengths) >= 25
    assert sum(any(isinstance(s, AnswerStep) for s in item.task.solution) for item in TASKS) >= 12
    crossing = [
        item
        for item in TASKS
        if "cross-app" in item.task.tags or any(isinstance(s, OpenAppStep) for s in item.task.solution)
    ]
    assert len(crossing) >= 8
    first = Counter(next(iter(item.task.instruction)) for item in TASKS)
    assert 0.75 <= first["zh"] / len(TASKS) <= 0.85
    assert all({"zh", "en"} <= item.task.instruction.keys() for item in TASKS)


def test_most_apps_have_infeasible_tasks() -> None:
    beside = SUITE.infeasible.values()
    assert len(beside) >= 12
    assert len({item.app for item in beside}) >= 6
    assert all(item.task.rules for item in beside)
    assert all({"zh", "en"} <= item.task.instruction.keys() for item in beside)


def test_no_two_accepted_findings_have_the_same_reason() -> None:
    reasons = [each.reason for each in read_accepted(SUITE.root, SUITE.every_task)]
    assert reasons
    assert [reason for reason, count in Counter(reasons).items() if count > 1] == []
