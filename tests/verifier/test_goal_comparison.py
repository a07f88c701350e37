"""What the comparison of verdicts with goals states about its extent."""

from __future__ import annotations

from garabench.core.sections import Table
from garabench.verifier.agreement import agreement
from garabench.verifier.goal_comparison import GoalComparison
from garabench.verifier.report_section import goal_blocks


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
