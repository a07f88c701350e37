"""How interruptions change the path: the interrupted trajectories of a task against its clean ones."""

from __future__ import annotations

import itertools
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from garabench.graph.action_trajectory import ActionTrajectory, Encounter
from garabench.graph.consensus import ConsensusGraph, node_id
from garabench.records.plan import CLEAN
from garabench.stats.rates import Rate


@dataclass(frozen=True, slots=True)
class PathDetour:
    """What followed one interruption in one trajectory.

    Attributes:
        trajectory: The trajectory.
        encounter: The interruption.
        nodes: Ids of the nodes visited off the clean graph after its arrival, in order.
        returned: Id of the node at which the trajectory was back on the clean graph; None if it never was, or
            if the task has no clean trajectory.
        depth: The recovery depth: the number of actions from the arrival until it was back; None if it never
            was.
    """

    trajectory: ActionTrajectory
    encounter: Encounter
    nodes: tuple[str, ...]
    returned: str | None
    depth: int | None


@dataclass(frozen=True, slots=True)
class ExitCount:
    """One exit of an interruption.

    Attributes:
        exit: The button or other exit with its role; ``open`` if the interruption was never left.
        success: Share of the arrivals that were left by it and whose trajectory succeeded.
    """

    exit: str
    success: Rate


@dataclass(frozen=True, slots=True)
class InterruptionState:
    """An interruption at one place: what it cost, and how it was left.

    Attributes:
        interruption: Its id.
        place: The package and activity that it covered; empty for a sum over places.
        mode: ``dual`` or ``forced``; empty for a sum over modes.
        shown: Number of arrivals.
        success: Share of the trajectories with an arrival that succeeded.
        pairs: Number of those with a clean trajectory of the same agent, task and seed.
        lost: Number of pairs that succeeded clean and failed here.
        won: Number of pairs that failed clean and succeeded here.
        extra: Mean number of additional actions against the clean trajectory, over the pairs that succeeded
            in both; None without one.
        depth: Mean recovery depth; None if no trajectory was ever back.
        returned: Share of the arrivals after which the trajectory was back on the clean graph.
        exits: Its exits, the most frequent first.
    """

    interruption: str
    place: str
    mode: str
    shown: int
    success: Rate
    pairs: int
    lost: int
    won: int
    extra: float | None
    depth: float | None
    returned: Rate
    exits: tuple[ExitCount, ...]

    @property
    def cost(self) -> float | None:
        """Clean minus interrupted success rate over the pairs; None without a pair."""
        return (self.lost - self.won) / self.pairs if self.pairs else None

    @property
    def loss(self) -> Rate:
        """The share of the pairs that succeeded clean and failed here."""
        return Rate(self.lost, self.pairs)


@dataclass(frozen=True, slots=True)
class ConditionGraph:
    """The part of a task's graph that one condition has.

    Attributes:
        condition: ``clean``, ``dual`` or ``forced``.
        success: Share of its trajectories that succeeded.
        nodes, edges: Ids of its nodes, and of the source and target of its edges.
        new_nodes, new_edges: Those of them that the clean graph does not have; all if there is no clean one.
        missing_edges: Edges of the clean graph that it does not have.
        mean_actions: Mean number of actions; None without a trajectory.
        ends: Number of trajectories that end off the clean graph, by node.
    """

    condition: str
    success: Rate
    nodes: tuple[str, ...]
    edges: tuple[tuple[str, str], ...]
    new_nodes: tuple[str, ...]
    new_edges: tuple[tuple[str, str], ...]
    missing_edges: tuple[tuple[str, str], ...]
    mean_actions: float | None
    ends: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class InterruptionView:
    """The clean and the interrupted graphs of a task, side by side.

    Attributes:
        conditions: One per condition, clean first.
        detours: One per interruption that was shown.
        has_clean: Whether there is a clean trajectory to compare with.
        returns: Where trajectories were back on the clean graph, and how often.
    """

    conditions: tuple[ConditionGraph, ...]
    detours: tuple[PathDetour, ...]
    has_clean: bool
    returns: tuple[tuple[str, int], ...]

    @property
    def depth(self) -> float | None:
        """The mean recovery depth; None if no trajectory was ever back."""
        depths = [each.depth for each in self.detours if each.depth is not None]
        return statistics.fmean(depths) if depths else None


def interruption_view(graph: ConsensusGraph, trajectories: Sequence[ActionTrajectory]) -> InterruptionView:
    """Compare the interrupted trajectories of a task with its clean ones."""
    ordered = sorted(trajectories, key=lambda each: each.id)
    clean_nodes = {node for each in ordered if each.condition == CLEAN for node in graph.paths[each.id]}
    has_clean = any(each.condition == CLEAN for each in ordered)
    names = {each.condition for each in ordered}
    conditions = sorted(names, key=lambda name: (name != CLEAN, name))
    clean = [each for each in ordered if each.condition == CLEAN]
    detours = tuple(
        detour
        for each in ordered
        for detour in _detours(each, graph.paths[each.id], clean_nodes, has_clean=has_clean)
    )
    return InterruptionView(
        conditions=tuple(
            _condition(graph, name, [each for each in ordered if each.condition == name], clean)
            for name in conditions
        ),
        detours=detours,
        has_clean=has_clean,
        returns=_sorted_counts(Counter(each.returned for each in detours if each.returned is not None)),
    )


def _detours(
    trajectory: ActionTrajectory, path: tuple[int, ...], clean: set[int], *, has_clean: bool
) -> list[PathDetour]:
    found = []
    for encounter in trajectory.encounters:
        off: list[str] = []
        returned = depth = None
        actions = 0
        for node, step in zip(path[encounter.at :], trajectory.steps[encounter.at :], strict=True):
            if node in clean and not step.action.is_ending:  # a trajectory may end on any screen
                returned, depth = node_id(node), actions
                break
            off.append(node_id(node))
            actions += not step.action.is_arrival
        found.append(PathDetour(trajectory, encounter, tuple(off), returned if has_clean else None, depth))
    return found


def _condition(
    graph: ConsensusGraph, name: str, own: Sequence[ActionTrajectory], clean: Sequence[ActionTrajectory]
) -> ConditionGraph:
    nodes, edges = _parts(graph, own)
    clean_nodes, clean_edges = _parts(graph, clean)
    ends = Counter(
        graph.paths[each.id][-1]
        for each in own
        if graph.paths[each.id] and graph.paths[each.id][-1] not in clean_nodes
    )
    return ConditionGraph(
        condition=name,
        success=Rate(sum(each.success for each in own), len(own)),
        nodes=tuple(map(node_id, sorted(nodes))),
        edges=_edge_ids(edges),
        new_nodes=tuple(map(node_id, sorted(nodes - clean_nodes))),
        new_edges=_edge_ids(edges - clean_edges),
        missing_edges=_edge_ids(clean_edges - edges),
        mean_actions=statistics.fmean(each.length for each in own) if own else None,
        ends=tuple((node_id(node), count) for node, count in sorted(ends.items())),
    )


def _parts(graph: ConsensusGraph, own: Sequence[ActionTrajectory]) -> tuple[set[int], set[tuple[int, int]]]:
    nodes: set[int] = set()
    edges: set[tuple[int, int]] = set()
    for each in own:
        path = graph.paths[each.id]
        nodes.update(path)
        edges.update(itertools.pairwise(path))
    return nodes, edges


def _edge_ids(edges: set[tuple[int, int]]) -> tuple[tuple[str, str], ...]:
    return tuple((node_id(source), node_id(target)) for source, target in sorted(edges))


def _sorted_counts(counts: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def interruption_states(
    detours: Sequence[PathDetour],
    clean: Sequence[ActionTrajectory],
    *,
    by_place: bool = True,
    by_mode: bool = False,
) -> tuple[InterruptionState, ...]:
    """Return what each interruption cost at each place, the most costly first.

    A cost is a difference of pairs: the same agent, task and seed, clean and interrupted. The order is by the
    number of lost successes, then by additional actions.

    Args:
        detours: The detours of all tasks.
        clean: The clean trajectories of all tasks.
        by_place: Whether to count places apart.
        by_mode: Whether to count the modes apart.
    """
    partners = clean_partners(clean)
    groups: dict[tuple[str, str, str], list[PathDetour]] = {}
    for detour in detours:
        met = detour.encounter
        key = (met.interruption, met.place if by_place else "", met.mode if by_mode else "")
        groups.setdefault(key, []).append(detour)
    states = [_state(*key, group, partners) for key, group in sorted(groups.items())]
    return tuple(sorted(states, key=lambda state: (-(state.lost - state.won), -(state.extra or 0.0))))


def clean_partners(
    trajectories: Iterable[ActionTrajectory],
) -> dict[tuple[str, str, str, int], ActionTrajectory]:
    """Return the clean trajectories by what they share with the interrupted ones of their pairs."""
    ordered = sorted(trajectories, key=lambda one: one.id)
    return {pairing(each): each for each in ordered if each.condition == CLEAN}


def pairing(trajectory: ActionTrajectory) -> tuple[str, str, str, int]:
    """Return what the two trajectories of a pair share: run, task, agent and seed."""
    return trajectory.source, trajectory.task, trajectory.agent, trajectory.seed


def _state(
    interruption: str,
    place: str,
    mode: str,
    detours: Sequence[PathDetour],
    partners: dict[tuple[str, str, str, int], ActionTrajectory],
) -> InterruptionState:
    own = {detour.trajectory.id: detour.trajectory for detour in detours}
    pairs = [(partners[pairing(each)], each) for each in own.values() if pairing(each) in partners]
    extra = [float(each.length - clean.length) for clean, each in pairs if clean.success and each.success]
    depths = [float(detour.depth) for detour in detours if detour.depth is not None]
    compared = [detour for detour in detours if pairing(detour.trajectory) in partners]
    exits: dict[str, list[bool]] = {}
    for detour in detours:
        exits.setdefault(detour.encounter.exit_name, []).append(detour.trajectory.success)
    return InterruptionState(
        interruption=interruption,
        place=place,
        mode=mode,
        shown=len(detours),
        success=Rate(sum(each.success for each in own.values()), len(own)),
        pairs=len(pairs),
        lost=sum(clean.success and not each.success for clean, each in pairs),
        won=sum(each.success and not clean.success for clean, each in pairs),
        extra=statistics.fmean(extra) if extra else None,
        depth=statistics.fmean(depths) if depths else None,
        returned=Rate(sum(detour.returned is not None for detour in compared), len(compared)),
        exits=tuple(
            ExitCount(name, Rate(sum(found), len(found)))
            for name, found in sorted(exits.items(), key=lambda item: (-len(item[1]), item[0]))
        ),
    )
