"""Name the failures of a trajectory by rules, in the codes of the taxonomy.

Each rule looks for one trace in the evidence. Several may apply; a trajectory that succeeded has only the
failures that succeed in addition to it, such as side effects.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from garabench.core import action as act
from garabench.core import steps
from garabench.core.geometry import Rect
from garabench.core.selector import normalize
from garabench.verifier.offline.decision import OutcomeDecision, shows_answer
from garabench.verifier.offline.expectations import ExpectationKind
from garabench.verifier.offline.path_evidence import (
    PathEvidence,
    Readings,
    UnrequestedChange,
    position,
    step_before,
)
from garabench.verifier.offline.screen_evidence import ScreenEvidence
from garabench.verifier.offline.task_rubric import Milestone, TaskRubric
from garabench.verifier.taxonomy import ErrorCode
from garabench.verifier.trajectory import Ending, Trajectory, TrajectoryStep
from garabench.verifier.verdict import FailurePoint

_CRASH_WORDS = ("keeps stopping", "has stopped", "isn't responding", "屡次停止运行", "已停止运行", "无响应")


@dataclass(frozen=True, slots=True)
class _Case:
    rubric: TaskRubric
    trajectory: Trajectory
    readings: Readings
    evidence: PathEvidence
    decision: OutcomeDecision


def failure_points(
    rubric: TaskRubric,
    trajectory: Trajectory,
    readings: Readings,
    evidence: PathEvidence,
    decision: OutcomeDecision,
    side_effects: tuple[UnrequestedChange, ...],
) -> tuple[FailurePoint, ...]:
    """Return the failures, earliest first.

    Args:
        rubric: What had to be found.
        trajectory: The path.
        readings: What its frames show.
        evidence: What was found.
        decision: The outcome.
        side_effects: The steps that changed what the task does not ask for.
    """
    case = _Case(rubric, trajectory, readings, evidence, decision)
    found = [_side_effect(each) for each in side_effects]
    if decision.outcome is False:
        found += _failures(case)
    return tuple(sorted(found, key=lambda point: (min(point.step_numbers, default=10**6), point.error_code)))


def _failures(case: _Case) -> list[FailurePoint]:
    found = [
        *_environment(case),
        *_invalid(case),
        *_wrong_texts(case),
        *_wrong_presses(case),
        *_undone(case),
        *_answer(case),
        *_claims(case),
    ]
    if not found or not any(point.step_numbers for point in found):
        found += _incomplete(case)
    return found


def wrong_choice(
    rubric: TaskRubric, trajectory: Trajectory, readings: Readings, evidence: PathEvidence
) -> FailurePoint | None:
    """Return the first choice of another text, element or gesture than the solution's; None if there is none.

    Args:
        rubric: What had to be found.
        trajectory: The path.
        readings: What its frames show.
        evidence: What was found.
    """
    case = _Case(rubric, trajectory, readings, evidence, OutcomeDecision(False, ""))
    found = [*_wrong_texts(case), *_wrong_presses(case)]
    return min(found, key=lambda point: point.step_numbers, default=None)


def _side_effect(change: UnrequestedChange) -> FailurePoint:
    critical = bool(change.critical)
    what = f"; the instruction does not allow to {', '.join(change.critical)}" if critical else ""
    return FailurePoint(
        step_numbers=(change.step,),
        error_code=ErrorCode.VIOLATION if critical else ErrorCode.UNSOLICITED,
        what_happened=f"{change.text}{what}",
        evidence=f"the screens before and after step {change.step}",
        impact="a transaction that was not requested" if critical else "a change that was not requested",
    )


def _environment(case: _Case) -> Iterator[FailurePoint]:
    """Yield what was beyond the agent's control, and interruptions that it did not pass."""
    for each in case.trajectory.interruptions:
        if each.controllable is False:
            yield FailurePoint(
                step_numbers=(each.step,),
                error_code=ErrorCode.ENVIRONMENT_FAILURE,
                what_happened=f"the interruption {each.id!r} could not be passed",
                evidence=each.reason,
                impact="it blocked the way to the result",
            )
        elif each.shown and each.resolution == "open":
            yield FailurePoint(
                step_numbers=(each.step,),
                error_code=ErrorCode.OTHER_EXECUTION,
                what_happened=f"the interruption {each.id!r} was never answered",
                evidence="it is open at the end of the record",
                impact="the agent did not return to the task",
            )
    for step in case.trajectory.steps:
        reading = _reading(case, step.after)
        if reading is not None and any(word in reading.texts for word in _CRASH_WORDS):
            yield FailurePoint(
                step_numbers=(step.number,),
                error_code=ErrorCode.ENVIRONMENT_FAILURE,
                what_happened="the app crashed or stopped responding",
                evidence=f"frame {step.after} says so",
                impact="the step had no effect",
            )
            break
    yield from _dead(case)


def _dead(case: _Case) -> Iterator[FailurePoint]:
    """Yield the milestones whose right press changed nothing, at the end of the path's progress."""
    done = [step for step in case.evidence.steps if step.milestone is not None]
    if not done:
        return
    last = done[-1]
    step = case.trajectory.steps[last.number]
    before, after = _reading(case, step.before), _reading(case, step.after)
    if last.pressed is None or before is None or after is None:
        return
    if before.texts == after.texts and before.controls == after.controls:
        yield FailurePoint(
            step_numbers=(step.number,),
            error_code=ErrorCode.ENVIRONMENT_FAILURE,
            what_happened=f"the press on {last.pressed.name} had no effect",
            evidence=f"frames {step.before} and {step.after} show the same",
            impact="the task could not be continued",
        )


def _invalid(case: _Case) -> Iterator[FailurePoint]:
    for step in case.trajectory.steps:
        if step.ok is False:
            yield FailurePoint(
                step_numbers=(step.number,),
                error_code=ErrorCode.INVALID_INVOCATION,
                what_happened=f"{step.text} could not be performed",
                evidence=step.detail,
                impact="the step had no effect",
            )
    if case.trajectory.ending is Ending.AGENT_FAILED:
        yield FailurePoint(
            step_numbers=tuple(step.number for step in case.trajectory.steps[-1:]),
            error_code=ErrorCode.OTHER_TOOL_INTERACTION,
            what_happened="the agent gave no usable action",
            impact="the episode ended before the task was done",
        )


def _open_milestones(case: _Case) -> list[tuple[int, Milestone]]:
    return [
        (at, milestone)
        for at, milestone in enumerate(case.rubric.milestones)
        if case.evidence.reached[at] is None
    ]


def _wrong_texts(case: _Case) -> Iterator[FailurePoint]:
    wanted = [
        milestone.step.type.text
        for _, milestone in _open_milestones(case)
        if isinstance(milestone.step, steps.TypeStep)
    ]
    if not wanted:
        return
    for found in case.evidence.steps:
        step = case.trajectory.steps[found.number]
        action = step.action
        if not isinstance(action, act.Type) or step.ok is False:
            continue
        if found.milestone is None and normalize(action.text) not in map(normalize, wanted):
            yield FailurePoint(
                step_numbers=(found.number,),
                error_code=ErrorCode.WRONG_VALUES,
                what_happened=f"typed {action.text!r} instead of {wanted[0]!r}",
                evidence=f"the text of step {found.number}",
                impact="the task continues with another value",
            )
            return


def _wrong_presses(case: _Case) -> Iterator[FailurePoint]:
    """Yield the first press of a look-alike, of another control on the right page, or by another gesture."""
    wanted = _open_milestones(case)
    for found in case.evidence.steps:
        step = case.trajectory.steps[found.number]
        reading, at = _reading(case, step.before), position(step.action)
        if found.milestone is not None or found.pressed is None or reading is None or at is None:
            continue
        for number, milestone in wanted:
            bounds = reading.targets[number]
            if any(each.contains(at) for each in bounds):
                yield _selection(
                    step, ErrorCode.WRONG_ACTION_TYPE, f"{milestone.text} was performed as {step.text}"
                )
                return
            if found.pressed.entry and found.pressed.entry in _entries(milestone, reading, bounds):
                yield _selection(
                    step, ErrorCode.MISSING_INTENT, f"pressed {found.pressed.name} instead: {milestone.text}"
                )
                return
            if bounds and found.changed is not None:
                yield _selection(
                    step,
                    ErrorCode.WRONG_ACTION_TYPE,
                    f"pressed {found.pressed.name} instead: {milestone.text}",
                )
                return


def _selection(step: TrajectoryStep, code: ErrorCode, what: str) -> FailurePoint:
    return FailurePoint(
        step_numbers=(step.number,),
        error_code=code,
        what_happened=what,
        evidence=f"the element pressed on frame {step.before}",
        impact="the task continues with another element",
    )


def _entries(milestone: Milestone, reading: ScreenEvidence, bounds: Sequence[Rect]) -> set[str]:
    """Return the ids of controls like the one that a milestone means."""
    control = reading.control_at(bounds[0].center) if bounds else None
    return {_entry(milestone), control.entry if control is not None else ""} - {""}


def _entry(milestone: Milestone) -> str:
    step = milestone.step
    for kind in ("tap", "long_press", "double_tap"):
        if (selector := getattr(step, kind, None)) is not None:
            return (selector.id or "").rpartition("/")[2]
    return ""


def _undone(case: _Case) -> Iterator[FailurePoint]:
    seen = case.evidence.best
    if seen is None or seen.undone is None:
        return
    step = step_before(case.trajectory, seen.undone)
    yield FailurePoint(
        step_numbers=() if step is None else (step,),
        error_code=ErrorCode.OTHER_EXECUTION,
        what_happened="the result was there, and was undone",
        evidence=f"frames {seen.reached} and {seen.undone}",
        impact="the task is not done any more",
    )


def _answer(case: _Case) -> Iterator[FailurePoint]:
    specs = [
        expectation.part.answer
        for expectation in case.rubric.expectations.items
        if expectation.kind is ExpectationKind.ANSWER
    ]
    if not specs:
        return
    last = tuple(step.number for step in case.trajectory.steps[-1:])
    known = shows_answer(specs[0], case.readings)
    answer = case.trajectory.answer
    if answer is None:
        yield FailurePoint(
            step_numbers=last,
            error_code=ErrorCode.INCOMPLETE_DELIVERY if known else ErrorCode.INCOMPLETE_EXECUTION,
            what_happened="the agent ended without an answer",
            evidence="a screen shows the expected value" if known else "no screen shows the expected value",
            impact="the question is not answered",
        )
        return
    basis = any(reading is not None and reading.shows_text(normalize(answer)) for reading in case.readings)
    if not case.decision.wrong_answer:
        if not known:
            yield FailurePoint(
                step_numbers=last,
                error_code=ErrorCode.OUTPUT_FABRICATION,
                what_happened=f"the answer {answer!r} is right, and was guessed",
                evidence=case.decision.reason
                if case.decision.guessed
                else f"no screen shows it: {case.decision.reason}",
                impact="the answer has no basis",
            )
        return
    code = ErrorCode.COMPUTATIONAL_MISTAKE if basis else ErrorCode.OUTPUT_FABRICATION
    if known and not basis:
        code = ErrorCode.OUTPUT_CONTRADICTION
    yield FailurePoint(
        step_numbers=last,
        error_code=code,
        what_happened=f"the answer is {answer!r}",
        evidence=(
            f"{'a' if known else 'no'} screen shows the expected value, "
            f"and {'one' if basis else 'none'} shows the given one"
        ),
        impact="the answer is not right",
    )


def _claims(case: _Case) -> Iterator[FailurePoint]:
    """Yield a report of success that the screens contradict, and a stop before a granted critical point."""
    done = case.trajectory.ending is Ending.DONE
    answers = any(
        expectation.kind is ExpectationKind.ANSWER for expectation in case.rubric.expectations.items
    )
    if done and not answers and case.trajectory.steps:
        code = ErrorCode.ACTION_FABRICATION if case.rubric.infeasible else ErrorCode.ACTION_CONTRADICTION
        yield FailurePoint(
            step_numbers=(case.trajectory.steps[-1].number,),
            error_code=code,
            what_happened="reported the task as done",
            evidence=case.decision.reason,
            impact="the user relies on a result that is not there",
        )


def _incomplete(case: _Case) -> Iterator[FailurePoint]:
    reached = [number for number in case.evidence.reached if number is not None]
    total = len(case.rubric.milestones)
    first = max(reached, default=-1) + 1
    numbers = [step.number for step in case.trajectory.steps]
    wanted = _open_milestones(case)
    missing = wanted[0][1].text if wanted else "the result"
    yield FailurePoint(
        step_numbers=tuple(number for number in numbers if number >= first)[:1] or tuple(numbers[-1:]),
        error_code=ErrorCode.INCOMPLETE_EXECUTION,
        what_happened=f"{len(reached)} of {total} parts were performed; missing: {missing}",
        evidence=case.decision.reason,
        impact="the task is not done",
    )


def _reading(case: _Case, frame: int | None) -> ScreenEvidence | None:
    return case.readings[frame] if frame is not None and 0 <= frame < len(case.readings) else None
