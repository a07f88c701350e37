"""Many tasks proven on fake performers, with and without cached proofs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from garabench.core.app_state import AppEffects, StateRecord
from garabench.core.expected_effects import EffectExpectation
from garabench.core.interruption import SystemInterruption
from garabench.core.progress import Progress
from garabench.core.steps import DeviceStep
from garabench.errors import CommandError
from garabench.proof import prove_many
from garabench.proof.batching import ExitEpisode, ExitTrial
from garabench.proof.cache import ProofCache
from garabench.proof.exit_checks import ExitPerformer, OnDecision
from garabench.proof.findings import Proof, ProofCheck, Variant
from garabench.proof.path_performer import SOLUTION
from garabench.proof.prove_many import Prover
from garabench.suite.suite import Suite, SuiteTask
from tests.proof.word_performer import WordPerformer, taps
from tests.suite.suites import APP, goal, interruption, rule, suite, task


@dataclass
class WordGroup:
    """A device group with one fake performer."""

    performer: WordPerformer = field(default_factory=WordPerformer)
    kind: str = "virtual"
    exit_performer: ExitPerformer | None = None
    folders: list[Path | None] = field(default_factory=list)

    @property
    def performers(self) -> Sequence[tuple[Variant, WordPerformer]]:
        return [(Variant(), self.performer)]

    def save_evidence_in(self, folder: Path | None) -> None:
        self.folders.append(folder)


GOALS = [
    goal("end", {"all": [{"exists": {"text": "end"}}, {"answer": {"equals": "42"}}]}),
    goal("middle", {"exists": {"text": "middle"}}),
]


def misses(**ways: Sequence[str]) -> list[dict[str, Any]]:
    kinds = ("wrong-object", "half-done")
    return [
        {"name": name, "kind": kinds[place % 2], "steps": taps(*way)}
        for place, (name, way) in enumerate(ways.items())
    ]


def example_suite(**more: Any) -> Suite:
    nothing = misses(elsewhere=["other"], nowhere=["home"])
    both = ["at-first", "then"]
    unsaid = misses(unsaid=["end"], elsewhere=["other", "=42"])
    return suite(
        GOALS,
        [
            task("one", "end", solution=taps("end", "=42"), near_misses=nothing, rules=both, **more),
            task(
                "two",
                "end",
                solution=taps("other", "end", "=42"),
                near_misses=unsaid,
                rules=both,
                also_meets=["one"],
            ),
            task("three", "middle", solution=taps("other", "middle"), near_misses=nothing, rules=both),
        ],
        [
            rule("at-first", "window", when={"at_step": 0}),
            rule("then", "page", when={"at_step": 1}),
        ],
        [interruption("window"), interruption("page", category="resource")],
    )


def prover(suite_: Suite, groups: list[WordGroup], **more: Any) -> tuple[Prover, list[int]]:
    opened: list[int] = []

    def open_device_groups(tasks: int) -> Sequence[WordGroup]:
        opened.append(tasks)
        return groups

    return Prover(suite_, open_device_groups, **more), opened


def test_tasks_are_proven_and_compared() -> None:
    suite_ = example_suite(also_meets=["two"])
    expected: list[Progress[Proof]] = []
    groups = [WordGroup(), WordGroup()]
    worker, opened = prover(suite_, groups, on_progress=expected.append)
    found = worker.prove(tuple(suite_.tasks.values()))
    assert [(proof.task, proof.ok) for proof in found] == [("one", True), ("two", True), ("three", True)]
    assert (worker.kind, opened) == ("virtual", [3])
    assert sorted(progress.result.task for progress in expected) == ["one", "three", "two"]
    assert [(progress.done, progress.total) for progress in expected] == [(1, 3), (2, 3), (3, 3)]


def test_an_end_that_meets_another_goal_is_reported() -> None:
    suite_ = example_suite()
    worker, _ = prover(suite_, [WordGroup()])
    (proof,) = worker.prove(suite_.select("one"))
    assert [(f.check, f.subject) for f in proof.failures] == [(ProofCheck.CROSS_TASK, "two")]


def test_near_misses_of_other_tasks_with_the_goal_are_performed_if_needed() -> None:
    suite_ = example_suite(also_meets=["two"])
    group = WordGroup()
    worker, _ = prover(suite_, [group], evidence_dir=Path("out"))
    (proof,) = worker.prove(suite_.select("one"))
    parts = [finding.reason for finding in proof.findings if finding.check is ProofCheck.PART_NEEDED]
    assert parts == [
        "without it elsewhere of two would pass",
        "without it unsaid of two would pass",
    ]
    assert group.folders == [Path("out/one"), None]  # no evidence of the other task is needed
    assert len(group.performer.started_apps) == 1 + 2 + 2


def test_cached_proofs_are_not_performed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = {"one": "1", "two": "2", "three": "3"}
    monkeypatch.setattr(prove_many, "proof_key", lambda item, suite, variants: keys[item.task.id])
    suite_ = example_suite(also_meets=["two"])
    everything = tuple(suite_.tasks.values())
    first, _ = prover(suite_, [WordGroup()], cache=ProofCache(tmp_path))
    assert all(proof.ok and not proof.cached for proof in first.prove(everything))

    second, opened = prover(suite_, [], cache=ProofCache(tmp_path))
    found = second.prove(everything)
    assert all(proof.ok and proof.cached for proof in found)
    assert (opened, second.kind) == ([], "")
    assert {finding.check for finding in found[0].findings} >= {ProofCheck.PART_NEEDED, ProofCheck.CROSS_TASK}

    keys["two"] = "changed"
    third, opened = prover(suite_, [WordGroup()], cache=ProofCache(tmp_path))
    assert [proof.cached for proof in third.prove(everything)] == [True, False, True]
    assert opened == [1]


def test_failures_of_several_paths_have_the_end_of_the_solution_as_evidence() -> None:
    suite_ = example_suite()
    group = WordGroup()
    worker, _ = prover(suite_, [group], evidence_dir=Path("out"))
    (proof,) = worker.prove(suite_.select("one"))
    assert [(f.check, f.evidence) for f in proof.failures] == [
        (ProofCheck.CROSS_TASK, "saved/solution-end.png")
    ]
    assert all(not f.evidence for f in proof.findings if f.ok)
    assert group.folders[-1] == Path("out/one")
    assert group.performer.saved == ["solution-end@end"]
    assert group.performer.here == "end"


def test_idle_conditions_and_missing_near_misses_have_evidence() -> None:
    nothing = [task("alone", "end", solution=taps("end", "=42"))]
    suite_ = suite(GOALS, nothing)
    worker, _ = prover(suite_, [WordGroup()], evidence_dir=Path("out"))
    (proof,) = worker.prove(suite_.select("alone"))
    assert {f.check for f in proof.failures} == {
        ProofCheck.NEAR_MISS_KINDS,
        ProofCheck.RULE_KINDS,
        ProofCheck.PART_NEEDED,
    }
    assert {f.evidence for f in proof.failures} == {"saved/solution-end.png"}


def test_a_failed_solution_has_evidence_of_its_last_step() -> None:
    suite_ = suite(GOALS, [task("alone", "end", solution=taps("other", "absent", "end"))])
    group = WordGroup()
    worker, _ = prover(suite_, [group], evidence_dir=Path("out"))
    (proof,) = worker.prove(suite_.select("alone"))
    assert all(f.evidence for f in proof.failures)
    assert group.performer.saved == ["solved@other", "solution-end@other"]


def test_a_cached_proof_that_another_task_contradicts_gets_evidence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prove_many, "proof_key", lambda item, suite, variants: item.task.id)
    declared = example_suite(also_meets=["two"])
    worker, _ = prover(declared, [WordGroup()], cache=ProofCache(tmp_path))
    assert all(proof.ok for proof in worker.prove(declared.select("one,two")))
    suite_ = example_suite()
    again, opened = prover(suite_, [WordGroup()], cache=ProofCache(tmp_path), evidence_dir=Path("out"))
    (proof,) = again.prove(suite_.select("one"))
    assert proof.cached
    assert [f.evidence for f in proof.failures] == ["saved/solution-end.png"]
    assert opened == [1]


class SilentPhone:
    """A fake phone on which no interruption is shown."""

    def run_exits(
        self, item: SuiteTask, suite: Suite, trials: Sequence[ExitTrial], on_decision: OnDecision
    ) -> ExitEpisode:
        return ExitEpisode(())

    def save_evidence(self, name: str) -> str:
        return f"saved/{name}.png"


def test_every_failure_is_reported() -> None:
    ways: dict[str, Any] = {
        "near_misses": [
            {"name": "not-a-miss", "steps": taps("end")},
            {"name": "not-said", "answer": "42"},
        ],
        "alternatives": [{"name": "astray", "steps": taps("middle")}],
    }
    suite_ = suite(
        [goal("end", {"all": [{"exists": {"text": "end"}}, {"absent": {"text": "error"}}]})],
        [
            task("wrong", "end", solution=taps("other", "=42"), rules=["nowhere", "turns"], **ways),
            task("right", "end", solution=taps("end")),
            task("also-right", "end", solution=taps("middle", "end")),
        ],
        [rule("nowhere", "window"), rule("turns", "it-turns")],
        [interruption("window")],
    )
    turns = SystemInterruption(id="it-turns", description="for a test", system="rotation")
    nothing = replace(suite_.tasks["also-right"], effects=EffectExpectation(((),)))
    suite_ = replace(suite_, anomalies={"it-turns": turns}, tasks={**suite_.tasks, "also-right": nothing})
    liked = (AppEffects(package=APP, added=(StateRecord(kind="like", object="song"),)),)
    found = []
    for first in ("home", "end"):
        performer = WordPerformer(first, changed={"end": liked})
        worker, _ = prover(
            suite_, [WordGroup(performer, exit_performer=SilentPhone())], evidence_dir=Path("out")
        )
        found += [
            finding for proof in worker.prove(tuple(suite_.tasks.values())) for finding in proof.failures
        ]
    assert {finding.check for finding in found} == set(ProofCheck)
    assert [finding for finding in found if not finding.evidence.startswith("saved/")] == []


class RefusingPerformer(WordPerformer):
    """A fake performer on which the app is not installed."""

    def begin(self, app: str, setup: Sequence[DeviceStep], path: str = SOLUTION) -> None:
        raise CommandError(f"{app} is not installed")


def test_a_task_that_cannot_be_reset_fails_and_the_others_are_proven() -> None:
    suite_ = example_suite()
    worker, _ = prover(suite_, [WordGroup(RefusingPerformer())])
    found = worker.prove(suite_.select("one,three"))
    assert [[(f.check, f.reason, f.evidence) for f in proof.failures] for proof in found][1][:1] == [
        (
            ProofCheck.UNMET_BEFORE,
            "cannot reset to the start of the task: com.example.reader is not installed",
            "saved/cannot-begin.png",
        )
    ]
