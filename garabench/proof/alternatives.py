"""Perform alternative solutions, which the goal must accept, and find the goal conditions that they need."""

from __future__ import annotations

from collections.abc import Sequence

from garabench.core.recorded_facts import RecordedFacts
from garabench.core.task import AlternativeSolution
from garabench.proof.condition_mutants import Change, Mutant
from garabench.proof.evidence import describe_verdict, with_evidence
from garabench.proof.findings import ProofCheck, ProofFinding
from garabench.proof.path_effects import path_effects
from garabench.proof.path_evaluator import PathEvaluator
from garabench.proof.path_performer import PathPerformer
from garabench.proof.variant_paths import PathFindings, mutants_by_effect, perform_path
from garabench.suite.suite import Suite, SuiteTask


def prove_alternatives(
    item: SuiteTask, suite: Suite, performer: PathPerformer, screens: Sequence[RecordedFacts]
) -> PathFindings:
    """Perform each alternative solution; its end must meet the goal.

    Args:
        item: The task.
        suite: The suite that contains it.
        performer: Performs the paths.
        screens: The facts on the screens of the solution, at least on the last one; empty if the solution
            did not get there.

    Raises:
        DeviceError: The device is gone or cannot be reset.
    """
    findings, needed, effects = [], dict[str, str](), []
    stricter = mutants_by_effect(item, suite, Change.STRICTER)
    for path in item.task.alternatives:
        found, refused = _prove_alternative(item, path, performer, screens, stricter)
        findings.append(found)
        for part in refused:
            needed.setdefault(part, path.name)
        if found.ok and path.steps and (changed := path_effects(item, performer, path.name)) is not None:
            effects.append(changed)
    return PathFindings(tuple(findings), needed, tuple(effects))


def _prove_alternative(
    item: SuiteTask,
    path: AlternativeSolution,
    performer: PathPerformer,
    screens: Sequence[RecordedFacts],
    stricter: Sequence[Mutant],
) -> tuple[ProofFinding, Sequence[str]]:
    """Perform one alternative; return also the parts of the goal without which its end would be refused."""
    evaluator, evaluators = (
        PathEvaluator(item),
        {mutant.part: PathEvaluator(item, mutant) for mutant in stricter},
    )
    evidence_source = performer if path.steps else None
    for number, step, facts in perform_path(item, path, performer, screens):
        if isinstance(facts, str):
            return with_evidence(
                ProofFinding(ProofCheck.ALTERNATIVE, path.name, False, facts, number), evidence_source
            ), ()
        verdict = evaluator.observe(facts, step)
        refused = [part for part, strict in evaluators.items() if not strict.observe(facts, step).holds]
    found = ProofFinding(
        ProofCheck.ALTERNATIVE, path.name, verdict.holds is True, describe_verdict(verdict), number
    )
    return with_evidence(found, evidence_source), refused if found.ok else ()
