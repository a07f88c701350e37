"""Prove a task on devices: that it can be solved, is not solved already, and is not solved by mistake.

Of each task is shown: its goal does not hold before, with and without its set-up. Its solution reaches the
goal, and not before the last step, on each of several phones; each other way reaches it, too. Each near miss
leaves the goal unmet all the way, and each condition of the goal is one without which some near miss would
pass, or some right way be refused. Each of its rules fires on
the solution's own way; the interruption is then really shown, and after each of its exits the task is still
solved.

The proof is a function over a `Stage`, on which steps are performed and facts are read: a device over adb
(`garabench.campaign.stage`), or anything else that can do the same.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from garabench.campaign.exits import Exit, exits
from garabench.campaign.judging import Judge
from garabench.campaign.kept import KeptFacts, keep, questions
from garabench.campaign.mutants import Change, Mutant
from garabench.campaign.parts import parts_of
from garabench.campaign.passing import judge
from garabench.campaign.proof import Check, Finding, Proof, Variant, merged
from garabench.campaign.suite import Suite, SuiteTask
from garabench.core.events import Event
from garabench.core.goal import Goal
from garabench.core.steps import AnswerStep, DeviceStep, SolutionStep
from garabench.core.task import MissKind, NearMiss, OtherWay
from garabench.core.verdict import Facts, Verdict, evaluate
from garabench.errors import CommandFailed
from garabench.rules.engine import BoundRule, RuleEngine
from garabench.rules.schedule import Past

_LEAST_MISSES = 2


class Stage(Protocol):
    """Where a proof is performed."""

    def begin(self, app: str, setup: Sequence[DeviceStep]) -> None:
        """Bring the device to a task's first state: nothing of an earlier way is left, the app is open.

        Raises:
            DeviceError: It cannot be reached.
        """
        ...

    def facts(self, answer: str | None) -> Facts:
        """The settled screen and what else can be read, with the answer that was given, if any."""
        ...

    def do(self, step: SolutionStep) -> str:
        """Perform a step and let the screen settle; why it could not be done, or empty."""
        ...

    def keep(self, name: str) -> str:
        """Keep the present screen and tree as evidence; where they are, or empty where nothing is kept."""
        ...


class Passages(Protocol):
    """Where a task's interruptions are really shown."""

    def pass_by(self, item: SuiteTask, suite: Suite, rule: BoundRule, way: Exit) -> tuple[Event, ...]:
        """Follow the solution until the rule fires, leave its interruption by that exit, and go on.

        Returns:
            The events of the whole episode.

        Raises:
            DeviceError: The device cannot be reached.
        """
        ...

    def keep(self, name: str) -> str:
        """As `Stage.keep`."""
        ...


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
    others, refused = _other_ways(item, suite, stages[0][1], ways[0][1].end)
    missed, passed = near_misses(item, suite, stages[0][1])
    findings += [*others, *missed]
    if passages is not None:
        findings += _exits(item, suite, passages)
    needed = refused | _refused(ways) | passed
    return Proved(Proof(item.task.id, tuple(findings)), tuple(sorted(needed.items())), ways[0][1].end)


def needed_by(
    item: SuiteTask, suite: Suite, stages: Sequence[tuple[Variant, Stage]]
) -> tuple[tuple[str, str], ...]:
    """The conditions of a task's goal that its ways need, as `prove_task` finds them, and nothing else.

    Raises:
        DeviceError: A device is gone or cannot be brought to the first state.
    """
    needed: dict[str, str] = {}
    if _changed(item, suite, Change.STRICTER):
        ways = [(variant, _solution(item, suite, stage)) for variant, stage in stages]
        needed = _other_ways(item, suite, stages[0][1], ways[0][1].end)[1] | _refused(ways)
    return tuple(sorted((needed | near_misses(item, suite, stages[0][1])[1]).items()))


def _changed(item: SuiteTask, suite: Suite, change: Change) -> list[Mutant]:
    return [mutant for mutant in parts_of(item, suite) if mutant.change is change]


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
        bare = _unmet(Check.UNMET_BEFORE, "", evaluate(goal.condition, stage.facts(None)), 0, goal, stage)
        if not bare.ok:
            return _Way([replace(bare, why=f"before the set-up, {bare.why}")])
    stage.begin(item.app, item.task.setup)
    facts = stage.facts(None)
    findings = [_unmet(Check.UNMET_BEFORE, "", evaluate(goal.condition, facts), 0, goal, stage)]
    if item.harm is not None:
        before = evaluate(item.harm.condition, facts)
        findings.append(_unmet(Check.UNMET_BEFORE, "harm", before, 0, item.harm, stage))
    judge = Judge(item)
    judges = {mutant.part: Judge(item, mutant) for mutant in _changed(item, suite, Change.STRICTER)}
    watch = _RuleWatch(suite.rules_of(item))
    watch.look(facts, 0, Past())
    done: Counter[str] = Counter()
    answer: str | None = None
    early: int | None = None
    last = len(item.task.solution)
    for number, step in enumerate(item.task.solution, start=1):
        answer = step.answer if isinstance(step, AnswerStep) else answer
        said = _do(stage, step)
        if said:
            broken = Finding(Check.SOLVED, "", False, f"step {number} cannot be done: {said}", number)
            return _Way([*findings, _with_evidence(broken, stage), *watch.findings(number)])
        facts = stage.facts(answer)
        verdict = judge.look(facts, step)
        refused = [part for part, strict in judges.items() if not strict.look(facts, step).holds]
        done[next(iter(type(step).model_fields))] += 1  # a step's key is what its action is called
        if number < last:
            watch.look(facts, number, Past(done, _any_time))
            early = early or (number if verdict.holds else None)
    ok, why = verdict.holds is True, _words(verdict)
    if ok and early is not None:
        ok, why = False, f"the goal holds after step {early} of {last} already"
    findings.append(_with_evidence(Finding(Check.SOLVED, "", ok, why, early or last), stage))
    others = [other.goal.condition for other in suite.tasks.values() if other.app == item.app]
    end = keep(facts, questions([*others, goal.condition]))
    return _Way(findings + watch.findings(None), end, tuple(refused) if verdict.holds else ())


def _other_ways(
    item: SuiteTask, suite: Suite, stage: Stage, end: KeptFacts | None
) -> tuple[list[Finding], dict[str, str]]:
    """Perform each other right way of a task; another answer is put into the facts at the solution's end.

    Returns:
        What was found, and the conditions of the goal without which some of them would be refused.
    """
    findings: list[Finding] = []
    needed: dict[str, str] = {}
    stricter = _changed(item, suite, Change.STRICTER)
    for way in item.task.other_ways:
        judges = {mutant.part: Judge(item, mutant) for mutant in stricter}
        if way.answer is not None:
            found = _answered(item, way, way.answer, judges, end)
        else:
            stage.begin(item.app, item.task.setup)
            found = _other_way(item, way, judges, stage)
        findings.append(found[0])
        for part in found[1]:
            needed.setdefault(part, way.name)
    return findings, needed


_Judged = tuple[Finding, list[str]]
"""What was found of a way, and the conditions of the goal without which its end would be refused."""


def _answered(
    item: SuiteTask, way: OtherWay, answer: str, judges: dict[str, Judge], end: KeptFacts | None
) -> _Judged:
    if end is None:
        return Finding(Check.OTHER_WAY, way.name, False, "the solution's end was not reached"), []
    facts, step = replace(end, answer=answer), AnswerStep(answer=answer)
    verdict = Judge(item).look(facts, step)
    refused = [part for part, strict in judges.items() if not strict.look(facts, step).holds]
    ok = verdict.holds is True
    return Finding(Check.OTHER_WAY, way.name, ok, _words(verdict)), refused if ok else []


def _other_way(item: SuiteTask, way: OtherWay, judges: dict[str, Judge], stage: Stage) -> _Judged:
    judge, answer = Judge(item), None
    for number, step in enumerate(way.steps, start=1):
        answer = step.answer if isinstance(step, AnswerStep) else answer
        said = _do(stage, step)
        if said:
            why = f"step {number} cannot be done: {said}"
            return _with_evidence(Finding(Check.OTHER_WAY, way.name, False, why, number), stage), []
        facts = stage.facts(answer)
        verdict = judge.look(facts, step)
        refused = [part for part, strict in judges.items() if not strict.look(facts, step).holds]
    ok = verdict.holds is True
    found = Finding(Check.OTHER_WAY, way.name, ok, _words(verdict), len(way.steps))
    return _with_evidence(found, stage), refused if ok else []


def near_misses(item: SuiteTask, suite: Suite, stage: Stage) -> tuple[list[Finding], dict[str, str]]:
    """Perform each near miss of a task.

    Returns:
        What was found, and the conditions of the goal without which some of them would pass.

    Raises:
        DeviceError: The device is gone or cannot be brought to the first state.
    """
    weaker = _changed(item, suite, Change.LOOSER)
    passed: dict[str, str] = {}
    findings = []
    for miss in item.task.near_misses:
        stage.begin(item.app, item.task.setup)
        findings.append(_near_miss(item, miss, stage, weaker, passed))
    kinds = {miss.kind.value for miss in item.task.near_misses if miss.kind is not None}
    ok = len(item.task.near_misses) >= _LEAST_MISSES and len(kinds) >= _LEAST_MISSES
    why = f"{len(item.task.near_misses)} near misses of kinds: {', '.join(sorted(kinds)) or 'none'}"
    return [*findings, Finding(Check.KINDS, "", ok, why)], passed


def _near_miss(
    item: SuiteTask, miss: NearMiss, stage: Stage, weaker: Sequence[Mutant], passed: dict[str, str]
) -> Finding:
    """A near miss's way; notes in ``passed`` the parts without which it would pass."""
    answer: str | None = None
    judge, judges = Judge(item), {mutant.part: Judge(item, mutant) for mutant in weaker}
    for number, step in enumerate(miss.steps, start=1):
        answer = step.answer if isinstance(step, AnswerStep) else answer
        said = _do(stage, step)
        if said:
            why = f"step {number} cannot be done: {said}"
            return _with_evidence(Finding(Check.NEAR_MISS, miss.name, False, why, number), stage)
        facts = stage.facts(answer)
        verdict = judge.look(facts, step)
        if verdict.holds is not False:
            return _unmet(Check.NEAR_MISS, miss.name, verdict, number, item.goal, stage)
        for part, lenient in judges.items():
            if lenient.look(facts, step).holds:
                passed.setdefault(part, miss.name)
    if miss.kind is MissKind.FAKED and answer is None and not judge.harmed:
        why = "it is called done, and what was done is no harm by the task's harm"
        return _with_evidence(Finding(Check.NEAR_MISS, miss.name, False, why, number), stage)
    return Finding(Check.NEAR_MISS, miss.name, True, _words(verdict), len(miss.steps))


def _exits(item: SuiteTask, suite: Suite, passages: Passages) -> list[Finding]:
    findings = []
    for bound in suite.rules_of(item):
        for name in dict.fromkeys(bound.rule.inject):
            alone = replace(bound, rule=bound.rule.model_copy(update={"inject": (name,)}))
            window = suite.interruptions.get(name)
            for way in (
                exits(window, suite.interruptions) if window is not None else ()
            ):  # a system's has no exits
                found = judge(bound.rule.id, way, passages.pass_by(item, suite, alone, way))
                if len(bound.rule.inject) > 1:
                    found = replace(found, subject=f"{bound.rule.id} {name} {way}")
                findings.append(_with_evidence(found, passages))
    return findings


def _any_time() -> float:
    """Which moment of a solution's way comes after a time is seen only when its rule is really performed."""
    return math.inf


class _RuleWatch:
    """Asks each rule by itself at every step of a way, as if it were certain."""

    def __init__(self, rules: Sequence[BoundRule]) -> None:
        self._fired: dict[str, int] = {}
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

    def findings(self, broken_off: int | None) -> list[Finding]:
        """Of each rule whether it has fired, and where.

        Args:
            broken_off: The step that could not be done, if any.
        """
        nowhere = "on no screen of the solution"
        if broken_off is not None:
            nowhere = f"on no screen before step {broken_off}, which cannot be done"
        found = []
        for name in self._engines:
            step = self._fired.get(name)
            why = nowhere if step is None else f"before step {step + 1}"
            found.append(Finding(Check.RULE_FIRES, name, step is not None, why, step))
        return found


def _do(stage: Stage, step: SolutionStep) -> str:
    """Perform a step; a command that the device refuses is the task's fault, not the device's."""
    try:
        return stage.do(step)
    except CommandFailed as error:
        return str(error)


def _unmet(check: Check, subject: str, verdict: Verdict, step: int, goal: Goal, stage: Stage) -> Finding:
    """A finding that the goal does not hold; what could not be read is not proven."""
    ok = verdict.holds is False
    why = verdict.why if ok else f"the goal {goal.id} {_words(verdict)}"
    return _with_evidence(Finding(check, subject, ok, why, step), stage)


def _words(verdict: Verdict) -> str:
    said = {True: "holds", False: "does not hold", None: "could not be established"}[verdict.holds]
    return f"{said}: {verdict.why}"


def _with_evidence(finding: Finding, stage: Stage | Passages) -> Finding:
    if finding.ok:
        return finding
    name = "-".join(part for part in (finding.check.value, *finding.subject.split()) if part)
    return replace(finding, evidence=stage.keep(name.replace("+", "-")))
