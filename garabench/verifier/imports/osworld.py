"""Import OSWorld's results: a folder for each example with ``traj.jsonl``, pictures and ``result.txt``.

``traj.jsonl`` does not have the instruction: it is read from ``args.json``, ``instruction.txt`` or the
example's JSON file next to it, or from the examples folder (``evaluation_examples/examples``) above it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from garabench.errors import InputError
from garabench.verifier.imports.imported_trajectory import (
    Frames,
    ImportedTrajectory,
    bounded_text,
    digest_of_files,
    first_text,
    read_json,
    read_json_lines,
)
from garabench.verifier.trajectory import Ending, Trajectory, TrajectorySource, TrajectoryStep

_TRAJECTORY = "traj.jsonl"
_ENDINGS = {"DONE": Ending.DONE, "FAIL": Ending.GAVE_UP}


def find_files(folder: Path) -> Iterator[Path]:
    """Iterate over the trajectories in a folder.

    Args:
        folder: The folder.
    """
    yield from sorted(path.parent for path in folder.rglob(_TRAJECTORY))


def read(folder: Path, root: Path, pictures: Path) -> ImportedTrajectory:
    """Read a trajectory.

    Args:
        folder: The example's folder.
        root: The folder that was searched.
        pictures: Where encoded pictures are written.

    Raises:
        InputError: A file is malformed, or the instruction is missing.
    """
    file = folder / _TRAJECTORY
    rows = read_json_lines(file)
    frames = Frames(folder, pictures)
    before = frames.add(0, _first_picture(folder))
    steps: list[TrajectoryStep] = []
    ending = Ending.STOPPED
    for number, row in enumerate(rows):
        action = bounded_text(row.get("action"))
        last = number == len(rows) - 1
        after = frames.add(number + 1, row.get("screenshot_file"), final=last)
        steps.append(
            TrajectoryStep(
                number=number,
                action=None,
                text=action,
                thought=first_text(row, "response", "thought", "reasoning"),
                ok=False if "Error" in row else None,
                detail=first_text(row, "Error"),
                before=before,
                after=after,
            )
        )
        ending = _ENDINGS.get(action.strip(), ending)
        before = after if after is not None else before
    return ImportedTrajectory(
        Trajectory(
            key=folder.relative_to(root).as_posix() if folder != root else folder.name,
            source=TrajectorySource.OSWORLD,
            digest=digest_of_files(file),
            instruction=_instruction(folder, rows),
            task=folder.name,
            frames=frames.frames,
            steps=tuple(steps),
            ending=ending,
            final_message=steps[-1].thought if steps else "",
        ),
        _outcome(folder),
    )


def _first_picture(folder: Path) -> str:
    """Return the name of the picture before the first action; empty without one, as in most results."""
    return next((file.name for file in sorted(folder.glob("step_0*.png"))), "")


def _instruction(folder: Path, rows: list[dict[str, object]]) -> str:
    for row in rows:
        if found := first_text(row, "instruction"):
            return found
    text = folder / "instruction.txt"
    if text.is_file():
        return text.read_text(encoding="utf-8").strip()
    example = f"{folder.name}.json"
    places = [folder / "args.json", folder / "task.json", folder / "example.json", folder / example]
    for above in (folder.parent, *folder.parents):
        places += [
            above / example,
            above / "evaluation_examples" / "examples" / folder.parent.name / example,
            above / "examples" / folder.parent.name / example,
        ]
    for place in places:
        if place.is_file():
            data = read_json(place)
            if isinstance(data, dict) and (found := first_text(data, "instruction")):
                return found
    raise InputError(
        f"{folder}: the instruction is missing",
        hint=f"Put the example's file {example} or instruction.txt into the folder.",
    )


def _outcome(folder: Path) -> bool | None:
    file = folder / "result.txt"
    if not file.is_file():
        return None
    try:
        return float(file.read_text(encoding="utf-8").strip()) >= 1
    except ValueError:
        return None
