from __future__ import annotations

from garabench.graph.action_trajectory import ActionStep
from garabench.graph.analysis import analyze
from garabench.graph.canonical_action import CanonicalAction
from garabench.graph.consensus import build_graph
from garabench.graph.detours import interruption_view
from garabench.stats.rates import Rate
from tests.graph.made_trajectories import trajectory

CLEAN = trajectory("ABC", True, 1)
FOUND = (
    CLEAN,
    trajectory("A!iXYBC", True, 2, condition="dual"),
    trajectory("A!iXYZ", False, 3, condition="forced"),
)


def test_detours_returns_and_ends() -> None:
    graph = build_graph("task", FOUND)
    names = {node.id: node.action.target for node in graph.nodes}
    view = interruption_view(graph, FOUND)
    clean, dual, forced = view.conditions
    assert (clean.new_edges, clean.missing_edges, clean.ends) == ((), (), ())
    assert ["".join(names[end] for end in edge) for edge in dual.new_edges] == ["Ai", "iX", "XY", "YB"]
    assert ["".join(names[end] for end in edge) for edge in dual.missing_edges] == ["AB"]
    assert [(names[node], count) for node, count in forced.ends] == [("Z", 1)]
    back, lost = view.detours
    assert (names[back.returned or ""], back.depth, [names[node] for node in back.nodes]) == (
        "B",
        2,
        ["i", "X", "Y"],
    )
    assert (lost.returned, lost.depth) == (None, None)
    assert view.depth == 2
    assert [(names[node], count) for node, count in view.returns] == [("B", 1)]


def test_saying_done_is_not_a_return() -> None:
    done = ActionStep(CanonicalAction("done"))
    clean = trajectory("", True, 1, steps=(*CLEAN.steps, done))
    hit = trajectory("A!i", False, 2, condition="dual")
    view = (
        analyze(
            [
                clean,
                trajectory(
                    "", False, 2, condition="dual", steps=(*hit.steps, done), encounters=hit.encounters
                ),
            ]
        )
        .tasks[0]
        .view
    )
    assert view.detours[0].returned is None


def test_costs_are_differences_of_pairs() -> None:
    analysis = analyze(FOUND)
    (all_modes,) = analysis.interruptions()
    assert (all_modes.shown, all_modes.pairs, all_modes.lost, all_modes.won) == (2, 2, 1, 0)
    assert (all_modes.cost, all_modes.extra, all_modes.returned) == (0.5, 2.0, Rate(1, 2))
    assert [state.mode for state in analysis.interruptions(by_mode=True)] == ["dual"]
    assert [each.exit for each in all_modes.exits] == ["open"]


def test_two_interruptions_have_a_detour_each() -> None:
    found = (CLEAN, trajectory("A!iX!jYBC", True, 2, condition="dual"))
    view = analyze(found).tasks[0].view
    assert [(each.encounter.interruption, each.depth) for each in view.detours] == [("i", 2), ("j", 1)]
