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


@pytest.mark.parametrize(
    ("instruction", "cited", "phantom"),
    [
        ("Open the video of Anna", "e", True),
        ("Open the video of Anna", "vid", True),
        ("Open the video of Anna", "the", True),
        ("Open the video of Anna", "of the", True),
        ("Open the video of Anna", "Open video", True),
        ("Open the video of Anna", "…", True),
        ("Open the video of Anna", "video of", False),
        ("Open the video of Anna", "“Anna”", False),
        ("Set the volume to 7", "7", False),
        ("打开视频并点赞", "视", True),
        ("打开视频并点赞", "收藏", True),
        ("打开视频并点赞", "点赞", False),
        ("打开 视频并点赞", "打开视频", False),
        ("搜索“稻香”，打开iPhone15的视频", "搜索稻香", True),
        ("搜索“稻香”，打开iPhone15的视频", "打开iPhone15的视", False),
        ("搜索“稻香”，打开iPhone15的视频", "iPhone", True),
    ],
)
def test_a_citation_has_whole_words_with_content(instruction: str, cited: str, phantom: bool) -> None:
    """A fragment of a word, a stop word or a lone Chinese character is none."""
    criterion = Criterion(criterion="a", max_points=1, cites=(cited,))
    assert uncited(instruction, [criterion]) == ((0,) if phantom else ())
