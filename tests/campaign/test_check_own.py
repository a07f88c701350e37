"""What is asked of the suite that comes with GaraBench alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from garabench.campaign.check import check_suite
from garabench.campaign.check_own import own_requirements
from garabench.campaign.suite import Sources, SuiteTask, read_sources
from garabench.core.task import MissKind
from tests.campaign.written_suite import Write

NAME = "jd-new-nickname"


@pytest.fixture(scope="module")
def sources() -> Sources:
    return read_sources()


def _with(sources: Sources, item: SuiteTask) -> Sources:
    suite = replace(sources.suite, tasks={**sources.suite.tasks, NAME: item})
    return replace(sources, suite=suite)


def _told(sources: Sources, **changes: object) -> list[str]:
    item = sources.suite.tasks[NAME]
    changed = replace(item, task=item.task.model_copy(update=changes))
    return [str(error) for error in own_requirements(_with(sources, changed))]


def test_each_task_has_rules_and_near_misses_of_two_kinds(sources: Sources) -> None:
    assert list(own_requirements(sources)) == []


def test_a_task_without_rules_is_told(sources: Sources) -> None:
    (said,) = _told(sources, rules=())
    assert "tasks/jd.yaml:" in said and "rules of two categories or more" in said


def test_a_task_of_one_rule_is_told(sources: Sources) -> None:
    (said,) = _told(sources, rules=sources.suite.tasks[NAME].task.rules[:1])
    assert "rules of two categories or more" in said


def test_a_task_without_near_misses_is_told(sources: Sources) -> None:
    (said,) = _told(sources, near_misses=())
    assert "near misses of two kinds or more" in said


def test_a_task_that_never_goes_elsewhere_is_told(sources: Sources) -> None:
    misses = sources.suite.tasks[NAME].task.near_misses
    elsewhere = (MissKind.WRONG_OBJECT, MissKind.WRONG_PLACE)
    (said,) = _told(sources, near_misses=tuple(miss for miss in misses if miss.kind not in elsewhere))
    assert "another object or another place" in said


def test_a_suite_of_others_may_do_without(write: Write) -> None:
    assert check_suite(write())
