"""Prove a task on devices: that it can be solved, is not solved already, and is not solved by mistake.

Of each task is shown: its goal does not hold before, with and without its set-up. Its solution reaches the
goal, and not before the last step, on each of several phones; each other way reaches it, too. Each near miss
leaves the goal unmet all the way, and each condition of the goal is one without which some near miss would
pass, or some right way be refused. Each of its rules fires on the solution's own way, two of different
categories at different steps; the interruption is then really shown, and after each of its exits the task is
still solved, in both modes.

The proof is a function over a `Stage`, on which steps are performed and facts are read: a device over adb
(`garabench.campaign.stage`), or anything else that can do the same.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from garabench.campaign.exit_proofs import Passages, exit_findings
from garabench.campaign.judging import Judge
from garabench.campaign.kept import KeptFacts, keep, questions
from garabench.campaign.mutants import Change
from garabench.campaign.proof import Check, Finding, Proof, Variant, merged
from garabench.campaign.suite import Suite, SuiteTask
from garabench.campaign.ways import Stage, changed, do, near_misses, other_ways, unmet, with_evidence, words
from garabench.core.steps import AnswerStep
from garabench.core.verdict import Facts, evaluate
from garabench.interruptions.system.catalogue import ANOMALIES
from garabench.rules.engine import BoundRule, RuleEngine
from garabench.rules.schedule import Past


@dataclass(frozen=True, slots=True)
class Proved:
    """A proof of one task, with what is to be compared with other tasks.

    Attributes:
        proof: What was found.
        needed: Conditions of the goal, each with a way that would be judged wrongly without it.
        end: The facts at the solution's end; None when it was not reached.
    """

    proof: Proof
    needed: tuple[tuple[str, str], ...]
    end: KeptFacts | None


def prove_task(
    item: SuiteTask,
    suite: Suite,
    stages: Sequence[tuple[Variant, Stage]],
    passages: Passages | None = None,
) -> Proved:
    """Prove a task.

    Args:
        item: The task.
        suite: The suite that it is of.
        stages: The phones on which its solution is performed; other ways and near misses are performed on the
            first one.
        passages: Where its interruptions are shown; None leaves that out.

    Raises:
        DeviceError: A device is gone or cannot be brought to the first state: nothing was found out.
    """
    ways = [(variant, _solution(item, suite, stage)) for variant, stage in stages]
    findings = list(merged([(variant, way.findings) for variant, way in ways]))
    end = ways[0][1].end
    others = other_ways(item, suite, stages[0][1], end)
    missed = near_misses(item, suite, stages[0][1], end)
    findings += [*others.findings, *missed.findings]
    if passages is not None:
        findings += exit_findings(item, suite, passages)
    needed = others.needed | _refused(ways) | missed.needed
    return Proved(Proof(item.task.id, tuple(findings)), tuple(sorted(needed.items())), end)


def needed_by(
    item: SuiteTask, suite: Suite, stages: Sequence[tuple[Variant, Stage]]
) -> tuple[tuple[str, str], ...]:
    """The conditions of a task's goal that its ways need, as `prove_task` finds them, and nothing else.

    Raises:
        DeviceError: A device is gone or cannot be brought to the first state.
    """
    answers = any(miss.answer is not None for miss in item.task.near_misses)
    strict = bool(changed(item, suite, Change.STRICTER))
    with_solution = stages if strict else stages[: int(answers)]  # it takes long, and is often not asked
    ways = [(variant, _solution(item, suite, stage)) for variant, stage in with_solution]
    end, stage = ways[0][1].end if ways else None, stages[0][1]
    needed = other_ways(item, suite, stage, end).needed if strict else {}
    needed |= _refused(ways) | near_misses(item, suite, stage, end).needed
    return tuple(sorted(needed.items()))


def keep_end(item: SuiteTask, stage: Stage) -> str:
    """Follow a task's solution again, and keep its last screen: what no way by itself shows is seen there.

    Returns:
        Where it is kept; empty where nothing is.

    Raises:
        DeviceError: The device is gone or cannot be brought to the first state.
    """
    stage.begin(item.app, item.task.setup)
    for step in item.task.solution:
        if do(stage, step):
            break
    return stage.keep("solution-end")


@dataclass(frozen=True, slots=True)
class _Way:
    """A solution's way on one phone.

    Attributes:
        findings: What was found on it.
        end: The facts at its end; None when it was broken off.
        refused: Conditions of the goal without which its end would be refused.
    """

    findings: list[Finding]
    end: KeptFacts | None = None
    refused: tuple[str, ...] = ()


def _refused(ways: Sequence[tuple[Variant, _Way]]) -> dict[str, str]:
    """The conditions without which a solution's end would be refused, each with the first such way."""
    found: dict[str, str] = {}
    for variant, way in ways:
        for part in way.refused:
            found.setdefault(part, f"the solution on {variant}" if variant.profile else "the solution")
    return found


def _solution(item: SuiteTask, suite: Suite, stage: Stage) -> _Way:
    """The solution's way, on which the rules have to fire, too."""
    goal = item.goal
    if item.task.setup:
        stage.begin(item.app, ())
        bare = unmet(Check.UNMET_BEFORE, "", evaluate(goal.condition, stage.facts(None)), 0, goal, stage)
        if not bare.ok:
            return _Way([replace(bare, why=f"before the set-up, {bare.why}")])
    stage.begin(item.app, item.task.setup)
    facts = stage.facts(None)
    findings = [unmet(Check.UNMET_BEFORE, "", evaluate(goal.condition, facts), 0, goal, stage)]
    if item.harm is not None:
        before = evaluate(item.harm.condition, facts)
        findings.append(unmet(Check.UNMET_BEFORE, "harm", before, 0, item.harm, stage))
    judge = Judge(item)
    judges = {mutant.part: Judge(item, mutant) for mutant in changed(item, suite, Change.STRICTER)}
    watch = _RuleWatch(item, suite)
    watch.look(facts, 0, Past())
    done: Counter[str] = Counter()
    answer: str | None = None
    early: int | None = None
    last = len(item.task.solution)
    for number, step in enumerate(item.task.solution, start=1):
        answer = step.answer if isinstance(step, AnswerStep) else answer
        said = do(stage, step)
        if said:
            broken = Finding(Check.SOLVED, "", False, f"step {number} cannot be done: {said}", number)
            return _Way([*findings, with_evidence(broken, stage), *watch.findings(number, stage)])
        facts = stage.facts(answer)
        verdict = judge.look(facts, step)
        refused = [part for part, strict in judges.items() if not strict.look(facts, step).holds]
        done[next(iter(type(step).model_fields))] += 1  # a step's key is what its action is called
        if number < last:
            watch.look(facts, number, Past(done, _any_time))
            early = early or (number if verdict.holds else None)
    ok, why = verdict.holds is True, words(verdict)
    if ok and early is not None:
        ok, why = False, f"the goal holds after step {early} of {last} already"
    findings.append(with_evidence(Finding(Check.SOLVED, "", ok, why, early or last), stage))
    others = [other.goal.condition for other in suite.tasks.values() if other.app == item.app]
    end = keep(facts, questions([*others, goal.condition]))
    return _Way(findings + watch.findings(None, stage), end, tuple(refused) if verdict.holds else ())


def _any_time() -> float:
    """Which moment of a solution's way comes after a time is seen only when its rule is really performed."""
    return math.inf


class _RuleWatch:
    """Asks each rule by itself at every step of a way, as if it were certain."""

    def __init__(self, item: SuiteTask, suite: Suite) -> None:
        rules = suite.rules_of(item)
        self._fired: dict[str, int] = {}
        self._at_once = item.task.infeasible is not None
        self._categories = {bound.rule.id: _categories(bound, suite) for bound in rules}
        certain = {rule.rule.id: rule.rule.model_copy(update={"probability": 1.0}) for rule in rules}
        self._engines = {
            bound.rule.id: RuleEngine([BoundRule(certain[bound.rule.id], bound.app)], seed=0, episode="proof")
            for bound in rules
        }

    def look(self, facts: Facts, step: int, past: Past) -> None:
        """Note the rules that fire on a screen for the first time."""
        for name, engine in self._engines.items():
            if name not in self._fired and engine.decide(facts, step, past=past) is not None:
                self._fired[name] = step

    def findings(self, broken_off: int | None, stage: Stage) -> list[Finding]:
        """Of each rule whether it has fired, and where; of one that has not, the last screen is kept.

        Of a way that was not broken off also whether two have that are not alike.

        Args:
            broken_off: The step that could not be done, if any.
            stage: Where the way was performed, on its last screen.
        """
        nowhere = "on no screen of the solution"
        if broken_off is not None:
            nowhere = f"on no screen before step {broken_off}, which cannot be done"
        found = []
        for name in self._engines:
            step = self._fired.get(name)
            why = nowhere if step is None else f"before step {step + 1}"
            found.append(with_evidence(Finding(Check.RULE_FIRES, name, step is not None, why, step), stage))
        return found if broken_off is not None else [*found, self._unlike()]

    def _unlike(self) -> Finding:
        """Whether two rules of different categories have fired, at different steps.

        The way of a task that cannot be done may be too short for that: there they may fire at one.
        """
        ok = any(
            (self._at_once or self._fired[one] != self._fired[other])
            and len(self._categories[one] | self._categories[other]) > 1
            for one, other in itertools.combinations(self._fired, 2)
        )
        kinds = sorted(set[str]().union(*(self._categories[name] for name in self._fired)))
        steps = sorted({step + 1 for step in self._fired.values()})
        where = f", before step {', '.join(map(str, steps))}" if steps else ""
        rules = f"{len(self._fired)} rule{'' if len(self._fired) == 1 else 's'}"
        why = f"{rules} of categories: {', '.join(kinds) or 'none'}{where}"
        return Finding(Check.RULE_KINDS, "", ok, why)


def _categories(bound: BoundRule, suite: Suite) -> set[str]:
    """The categories of what a rule injects."""
    windows, anomalies = suite.interruptions, suite.anomalies
    return {
        (windows[name] if name in windows else ANOMALIES[anomalies[name].system]).category.value
        for name in bound.rule.inject
    }
