"""Write a run with every kind of outcome, and with texts that are hard to export."""

from __future__ import annotations

from pathlib import Path

from garabench.core.usage import Usage
from garabench.records.aftermath import AfterInterruption, Drift, RecoveredTo
from garabench.records.plan import Plan
from garabench.records.results import InjectedInterruption, Summary
from garabench.records.run_writer import RunWriter
from tests.small_suite import run_file

SHOWN = InjectedInterruption(
    "offline",
    "network",
    "high",
    True,
    exit="accept",
    aftermath=AfterInterruption(RecoveredTo.SAME, 1, 0.5, (Drift.TEXT_GONE,)),
)
SUMMARIES = (
    Summary("a", "ignore", "clean", 1, "success", "goal_met", 3, seconds=1.25, app="a.b", reference=True),
    Summary(
        "a", "ignore", "dual", 1, "failure", "false_done", 5, shown=1, interruptions=(SHOWN,), injected=1
    ),
    Summary(
        "b", "ignore", "dual", 1, "error", "fault", 0, fault="=1+1: \x00 gone", fault_error="DeviceError"
    ),
    Summary(
        "b", "ignore", "dual", 2, "failure", "step_limit", 9, seconds=4321.5, unknown="<unreadable> & more"
    ),
    Summary("c", "ignore", "dual", 1, "success", "goal_met", 2, injected=1, missed=("timeout",)),
    Summary(
        "c", "ignore", "clean", 1, "success", "goal_met", 2, usage=Usage(requests=2, sent=10, received=5)
    ),
)


def write_run(folder: Path) -> Path:
    """Write a run with `SUMMARIES` as its results; return its folder."""
    writer = RunWriter.create(folder, run_file(Plan(tasks=("a", "b", "c"), agents=("ignore",), seeds=2)))
    for summary in SUMMARIES:
        writer.append_result(summary)
    return writer.folder
