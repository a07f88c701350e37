"""Prove a task on a device: that it can be solved, is not solved already, and is not solved by mistake.

Four things are shown of each task. Its goal does not hold before. Its solution reaches the goal, and not
before the last step. Each near miss leaves the goal unmet all the way. Each of its rules fires on the
solution's own way. The proof is a function over a `Stage`, on which steps are performed and facts are read:
a device over adb (`garabench.campaign.stage`), or anything else that can do the same.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from garabench.campaign.suite import Suite, SuiteTask
from garabench.core.goal import Goal
from garabench.core.steps import AnswerStep, DeviceStep, SolutionStep
from garabench.core.verdict import Facts, Verdict, evaluate
from garabench.errors import CommandFailed
from garabench.rules.engine import BoundRule, RuleEngine


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


class Check(enum.StrEnum):
    """What is proven of a task."""

    UNMET_BEFORE = "unmet-before"
    SOLVED = "solved"
    RULE_FIRES = "rule-fires"
    NEAR_MISS = "near-miss"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check came to.

    Attributes:
        check: Which one.
        subject: The rule's or the near miss's name; empty for the others.
        ok: Whether it is proven.
        why: What was seen.
        step: The step that shows it, from 1 in the way's order; 0 is before the first, None is all of it.
        evidence: Where the screen and the tree are kept; empty when it is proven, and for a rule, since
            there is no one screen on which it does not fire.
    """

    check: Check
    subject: str
    ok: bool
    why: str
    step: int | None = None
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class Proof:
    """A task and what was found of it.

    Attributes:
        task: Its id.
        findings: One for each check; never empty.
    """

    task: str
    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Whether every check is proven."""
        return all(finding.ok for finding in self.findings)


def prove_task(item: SuiteTask, suite: Suite, stage: Stage) -> Proof:
    """Prove a task.

    Args:
        item: The task.
        suite: The suite that it is of.
        stage: Where to perform it.

    Raises:
        DeviceError: The device is gone or cannot be brought to the first state: nothing was found out.
    """
    findings = list(_solution(item, suite, stage))
    for miss in item.task.near_misses:
        stage.begin(item.app, item.task.setup)
        findings.append(_near_miss(item, miss.name, miss.steps, stage))
    return Proof(item.task.id, tuple(findings))


def _solution(item: SuiteTask, suite: Suite, stage: Stage) -> list[Finding]:
    """The solution's way, on which the rules have to fire, too."""
    stage.begin(item.app, item.task.setup)
    facts = stage.facts(None)
    before = evaluate(item.goal.condition, facts)
    findings = [_unmet(Check.UNMET_BEFORE, "", before, 0, item.goal, stage)]
    watch = _RuleWatch(suite.rules_of(item))
    watch.look(facts, 0)
    answer: str | None = None
    problem = early = None
    said, last = "", len(item.task.solution)
    for number, step in enumerate(item.task.solution, start=1):
        answer = step.answer if isinstance(step, AnswerStep) else answer
        said = _do(stage, step)
        if said:
            problem = Finding(Check.SOLVED, "", False, f"step {number} cannot be done: {said}", number)
            break
        facts = stage.facts(answer)
        if number == last:
            break
        watch.look(facts, number)
        early = early or (number if evaluate(item.goal.condition, facts).holds else None)
    if problem is None:
        verdict = evaluate(item.goal.condition, facts)
        ok, why = verdict.holds is True, _words(verdict)
        if ok and early is not None:
            ok, why = False, f"the goal holds after step {early} of {last} already"
        problem = Finding(Check.SOLVED, "", ok, why, early or last)
    findings.append(_with_evidence(problem, stage))
    broken_off = problem.step if said else None
    return findings + watch.findings(broken_off)


def _near_miss(item: SuiteTask, name: str, steps: Sequence[SolutionStep], stage: Stage) -> Finding:
    answer: str | None = None
    for number, step in enumerate(steps, start=1):
        answer = step.answer if isinstance(step, AnswerStep) else answer
        said = _do(stage, step)
        if said:
            why = f"step {number} cannot be done: {said}"
            return _with_evidence(Finding(Check.NEAR_MISS, name, False, why, number), stage)
        verdict = evaluate(item.goal.condition, stage.facts(answer))
        if verdict.holds is not False:
            return _unmet(Check.NEAR_MISS, name, verdict, number, item.goal, stage)
    return Finding(Check.NEAR_MISS, name, True, _words(verdict), len(steps))


class _RuleWatch:
    """Asks each rule by itself at every step of a way, as if it were certain."""

    def __init__(self, rules: Sequence[BoundRule]) -> None:
        self._fired: dict[str, int] = {}
        certain = {rule.rule.id: rule.rule.model_copy(update={"probability": 1.0}) for rule in rules}
        self._engines = {
            bound.rule.id: RuleEngine([BoundRule(certain[bound.rule.id], bound.app)], seed=0, episode="proof")
            for bound in rules
        }

    def look(self, facts: Facts, step: int) -> None:
        """Note the rules that fire on a screen for the first time."""
        for name, engine in self._engines.items():
            if name not in self._fired and engine.decide(facts, step) is not None:
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


def _with_evidence(finding: Finding, stage: Stage) -> Finding:
    if finding.ok:
        return finding
    name = "-".join(part for part in (finding.check.value, finding.subject) if part)
    return Finding(
        finding.check, finding.subject, False, finding.why, finding.step, evidence=stage.keep(name)
    )
