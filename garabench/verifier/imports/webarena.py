"""Import JSON in WebArena's style: a file for each trajectory, with the goal and a list of steps.

This is the form of WebArena's and BrowserGym's exports and of AgentRewardBench's trajectories: each step has
the screen before its action, and BrowserGym's error of the action before it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from garabench.errors import InputError
from garabench.verifier.imports.imported_trajectory import (
    Frames,
    ImportedTrajectory,
    digest_of_files,
    first_text,
    read_json,
)
from garabench.verifier.trajectory import Ending, Trajectory, TrajectorySource, TrajectoryStep

_GOAL = ("goal", "intent", "instruction", "confirmed_task", "task")
_STEPS = ("steps", "trajectory", "actions", "history")
_STOP = re.compile(r"\A\s*stop\s*\[(.*)\]\s*\Z", re.DOTALL)
_CALL = re.compile(r"\A\s*(send_msg_to_user|report_infeasible)\((.*)\)\s*\Z", re.DOTALL)


def find_files(folder: Path) -> Iterator[Path]:
    """Iterate over the trajectories' files in a folder.

    Args:
        folder: The folder.
    """
    yield from sorted(path for path in folder.rglob("*.json") if path.is_file())


def read(file: Path, root: Path, pictures: Path) -> ImportedTrajectory:
    """Read a trajectory.

    Args:
        file: The file.
        root: The folder that was searched.
        pictures: Where encoded pictures are written.

    Raises:
        InputError: It is malformed, or the goal or the steps are missing.
    """
    data = read_json(file)
    if not isinstance(data, dict):
        raise InputError(f"{file}: expected an object")
    goal = first_text(data, *_GOAL)
    rows = next((data[name] for name in _STEPS if isinstance(data.get(name), list)), None)
    if not goal or rows is None or not all(isinstance(row, dict) for row in rows):
        raise InputError(f"{file} is not a trajectory: it needs a goal and a list of steps")
    frames = Frames(file.parent, pictures, root)
    steps: list[TrajectoryStep] = []
    ending, answer = Ending.STOPPED, None
    for number, row in enumerate(rows):
        action = first_text(row, "action", "action_str", "raw_action")
        ending, answer = _end(action, ending, answer)
        finished = ending is not Ending.STOPPED
        at = frames.add(
            number,
            first_text(row, "screenshot_path", "screenshot", "image"),
            text=first_text(row, "axtree", "axtree_txt", "observation"),
            activity=first_text(row, "url", "page_url"),
            final=number == len(rows) - 1 and (finished or not action),
        )
        if steps and at is not None:
            steps[-1] = replace(steps[-1], after=at)
        if steps and (error := first_text(row, "last_action_error")):
            steps[-1] = replace(steps[-1], ok=False, detail=error)  # of the action before this screen
        if action or not finished:
            error = first_text(row, "error")
            steps.append(
                TrajectoryStep(
                    number=len(steps),
                    action=None,
                    text=action,
                    thought=first_text(row, "reasoning", "thought", "think"),
                    ok=False if error else None,
                    detail=error,
                    before=at,
                )
            )
    answer = first_text(data, "final_answer", "answer") or answer
    return ImportedTrajectory(
        Trajectory(
            key=file.relative_to(root).with_suffix("").as_posix(),
            source=TrajectorySource.WEBARENA,
            digest=digest_of_files(file),
            instruction=goal,
            task=first_text(data, "task_id", "task_name") or file.stem,
            frames=frames.frames,
            steps=tuple(steps),
            ending=ending,
            answer=answer,
            final_message=steps[-1].thought if steps else "",
        ),
        _outcome(data),
        first_text(data, "agent"),
    )


def _end(action: str, ending: Ending, answer: str | None) -> tuple[Ending, str | None]:
    """Return how a trajectory ends by an action, and the answer."""
    if stop := _STOP.match(action):
        return Ending.DONE, stop[1].strip() or answer
    if call := _CALL.match(action):
        text = _literal(call[2])
        return (Ending.GAVE_UP, answer) if call[1] == "report_infeasible" else (Ending.DONE, text or answer)
    return ending, answer


def _literal(text: str) -> str:
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text.strip()
    return str(value)


def _outcome(data: Mapping[str, Any]) -> bool | None:
    summary = data.get("summary_info")
    for place in (summary if isinstance(summary, dict) else {}, data):
        for name in ("cum_reward", "score", "reward", "success"):
            value = place.get(name)
            if isinstance(value, bool | int | float):
                return float(value) > 0.5  # half of the reward
    return None
