"""The generated trajectories have the wanted size, and both ways of merging give the same nodes."""

from __future__ import annotations

from benchmarks import graph


def test_blocked_and_pairwise_merging_agree() -> None:
    texts = graph.make_texts(tasks=6, trajectories=30, actions=240)
    assert sum(len(path) for paths in texts for path in paths) == 240
    found = graph.make_trajectories(texts)
    assert len(found) == 30
    groups = [[each for each in found if each.task == task] for task in {each.task for each in found}]
    assert all(graph.same_partition(group, graph.pairwise(group)) for group in groups)
    assert not graph.same_partition(found, list(range(240)))
