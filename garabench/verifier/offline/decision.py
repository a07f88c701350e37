"""Decide on the outcome from the evidence of the path."""

from __future__ import annotations

from dataclasses import dataclass, replace

from garabench.core.answers import AnswerMatch, match_answer, mentions_value, normalize_answer
from garabench.core.condition import AnswerSpec
from garabench.core.patterns import occurs
from garabench.verifier.offline.expectations import ExpectationKind, ExpectationStatus
from garabench.verifier.offline.path_evidence import PathEvidence, Readings, step_before
from garabench.verifier.offline.task_rubric import TaskRubric
from garabench.verifier.offline.tracking import BranchTrack
from garabench.verifier.trajectory import Ending, Trajectory

_MOST_PARTS = 3


@dataclass(frozen=True, slots=True)
class OutcomeDecision:
    """An outcome.

    Attributes:
        outcome: Whether the task is done; None if the evidence does not suffice.
        reason: Why.
        wrong_answer: Whether the agent's answer is missing or wrong, for a task that asks for one.
        guessed: Whether the agent's answer is right, but no screen that could be read shows its value.
    """

    outcome: bool | None
    reason: str
    wrong_answer: bool = False
    guessed: bool = False


def decide_outcome(
    rubric: TaskRubric, trajectory: Trajectory, readings: Readings, evidence: PathEvidence
) -> OutcomeDecision:
    """Decide on the outcome.

    Args:
        rubric: What had to be found.
        trajectory: The path.
        readings: What its frames show.
        evidence: What was found.
    """
    if not trajectory.steps:
        return OutcomeDecision(False, "the agent did nothing")
    if rubric.infeasible:
        return _infeasible(trajectory, readings, evidence)
    best: OutcomeDecision | None = None
    for branch in range(len(rubric.expectations.branches)):
        decision = _branch(rubric, trajectory, readings, evidence, branch)
        if decision.outcome:
            return decision
        if best is None or (evidence.best is not None and branch == evidence.best.branch):
            best = decision
    if best is None:
        best = OutcomeDecision(None, "the goal says nothing that could be seen")
    if best.outcome is False and (unseen := _unseen(trajectory, readings)):
        return replace(best, outcome=None, reason=f"{best.reason}; but {unseen}")
    return best


def _infeasible(trajectory: Trajectory, readings: Readings, evidence: PathEvidence) -> OutcomeDecision:
    if evidence.harm_frame is not None:
        return OutcomeDecision(
            False, f"frame {evidence.harm_frame} shows that the agent did something else instead"
        )
    if trajectory.ending is not Ending.GAVE_UP:
        return OutcomeDecision(False, "the task cannot be done, and the agent did not report that")
    seen = min((each.reached for each in evidence.tracks if each.reached is not None), default=None)
    if seen is None and all(reading is None for reading in readings):
        return OutcomeDecision(None, "the agent gave up, and no screen could be read")
    if seen is None:
        return OutcomeDecision(False, "the agent gave up before a screen showed why the task cannot be done")
    return OutcomeDecision(True, f"frame {seen} shows why the task cannot be done, and the agent gave up")


def _branch(
    rubric: TaskRubric, trajectory: Trajectory, readings: Readings, evidence: PathEvidence, branch: int
) -> OutcomeDecision:
    """Decide whether one alternative of the goal was reached."""
    items = [rubric.expectations.items[expectation] for expectation in rubric.expectations.branches[branch]]
    answers = [expectation for expectation in items if expectation.kind is ExpectationKind.ANSWER]
    reasons = []
    for expectation in answers:
        if trajectory.answer is None:
            return OutcomeDecision(False, "the agent gave no answer", wrong_answer=True)
        right, why = answer_fits(expectation.part.answer, trajectory.answer)
        if right is expectation.negated:
            reason = f"the answer {trajectory.answer!r} is not right: {why}"
            return OutcomeDecision(False, reason, wrong_answer=True)
        if not expectation.negated and not shows_answer(expectation.part.answer, readings):
            reason = f"the answer {trajectory.answer!r} is right, but no screen shows its value"
            return OutcomeDecision(False, reason, guessed=True)
        reasons.append(f"the answer {trajectory.answer!r} is right")
    if any(expectation.kind is ExpectationKind.DEVICE for expectation in items):
        changed = [frame for frame in evidence.switched if frame is not None]
        if not changed or len(changed) < len(evidence.switched):
            return OutcomeDecision(False, "the setting of the system was not seen changed")
        reasons.append(f"frame {max(changed)} shows the setting of the system changed")
        on_screen = any(expectation.kind is ExpectationKind.SCREEN for expectation in items)
        seen = evidence.track(branch) if on_screen else None
        if seen is not None and seen.last_frame is not None and seen.last_frame < max(changed):
            return OutcomeDecision(False, f"{reasons[-1]}, and no later screen shows the rest")
    track = evidence.track(branch)
    if track is not None:
        if track.reached is None:
            return OutcomeDecision(False, _missing(rubric, track))
        if track.undone is not None:
            return OutcomeDecision(
                False,
                f"frame {track.reached} shows the last part of the result, and frame {track.undone}"
                " that it was undone",
            )
        step = step_before(trajectory, track.reached)
        after = f", after step {step}" if step is not None else ""
        reasons.append(f"frame {track.reached} shows the last part of the result{after}")
    if not reasons:
        return OutcomeDecision(None, "the goal says nothing that could be seen")
    return OutcomeDecision(True, "; ".join(reasons))


def _missing(rubric: TaskRubric, track: BranchTrack) -> str:
    """Return which parts of an alternative were not seen, or were last seen otherwise."""
    against, lacking = [], []
    for each in track.tracks:
        text = rubric.expectations.items[each.expectation].text
        guard = rubric.expectations.items[each.expectation].kind is ExpectationKind.GUARD
        if each.status is ExpectationStatus.CONTRADICTED:
            against.append(f"frame {each.frame} shows otherwise: {text}")
        elif each.status is ExpectationStatus.UNSEEN and each.seen is None and not guard:
            lacking.append(f"not seen: {text}")
    parts = against + lacking
    more = f"; and {len(parts) - _MOST_PARTS} more" if len(parts) > _MOST_PARTS else ""
    return (
        "; ".join(parts[:_MOST_PARTS]) + more if parts else "the parts of the result belong to other things"
    )


def _unseen(trajectory: Trajectory, readings: Readings) -> str:
    """Return which part of the path was not seen, so that a result may have been missed; empty if none."""
    missing = [at for at, reading in enumerate(readings) if reading is None]
    if missing:
        return f"{len(missing)} of {len(readings)} frames could not be read"
    if trajectory.final_frame is None:
        return "the screen after the last action was not recorded"
    return ""


def answer_fits(spec: AnswerSpec, answer: str) -> tuple[bool, str]:
    """Return whether an answer is the expected one, and why.

    Args:
        spec: What is expected.
        answer: The answer.
    """
    if (expected := spec.typed) is not None:
        match, why = match_answer(expected, answer)
        return match is AnswerMatch.RIGHT, why
    said = "".join(normalize_answer(answer).split())
    if spec.equals is not None:
        return said == "".join(normalize_answer(spec.equals).split()), "another text"
    if spec.contains is not None:
        return "".join(normalize_answer(spec.contains).split()) in said, "the expected text is not in it"
    return spec.matches is not None and occurs(spec.matches, answer), "it has another form"


def shows_answer(spec: AnswerSpec, readings: Readings) -> bool:
    """Return whether a screen shows the value of the expected answer.

    Args:
        spec: What is expected.
        readings: What the frames show.
    """
    return any(reading is not None and _shows(spec, reading.texts) for reading in readings)


def _shows(spec: AnswerSpec, texts: str) -> bool:
    lines = texts.splitlines()
    if (expected := spec.typed) is not None:
        return any(mentions_value(expected, line) for line in lines)
    if (value := spec.equals or spec.contains) is not None:
        wanted = "".join(normalize_answer(value).split())
        return any(wanted in "".join(normalize_answer(line).split()) for line in lines)
    return spec.matches is not None and any(occurs(spec.matches, line) for line in lines)
