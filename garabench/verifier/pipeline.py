"""The pipeline of the model-backed judge, steps 1a to 9, over one trajectory.

Calls that do not depend on each other are sent at once, through the caller's executor. A stage that fails
raises `StageFailedError` with every call that failed; nothing is filled in for it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from typing import Any

from garabench.core.clock import Clock, SystemClock
from garabench.core.phrases import counted
from garabench.core.usage import NO_USAGE, Usage
from garabench.errors import BudgetExceededError, InputError, ModelError
from garabench.verifier import judge_prompts
from garabench.verifier.judge_call import JudgeCall
from garabench.verifier.judge_model import Judged, JudgeModel
from garabench.verifier.judge_replies import EvidenceItem, EvidenceReply, FailureItem, OutcomeReply
from garabench.verifier.rubric import Rubric, ScoredRubric
from garabench.verifier.rubric_generation import generate_rubric
from garabench.verifier.scoring import (
    ProcessVote,
    action_scored,
    condition_seen,
    majority,
    median_vote,
    rescored,
    with_conditions,
    with_notes,
    with_penalties,
)
from garabench.verifier.selection import TOP_K, DistinctFrame, by_frame, distinct_frames, select_frames
from garabench.verifier.trajectory import Trajectory
from garabench.verifier.verdict import (
    FailurePoint,
    FrameEvidence,
    JudgeStage,
    SideEffect,
    StageError,
    StageUsage,
    TrajectoryVerdict,
    VerdictState,
    Vote,
)


@dataclass(frozen=True, slots=True)
class PipelineOptions:
    """The options of the pipeline.

    Attributes:
        votes: Number of votes in steps 6, 7 and 8; an odd number.
        top_k: Frames for each criterion.

    Raises:
        ValueError: The number of votes is even, or a number is not positive.
    """

    votes: int = 1
    top_k: int = TOP_K

    def __post_init__(self) -> None:
        if self.votes < 1 or self.votes % 2 == 0:
            raise ValueError("votes must be odd: an even number can tie")
        if self.top_k < 1:
            raise ValueError("top_k must be at least 1")


DEFAULT_OPTIONS = PipelineOptions()
"""One vote, and the published number of frames."""


class StageFailedError(Exception):
    """A stage has no result.

    Attributes:
        errors: Why, for each call that failed.
    """

    def __init__(self, errors: tuple[StageError, ...]) -> None:
        super().__init__("; ".join(error.message for error in errors))
        self.errors = errors


@dataclass
class _Progress:
    """What the stages have found so far; a failed verdict keeps what is known."""

    scored: ScoredRubric | None = None
    evidence: tuple[FrameEvidence, ...] = ()
    stages: list[StageUsage] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Ask:
    """A call with the reader of its reply."""

    call: JudgeCall
    read: Callable[[Any], Any]


class JudgePipeline:
    """Judges trajectories with a model."""

    def __init__(
        self,
        model: JudgeModel,
        calls: Executor,
        options: PipelineOptions = DEFAULT_OPTIONS,
        clock: Clock | None = None,
    ) -> None:
        """Prepare; nothing is sent.

        Args:
            model: Answers the calls.
            calls: Performs the calls; its size bounds how many are open at once, over all trajectories.
            options: The options.
            clock: Measures the stages.
        """
        self._clock = clock or SystemClock()
        self._model = model
        self._calls = calls
        self._options = options

    def judge(self, trajectory: Trajectory) -> TrajectoryVerdict:
        """Judge a trajectory; a stage that failed gives a failed verdict with the reasons.

        Without a readable last screen nothing is sent, and the verdict is undecided.

        Args:
            trajectory: The trajectory.

        Raises:
            BudgetExceededError: The budget does not allow the next call.
        """
        progress = _Progress()
        base = TrajectoryVerdict(
            trajectory=trajectory.key,
            digest=trajectory.digest,
            instruction=trajectory.instruction,
            judge=self._model.name,
            judge_version=judge_prompts.PROMPT_VERSION,
            state=VerdictState.UNDECIDED,
            missing_frames=missing_frames(trajectory),
            requested_votes=self._options.votes,
            top_k=self._options.top_k,
        )
        if reason := _unreadable(trajectory, base.missing_frames):
            return base.model_copy(update={"outcome_reason": reason})
        try:
            return self._verdict(trajectory, base, progress)
        except StageFailedError as error:
            return base.model_copy(
                update={
                    "state": VerdictState.FAILED,
                    "errors": error.errors,
                    "evidence": progress.evidence,
                    "stages": tuple(progress.stages),
                }
            )

    def _verdict(
        self, trajectory: Trajectory, base: TrajectoryVerdict, progress: _Progress
    ) -> TrajectoryVerdict:
        instruction = trajectory.instruction
        rubric = generate_rubric(functools.partial(self._one, progress), instruction)
        scored = action_scored(
            rubric,
            self._one(
                progress, judge_prompts.action_call(trajectory, rubric), lambda reply: reply.scores(rubric)
            ),
        )
        frames = distinct_frames(
            [frame for frame in trajectory.frames if frame.index not in base.missing_frames]
        )
        selected, relevance = self._select(progress, instruction, rubric, frames)
        found = self._evidence(progress, trajectory, rubric, frames, selected)
        progress.evidence = tuple(
            _frame_evidence(frames[at], item, relevance[at][item.criterion_idx]) for at, item in found
        )
        scored = self._conditions(progress, trajectory, rubric, scored, found)
        notes = self._one(
            progress,
            judge_prompts.reality_call(trajectory, rubric, progress.evidence),
            lambda reply: reply.notes(len(rubric.items)),
        )
        scored = with_notes(scored, notes)
        votes = self._process_votes(progress, trajectory, rubric, scored)
        chosen = median_vote(votes)
        outcomes = self._all(
            progress,
            [
                _Ask(
                    judge_prompts.outcome_call(trajectory, vote.rubric, progress.evidence, number),
                    functools.partial(OutcomeReply.decision, scored=vote.rubric),
                )
                for number, vote in enumerate(votes)
            ],
        )
        outcome = majority([reply.output_success for reply in outcomes])
        deciding = next(reply for reply in outcomes if reply.output_success is outcome)
        final = votes[chosen].rubric
        failures: Sequence[FailureItem] = self._one(
            progress,
            judge_prompts.failures_call(trajectory, final, progress.evidence, outcome),
            lambda reply: reply.points(len(trajectory.steps), outcome),
        )
        return TrajectoryVerdict.model_validate(
            {
                **base.model_dump(),
                "state": VerdictState.COMPLETE,
                "rubric": final,
                "outcome": outcome,
                "primary_intent": deciding.primary_intent,
                "outcome_reason": deciding.reasoning,
                "failure_points": tuple(_failure_point(item) for item in failures),
                "evidence": progress.evidence,
                "side_effects": _side_effects(final),
                "votes": tuple(
                    Vote(process_score=vote.score, outcome=reply.output_success, reason=reply.reasoning)
                    for vote, reply in zip(votes, outcomes, strict=True)
                ),
                "stages": tuple(progress.stages),
            }
        )

    def _select(
        self, progress: _Progress, instruction: str, rubric: Rubric, frames: Sequence[DistinctFrame]
    ) -> tuple[tuple[tuple[int, ...], ...], dict[int, tuple[float, ...]]]:
        """Return the frames of each criterion, and the relevance of each frame (steps 2 and 3)."""
        count = len(rubric.items)
        scores = self._all(
            progress,
            [
                _Ask(
                    judge_prompts.relevance_call(instruction, rubric, seen), lambda reply: reply.scores(count)
                )
                for seen in frames
            ],
            JudgeStage.RELEVANCE,
        )
        begun = self._clock.monotonic()
        relevance: dict[int, tuple[float, ...]] = dict(enumerate(scores))
        selected = select_frames(relevance, count, self._options.top_k)
        progress.stages.append(
            StageUsage(stage=JudgeStage.SELECTION, seconds=round(self._clock.monotonic() - begun, 6))
        )
        return selected, relevance

    def _evidence(
        self,
        progress: _Progress,
        trajectory: Trajectory,
        rubric: Rubric,
        frames: Sequence[DistinctFrame],
        selected: Sequence[Sequence[int]],
    ) -> list[tuple[int, EvidenceItem]]:
        """Return what the selected frames show, with the frame's position in time (step 4a)."""
        chosen = by_frame(selected)
        replies = self._all(
            progress,
            [
                _Ask(
                    judge_prompts.evidence_call(trajectory, rubric, frames[at], criteria),
                    functools.partial(EvidenceReply.evidence, criteria=criteria),
                )
                for at, criteria in chosen.items()
            ],
            JudgeStage.EVIDENCE,
        )
        return [(at, item) for at, items in zip(chosen, replies, strict=True) for item in items]

    def _conditions(
        self,
        progress: _Progress,
        trajectory: Trajectory,
        rubric: Rubric,
        scored: ScoredRubric,
        found: Sequence[tuple[int, EvidenceItem]],
    ) -> ScoredRubric:
        """Return the rubric with the decisions on its conditions (step 4b, if there are several)."""
        conditionals = rubric.conditionals
        if len(conditionals) > 1:
            met: dict[int, bool] = self._one(
                progress,
                judge_prompts.conditions_call(trajectory, rubric, progress.evidence),
                lambda reply: reply.met(rubric),
            )
            return with_conditions(scored, met)
        seen = {index: condition_seen(found, index) for index in conditionals}
        return with_conditions(scored, {index: met for index, met in seen.items() if met is not None})

    def _process_votes(
        self, progress: _Progress, trajectory: Trajectory, rubric: Rubric, scored: ScoredRubric
    ) -> list[ProcessVote]:
        """Return the votes on the process (steps 6 and 7)."""
        numbers = range(self._options.votes)
        scores = self._all(
            progress,
            [
                _Ask(
                    judge_prompts.rescoring_call(trajectory, scored, progress.evidence, number),
                    lambda reply: reply.scores(rubric),
                )
                for number in numbers
            ],
        )
        rubrics = [rescored(scored, each) for each in scores]
        penalties = self._all(
            progress,
            [
                _Ask(
                    judge_prompts.side_effects_call(trajectory, rubrics[number], progress.evidence, number),
                    lambda reply: reply.penalties(),
                )
                for number in numbers
            ],
        )
        whole = [with_penalties(each, added) for each, added in zip(rubrics, penalties, strict=True)]
        return [ProcessVote(each, each.process_score) for each in whole]

    def _one(self, progress: _Progress, call: JudgeCall, read: Callable[[Any], Any]) -> Any:
        (value,) = self._all(progress, [_Ask(call, read)])
        return value

    def _all(self, progress: _Progress, asks: Sequence[_Ask], stage: JudgeStage | None = None) -> list[Any]:
        """Return the values of a stage's calls, which are sent at once.

        Raises:
            StageFailedError: A call failed.
            BudgetExceededError: The budget does not allow a call.
        """
        begun = self._clock.monotonic()
        futures = [self._calls.submit(self._model.ask, ask.call, ask.read) for ask in asks]
        values: list[Any] = []
        errors: list[StageError] = []
        usage = when_requested = NO_USAGE
        exceeded = None
        for ask, future in zip(asks, futures, strict=True):
            try:
                judged = future.result()
            except BudgetExceededError as error:
                exceeded = exceeded or error
            except (ModelError, InputError) as error:
                spent = error.usage if isinstance(error.usage, Usage) else NO_USAGE
                usage += spent
                when_requested += spent
                errors.append(StageError(stage=ask.call.stage, message=str(error), detail=ask.call.detail))
            except BaseException:  # also an interrupt: nothing of this stage is needed any more
                _cancel(futures)
                raise
            else:
                values.append(judged.value)
                usage += judged.usage
                when_requested += judged.when_requested
        if asks or stage is not None:
            progress.stages.append(
                StageUsage(
                    stage=stage or asks[0].call.stage,
                    calls=len(asks),
                    usage=usage,
                    when_requested=when_requested,
                    seconds=round(self._clock.monotonic() - begun, 6),
                )
            )
        if exceeded is not None:
            raise exceeded
        if errors:
            raise StageFailedError(tuple(errors))
        return values


def missing_frames(trajectory: Trajectory) -> tuple[int, ...]:
    """Return the indices of frames of which neither the picture nor the tree can be read.

    Args:
        trajectory: The trajectory.
    """
    return tuple(
        frame.index
        for frame in trajectory.frames
        if not frame.text
        and not any(path is not None and path.is_file() for path in (frame.picture, frame.tree))
    )


def _unreadable(trajectory: Trajectory, missing: Collection[int]) -> str:
    """Return why the frames of a trajectory do not suffice for a verdict; empty if they do."""
    frames = trajectory.frames
    if not frames:
        return "the trajectory has no screen"
    if len(missing) == len(frames):
        return f"none of {counted(len(frames), 'screen')} could be read"
    return "the last screen could not be read" if frames[-1].index in missing else ""


def _frame_evidence(seen: DistinctFrame, item: EvidenceItem, relevance: float) -> FrameEvidence:
    return FrameEvidence(
        criterion=item.criterion_idx,
        frame=seen.frame.index,
        step=seen.frame.step,
        picture_sha256=seen.frame.picture_sha256,
        relevance=relevance,
        screenshot_evidence=item.screenshot_evidence,
        criterion_analysis=item.criterion_analysis,
        discrepancies=item.discrepancies,
        environment_issues_confirmed=item.environment_issues_confirmed,
        condition_verification=item.condition_verification,
    )


def _failure_point(item: FailureItem) -> FailurePoint:
    return FailurePoint(
        step_numbers=item.step_numbers,
        error_code=item.error_code,
        what_happened=item.what_happened,
        evidence=item.evidence,
        impact=item.impact,
    )


def _side_effects(final: ScoredRubric) -> tuple[SideEffect, ...]:
    """Return the side effects that the judge found."""
    return tuple(
        SideEffect(description=item.criterion.criterion) for item in final.items if item.criterion.penalty
    )


def _cancel(futures: Sequence[Future[Judged]]) -> None:
    for future in futures:
        future.cancel()
