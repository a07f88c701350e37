"""Import AndroidWorld's episodes as JSON: one file for each episode, or a list of episodes.

AndroidWorld stores episodes as compressed pickles, which are refused: convert them with its own
``checkpointer``, and write pictures as files or in Base64. The keys are those of its episodes;
``episode_data`` may be a list of steps, or one list for each key of a step.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from garabench.errors import InputError
from garabench.verifier.imports.imported_trajectory import (
    Frames,
    ImportedTrajectory,
    digest_of_files,
    first_text,
    read_json,
    text_of,
)
from garabench.verifier.trajectory import Ending, Trajectory, TrajectorySource, TrajectoryStep

_PICKLES = (".pkl", ".pkl.gz", ".pickle")
_STATUS = {"complete": Ending.DONE, "infeasible": Ending.GAVE_UP}


def find(folder: Path) -> Iterator[Path]:
    """Iterate over the episodes' files in a folder.

    Args:
        folder: The folder.

    Raises:
        InputError: It has only pickles.
    """
    files = sorted(path for path in folder.rglob("*.json") if path.is_file())
    if not files and any(path.name.endswith(_PICKLES) for path in folder.rglob("*")):
        raise InputError(
            f"{folder} has only pickles, which are not read: reading one runs its code",
            hint="Convert the episodes to JSON with AndroidWorld's own checkpointer.",
        )
    yield from files


def read(file: Path, root: Path, pictures: Path) -> Iterator[ImportedTrajectory]:
    """Read the episodes of a file.

    Args:
        file: The file.
        root: The folder that was searched.
        pictures: Where encoded pictures are written.

    Raises:
        InputError: It is malformed.
    """
    data = read_json(file)
    episodes = data if isinstance(data, list) else [data]
    for number, episode in enumerate(episodes):
        if not isinstance(episode, dict) or "goal" not in episode:
            raise InputError(f"{file}: episode {number} has no goal")
        name = file.relative_to(root).with_suffix("").as_posix()
        yield _episode(episode, file, name if len(episodes) == 1 else f"{name}/{number}", pictures)


def _episode(episode: Mapping[str, Any], file: Path, key: str, pictures: Path) -> ImportedTrajectory:
    rows = _steps(episode.get("episode_data"), file)
    frames = Frames(file.parent, pictures)
    steps: list[TrajectoryStep] = []
    ending, answer = Ending.STOPPED, None
    for number, row in enumerate(rows):
        last = number == len(rows) - 1
        before = frames.add(
            number,
            row.get("before_screenshot") or row.get("raw_screenshot"),
            text=first_text(row, "before_element_list", "before_ui_elements"),
        )
        after = frames.add(number + 1, row.get("after_screenshot"), final=True) if last else None
        action = _action(row)
        kind = str(action.get("action_type", "")).casefold()
        if kind == "status":
            ending = _STATUS.get(str(action.get("goal_status", "")).casefold(), ending)
        elif kind == "answer":
            answer = text_of(action.get("text")) or None
        steps.append(
            TrajectoryStep(
                number=number,
                action=None,
                text=text_of(action) if action else first_text(row, "action_output", "action"),
                thought=first_text(row, "action_reason", "summary"),
                before=before,
                after=after,
            )
        )
    steps = _linked(steps)
    done = episode.get("is_successful")
    return ImportedTrajectory(
        Trajectory(
            key=key,
            source=TrajectorySource.ANDROIDWORLD,
            digest=digest_of_files(file),
            instruction=text_of(episode["goal"]),
            task=first_text(episode, "task_template"),
            frames=frames.frames,
            steps=tuple(steps),
            ending=Ending.BROKEN if episode.get("exception_info") else ending,
            answer=answer,
            final_message=steps[-1].thought if steps else "",
        ),
        float(done) >= 1 if isinstance(done, bool | int | float) else None,
    )


def _linked(steps: list[TrajectoryStep]) -> list[TrajectoryStep]:
    """Return the steps, each with the next step's frame after its action."""
    following = [*(step.before for step in steps[1:]), None]
    return [
        TrajectoryStep(
            step.number,
            step.action,
            step.text,
            step.thought,
            step.ok,
            step.detail,
            step.before,
            step.after if step.after is not None else after,
        )
        for step, after in zip(steps, following, strict=True)
    ]


def _steps(data: object, file: Path) -> list[Mapping[str, Any]]:
    if data is None:
        return []
    if isinstance(data, list) and all(isinstance(row, dict) for row in data):
        return data
    if isinstance(data, dict) and all(isinstance(column, list) for column in data.values()):
        length = max((len(column) for column in data.values()), default=0)
        return [
            {name: column[at] for name, column in data.items() if at < len(column)} for at in range(length)
        ]
    raise InputError(f"{file}: episode_data is neither a list of steps nor one list for each key")


def _action(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the action as an object; empty if it is not recorded as one."""
    for name in ("action_output_json", "converted_action", "action"):
        value = row.get(name)
        if isinstance(value, str):
            try:
                value = json.loads(value)
            except ValueError:
                continue
        if isinstance(value, dict):
            return value
    return {}
