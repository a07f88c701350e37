"""Disk usage of a run, by kind of content."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from garabench.records.reader import Run
from garabench.records.references import attempts, references
from garabench.records.run_layout import IMAGES, REQUESTS, SCREENS, STORE, TREES


@dataclass(frozen=True, slots=True)
class DiskUsage:
    """The size of a run's folder, in bytes.

    Attributes:
        files: Number of files.
        total: Size of all files.
        pictures: Pictures in the store or, in older runs, in the episodes' folders.
        trees: UI trees, in the same places.
        transcripts: Requests and replies of models.
        other_files: Logs, results and the rest.
        named: Number of references to pictures and trees in the records.
        saved: Bytes saved by storing each picture and tree once instead of once per reference.
    """

    files: int
    total: int
    pictures: int
    trees: int
    transcripts: int
    other_files: int
    named: int
    saved: int


def disk_usage(run: Run) -> DiskUsage:
    """Measure a run's folder.

    Raises:
        InputError: A record is broken or of a newer version.
    """
    sizes = {path: path.stat().st_size for path in sorted(run.folder.rglob("*")) if path.is_file()}
    groups = {"pictures": 0, "trees": 0, "transcripts": 0, "other_files": 0}
    for path, size in sizes.items():
        groups[_group(path.relative_to(run.folder))] += size
    named = [
        reference.path
        for attempt, latest in attempts(run.folder)
        for reference in references(attempt, latest=latest)
    ]
    return DiskUsage(
        files=len(sizes),
        total=sum(sizes.values()),
        named=len(named),
        saved=_size(named, sizes) - _size(set(named), sizes),
        **groups,
    )


def _size(paths: Iterable[Path], sizes: dict[Path, int]) -> int:
    return sum(sizes.get(path, 0) for path in paths)


def _group(path: Path) -> str:
    if path.parts[0] == STORE:
        return "trees" if path.name.endswith(".xml.gz") else "pictures"
    return _GROUPS.get(path.parent.name, "other_files")


_GROUPS = {SCREENS: "pictures", IMAGES: "pictures", TREES: "trees", REQUESTS: "transcripts"}
