"""A run of the total suite: 152 tasks under three conditions with one reference agent on four phones."""

from __future__ import annotations

import time
from pathlib import Path

from benchmarks.memory import MemoryWatch
from benchmarks.report import Measure
from garabench.campaign.planner import make_plan
from garabench.campaign.run import run
from garabench.records.plan import CONDITIONS
from garabench.suite.suite import Suite

AGENT = "dismiss"
PHONES = 4
LIMIT_S = 900.0
LIMIT_MB = 2048.0


def measure_suite_run(folder: Path, tasks: str = "all", *, phones: int = PHONES) -> list[Measure]:
    """Run the suite, or a part of it from which the total duration is extrapolated.

    Args:
        folder: Run folder; empty.
        tasks: A task selector.
        phones: Number of virtual phones.

    Raises:
        GaraError: The run fails.
    """
    suite = Suite.load()
    plan = make_plan(suite.select(tasks), (AGENT,))
    total = len(suite.tasks) * len(CONDITIONS)
    start = time.perf_counter()
    with MemoryWatch() as watch:
        done = run(plan, folder / "run", jobs=phones, suite=suite)
    seconds = time.perf_counter() - start
    count = len(done.summaries)
    written = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    unsolved = sum(each.outcome != "success" for each in done.summaries)
    scale = total / count
    note = f"{count} episodes in {seconds:.0f} s on {phones} phones"
    return [
        Measure(f"run of {total} episodes", seconds * scale, "s", LIMIT_S, note=note),
        Measure(
            "peak memory of all processes",
            watch.peak_mb,
            "MB",
            LIMIT_MB,
            note=f"peak; {watch.peak_processes} processes, including the adb server",
        ),
        Measure("unsolved episodes", unsolved, "times", 0, note=f"by {AGENT}"),
        Measure(f"record of {total} episodes", written * scale / 1024**2, "MB"),
    ]
