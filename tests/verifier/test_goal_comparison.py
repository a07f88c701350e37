"""What the comparison of verdicts with goals states about its extent."""

from __future__ import annotations

from garabench.core.sections import Table
from garabench.verifier.agreement import agreement
from garabench.verifier.goal_comparison import GoalComparison
from garabench.verifier.report_section import goal_blocks, shown_verdicts
from garabench.verifier.rubric import Criterion, ScoredCriterion, ScoredRubric
from garabench.verifier.verdict import TrajectoryVerdict, VerdictState


def test_the_agreement_states_how_many_episodes_were_compared_and_left_out() -> None:
    pairs = [(True, True)] * 4 + [(False, False)] * 2
    found = GoalComparison(agreement(pairs, clusters=list("aabbcc"), draws=20), (), 8, 1)
    extent = (
        "Compared: 6 of 15 judged episodes."
        " Left out: 8 without an outcome of the judge, 1 without a result of the goal."
    )
    (table,) = goal_blocks(found)
    assert isinstance(table, Table)
    assert (found.extent, table.note) == (extent, extent)
    assert table.caption == "Agreement of outcomes with goals over 6 episodes"


def test_a_report_shows_failures_of_different_tasks_before_other_episodes_of_one_task() -> None:
    item = ScoredCriterion(
        criterion=Criterion(criterion="c", max_points=1, cites=("x",)),
        earned_points=0,
        post_image_earned_points=0,
        post_image_justification="seen",
    )

    def verdict(key: str, *, done: bool) -> TrajectoryVerdict:
        return TrajectoryVerdict(
            trajectory=key,
            digest="0",
            instruction="x",
            judge="j",
            state=VerdictState.COMPLETE,
            rubric=ScoredRubric(items=(item,)),
            outcome=done,
        )

    failures = [verdict(f"{task}/a/clean/{seed}", done=False) for task in ("one", "two") for seed in range(6)]
    shown = [each.trajectory for each in shown_verdicts([verdict("done/a/clean/0", done=True), *failures])]
    assert shown[:3] == ["one/a/clean/0", "two/a/clean/0", "one/a/clean/1"]
    assert len(shown) == 10 and "done/a/clean/0" not in shown
