"""Merge the actions of a task's trajectories into nodes: blocked, order-independent, in near-linear time.

Actions are merged only if the exact parts of their keys are equal and their wordings are similar. The first
pass compares actions of the same step, the second one all actions; both are union-find over distinct actions.
A wording may be merged with another through a third one, as in the paper.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from garabench.graph.action_trajectory import ActionTrajectory
from garabench.graph.canonical_action import CanonicalAction
from garabench.graph.wording_similarity import candidate_pairs, edit_distance, max_edits, similar_pairs

THETA = 0.9
"""The paper's threshold of similarity."""


@dataclass(frozen=True, slots=True)
class Partition:
    """The actions of one task, merged.

    Attributes:
        members: The distinct actions of each node, sorted; nodes are ordered by first step, then by action.
        node_of: The node of each distinct action.
        actions: Number of steps of all trajectories.
        step_nodes: Number of nodes after the first pass, in which each step has its own nodes.
    """

    members: tuple[tuple[CanonicalAction, ...], ...]
    node_of: dict[CanonicalAction, int]
    actions: int
    step_nodes: int

    def path(self, trajectory: ActionTrajectory) -> tuple[int, ...]:
        """Return the nodes that a trajectory visits."""
        return tuple(self.node_of[step.action] for step in trajectory.steps)


class UnionFind:
    """Disjoint sets of the numbers below a count; the smallest member represents a set."""

    def __init__(self, count: int) -> None:
        """Create a set for each number."""
        self._parent = list(range(count))

    def find(self, item: int) -> int:
        """Return the representative of a set."""
        root = item
        while self._parent[root] != root:
            root = self._parent[root]
        while self._parent[item] != root:
            self._parent[item], item = root, self._parent[item]
        return root

    def union(self, a: int, b: int) -> bool:
        """Join two sets; return whether they were apart."""
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        self._parent[max(a, b)] = min(a, b)
        return True


def merge_trajectories(trajectories: Sequence[ActionTrajectory], theta: float = THETA) -> Partition:
    """Merge the actions of one task's trajectories.

    Args:
        trajectories: The trajectories; their order does not matter.
        theta: The least similarity of wordings that are merged.

    Raises:
        ValueError: The threshold is not more than 0 and at most 1.
    """
    if not 0 < theta <= 1:
        raise ValueError(f"a similarity threshold lies between 0 and 1: {theta}")
    first_step: dict[CanonicalAction, int] = {}
    per_step: dict[int, set[CanonicalAction]] = defaultdict(set)
    for trajectory in trajectories:
        for number, step in enumerate(trajectory.steps):
            per_step[number].add(step.action)
            first_step[step.action] = min(number, first_step.get(step.action, number))
    groups = merge_actions(first_step, theta)
    members = sorted(
        (tuple(sorted(group)) for group in groups),
        key=lambda group: (min(first_step[action] for action in group), group),
    )
    node_of = {action: number for number, group in enumerate(members) for action in group}
    return Partition(
        tuple(members),
        node_of,
        actions=sum(len(trajectory.steps) for trajectory in trajectories),
        step_nodes=sum(_count_sets(actions, theta) for actions in per_step.values()),
    )


def _count_sets(actions: set[CanonicalAction], theta: float) -> int:
    if len({action.exact for action in actions}) == len(actions):
        return len(actions)
    return len(merge_actions(actions, theta))


def merge_actions(actions: Iterable[CanonicalAction], theta: float) -> list[list[CanonicalAction]]:
    """Return the sets of distinct actions that are merged."""
    blocks: dict[tuple[str, str, str, str], list[CanonicalAction]] = defaultdict(list)
    for action in actions:
        blocks[action.exact].append(action)
    merged: list[list[CanonicalAction]] = []
    for block in blocks.values():
        if len(block) == 1:
            merged.append(block)
            continue
        block.sort()
        sets = _similar_sets([action.wording for action in block], theta)
        merged += [[block[index] for index in group] for group in sets]
    return merged


def _similar_sets(texts: Sequence[str], theta: float) -> list[list[int]]:
    sets = UnionFind(len(texts))
    for i, j in candidate_pairs(texts, theta):
        if sets.find(i) != sets.find(j):  # pairs that are already joined need no comparison
            a, b = texts[i], texts[j]
            if edit_distance(a, b) <= max_edits(max(len(a), len(b)), theta):
                sets.union(i, j)
    groups: dict[int, list[int]] = defaultdict(list)
    for index in range(len(texts)):
        groups[sets.find(index)].append(index)
    return list(groups.values())


def merge_links(
    actions: Iterable[CanonicalAction], least: float
) -> list[tuple[CanonicalAction, CanonicalAction, float]]:
    """Return the links from which the nodes at every threshold from `least` up follow, most similar first.

    They are the maximum spanning forest of the similar pairs: at a threshold, actions are in one node if the
    links of at least that similarity connect them.
    """
    blocks: dict[tuple[str, str, str, str], list[CanonicalAction]] = defaultdict(list)
    for action in actions:
        blocks[action.exact].append(action)
    links: list[tuple[CanonicalAction, CanonicalAction, float]] = []
    for _, block in sorted(blocks.items()):
        block.sort()
        pairs = sorted(
            similar_pairs([action.wording for action in block], least),
            key=lambda pair: (-pair[2], pair[0], pair[1]),
        )
        sets = UnionFind(len(block))
        links += [(block[i], block[j], value) for i, j, value in pairs if sets.union(i, j)]
    return sorted(links, key=lambda link: (-link[2], link[0], link[1]))


def representative(members: Sequence[CanonicalAction], counts: Counter[CanonicalAction]) -> CanonicalAction:
    """Return the most frequent member of a node; the first one in sorted order if several are."""
    return min(members, key=lambda action: (-counts[action], action))
