"""Remove files that a run does not need: those that no record names, and pictures of earlier attempts."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path

from garabench.errors import RecordError
from garabench.records.fsck import orphans
from garabench.records.lock import locked
from garabench.records.reader import Run
from garabench.records.references import attempts, references


@dataclass(frozen=True, slots=True)
class PruneResult:
    """The files that were removed, or would be.

    Attributes:
        orphans: Files that no record names.
        earlier_pictures: Pictures that only earlier attempts name; the logs and trees of these stay.
        size: Size of all these files, in bytes.
    """

    orphans: tuple[Path, ...]
    earlier_pictures: tuple[Path, ...]
    size: int


def prune(run: Run, *, dry_run: bool = False) -> PruneResult:
    """Remove files that a run does not need.

    Args:
        run: The run.
        dry_run: Remove nothing.

    Raises:
        InputError: The run is in use by another process; or a record is broken or of a newer version, so that
            it is unknown which files it names.
        RecordError: A file cannot be removed.
    """
    with contextlib.nullcontext() if dry_run else locked(run.folder):
        needed: set[Path] = set()
        earlier_only: set[Path] = set()
        named: set[Path] = set()
        for attempt, latest in attempts(run.folder):
            for reference in references(attempt, latest=latest):
                named.add(reference.path)
                if reference.latest or reference.is_tree:
                    needed.add(reference.path)
                else:
                    earlier_only.add(reference.path)
        unnamed = tuple(orphans(run, named))
        earlier = tuple(sorted(path for path in earlier_only - needed if path.is_file()))
        size = sum(path.stat().st_size for path in (*unnamed, *earlier))
        if not dry_run:
            for path in (*unnamed, *earlier):
                try:
                    path.unlink()
                except OSError as error:
                    raise RecordError(f"{path} could not be removed: {error.strerror or error}") from error
    return PruneResult(unnamed, earlier, size)
