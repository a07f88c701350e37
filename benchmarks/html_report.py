"""The report of a run of 1,000 episodes with screenshots, its redaction, and its bundle."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.report import Measure
from garabench.records.bundle import open_bundle, write_bundle
from garabench.records.reader import load_run
from garabench.report.html_report import write_report
from tests.report.viewer.played_runs import played_run

_TASKS, _AGENTS, _SEEDS = 50, 5, 2  # with two conditions: 1,000 episodes


def measure_report(folder: Path, recorded: Path | None = None) -> list[Measure]:
    """Measure the report and the bundle of a run.

    Args:
        folder: An empty folder.
        recorded: A recorded run, with the screens of real or virtual devices; None for a synthetic one.
    """
    tasks = [f"reader-task-{number:03}" for number in range(_TASKS)]
    agents = [f"agent-{number}" for number in range(_AGENTS)]
    run = load_run(recorded or played_run(folder / "run", tasks=tasks, agents=agents, seeds=_SEEDS).folder)
    page, archive = folder / "report.html", folder / "run.zip"
    episodes = f"{len(run.summaries)} episodes"
    written = _timed(lambda: write_report(run, page))
    size = page.stat().st_size / 1e6
    redacted = _timed(lambda: write_report(load_run(run.folder), folder / "redacted.html", redact=True))
    bundled = _timed(lambda: write_bundle(run, archive))
    opened = _timed(lambda: open_bundle(archive, folder / "opened"))
    return [
        Measure("report: written", written, "s", 60, note=f"{episodes}, with thumbnails"),
        Measure("report: size", size, "MB", 15, note=episodes),
        Measure("report: written redacted", redacted, "s", 60, note=f"{episodes}; reads every log and tree"),
        Measure("bundle: written", bundled, "s", note=episodes),
        Measure("bundle: opened", opened, "s", note=f"{episodes}; every hash is checked"),
    ]


def _timed(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start
