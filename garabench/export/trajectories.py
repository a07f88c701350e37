"""Trajectories: a line of JSON per episode with each step, for training and for other analyses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from garabench.core import events as ev
from garabench.export.episode_rows import counts_as
from garabench.records.episode import Episode
from garabench.records.reader import Run

TRAJECTORY_VERSION = 1
"""Of a line; it changes if a key is renamed or removed."""


def write_trajectories(run: Run, path: Path) -> int:
    """Write a line per ended episode; return the number of lines.

    Screenshots and trees are named by their path within the run's folder.

    Raises:
        InputError: A record is broken or of a newer version.
    """
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for episode in run.episodes:
            if (line := _trajectory(run, episode)) is not None:
                text = json.dumps(line, ensure_ascii=False)
                file.write(text.encode(errors="replace").decode() + "\n")
                count += 1
    return count


def _trajectory(run: Run, episode: Episode) -> dict[str, Any] | None:
    started, summary = episode.started, episode.summary
    if started is None or summary is None:
        return None
    return {
        "version": TRAJECTORY_VERSION,
        "run": run.folder.name,
        "device_kind": run.kind.value,
        "task": summary.task,
        "app": summary.app,
        "instruction": started.instruction,
        "agent": summary.agent,
        "condition": summary.condition,
        "seed": summary.seed,
        "counts_as": counts_as(summary),
        "reason": summary.reason,
        "steps": list(_steps(run, episode)),
        "interruptions": [
            {
                "id": each.id,
                "category": each.injected.category,
                "mode": each.injected.mode,
                "injected_step": each.injected.step,
                "shown_step": None if each.shown is None else each.shown.step,
                "exit": each.exit,
                "role": each.role,
                "resolved_step": None if each.resolved is None else each.resolved.step,
            }
            for each in episode.interruptions
        ],
    }


def _steps(run: Run, episode: Episode) -> Iterator[dict[str, Any]]:
    """Yield each step with what the agent saw last before it decided."""
    seen: dict[int, dict[str, Any]] = {}
    for observation in episode.observations:
        seen[observation.step] = {
            "t": observation.event.t,
            "package": observation.event.package,
            "activity": observation.event.activity,
            "screenshot": _relative(run, observation.picture_path),
            "tree": _relative(run, observation.tree_path),
        }
    goals = {event.step: event.holds for event in episode.events if isinstance(event, ev.GoalChecked)}
    for action in episode.actions:
        decided, performed = action.decided, action.performed
        yield {
            "step": action.step,
            "observation": seen.get(action.step),
            "thought": "" if decided is None else decided.thought,
            "action": None if decided is None else decided.action,
            "performed": None if performed is None else performed.ok,
            "detail": "" if performed is None else performed.detail,
            "goal": goals.get(action.step),
        }


def _relative(run: Run, path: Path) -> str:
    return path.relative_to(run.folder).as_posix() if path.is_relative_to(run.folder) else path.name
