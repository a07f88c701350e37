"""The consensus graph of one task: nodes, edges and ends with their counts, outcomes and values."""

from __future__ import annotations

import enum
import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csc_matrix, identity
from scipy.sparse.linalg import spsolve

from garabench.graph.action_trajectory import ActionTrajectory
from garabench.graph.canonical_action import CanonicalAction
from garabench.graph.merge import THETA, Partition, merge_trajectories, representative
from garabench.stats.rates import Rate

GAMMA = 0.9
"""The paper's discount."""
_DENSE = 48
"""Up to this number of nodes a dense solution is faster than a sparse one."""


class EdgeKind(enum.StrEnum):
    """What an edge's frequency and success ratio say about it."""

    TRAP = "trap"
    """Frequent, and it rarely leads to success."""
    BOTTLENECK = "bottleneck"
    """Frequent, with mixed success."""
    CRITICAL = "critical"
    """Rare, and it nearly always leads to success."""
    NORMAL = "normal"


@dataclass(frozen=True, slots=True)
class GraphOptions:
    """How graphs are built and edges classified.

    Attributes:
        theta: The least similarity of wordings that are merged.
        gamma: Discount of the propagated outcomes, at least 0 and less than 1.
        frequent: Percentile of the edges' frequencies from which an edge is frequent.
        rare: Percentile up to which it is rare.
        trap: The highest success ratio of a trap.
        critical: The lowest success ratio of a critical edge.
        least: The fewest traversals of an edge that is classified.

    Raises:
        ValueError: A value is outside of its range.
    """

    theta: float = THETA
    gamma: float = GAMMA
    frequent: float = 75.0
    rare: float = 25.0
    trap: float = 0.2
    critical: float = 0.8
    least: int = 2

    def __post_init__(self) -> None:
        if not 0 < self.theta <= 1:
            raise ValueError(f"theta lies between 0 and 1: {self.theta}")
        if not 0 <= self.gamma < 1:
            raise ValueError(f"gamma is at least 0 and less than 1: {self.gamma}")
        if not (0 <= self.rare <= self.frequent <= 100):
            raise ValueError(
                f"the percentile of rare edges, {self.rare}, must lie between 0 and that of frequent ones, "
                f"{self.frequent}, which is at most 100"
            )
        if not (0 <= self.trap < self.critical <= 1):
            raise ValueError(
                f"the trap's highest success ratio ({self.trap}) must be below the critical edge's lowest "
                f"({self.critical}), and both must be from 0 to 1"
            )
        if self.least < 1:
            raise ValueError(f"an edge has at least one traversal: {self.least}")


DEFAULT_OPTIONS = GraphOptions()
"""The paper's thresholds, and the percentiles that it leaves open."""


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A node: actions that are the same.

    Attributes:
        id: ``n1``, ``n2`` and so on, in order of the first step.
        action: The most frequent action.
        members: All distinct actions, sorted.
        visits: Number of steps.
        trajectories: Number of distinct trajectories.
        successful: Number of those that succeeded.
        starts: Number of trajectories that begin here.
        steps: How often it was visited at each step, counted from 0.
        agents: Number of visits by agent.
        conditions: Number of visits by condition.
        value: Propagated outcome, from -1 to 1.
        importance: Mean of the success ratios of its incoming and of its outgoing edges, times its share of
            all visits.
        picture: SHA-256 of a screenshot before the action, and `picture_source` the run that has it.
    """

    id: str
    action: CanonicalAction
    members: tuple[CanonicalAction, ...]
    visits: int
    trajectories: int
    successful: int
    starts: int
    steps: tuple[tuple[int, int], ...]
    agents: tuple[tuple[str, int], ...]
    conditions: tuple[tuple[str, int], ...]
    value: float
    importance: float
    picture: str = ""
    picture_source: str = ""

    @property
    def mean_step(self) -> float:
        """The mean step of its visits, counted from 0."""
        return sum(step * count for step, count in self.steps) / self.visits

    @property
    def success(self) -> Rate:
        """The share of its trajectories that succeeded."""
        return Rate(self.successful, self.trajectories)


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """An observed transition between two nodes.

    Attributes:
        source, target: Ids of the nodes.
        count: Number of traversals.
        successes: Number of those in successful trajectories.
        trajectories: Number of distinct trajectories.
        successful: Number of those that succeeded.
        weight: Share of all traversals of the graph.
        kind: Its class.
        conditions: Number of traversals by condition.
    """

    source: str
    target: str
    count: int
    successes: int
    trajectories: int
    successful: int
    weight: float
    kind: EdgeKind
    conditions: tuple[tuple[str, int], ...] = ()

    @property
    def ratio(self) -> float:
        """Its success ratio over traversals, as in the paper."""
        return self.successes / self.count

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson interval of the share of its trajectories that succeeded.

        Traversals of one trajectory are not independent, so the trajectories are the trials.
        """
        return Rate(self.successful, self.trajectories).interval() or (0.0, 1.0)


@dataclass(frozen=True, slots=True)
class GraphEnd:
    """The trajectories that end at a node.

    Attributes:
        node: Id of the node.
        successes, failures: How many end there in success, and in failure.
    """

    node: str
    successes: int
    failures: int


@dataclass(frozen=True, slots=True)
class ConsensusGraph:
    """The graph of one task.

    Attributes:
        task: The task's id.
        nodes: Its nodes, in order of their ids.
        edges: Its edges, sorted by source and target.
        ends: Where trajectories end: the transitions to the sinks ``SUCCESS`` and ``FAIL``.
        paths: Numbers of the visited nodes, by id of the trajectory.
        trajectories: Number of trajectories.
        successful: Number of those that succeeded.
        actions: Number of steps.
        step_nodes: Number of nodes after merging within the same step only.
        options: How it was built.
    """

    task: str
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    ends: tuple[GraphEnd, ...]
    paths: dict[str, tuple[int, ...]]
    trajectories: int
    successful: int
    actions: int
    step_nodes: int
    options: GraphOptions

    @property
    def complexity(self) -> float:
        """Nodes times edges over trajectories."""
        return len(self.nodes) * len(self.edges) / self.trajectories if self.trajectories else 0.0

    @property
    def success(self) -> Rate:
        """The share of its trajectories that succeeded."""
        return Rate(self.successful, self.trajectories)

    @property
    def shared(self) -> int:
        """Number of nodes that more than one trajectory visits."""
        return sum(node.trajectories > 1 for node in self.nodes)


def build_graph(
    task: str, trajectories: Sequence[ActionTrajectory], options: GraphOptions = DEFAULT_OPTIONS
) -> ConsensusGraph:
    """Build the graph of one task.

    Args:
        task: The task's id.
        trajectories: Its trajectories; their order does not matter.
        options: How to build it.
    """
    ordered = sorted(trajectories, key=lambda each: each.id)
    partition = merge_trajectories(ordered, options.theta)
    counts = _Counts(ordered, partition)
    return counts.graph(task, options)


class _Counts:
    """The counts of a graph's nodes and edges, in one pass over the trajectories."""

    def __init__(self, trajectories: Sequence[ActionTrajectory], partition: Partition) -> None:
        size = len(partition.members)
        self.partition = partition
        self.trajectories = trajectories
        self.paths = {each.id: partition.path(each) for each in trajectories}
        self.visits, self.seen, self.won, self.starts = ([0] * size for _ in range(4))
        self.steps: list[Counter[int]] = [Counter() for _ in range(size)]
        self.agents: list[Counter[str]] = [Counter() for _ in range(size)]
        self.conditions: list[Counter[str]] = [Counter() for _ in range(size)]
        self.actions: Counter[CanonicalAction] = Counter()
        self.pictures: list[tuple[str, str]] = [("", "")] * size
        self.edges: dict[tuple[int, int], list[int]] = {}
        self.edge_conditions: dict[tuple[int, int], Counter[str]] = {}
        self.ends: dict[int, list[int]] = {}
        for trajectory in trajectories:
            self._add(trajectory, self.paths[trajectory.id])

    def _add(self, trajectory: ActionTrajectory, path: tuple[int, ...]) -> None:
        won = int(trajectory.success)
        for number, (node, step) in enumerate(zip(path, trajectory.steps, strict=True)):
            self.visits[node] += 1
            self.steps[node][number] += 1
            self.agents[node][trajectory.agent] += 1
            self.conditions[node][trajectory.condition] += 1
            self.actions[step.action] += 1
            if step.picture and not self.pictures[node][0]:
                self.pictures[node] = (step.picture, trajectory.source)
        for node in set(path):
            self.seen[node] += 1
            self.won[node] += won
        pairs = list(itertools.pairwise(path))
        for pair in pairs:
            edge = self.edges.setdefault(pair, [0, 0, 0, 0])
            edge[0] += 1
            edge[1] += won
            self.edge_conditions.setdefault(pair, Counter())[trajectory.condition] += 1
        for pair in set(pairs):
            self.edges[pair][2] += 1
            self.edges[pair][3] += won
        if path:
            self.starts[path[0]] += 1
            self.ends.setdefault(path[-1], [0, 0])[1 - won] += 1

    def graph(self, task: str, options: GraphOptions) -> ConsensusGraph:
        members = self.partition.members
        values = propagate(
            len(members), {pair: edge[0] for pair, edge in self.edges.items()}, self.ends, options.gamma
        )
        importance = self._importance()
        nodes = tuple(
            GraphNode(
                id=node_id(number),
                action=representative(group, self.actions),
                members=group,
                visits=self.visits[number],
                trajectories=self.seen[number],
                successful=self.won[number],
                starts=self.starts[number],
                steps=tuple(sorted(self.steps[number].items())),
                agents=tuple(sorted(self.agents[number].items())),
                conditions=tuple(sorted(self.conditions[number].items())),
                value=values[number],
                importance=importance[number],
                picture=self.pictures[number][0],
                picture_source=self.pictures[number][1],
            )
            for number, group in enumerate(members)
        )
        return ConsensusGraph(
            task=task,
            nodes=nodes,
            edges=self._edges(options),
            ends=tuple(GraphEnd(node_id(node), *ends) for node, ends in sorted(self.ends.items())),
            paths=self.paths,
            trajectories=len(self.trajectories),
            successful=sum(each.success for each in self.trajectories),
            actions=self.partition.actions,
            step_nodes=self.partition.step_nodes,
            options=options,
        )

    def _edges(self, options: GraphOptions) -> tuple[GraphEdge, ...]:
        if not self.edges:
            return ()
        frequencies = [edge[0] for edge in self.edges.values()]
        total = sum(frequencies)
        rare, frequent = np.percentile(frequencies, [options.rare, options.frequent])
        return tuple(
            GraphEdge(
                source=node_id(source),
                target=node_id(target),
                count=edge[0],
                successes=edge[1],
                trajectories=edge[2],
                successful=edge[3],
                weight=edge[0] / total,
                kind=edge_kind(edge[0], edge[1] / edge[0], float(rare), float(frequent), options),
                conditions=tuple(sorted(self.edge_conditions[source, target].items())),
            )
            for (source, target), edge in sorted(self.edges.items())
        )

    def _importance(self) -> list[float]:
        size, total = len(self.visits), sum(self.visits)
        incoming: list[list[float]] = [[] for _ in range(size)]
        outgoing: list[list[float]] = [[] for _ in range(size)]
        for (source, target), edge in self.edges.items():
            outgoing[source].append(edge[1] / edge[0])
            incoming[target].append(edge[1] / edge[0])
        found = []
        for node in range(size):
            sides = [sum(side) / len(side) for side in (incoming[node], outgoing[node]) if side]
            # A node without an edge is the only one of its trajectories: their success stands for its edges'.
            success = sum(sides) / len(sides) if sides else self.won[node] / self.seen[node]
            found.append(success * self.visits[node] / total)
        return found


def node_id(number: int) -> str:
    """Return the id of the node with a number, counted from 0."""
    return f"n{number + 1}"


def propagate(
    size: int, edges: dict[tuple[int, int], int], ends: dict[int, list[int]], gamma: float
) -> list[float]:
    """Return the value of each node: outcomes propagated back through the graph.

    The sinks ``SUCCESS`` and ``FAIL`` have the values 1 and -1. A node's value is the discounted mean of its
    successors' values, weighted by how often each was taken: a linear system with exactly one solution for
    any graph, with cycles or without.

    Args:
        size: Number of nodes.
        edges: Number of traversals by source and target.
        ends: Number of successes and failures that end at a node.
        gamma: The discount, less than 1.
    """
    if size == 0:
        return []
    leaving, reward = np.zeros(size), np.zeros(size)
    for (source, _), count in edges.items():
        leaving[source] += count
    for node, (successes, failures) in ends.items():
        leaving[node] += successes + failures
        reward[node] += successes - failures
    leaving[leaving == 0] = 1.0
    rows = [source for source, _ in edges]
    columns = [target for _, target in edges]
    shares = np.array([count / leaving[source] for (source, _), count in edges.items()], dtype=float)
    known = gamma * reward / leaving
    if size <= _DENSE:
        dense = np.eye(size)
        np.add.at(dense, (rows, columns), -gamma * shares)
        solved = np.linalg.solve(dense, known)
    else:
        system = identity(size, format="csc") - gamma * csc_matrix(
            (shares, (rows, columns)), shape=(size, size)
        )
        solved = np.atleast_1d(spsolve(system, known))
    return [float(value) for value in np.clip(solved, -1.0, 1.0)]


def edge_kind(count: int, ratio: float, rare: float, frequent: float, options: GraphOptions) -> EdgeKind:
    """Return the class of an edge.

    Args:
        count: Its traversals.
        ratio: Its success ratio.
        rare: Up to this number of traversals it is rare.
        frequent: From this number of traversals it is frequent.
        options: The thresholds.
    """
    if count < options.least:
        return EdgeKind.NORMAL
    if count >= frequent and ratio <= options.trap:
        return EdgeKind.TRAP
    if count >= frequent and ratio < options.critical:
        return EdgeKind.BOTTLENECK
    if count <= rare and ratio >= options.critical:
        return EdgeKind.CRITICAL
    return EdgeKind.NORMAL
