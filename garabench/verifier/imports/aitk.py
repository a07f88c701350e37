"""Import AITK's trajectories, those of A3: a folder for each task with ``history.json`` and ``states/``.

An agent's history and a person's have the same form. ``history.json`` has no result, and the pickle next to
it, a function that checks the task, is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from garabench.core import action as act
from garabench.errors import InputError
from garabench.verifier.imports.imported_trajectory import (
    Frames,
    ImportedTrajectory,
    bounded_text,
    digest_of_files,
    first_text,
    pixel,
    read_json,
)
from garabench.verifier.trajectory import Ending, Trajectory, TrajectorySource, TrajectoryStep

_PACKAGE = re.compile(r"[A-Za-z]\w*(\.[A-Za-z]\w*)+")
_HISTORY = "history.json"
_STATES = "states"


def find_files(folder: Path) -> Iterator[Path]:
    """Iterate over the histories in a folder.

    Args:
        folder: The folder.
    """
    yield from sorted(folder.rglob(_HISTORY))


def read(file: Path, root: Path, pictures: Path) -> ImportedTrajectory:
    """Read a trajectory.

    Args:
        file: The history.
        root: The folder that was searched.
        pictures: Where encoded pictures are written.

    Raises:
        InputError: It is malformed, or the task is missing.
    """
    data = read_json(file)
    rows = data.get("steps") if isinstance(data, dict) else None
    if not isinstance(rows, list):
        raise InputError(f"{file} is not a history: it needs a task and a list of steps")
    for number, row in enumerate(rows):
        if not isinstance(row, dict):
            raise InputError(f"{file}: step {number} is not an object with a screen and an action")
    instruction = first_text(data, "task", "instruction")
    if not instruction:
        raise InputError(f"{file}: the task is missing")
    folder = file.parent
    frames = Frames(folder, pictures)
    steps: list[TrajectoryStep] = []
    ending, answer = Ending.STOPPED, None
    for number, row in enumerate(rows):
        at = frames.add(
            number,
            _below(folder, "screenshots", first_text(row, "screenshot")),
            tree=_below(folder, "xmls", first_text(row, "xml")),
            package=first_text(row, "package"),
            activity=first_text(row, "activity"),
        )
        given = row.get("action")
        following = rows[number + 1] if number + 1 < len(rows) else {}
        action = _action(given if isinstance(given, dict) else {}, first_text(following, "package"))
        if isinstance(action, act.Done):
            ending, answer = Ending.DONE, action.answer or None
        steps.append(
            TrajectoryStep(
                number=number,
                action=action,
                text=bounded_text(given),
                thought=first_text(row, "agent_message"),
                before=at,
            )
        )
    after = [*(step.before for step in steps[1:]), None]
    steps = [
        TrajectoryStep(step.number, step.action, step.text, step.thought, before=step.before, after=at)
        for step, at in zip(steps, after, strict=True)
    ]
    is_person = not any("agent_message" in row for row in rows)
    return ImportedTrajectory(
        Trajectory(
            key=folder.relative_to(root).as_posix() if folder != root else folder.name,
            source=TrajectorySource.AITK,
            digest=digest_of_files(file),
            instruction=instruction,
            task=first_text(data, "name") or folder.name,
            app=first_text(data, "app_package"),
            frames=frames.frames,
            steps=tuple(steps),
            ending=ending,
            answer=answer,
            final_message=steps[-1].thought if steps else "",
        ),
        agent="person" if is_person else _translator(data),
    )


def _below(folder: Path, kind: str, name: str) -> str:
    """Return the path of a state's file, relative to the folder."""
    path = f"{_STATES}/{kind}/{name}"
    return path if name and (folder / path).is_file() else name


def _translator(data: Mapping[str, Any]) -> str:
    """Return the agent's name: that of its translator in the experiment's settings."""
    settings = data.get("exp_args")
    return first_text(settings, "translator") if isinstance(settings, dict) else ""


def _action(data: Mapping[str, Any], package: str) -> act.Action | None:
    """Return an action of AITK's action space; None if it has no counterpart.

    Args:
        data: The action.
        package: The package on the next screen: ``open`` names an app by its label only.
    """
    x, y = pixel(data.get("x")), pixel(data.get("y"))
    name = data.get("action")
    if name in ("tap", "double_tap", "long_press"):
        if x is None or y is None:
            return None
        if name == "long_press":
            return act.LongPress(x=x, y=y)
        return act.Tap(x=x, y=y) if name == "tap" else act.DoubleTap(x=x, y=y)
    match name:
        case "swipe":
            ends = [pixel(data.get(each)) for each in ("x1", "y1", "x2", "y2")]
            x1, y1, x2, y2 = ends
            if x1 is None or y1 is None or x2 is None or y2 is None:
                return None
            return act.Swipe(x1=x1, y1=y1, x2=x2, y2=y2)
        case "type":
            return act.Type(text=bounded_text(data.get("text"))[:10_000])
        case "enter":
            return act.Key(name="enter")
        case "back":
            return act.Back()
        case "home":
            return act.Home()
        case "wait":
            return act.Wait()
        case "end":
            return act.Done(answer=bounded_text(data.get("answer")))
        case "open" if _PACKAGE.fullmatch(package):
            return act.OpenApp(package=package)
        case _:
            return None
