"""Find the changes that a task does not ask for, from the screens alone.

The recorded state of the apps is not read: the report holds these finds against it.
"""

from __future__ import annotations

from collections.abc import Iterator

from garabench.core import steps
from garabench.verifier.offline.decision import OutcomeDecision
from garabench.verifier.offline.failure_rules import wrong_choice
from garabench.verifier.offline.path_evidence import (
    JudgedStep,
    PathEvidence,
    Readings,
    UnrequestedChange,
    step_before,
)
from garabench.verifier.offline.task_rubric import TaskRubric
from garabench.verifier.trajectory import Trajectory

_DONE_WORDS = ("已", "取消", "ing", "ed")
"""What a toggle's label gains or loses: 关注 becomes 已关注, Follow becomes Following."""


def unrequested_changes(
    rubric: TaskRubric,
    trajectory: Trajectory,
    readings: Readings,
    evidence: PathEvidence,
    decision: OutcomeDecision,
) -> tuple[UnrequestedChange, ...]:
    """Return the changes that the task does not ask for and that were not taken back, in order.

    Args:
        rubric: What had to be found.
        trajectory: The path.
        readings: What its frames show.
        evidence: What was found.
        decision: The outcome.
    """
    found = {step.number: _switched(step) for step in _toggled(rubric, trajectory, evidence)}
    if decision.outcome is False:
        for change in _on_another_object(rubric, trajectory, readings, evidence):
            found.setdefault(change.step, change)
    return tuple(found[number] for number in sorted(found))


def _toggled(rubric: TaskRubric, trajectory: Trajectory, evidence: PathEvidence) -> list[JudgedStep]:
    """Return the presses that switched what no step of the solution switches."""
    found: list[JudgedStep] = []
    completing = {
        step_before(trajectory, track.reached) for track in evidence.tracks if track.reached is not None
    }
    for step in evidence.steps:
        if step.pressed is None or step.requested or step.number in completing:
            continue
        if step.changed is None or not _lasting(step):
            continue
        if trajectory.interruptions and step.pressed.package not in rubric.places:
            continue  # on a page to which an interruption led, such as that of Wi-Fi
        back = next((each for each in found if _same_control(each, step)), None)
        if back is not None:
            found.remove(back)
        else:
            found.append(step)
    return found


def _lasting(step: JudgedStep) -> bool:
    """Return whether a change is one of data, not the choice of a tab or a box in a form."""
    before, after = step.changed or ("", "")
    if "checked=" in before:
        return step.pressed is not None and step.pressed.switch
    if "selected" in (before, after):
        return False
    return any((word in after) is not (word in before) for word in _DONE_WORDS)


def _same_control(one: JudgedStep, other: JudgedStep) -> bool:
    a, b = one.pressed, other.pressed
    if a is None or b is None:
        return False
    return (a.entry, a.bounds, a.package) == (b.entry, b.bounds, b.package)


def _switched(step: JudgedStep) -> UnrequestedChange:
    name = step.pressed.name if step.pressed is not None else "an element"
    before, after = step.changed or ("", "")
    return UnrequestedChange(
        step.number,
        f"Step {step.number} changed {name}: {before!r} became {after!r}",
        step.pressed.package if step.pressed is not None else "",
        step.critical,
    )


def _on_another_object(
    rubric: TaskRubric, trajectory: Trajectory, readings: Readings, evidence: PathEvidence
) -> Iterator[UnrequestedChange]:
    """Yield the last step of a task that changes data, if it was performed after a wrong choice."""
    wrong = wrong_choice(rubric, trajectory, readings, evidence) if rubric.effectful else None
    if wrong is None or not wrong.step_numbers:
        return
    acting = [
        at
        for at, milestone in enumerate(rubric.milestones)
        if not isinstance(milestone.step, steps.AnswerStep)
    ]
    last = evidence.reached[acting[-1]] if acting else None
    if last is None or last < wrong.step_numbers[0]:
        return
    if sum(evidence.reached[at] is None for at in acting) > 2:
        return  # more was left out than the wrong choice replaced, so nothing was completed
    yield UnrequestedChange(
        last, f"Step {last} completed the task on something else: {wrong.what_happened}", trajectory.app
    )
