"""Prove one task: it is solvable, it is not already solved, and near misses do not solve it.

A proof checks that

- the goal does not hold before the first step, with and without the task's set-up, and neither does what it
  asks of earlier screens;
- the solution meets the goal on every phone variant, and not before its last step;
- each alternative solution meets the goal, and no screen of a near miss does;
- each condition of the goal is needed: without it some near miss would pass or some correct path would fail;
- the solution and its alternatives have the expected effects on the apps' state, and no others;
- each rule fires on the path of the solution, and two rules of different categories fire at different steps;
- each interruption is shown, and the task is still solvable after each of its exits, in both modes.

The proof is a function over a `PathPerformer`, which performs steps and reads facts: a device over ADB
(`garabench.proof.device_performer`) or a fake.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from garabench.core.anomalies.catalog import ANOMALIES
from garabench.core.earlier_screens import EarlierScreens, earlier_conditions
from garabench.core.evaluate import Facts, evaluate
from garabench.core.expected_effects import StateChange
from garabench.core.recorded_facts import RecordedFacts, fact_queries, record_facts
from garabench.core.rule import BoundRule
from garabench.core.steps import AnswerStep
from garabench.proof.alternatives import prove_alternatives
from garabench.proof.condition_mutants import Change
from garabench.proof.evidence import describe_verdict, unmet_finding, with_evidence
from garabench.proof.exit_checks import ExitPerformer, exit_findings
from garabench.proof.findings import Proof, ProofCheck, ProofFinding, Variant, merge_findings
from garabench.proof.near_misses import prove_near_misses
from garabench.proof.path_effects import PathEffects, distinct, effects_finding, path_effects
from garabench.proof.path_evaluator import PathEvaluator
from garabench.proof.path_performer import SOLUTION, PathPerformer, perform_step
from garabench.proof.variant_paths import mutants_by_effect
from garabench.rules.engine import RuleEngine
from garabench.rules.schedule import EpisodeProgress
from garabench.suite.suite import Suite, SuiteTask


@dataclass(frozen=True, slots=True)
class ProofResult:
    """A proof of one task, with the data that is compared with other tasks.

    Attributes:
        proof: The findings.
        needed: The needed parts of the goal, each with a path that would be decided wrongly without it.
        end: The facts at the end of the solution; None if the solution did not get there.
        effects: The different effects of the correct paths; None if they are unknown, or from the cache.
    """

    proof: Proof
    needed: tuple[tuple[str, str], ...]
    end: RecordedFacts | None
    effects: tuple[tuple[StateChange, ...], ...] | None = None


def prove_task(
    item: SuiteTask,
    suite: Suite,
    performers: Sequence[tuple[Variant, PathPerformer]],
    exit_performer: ExitPerformer | None = None,
) -> ProofResult:
    """Prove a task.

    Args:
        item: The task.
        suite: The suite that contains it.
        performers: The phones that perform the solution. Alternatives and near misses run on the first.
        exit_performer: Performs the task's interruptions; None skips the exit checks.

    Raises:
        DeviceError: A device is gone or cannot be reset, so that nothing is proven or refuted.
    """
    if (refusal := _too_low(item, performers)) is not None:
        return ProofResult(Proof(item.task.id, (refusal,)), (), None)
    paths = [(variant, _solution(item, suite, performer)) for variant, performer in performers]
    findings = list(merge_findings([(variant, path.findings) for variant, path in paths]))
    end = paths[0][1].end
    screens = paths[0][1].screens
    alternatives = prove_alternatives(item, suite, performers[0][1], screens)
    near_misses = prove_near_misses(item, suite, performers[0][1], screens)
    findings += [*alternatives.findings, *near_misses.findings]
    if exit_performer is not None:
        findings += exit_findings(item, suite, exit_performer)
    needed = alternatives.needed | _refused(paths) | near_misses.needed
    effects = None
    if (solution := paths[0][1].effects) is not None:
        checked = [
            (variant, [effects_finding(item, solution, (path.effects,))])
            for variant, path in paths
            if path.effects is not None
        ]
        checked.append((Variant(), [effects_finding(item, solution, alternatives.effects)]))
        findings += merge_findings(checked)
        effects = distinct((solution, *alternatives.effects))
    return ProofResult(Proof(item.task.id, tuple(findings)), tuple(sorted(needed.items())), end, effects)


def _too_low(item: SuiteTask, performers: Sequence[tuple[Variant, PathPerformer]]) -> ProofFinding | None:
    """Return why the task cannot be proven on one of the screens; None if it can."""
    needed = item.task.min_height_dp
    if needed is not None:
        for variant, performer in performers:
            if (height := performer.height_dp()) is not None and height < needed:
                reason = f"needs a screen of at least {needed} dp height; this one has {height} dp"
                return ProofFinding(ProofCheck.SOLVED, "", False, reason, variant=str(variant))
    return None


def needed_parts(
    item: SuiteTask, suite: Suite, performers: Sequence[tuple[Variant, PathPerformer]]
) -> tuple[tuple[str, str], ...]:
    """Return the parts of a task's goal that its paths need, as `prove_task` does, and nothing else.

    Raises:
        DeviceError: A device is gone or cannot be reset.
    """
    answers = any(miss.answer is not None for miss in item.task.near_misses)
    strict = bool(mutants_by_effect(item, suite, Change.STRICTER))
    with_solution = performers if strict else performers[: int(answers)]  # slow, and often unnecessary
    paths = [(variant, _solution(item, suite, performer)) for variant, performer in with_solution]
    screens, performer = paths[0][1].screens if paths else (), performers[0][1]
    needed = prove_alternatives(item, suite, performer, screens).needed if strict else {}
    needed |= _refused(paths) | prove_near_misses(item, suite, performer, screens).needed
    return tuple(sorted(needed.items()))


def save_solution_end(item: SuiteTask, performer: PathPerformer) -> str:
    """Perform a task's solution again and save its last screen, for failures that no single path shows.

    Returns:
        Path of the evidence; empty if no evidence is saved.

    Raises:
        DeviceError: The device is gone or cannot be reset.
    """
    performer.begin(item.app, item.task.setup)
    for step in item.task.solution:
        if perform_step(performer, step):
            break
    return performer.save_evidence("solution-end")


@dataclass(frozen=True, slots=True)
class _SolutionPath:
    """The solution as performed on one phone.

    Attributes:
        findings: The findings of this path.
        screens: The facts at its end; empty if a step failed. If the goal asks for earlier screens, also
            the facts after each step before.
        refused: Parts of the goal without which its end would be refused.
        effects: What it changed; None if that is unknown, or if it does not meet the goal.
    """

    findings: list[ProofFinding]
    screens: tuple[RecordedFacts, ...] = ()
    refused: tuple[str, ...] = ()
    effects: PathEffects | None = None

    @property
    def end(self) -> RecordedFacts | None:
        """The facts at its end; None if a step failed."""
        return self.screens[-1] if self.screens else None


def _refused(paths: Sequence[tuple[Variant, _SolutionPath]]) -> dict[str, str]:
    """Return the parts without which some solution would be refused, each with the first such path."""
    found: dict[str, str] = {}
    for variant, path in paths:
        for part in path.refused:
            found.setdefault(part, f"the solution on {variant}" if variant.profile else "the solution")
    return found


def _solution(item: SuiteTask, suite: Suite, performer: PathPerformer) -> _SolutionPath:
    """Perform the solution; check the goal and the rules on every screen."""
    goal = item.goal
    if item.task.setup:
        performer.begin(item.app, (), f"{SOLUTION} before the set-up")
        bare = unmet_finding(
            ProofCheck.UNMET_BEFORE, "", evaluate(goal.condition, performer.facts(None)), 0, goal, performer
        )
        if not bare.ok:
            return _SolutionPath([replace(bare, reason=f"before the set-up: {bare.reason}")])
    performer.begin(item.app, item.task.setup)
    facts = performer.facts(None)
    findings = [
        unmet_finding(ProofCheck.UNMET_BEFORE, "", evaluate(goal.condition, facts), 0, goal, performer)
    ]
    findings += _earlier_findings(item, facts, performer)
    if item.harm is not None:
        before = evaluate(item.harm.condition, facts)
        findings.append(unmet_finding(ProofCheck.UNMET_BEFORE, "harm", before, 0, item.harm, performer))
    evaluator = PathEvaluator(item)
    evaluators = {
        mutant.part: PathEvaluator(item, mutant) for mutant in mutants_by_effect(item, suite, Change.STRICTER)
    }
    watch = _RuleWatch(item, suite)
    watch.observe(facts, 0, EpisodeProgress())
    done: Counter[str] = Counter()
    answer: str | None = None
    early: int | None = None
    last = len(item.task.solution)
    others = [other.goal.condition for other in suite.tasks.values() if other.app == item.app]
    queries = fact_queries([*others, goal.condition])
    earlier = EarlierScreens.before([*others, goal.condition])
    screens: list[RecordedFacts] = []
    for number, step in enumerate(item.task.solution, start=1):
        answer = step.answer if isinstance(step, AnswerStep) else answer
        problem = perform_step(performer, step)
        if problem:
            failed = ProofFinding(
                ProofCheck.SOLVED, "", False, f"cannot perform step {number}: {problem}", number
            )
            return _SolutionPath(
                [*findings, with_evidence(failed, performer), *watch.findings(number, performer)]
            )
        facts = performer.facts(answer)
        verdict = evaluator.observe(facts, step)
        refused = [part for part, strict in evaluators.items() if not strict.observe(facts, step).holds]
        done[next(iter(type(step).model_fields))] += 1  # a step has one key, the kind of its action
        if number < last:
            if earlier_conditions([goal.condition]):
                screens.append(record_facts(facts, queries))
            earlier = earlier.after(facts, number)
            watch.observe(facts, number, EpisodeProgress(done, _any_time))
            early = early or (number if verdict.holds else None)
    ok, reason = verdict.holds is True, describe_verdict(verdict)
    if ok and early is not None:
        ok, reason = False, f"the goal already holds after step {early} of {last}"
    findings.append(with_evidence(ProofFinding(ProofCheck.SOLVED, "", ok, reason, early or last), performer))
    screens.append(record_facts(facts, queries, earlier))
    effects = path_effects(item, performer) if ok else None
    return _SolutionPath(
        findings + watch.findings(None, performer),
        tuple(screens),
        tuple(refused) if verdict.holds else (),
        effects,
    )


def _earlier_findings(item: SuiteTask, facts: Facts, performer: PathPerformer) -> list[ProofFinding]:
    """Check that nothing which the goal asks of an earlier screen holds on the first one already.

    The first screen does not count, but a condition that holds there does not ask for a step.
    """
    findings = []
    conditions = earlier_conditions([item.goal.condition])
    for number, condition in enumerate(conditions, start=1):
        verdict = evaluate(condition, facts)
        reason = verdict.reason
        if verdict.holds is not False:
            word = "holds" if verdict.holds else "is unknown"
            reason = f"what the goal asks of an earlier screen {word} on the first one: {reason}"
        subject = "earlier" if len(conditions) == 1 else f"earlier {number}"
        found = ProofFinding(ProofCheck.UNMET_BEFORE, subject, verdict.holds is False, reason, 0)
        findings.append(with_evidence(found, performer))
    return findings


def _any_time() -> float:
    """Return an infinite time, so that scheduled rules are due; only episodes test the times."""
    return math.inf


class _RuleWatch:
    """Evaluates every rule on its own at every step, with probability 1."""

    def __init__(self, item: SuiteTask, suite: Suite) -> None:
        rules = suite.rules_of(item)
        self._fired: dict[str, int] = {}
        self._may_coincide = item.task.infeasible is not None
        self._categories = {bound.rule.id: _categories(bound, suite) for bound in rules}
        certain = {rule.rule.id: rule.rule.model_copy(update={"probability": 1.0}) for rule in rules}
        self._engines = {
            bound.rule.id: RuleEngine([BoundRule(certain[bound.rule.id], bound.app)], seed=0, episode="proof")
            for bound in rules
        }

    def observe(self, facts: Facts, step: int, progress: EpisodeProgress) -> None:
        """Record the rules that fire for the first time on this screen."""
        for name, engine in self._engines.items():
            if name not in self._fired and engine.decide(facts, step, progress=progress) is not None:
                self._fired[name] = step

    def findings(self, failed_step: int | None, performer: PathPerformer) -> list[ProofFinding]:
        """Return whether and where each rule fired, with the last screen as evidence of those that did not.

        A complete path also gets a finding about the rules' categories.

        Args:
            failed_step: The step that could not be performed, if any.
            performer: The performer, still on the last screen of the path.
        """
        nowhere = "fires on no screen of the solution"
        if failed_step is not None:
            nowhere = f"fires on no screen before step {failed_step}, which cannot be performed"
        found = []
        for name in self._engines:
            step = self._fired.get(name)
            reason = nowhere if step is None else f"fires before step {step + 1}"
            found.append(
                with_evidence(
                    ProofFinding(ProofCheck.RULE_FIRES, name, step is not None, reason, step), performer
                )
            )
        return found if failed_step is not None else [*found, self._categories_finding()]

    def _categories_finding(self) -> ProofFinding:
        """Check that two rules of different categories fired at different steps.

        The path of an infeasible task may be too short for that, so there they may fire at the same step.
        """
        ok = any(
            (self._may_coincide or self._fired[one] != self._fired[other])
            and len(self._categories[one] | self._categories[other]) > 1
            for one, other in itertools.combinations(self._fired, 2)
        )
        order = sorted(self._fired.items(), key=lambda item: item[1])
        fired = [
            f"{name} ({' and '.join(sorted(self._categories[name]))}) before step {step + 1}"
            for name, step in order
        ]
        reason = ", ".join(fired)
        if not ok:
            steps = "" if self._may_coincide else " at different steps"
            needed = f"two rules with interruptions of different categories must fire{steps}"
            reason = f"{needed}; on this path: {reason or 'no rule'}"
        return ProofFinding(ProofCheck.RULE_KINDS, "", ok, reason)


def _categories(bound: BoundRule, suite: Suite) -> set[str]:
    """Return the categories of what a rule injects."""
    windows, anomalies = suite.interruptions, suite.anomalies
    return {
        (windows[name] if name in windows else ANOMALIES[anomalies[name].system]).category.value
        for name in bound.rule.inject
    }
