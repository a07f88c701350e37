"""Export a run to the format of another tool."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from pathlib import Path

from garabench.errors import InputError
from garabench.export.episode_rows import write_csv, write_jsonl, write_parquet
from garabench.export.inspect_log import write_inspect_logs
from garabench.export.junit import write_junit
from garabench.export.trajectories import write_trajectories
from garabench.records.disk import disk_error
from garabench.records.reader import Run, load_run


class ExportFormat(enum.StrEnum):
    """The formats of exports."""

    INSPECT_EVAL = "inspect-eval"
    """A folder with a log of Inspect per agent and condition."""
    JUNIT = "junit"
    """JUnit XML."""
    CSV = "csv"
    """A row per episode."""
    PARQUET = "parquet"
    """Apache Parquet, a row per episode; needs ``garabench[export]``."""
    JSONL = "jsonl"
    """A line of JSON per episode."""
    TRAJECTORIES = "trajectories"
    """A line of JSON per episode, with each step."""


_WRITERS: Mapping[ExportFormat, Callable[[Run, Path], int]] = {
    ExportFormat.INSPECT_EVAL: write_inspect_logs,
    ExportFormat.JUNIT: write_junit,
    ExportFormat.CSV: write_csv,
    ExportFormat.PARQUET: write_parquet,
    ExportFormat.JSONL: write_jsonl,
    ExportFormat.TRAJECTORIES: write_trajectories,
}


def export_run(run: Run | Path | str, format_: ExportFormat | str, out: Path | str) -> int:
    """Export a run to the format of another tool.

    Args:
        run: The run, or its folder.
        format_: The format.
        out: The file to write; for ``inspect-eval`` a folder. An existing file is replaced.

    Returns:
        The number of exported episodes.

    Raises:
        InputError: The run cannot be read, the format is unknown or needs a package, or the path cannot be
            written.
        RecordError: The disk is full.
    """
    loaded = run if isinstance(run, Run) else load_run(run)
    try:
        wanted = ExportFormat(format_)
    except ValueError:
        raise InputError(f"unknown format {format_!r}; known: {', '.join(ExportFormat)}") from None
    path = Path(out)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return _WRITERS[wanted](loaded, path)
    except OSError as error:
        raise disk_error(error, path) from error
