"""The importers by the tool whose trajectories they read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from garabench.errors import InputError
from garabench.verifier.imports import aitk, androidlab, androidworld, osworld, webarena
from garabench.verifier.imports.imported_trajectory import ImportedTrajectory
from garabench.verifier.trajectory import TrajectorySource

IMPORTED = tuple(source for source in TrajectorySource if source is not TrajectorySource.GARABENCH)
"""The tools whose trajectories can be imported."""


def import_trajectories(
    folder: Path, source: TrajectorySource, pictures: Path
) -> Iterator[ImportedTrajectory]:
    """Iterate over the trajectories in a folder of another tool.

    Args:
        folder: The folder.
        source: The tool.
        pictures: Where pictures that are encoded in a file are written.

    Raises:
        InputError: The folder has no trajectory, or a file is malformed.
    """
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder")
    count = 0
    for each in _all(folder, source, pictures):
        count += 1
        yield each
    if not count:
        raise InputError(f"{folder} has no trajectory of {source.value}")


def _all(folder: Path, source: TrajectorySource, pictures: Path) -> Iterator[ImportedTrajectory]:
    match source:
        case TrajectorySource.OSWORLD:
            for place in osworld.find(folder):
                yield osworld.read(place, folder, pictures)
        case TrajectorySource.ANDROIDWORLD:
            for file in androidworld.find(folder):
                yield from androidworld.read(file, folder, pictures)
        case TrajectorySource.ANDROIDLAB:
            for file in androidlab.find(folder):
                yield androidlab.read(file, folder, pictures)
        case TrajectorySource.AITK:
            for file in aitk.find(folder):
                yield aitk.read(file, folder, pictures)
        case TrajectorySource.WEBARENA:
            for file in webarena.find(folder):
                yield webarena.read(file, folder, pictures)
        case _:
            raise InputError(f"trajectories of {source.value} are read from its runs, not imported")
