"""The importers by the tool whose trajectories they read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from garabench.errors import InputError
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
        InputError: The folder has no trajectory, none can be read, or a file is malformed.
    """
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder")
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
        raise InputError(f"{folder} has no trajectory of {source.value}")


_Find = Callable[[Path], Iterable[Path]]
_Read = Callable[[Path, Path, Path], Iterable[ImportedTrajectory]]


def _reader(source: TrajectorySource) -> tuple[_Find, _Read]:
    """Return what finds and what reads the trajectories of a tool."""
    match source:
        case TrajectorySource.OSWORLD:
            return osworld.find, _one(osworld.read)
        case TrajectorySource.ANDROIDWORLD:
            return androidworld.find, androidworld.read
        case TrajectorySource.ANDROIDLAB:
            return androidlab.find, _one(androidlab.read)
        case TrajectorySource.AITK:
            return aitk.find, _one(aitk.read)
        case TrajectorySource.WEBARENA:
            return webarena.find, _one(webarena.read)
        case _:
            raise InputError(f"trajectories of {source.value} are read from its runs, not imported")


def _one(read: Callable[[Path, Path, Path], ImportedTrajectory]) -> _Read:
    return lambda place, root, pictures: (read(place, root, pictures),)
