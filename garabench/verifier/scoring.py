"""Combine the replies of the stages into scored rubrics and votes; nothing here calls a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from garabench.verifier.judge_replies import ActionScore, EvidenceItem, RescoredItem
from garabench.verifier.rubric import Criterion, Rubric, ScoredCriterion, ScoredRubric


def action_scored(rubric: Rubric, scores: Sequence[ActionScore]) -> ScoredRubric:
    """Return the rubric with the points of the first pass.

    Args:
        rubric: The rubric.
        scores: The scores in the rubric's order.
    """
    return ScoredRubric(
        items=tuple(
            ScoredCriterion(
                criterion=criterion,
                earned_points=score.earned_points,
                justification=score.justification,
                is_condition_met=score.is_condition_met,
            )
            for criterion, score in zip(rubric.items, scores, strict=True)
        )
    )


def with_conditions(scored: ScoredRubric, met: Mapping[int, bool]) -> ScoredRubric:
    """Return the rubric with other decisions on conditions.

    Args:
        scored: The rubric.
        met: The decisions by criterion; the others stay.
    """
    return ScoredRubric(
        items=tuple(
            item.model_copy(update={"is_condition_met": met[index]}) if index in met else item
            for index, item in enumerate(scored.items)
        )
    )


def condition_seen(evidence: Sequence[tuple[int, EvidenceItem]], criterion: int) -> bool | None:
    """Return whether the screens show that the condition of a criterion is met; the latest frame decides.

    Args:
        evidence: The evidence with the position of its frame in time.
        criterion: The criterion.
    """
    seen = [
        (at, item.condition_met)
        for at, item in evidence
        if item.criterion_idx == criterion and item.condition_met is not None
    ]
    return max(seen)[1] if seen else None


def with_notes(scored: ScoredRubric, notes: Mapping[int, str]) -> ScoredRubric:
    """Return the rubric with notes on its assumptions.

    Args:
        scored: The rubric.
        notes: The notes by criterion.
    """
    return ScoredRubric(
        items=tuple(
            item.model_copy(update={"reality_notes": notes[index]}) if index in notes else item
            for index, item in enumerate(scored.items)
        )
    )


def rescored(scored: ScoredRubric, scores: Sequence[RescoredItem]) -> ScoredRubric:
    """Return the rubric with the points of the second pass.

    Args:
        scored: The rubric with the points of the first pass.
        scores: The scores in the rubric's order.
    """
    return ScoredRubric(
        items=tuple(
            item.model_copy(
                update={
                    "post_image_earned_points": score.post_image_earned_points,
                    "post_image_justification": score.post_image_justification,
                    "applicable_evidence": score.applicable_evidence,
                }
            )
            for item, score in zip(scored.items, scores, strict=True)
        )
    )


def with_penalties(scored: ScoredRubric, penalties: Sequence[Criterion]) -> ScoredRubric:
    """Return the rubric with penalties, none of whose points are earned.

    Args:
        scored: The rubric.
        penalties: The penalties.
    """
    added = tuple(ScoredCriterion(criterion=penalty, earned_points=0) for penalty in penalties)
    return ScoredRubric(items=scored.items + added)


@dataclass(frozen=True, slots=True)
class ProcessVote:
    """A vote on the process.

    Attributes:
        rubric: Its whole rubric.
        score: Its process score; None if no criterion applies.
    """

    rubric: ScoredRubric
    score: float | None


def median_vote(votes: Sequence[ProcessVote]) -> int:
    """Return the number of the vote with the median process score; of two middle ones, the lower.

    A vote without a score sorts below all others; of equal scores, the earliest vote is chosen.

    Args:
        votes: The votes, at least one.
    """
    order = sorted(
        range(len(votes)), key=lambda vote: -1.0 if votes[vote].score is None else votes[vote].score or 0.0
    )
    middle = order[(len(votes) - 1) // 2]
    return next(vote for vote in range(len(votes)) if votes[vote].score == votes[middle].score)


def majority(votes: Sequence[bool]) -> bool:
    """Return the outcome of most votes; a tie is a failure.

    Args:
        votes: The votes, at least one.
    """
    return 2 * sum(votes) > len(votes)


def call_count(
    frames: int, selected: int, *, conditionals: int = 0, votes: int = 1, failure_analysis: bool = True
) -> int:
    """Return the number of calls for a trajectory.

    Args:
        frames: Number of distinct frames.
        selected: Number of selected frames.
        conditionals: Number of conditional criteria.
        votes: Number of votes.
        failure_analysis: Whether step 9 is included; the published count leaves it out.
    """
    disambiguation = 1 if conditionals > 1 else 0
    return 3 + frames + selected + disambiguation + 1 + 3 * votes + (1 if failure_analysis else 0)
