"""Verdicts: what a judge found about a trajectory, or why it could not."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from datetime import datetime
from typing import Self

from pydantic import Field, model_validator

from garabench.core.usage import NO_USAGE, Usage
from garabench.verifier.rubric import PROCESS_THRESHOLD, RubricValue, ScoredRubric
from garabench.verifier.selection import TOP_K
from garabench.verifier.taxonomy import ErrorCategory, ErrorCode

VERDICT_VERSION = 1
"""Version of the stored format."""


class JudgeStage(enum.StrEnum):
    """A stage of the pipeline, in order."""

    RUBRIC = "1a-rubric"
    DEPENDENCIES = "1b-dependencies"
    ACTION_SCORES = "1c-action-scores"
    RELEVANCE = "2-relevance"
    SELECTION = "3-selection"
    EVIDENCE = "4a-evidence"
    CONDITIONS = "4b-conditions"
    REALITY = "5-reality"
    RESCORING = "6-rescoring"
    SIDE_EFFECTS = "7-side-effects"
    OUTCOME = "8-outcome"
    FAILURES = "9-failures"


class FailurePoint(RubricValue):
    """A failure of a trajectory.

    Attributes:
        step_numbers: Numbers of its steps, from 0; empty if it is not tied to a step.
        error_code: Its code.
        what_happened: What happened.
        evidence: What shows it.
        impact: What it did to the task.
    """

    step_numbers: tuple[int, ...] = ()
    error_code: ErrorCode
    what_happened: str
    evidence: str = ""
    impact: str = ""

    @property
    def error_category(self) -> ErrorCategory:
        """Its category."""
        return self.error_code.category


def first_failure_step(points: Iterable[FailurePoint]) -> int | None:
    """Return the first step of any failure point; None if no point is tied to a step."""
    return min((step for point in points for step in point.step_numbers), default=None)


class FrameEvidence(RubricValue):
    """What a frame shows about a criterion.

    Attributes:
        criterion: Index of the criterion.
        frame, step: Index and step of the frame.
        picture_sha256: The frame's picture in the run's store; empty without one.
        relevance: Score of its relevance, 0 to 10; None if it was not scored.
        screenshot_evidence: What it shows.
        criterion_analysis: What that means for the criterion.
        discrepancies: What contradicts the agent's claims; empty if nothing does.
        environment_issues_confirmed: Obstacles beyond the agent's control; empty without any.
        condition_verification: What it shows about the criterion's condition; empty without a condition.
    """

    criterion: int = Field(ge=0)
    frame: int = Field(ge=0)
    step: int = Field(ge=0)
    picture_sha256: str = ""
    relevance: float | None = Field(default=None, ge=0, le=10)
    screenshot_evidence: str
    criterion_analysis: str = ""
    discrepancies: str = ""
    environment_issues_confirmed: str = ""
    condition_verification: str = ""


class SideEffect(RubricValue):
    """A side effect.

    Attributes:
        description: What changed.
        app: The package whose state changed; empty if unknown.
        recorded: Whether it comes from the recorded effects instead of the judge.
        requested: For a recorded change, whether the reference solution makes it too; None if that is
            unknown. What a judge finds is always unrequested.
    """

    description: str
    app: str = ""
    recorded: bool = False
    requested: bool | None = False


class Vote(RubricValue):
    """One of several votes on process or outcome.

    Attributes:
        process_score: The process score of this vote's rubric; None in a vote on the outcome only.
        outcome: The outcome; None in a vote on the process only.
        reason: Why.
    """

    process_score: float | None = Field(default=None, ge=0, le=1)
    outcome: bool | None = None
    reason: str = ""


class StageError(RubricValue):
    """Why a stage failed.

    Attributes:
        stage: The stage.
        message: What went wrong.
        detail: Where: the frame or the vote; empty for the whole stage.
    """

    stage: JudgeStage
    message: str
    detail: str = ""


class StageUsage(RubricValue):
    """What a stage needed.

    Attributes:
        stage: The stage.
        calls: Number of calls of the model, including those answered from the cache.
        usage: Tokens, cost and seconds of the model in the command that wrote the verdict; a reply from the
            cache needed none.
        when_requested: Tokens, cost and seconds of the same replies when they were requested, by this command
            or an earlier one. A reply that several verdicts share counts once in a command.
        seconds: Wall time of the stage.
    """

    stage: JudgeStage
    calls: int = Field(default=0, ge=0)
    usage: Usage = NO_USAGE
    when_requested: Usage = NO_USAGE
    seconds: float = Field(default=0, ge=0)

    @property
    def when_requested_or_used(self) -> Usage:
        """`when_requested`; for a verdict that was stored without it, `usage`."""
        return self.when_requested if self.when_requested.requests else self.usage


class VerdictState(enum.StrEnum):
    """Whether a verdict was reached."""

    COMPLETE = "complete"
    FAILED = "failed"
    """A stage failed; nothing that depends on it is filled in."""
    UNDECIDED = "undecided"
    """The judge ran, and the evidence does not suffice for an outcome."""


class TrajectoryVerdict(RubricValue):
    """What a judge found about a trajectory.

    Attributes:
        version: Version of the stored format.
        trajectory: The trajectory's key.
        digest: The trajectory's digest when it was judged.
        instruction: The instruction that it was judged by.
        judge: Name of the model agent that judges.
        judge_version: Version of the judge's rules or prompts.
        state: Whether a verdict was reached.
        rubric: The scored rubric; None if the scoring failed.
        outcome: Whether the task is done in the user's eyes; None if it was not decided.
        primary_intent: What the user wants above all.
        outcome_reason: Why the outcome was decided so.
        failure_points: The failures.
        evidence: What frames show about criteria.
        side_effects: The side effects that it found, and the recorded changes.
        effects_known: Whether the record says what the episode changed.
        votes: The votes, if there were several.
        requested_votes: Number of votes that were requested.
        top_k: Frames for each criterion that were requested.
        errors: Why stages failed; not empty if and only if `state` is failed.
        stages: What each stage needed.
        missing_frames: Indices of the frames that could not be read, so that the judge did not see them.
        judged: When it was judged.
    """

    version: int = VERDICT_VERSION
    trajectory: str
    digest: str
    instruction: str
    judge: str
    judge_version: str = ""
    state: VerdictState
    rubric: ScoredRubric | None = None
    outcome: bool | None = None
    primary_intent: str = ""
    outcome_reason: str = ""
    failure_points: tuple[FailurePoint, ...] = ()
    evidence: tuple[FrameEvidence, ...] = ()
    side_effects: tuple[SideEffect, ...] = ()
    effects_known: bool = False
    votes: tuple[Vote, ...] = ()
    requested_votes: int = 1
    top_k: int = TOP_K
    errors: tuple[StageError, ...] = ()
    stages: tuple[StageUsage, ...] = ()
    missing_frames: tuple[int, ...] = ()
    judged: datetime | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if (self.state is VerdictState.FAILED) != bool(self.errors):
            raise ValueError("a failed verdict has errors, and only a failed one")
        if self.state is VerdictState.COMPLETE and (self.rubric is None or self.outcome is None):
            raise ValueError("a complete verdict has a rubric and an outcome")
        if self.state is VerdictState.UNDECIDED and self.outcome is not None:
            raise ValueError("an undecided verdict has no outcome")
        return self

    @property
    def process_score(self) -> float | None:
        """The process score, 0 to 1; None without a scored rubric, or if no criterion applies."""
        return None if self.rubric is None else self.rubric.process_score

    @property
    def process_success(self) -> bool | None:
        """Whether the process score reaches the threshold; None without a score."""
        score = self.process_score
        return None if score is None else score >= PROCESS_THRESHOLD

    @property
    def first_failure_step(self) -> int | None:
        """The first step of any failure point; None without one."""
        return first_failure_step(self.failure_points)

    @property
    def usage(self) -> Usage:
        """Tokens, cost and seconds of the model over all stages, in the command that wrote the verdict."""
        return sum((stage.usage for stage in self.stages), NO_USAGE)

    @property
    def usage_when_requested(self) -> Usage:
        """Tokens, cost and seconds of the model over all stages, when the replies were requested."""
        return sum((stage.when_requested_or_used for stage in self.stages), NO_USAGE)
