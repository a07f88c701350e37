"""Verdicts by agent and condition, and against another tool's results."""

from __future__ import annotations

from pathlib import Path

import pytest

from garabench.stats.rates import Rate
from garabench.verifier.goal_comparison import against_results, goal_comparison_data
from garabench.verifier.rubric import Criterion, ScoredCriterion, ScoredRubric
from garabench.verifier.verdict import JudgeStage, StageError, TrajectoryVerdict, VerdictState
from garabench.verifier.verdict_rows import agent_and_condition, verdict_rows
from tests.verifier.offline import player


def verdict(name: str, points: int | None = None, outcome: bool | None = None) -> TrajectoryVerdict:
    """Return a complete verdict with points; without points a failed one."""
    if points is None:
        state, rubric = VerdictState.FAILED, None
    else:
        state = VerdictState.UNDECIDED if outcome is None else VerdictState.COMPLETE
        criterion = Criterion(criterion="c", max_points=10, cites=("i",))
        rubric = ScoredRubric(items=(ScoredCriterion(criterion=criterion, earned_points=points),))
    errors = (StageError(stage=next(iter(JudgeStage)), message="m"),) if points is None else ()
    return TrajectoryVerdict(
        trajectory=name,
        digest="0",
        instruction="i",
        judge="j",
        state=state,
        rubric=rubric,
        outcome=outcome,
        errors=errors,
    )


VERDICTS = [
    verdict("t/b/dual/0", 10, True),
    verdict("t/a/clean/0", 10, True),
    verdict("t/a/clean/1", 5, False),
    verdict("t/a/clean/2", 9),
    verdict("t/a/clean/3"),
    verdict("imported-4"),
]


def test_failed_and_undecided_verdicts_are_in_no_mean_and_no_rate() -> None:
    imported, clean, dual = verdict_rows(VERDICTS)
    assert (clean.agent, clean.condition, clean.verdicts) == ("a", "clean", 4)
    assert clean.process == pytest.approx(0.75)
    assert (clean.process_passed, clean.done) == (Rate(1, 2), Rate(1, 2))
    assert (clean.failed, clean.undecided) == (1, 1)
    assert (dual.agent, dual.done) == ("b", Rate(1, 1))
    assert (imported.agent, imported.process, imported.done) == ("", None, Rate(0, 0))


def test_reference_agents_are_known_by_name() -> None:
    assert [row.reference for row in verdict_rows(VERDICTS, {"b"})] == [False, False, True]


@pytest.mark.parametrize(
    ("name", "names"), [("t/a/clean/0", ("a", "clean")), ("traj-1", ("", "")), ("a/b", ("", ""))]
)
def test_imported_trajectories_have_no_agent(name: str, names: tuple[str, str]) -> None:
    assert agent_and_condition(verdict(name)) == names


def test_unknown_results_and_undecided_verdicts_are_not_compared() -> None:
    results = {"t/b/dual/0": True, "t/a/clean/0": None, "t/a/clean/1": True, "t/a/clean/2": True}
    found = against_results(VERDICTS, results, draws=10)
    assert (found.confusion.true_positive, found.confusion.false_negative, found.confusion.items) == (1, 1, 2)
    assert goal_comparison_data(found)["agreement"]["accuracy"] == 0.5


def test_a_real_undecided_verdict_with_points_is_in_no_mean(tmp_path: Path) -> None:
    path = (*player.LIKES[:2], (None, player.press(2)))
    undecided = player.judge()(player.walk(tmp_path, path, player.page()))
    assert undecided.state is VerdictState.UNDECIDED and undecided.process_score is not None
    (row,) = verdict_rows([undecided])
    assert (row.process, row.process_passed, row.undecided) == (None, Rate(0, 0), 1)
