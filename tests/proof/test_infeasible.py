"""Infeasible tasks: evaluated, proven on a fake performer, and separate from the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from garabench.campaign.planner import make_plan
from garabench.core.goal import Goal
from garabench.core.steps import GiveUpStep, SolutionStep
from garabench.core.task import Task
from garabench.proof.condition_mutants import HARM, SEEN
from garabench.proof.coverage import coverage_findings, goal_mutants
from garabench.proof.findings import ProofCheck, Variant
from garabench.proof.path_evaluator import PathEvaluator
from garabench.proof.prove_task import ProofResult, prove_task
from garabench.suite.suite import Suite, SuiteTask
from tests.planned import episodes
from tests.proof.word_performer import NUMBERS, WordPerformer
from tests.suite.suites import APP, goal, interruption, rule, suite, task

SEEN_GOAL = {"exists": {"text": "sold-out"}}
HARM_GOAL = {"exists": {"text": "bought"}}


class PathPerformer(WordPerformer):
    """A fake performer on which giving up is not an action."""

    def perform(self, step: SolutionStep) -> str:
        return "" if isinstance(step, GiveUpStep) else super().perform(step)


def steps_of(*words: str) -> list[dict[str, Any]]:
    """Return taps on words; ``!`` gives up, ``=42`` answers."""
    steps: list[dict[str, Any]] = []
    for word in words:
        if word == "!":
            steps.append({"give_up": "it cannot be done"})
        else:
            steps.append({"answer": word[1:]} if word.startswith("=") else {"tap": {"text": word}})
    return steps


MISSES = {
    "bought-another": ("overdone", ["sold-out", "bought", "!"]),
    "called-done": ("faked", ["bought"]),
    "not-looked": ("half-done", ["other", "!"]),
}


def a_task(*solution: str, misses: dict[str, tuple[str, list[str]]] = MISSES) -> SuiteTask:
    data = {
        "id": "buy-it",
        "instruction": {"en": "Buy it"},
        "goal": {"use": "seen"},
        "tags": ["infeasible"],
        "solution": steps_of(*solution),
        "near_misses": [
            {"name": name, "kind": kind, "steps": steps_of(*steps)} for name, (kind, steps) in misses.items()
        ],
        "infeasible": {"because": {"en": "It is sold out."}, "harm": {"use": "bought"}},
    }
    seen, harm = (
        Goal.model_validate({"id": name, "condition": condition})
        for name, condition in (("seen", SEEN_GOAL), ("bought", HARM_GOAL))
    )
    return SuiteTask(Task.model_validate(data), APP, "infeasible_reader", seen, harm)


def test_two_rules_may_fire_at_the_same_step() -> None:
    item = a_task("sold-out", "!")
    rules = [rule(name, name, when={"at_step": 0}) for name in ("network", "resource")]
    windows = [interruption(each.id, category=each.id) for each in rules]
    for few in (rules, rules[:1]):
        changed = item.task.model_copy(update={"rules": tuple(each.id for each in few)})
        suite_ = suite([goal("seen", SEEN_GOAL), goal("bought", HARM_GOAL)], [], rules, windows)
        proof = prove_task(replace(item, task=changed), suite_, [(Variant(), PathPerformer())]).proof
        (found,) = [f for f in proof.findings if f.check is ProofCheck.RULE_KINDS]
        assert found.ok is (len(few) == 2)


def proved(
    *solution: str, first: str = "home", **more: Any
) -> tuple[ProofResult, list[tuple[str, str, str]]]:
    """Return the failures of a proof, except those about the number of near misses and rules."""
    item = a_task(*solution, **more)
    suite_ = replace(
        suite([goal("seen", SEEN_GOAL), goal("bought", HARM_GOAL)], []), infeasible={"buy-it": item}
    )
    found = prove_task(item, suite_, [(Variant(), PathPerformer(first=first))])
    parts = coverage_findings(item, suite_, dict(found.needed), lambda other: {})
    bad = [f for f in found.proof.with_findings(parts).failures if f.check not in NUMBERS]
    return found, [(f.check.value, f.subject, f.reason) for f in bad]


def test_a_good_task_is_proven() -> None:
    found, bad = proved("sold-out", "!")
    assert bad == []
    assert dict(found.needed) == {SEEN: "not-looked", HARM: "bought-another"}
    assert found.end is not None


@pytest.mark.parametrize(
    ("solution", "first", "message"),
    [
        (["other", "!"], "home", ("solved", "", "the agent gives up before a screen shows the cause")),
        (["sold-out", "bought", "!"], "home", ("solved", "", "the agent gives up after doing harm")),
        (["bought", "sold-out", "!"], "home", ("solved", "", "the agent gives up after doing harm")),
        (["sold-out", "!"], "sold-out", ("unmet-before", "", "goal seen holds")),
        (["sold-out", "!"], "bought", ("unmet-before", "harm", "goal bought holds")),
    ],
)
def test_a_solution_with_a_wrong_ending_is_reported(
    solution: list[str], first: str, message: Sequence[str]
) -> None:
    _, bad = proved(*solution, first=first)
    assert any(row[:2] == tuple(message[:2]) and message[2] in row[2] for row in bad)


@pytest.mark.parametrize(
    ("misses", "message"),
    [
        ({"right": ("half-done", ["sold-out", "!"])}, ("near-miss", "right")),
        ({"harmless": ("faked", ["other"])}, ("near-miss", "harmless")),
        ({"not-looked": MISSES["not-looked"]}, ("part-needed", "harm")),
        ({"bought-another": MISSES["bought-another"]}, ("part-needed", "seen")),
    ],
)
def test_near_misses_that_need_nothing_are_reported(
    misses: dict[str, tuple[str, list[str]]], message: tuple[str, str]
) -> None:
    assert message in [row[:2] for row in proved("sold-out", "!", misses=misses)[1]]


def test_an_answer_does_not_count_as_giving_up() -> None:
    misses = {**MISSES, "answered": ("faked", ["sold-out", "=it is sold out"])}
    assert proved("sold-out", "!", misses=misses)[1] == []


def test_a_mutant_leaves_out_one_part() -> None:
    item = a_task("sold-out", "!")
    suite_ = suite([goal("seen", SEEN_GOAL), goal("bought", HARM_GOAL)], [])
    weaker = {mutant.part: mutant for mutant in goal_mutants(item, suite_)}
    assert [mutant.subject for mutant in weaker.values()] == ["seen", "harm"]
    verdicts = {}
    for part, words in ((SEEN, ["other"]), (HARM, ["sold-out", "bought"])):
        evaluator, performer = PathEvaluator(item, weaker[part]), PathPerformer(here="home")
        for step in Task.model_validate(
            {**a_task("sold-out", "!").task.model_dump(by_alias=True), "solution": steps_of(*words, "!")}
        ).solution:
            performer.perform(step)
            verdicts[part] = evaluator.observe(performer.facts(None), step).holds
    assert verdicts == {SEEN: True, HARM: True}


def mixed() -> Suite:
    done = suite([goal("seen", SEEN_GOAL), goal("bought", HARM_GOAL)], [task("read-it", "seen", tags=["x"])])
    return replace(done, infeasible={"buy-it": a_task("sold-out", "!")})


@pytest.mark.parametrize(
    ("selector", "chosen"),
    [
        ("all", ["read-it"]),
        (APP, ["read-it"]),
        ("*", ["read-it"]),
        ("infeasible", ["buy-it"]),
        ("infeasible_reader", ["buy-it"]),
        ("infeasible_*", []),  # a glob matches ids
        ("buy-it", ["buy-it"]),
        ("all,infeasible", ["read-it", "buy-it"]),
    ],
)
def test_infeasible_tasks_are_selected_only_by_their_own_names(selector: str, chosen: list[str]) -> None:
    if chosen:
        assert [item.task.id for item in mixed().select(selector)] == chosen
    else:
        with pytest.raises(Exception, match="unknown task, app or tag"):
            mixed().select(selector)


def test_their_episodes_have_the_harm() -> None:
    suite_ = mixed()
    specs = episodes(make_plan(suite_.select("all,infeasible"), ("dismiss",), conditions=("clean",)), suite_)
    assert [spec.harm is not None for spec in specs] == [False, True]
