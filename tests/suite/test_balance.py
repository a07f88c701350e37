"""The tables of docs/suite.md hold what the suite promises: nothing is under-represented."""

from __future__ import annotations

from collections import Counter

import pytest

from garabench.campaign.exits import exits
from garabench.campaign.suite import Suite
from garabench.core.interruption import Category, Mode
from garabench.core.steps import AnswerStep, OpenAppStep

SUITE = Suite.load()
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


def injected(app: str = "") -> Counter[Category]:
    """How often the tasks (of an app) name a rule of each category."""
    named = [b.rule.inject[0] for item in TASKS if app in ("", item.app) for b in SUITE.rules_of(item)]
    return Counter(SUITE.interruptions[name].category for name in named)


def test_there_are_so_many_tasks_of_each_app() -> None:
    assert Counter(item.app for item in TASKS) == COUNTS


def test_every_category_has_at_least_half_of_an_even_share() -> None:
    counts = injected()
    even = counts.total() / len(CATEGORIES)
    assert {category: count for category, count in counts.items() if count < even / 2} == {}
    assert counts.keys() == set(CATEGORIES)
    assert max(counts.values()) <= 1.5 * even


@pytest.mark.parametrize("app", sorted(APPS))
def test_every_app_has_every_category(app: str) -> None:
    counts = injected(app)
    assert counts.keys() == set(CATEGORIES)
    assert min(counts.values()) >= 0.05 * counts.total()


@pytest.mark.parametrize("app", ["", *sorted(APPS)])
def test_neither_mode_has_less_than_a_third_of_the_ways_out(app: str) -> None:
    named = [b.rule.inject[0] for item in TASKS if app in ("", item.app) for b in SUITE.rules_of(item)]
    ways = [way for name in named for way in exits(SUITE.interruptions[name], SUITE.interruptions)]
    modes = Counter(way.mode for way in ways)
    assert modes.keys() == set(Mode)
    assert min(modes.values()) >= modes.total() / 3


def test_every_task_is_reached_by_rules_of_two_categories() -> None:
    few = [
        item.task.id
        for item in TASKS
        if len({SUITE.interruptions[b.rule.inject[0]].category for b in SUITE.rules_of(item)}) < 2
    ]
    assert few == []


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


def test_beside_them_are_tasks_that_cannot_be_done_in_most_apps() -> None:
    beside = SUITE.infeasible.values()
    assert len(beside) >= 12
    assert len({item.app for item in beside}) >= 6
    assert all(item.task.rules for item in beside)
    assert all({"zh", "en"} <= item.task.instruction.keys() for item in beside)
