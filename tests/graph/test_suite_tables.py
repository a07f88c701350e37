from __future__ import annotations

from garabench.graph.analysis import analyze
from garabench.stats.rates import Rate
from tests.graph.made_trajectories import trajectory

FOUND = (
    trajectory("ABC", True, 1),
    trajectory("ABABC", True, 2, attempt=2),
    trajectory("AB", False, 3, agent="two"),
    trajectory("DEFGHI", True, 4, task="other"),
    trajectory("DE", True, 5, task="other", agent="two"),
)


def test_agents_disagree() -> None:
    analysis = analyze(FOUND)
    (row,) = analysis.agreement
    assert (row.agents, row.solved_by_all, row.solved_by_none, row.solved_by_some, row.tasks) == (
        2,
        1,
        0,
        1,
        2,
    )


def test_reference_agents_do_not_count_for_agreement() -> None:
    found = (*FOUND, trajectory("ABC", False, 6, agent="ref", reference=True))
    assert analyze(found).agreement[0].agents == 2


def test_agreement_names_the_agents_that_solved_a_task() -> None:
    found = analyze(FOUND).task_agreement
    assert [(each.task, each.solved_by, each.agents, each.solvers) for each in found] == [
        ("other", "all", ("one", "two"), ("one", "two")),
        ("task", "some", ("one", "two"), ("one",)),
    ]
    (alone,) = analyze([trajectory("A", False)]).task_agreement
    assert alone.solved_by == "none"


def test_the_learning_curve_counts_attempts() -> None:
    rows = analyze(FOUND).attempts
    assert [(row.name, row.count, row.necessity) for row in rows] == [
        ("1", 4, Rate(13, 13)),
        ("2", 1, Rate(3, 5)),
    ]


def test_bins_cover_everything() -> None:
    analysis = analyze(FOUND)
    assert sum(row.count for row in analysis.lengths) == len(FOUND)
    assert [row.name for row in analysis.lengths] == ["0–5", "6–10"]
    for rows in (analysis.kinds, analysis.steps, analysis.phases):
        assert sum(row.count for row in rows) == 18
    assert sum(row.count for row in analysis.complexities) == 2
    assert analysis.early_ends == Rate(1, 1)
    assert sum(analysis.strategies.values()) == 4
    assert analysis.merging.shared_nodes == Rate(5, 9)
