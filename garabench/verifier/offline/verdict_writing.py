"""Put a verdict together from the evidence: points in two passes, frames next to criteria, failures."""

from __future__ import annotations

from collections.abc import Iterator

from garabench.core import action as act
from garabench.core import steps
from garabench.verifier.offline.decision import OutcomeDecision, answer_fits
from garabench.verifier.offline.expectations import ExpectationKind, ExpectationStatus
from garabench.verifier.offline.failure_rules import failure_points
from garabench.verifier.offline.path_evidence import PathEvidence, Readings
from garabench.verifier.offline.side_effects import unrequested_changes
from garabench.verifier.offline.task_rubric import TaskRubric
from garabench.verifier.offline.tracking import ExpectationTrack
from garabench.verifier.rubric import Criterion, ScoredCriterion, ScoredRubric
from garabench.verifier.trajectory import Trajectory
from garabench.verifier.verdict import FrameEvidence, SideEffect, TrajectoryVerdict, VerdictState

_NOT_SUBMITTED = 0.5
"""Share of the points for a text that was typed and not submitted."""
_GUESSED = "no screen shows the value of the answer"


def write_verdict(
    judge: str,
    version: str,
    rubric: TaskRubric,
    trajectory: Trajectory,
    readings: Readings,
    evidence: PathEvidence,
    decision: OutcomeDecision,
) -> TrajectoryVerdict:
    """Return the verdict.

    Args:
        judge: Name of the judge.
        version: Version of its rules.
        rubric: What had to be found.
        trajectory: The path.
        readings: What its frames show.
        evidence: What was found.
        decision: The outcome.
    """
    extra = unrequested_changes(rubric, trajectory, readings, evidence, decision)
    items = [
        *_milestones(rubric, trajectory, evidence, decision),
        *_expectations(rubric, trajectory, evidence, decision),
    ]
    items += [
        ScoredCriterion(
            criterion=Criterion(criterion=change.text, max_points=1, penalty=True),
            earned_points=0,
            justification=f"step {change.step}",
        )
        for change in extra
    ]
    return TrajectoryVerdict(
        trajectory=trajectory.key,
        digest=trajectory.digest,
        instruction=trajectory.instruction,
        judge=judge,
        judge_version=version,
        state=VerdictState.UNDECIDED if decision.outcome is None else VerdictState.COMPLETE,
        rubric=ScoredRubric(items=tuple(items)),
        outcome=decision.outcome,
        primary_intent=trajectory.instruction,
        outcome_reason=decision.reason,
        failure_points=failure_points(rubric, trajectory, readings, evidence, decision, extra),
        evidence=tuple(_evidence(rubric, trajectory, evidence)),
        side_effects=tuple(SideEffect(description=change.text, app=change.app) for change in extra),
        missing_frames=tuple(at for at, reading in enumerate(readings) if reading is None),
    )


def _milestones(
    rubric: TaskRubric, trajectory: Trajectory, evidence: PathEvidence, decision: OutcomeDecision
) -> Iterator[ScoredCriterion]:
    for at, (milestone, step) in enumerate(zip(rubric.milestones, evidence.reached, strict=True)):
        criterion = rubric.rubric.items[at]
        share, why = 0.0, "no action performs it"
        if step is not None:
            share, why = 1.0, f"performed by step {step}"
            action = trajectory.steps[step].action
            typed = milestone.step.type if isinstance(milestone.step, steps.TypeStep) else None
            if (
                typed is not None
                and typed.submit
                and isinstance(action, act.Type)
                and not (action.submit or _entered(trajectory, step))
            ):
                share, why = _NOT_SUBMITTED, f"typed by step {step}, and not submitted"
        seen, reason = share, why
        if decision.guessed and isinstance(milestone.step, steps.AnswerStep):
            seen, reason = 0.0, _GUESSED
        by_route = bool(decision.outcome) and share < 1
        yield ScoredCriterion(
            criterion=criterion,
            earned_points=share * criterion.max_points,
            justification=why,
            post_image_earned_points=criterion.max_points if by_route else seen * criterion.max_points,
            post_image_justification="the result was reached by another route" if by_route else reason,
        )


def _entered(trajectory: Trajectory, step: int) -> bool:
    """Return whether the next step presses the keyboard's action key."""
    return any(
        isinstance(each.action, act.Key) and each.action.name == "enter"
        for each in trajectory.steps[step + 1 : step + 2]
    )


def _expectations(
    rubric: TaskRubric, trajectory: Trajectory, evidence: PathEvidence, decision: OutcomeDecision
) -> Iterator[ScoredCriterion]:
    best = evidence.best
    tracks = {} if best is None else {track.expectation: track for track in best.tracks}
    all_performed = all(step is not None for step in evidence.reached)
    chosen = (
        rubric.expectations.branches[0 if best is None else best.branch]
        if rubric.expectations.branches
        else ()
    )
    complete = best is not None and all(
        track.status is ExpectationStatus.SHOWN
        for track in best.tracks
        if rubric.expectations.items[track.expectation].kind is ExpectationKind.SCREEN
    )
    for at, expectation in enumerate(rubric.expectations.items):
        criterion = rubric.rubric.items[rubric.expectation_criterion(at)]
        why = "not seen"
        if expectation.kind is ExpectationKind.ANSWER:
            answer = trajectory.answer
            met = (
                answer is not None
                and answer_fits(expectation.part.answer, answer)[0] is not expectation.negated
            )
            why = "no answer was given" if answer is None else f"the answer is {answer!r}"
            if decision.guessed:
                met, why = False, _GUESSED
        elif expectation.kind is ExpectationKind.DEVICE:
            met = bool(evidence.switched) and None not in evidence.switched
            why = "its control was last seen switched" if met else "its control was not seen switched"
        else:
            track = tracks.get(at)
            met = track is not None and _was_seen(track)
            if expectation.kind is ExpectationKind.GUARD:
                met = met and complete  # that nothing is wrong earns no points before the result is there
            if track is not None and track.status is ExpectationStatus.CONTRADICTED:
                why = f"frame {track.frame} shows otherwise"
            elif track is not None and (frame := _evidence_frame(track)) is not None:
                why = f"frame {frame} shows it"
        points = criterion.max_points if met else 0.0
        yield ScoredCriterion(
            criterion=criterion,
            earned_points=criterion.max_points if all_performed else 0.0,
            justification="every step was performed" if all_performed else "not every step was performed",
            is_condition_met=None if not criterion.conditional else at in chosen,
            post_image_earned_points=points,
            post_image_justification=why,
        )


def _was_seen(track: ExpectationTrack) -> bool:
    """Return whether an expectation was seen and not contradicted afterwards."""
    return track.status is ExpectationStatus.SHOWN or (
        track.status is ExpectationStatus.UNSEEN and track.seen is not None
    )


def _evidence_frame(track: ExpectationTrack) -> int | None:
    return track.seen if track.frame is None else track.frame


def _evidence(rubric: TaskRubric, trajectory: Trajectory, evidence: PathEvidence) -> Iterator[FrameEvidence]:
    for at, step in enumerate(evidence.reached):
        if step is None:
            continue
        frame = trajectory.steps[step].after
        if frame is not None and frame < len(trajectory.frames):
            yield _frame_evidence(trajectory, at, frame, f"after step {step}: {trajectory.steps[step].text}")
    for track in evidence.best.tracks if evidence.best is not None else ():
        if (frame := _evidence_frame(track)) is None:
            continue
        shown = track.status is not ExpectationStatus.CONTRADICTED
        yield _frame_evidence(
            trajectory,
            rubric.expectation_criterion(track.expectation),
            frame,
            f"{'shows' if shown else 'contradicts'}: {rubric.expectations.items[track.expectation].text}",
            "" if shown else "another state than the task asks for",
        )


def _frame_evidence(
    trajectory: Trajectory, criterion: int, frame: int, text: str, discrepancies: str = ""
) -> FrameEvidence:
    seen = trajectory.frames[frame]
    return FrameEvidence(
        criterion=criterion,
        frame=frame,
        step=seen.step,
        picture_sha256=seen.picture_sha256,
        screenshot_evidence=text,
        discrepancies=discrepancies,
    )
