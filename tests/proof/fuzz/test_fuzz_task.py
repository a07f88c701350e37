"""Walks of a task of the bundled suite, on a phone in this process."""

from __future__ import annotations

from dataclasses import replace

import pytest

from garabench.core.expected_effects import EffectExpectation
from garabench.core.goal import Goal
from garabench.core.selector import Selector
from garabench.core.steps import LongPressStep, ScrollSpec, ScrollStep, TapStep
from garabench.proof.fuzz.fuzz_task import NO_EFFECTS, TaskFuzzer, UnfuzzableTaskError, fuzz_task
from garabench.proof.fuzz.walk import ActionKind, FuzzWalk, Insertion, WalkVerdict
from garabench.suite.suite import Suite, SuiteTask

NAME = "bili-like-song-live"
FOLLOW = Insertion(before=4, kind=ActionKind.LIKE, steps=(TapStep(tap=Selector(id="follow", text="关注")),))
SCROLL = Insertion(before=4, kind=ActionKind.SCROLL, steps=(ScrollStep(scroll=ScrollSpec(amount=0.05)),))
ROTATE = Insertion(before=3, kind=ActionKind.ROTATE)


@pytest.fixture(scope="module")
def item() -> SuiteTask:
    return Suite.load().tasks[NAME]


@pytest.fixture(scope="module")
def lenient(item: SuiteTask) -> TaskFuzzer:
    """The task with a goal that accepts any like, even with other changes."""
    condition = {"selected": {"id": "frame_like"}}
    return TaskFuzzer(replace(item, goal=Goal.model_validate({"id": "liked", "condition": condition})))


def test_walks_are_the_same_for_the_same_seed(item: SuiteTask) -> None:
    first, second = (fuzz_task(item, walks=2, seed=7) for _ in range(2))
    assert first == second
    assert not first.problem
    assert [walk.number for walk in first.walks] == [1, 2]
    assert all(walk.walk.inserted for walk in first.walks)


def test_a_lenient_goal_is_found_and_the_walk_is_shrunk(lenient: TaskFuzzer) -> None:
    result = lenient.replay(FuzzWalk(task=NAME, inserted=(ROTATE, FOLLOW, SCROLL)))
    assert result.verdict is WalkVerdict.ACCEPTED_SEEN, result.reason
    assert [change.name for change in result.unasked] == ["added follow"]
    assert "乐迷小周" in result.trace
    minimal = lenient.minimal(result)
    assert minimal.result.walk.inserted == (FOLLOW,)
    assert minimal.changes == ("added follow",)


def test_harmless_actions_have_no_effects(lenient: TaskFuzzer) -> None:
    result = lenient.replay(FuzzWalk(task=NAME, inserted=(ROTATE, SCROLL)))
    assert (result.verdict, result.exact) == (WalkVerdict.ACCEPTED, True)


def test_a_path_that_strays_after_a_scroll_is_blocked(item: SuiteTask) -> None:
    """By its position, it would like another video."""
    steps = list(item.task.solution)
    steps[2] = TapStep(tap=Selector(id="title", index=0))
    fuzzer = TaskFuzzer(replace(item, task=item.task.model_copy(update={"solution": tuple(steps)})))
    far = ScrollStep(scroll=ScrollSpec(amount=0.6))
    scroll = Insertion(before=3, kind=ActionKind.SCROLL, steps=(far,))
    result = fuzzer.replay(FuzzWalk(task=NAME, inserted=(scroll,)))
    assert result.verdict is WalkVerdict.BLOCKED
    assert result.reason.startswith("the path acts on ")


def test_a_walk_that_cannot_continue_is_blocked(lenient: TaskFuzzer) -> None:
    away = LongPressStep(long_press=Selector(id="nowhere"))
    result = lenient.replay(
        FuzzWalk(task=NAME, inserted=(Insertion(before=2, kind=ActionKind.HOLD, steps=(away,)),))
    )
    assert (result.verdict, result.exact) == (WalkVerdict.BLOCKED, None)
    assert result.reason == "id=nowhere is not on screen"


def test_tasks_that_cannot_be_fuzzed(item: SuiteTask, lenient: TaskFuzzer) -> None:
    bad = Goal.model_validate({"id": "bad", "condition": {"exists": {"id": "nowhere"}}})
    assert fuzz_task(replace(item, goal=bad), walks=1, seed=1).problem.startswith("the solution: refused: ")
    unknown = replace(item, effects=EffectExpectation())
    assert fuzz_task(unknown, walks=1, seed=1).problem == NO_EFFECTS
    with pytest.raises(UnfuzzableTaskError, match="has only 4 steps"):
        late = FOLLOW.model_copy(update={"before": 9})
        lenient.replay(FuzzWalk(task=NAME, inserted=(late,)))
    with pytest.raises(UnfuzzableTaskError, match="no alternative 'other'"):
        lenient.replay(FuzzWalk(task=NAME, path="other", inserted=(FOLLOW,)))


def test_options_that_look_like_tabs_are_no_harmless_action() -> None:
    """Pressing another preference for routes, and the first one again, leaves another one selected."""
    suite = Suite.load()
    fuzzer = TaskFuzzer(suite.tasks["amap-drive-via-jingan-temple"], others=tuple(suite.tasks.values()))
    kinds = [each.kind for each in fuzzer.walk(4, 1).walk.inserted]
    assert ActionKind.TAB not in kinds
    assert ActionKind.TOGGLE in kinds
