from __future__ import annotations

import dataclasses

import pytest

from garabench.graph.action_trajectory import ActionStep, ActionTrajectory
from garabench.graph.canonical_action import CanonicalAction
from garabench.graph.consensus import build_graph
from garabench.graph.necessity import necessity, unavoidable_nodes
from garabench.graph.strategies import Strategy, TaskPaths, compare_paths, strategy_of
from garabench.stats.rates import Rate
from tests.graph.made_trajectories import trajectory


def paths(*found: ActionTrajectory) -> TaskPaths:
    return compare_paths(build_graph("task", found), found)


def labels(one: ActionTrajectory, *others: ActionTrajectory) -> str:
    found = [one, *others]
    graph = build_graph("task", found)
    made = necessity(one, graph.paths[one.id], unavoidable_nodes(found, graph.paths))
    return "".join({True: "n", False: "-", None: "!"}[label] for label in made)


@pytest.mark.parametrize(
    ("names", "states", "final", "expected"),
    [
        ("ABC", "123", "4", "nnn"),
        ("ABC", "113", "4", "-nn"),  # A changed nothing
        ("ABCD", "1231", "4", "---n"),  # A, B and C led back
        ("ABCD", "1232", "4", "n--n"),
        ("ABC", "123", "3", "nn-"),  # the last one changed nothing
        ("ABC", "123", "1", "---"),
        ("ABCDE", "12132", "9", "--nnn"),  # an erased state is not returned to
        ("ABA", "", "", "--n"),  # without states, a return to the same action
        ("AAA", "", "", "--n"),
        ("!iAB", "12", "3", "!nn"),
    ],
)
def test_loops_are_unnecessary(names: str, states: str, final: str, expected: str) -> None:
    assert labels(trajectory(names, True, 1, states=states, final_state=final)) == expected


@pytest.mark.parametrize("kind", ["done", "give_up"])
@pytest.mark.parametrize(("states", "expected"), [("123", "nn!"), ("122", "n-!"), ("121", "--!")])
@pytest.mark.parametrize("recorded", [True, False])
def test_an_end_is_neither_necessary_nor_not(
    kind: str, states: str, expected: str, *, recorded: bool
) -> None:
    made = trajectory("AB", False, 1, states=states)
    end = ActionStep(CanonicalAction(kind), 2, states[2])
    final = states[2] if recorded else ""  # the label depends on the agent, not on how its record ends
    assert labels(dataclasses.replace(made, steps=(*made.steps, end), final_state=final)) == expected


def test_an_end_without_a_state_closes_no_loop() -> None:
    made = trajectory("AB", True, 1)
    end = ActionStep(CanonicalAction("done"), 2)
    assert labels(dataclasses.replace(made, steps=(*made.steps, end, end))) == "nn!!"


def test_what_every_success_does_is_necessary() -> None:
    hidden = trajectory("ASBC", True, 1, states="1231", final_state="4")
    assert labels(hidden) == "---n"
    # Two different successes do S: the loop did something that the screen does not show.
    assert labels(hidden, trajectory("SC", True, 2)) == "nnnn"
    assert labels(hidden, trajectory("SC", False, 2)) == "---n"


def test_inflation_is_over_observed_successes() -> None:
    found = paths(
        trajectory("A", True, 1),
        trajectory("ABC", True, 2),
        trajectory("ABDEFC", True, 3),
        trajectory("AX", False, 4),
    )
    assert (found.shortest, found.one_step) == (3, 1)
    assert [each.inflation for each in found.facts] == [None, 1.0, 2.0, None]
    assert [each.strategy for each in found.facts] == [None, Strategy.DIRECT, Strategy.EXPLORATORY, None]
    assert [each.early for each in found.facts] == [None, None, None, True]


def test_the_shortest_success_is_not_a_shortcut_of_the_graph() -> None:
    # A-B-C-D and A-E-C-F merge at C; nobody has taken A-E-C-D of another length, and 4 is the shortest.
    found = paths(trajectory("ABCD", True, 1), trajectory("AXECF", True, 2), trajectory("XECD", False, 3))
    assert found.shortest == 4


@pytest.mark.parametrize(
    ("inflation", "redundancy", "strategy"),
    [
        (1.0, 0.0, Strategy.DIRECT),
        (1.25, 0.1, Strategy.DIRECT),
        (1.3, 0.0, Strategy.HYBRID),
        (1.0, 0.2, Strategy.HYBRID),
        (2.0, 0.0, Strategy.EXPLORATORY),
        (1.0, 0.3, Strategy.EXPLORATORY),
    ],
)
def test_strategies(inflation: float, redundancy: float, strategy: Strategy) -> None:
    assert strategy_of(inflation, redundancy) is strategy


def test_common_beginnings_are_those_of_two_agents() -> None:
    found = paths(
        trajectory("ABCX", True, 1),
        trajectory("ABCY", True, 2, agent="two"),
        trajectory("BBC", True, 3, agent="two"),
        trajectory("ABCZ", False, 4),
    )
    assert found.common_beginning == Rate(2, 3)
    first = found.beginnings[0]
    assert ([action.target for action in first.actions], first.successes, first.failures, first.agents) == (
        ["A", "B", "C"],
        2,
        1,
        2,
    )
    assert paths(trajectory("ABC", True)).common_beginning == Rate(0, 0)


def test_arrivals_are_no_part_of_a_beginning() -> None:
    found = paths(trajectory("ABCX", True, 1), trajectory("A!iBC", True, 2, agent="two"))
    assert found.common_beginning == Rate(2, 2)
