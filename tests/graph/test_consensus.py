from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from garabench.graph.action_trajectory import ActionStep, ActionTrajectory
from garabench.graph.canonical_action import CanonicalAction
from garabench.graph.consensus import (
    ConsensusGraph,
    EdgeKind,
    GraphOptions,
    build_graph,
    edge_kind,
    propagate,
)
from tests.graph.made_trajectories import VECTOR, tap, trajectory


def named(graph: ConsensusGraph) -> dict[str, str]:
    return {node.id: node.action.target for node in graph.nodes}


def test_values_of_the_vector() -> None:
    graph = build_graph("task", VECTOR)
    values = {node.action.target: node.value for node in graph.nodes}
    assert values == pytest.approx({"A": 0.27, "B": 0, "C": 0.9, "D": -0.9}, abs=1e-9)
    names = named(graph)
    edges = {
        names[edge.source] + names[edge.target]: (edge.count, edge.ratio, edge.weight) for edge in graph.edges
    }
    assert edges == {
        "AB": (2, 0.5, 0.4),
        "BC": (1, 1.0, 0.2),
        "BD": (1, 0.0, 0.2),
        "AC": (1, 1.0, 0.2),
    }
    assert graph.complexity == pytest.approx(5.3333, abs=1e-4)
    assert {names[end.node]: (end.successes, end.failures) for end in graph.ends} == {
        "C": (2, 0),
        "D": (0, 1),
    }


def test_importance_of_the_vector() -> None:
    graph = build_graph("task", VECTOR)
    importance = {node.action.target: node.importance for node in graph.nodes}
    # A has only outgoing edges (.5 and 1), C and D only incoming ones; 8 visits in all.
    expected = {"A": 0.75 * 3 / 8, "B": (0.5 + 0.5) / 2 * 2 / 8, "C": 1 * 2 / 8, "D": 0.0}
    assert importance == pytest.approx(expected)


def test_a_loop_has_a_value() -> None:
    assert propagate(1, {(0, 0): 1}, {0: [1, 0]}, 0.9) == pytest.approx([0.818182], abs=1e-6)
    assert build_graph("task", [trajectory("AA", True)]).nodes[0].value == pytest.approx(0.818182, abs=1e-6)


def test_the_values_of_a_large_graph_solve_its_equations() -> None:
    size = 401
    edges = {(node, (node * 7 + 1) % size): 1 + node % 3 for node in range(size)}
    ends = {node: [node % 2, 1 - node % 2] for node in range(0, size, 5)}
    values = propagate(size, edges, ends, 0.9)
    for node in range(size):
        leaving = sum(count for (source, _), count in edges.items() if source == node) + sum(
            ends.get(node, [0, 0])
        )
        total = sum(count * values[target] for (source, target), count in edges.items() if source == node)
        won, lost = ends.get(node, [0, 0])
        assert values[node] == pytest.approx(0.9 * (total + won - lost) / leaving, abs=1e-9)


@pytest.mark.parametrize(
    ("count", "ratio", "kind"),
    [
        (1, 0.0, EdgeKind.NORMAL),
        (8, 0.2, EdgeKind.TRAP),
        (8, 0.21, EdgeKind.BOTTLENECK),
        (8, 0.79, EdgeKind.BOTTLENECK),
        (8, 0.8, EdgeKind.NORMAL),
        (2, 0.8, EdgeKind.CRITICAL),
        (2, 0.79, EdgeKind.NORMAL),
        (5, 0.1, EdgeKind.NORMAL),
        (5, 0.9, EdgeKind.NORMAL),
    ],
)
def test_edges_are_classified(count: int, ratio: float, kind: EdgeKind) -> None:
    assert edge_kind(count, ratio, rare=2.0, frequent=8.0, options=GraphOptions()) is kind


def test_an_interval_counts_trajectories_not_traversals() -> None:
    looping = trajectory("A" * 200, False, 1)
    graph = build_graph("task", [looping, trajectory("AAB", True, 2)])
    loop = next(edge for edge in graph.edges if edge.source == edge.target)
    assert (loop.count, loop.trajectories, loop.successful) == (200, 2, 1)
    assert loop.ratio == pytest.approx(1 / 200)
    assert loop.interval == pytest.approx((0.0945, 0.9055), abs=1e-3)
    assert loop.kind is EdgeKind.TRAP


WORDINGS = [
    "open the menu of settings",
    "open the menus of settings",
    "opens the menu of setting",
    "other",
    "",
]
actions = st.builds(
    CanonicalAction,
    kind=st.sampled_from(["tap", "type"]),
    place=st.just("p"),
    target=st.sampled_from("ab"),
    argument=st.sampled_from(["", "5", "6"]),
    wording=st.sampled_from(WORDINGS),
)


@st.composite
def trajectories(draw: st.DrawFn) -> list[ActionTrajectory]:
    paths = draw(st.lists(st.lists(actions, max_size=6), min_size=1, max_size=6))
    return [
        trajectory("", draw(st.booleans()), number, steps=tuple(ActionStep(each) for each in path))
        for number, path in enumerate(paths)
    ]


@settings(max_examples=60, deadline=None)
@given(trajectories(), st.randoms(use_true_random=False), st.sampled_from([0.5, 0.9, 1.0]))
def test_the_order_of_the_input_does_not_matter(
    found: list[ActionTrajectory], random: object, theta: float
) -> None:
    options = GraphOptions(theta=theta)
    graph = build_graph("task", found, options)
    shuffled = list(found)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert build_graph("task", shuffled, options) == graph
    # Counts are conserved, and values are outcomes.
    assert sum(node.visits for node in graph.nodes) == sum(len(each.steps) for each in found)
    assert sum(end.successes + end.failures for end in graph.ends) == sum(bool(each.steps) for each in found)
    assert all(-1 <= node.value <= 1 and math.isfinite(node.importance) for node in graph.nodes)
    assert math.isfinite(graph.complexity)
    for node in graph.nodes:
        assert len({member.exact for member in node.members}) == 1


@pytest.mark.parametrize(
    "options",
    [
        {"theta": 0.0},
        {"theta": 1.1},
        {"gamma": 1.0},
        {"gamma": -0.1},
        {"rare": 80.0},
        {"trap": 0.9},
        {"least": 0},
    ],
)
def test_options_have_ranges(options: dict[str, float]) -> None:
    with pytest.raises(ValueError):
        GraphOptions(**options)  # type: ignore[arg-type]


def test_equal_targets_with_other_literals_stay_apart() -> None:
    made = [trajectory("", True, 1, steps=trajectory("x", True).steps), trajectory("y", True, 2)]
    assert len(build_graph("task", made).nodes) == 2
    assert tap("a", argument="alice").exact != tap("a", argument="alicia").exact
