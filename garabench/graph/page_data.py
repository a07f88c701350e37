"""The data of the page of trajectory graphs: what its script computes graphs from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from garabench.core.phrases import counted
from garabench.graph.action_trajectory import ActionTrajectory
from garabench.graph.analysis import GraphAnalysis
from garabench.graph.canonical_action import CanonicalAction
from garabench.graph.detours import clean_partners, pairing
from garabench.graph.merge import merge_links
from garabench.graph.task_analysis import TaskAnalysis
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
        "totals": ", ".join(
            (
                counted(row.tasks, "task"),
                counted(row.trajectories, "trajectory", "trajectories"),
                counted(row.actions, "step"),
            )
        )
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
    partners = clean_partners(task.trajectories)
    indexes = {each.id: index for index, each in enumerate(task.trajectories)}
    states: dict[str, int] = {}
    return {
        "task": _text(task.task),
        "actions": [_action(action, shown.get(action, ""), pictures) for action in actions],
        "links": [
            [numbers[a], numbers[b], similarity] for a, b, similarity in merge_links(actions, LEAST_THETA)
        ],
        "trajectories": [
            {
                **_trajectory(each, numbers, states),
                "cluster": clusters.get(index),
                "partner": indexes[partner.id] if (partner := partners.get(pairing(each))) else None,
            }
            for index, each in enumerate(task.trajectories)
        ],
        "clusters": len(task.clusters.clusters),
        "unclustered": task.clusters.left_out,
    }


def _text(text: str) -> str:
    return display_text(text)


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
        "unknown": action.is_unknown,
        "unresolved": action.is_unresolved,
        "picture": pictures.setdefault(picture, len(pictures)) if picture else None,
    }


def _trajectory(
    one: ActionTrajectory, numbers: Mapping[CanonicalAction, int], states: dict[str, int]
) -> dict[str, Any]:
    def state(name: str) -> int | None:
        return states.setdefault(name, len(states)) if name else None

    return {
        "id": _text(one.id),
        "name": _text(_name(one)),
        "agent": _text(one.agent),
        "condition": _text(one.condition),
        "success": one.success,
        "reason": _text(one.reason),
        "length": one.length,
        "steps": [numbers[step.action] for step in one.steps],
        "states": [state(step.state) for step in one.steps],
        "final": state(one.final_state),
        "encounters": [
            [met.at, _text(met.interruption), _text(met.mode), _text(met.place), _text(met.exit_name)]
            for met in one.encounters
        ],
    }


def _name(one: ActionTrajectory) -> str:
    return str(one.seed) if one.seed else one.id.rpartition("/")[2]
