"""Requirements that apply only to the bundled suite."""

from __future__ import annotations

from dataclasses import replace

import pytest

from garabench.core.task import NearMissKind
from garabench.lint.bundled import bundled_suite_requirements
from garabench.lint.suite_check import check_suite
from garabench.suite.suite import SuiteSources, SuiteTask, read_sources
from tests.suite.written_suite import Write

NAME = "jd-new-nickname"


@pytest.fixture(scope="module")
def sources() -> SuiteSources:
    return read_sources()


def _with(sources: SuiteSources, item: SuiteTask) -> SuiteSources:
    suite = replace(sources.suite, tasks={**sources.suite.tasks, NAME: item})
    return replace(sources, suite=suite)


def _reported(sources: SuiteSources, **changes: object) -> list[str]:
    item = sources.suite.tasks[NAME]
    changed = replace(item, task=item.task.model_copy(update=changes))
    return [str(error) for error in bundled_suite_requirements(_with(sources, changed))]


def test_a_task_with_rules_and_near_misses_of_two_kinds_passes(sources: SuiteSources) -> None:
    assert list(bundled_suite_requirements(sources)) == []


def test_a_task_without_rules_is_reported(sources: SuiteSources) -> None:
    (message,) = _reported(sources, rules=())
    assert "tasks/jd.yaml:" in message and "rules of at least two categories" in message


def test_a_task_with_one_category_of_rules_is_reported(sources: SuiteSources) -> None:
    (message,) = _reported(sources, rules=sources.suite.tasks[NAME].task.rules[:1])
    assert "rules of at least two categories" in message


def test_a_task_without_near_misses_is_reported(sources: SuiteSources) -> None:
    (message,) = _reported(sources, near_misses=())
    assert "near misses of at least two kinds" in message


def test_a_task_without_a_near_miss_on_another_object_is_reported(sources: SuiteSources) -> None:
    misses = sources.suite.tasks[NAME].task.near_misses
    elsewhere = (NearMissKind.WRONG_OBJECT, NearMissKind.WRONG_PLACE)
    (message,) = _reported(sources, near_misses=tuple(miss for miss in misses if miss.kind not in elsewhere))
    assert "of kind wrong-object or wrong-place" in message


def test_other_suites_are_exempt(write: Write) -> None:
    assert check_suite(write())
