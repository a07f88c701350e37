"""The pipeline against a table of replies: calls, conditions, votes, states of error."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from garabench.agents.models.endpoint_errors import EndpointServerError
from garabench.verifier.judge_call import JudgeCall
from garabench.verifier.judge_replies import ConditionsReply, InconsistentReplyError
from garabench.verifier.pipeline import JudgePipeline, PipelineOptions
from garabench.verifier.rubric import Criterion, Rubric, ScoredCriterion, ScoredRubric
from garabench.verifier.scoring import ProcessVote, call_count, majority, median_vote
from garabench.verifier.trajectory import Trajectory
from garabench.verifier.verdict import JudgeStage, TrajectoryVerdict, VerdictState
from tests.verifier.judging import InlineExecutor, TableJudge, trajectory

CONDITIONS = ("", "if it has sound", "if it is silent")
POINTS = (2.0, 7.0, 4.0)


def rubric(conditions: tuple[str, ...] = CONDITIONS) -> dict[str, Any]:
    return {
        "items": [
            {"criterion": f"c{at}", "max_points": points, "cites": ["video"], "condition": condition}
            for at, (points, condition) in enumerate(zip(POINTS, conditions, strict=True))
        ]
    }


def replies(call: JudgeCall, conditions: tuple[str, ...] = CONDITIONS) -> dict[str, Any]:
    """Answer a call: ten frames are relevant, the first condition is not met, 1 of 4 points by the other."""
    indices = range(3)
    match call.stage:
        case JudgeStage.RUBRIC:
            return rubric(conditions)
        case JudgeStage.DEPENDENCIES:
            return {"reasoning": "none", "needs_reformulation": False}
        case JudgeStage.ACTION_SCORES:
            items = [
                {
                    "criterion_idx": at,
                    "earned_points": POINTS[at],
                    "justification": "",
                    "is_condition_met": True if conditions[at] else None,
                }
                for at in indices
            ]
            return {"items": items}
        case JudgeStage.RELEVANCE:
            frame = int(call.detail.split()[1])
            # Frames 31 to 35 are the best for the first two criteria, 36 to 40 for the third one.
            return {f"criterion_{at}": 9 if 30 < frame - 5 * (at == 2) < 36 else 1 for at in indices}
        case JudgeStage.EVIDENCE:
            listed = re.search(r"report on: ([\d, ]+)\.", "\n".join(call.texts))
            assert listed is not None
            return {
                "items": [
                    {"criterion_idx": int(at), "screenshot_evidence": "shown", "condition_met": None}
                    for at in listed[1].split(",")
                ]
            }
        case JudgeStage.CONDITIONS:
            return {
                "items": [
                    {"criterion_idx": at, "reasoning": "", "is_condition_met": at == 2}
                    for at in indices
                    if conditions[at]
                ]
            }
        case JudgeStage.REALITY:
            return {"items": [{"criterion_idx": 0, "reality_notes": "it is called clip"}]}
        case JudgeStage.RESCORING:
            points = (2.0, 0.0, 1.0) if call.vote == 0 else (2.0, 0.0, 4.0)
            return {
                "items": [
                    {
                        "criterion_idx": at,
                        "post_image_justification": "",
                        "post_image_earned_points": points[at],
                    }
                    for at in indices
                ]
            }
        case JudgeStage.SIDE_EFFECTS:
            penalty = {"criterion": "followed someone", "max_points": 2}
            return {
                "requires_penalty": call.vote == 1,
                "penalty_criteria": [penalty] if call.vote == 1 else [],
            }
        case JudgeStage.OUTCOME:
            return {
                "primary_intent": "like",
                "reasoning": f"vote {call.vote}",
                "output_success": call.vote != 1,
            }
        case _:
            point = {
                "step_numbers": [1, 0],
                "error_code": "1.4",
                "error_category": "selection",
                "what_happened": "wrong value",
            }
            return {"failure_points": [point]}


def judge(
    judged: Trajectory, reply: Any = replies, options: PipelineOptions | None = None
) -> tuple[TrajectoryVerdict, TableJudge]:
    model = TableJudge(reply)
    return JudgePipeline(model, InlineExecutor(), options or PipelineOptions()).judge(judged), model


def test_the_published_example_makes_65_calls() -> None:
    verdict, model = judge(trajectory(47))
    assert verdict.state is VerdictState.COMPLETE
    assert (model.count(JudgeStage.RELEVANCE), model.count(JudgeStage.EVIDENCE)) == (47, 10)
    assert len(model.calls) - model.count(JudgeStage.FAILURES) == 65
    assert call_count(47, 10, conditionals=2, failure_analysis=False) == 3 + 47 + 10 + 5 == 65
    assert (
        sum(stage.calls for stage in verdict.stages) == len(model.calls) == call_count(47, 10, conditionals=2)
    )


def test_an_unmet_condition_leaves_both_sums_and_a_single_one_is_decided_by_the_screens() -> None:
    verdict, model = judge(trajectory(5))
    assert verdict.rubric is not None
    assert (verdict.rubric.earned, verdict.rubric.maximum) == (3, 6)
    assert model.count(JudgeStage.CONDITIONS) == 1
    assert verdict.rubric.items[0].reality_notes == "it is called clip"

    def single(call: JudgeCall) -> dict[str, Any]:
        reply = replies(call, ("", "", "if it has sound"))
        if call.stage is JudgeStage.EVIDENCE:
            for item in reply["items"]:
                item["condition_met"] = None if item["criterion_idx"] != 2 else "frame 4" not in call.detail
        return reply

    verdict, model = judge(trajectory(5), single)
    assert model.count(JudgeStage.CONDITIONS) == 0
    assert verdict.rubric is not None
    assert verdict.rubric.items[2].is_condition_met is False  # the latest frame decides


def test_the_median_vote_carries_its_rubric_and_the_majority_decides() -> None:
    verdict, model = judge(trajectory(3), options=PipelineOptions(votes=3))
    # Votes: 3 of 6; 6 of 6 and a penalty of 2, so 6 of 8; 6 of 6.
    assert [vote.process_score for vote in verdict.votes] == [0.5, 0.75, 1.0]
    assert verdict.process_score == 0.75
    assert [effect.description for effect in verdict.side_effects] == ["followed someone"]
    assert (verdict.outcome, verdict.outcome_reason) == (True, "vote 0")
    assert len(model.calls) == call_count(3, model.count(JudgeStage.EVIDENCE), conditionals=2, votes=3)


def test_rules_of_votes() -> None:
    def vote(points: float) -> ProcessVote:
        item = ScoredCriterion(criterion=Criterion(criterion="c", max_points=10), earned_points=points)
        return ProcessVote(ScoredRubric(items=(item,)), points / 10)

    assert median_vote([vote(9), vote(1), vote(5)]) == 2
    assert median_vote([vote(5), vote(5), vote(1)]) == 0
    assert median_vote([vote(9), vote(1)]) == 1
    assert (majority([True, True, False]), majority([True, False]), majority([False])) == (True, False, False)
    with pytest.raises(ValueError, match="odd"):
        PipelineOptions(votes=2)


def test_failure_points_have_a_first_step() -> None:
    verdict, _ = judge(trajectory(5))
    assert verdict.first_failure_step == 0
    assert verdict.failure_points[0].error_category == "selection"


@pytest.mark.parametrize("frames", [1, 201])
def test_any_length_is_judged(frames: int) -> None:
    def without_points(call: JudgeCall) -> dict[str, Any]:
        return {"failure_points": []} if call.stage is JudgeStage.FAILURES else replies(call)

    verdict, model = judge(trajectory(frames), without_points)
    assert verdict.state is VerdictState.COMPLETE
    assert model.count(JudgeStage.RELEVANCE) == frames
    assert verdict.missing_frames == ()


@pytest.mark.parametrize(
    ("frames", "lost", "reason"),
    [
        (0, (), "no screen"),
        (3, (0, 1, 2), "none of 3 screens could be read"),
        (3, (2,), "the last screen could not be read"),
    ],
)
def test_nothing_is_sent_without_a_readable_last_screen(
    frames: int, lost: tuple[int, ...], reason: str
) -> None:
    verdict, model = judge(_without(trajectory(frames), lost))
    assert (verdict.state, verdict.outcome, verdict.process_score) == (VerdictState.UNDECIDED, None, None)
    assert reason in verdict.outcome_reason and verdict.missing_frames == lost
    assert model.calls == []


def test_a_screen_that_cannot_be_read_is_not_sent() -> None:
    verdict, model = judge(_without(trajectory(4), (1,)))
    assert verdict.state is VerdictState.COMPLETE and verdict.missing_frames == (1,)
    assert model.count(JudgeStage.RELEVANCE) == 3
    assert 1 not in {evidence.frame for evidence in verdict.evidence}


def _without(whole: Trajectory, lost: tuple[int, ...]) -> Trajectory:
    """Return a trajectory some of whose frames have lost their files."""
    frames = [replace(frame, text="") if frame.index in lost else frame for frame in whole.frames]
    return replace(whole, frames=tuple(frames))


@pytest.mark.parametrize("stage", [stage for stage in JudgeStage if stage is not JudgeStage.SELECTION])
def test_a_stage_that_fails_gives_an_error_and_no_numbers(stage: JudgeStage) -> None:
    def failing(call: JudgeCall) -> dict[str, Any]:
        if call.stage is stage:
            raise EndpointServerError("down")
        return replies(call)

    verdict, _ = judge(trajectory(3), failing)
    assert verdict.state is VerdictState.FAILED
    assert {error.stage for error in verdict.errors} == {stage}
    assert (verdict.rubric, verdict.outcome, verdict.process_score) == (None, None, None)
    if stage is JudgeStage.RELEVANCE:
        assert [error.detail for error in verdict.errors] == ["frame 0", "frame 1", "frame 2"]


def _all_zero(call: JudgeCall) -> dict[str, Any]:
    reply = replies(call)
    if call.stage is JudgeStage.RESCORING:
        for item in reply["items"]:
            item["post_image_earned_points"] = 0.0
    return reply


def _serious_penalty(call: JudgeCall) -> dict[str, Any]:
    if call.stage is JudgeStage.SIDE_EFFECTS:
        penalty = {"criterion": "bought it", "max_points": 3}
        return {"requires_penalty": True, "penalty_criteria": [penalty]}
    return replies(call)


def _failure_without_a_point(call: JudgeCall) -> dict[str, Any]:
    if call.stage is JudgeStage.OUTCOME:
        return replies(call) | {"output_success": False}
    return {"failure_points": []} if call.stage is JudgeStage.FAILURES else replies(call)


def _failure_point(**changed: object) -> Callable[[JudgeCall], dict[str, Any]]:
    def reply(call: JudgeCall) -> dict[str, Any]:
        found = replies(call)
        if call.stage is JudgeStage.FAILURES:
            found["failure_points"][0].update(changed)
        return found

    return reply


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (_all_zero, "no criterion has any point"),
        (_serious_penalty, "side effect with a penalty of 3 points: criterion"),
        (_failure_without_a_point, "at least one failure point"),
        (_failure_point(error_code="3.5", error_category="execution"), "says that the task was not finished"),
        (_failure_point(step_numbers=[0, 0, 0]), "a step twice"),
    ],
    ids=["no-points", "penalty", "no-failure-point", "unfinished", "same-step"],
)
def test_an_outcome_that_contradicts_the_rest_is_refused(
    reply: Callable[[JudgeCall], dict[str, Any]], message: str
) -> None:
    """`ChatJudge` requests such a reply again; if it stays so, the verdict is failed."""
    with pytest.raises(InconsistentReplyError, match=message):
        judge(trajectory(3), reply)


@pytest.mark.parametrize(
    ("one", "other", "met", "accepted"),
    [
        ("a direct flight exists", "no direct flight exists", (True, True), False),
        ("a direct flight exists", "no direct flight exists", (False, False), False),
        ("a direct flight exists", "no direct flight exists", (True, False), True),
        ("有直达航班", "没有直达航班", (True, True), False),
        ("能直达", "不能直达", (True, True), False),
        ("a direct flight exists", "a train exists", (True, True), True),
    ],
)
def test_of_opposite_conditions_exactly_one_is_met(
    one: str, other: str, met: tuple[bool, bool], accepted: bool
) -> None:
    """Conditions are opposite if they differ by a negation alone."""
    rubric = Rubric(
        items=tuple(
            Criterion(criterion=each, max_points=1, condition=each, cites=("x",)) for each in (one, other)
        )
    )
    items = [
        {"criterion_idx": at, "reasoning": "", "is_condition_met": value} for at, value in enumerate(met)
    ]
    reply = ConditionsReply.model_validate({"items": items})
    if accepted:
        assert reply.met(rubric) == dict(enumerate(met))
    else:
        with pytest.raises(InconsistentReplyError, match="opposite"):
            reply.met(rubric)
