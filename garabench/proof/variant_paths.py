"""Perform a path of a task other than its solution: an alternative solution or a near miss.

Each path is evaluated by the goal, and by the goal without each of its conditions: a condition is needed if
some path is decided correctly only because of it. A path that differs from the solution only in its answer is
evaluated on the facts that were read during the solution, without performing anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from garabench.core.evaluate import Facts
from garabench.core.recorded_facts import RecordedFacts
from garabench.core.steps import AnswerStep, SolutionStep
from garabench.core.task import NearMiss, SolutionVariant
from garabench.proof.condition_mutants import Change, Mutant
from garabench.proof.coverage import goal_mutants
from garabench.proof.findings import ProofFinding
from garabench.proof.path_effects import PathEffects
from garabench.proof.path_performer import PathPerformer, perform_step
from garabench.suite.suite import Suite, SuiteTask


@dataclass(frozen=True, slots=True)
class PathFindings:
    """Findings about the alternative solutions or the near misses of a task.

    Attributes:
        findings: At least one finding per path.
        needed: The needed parts of the goal, each with a path that would be decided wrongly without it.
        effects: What each performed alternative changed, if that is known.
    """

    findings: tuple[ProofFinding, ...]
    needed: dict[str, str]
    effects: tuple[PathEffects, ...] = ()


def mutants_by_effect(item: SuiteTask, suite: Suite, change: Change) -> list[Mutant]:
    """Return the mutants of a task's goal that have this effect on what the goal accepts."""
    return [mutant for mutant in goal_mutants(item, suite) if mutant.change in (change, Change.MIXED)]


def perform_path(
    item: SuiteTask, path: SolutionVariant, performer: PathPerformer, screens: Sequence[RecordedFacts]
) -> Iterator[tuple[int, SolutionStep, Facts | str]]:
    """Yield each step with its number and the facts after it, or the reason why it could not be done."""
    if path.answer is not None:
        yield from _answer_otherwise(item, path.answer, screens)
        return
    kind = "near miss" if isinstance(path, NearMiss) else "alternative"
    performer.begin(item.app, item.task.setup, f"{kind} {path.name}")
    answer: str | None = None
    for number, step in enumerate(path.steps, start=1):
        answer = step.answer if isinstance(step, AnswerStep) else answer
        problem = perform_step(performer, step)
        yield number, step, f"cannot perform step {number}: {problem}" if problem else performer.facts(answer)


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
