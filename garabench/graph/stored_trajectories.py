"""The trajectories that were read from a run, stored in it: ``RUN/graph/trajectories.jsonl``.

The first line has the version and a fingerprint of the run's results; the file is ignored if they differ.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from garabench.errors import RecordError
from garabench.graph.action_trajectory import ActionStep, ActionTrajectory, Encounter
from garabench.graph.canonical_action import CanonicalAction
from garabench.graph.run_trajectories import RunTrajectories, run_trajectories
from garabench.records.disk import write_atomic
from garabench.records.reader import Run
from garabench.records.run_layout import RESULTS

FOLDER, FILE = "graph", "trajectories.jsonl"
VERSION = 2


def is_stored(run: Run) -> bool:
    """Return whether a run has stored trajectories, of any version."""
    return (run.folder / FOLDER / FILE).is_file()


def load_trajectories(run: Run, task: str | None = None) -> RunTrajectories:
    """Return a run's trajectories: the stored ones if they are current, else those of its records, stored.

    Args:
        run: The run.
        task: The only task whose trajectories are returned, for which others are not parsed; default: all.

    Raises:
        InputError: A record is broken or of a newer version.
    """
    path, fingerprint = run.folder / FOLDER / FILE, _fingerprint(run)
    stored = _read(path, fingerprint, run.folder.name, task)
    if stored is not None:
        return stored
    found = run_trajectories(run)
    # A run that cannot be written can still be read.
    with contextlib.suppress(OSError, RecordError):
        path.parent.mkdir(exist_ok=True)
        write_atomic(path, _text(found, fingerprint).encode())
    return _of_task(found, task)


def _of_task(found: RunTrajectories, task: str | None) -> RunTrajectories:
    if task is None:
        return found
    return dataclasses.replace(
        found, trajectories=tuple(each for each in found.trajectories if each.task == task)
    )


def _fingerprint(run: Run) -> str:
    try:
        return hashlib.sha256((run.folder / RESULTS).read_bytes()).hexdigest()
    except OSError:
        return ""


def _text(found: RunTrajectories, fingerprint: str) -> str:
    head = {
        "version": VERSION,
        "results": fingerprint,
        "unfinished": found.unfinished,
        "errors": found.errors,
        "missed": found.missed,
    }
    lines = [head, *(_to_json(each) for each in found.trajectories)]
    return "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)


def _read(path: Path, fingerprint: str, source: str, task: str | None) -> RunTrajectories | None:
    # Other tasks' lines are not parsed.
    wanted = b"" if task is None else json.dumps(task, ensure_ascii=False).encode()
    try:
        with path.open("rb") as file:
            head = json.loads(file.readline())
            if head["version"] != VERSION or head["results"] != fingerprint or not fingerprint:
                return None
            found = tuple(_from_json(json.loads(line), source) for line in file if wanted in line)
        return _of_task(RunTrajectories(found, head["unfinished"], head["errors"], head["missed"]), task)
    except (OSError, ValueError, KeyError, TypeError):
        return None  # read from the records again


def _to_json(each: ActionTrajectory) -> dict[str, Any]:
    data = {field.name: getattr(each, field.name) for field in dataclasses.fields(each)}
    data["steps"] = [
        [
            *dataclasses.astuple(step.action),
            step.number,
            step.state,
            step.picture,
            *([step.words] if step.words else []),
        ]
        for step in each.steps
    ]
    data["encounters"] = [dataclasses.astuple(one) for one in each.encounters]
    return data


def _from_json(data: Mapping[str, Any], source: str) -> ActionTrajectory:
    steps = tuple(
        ActionStep(CanonicalAction(*map(str, step[:5])), int(step[5]), *map(str, step[6:9]))
        for step in data["steps"]
    )
    identity = str(data["id"]).partition("/")[2]
    return ActionTrajectory(
        **{
            **data,
            "id": f"{source}/{identity}",  # the folder may have been renamed
            "source": source,
            "steps": steps,
            "encounters": tuple(Encounter(*each) for each in data["encounters"]),
        }
    )
