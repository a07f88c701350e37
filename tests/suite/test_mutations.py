"""Twenty mistakes made on purpose, most of them drawn by seed: each is caught by a proof or a check."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from garabench.campaign.check import check_suite
from garabench.campaign.mutants import mutants
from garabench.campaign.proof import Check, Finding, Variant
from garabench.campaign.prove import prove_task
from garabench.campaign.suite import Suite, SuiteTask
from garabench.core.condition import Keywords
from garabench.core.goal import Goal, bind, placeholders
from garabench.core.seeds import generator
from garabench.core.steps import SolutionStep, TapStep
from garabench.core.tree import UiNode, UiTree
from garabench.core.verdict import Facts
from garabench.errors import InputErrors
from garabench.virtual.apps.bilibili.store import Store as BiliStore
from garabench.virtual.apps.jd.store import Store as JdStore
from tests.virtual.apps.stage import DriverStage

SEEDS = range(4)
PROFILE = "android-34:1080x2400"
SUITE = Suite.load()
TASKS = tuple(item for item in SUITE.tasks.values() if not item.task.setup)


def drawn(seed: int, what: str) -> random.Random:
    return generator(seed, "mutation", what)


def failures(item: SuiteTask, stage: DriverStage | None = None) -> tuple[Finding, ...]:
    """What the proof of a task says, but for the number of its near misses."""
    proof = prove_task(item, SUITE, [(Variant(PROFILE), stage or DriverStage(PROFILE))]).proof
    return tuple(finding for finding in proof.failures if finding.check is not Check.KINDS)


def _named_always(item: SuiteTask) -> list[str]:
    """The parameters of a task's goal that every way to meet it needs, in either language of the phone."""

    def without_choices(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: without_choices(part) for key, part in value.items() if key != "any"}
        if isinstance(value, list):
            return list(map(without_choices, value))
        return "" if isinstance(value, str) and "|" in value else value

    return sorted(
        item.task.goal.with_.keys() & placeholders(without_choices(SUITE.goals[item.goal.id].holds))
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_a_goal_that_names_another_object_is_caught(seed: int) -> None:
    draw = drawn(seed, "object")
    item = draw.choice([each for each in TASKS if _named_always(each)])
    given = dict(item.task.goal.with_)
    name = draw.choice(_named_always(item))
    given[name] = 777 if isinstance(given[name], int | float) else f"{given[name]}二"
    wrong = replace(item, goal=bind(SUITE.goals[item.goal.id], given))
    assert Check.SOLVED in {finding.check for finding in failures(wrong)}


def _weakened(draw: random.Random) -> tuple[str, int]:
    """A goal, and a part of it that is no guard."""
    parts = [
        (item.goal.id, mutant.part)
        for item in TASKS
        for mutant in mutants(item.goal.condition, SUITE.goals[item.goal.id].guards)
        if not mutant.guard
    ]
    return draw.choice(sorted(set(parts)))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_goal_without_one_of_its_parts_is_caught(seed: int) -> None:
    name, part = _weakened(drawn(seed, "part"))

    def weak(item: SuiteTask) -> SuiteTask:
        (left,) = [m.condition for m in mutants(item.goal.condition) if m.part == part]
        return replace(item, goal=Goal(id=name, condition=left))

    users = [item for item in TASKS if item.goal.id == name]
    assert any(failures(weak(item)) for item in users), f"part {part} of {name}"


@pytest.mark.parametrize("seed", SEEDS)
def test_a_keyword_that_no_screen_shows_is_caught(seed: int, tmp_path: Path) -> None:
    draw = drawn(seed, "keyword")
    words = {
        (bound.app, word)
        for bound in SUITE.rules.values()
        for part in bound.rule.when.all
        if isinstance(part, Keywords)
        for word in part.keywords.of
        if len(word) >= 2 and not word.isascii()
    }
    app, word = draw.choice(sorted(words))
    for folder in ("tasks", "goal_schemas", "rules"):
        shutil.copytree(SUITE.root / folder, tmp_path / folder)
    slip = word[0] + "囧" + word[1:]
    for path in (tmp_path / "rules").glob("*.yaml"):
        text = path.read_text(encoding="utf-8")
        if f"app: {app}\n" in text:
            path.write_text(re.sub(rf"(?<=[\[ \"']){re.escape(word)}(?=[,\]\"'])", slip, text), "utf-8")
    with pytest.raises(InputErrors, match="囧") as caught:
        check_suite(tmp_path)
    assert f"no screen of {app} shows the keyword {slip!r}" in str(caught.value)


class RelabelledStage(DriverStage):
    """An app one of whose labels has been changed."""

    def __init__(self, label: str) -> None:
        super().__init__(PROFILE)
        self._label = label

    def facts(self, answer: str | None) -> Facts:
        self.driver.answer = answer
        seen = self.driver.facts()
        return replace(seen, tree=self._renamed(seen.tree))

    def do(self, step: SolutionStep) -> str:
        if isinstance(step, TapStep) and step.tap.text == self._label:
            return f"{step.tap.describe()} is not on the screen"
        return super().do(step)

    def _renamed(self, tree: UiTree) -> UiTree:
        return UiTree(tuple(map(self._node, tree.roots)), tree.rotation)

    def _node(self, node: UiNode) -> UiNode:
        text = "改名了" if node.text == self._label else node.text
        return replace(node, text=text, children=tuple(map(self._node, node.children)))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_button_with_another_label_is_caught(seed: int) -> None:
    labels = [
        (item.task.id, step.tap.text)
        for item in TASKS
        for step in item.task.solution
        if isinstance(step, TapStep) and step.tap.text
    ]
    name, label = drawn(seed, "label").choice(sorted(labels))
    found = failures(SUITE.tasks[name], RelabelledStage(label))
    assert Check.SOLVED in {finding.check for finding in found}


TOGGLES: tuple[tuple[type, str, str], ...] = (
    (BiliStore, "set_liked", "bili-like-song-live"),
    (BiliStore, "set_following", "bili-follow-science-uploader"),
    (JdStore, "set_favorite", "jd-unfavorite-coffee"),
    (JdStore, "set_followed", "jd-follow-chair-shop"),
)


@pytest.mark.parametrize(("store", "method", "task"), TOGGLES, ids=[row[1] for row in TOGGLES])
def test_a_toggle_that_does_nothing_is_caught(
    store: type, method: str, task: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing(self: object, what: object, wanted: bool) -> None:
        """As if the button were painted on."""

    dead: Callable[..., None] = nothing
    monkeypatch.setattr(store, method, dead)
    (solved,) = [finding for finding in failures(SUITE.tasks[task]) if finding.check is Check.SOLVED]
    assert solved.why.startswith("does not hold") or "cannot be done" in solved.why
