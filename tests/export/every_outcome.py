"""Write runs with every kind of outcome: as results with texts that are hard to export, and as logs."""

from __future__ import annotations

from pathlib import Path

from garabench.core import events as ev
from garabench.core.injection import FailureKind
from garabench.core.usage import Usage
from garabench.records.aftermath import AfterInterruption, Drift, RecoveredTo
from garabench.records.episode_writer import EpisodeWriter
from garabench.records.plan import Plan
from garabench.records.results import InjectedInterruption, Summary
from garabench.records.run_layout import EpisodeKey
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


_SUCCESSES = ("goal_met",)
_FAILURES = (
    "false_done",
    "ambiguous_answer",
    "gave_up",
    "step_limit",
    "time_limit",
    "unparseable",
    "refused",
    "agent_timeout",
    "agent_failed",
)
ENDINGS = {
    **dict.fromkeys(_SUCCESSES, "success"),
    **dict.fromkeys(_FAILURES, "failure"),
    "fault": "error",
    "unknown": "unknown",
    "not-shown": "not-shown",
}
"""What each task of `write_endings` counts as."""
INFEASIBLE = {"gave_up_rightly": "success", "did_harm": "failure"}
"""The same, for its infeasible tasks."""


def write_endings(folder: Path) -> Path:
    """Write a run with a log for each way in which an episode can end; return its folder."""
    plan = Plan(tasks=(*ENDINGS, *INFEASIBLE), agents=("ignore",), conditions=("dual",))
    writer = RunWriter.create(folder, run_file(plan))
    for key in writer.file.episode_keys():
        with EpisodeWriter(writer.folder / key.folder) as log:
            log.append(_ending(key))
    writer.rebuild()
    return writer.folder


def _ending(key: EpisodeKey) -> list[ev.Event]:
    """Return the log of an episode that ends as the name of its task says."""
    counts_as = {**ENDINGS, **INFEASIBLE}[key.task]
    events: list[ev.Event] = [
        ev.EpisodeStarted(
            step=0,
            t=0,
            task=key.task,
            agent=key.agent,
            condition=key.condition,
            seed=key.seed,
            suite_hash="s",
            instruction=f"Like <{key.task}> & \u202edone",
            infeasible=key.task in INFEASIBLE,
        )
    ]
    if counts_as == "not-shown":
        events.append(
            ev.InterruptionInjected(
                step=0, t=0.1, token="t", rule="r", interruption="offline", category="network", mode="dual"
            )
        )
        events.append(
            ev.InjectionFailed(step=0, t=0.2, token="t", reason="secure", kind=FailureKind.SECURE_SCREEN)
        )
    events.append(
        ev.Decided(step=0, t=0.5, action={"type": "tap", "x": 5, "y": 7}, usage=Usage(requests=1, sent=10))
    )
    events.append(ev.PerformedEvent(step=0, t=0.6, ok=True))
    holds = None if counts_as == "unknown" else counts_as == "success"
    events.append(ev.GoalChecked(step=0, t=0.7, holds=holds, reason=key.task))
    if counts_as == "error":
        events.append(
            ev.FaultEvent(step=1, t=0.8, at_fault="device", error="DeviceLostError", message="gone")
        )
    reason = {"unknown": "step_limit", "not-shown": "goal_met"}.get(key.task, key.task)
    outcome = {"unknown": "failure", "not-shown": "success"}.get(counts_as, counts_as)
    end = {"step": 1, "t": 1.5, "outcome": outcome, "reason": reason, "steps": 1, "answer": "3"}
    events.append(ev.EpisodeEnded.model_validate(end))
    return events
