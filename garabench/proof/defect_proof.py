"""Prove what a defect does to a task: whether any known solution still works.

The known solutions are the task's reference solution and its alternatives. A path counts as solved if the
goal holds on a settled screen after one of its steps, as in an episode.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from garabench.core.steps import AnswerStep, SolutionStep
from garabench.errors import CommandError
from garabench.proof.evidence import describe_verdict
from garabench.proof.path_evaluator import PathEvaluator
from garabench.proof.path_performer import PathPerformer, perform_step
from garabench.suite.suite import SuiteTask
from garabench.virtual.defects.defect import Defect, TaskImpact

_FLAKY_ATTEMPTS = 12
_SEEDS = 2
"""Seeds with which every task is proven."""
_SOLUTION, _WORKAROUND = "solution", "workaround"


class DefectSwitch(Protocol):
    """A phone whose defects can be switched."""

    def defect(self, name: str, *, on: bool = True, rate: float | None = None) -> None:
        """Switch a defect on or off, or on at another rate."""
        ...

    def reset(self, *, seed: int | None = None) -> None:
        """Reset the phone; defects stay on."""
        ...


@dataclass(frozen=True, slots=True)
class PathOutcome:
    """One attempt at a path.

    Attributes:
        name: ``solution``, ``workaround``, or the name of the alternative.
        solved: Whether the goal held.
        step: The last step that was performed.
        reason: The observation that decided it.
    """

    name: str
    solved: bool
    step: int
    reason: str


@dataclass(frozen=True, slots=True)
class DefectProof:
    """What a defect does to a task, with the attempts that show it.

    Attributes:
        defect: Id of the defect.
        task: Id of the task.
        impact: What the attempts show. One known solution that works and another that does not make it a
            workaround; the defect's own workaround counts.
        declared: The declared impact on tasks that need the feature.
        outcomes: The attempts.
    """

    defect: str
    task: str
    impact: TaskImpact
    declared: TaskImpact
    outcomes: tuple[PathOutcome, ...]

    @property
    def affected(self) -> bool:
        """Whether the task needs the broken feature."""
        return self.impact is not TaskImpact.NONE

    @property
    def ok(self) -> bool:
        """Whether the impact is the declared one, or the task offers a way around the feature."""
        return self.impact in (TaskImpact.NONE, TaskImpact.WORKAROUND, self.declared)


def prove_defect(
    item: SuiteTask, defect: Defect, performer: PathPerformer, phone: DefectSwitch
) -> DefectProof:
    """Perform a task's known solutions on a phone with a defect.

    Args:
        item: The task.
        defect: The defect; it is off before and afterwards.
        performer: Performs the paths; resetting it leaves the defect on.
        phone: Switches the defect.

    Raises:
        DeviceError: The device is gone.
    """
    paths: list[tuple[str, Sequence[SolutionStep]]] = [(_SOLUTION, item.task.solution)]
    paths += [(each.name, each.steps) for each in item.task.alternatives if each.steps]
    phone.defect(defect.id, rate=1)
    try:
        outcomes = [_attempt(item, name, steps, performer) for name, steps in paths]
        if defect.impact is TaskImpact.FLAKY and not all(outcome.solved for outcome in outcomes):
            outcomes = _flaky_attempts(item, defect, performer, phone)
        if defect.workaround is not None and defect.workaround.task == item.task.id:
            outcomes.append(_attempt(item, _WORKAROUND, defect.workaround.steps, performer))
    finally:
        phone.defect(defect.id, on=False)
    impact = _impact(outcomes, defect)
    return DefectProof(defect.id, item.task.id, impact, defect.impact, tuple(outcomes))


def _flaky_attempts(
    item: SuiteTask, defect: Defect, performer: PathPerformer, phone: DefectSwitch
) -> list[PathOutcome]:
    """Repeat the solution at the defect's own rate until it has both worked and failed."""
    outcomes: list[PathOutcome] = []
    phone.defect(defect.id)
    for attempt in range(_FLAKY_ATTEMPTS):  # a reset does not restart the draws of one seed
        phone.reset(seed=attempt % _SEEDS)
        outcomes.append(_attempt(item, _SOLUTION, item.task.solution, performer))
        if len({outcome.solved for outcome in outcomes}) > 1:
            break
    phone.reset(seed=0)
    return outcomes


def _impact(outcomes: Sequence[PathOutcome], defect: Defect) -> TaskImpact:
    known = {outcome.solved for outcome in outcomes}
    if known == {True}:
        return TaskImpact.NONE
    if known == {False}:
        elsewhere = defect.workaround is not None and all(outcome.name != _WORKAROUND for outcome in outcomes)
        return TaskImpact.WORKAROUND if elsewhere else TaskImpact.IMPOSSIBLE
    return TaskImpact.FLAKY if defect.impact is TaskImpact.FLAKY else TaskImpact.WORKAROUND


def _attempt(
    item: SuiteTask, name: str, steps: Sequence[SolutionStep], performer: PathPerformer
) -> PathOutcome:
    """Perform a path until the goal holds or a step cannot be performed."""
    try:
        performer.begin(item.app, item.task.setup)
    except CommandError as error:
        return PathOutcome(name, False, 0, f"cannot reset to the start of the task: {error}")
    evaluator, answer, why, number = PathEvaluator(item), None, "", 0
    for number, step in enumerate(steps, start=1):
        answer = step.answer if isinstance(step, AnswerStep) else answer
        if problem := perform_step(performer, step):
            return PathOutcome(name, False, number, f"cannot perform step {number}: {problem}")
        verdict = evaluator.observe(performer.facts(answer), step)
        why = describe_verdict(verdict)
        if verdict.holds:
            return PathOutcome(name, True, number, why)
    return PathOutcome(name, False, number, why)
