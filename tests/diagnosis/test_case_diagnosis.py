from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from garabench.diagnosis.case_diagnosis import Diagnosis, ProbeTask, diagnose_case, unprobed_diagnosis
from garabench.diagnosis.diagnosis_file import (
    DiagnosisMethod,
    discard_diagnosis,
    read_diagnoses,
    read_diagnosis,
    read_method,
    read_result,
    store_method,
    write_diagnosis,
    write_result,
)
from garabench.diagnosis.failed_case import FailedCase
from garabench.diagnosis.loop import AttributedTo, DiagnosisSettings
from garabench.diagnosis.offline_supervisor import OfflineSupervisor
from garabench.diagnosis.probe import (
    Continuation,
    DiagnosticProbeResult,
    OpenLink,
    ProbeOutcome,
    ProbeStep,
    StepEvidence,
    TurnScreen,
)
from garabench.diagnosis.report_section import sections
from garabench.diagnosis.suspects import suspects
from garabench.errors import InputError, ModelError
from garabench.records.plan import Plan
from garabench.records.reader import load_run
from garabench.records.results import Summary
from garabench.records.run_layout import EpisodeKey
from garabench.records.run_writer import RunWriter
from tests.diagnosis.cases import DEAD_BUTTON, WRONG_ROW
from tests.small_suite import run_file

SEEN = StepEvidence("press", False, "press 'Buy': nothing changed", "a" * 64, "b" * 64)
FAIL = DiagnosticProbeResult(ProbeOutcome.FAIL, "step_limit", restore_quality=1.0, evidence=(SEEN,))
PASS = DiagnosticProbeResult(ProbeOutcome.PASS, "goal_met", "id=done is on the screen")
GONE = DiagnosticProbeResult(ProbeOutcome.INCONCLUSIVE, "the device was lost")


def diagnose(
    case: FailedCase, *results: DiagnosticProbeResult, rounds: int = 1
) -> tuple[Diagnosis, list[ProbeTask]]:
    tasks: list[ProbeTask] = []

    def perform(case: FailedCase, task: ProbeTask) -> DiagnosticProbeResult:
        tasks.append(task)
        return results[min(len(tasks), len(results)) - 1]

    settings = DiagnosisSettings(rounds=rounds)
    return diagnose_case(case, OfflineSupervisor(), settings, perform), tasks


def test_probes_that_fail_blame_the_environment() -> None:
    found, tasks = diagnose(DEAD_BUTTON, FAIL)
    assert found.attributed_to is AttributedTo.ENVIRONMENT
    assert found.p >= 0.7
    assert found.wrong_step == 1
    assert "'Buy' did not react" in found.reason
    assert "nothing changed" in found.reason
    assert f"p .{found.p * 100:.0f}" in found.reason
    assert [each.fork for each in tasks] == [1] * len(tasks)
    assert len({each.name for each in tasks}) == len(tasks)


def test_a_probe_that_passes_blames_the_agent() -> None:
    found, tasks = diagnose(WRONG_ROW, PASS)
    assert (found.attributed_to, len(tasks)) == (AttributedTo.AGENT, 1)
    assert found.path == pytest.approx((0.5, 0.25))
    assert "The task can be done" in found.reason


def test_a_second_round_follows_inconclusive_probes() -> None:
    found, tasks = diagnose(DEAD_BUTTON, GONE, GONE, GONE, PASS, rounds=2)
    assert (found.attributed_to, tasks[-1].round, tasks[-1].fork) == (AttributedTo.AGENT, 2, 0)
    alone, _ = diagnose(DEAD_BUTTON, GONE)
    assert (alone.attributed_to, alone.p) == (AttributedTo.INCONCLUSIVE, 0.5)
    assert "the device was lost" in alone.reason


def test_the_reason_counts_the_ways_of_pressing() -> None:
    pressed = tuple(
        StepEvidence(label, False, f"{label}: nothing changed", "a" * 64, "b" * 64)
        for label in ("press the edge of 'Buy'", "long-press 'Buy'")
    )
    again = StepEvidence("once more: press 'Buy'", False, "once more: press 'Buy': nothing changed")
    other = replace(FAIL, evidence=(*pressed, again))
    found, tasks = diagnose(DEAD_BUTTON, FAIL, other)
    assert [each.probe.until_reaction for each in tasks] == [False, True]
    assert "The element did not react to 3 different ways of pressing it." in found.reason
    assert "once more: press 'Buy': nothing changed" in found.reason
    reacted = replace(other, evidence=(replace(pressed[0], met=True), again))
    assert "different ways" not in diagnose(DEAD_BUTTON, FAIL, reacted)[0].reason
    repeated, _ = diagnose(DEAD_BUTTON, replace(FAIL, repeated=True, evidence=(again,)))
    assert "1× a repetition" in repeated.reason


def test_a_reason_ends_with_one_full_stop() -> None:
    class Tired(OfflineSupervisor):
        def summarize(self, case: FailedCase, history: Sequence[object]) -> object:  # type: ignore[override]
            raise ModelError("Tried 4 times.")

    found = diagnose_case(DEAD_BUTTON, Tired(), DiagnosisSettings(), lambda case, task: FAIL)
    assert "Tried 4 times. Nothing is attributed" in found.reason
    unclear, _ = diagnose(DEAD_BUTTON, replace(GONE, reason="the device was lost."))
    assert ".." not in unclear.reason


def test_a_doubt_is_part_of_the_reason() -> None:
    doubtful = replace(
        DEAD_BUTTON, steps=tuple(replace(each, only_picture=True) for each in DEAD_BUTTON.steps)
    )
    assert "was not read" in diagnose(doubtful, FAIL)[0].reason
    assert "was not read" not in diagnose(doubtful, PASS)[0].reason


def test_an_answer_of_the_app_replaces_the_doubt() -> None:
    doubtful = replace(
        DEAD_BUTTON, steps=tuple(replace(each, only_picture=True) for each in DEAD_BUTTON.steps)
    )
    reason = diagnose(doubtful, replace(FAIL, answer="服务繁忙"))[0].reason
    assert "The app answered the failed action with '服务繁忙'." in reason
    quoted = replace(
        SEEN, met=False, detail="once more: press 'Buy': nothing changed; the app said '服务繁忙'"
    )
    said = diagnose(doubtful, replace(FAIL, answer="服务繁忙", evidence=(quoted,)))[0].reason
    assert (said.count("服务繁忙"), "was not read" in said) == (1, False)
    assert "was not read" not in reason


def test_a_model_that_fails_is_inconclusive() -> None:
    class Broken(OfflineSupervisor):
        def summarize(self, case: FailedCase, history: Sequence[object]) -> object:  # type: ignore[override]
            raise ModelError("it answers nonsense")

    found = diagnose_case(DEAD_BUTTON, Broken(), DiagnosisSettings(), lambda case, task: FAIL)
    assert (found.attributed_to, found.p) == (AttributedTo.INCONCLUSIVE, 0.5)
    assert "it answers nonsense" in found.reason


def test_diagnoses_are_stored_and_shown(tmp_path: Path) -> None:
    keys = [EpisodeKey("a", agent, "clean", 0) for agent in ("dismiss", "ignore")]
    plan = Plan(tasks=("a",), agents=("dismiss", "ignore"), conditions=("clean",))
    writer = RunWriter.create(tmp_path / "run", run_file(plan))
    run = load_run(tmp_path / "run")
    keys = list(run.file.episode_keys())
    for key in keys:
        writer.append_result(Summary(key.task, key.agent, key.condition, key.seed, "failure", "gave_up", 4))
    assert sections([run]) == ()
    wanted = DiagnosisMethod(DiagnosisSettings(), "offline", Continuation.REFERENCE)
    store_method(run, wanted, again=False)
    store_method(run, wanted, again=False)
    assert read_method(run) == wanted
    elsewhere = replace(wanted, devices=("R58",))
    store_method(run, elsewhere, again=False)
    store_method(run, replace(wanted, devices=("R59",)), again=False)
    assert read_method(run) == replace(wanted, devices=("R58", "R59"))
    other = DiagnosisMethod(DiagnosisSettings(rounds=2), "offline", Continuation.REFERENCE)
    with pytest.raises(InputError, match="other settings"):
        store_method(run, other, again=False)
    store_method(run, other, again=True)
    broken, _ = diagnose(DEAD_BUTTON, FAIL)
    (first, *later) = broken.probes
    steps = (ProbeStep(OpenLink("a.b", "a://b"), label="open"), ProbeStep(TurnScreen(1), label="turn"))
    broken = replace(broken, probes=(replace(first, probe=replace(first.probe, steps=steps)), *later))
    for key in keys:
        write_diagnosis(run, key, broken)
    assert dict(read_diagnoses(run)) == dict.fromkeys(keys, broken)
    (suspect,) = suspects(read_diagnoses(run))
    assert (suspect.task, suspect.agents, suspect.kind) == ("a", ("dismiss", "ignore"), "task")
    (section,) = sections([load_run(tmp_path / "run")])
    assert "Suspected tasks and rules" in repr(section)
    assert f"Picture(sha256='{SEEN.before}'" in repr(section)
    assert "The goal was not met: the reference solution used up all steps." in repr(section)
    discard_diagnosis(run, keys[0])
    assert read_diagnosis(run, keys[0]) is None


def test_results_of_probes_are_stored(tmp_path: Path) -> None:
    write_result(tmp_path, FAIL)
    assert read_result(tmp_path) == FAIL
    (tmp_path / "result.json").write_text('{"version": 99}', encoding="utf-8")
    with pytest.raises(InputError, match="version 99"):
        read_result(tmp_path)
    (tmp_path / "result.json").write_text('{"version": 1, "outcome": "maybe"}', encoding="utf-8")
    with pytest.raises(InputError, match="is broken"):
        read_result(tmp_path)


def test_what_cannot_be_probed_keeps_the_prior() -> None:
    found = unprobed_diagnosis("a/b/clean/0", DiagnosisSettings(), "the record has no screen")
    assert (found.p, found.attributed_to) == (0.5, AttributedTo.INCONCLUSIVE)
