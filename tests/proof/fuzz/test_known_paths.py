"""The paths of an app's tasks are drawn by kind of change, and begin on an element of the page."""

from __future__ import annotations

import pytest

from garabench.core.seeds import generator
from garabench.core.selector import Selector
from garabench.core.step_planner import target_of
from garabench.core.steps import AnswerStep, OpenAppStep
from garabench.proof.fuzz.known_paths import MAX_END, MIN_END, KnownPaths
from garabench.suite.suite import Suite, SuiteTask
from tests.proof.fuzz.pages import element, page

NAME = "bili-like-song-live"


@pytest.fixture(scope="module")
def suite() -> Suite:
    return Suite.load()


@pytest.fixture(scope="module")
def item(suite: Suite) -> SuiteTask:
    return suite.tasks[NAME]


@pytest.fixture(scope="module")
def known(suite: Suite, item: SuiteTask) -> KnownPaths:
    return KnownPaths.of(item, tuple(suite.every_task.values()))


def test_whole_tasks_are_others_of_the_app_that_change_something(known: KnownPaths, suite: Suite) -> None:
    names = {path.task for path in known.whole}
    assert NAME not in names
    assert names < {each.task.id for each in suite.tasks.values() if each.app == suite.tasks[NAME].app}
    assert "bili-answer-fans" not in names
    assert all(path.groups for path in known.whole)
    assert not any(isinstance(step, AnswerStep | OpenAppStep) for path in known.every for step in path.steps)


def test_every_kind_of_change_is_drawn(known: KnownPaths) -> None:
    rng = generator(1)
    kinds = {group for path in known.whole for group in path.groups}
    paths = [known.draw_task(rng) for _ in range(40 * len(kinds))]
    assert {group for path in paths if path is not None for group in path.groups} == kinds


def test_an_end_begins_on_the_page_and_not_with_the_next_step(known: KnownPaths, item: SuiteTask) -> None:
    fav = element("", "frame_fav", desc="收藏,3", package=item.app)
    tree = page(fav)
    rng = generator(1)
    ends = [found for _ in range(20) if (found := known.draw_end(tree, (), rng)) is not None]
    assert ends
    for each in ends:
        assert MIN_END <= len(each.steps) <= MAX_END
    assert {target_of(each.steps[0]) for each in ends} == {Selector(id="frame_fav")}
    assert known.draw_end(tree, ends[0].steps, rng) is None
    assert known.draw_end(page(), (), rng) is None


def test_no_other_tasks_offer_nothing(item: SuiteTask) -> None:
    assert KnownPaths().draw_task(generator(1)) is None
