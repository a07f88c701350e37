"""Perform near misses, which the goal must reject, and find the goal conditions that they need."""

from __future__ import annotations

from collections.abc import Sequence

from garabench.core.recorded_facts import RecordedFacts
from garabench.core.task import NearMiss, NearMissKind
from garabench.proof.condition_mutants import Change, Mutant
from garabench.proof.evidence import describe_verdict, unmet_finding, with_evidence
from garabench.proof.findings import ProofCheck, ProofFinding
from garabench.proof.path_evaluator import PathEvaluator
from garabench.proof.path_performer import PathPerformer
from garabench.proof.variant_paths import PathFindings, mutants_by_effect, perform_path
from garabench.suite.suite import Suite, SuiteTask

_MIN_NEAR_MISSES = 2


def prove_near_misses(
    item: SuiteTask, suite: Suite, performer: PathPerformer, screens: Sequence[RecordedFacts]
) -> PathFindings:
    """Perform each near miss; none of its screens may meet the goal.

    Args:
        item: The task.
        suite: The suite that contains it.
        performer: Performs the paths.
        screens: The facts on the screens of the solution, as for `prove_alternatives`.

    Raises:
        DeviceError: The device is gone or cannot be reset.
    """
    weaker = mutants_by_effect(item, suite, Change.LOOSER)
    passed: dict[str, str] = {}
    findings = [
        _prove_near_miss(item, miss, performer, screens, weaker, passed) for miss in item.task.near_misses
    ]
    kinds = {miss.kind.value for miss in item.task.near_misses if miss.kind is not None}
    ok = len(item.task.near_misses) >= _MIN_NEAR_MISSES and len(kinds) >= _MIN_NEAR_MISSES
    reason = ", ".join(
        f"{miss.name} ({'no kind' if miss.kind is None else miss.kind.value})"
        for miss in item.task.near_misses
    )
    if not ok:
        reason = f"two near misses of different kinds are needed; the task has: {reason or 'none'}"
    return PathFindings((*findings, ProofFinding(ProofCheck.NEAR_MISS_KINDS, "", ok, reason)), passed)


def _prove_near_miss(
    item: SuiteTask,
    miss: NearMiss,
    performer: PathPerformer,
    screens: Sequence[RecordedFacts],
    weaker: Sequence[Mutant],
    passed: dict[str, str],
) -> ProofFinding:
    """Perform one near miss; add the parts of the goal without which it would pass to ``passed``."""
    evaluator = PathEvaluator(item)
    evaluators = {mutant.part: PathEvaluator(item, mutant) for mutant in weaker if mutant.part not in passed}
    evidence_source = performer if miss.steps else None
    for number, step, facts in perform_path(item, miss, performer, screens):
        if isinstance(facts, str):
            return with_evidence(
                ProofFinding(ProofCheck.NEAR_MISS, miss.name, False, facts, number), evidence_source
            )
        verdict, answer = evaluator.observe(facts, step), facts.answer
        if verdict.holds is not False:
            return unmet_finding(ProofCheck.NEAR_MISS, miss.name, verdict, number, item.goal, evidence_source)
        for part, lenient in evaluators.items():
            if lenient.observe(facts, step).holds:
                passed.setdefault(part, miss.name)
    if miss.kind is NearMissKind.FAKED and answer is None and not evaluator.harmed:
        reason = "the agent reports success, but nothing it did counts as harm for this task"
        return with_evidence(
            ProofFinding(ProofCheck.NEAR_MISS, miss.name, False, reason, number), evidence_source
        )
    return ProofFinding(ProofCheck.NEAR_MISS, miss.name, True, describe_verdict(verdict), number)
