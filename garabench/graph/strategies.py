"""How a trajectory reached its end: inflation, strategy, early end; and how trajectories begin."""

from __future__ import annotations

import enum
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from garabench.graph.action_trajectory import ActionTrajectory
from garabench.graph.canonical_action import CanonicalAction
from garabench.graph.consensus import ConsensusGraph
from garabench.graph.necessity import necessity, unavoidable_nodes
from garabench.stats.rates import Rate

BEGINNING = 3
"""Number of actions of a beginning."""
DIRECT_INFLATION, EXPLORATORY_INFLATION = 1.25, 2.0
DIRECT_REDUNDANCY, EXPLORATORY_REDUNDANCY = 0.1, 0.3


class Strategy(enum.StrEnum):
    """How a successful trajectory reached the goal."""

    DIRECT = "direct"
    """At most `DIRECT_INFLATION` times the shortest success, and almost no unnecessary action."""
    EXPLORATORY = "exploratory"
    """`EXPLORATORY_INFLATION` times the shortest success or more, or many unnecessary actions."""
    HYBRID = "hybrid"
    """Between the two."""


@dataclass(frozen=True, slots=True)
class TrajectoryFacts:
    """What the graph says about one trajectory.

    Attributes:
        trajectory: The trajectory.
        path: Numbers of the visited nodes.
        necessary: Whether each step was necessary; None for the arrival of an interruption, and for an end.
        inflation: Number of actions over that of the shortest success; None for a failure, for a success with
            one action, and if the task has no longer success.
        strategy: How it reached the goal; None where the inflation is None.
        early: Whether it failed with fewer actions than the shortest success; None for a success, and if the
            task has no success.
    """

    trajectory: ActionTrajectory
    path: tuple[int, ...]
    necessary: tuple[bool | None, ...]
    inflation: float | None
    strategy: Strategy | None
    early: bool | None

    @property
    def necessity(self) -> Rate:
        """The share of its actions but the end that were necessary."""
        labels = [label for label in self.necessary if label is not None]
        return Rate(sum(labels), len(labels))


@dataclass(frozen=True, slots=True)
class Beginning:
    """A beginning that trajectories share.

    Attributes:
        actions: Its actions.
        successes, failures: Number of the successful and failed trajectories that begin with it.
        agents: Number of the agents that have begun with it and succeeded.
    """

    actions: tuple[CanonicalAction, ...]
    successes: int
    failures: int
    agents: int


@dataclass(frozen=True, slots=True)
class TaskPaths:
    """The trajectories of a task, compared with each other.

    Attributes:
        facts: One per trajectory, in order of their ids.
        shortest: Number of actions of the shortest observed success with more than one action; None without.
        one_step: Number of successes with a single action, which are set aside.
        beginnings: The beginnings, the most frequent among the successes first.
        common_beginning: Share of the successes that begin as a success of another agent does; its
            denominator has the successes of tasks that two agents have solved.
    """

    facts: tuple[TrajectoryFacts, ...]
    shortest: int | None
    one_step: int
    beginnings: tuple[Beginning, ...]
    common_beginning: Rate


def compare_paths(graph: ConsensusGraph, trajectories: Sequence[ActionTrajectory]) -> TaskPaths:
    """Compare the trajectories of a task.

    The shortest success is an observed one, never the shortest path of the graph: merging creates shortcuts
    that nobody took.
    """
    ordered = sorted(trajectories, key=lambda each: each.id)
    lengths = [each.length for each in ordered if each.success]
    shortest = min((length for length in lengths if length > 1), default=None)
    guarded = unavoidable_nodes(ordered, graph.paths)
    beginnings = _beginnings(graph, ordered)
    return TaskPaths(
        facts=tuple(_facts(each, graph.paths[each.id], guarded, shortest) for each in ordered),
        shortest=shortest,
        one_step=sum(length == 1 for length in lengths),
        beginnings=beginnings,
        common_beginning=_common_beginning(graph, ordered),
    )


def _facts(
    trajectory: ActionTrajectory, path: tuple[int, ...], guarded: frozenset[int], shortest: int | None
) -> TrajectoryFacts:
    labels = necessity(trajectory, path, guarded)
    length = trajectory.length
    inflation = strategy = early = None
    if trajectory.success and shortest is not None and length > 1:
        inflation = length / shortest
        strategy = strategy_of(inflation, sum(label is False for label in labels) / length)
    if not trajectory.success and shortest is not None:
        early = length < shortest
    return TrajectoryFacts(trajectory, path, labels, inflation, strategy, early)


def strategy_of(inflation: float, redundancy: float) -> Strategy:
    """Return the strategy of a success.

    Args:
        inflation: Its actions over those of the shortest success.
        redundancy: The share of its actions that were unnecessary.
    """
    if inflation >= EXPLORATORY_INFLATION or redundancy >= EXPLORATORY_REDUNDANCY:
        return Strategy.EXPLORATORY
    if inflation <= DIRECT_INFLATION and redundancy <= DIRECT_REDUNDANCY:
        return Strategy.DIRECT
    return Strategy.HYBRID


def _beginning(graph: ConsensusGraph, trajectory: ActionTrajectory) -> tuple[int, ...]:
    path = graph.paths[trajectory.id]
    steps = zip(path, trajectory.steps, strict=True)
    return tuple(node for node, step in steps if not step.action.is_arrival)[:BEGINNING]


def _beginnings(graph: ConsensusGraph, trajectories: Sequence[ActionTrajectory]) -> tuple[Beginning, ...]:
    found: dict[tuple[int, ...], list[ActionTrajectory]] = {}
    for each in trajectories:
        found.setdefault(_beginning(graph, each), []).append(each)
    rows = [
        (
            sum(each.success for each in group),
            nodes,
            Beginning(
                tuple(graph.nodes[node].action for node in nodes),
                successes=sum(each.success for each in group),
                failures=sum(not each.success for each in group),
                agents=len({each.agent for each in group if each.success}),
            ),
        )
        for nodes, group in found.items()
        if nodes
    ]
    return tuple(row for _, _, row in sorted(rows, key=lambda item: (-item[0], item[1])))


def _common_beginning(graph: ConsensusGraph, trajectories: Sequence[ActionTrajectory]) -> Rate:
    successes = [each for each in trajectories if each.success and each.steps]
    if len({each.agent for each in successes}) < 2:
        return Rate(0, 0)
    agents: dict[tuple[int, ...], set[str]] = {}
    for each in successes:
        agents.setdefault(_beginning(graph, each), set()).add(each.agent)
    shared = sum(len(agents[_beginning(graph, each)]) > 1 for each in successes)
    return Rate(shared, len(successes))


def mean_inflation(facts: Sequence[TrajectoryFacts]) -> float | None:
    """Return the mean inflation over the successes that have one; None without one."""
    values = [each.inflation for each in facts if each.inflation is not None]
    return statistics.fmean(values) if values else None


def strategy_counts(facts: Sequence[TrajectoryFacts]) -> dict[Strategy, int]:
    """Return the number of successes with each strategy."""
    counts = Counter(each.strategy for each in facts if each.strategy is not None)
    return {strategy: counts[strategy] for strategy in Strategy}
