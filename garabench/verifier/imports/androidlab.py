"""Import AndroidLab's logs: a folder for each task with ``traces/trace.jsonl``, pictures and trees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

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

_TRACE = "trace.jsonl"
_NO_TREE = "ERROR"
_FINISH = frozenset({"finish", "exit"})


def find_files(folder: Path) -> Iterator[Path]:
    """Iterate over the traces in a folder.

    Args:
        folder: The folder.
    """
    yield from sorted(folder.rglob(_TRACE))


def read(file: Path, root: Path, pictures: Path) -> ImportedTrajectory:
    """Read a trace.

    Args:
        file: The trace.
        root: The folder that was searched.
        pictures: Where encoded pictures are written.

    Raises:
        InputError: It is malformed, or the instruction is missing.
    """
    rows = read_json_lines(file)
    folder = file.parent.parent if file.parent.name == "traces" else file.parent
    frames = Frames(folder, pictures)
    steps: list[TrajectoryStep] = []
    ending, answer = Ending.STOPPED, None
    before: int | None = None
    for number, row in enumerate(rows):
        action, said = _action(row), first_text(row, "current_response", "response")
        name = str(action.get("action") or action.get("operation") or "")
        focus = first_text(row, "current_activity").partition("/")
        at = frames.add(
            number,
            first_text(row, "image", "current_image", "screenshot"),
            tree=_tree(row),
            package=focus[0],
            activity=focus[2],
            final=number == len(rows) - 1 and name.casefold() in _FINISH,
        )
        if steps and at is not None:
            steps[-1] = _with_after(steps[-1], at)
        if name.casefold() in _FINISH:
            ending = Ending.DONE
            kwargs = action.get("kwargs")
            message = kwargs if isinstance(kwargs, dict) else action
            answer = first_text(message, "message", "answer", "text") or None
        before = at if at is not None else before
        steps.append(
            TrajectoryStep(
                number=number,
                action=None,
                text=bounded_text(action) if action else said,
                thought=said if action else "",
                before=before,
            )
        )
    return ImportedTrajectory(
        Trajectory(
            key=folder.relative_to(root).as_posix() if folder != root else folder.name,
            source=TrajectorySource.ANDROIDLAB,
            digest=digest_of_files(file),
            instruction=_instruction(folder, rows),
            task=folder.name,
            frames=frames.frames,
            steps=tuple(steps),
            ending=ending,
            answer=answer,
            final_message=steps[-1].thought if steps else "",
        )
    )


def _with_after(step: TrajectoryStep, after: int) -> TrajectoryStep:
    return TrajectoryStep(
        step.number, step.action, step.text, step.thought, step.ok, step.detail, step.before, after
    )


def _action(row: Mapping[str, Any]) -> Mapping[str, Any]:
    value = row.get("parsed_action") or row.get("action")
    return value if isinstance(value, dict) else {}


def _tree(row: Mapping[str, Any]) -> str:
    """Return the path of a screen's tree; ``ERROR`` stands for a dump that failed."""
    named = (first_text(row, name) for name in ("xml", "xml_path", "ac_xml"))
    return next((path for path in named if path and path != _NO_TREE), "")


def _instruction(folder: Path, rows: list[dict[str, Any]]) -> str:
    for row in rows:
        if found := first_text(row, "target", "instruction", "task"):
            return found
    config = folder / "task.json"
    if config.is_file():
        data = read_json(config)
        if isinstance(data, dict) and (found := first_text(data, "task", "instruction")):
            return found
    raise InputError(f"{folder}: the instruction is missing", hint="Put it into task.json as instruction.")
