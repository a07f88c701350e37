"""Perform the ways of a task beside its solution: others that are right, and those that miss narrowly.

Each is judged by the goal, and by the goal without each of its conditions: what only one of them keeps right
or wrong is what it is there for. A way that is the solution with another answer is judged on the facts at the
solution's end; nothing is performed for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from garabench.campaign.judging import Judge
from garabench.campaign.kept import KeptFacts
from garabench.campaign.mutants import Change, Mutant
from garabench.campaign.parts import parts_of
from garabench.campaign.proof import Check, Finding
from garabench.campaign.suite import Suite, SuiteTask
from garabench.core.goal import Goal
from garabench.core.steps import AnswerStep, DeviceStep, SolutionStep
from garabench.core.task import MissKind, NearMiss, OtherWay, WayBeside
from garabench.core.verdict import Facts, Verdict
from garabench.errors import CommandFailed

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


class Shows(Protocol):
    """What shows a screen that can be kept."""

    def keep(self, name: str) -> str:
        """As `Stage.keep`."""
        ...


def changed(item: SuiteTask, suite: Suite, change: Change) -> list[Mutant]:
    """A task's goal without each of those conditions and fields of which the lack changes it so."""
    return [mutant for mutant in parts_of(item, suite) if mutant.change in (change, Change.MIXED)]


@dataclass(frozen=True, slots=True)
class Beside:
    """What the ways beside the solution have shown.

    Attributes:
        findings: Of each of them.
        needed: Conditions of the goal, each with a way that would be judged wrongly without it.
    """

    findings: tuple[Finding, ...]
    needed: dict[str, str]


def other_ways(item: SuiteTask, suite: Suite, stage: Stage, end: KeptFacts | None) -> Beside:
    """Perform each other right way of a task; its end meets the goal.

    Args:
        item: The task.
        suite: The suite that it is of.
        stage: Where they are performed.
        end: The facts at the solution's end; None when it was not reached.

    Raises:
        DeviceError: The device is gone or cannot be brought to the first state.
    """
    findings, needed = [], dict[str, str]()
    stricter = changed(item, suite, Change.STRICTER)
    for way in item.task.other_ways:
        found, refused = _other_way(item, way, stage, end, stricter)
        findings.append(found)
        for part in refused:
            needed.setdefault(part, way.name)
    return Beside(tuple(findings), needed)


def _other_way(
    item: SuiteTask, way: OtherWay, stage: Stage, end: KeptFacts | None, stricter: Sequence[Mutant]
) -> tuple[Finding, Sequence[str]]:
    """A right way, and the conditions of the goal without which its end would be refused."""
    judge, judges = Judge(item), {mutant.part: Judge(item, mutant) for mutant in stricter}
    shown = stage if way.steps else None
    for number, step, facts in _performed(item, way, stage, end):
        if isinstance(facts, str):
            return with_evidence(Finding(Check.OTHER_WAY, way.name, False, facts, number), shown), ()
        verdict = judge.look(facts, step)
        refused = [part for part, strict in judges.items() if not strict.look(facts, step).holds]
    found = Finding(Check.OTHER_WAY, way.name, verdict.holds is True, words(verdict), number)
    return with_evidence(found, shown), refused if found.ok else ()


def near_misses(item: SuiteTask, suite: Suite, stage: Stage, end: KeptFacts | None) -> Beside:
    """Perform each near miss of a task; none of its screens meets the goal.

    Args:
        item: The task.
        suite: The suite that it is of.
        stage: Where they are performed.
        end: The facts at the solution's end; None when it was not reached.

    Raises:
        DeviceError: The device is gone or cannot be brought to the first state.
    """
    weaker = changed(item, suite, Change.LOOSER)
    passed: dict[str, str] = {}
    findings = [_near_miss(item, miss, stage, end, weaker, passed) for miss in item.task.near_misses]
    kinds = {miss.kind.value for miss in item.task.near_misses if miss.kind is not None}
    ok = len(item.task.near_misses) >= _LEAST_MISSES and len(kinds) >= _LEAST_MISSES
    why = f"{len(item.task.near_misses)} near misses of kinds: {', '.join(sorted(kinds)) or 'none'}"
    return Beside((*findings, Finding(Check.KINDS, "", ok, why)), passed)


def _near_miss(
    item: SuiteTask,
    miss: NearMiss,
    stage: Stage,
    end: KeptFacts | None,
    weaker: Sequence[Mutant],
    passed: dict[str, str],
) -> Finding:
    """A near miss's way; notes in ``passed`` the conditions without which it would pass."""
    judge = Judge(item)
    judges = {mutant.part: Judge(item, mutant) for mutant in weaker if mutant.part not in passed}
    shown = stage if miss.steps else None
    for number, step, facts in _performed(item, miss, stage, end):
        if isinstance(facts, str):
            return with_evidence(Finding(Check.NEAR_MISS, miss.name, False, facts, number), shown)
        verdict, answer = judge.look(facts, step), facts.answer
        if verdict.holds is not False:
            return unmet(Check.NEAR_MISS, miss.name, verdict, number, item.goal, shown)
        for part, lenient in judges.items():
            if lenient.look(facts, step).holds:
                passed.setdefault(part, miss.name)
    if miss.kind is MissKind.FAKED and answer is None and not judge.harmed:
        why = "it is called done, and what was done is no harm by the task's harm"
        return with_evidence(Finding(Check.NEAR_MISS, miss.name, False, why, number), shown)
    return Finding(Check.NEAR_MISS, miss.name, True, words(verdict), number)


def _performed(
    item: SuiteTask, way: WayBeside, stage: Stage, end: KeptFacts | None
) -> Iterator[tuple[int, SolutionStep, Facts | str]]:
    """Each step of a way with its number and the facts after it; why it cannot be done, at the first such."""
    last = len(item.task.solution)
    if way.answer is not None:
        step: SolutionStep = AnswerStep(answer=way.answer)
        facts = replace(end, answer=way.answer) if end is not None else "the solution's end was not reached"
        yield last, step, facts
        return
    stage.begin(item.app, item.task.setup)
    answer: str | None = None
    for number, step in enumerate(way.steps, start=1):
        answer = step.answer if isinstance(step, AnswerStep) else answer
        said = do(stage, step)
        yield number, step, f"step {number} cannot be done: {said}" if said else stage.facts(answer)


def do(stage: Stage, step: SolutionStep) -> str:
    """Perform a step; a command that the device refuses is the task's fault, not the device's."""
    try:
        return stage.do(step)
    except CommandFailed as error:
        return str(error)


def unmet(
    check: Check, subject: str, verdict: Verdict, step: int, goal: Goal, stage: Shows | None
) -> Finding:
    """A finding that the goal does not hold; what could not be read is not proven."""
    ok = verdict.holds is False
    why = verdict.why if ok else f"the goal {goal.id} {words(verdict)}"
    return with_evidence(Finding(check, subject, ok, why, step), stage)


def words(verdict: Verdict) -> str:
    """A verdict in words."""
    said = {True: "holds", False: "does not hold", None: "could not be established"}[verdict.holds]
    return f"{said}: {verdict.why}"


def with_evidence(finding: Finding, stage: Shows | None) -> Finding:
    """A finding with what the device shows, where it is a failure."""
    if finding.ok or stage is None:
        return finding
    name = "-".join(part for part in (finding.check.value, *finding.subject.split()) if part)
    return replace(finding, evidence=stage.keep(name.replace("+", "-")))
