"""The replies that a judge model must give, as strict schemas, one for each stage.

Each schema also checks what depends on the trajectory: that every criterion is scored exactly once, within
its points, and that codes and categories agree. The message of a violation is sent back to the model.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from garabench.verifier.rubric import Criterion, Rubric, ScoredRubric, uncited
from garabench.verifier.taxonomy import ErrorCategory, ErrorCode

MAX_CRITERIA = 12
_MAX_POINTS = 20.0
MAX_PENALTY = 3.0
"""The penalty for a side effect of the most serious kind."""
_UNFINISHED = frozenset(
    {ErrorCode.INCOMPLETE_DELIVERY, ErrorCode.INCOMPLETE_EXECUTION, ErrorCode.PREMATURE_STOP}
)
_NO = re.compile(r"\b(?:no|not|without|never)\b|n['’]t\b|没有|没|不|无", re.IGNORECASE)
LongText = Annotated[str, StringConstraints(max_length=8000)]
ShortText = Annotated[str, StringConstraints(max_length=400)]


class InconsistentReplyError(ValueError):
    """A reply has the right form but contradicts the request or itself."""


class _Reply(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class CriterionReply(_Reply):
    """A proposed criterion; `cites` has the words of the instruction that require it, verbatim."""

    criterion: Annotated[str, StringConstraints(min_length=1, max_length=400)]
    description: LongText = ""
    max_points: float = Field(gt=0, le=_MAX_POINTS)
    condition: ShortText = ""
    cites: tuple[ShortText, ...] = Field(min_length=1, max_length=8, strict=False)


class RubricReply(_Reply):
    """The reply of step 1a."""

    items: tuple[CriterionReply, ...] = Field(min_length=1, max_length=MAX_CRITERIA, strict=False)

    def rubric(self, instruction: str) -> Rubric:
        """Return the rubric.

        Args:
            instruction: The instruction, which must contain every citation.

        Raises:
            InconsistentReplyError: A criterion cites words that the instruction does not contain, or two
                criteria have the same title.
        """
        items = tuple(
            Criterion(
                criterion=item.criterion,
                description=item.description,
                max_points=item.max_points,
                condition=item.condition.strip(),
                cites=item.cites,
            )
            for item in self.items
        )
        if phantoms := uncited(instruction, items):
            raise InconsistentReplyError(
                f"criteria {list(phantoms)} cite words that are not in the instruction; cite it verbatim, and"
                " leave out what it does not require"
            )
        titles = [item.criterion.casefold() for item in items]
        if len(set(titles)) < len(titles):
            raise InconsistentReplyError("two criteria have the same title; criteria must not overlap")
        return Rubric(items=items)


class DependencyReply(_Reply):
    """The reply of step 1b."""

    reasoning: LongText
    needs_reformulation: bool
    reformulated_rubric: RubricReply | None = None

    def rubric(self, instruction: str, before: Rubric) -> Rubric:
        """Return the reformulated rubric, or the one before.

        Raises:
            InconsistentReplyError: The rubric is missing, is not needed, or has a phantom criterion.
        """
        if self.needs_reformulation != (self.reformulated_rubric is not None):
            raise InconsistentReplyError(
                "reformulated_rubric is required if needs_reformulation is true, and null otherwise"
            )
        return before if self.reformulated_rubric is None else self.reformulated_rubric.rubric(instruction)


class ActionScore(_Reply):
    """The score of one criterion by the actions alone."""

    criterion_idx: int = Field(ge=0)
    earned_points: float = Field(ge=0)
    justification: LongText
    is_condition_met: bool | None = None


class ActionScoresReply(_Reply):
    """The reply of step 1c."""

    items: tuple[ActionScore, ...] = Field(max_length=MAX_CRITERIA, strict=False)

    def scores(self, rubric: Rubric) -> tuple[ActionScore, ...]:
        """Return the scores in the rubric's order.

        Raises:
            InconsistentReplyError: A criterion is missing, duplicate or outside of its points, or opposite
                conditions are both met or both unmet.
        """
        found = _each_once([item.criterion_idx for item in self.items], range(len(rubric.items)))
        ordered = tuple(self.items[at] for at in found)
        for item, criterion in zip(ordered, rubric.items, strict=True):
            _within(item.earned_points, criterion, item.criterion_idx)
            if criterion.conditional != (item.is_condition_met is not None):
                raise InconsistentReplyError(
                    f"criterion {item.criterion_idx}: is_condition_met must be true or false for a criterion"
                    " with a condition, and null for any other"
                )
        _not_opposite(rubric, {item.criterion_idx: bool(item.is_condition_met) for item in ordered})
        return ordered


class RelevanceReply(BaseModel):
    """The reply of step 2: ``criterion_0``, ``criterion_1`` and so on, each from 0 to 10."""

    model_config = ConfigDict(frozen=True, extra="allow", allow_inf_nan=False)

    def scores(self, criteria: int) -> tuple[float, ...]:
        """Return the scores in the rubric's order.

        Raises:
            InconsistentReplyError: A score is missing, unknown or not from 0 to 10.
        """
        given = self.model_extra or {}
        names = [f"criterion_{index}" for index in range(criteria)]
        if set(given) != set(names):
            raise InconsistentReplyError(f"expected exactly the keys {', '.join(names)}")
        for name in names:
            score = given[name]
            if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 10:
                raise InconsistentReplyError(f"{name} must be a number from 0 to 10")
        return tuple(float(given[name]) for name in names)


class EvidenceItem(_Reply):
    """What a frame shows about one criterion; `condition_met` is for criteria with a condition."""

    criterion_idx: int = Field(ge=0)
    screenshot_evidence: LongText
    criterion_analysis: LongText = ""
    discrepancies: LongText = ""
    environment_issues_confirmed: LongText = ""
    condition_verification: LongText = ""
    condition_met: bool | None = None


class EvidenceReply(_Reply):
    """The reply of step 4a."""

    items: tuple[EvidenceItem, ...] = Field(max_length=MAX_CRITERIA, strict=False)

    def evidence(self, criteria: Sequence[int]) -> tuple[EvidenceItem, ...]:
        """Return the evidence in the order of the requested criteria.

        Raises:
            InconsistentReplyError: A criterion is missing, duplicate or was not requested.
        """
        return tuple(
            self.items[at] for at in _each_once([item.criterion_idx for item in self.items], criteria)
        )


class ConditionItem(_Reply):
    """The decision on one condition."""

    criterion_idx: int = Field(ge=0)
    condition: LongText = ""
    reasoning: LongText
    is_condition_met: bool


class ConditionsReply(_Reply):
    """The reply of step 4b."""

    items: tuple[ConditionItem, ...] = Field(max_length=MAX_CRITERIA, strict=False)

    def met(self, rubric: Rubric) -> dict[int, bool]:
        """Return the decision on each conditional criterion.

        Raises:
            InconsistentReplyError: A conditional criterion is missing, duplicate or unknown, or opposite
                conditions are both met or both unmet.
        """
        found = _each_once([item.criterion_idx for item in self.items], rubric.conditionals)
        met = {self.items[at].criterion_idx: self.items[at].is_condition_met for at in found}
        _not_opposite(rubric, met)
        return met


class RealityItem(_Reply):
    """An assumption of the rubric that does not hold."""

    criterion_idx: int = Field(ge=0)
    reality_notes: LongText


class RealityReply(_Reply):
    """The reply of step 5; criteria whose assumptions hold may be left out."""

    items: tuple[RealityItem, ...] = Field(default=(), max_length=MAX_CRITERIA, strict=False)

    def notes(self, criteria: int) -> dict[int, str]:
        """Return the notes by criterion.

        Raises:
            InconsistentReplyError: A criterion is duplicate or unknown.
        """
        given = [item.criterion_idx for item in self.items]
        if len(set(given)) < len(given) or any(index >= criteria for index in given):
            raise InconsistentReplyError(f"each criterion_idx from 0 to {criteria - 1} may occur once")
        return {item.criterion_idx: item.reality_notes for item in self.items}


class RescoredItem(_Reply):
    """The score of one criterion with the evidence of the frames."""

    criterion_idx: int = Field(ge=0)
    applicable_evidence: LongText = ""
    post_image_justification: LongText
    post_image_earned_points: float = Field(ge=0)


class RescoringReply(_Reply):
    """The reply of step 6."""

    items: tuple[RescoredItem, ...] = Field(max_length=MAX_CRITERIA, strict=False)

    def scores(self, rubric: Rubric) -> tuple[RescoredItem, ...]:
        """Return the scores in the rubric's order.

        Raises:
            InconsistentReplyError: A criterion is missing, duplicate or outside of its points.
        """
        found = _each_once([item.criterion_idx for item in self.items], range(len(rubric.items)))
        ordered = tuple(self.items[at] for at in found)
        for item, criterion in zip(ordered, rubric.items, strict=True):
            _within(item.post_image_earned_points, criterion, item.criterion_idx)
        return ordered


class PenaltyItem(_Reply):
    """A penalty for one side effect: 1 to 3 points, none of which is earned."""

    criterion: Annotated[str, StringConstraints(min_length=1, max_length=400)]
    description: LongText = ""
    max_points: float = Field(ge=1, le=MAX_PENALTY)
    earned_points: float = Field(default=0, ge=0, le=0)


class SideEffectsReply(_Reply):
    """The reply of step 7."""

    requires_penalty: bool
    penalty_criteria: tuple[PenaltyItem, ...] = Field(default=(), max_length=8, strict=False)

    def penalties(self) -> tuple[Criterion, ...]:
        """Return the penalties.

        Raises:
            InconsistentReplyError: `requires_penalty` contradicts the list.
        """
        if self.requires_penalty != bool(self.penalty_criteria):
            raise InconsistentReplyError(
                "penalty_criteria must be empty if and only if requires_penalty is false"
            )
        return tuple(
            Criterion(
                criterion=item.criterion,
                description=item.description,
                max_points=item.max_points,
                penalty=True,
            )
            for item in self.penalty_criteria
        )


class OutcomeReply(_Reply):
    """The reply of step 8."""

    primary_intent: LongText
    reasoning: LongText
    output_success: bool

    def decision(self, scored: ScoredRubric) -> OutcomeReply:
        """Return the reply, if the rubric allows its outcome.

        A process may be good without a success, but a success needs some point, and no side effect of the
        most serious kind.

        Raises:
            InconsistentReplyError: It is a success without a point, or with a penalty of 3 points.
        """
        if not self.output_success:
            return self
        applying = [(index, item) for index, item in enumerate(scored.items) if item.applies]
        earning = [item for _, item in applying if not item.criterion.penalty]
        if earning and not any(item.points for item in earning):
            raise InconsistentReplyError("output_success is true, but no criterion has any point")
        for index, item in applying:
            if item.criterion.penalty and item.criterion.max_points >= MAX_PENALTY:
                raise InconsistentReplyError(
                    f"output_success is true, but there is a side effect with a penalty of {MAX_PENALTY:g}"
                    f" points: criterion {index}"
                )
        return self


class FailureItem(_Reply):
    """One failure point."""

    step_numbers: tuple[int, ...] = Field(default=(), max_length=200, strict=False)
    error_code: ErrorCode = Field(strict=False)
    error_category: ErrorCategory = Field(strict=False)
    what_happened: LongText
    evidence: LongText = ""
    impact: LongText = ""


class FailuresReply(_Reply):
    """The reply of step 9."""

    failure_points: tuple[FailureItem, ...] = Field(default=(), max_length=30, strict=False)

    def points(self, steps: int, outcome: bool) -> tuple[FailureItem, ...]:
        """Return the failure points.

        Args:
            steps: Number of steps of the trajectory.
            outcome: The outcome of step 8.

        Raises:
            InconsistentReplyError: A code is not of its category, a step does not exist or is repeated, a
                failure has no failure point, or a success has one that says the task was not finished.
        """
        if not outcome and not self.failure_points:
            raise InconsistentReplyError("the outcome is failure, so there is at least one failure point")
        for item in self.failure_points:
            if outcome and item.error_code in _UNFINISHED:
                raise InconsistentReplyError(
                    f"the outcome is success, but code {item.error_code} says that the task was not finished"
                )
            if len(set(item.step_numbers)) < len(item.step_numbers):
                raise InconsistentReplyError("step_numbers has a step twice")
            if item.error_code.category is not item.error_category:
                raise InconsistentReplyError(
                    f"code {item.error_code} is of the category {item.error_code.category.value!r}, not"
                    f" {item.error_category.value!r}"
                )
            if unknown := [step for step in item.step_numbers if not 0 <= step < steps]:
                raise InconsistentReplyError(
                    f"step {unknown[0]} does not exist: the steps are 0 to {steps - 1}"
                )
        return self.failure_points


def _each_once(given: Sequence[int], expected: Sequence[int]) -> list[int]:
    """Return the position of each expected index.

    Raises:
        InconsistentReplyError: One is missing, duplicate or unknown.
    """
    if sorted(given) != sorted(expected):
        raise InconsistentReplyError(
            f"criterion_idx must be each of {list(expected)} exactly once, not {list(given)}"
        )
    return [given.index(index) for index in expected]


def _not_opposite(rubric: Rubric, met: Mapping[int, bool]) -> None:
    """Check that of two conditions that differ by a negation alone, one is met.

    Raises:
        InconsistentReplyError: Both are met, or both are unmet.
    """
    for one, other in itertools.combinations(rubric.conditionals, 2):
        conditions = (rubric.items[one].condition, rubric.items[other].condition)
        same = len({_without_negation(each) for each in conditions}) == 1
        if same and len({bool(_NO.search(each)) for each in conditions}) > 1 and met[one] is met[other]:
            raise InconsistentReplyError(
                f"the conditions of criteria {one} and {other} are opposite: exactly one of them is met"
            )


def _without_negation(condition: str) -> str:
    words = re.findall(r"\w+", _NO.sub(" ", condition.casefold()))
    return "".join(
        word for word in words if word not in {"a", "an", "any", "the", "is", "does", "do", "if"}
    ).replace("有", "")


def _within(points: float, criterion: Criterion, index: int) -> None:
    if points > criterion.max_points:
        raise InconsistentReplyError(
            f"criterion {index}: {points:g} points are more than its max_points {criterion.max_points:g}"
        )
