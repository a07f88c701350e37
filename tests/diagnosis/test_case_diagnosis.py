from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from garabench.core import action as act
from garabench.core.checkpoint import PrefixInterruption
from garabench.diagnosis.case_diagnosis import Diagnosis, diagnose_case, unprobed_diagnosis
from garabench.diagnosis.diagnosis_file import (
    DiagnosisMethod,
    case_folder,
    diagnosed_episodes,
    discard_diagnosis,
    joined_method,
    read_diagnoses,
    read_diagnosis,
    read_method,
    read_result,
    store_method,
    write_diagnosis,
    write_result,
)
from garabench.diagnosis.failed_case import FailedCase
from garabench.diagnosis.loop import AttributedTo, DiagnosisSettings, PerformedProbe, begin
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
from garabench.diagnosis.procedure import ProbeTask
from garabench.diagnosis.reasons import attribution_reason
from garabench.diagnosis.report_section import sections
from garabench.diagnosis.suspects import suspects
from garabench.errors import InputError, ModelError
from garabench.records.plan import Plan
from garabench.records.reader import load_run
from garabench.records.results import Summary
from garabench.records.run_layout import EpisodeKey
from garabench.records.run_writer import RunWriter
from tests.diagnosis.cases import DEAD_BUTTON, PAGE, SHOP, WRONG_ROW, failed_case, tap
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
    assert [each.fork for each in tasks] == [*[1] * (len(tasks) - 1), 0]
    assert [each.probe.from_start for each in tasks] == [*[False] * (len(tasks) - 1), True]
    assert "It was not met from the start either." in found.reason
    assert f"{len(tasks) - 1} probes did not meet the goal" in found.reason
    assert found.path[-1] == found.path[-2], "a confirmation that fails moves nothing"
    assert len({each.name for each in tasks}) == len(tasks)


def test_a_probe_that_passes_blames_the_agent() -> None:
    found, tasks = diagnose(WRONG_ROW, PASS)
    assert (found.attributed_to, len(tasks)) == (AttributedTo.AGENT, 1)
    assert found.path == pytest.approx((0.5, 0.25))
    assert "The task can be done" in found.reason


def test_what_can_be_done_from_the_start_only_blames_the_agent() -> None:
    found, tasks = diagnose(DEAD_BUTTON, FAIL, FAIL, PASS)
    assert (found.attributed_to, tasks[-1].fork, len(tasks)) == (AttributedTo.AGENT, 0, 3)
    assert "2 probes did not meet the goal" in found.reason
    assert "what the agent did before prevented it. The agent failed" in found.reason
    assert found.p < found.path[-2]
    interrupted = replace(DEAD_BUTTON, interruptions=(PrefixInterruption(1, "rule", "ad", "dual", "t"),))
    doubtful, _ = diagnose(interrupted, FAIL, FAIL, PASS)
    assert doubtful.attributed_to is AttributedTo.INCONCLUSIVE
    assert "without the interruption" in doubtful.reason
    unknown, _ = diagnose(DEAD_BUTTON, FAIL, FAIL, GONE)
    assert unknown.attributed_to is AttributedTo.INCONCLUSIVE
    assert "is unknown: the device was lost. Nothing is attributed" in unknown.reason


def test_a_fork_at_the_start_needs_no_confirmation() -> None:
    found, tasks = diagnose(WRONG_ROW, FAIL)
    assert found.attributed_to is AttributedTo.ENVIRONMENT
    assert not any(each.probe.from_start for each in tasks)


@pytest.mark.parametrize("outcome", [PASS, FAIL])
def test_another_result_of_the_same_action_is_possibly_flaky(outcome: DiagnosticProbeResult) -> None:
    found, _ = diagnose(DEAD_BUTTON, replace(outcome, other_result="press 'Buy': the screen changed"))
    assert found.attributed_to is AttributedTo.INCONCLUSIVE
    assert "The same action had another result: possibly flaky (press 'Buy'" in found.reason
    assert "The agent failed" not in found.reason
    assert "The environment is broken" not in found.reason


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
    assert [each.probe.until_reaction for each in tasks] == [False, True, False]
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


CONTINUED = StepEvidence("last action: press 'Buy'", True, "last action: press 'Buy': the screen changed")
WAITED = StepEvidence("wait and look", True, "wait and look: the screen stayed the same")


@pytest.mark.parametrize(
    ("labels", "evidence", "quality", "words"),
    [
        (
            ("wait and look",),
            (WAITED, CONTINUED),
            1.0,
            "{who} continued from the restored screen and met the goal, after these steps of the probe: "
            "wait and look.",
        ),
        (
            (),
            (CONTINUED,),
            1.0,
            "{who} continued from the restored screen and met the goal, by another transition.",
        ),
        (
            ("wait and look",),
            (WAITED,),
            1.0,
            "the goal was met by these steps of the probe: wait and look, before {who} acted.",
        ),
        ((), (), 1.0, "the goal was met on the restored screen, before {who} acted."),
        (("wait and look",), (), None, "the goal was met while the agent's actions were replayed."),
    ],
    ids=["after-steps", "no-steps", "by-steps", "at-once", "replayed"],
)
def test_the_reason_says_who_met_the_goal(
    labels: tuple[str, ...], evidence: tuple[StepEvidence, ...], quality: float | None, words: str
) -> None:
    _, (task, *_) = diagnose(WRONG_ROW, PASS)
    steps = tuple(ProbeStep(TurnScreen(0), label=label) for label in labels)
    passed = PerformedProbe(
        1,
        replace(task.probe, steps=steps),
        replace(PASS, evidence=evidence, restore_quality=quality),
        0.5,
        0.25,
    )
    state = replace(begin(DiagnosisSettings()), performed=(passed,))
    said = words.format(who="the reference solution")
    assert attribution_reason(state, None, "").startswith(f"The task can be done: {said} The agent failed")


@pytest.mark.parametrize(
    ("results", "words"),
    [
        ((GONE,), "No probe showed anything: the device was lost. Nothing"),
        (
            (GONE, FAIL, GONE),
            "1 probe failed, which is too little; the others showed nothing: the device was lost. Nothing",
        ),
    ],
    ids=["all", "some"],
)
def test_an_open_diagnosis_says_why_once(results: tuple[DiagnosticProbeResult, ...], words: str) -> None:
    found, _ = diagnose(DEAD_BUTTON, *results)
    assert found.attributed_to is AttributedTo.INCONCLUSIVE
    assert found.reason.startswith(words)


def test_the_first_wrong_step_is_the_first_of_the_repeated_ones() -> None:
    moments = [(SHOP, tap(1)), (PAGE, act.Back()), (SHOP, tap(1)), (PAGE, act.Back()), (SHOP, None)]
    found, tasks = diagnose(failed_case(moments, ending="step_limit"), FAIL)
    assert (found.wrong_step, tasks[0].fork) == (0, 4)
    assert "From step 0 to step 4, the action of step 0 was repeated on the same screen" in found.reason
    early, _ = diagnose(failed_case([(SHOP, tap(1)), (PAGE, act.GiveUp())], ending="gave_up"), FAIL)
    assert early.wrong_step == 1


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
    store_method(run, wanted)
    assert read_method(run) == wanted
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


ONE_ROUND = DiagnosisMethod(DiagnosisSettings(), "offline", Continuation.REFERENCE, ("R58",))
TWO_ROUNDS = replace(ONE_ROUND, settings=DiagnosisSettings(rounds=2), devices=("R59",))


@pytest.mark.parametrize(
    ("diagnosed", "replaced", "method", "devices", "refusal"),
    [
        (0, 0, TWO_ROUNDS, ("R59",), ""),
        (2, 0, ONE_ROUND, ("R58",), ""),
        (2, 0, replace(ONE_ROUND, devices=("R59",)), ("R58", "R59"), ""),
        (2, 0, TWO_ROUNDS, (), "has diagnoses with other settings"),
        (2, 1, TWO_ROUNDS, (), "has diagnoses of 1 other failure with other settings"),
        (2, 1, replace(ONE_ROUND, devices=("R59",)), ("R58", "R59"), ""),
        (2, 2, TWO_ROUNDS, ("R59",), ""),
        (1, 1, TWO_ROUNDS, ("R59",), ""),
    ],
    ids=[
        "none",
        "same",
        "elsewhere",
        "other",
        "some-again",
        "some-again-same",
        "all-again",
        "the-only-again",
    ],
)
def test_the_diagnoses_of_a_run_have_one_method(
    tmp_path: Path,
    diagnosed: int,
    replaced: int,
    method: DiagnosisMethod,
    devices: tuple[str, ...],
    refusal: str,
) -> None:
    plan = Plan(tasks=("a",), agents=("dismiss", "ignore"), conditions=("clean",))
    RunWriter.create(tmp_path / "run", run_file(plan))
    run = load_run(tmp_path / "run")
    keys = list(run.file.episode_keys())
    store_method(run, ONE_ROUND)
    for key in keys[:diagnosed]:
        write_diagnosis(run, key, unprobed_diagnosis(str(key), DiagnosisSettings(), "no screen"))
    assert diagnosed_episodes(run) == set(keys[:diagnosed])
    if refusal:
        with pytest.raises(InputError, match=refusal):
            joined_method(run, method, replaced=keys[:replaced])
    else:
        assert joined_method(run, method, replaced=keys[:replaced]) == replace(method, devices=devices)


def test_the_results_of_an_unfinished_diagnosis_have_a_method(tmp_path: Path) -> None:
    RunWriter.create(
        tmp_path / "run", run_file(Plan(tasks=("a",), agents=("dismiss",), conditions=("clean",)))
    )
    run = load_run(tmp_path / "run")
    (key,) = run.file.episode_keys()
    store_method(run, ONE_ROUND)
    folder = tmp_path / "run" / case_folder(key) / "1-1-c-look"
    folder.mkdir(parents=True)
    write_result(folder, FAIL)
    assert diagnosed_episodes(run) == set()
    with pytest.raises(InputError, match="other settings"):
        joined_method(run, TWO_ROUNDS)


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
    assert found.reason == "The record has no screen. Nothing is attributed."
