"""Everything about the trajectories of one task: graph, paths, diversity and interruption view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from garabench.graph.action_trajectory import ActionTrajectory
from garabench.graph.canonical_action import CanonicalAction
from garabench.graph.consensus import DEFAULT_OPTIONS, ConsensusGraph, GraphOptions, build_graph
from garabench.graph.detours import InterruptionView, interruption_view
from garabench.graph.diversity import Diversity, PathClusters, cluster_paths, diversity
from garabench.graph.strategies import TaskPaths, compare_paths


@dataclass(frozen=True, slots=True)
class TaskAnalysis:
    """The analysis of one task.

    Attributes:
        task: The task's id.
        trajectories: Its trajectories, in order of their ids.
        graph: The consensus graph of all of them.
        paths: The trajectories compared with each other.
        diversity: The diversity of all paths.
        clusters: Clusters of similar paths; the indexes are those of the trajectories.
        view: The clean graph against the interrupted ones.
    """

    task: str
    trajectories: tuple[ActionTrajectory, ...]
    graph: ConsensusGraph
    paths: TaskPaths
    diversity: Diversity
    clusters: PathClusters
    view: InterruptionView

    @property
    def graph_actions(self) -> frozenset[CanonicalAction]:
        """The distinct actions of all trajectories."""
        return frozenset(action for node in self.graph.nodes for action in node.members)

    @property
    def limits(self) -> tuple[str, ...]:
        """What cannot be concluded from these trajectories, in words."""
        graph = self.graph
        found = []
        if graph.trajectories == 1:
            found.append("There is only one trajectory: the graph is its path, and nothing is compared.")
        if graph.successful == 0:
            found.append("No trajectory succeeded: inflation, strategies and early ends are not defined.")
        elif self.paths.shortest is None:
            found.append("Every success has a single action: inflation and strategies are not defined.")
        if graph.trajectories > 1 and self.diversity.distinct == 1:
            found.append(
                "All trajectories are equal: nothing differs between them, and there is one cluster."
            )
        if self.paths.one_step and self.paths.shortest is not None:
            found.append(
                f"{self.paths.one_step} of {graph.successful} successes have a single action "
                "and are set aside."
            )
        if any(not each.steps for each in self.trajectories):
            empty = sum(not each.steps for each in self.trajectories)
            found.append(f"{empty} of {graph.trajectories} trajectories have no action.")
        if unknown := sum(step.action.is_unknown for each in self.trajectories for step in each.steps):
            found.append(
                f"{unknown} of {graph.actions} steps reach an unknown element, because the record has no "
                "UI tree: they are merged by action and screen."
            )
        if unresolved := sum(step.action.is_unresolved for each in self.trajectories for step in each.steps):
            found.append(
                f"{unresolved} of {graph.actions} steps name an element by a number that no accessibility "
                "tree resolves: they are merged by number and page, so one node may be several elements."
            )
        if not self.view.has_clean and self.view.detours:
            found.append("No clean trajectory: detours and returns are not defined.")
        if self.clusters.left_out:
            found.append(f"{self.clusters.left_out} rare paths were not clustered.")
        return tuple(found)


def analyze_task(
    task: str, trajectories: Sequence[ActionTrajectory], options: GraphOptions = DEFAULT_OPTIONS
) -> TaskAnalysis:
    """Analyze the trajectories of one task.

    Args:
        task: The task's id.
        trajectories: Its trajectories; their order does not matter.
        options: How graphs are built.
    """
    ordered = tuple(sorted(trajectories, key=lambda each: each.id))
    graph = build_graph(task, ordered, options)
    paths = [graph.paths[each.id] for each in ordered]
    return TaskAnalysis(
        task=task,
        trajectories=ordered,
        graph=graph,
        paths=compare_paths(graph, ordered),
        diversity=diversity(paths),
        clusters=cluster_paths(paths),
        view=interruption_view(graph, ordered),
    )
