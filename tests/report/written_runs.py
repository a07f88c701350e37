"""Write runs for the tests of reports: summaries alone, or with logs and pictures."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from garabench.core import events as ev
from garabench.records.content_store import ContentStore
from garabench.records.device_environment import DeviceKind, Environment
from garabench.records.episode_writer import EpisodeWriter
from garabench.records.plan import Plan
from garabench.records.results import InjectedInterruption, Summary
from garabench.records.run_file import RunAgent, RunAgentKind, RunFile, repetition_seed
from garabench.records.run_writer import RunWriter

HOSTILE = "\"'><script>alert(1)</script><img src=x onerror=alert(2)>\u202e{{ 7 * 7 }}</style>&"
SEED = repetition_seed(Plan(tasks=("a",), agents=("a",)), 0)
_REASONS = {"success": "goal_met", "failure": "false_done", "error": "fault"}
_KINDS = {"dismiss": RunAgentKind.REFERENCE, "heuristic": RunAgentKind.HEURISTIC}


def episode(task: str, agent: str, condition: str, outcome: str, **more: Any) -> Summary:
    """Return the summary of an episode."""
    shown: dict[str, Any] = {}
    if condition != "clean":
        interruption = InjectedInterruption("low-battery", "resource", "low", True)
        shown = {"injected": 1, "shown": 1, "exits": ("dismiss",), "recovery": (1,)}
        shown["interruptions"] = (interruption,)
    base: dict[str, Any] = {
        "seed": SEED,
        "reason": _REASONS[outcome],
        "steps": 5,
        "solution_steps": 4,
        "seconds": 2.0,
    }
    if outcome == "error":
        base["fault"] = "device: it went away"
    given = {"task": task, "agent": agent, "condition": condition, "outcome": outcome}
    return Summary(**{**given, **base, **shown, **more})


def write_run(
    folder: Path,
    summaries: Sequence[Summary],
    *,
    kind: DeviceKind = DeviceKind.VIRTUAL,
    tasks: Sequence[str] = (),
    agents: Sequence[str] = (),
    conditions: Sequence[str] = ("clean", "dual"),
    serial: str | None = None,
    **plan: Any,
) -> RunWriter:
    """Write a run with these results; the plan has their tasks and agents unless others are given."""
    tasks = tuple(tasks) or tuple(dict.fromkeys(each.task for each in summaries))
    agents = tuple(agents) or tuple(dict.fromkeys(each.agent for each in summaries))
    file = RunFile(
        garabench="0.3.0",
        plan=Plan(tasks=tasks, agents=agents, conditions=tuple(conditions), **plan),
        agents=tuple(
            RunAgent(name=name, text=name, kind=_KINDS.get(name, RunAgentKind.EXTERNAL)) for name in agents
        ),
        suite_hash="5" * 64,
        device=Environment(
            kind=kind, serial=serial, model="Virtual 14", release="14", sdk=34, size="1080x2400"
        ),
    )
    writer = RunWriter.create(folder, file)
    for summary in summaries:
        writer.append_result(summary)
    return writer


def picture(color: str = "navy") -> bytes:
    """Return a picture of one colour."""
    out = io.BytesIO()
    Image.new("RGB", (1080, 2400), color).save(out, "PNG")
    return out.getvalue()


def write_log(
    writer: RunWriter,
    summary: Summary,
    typed: str = "",
    screen: bytes | None = None,
    tree: bytes = b'<hierarchy rotation="0"/>',
) -> None:
    """Write the log of an episode that observes a screen, types a text and ends."""
    store = ContentStore.of_run(writer.folder)
    stored = store.add_tree(tree)
    seen = "0" * 64 if screen is None else store.add_picture(screen)
    common = {"tree": stored, "screen": seen, "package": "com.example", "activity": "Main"}
    observed = {"source": "uiautomator2", "signature": "s", **common}
    events: list[ev.Event] = [
        ev.EpisodeStarted(
            step=0,
            t=0,
            task=summary.task,
            agent=summary.agent,
            condition=summary.condition,
            seed=summary.seed,
            suite_hash="5" * 64,
            instruction="Search for rice",
        ),
        ev.Observed(step=0, t=0.1, **observed),
    ]
    if summary.shown:
        words = {"rule": "r", "interruption": "low-battery", "category": "resource", "mode": "dual"}
        events.append(ev.InterruptionInjected(step=0, t=0.2, token="t", **words))
        events.append(ev.InterruptionShown(step=0, t=0.3, token="t"))
    if typed:
        events.append(ev.Decided(step=0, t=0.5, action={"type": "type", "text": typed}))
    events.append(ev.GoalChecked(step=0, t=0.6, holds=False, reason="id=title is not on the screen"))
    end = {"outcome": summary.outcome, "reason": summary.reason, "steps": summary.steps}
    events.append(ev.EpisodeEnded.model_validate({"step": 1, "t": summary.seconds, **end}))
    with EpisodeWriter(writer.folder / summary.key.folder) as recorder:
        recorder.append(events)


FOUR = [
    episode("app-a", "heuristic", "clean", "success"),
    episode("app-a", "heuristic", "dual", "failure"),
    episode("app-b", "heuristic", "clean", "success"),
    episode("app-b", "heuristic", "dual", "success"),
]
"""Two tasks, both solved clean, one of them also interrupted."""
