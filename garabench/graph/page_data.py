"""The data of the page of trajectory graphs: what its script computes graphs from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from garabench.graph.action_trajectory import ActionTrajectory
from garabench.graph.analysis import GraphAnalysis
from garabench.graph.canonical_action import CanonicalAction
from garabench.graph.detours import interruption_states
from garabench.graph.merge import merge_links
from garabench.graph.strategies import TrajectoryFacts
from garabench.graph.task_analysis import TaskAnalysis
from garabench.records.plan import CLEAN
from garabench.web.display_text import display_text

LEAST_THETA = 0.5
"""The lowest merge threshold that the page offers."""

Thumbnails = Mapping[tuple[str, str], str]
"""Addresses of pictures in the page, by the name of the run and the hash of the picture."""


def page_data(
    analysis: GraphAnalysis, thumbnails: Thumbnails | None = None, width: int = 0
) -> dict[str, Any]:
    """Return the page's data, JSON-compatible.

    Args:
        analysis: The graphs.
        thumbnails: Small screenshots.
        width: Their width in pixels.
    """
    pictures: dict[str, int] = {}
    row, left, options = analysis.merging, analysis.left_out, analysis.options
    excluded = [
        f"{count} {name}"
        for count, name in (
            (left.unfinished, "unfinished"),
            (left.errors, "errors"),
            (left.missed, "not shown"),
        )
        if count
    ]
    return {
        "options": {
            "theta": options.theta,
            "gamma": options.gamma,
            "frequent": options.frequent,
            "rare": options.rare,
            "trap": options.trap,
            "critical": options.critical,
            "least": options.least,
        },
        "totals": f"{row.tasks} tasks, {row.trajectories} trajectories, {row.actions} steps"
        + (f"; left out: {', '.join(excluded)}" if excluded else ""),
        "width": width,
        "tasks": [_task(task, thumbnails or {}, pictures) for task in analysis.tasks],
        "pictures": list(pictures),
    }


def _task(task: TaskAnalysis, thumbnails: Thumbnails, pictures: dict[str, int]) -> dict[str, Any]:
    actions = sorted(task.graph_actions)
    shown = _pictures(task, thumbnails)
    numbers = {action: number for number, action in enumerate(actions)}
    clusters = {
        index: number for number, cluster in enumerate(task.clusters.clusters, start=1) for index in cluster
    }
    return {
        "task": _text(task.task),
        "limits": list(task.limits),
        "summary": _summary(task),
        "actions": [_action(action, shown.get(action, ""), pictures) for action in actions],
        "links": [
            [numbers[a], numbers[b], similarity] for a, b, similarity in merge_links(actions, LEAST_THETA)
        ],
        "trajectories": [
            _trajectory(facts, numbers, clusters.get(index)) for index, facts in enumerate(task.paths.facts)
        ],
        "view": _view(task),
    }


def _text(text: str) -> str:
    return display_text(text)


def _summary(task: TaskAnalysis) -> str:
    parts = [f"path diversity {task.diversity.normalized:.2f}", f"clusters {len(task.clusters.clusters)}"]
    if task.paths.shortest is not None:
        parts.append(f"actions of the shortest success {task.paths.shortest}")
    if task.view.depth is not None:
        parts.append(f"mean recovery depth {task.view.depth:.1f}")
    return f"Over all trajectories of the task: {', '.join(parts)}."


def _pictures(task: TaskAnalysis, thumbnails: Thumbnails) -> dict[CanonicalAction, str]:
    """Return the first thumbnail of each action."""
    found: dict[CanonicalAction, str] = {}
    for trajectory in task.trajectories:
        for step in trajectory.steps:
            address = thumbnails.get((trajectory.source, step.picture))
            if address is not None:
                found.setdefault(step.action, address)
    return found


def _action(action: CanonicalAction, picture: str, pictures: dict[str, int]) -> dict[str, Any]:
    return {
        "kind": _text(action.kind),
        "place": _text(action.place),
        "label": _text(action.label),
        "picture": pictures.setdefault(picture, len(pictures)) if picture else None,
    }


def _trajectory(
    facts: TrajectoryFacts, numbers: Mapping[CanonicalAction, int], cluster: int | None
) -> dict[str, Any]:
    one = facts.trajectory
    return {
        "id": _text(one.id),
        "name": _text(_name(one)),
        "agent": _text(one.agent),
        "condition": _text(one.condition),
        "success": one.success,
        "reason": _text(one.reason),
        "length": one.length,
        "steps": [numbers[step.action] for step in one.steps],
        "necessary": list(facts.necessary),
        "unneeded": facts.necessity.trials - facts.necessity.successes,
        "inflation": facts.inflation,
        "strategy": facts.strategy.value if facts.strategy is not None else "",
        "cluster": cluster,
    }


def _name(one: ActionTrajectory) -> str:
    return str(one.seed) if one.seed else one.id.rpartition("/")[2]


def _view(task: TaskAnalysis) -> dict[str, Any]:
    view = task.view
    clean = [each for each in task.trajectories if each.condition == CLEAN]
    labels = {node.id: node.action.label for node in task.graph.nodes}
    return {
        "has_clean": view.has_clean,
        "conditions": [
            {
                "condition": _text(row.condition),
                "successes": row.success.successes,
                "trials": row.success.trials,
                "mean_actions": row.mean_actions,
                "nodes": len(row.nodes),
                "new_nodes": len(row.new_nodes),
                "new_edges": len(row.new_edges),
                "missing_edges": len(row.missing_edges),
                "off_ends": sum(count for _, count in row.ends),
            }
            for row in view.conditions
        ],
        "states": [
            {
                "interruption": _text(state.interruption),
                "place": _text(state.place),
                "mode": _text(state.mode),
                "shown": state.shown,
                "successes": state.success.successes,
                "trials": state.success.trials,
                "pairs": state.pairs,
                "lost": state.lost,
                "extra": state.extra,
                "depth": state.depth,
                "returned": state.returned.successes,
                "compared": state.returned.trials,
                "exits": [
                    [_text(each.exit), each.success.successes, each.success.trials] for each in state.exits
                ],
            }
            for state in interruption_states(view.detours, clean, by_mode=True)
        ],
        "returns": [[_text(labels[node]), count] for node, count in view.returns],
    }
