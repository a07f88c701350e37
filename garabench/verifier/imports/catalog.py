"""The importers by the tool whose trajectories they read."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from garabench.errors import InputError
from garabench.records.run_layout import RUN_FILE
from garabench.verifier.imports import aitk, androidlab, androidworld, osworld, webarena
from garabench.verifier.imports.imported_trajectory import ImportedTrajectory
from garabench.verifier.trajectory import TrajectorySource

IMPORTED = tuple(source for source in TrajectorySource if source is not TrajectorySource.GARABENCH)
"""The tools whose trajectories can be imported."""


OnBroken = Callable[[InputError], None]
"""Called with the error of a trajectory that cannot be read."""
REPAIR_HINT = "Repair the file, or remove its trajectory from the folder, and import again."
"""What to do about a broken trajectory whose error has no hint."""


def import_trajectories(
    folder: Path, source: TrajectorySource, pictures: Path, on_broken: OnBroken | None = None
) -> Iterator[ImportedTrajectory]:
    """Iterate over the trajectories in a folder of another tool.

    Args:
        folder: The folder.
        source: The tool.
        pictures: Where pictures that are encoded in a file are written.
        on_broken: Called with the error of each trajectory that cannot be read, which is left out; None to
            raise the first one.

    Raises:
        InputError: The folder has no trajectory, none can be read, a file is malformed, or it is a run of
            GaraBench.
    """
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder")
    if (run := _recorded_run(folder)) is not None:
        raise InputError(
            f"{run} is a run of GaraBench, not a trajectory of {source.value}",
            hint=f"Runs need no import: garabench verify run {shlex.quote(str(run))}",
        )
    count = 0
    first: InputError | None = None
    find, read = _reader(source)
    for place in find(folder):
        try:
            for each in read(place, folder, pictures):
                count += 1
                yield each
        except InputError as error:
            if on_broken is None:
                raise
            error.hint = error.hint or REPAIR_HINT
            first = first or error
            on_broken(error)
    if first is not None and not count:
        raise first
    if not count:
        raise InputError(
            f"{folder} has no trajectory of {source.value}",
            hint=f"Expected {_SOUGHT[source]} in it or below; docs/verifier.md describes the formats.",
        )


def _recorded_run(folder: Path) -> Path | None:
    """Return the run of GaraBench that a folder is or contains; None if there is none."""
    for file in (folder / RUN_FILE, *sorted(folder.glob(f"*/{RUN_FILE}"))):
        try:
            data = json.loads(file.read_bytes())
        except (OSError, ValueError, RecursionError):
            continue  # whoever reads it reports it
        if isinstance(data, dict) and {"plan", "suite_hash"} <= data.keys():
            return file.parent
    return None


_SOUGHT = {
    TrajectorySource.OSWORLD: "traj.jsonl",
    TrajectorySource.ANDROIDWORLD: "*.pkl.gz, *.pkl, *.pickle and *.json files",
    TrajectorySource.ANDROIDLAB: "trace.jsonl",
    TrajectorySource.AITK: "history.json",
    TrajectorySource.WEBARENA: "*.json files",
}
"""What the importers search folders for."""
_Find = Callable[[Path], Iterable[Path]]
_Read = Callable[[Path, Path, Path], Iterable[ImportedTrajectory]]


def _reader(source: TrajectorySource) -> tuple[_Find, _Read]:
    """Return what finds and what reads the trajectories of a tool."""
    match source:
        case TrajectorySource.OSWORLD:
            return osworld.find_files, _one(osworld.read)
        case TrajectorySource.ANDROIDWORLD:
            return androidworld.find_files, androidworld.read
        case TrajectorySource.ANDROIDLAB:
            return androidlab.find_files, _one(androidlab.read)
        case TrajectorySource.AITK:
            return aitk.find_files, _one(aitk.read)
        case TrajectorySource.WEBARENA:
            return webarena.find_files, _one(webarena.read)
        case _:
            raise InputError(f"trajectories of {source.value} are read from its runs, not imported")


def _one(read: Callable[[Path, Path, Path], ImportedTrajectory]) -> _Read:
    return lambda place, root, pictures: (read(place, root, pictures),)
