"""Find the changes that a task does not ask for, from the screens alone.

The recorded state of the apps is not read: the report holds these finds against it.
"""

from __future__ import annotations

from collections.abc import Iterator

from garabench.core import action as act
from garabench.core import steps
from garabench.verifier.offline.commit_controls import commits
from garabench.verifier.offline.decision import OutcomeDecision
from garabench.verifier.offline.expectations import ExpectationKind, ExpectationStatus
from garabench.verifier.offline.failure_rules import wrong_choice
from garabench.verifier.offline.path_evidence import (
    JudgedStep,
    PathEvidence,
    Readings,
    UnrequestedChange,
    step_before,
)
from garabench.verifier.offline.task_rubric import TaskRubric
from garabench.verifier.trajectory import Trajectory, TrajectoryStep

_DONE_WORDS = ("已", "取消", "ing", "ed")
"""What a toggle's label gains or loses: 关注 becomes 已关注, Follow becomes Following."""
_MOST_LEFT_OUT = 2
"""Most steps of the solution without which a task can still be completed, on something else."""


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
    for change in _committed(rubric, trajectory, evidence, decision):
        found.setdefault(change.step, change)
    if (
        not found
        and decision.outcome is False
        and rubric.effectful
        and not _result_is_shown(rubric, evidence)
    ):
        inferred = (
            *_on_another_object(rubric, trajectory, readings, evidence),
            *_with_parts_left_out(rubric, trajectory, evidence),
            *_beside_the_solution(rubric, trajectory, readings, evidence),
        )
        found = {change.step: change for change in inferred[:1]}
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
        if not _is_own(rubric, trajectory, step):
            continue
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
    old, new = before.replace("selected", ""), after.replace("selected", "")
    return any((word in new) is not (word in old) for word in _DONE_WORDS)


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


def _committed(
    rubric: TaskRubric, trajectory: Trajectory, evidence: PathEvidence, decision: OutcomeDecision
) -> Iterator[UnrequestedChange]:
    """Yield the presses of buttons that change data and that no step of the solution presses."""
    if decision.outcome and _left_out(rubric, evidence):
        return  # another route to the result, which has buttons of its kind
    for step in evidence.steps:
        if step.requested or not _is_own(rubric, trajectory, step) or step.pressed is None:
            continue
        if commits(step.pressed):
            yield UnrequestedChange(
                step.number,
                f"Step {step.number} pressed {step.pressed.name}",
                step.pressed.package,
                step.critical,
            )


def _is_own(rubric: TaskRubric, trajectory: Trajectory, step: JudgedStep) -> bool:
    """Return whether a press is on a page of the task, not on one to which an interruption led."""
    return not trajectory.interruptions or step.pressed is None or step.pressed.package in rubric.places


def _acting(rubric: TaskRubric) -> list[int]:
    return [
        at
        for at, milestone in enumerate(rubric.milestones)
        if not isinstance(milestone.step, steps.AnswerStep)
    ]


def _left_out(rubric: TaskRubric, evidence: PathEvidence) -> list[int]:
    """Return the steps of the solution that were not performed, without the answer."""
    return [at for at in _acting(rubric) if evidence.reached[at] is None]


def _last(rubric: TaskRubric, evidence: PathEvidence) -> int | None:
    """Return the agent's step that performed the last one of the solution; None if none did."""
    acting = _acting(rubric)
    return evidence.reached[acting[-1]] if acting else None


def _result_is_shown(rubric: TaskRubric, evidence: PathEvidence) -> bool:
    """Return whether the result was last seen as it should be, so that only the way to it was wrong."""
    if evidence.best is None:
        return False
    kinds = {
        each.expectation: rubric.expectations.items[each.expectation].kind for each in evidence.best.tracks
    }
    states = (ExpectationKind.SCREEN, ExpectationKind.GUARD)
    return ExpectationKind.SCREEN in kinds.values() and all(
        each.status is ExpectationStatus.SHOWN
        for each in evidence.best.tracks
        if kinds[each.expectation] in states
    )


def _on_another_object(
    rubric: TaskRubric, trajectory: Trajectory, readings: Readings, evidence: PathEvidence
) -> Iterator[UnrequestedChange]:
    """Yield the last step of the solution, if it was performed after a wrong choice."""
    wrong, last = wrong_choice(rubric, trajectory, readings, evidence), _last(rubric, evidence)
    if wrong is None or not wrong.step_numbers or last is None or last < wrong.step_numbers[0]:
        return
    if len(_left_out(rubric, evidence)) > _MOST_LEFT_OUT:
        return  # more was left out than the wrong choice replaced, so nothing was completed
    yield UnrequestedChange(
        last, f"Step {last} completed the task on something else: {wrong.what_happened}", trajectory.app
    )


def _with_parts_left_out(
    rubric: TaskRubric, trajectory: Trajectory, evidence: PathEvidence
) -> Iterator[UnrequestedChange]:
    """Yield the last step of the solution, if a choice before it was left out and a later step changed data.

    An order without the choice of the address goes to another one.
    """
    missing, last = _left_out(rubric, evidence), _last(rubric, evidence)
    if last is None or not 0 < len(missing) <= _MOST_LEFT_OUT:
        return
    later = {evidence.reached[at] for at in _acting(rubric) if at > missing[0]}
    if any(step.number in later and _changes(step) for step in evidence.steps):
        what = rubric.milestones[missing[0]].text
        yield UnrequestedChange(last, f"Step {last} completed the task without this: {what}", trajectory.app)


def _beside_the_solution(
    rubric: TaskRubric, trajectory: Trajectory, readings: Readings, evidence: PathEvidence
) -> Iterator[UnrequestedChange]:
    """Yield the last step that the solution lacks, if that was performed and a screen contradicts the result.

    Whoever performs the whole solution and does not have its result has done something more.
    """
    best = evidence.best
    if best is None or _left_out(rubric, evidence):
        return
    if all(each.status is not ExpectationStatus.CONTRADICTED for each in best.tracks):
        return
    more = [
        step
        for step, performed in zip(evidence.steps, trajectory.steps, strict=True)
        if step.milestone is None
        and (step.pressed is not None or isinstance(performed.action, act.Type))
        and _is_own(rubric, trajectory, step)
        and _has_effect(performed, readings)
    ]
    if more:
        yield UnrequestedChange(
            more[-1].number,
            f"Step {more[-1].number} is not part of the solution, which was performed without its result",
            trajectory.app,
        )


def _changes(step: JudgedStep) -> bool:
    if step.pressed is None:
        return False
    return commits(step.pressed, on_the_way=True) or (step.changed is not None and _lasting(step))


def _has_effect(step: TrajectoryStep, readings: Readings) -> bool:
    """Return whether the screens before and after a step differ; a press without effect is repeated."""
    before, after = (
        readings[frame] if frame is not None and frame < len(readings) else None
        for frame in (step.before, step.after)
    )
    if before is None or after is None:
        return False
    return before.texts != after.texts or before.controls != after.controls
