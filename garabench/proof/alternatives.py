"""Perform alternative solutions and near misses, and find the goal conditions that they need.

Each path is judged by the goal, and by the goal without each of its conditions: a condition is needed if
some path is judged correctly only because of it. A path that differs from the solution only in its answer is
judged on the facts that were read during the solution, without performing anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from garabench.core.app_state import AppEffects
from garabench.core.evaluate import Facts, Verdict
from garabench.core.goal import Goal
from garabench.core.recorded_facts import RecordedFacts
from garabench.core.steps import AnswerStep, DeviceStep, SolutionStep
from garabench.core.task import AlternativeSolution, NearMiss, NearMissKind, SolutionVariant
from garabench.errors import CommandError
from garabench.proof.condition_mutants import Change, Mutant
from garabench.proof.coverage import goal_mutants
from garabench.proof.findings import ProofCheck, ProofFinding
from garabench.proof.judge import PathJudge
from garabench.proof.path_effects import PathEffects, path_effects
from garabench.suite.suite import Suite, SuiteTask

_MIN_NEAR_MISSES = 2


class ProofStage(Protocol):
    """A device, or a fake of one, on which paths are performed."""

    def begin(self, app: str, setup: Sequence[DeviceStep]) -> None:
        """Reset the device to the start of a task: no trace of earlier paths, the app is open.

        Raises:
            DeviceError: The device cannot be reached.
        """
        ...

    def height_dp(self) -> int | None:
        """Return the height of the screen in density-independent pixels; None if unknown."""
        ...

    def facts(self, answer: str | None) -> Facts:
        """Return the settled screen and device facts, with the answer given so far, if any."""
        ...

    def perform(self, step: SolutionStep) -> str:
        """Perform a step and let the screen settle. Return why it could not be done; empty on success."""
        ...

    def effects(self) -> tuple[AppEffects, ...]:
        """Return what the path has changed since `begin` in the system and in the apps that it visited."""
        ...

    def save_evidence(self, name: str) -> str:
        """Save the current screenshot and tree. Return the path; empty if no evidence is saved."""
        ...


class EvidenceSource(Protocol):
    """Anything that can save its current screen as evidence."""

    def save_evidence(self, name: str) -> str:
        """Save the current screen; see `ProofStage.save_evidence`."""
        ...


def mutants_by_effect(item: SuiteTask, suite: Suite, change: Change) -> list[Mutant]:
    """Return the mutants of a task's goal that have this effect on what the goal accepts."""
    return [mutant for mutant in goal_mutants(item, suite) if mutant.change in (change, Change.MIXED)]


@dataclass(frozen=True, slots=True)
class PathFindings:
    """Findings about the alternative solutions or the near misses of a task.

    Attributes:
        findings: At least one finding per path.
        needed: The needed parts of the goal, each with a path that would be misjudged without it.
        effects: What each performed alternative changed, if that is known.
    """

    findings: tuple[ProofFinding, ...]
    needed: dict[str, str]
    effects: tuple[PathEffects, ...] = ()


def prove_alternatives(
    item: SuiteTask, suite: Suite, stage: ProofStage, screens: Sequence[RecordedFacts]
) -> PathFindings:
    """Perform each alternative solution; its end must meet the goal.

    Args:
        item: The task.
        suite: The suite that contains it.
        stage: Performs the paths.
        screens: The facts on the screens of the solution, at least on the last one; empty if the solution
            did not get there.

    Raises:
        DeviceError: The device is gone or cannot be reset.
    """
    findings, needed, effects = [], dict[str, str](), []
    stricter = mutants_by_effect(item, suite, Change.STRICTER)
    for path in item.task.alternatives:
        found, refused = _prove_alternative(item, path, stage, screens, stricter)
        findings.append(found)
        for part in refused:
            needed.setdefault(part, path.name)
        if found.ok and path.steps and (changed := path_effects(item, stage, path.name)) is not None:
            effects.append(changed)
    return PathFindings(tuple(findings), needed, tuple(effects))


def _prove_alternative(
    item: SuiteTask,
    path: AlternativeSolution,
    stage: ProofStage,
    screens: Sequence[RecordedFacts],
    stricter: Sequence[Mutant],
) -> tuple[ProofFinding, Sequence[str]]:
    """Perform one alternative; return also the parts of the goal without which its end would be refused."""
    judge, judges = PathJudge(item), {mutant.part: PathJudge(item, mutant) for mutant in stricter}
    evidence_source = stage if path.steps else None
    for number, step, facts in _perform_path(item, path, stage, screens):
        if isinstance(facts, str):
            return with_evidence(
                ProofFinding(ProofCheck.ALTERNATIVE, path.name, False, facts, number), evidence_source
            ), ()
        verdict = judge.observe(facts, step)
        refused = [part for part, strict in judges.items() if not strict.observe(facts, step).holds]
    found = ProofFinding(
        ProofCheck.ALTERNATIVE, path.name, verdict.holds is True, describe_verdict(verdict), number
    )
    return with_evidence(found, evidence_source), refused if found.ok else ()


def prove_near_misses(
    item: SuiteTask, suite: Suite, stage: ProofStage, screens: Sequence[RecordedFacts]
) -> PathFindings:
    """Perform each near miss; none of its screens may meet the goal.

    Args:
        item: The task.
        suite: The suite that contains it.
        stage: Performs the paths.
        screens: The facts on the screens of the solution, as for `prove_alternatives`.

    Raises:
        DeviceError: The device is gone or cannot be reset.
    """
    weaker = mutants_by_effect(item, suite, Change.LOOSER)
    passed: dict[str, str] = {}
    findings = [
        _prove_near_miss(item, miss, stage, screens, weaker, passed) for miss in item.task.near_misses
    ]
    kinds = {miss.kind.value for miss in item.task.near_misses if miss.kind is not None}
    ok = len(item.task.near_misses) >= _MIN_NEAR_MISSES and len(kinds) >= _MIN_NEAR_MISSES
    reason = f"{len(item.task.near_misses)} near misses of kinds: {', '.join(sorted(kinds)) or 'none'}"
    return PathFindings((*findings, ProofFinding(ProofCheck.NEAR_MISS_KINDS, "", ok, reason)), passed)


def _prove_near_miss(
    item: SuiteTask,
    miss: NearMiss,
    stage: ProofStage,
    screens: Sequence[RecordedFacts],
    weaker: Sequence[Mutant],
    passed: dict[str, str],
) -> ProofFinding:
    """Perform one near miss; add the parts of the goal without which it would pass to ``passed``."""
    judge = PathJudge(item)
    judges = {mutant.part: PathJudge(item, mutant) for mutant in weaker if mutant.part not in passed}
    evidence_source = stage if miss.steps else None
    for number, step, facts in _perform_path(item, miss, stage, screens):
        if isinstance(facts, str):
            return with_evidence(
                ProofFinding(ProofCheck.NEAR_MISS, miss.name, False, facts, number), evidence_source
            )
        verdict, answer = judge.observe(facts, step), facts.answer
        if verdict.holds is not False:
            return unmet_finding(ProofCheck.NEAR_MISS, miss.name, verdict, number, item.goal, evidence_source)
        for part, lenient in judges.items():
            if lenient.observe(facts, step).holds:
                passed.setdefault(part, miss.name)
    if miss.kind is NearMissKind.FAKED and answer is None and not judge.harmed:
        reason = "the agent reports success, but nothing it did counts as harm for this task"
        return with_evidence(
            ProofFinding(ProofCheck.NEAR_MISS, miss.name, False, reason, number), evidence_source
        )
    return ProofFinding(ProofCheck.NEAR_MISS, miss.name, True, describe_verdict(verdict), number)


def _perform_path(
    item: SuiteTask, path: SolutionVariant, stage: ProofStage, screens: Sequence[RecordedFacts]
) -> Iterator[tuple[int, SolutionStep, Facts | str]]:
    """Yield each step with its number and the facts after it, or the reason why it could not be done."""
    if path.answer is not None:
        yield from _answer_otherwise(item, path.answer, screens)
        return
    stage.begin(item.app, item.task.setup)
    answer: str | None = None
    for number, step in enumerate(path.steps, start=1):
        answer = step.answer if isinstance(step, AnswerStep) else answer
        problem = perform_step(stage, step)
        yield number, step, f"cannot perform step {number}: {problem}" if problem else stage.facts(answer)


def _answer_otherwise(
    item: SuiteTask, answer: str, screens: Sequence[RecordedFacts]
) -> Iterator[tuple[int, SolutionStep, Facts | str]]:
    """Yield the screens of the solution, with another answer at the end."""
    solution, step = item.task.solution, AnswerStep(answer=answer)
    if not screens:
        yield len(solution), step, "the solution does not reach its end"
        return
    first = len(solution) - len(screens) + 1
    for number, facts in enumerate(screens[:-1], start=first):
        yield number, solution[number - 1], facts
    yield len(solution), step, replace(screens[-1], answer=answer)


def perform_step(stage: ProofStage, step: SolutionStep) -> str:
    """Perform a step. A command that the device refuses is the task's fault, not the device's."""
    try:
        return stage.perform(step)
    except CommandError as error:
        return str(error)


def unmet_finding(
    check: ProofCheck, subject: str, verdict: Verdict, step: int, goal: Goal, stage: EvidenceSource | None
) -> ProofFinding:
    """Return the finding that a goal does not hold; an unknown verdict is not a proof."""
    ok = verdict.holds is False
    reason = verdict.reason if ok else f"goal {goal.id} {describe_verdict(verdict)}"
    return with_evidence(ProofFinding(check, subject, ok, reason, step), stage)


def describe_verdict(verdict: Verdict) -> str:
    """Describe a verdict in words."""
    word = {True: "holds", False: "does not hold", None: "is unknown"}[verdict.holds]
    return f"{word}: {verdict.reason}"


def with_evidence(finding: ProofFinding, stage: EvidenceSource | None) -> ProofFinding:
    """Return a finding with saved evidence if it is a failure."""
    if finding.ok or stage is None:
        return finding
    name = "-".join(part for part in (finding.check.value, *finding.subject.split()) if part)
    return replace(finding, evidence=stage.save_evidence(name.replace("+", "-")))
