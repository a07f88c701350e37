"""The process score, against the published example, and the citations of criteria."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from garabench.verifier.rubric import Criterion, ScoredCriterion, ScoredRubric, uncited


def _scored(points: float, most: float, *, met: bool | None = None) -> ScoredCriterion:
    condition = "" if met is None else "a direct flight exists"
    criterion = Criterion(criterion=f"of {most:g}", max_points=most, condition=condition, cites=("flight",))
    return ScoredCriterion(criterion=criterion, earned_points=points, is_condition_met=met)


def test_the_published_rubric_scores_10_of_13_and_9_of_9_without_the_conditional() -> None:
    """Points 2/2, 7/7 and a conditional 1/4."""
    met = ScoredRubric(items=(_scored(2, 2), _scored(7, 7), _scored(1, 4, met=True)))
    unmet = ScoredRubric(items=(_scored(2, 2), _scored(7, 7), _scored(1, 4, met=False)))
    assert (met.earned, met.maximum) == (10, 13)
    assert met.process_score == pytest.approx(0.769231, abs=1e-6)
    assert (unmet.earned, unmet.maximum, unmet.process_score) == (9, 9, 1)


def test_a_rubric_without_an_applicable_criterion_has_no_score() -> None:
    """It is not zero and not one."""
    assert ScoredRubric(items=(_scored(0, 4, met=False),)).process_score is None


def test_more_points_than_the_maximum_cannot_be_built() -> None:
    """Neither can a conditional criterion whose condition is not decided."""
    with pytest.raises(ValidationError, match="more than 2 points"):
        _scored(3, 2)
    conditional = Criterion(criterion="a", max_points=1, condition="if there is one", cites=("one",))
    with pytest.raises(ValidationError, match="is_condition_met is for conditional criteria"):
        ScoredCriterion(criterion=conditional, earned_points=1)


def test_a_criterion_that_cites_nothing_of_the_instruction_is_a_phantom() -> None:
    """White space and case do not matter."""
    criteria = [
        Criterion(criterion="opens the video", max_points=1, cites=("the Video",)),
        Criterion(criterion="reports the price", max_points=1, cites=("price",)),
        Criterion(criterion="nothing cited", max_points=1),
        Criterion(criterion="side effect", max_points=1, penalty=True),
    ]
    assert uncited("Open the  video", criteria) == (1, 2)
