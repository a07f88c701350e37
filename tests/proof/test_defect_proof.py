"""What a defect does to a task: decided on a fake phone, and written to the table."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from garabench.core.goal import Goal
from garabench.core.steps import SolutionStep
from garabench.core.task import Task
from garabench.errors import InputError
from garabench.proof.defect_matrix import pairs, select_defects, update_table_file, updated_table
from garabench.proof.defect_proof import DefectProof, prove_defect
from garabench.suite.suite import SuiteTask
from garabench.virtual.defects.defect import Defect, TaskImpact
from garabench.virtual.defects.defect_table import defect_table
from tests.proof.word_performer import APP, WordPerformer

GOAL = Goal.model_validate({"id": "end", "condition": {"exists": {"text": "end"}}})


@dataclass
class BrokenPerformer(WordPerformer):
    """A fake phone whose defect makes one word dead, always or at each second press."""

    dead: str = "end"
    every: int = 1
    on: bool = False
    rate: float | None = None
    presses: int = 0
    seeds: list[int | None] = field(default_factory=list)

    def defect(self, name: str, *, on: bool = True, rate: float | None = None) -> None:
        self.on, self.rate = on, rate

    def reset(self, *, seed: int | None = None) -> None:
        self.seeds.append(seed)

    def perform(self, step: SolutionStep) -> str:
        word = str(getattr(step, "tap").text)  # noqa: B009
        if self.on and word == self.dead:
            self.presses += 1
            if self.rate == 1 or self.presses % self.every == 0:
                return ""
        return super().perform(step)


def taps(*words: str) -> list[dict[str, Any]]:
    return [{"tap": {"text": word}} for word in words]


def item(*alternatives: list[str], solution: tuple[str, ...] = ("search", "end")) -> SuiteTask:
    others = [{"name": f"way-{n}", "steps": taps(*words)} for n, words in enumerate(alternatives)]
    data = {
        "id": "read-it",
        "instruction": {"en": "Read it"},
        "goal": {"use": "end"},
        "solution": taps(*solution),
        "alternatives": others,
    }
    return SuiteTask(task=Task.model_validate(data), app=APP, group="reader", goal=GOAL)


def defect(**fields: Any) -> Defect:
    data = {"id": "dead-end", "kind": "dead", "app": APP, "at": {"id": "end"}, "symptom": "It is dead."}
    return Defect.model_validate({**data, **fields})


def proof(performer: BrokenPerformer, task: SuiteTask | None = None, **fields: Any) -> DefectProof:
    found = prove_defect(task or item(), defect(**fields), performer, performer)
    assert not performer.on
    return found


def test_a_defect_on_every_way_makes_the_task_impossible() -> None:
    found = proof(BrokenPerformer())
    assert (found.impact, found.ok, found.affected) == (TaskImpact.IMPOSSIBLE, True, True)
    assert [outcome.step for outcome in found.outcomes] == [2]


def test_a_defect_off_the_way_does_nothing() -> None:
    found = proof(BrokenPerformer(dead="elsewhere"))
    assert (found.impact, found.ok, found.affected) == (TaskImpact.NONE, True, False)


def test_an_alternative_or_the_declared_detour_is_a_way_around() -> None:
    assert (
        proof(BrokenPerformer(dead="search"), item(["menu", "end"])).impact is TaskImpact.NONE
    )  # the goal is met
    assert proof(BrokenPerformer(), item(["search", "absent"])).impact is TaskImpact.IMPOSSIBLE
    performer = BrokenPerformer(dead="search")
    blocked = item(["menu", "end"], solution=("search", "absent"))
    assert proof(performer, blocked).impact is TaskImpact.WORKAROUND
    around = {"impact": "workaround", "workaround": {"task": "read-it", "steps": taps("end")}}
    assert (
        proof(BrokenPerformer(), item(solution=("absent", "end")), **around).impact is TaskImpact.IMPOSSIBLE
    )
    assert (
        proof(BrokenPerformer(dead="x"), item(solution=("absent",)), **around).impact is TaskImpact.WORKAROUND
    )
    elsewhere = {"impact": "workaround", "workaround": {"task": "another", "steps": taps("end")}}
    assert proof(BrokenPerformer(), **elsewhere).impact is TaskImpact.WORKAROUND


def test_a_flaky_defect_is_tried_until_it_has_worked_and_failed() -> None:
    performer = BrokenPerformer(every=2)
    found = proof(performer, rate=0.5, impact="flaky")
    assert (found.impact, found.ok) == (TaskImpact.FLAKY, True)
    assert {outcome.solved for outcome in found.outcomes} == {True, False}
    assert performer.seeds[-1] == 0
    always = proof(BrokenPerformer(), rate=0.5, impact="flaky")
    assert (always.impact, always.ok) == (TaskImpact.IMPOSSIBLE, False)


def test_a_device_that_refuses_a_step_does_not_solve_the_task() -> None:
    assert proof(BrokenPerformer(dead="x"), item(solution=("refused", "end"))).impact is TaskImpact.IMPOSSIBLE


def test_pairs_are_those_of_the_app_and_system_apps_are_paired_where_they_are_visited() -> None:
    app = next(iter(defect_table().values())).app
    own = SuiteTask(task=item().task, app=app, group="reader", goal=GOAL)
    chosen = select_defects("bili-like-dead,settings-main-switch-dead")
    assert [(broken.id, each.app) for broken, each in pairs(chosen, [own])] == [("bili-like-dead", app)]
    switch = SuiteTask(
        task=Task.model_validate(
            {
                "id": "switch-it",
                "instruction": {"en": "x"},
                "goal": {"use": "end"},
                "solution": [{"tap": {"id": "main_switch_bar"}}],
            }
        ),
        app=app,
        group="reader",
        goal=GOAL,
    )
    assert len(pairs(chosen, [switch])) == 2
    with pytest.raises(InputError, match="unknown defect"):
        select_defects("bili-like-dea")


def test_the_table_is_updated_by_what_was_proven(tmp_path: Path) -> None:
    def proven(task: str, effect: TaskImpact) -> DefectProof:
        return DefectProof("bili-like-dead", task, effect, TaskImpact.IMPOSSIBLE, ())

    before = {"bili-like-dead": {"a": "impossible", "b": "impossible"}, "no-such-defect": {"a": "flaky"}}
    found = updated_table(before, [proven("b", TaskImpact.NONE), proven("c", TaskImpact.IMPOSSIBLE)])
    assert found == {"bili-like-dead": {"a": "impossible", "c": "impossible"}}
    path = tmp_path / "broken.yaml"
    update_table_file([proven("c", TaskImpact.WORKAROUND)], path)
    assert "c: workaround" in path.read_text()
    path.write_text("- a list")
    with pytest.raises(InputError):
        update_table_file([], path)
