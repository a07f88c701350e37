"""The record of an attempt as a value that can be sent from one computer to another.

A worker on another computer records an attempt in a separate run folder, which holds nothing else. Its
files become a value, and the process that owns the run writes them into the run's folder. So no two
processes ever write the same folder.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from garabench.errors import InputError
from garabench.records.disk import disk_error, make_durable_folder, write_atomic
from garabench.records.episode_writer import move_aside
from garabench.records.run_layout import ATTEMPT_FILES, EVENTS, STORE, EpisodeKey


@dataclass(frozen=True, slots=True)
class AttemptFiles:
    """The record of one attempt at an episode.

    Attributes:
        key: The episode.
        files: Its files by their path in the episode's folder.
        stored: The pictures and trees by their path in the run's store.
    """

    key: EpisodeKey
    files: Mapping[str, bytes]
    stored: Mapping[str, bytes]


def read_attempt(run: Path, key: EpisodeKey) -> AttemptFiles:
    """Read the record of an attempt from a run folder that holds only this attempt.

    Args:
        run: The folder.
        key: The episode.

    Raises:
        RecordError: It cannot be read.
    """
    try:
        return AttemptFiles(key, _read_all(run / key.folder), _read_all(run / STORE))
    except OSError as error:
        raise disk_error(error, run) from error


def write_attempt(run: Path, attempt: AttemptFiles) -> None:
    """Write the record of an attempt into a run; an earlier attempt at the episode is moved aside.

    The log is written last: a kill before that leaves no attempt.

    Raises:
        InputError: A path leads out of the run.
        RecordError: It cannot be written.
    """
    folder = run / attempt.key.folder
    for name in (*attempt.files, *attempt.stored):
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts:
            raise InputError(f"the record of {attempt.key} has the path {name!r}, which leads out of the run")
    for name, content in attempt.stored.items():
        if not (run / STORE / name).exists():
            write_atomic(run / STORE / name, content)
    try:
        make_durable_folder(folder)
        if (folder / EVENTS).exists():
            move_aside(folder)
        else:
            _remove_parts(folder)
    except OSError as error:
        raise disk_error(error, folder) from error
    for name in sorted(attempt.files, key=lambda each: each == EVENTS):
        write_atomic(folder / name, attempt.files[name], durable=name == EVENTS)


def _read_all(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


def _remove_parts(folder: Path) -> None:
    """Remove what an interrupted write has left."""
    for name in ATTEMPT_FILES:
        path = folder / name
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
