"""``garabench compare`` of ten agents on 152 tasks, three conditions and five seeds: 22,800 results."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.report import Measure
from garabench.core.seeds import derive
from garabench.records.aftermath import AfterInterruption, RecoveredTo
from garabench.records.device_environment import DeviceKind, Environment
from garabench.records.plan import Plan
from garabench.records.results import InjectedInterruption, Summary
from garabench.records.run_file import RunAgent, RunAgentKind, RunFile, repetition_seed
from garabench.records.run_writer import RunWriter
from garabench.stats.bootstrap import DRAWS

AGENTS, TASKS, SEEDS = 10, 152, 5
_CATEGORIES = ("network", "resource", "permission", "app-fault", "app-prompt")


def measure_comparison(folder: Path) -> list[Measure]:
    """Measure the whole command, from its start, with all tables and all bootstrap intervals.

    Args:
        folder: An empty folder for the results.
    """
    run = _record(folder / "run")
    command = [
        str(Path(sys.executable).with_name("garabench")),
        "compare",
        str(run),
        "--json",
        "--power",
        "5",
    ]
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    seconds, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    comparisons = json.loads(done.stdout)["comparisons"]
    assert all(each["interval"] is not None for each in comparisons)
    results = AGENTS * TASKS * SEEDS * 3
    note = f"{results} results, {len(comparisons)} comparisons, {DRAWS} draws each"
    return [
        Measure("garabench compare, processor time", processor, "s", 10, note=note),
        Measure("garabench compare, elapsed", seconds, "s", note="of one command, from its start"),
    ]


def _record(folder: Path) -> Path:
    names = tuple(f"agent-{number}" for number in range(AGENTS))
    plan = Plan(tasks=tuple(f"task-{number}" for number in range(TASKS)), agents=names, seeds=SEEDS)
    file = RunFile(
        garabench="0.3.0",
        plan=plan,
        agents=tuple(RunAgent(name=name, text=name, kind=RunAgentKind.EXTERNAL) for name in names),
        suite_hash="0" * 64,
        device=Environment(kind=DeviceKind.VIRTUAL),
    )
    writer = RunWriter.create(folder, file)
    for summary in _summaries(plan):
        writer.append_result(summary)
    return folder


def _summaries(plan: Plan) -> Iterator[Summary]:
    """Yield results in which tasks, agents and conditions differ; one in a hundred ended in error."""
    generator = np.random.default_rng(derive(0, "comparison"))
    for task in plan.tasks:
        difficulty = generator.beta(3, 1)
        for number, agent in enumerate(plan.agents):
            for repetition in range(plan.seeds):
                for condition, cost in zip(plan.conditions, (0.0, 0.1, 0.3), strict=True):
                    chance = difficulty * (1 - cost) * (1 - number / 40)
                    outcome = "success" if generator.random() < chance else "failure"
                    outcome = "error" if generator.random() < 0.01 else outcome
                    seed = repetition_seed(plan, repetition)
                    yield _summary(generator, task, agent, condition, seed, outcome)


def _summary(
    generator: np.random.Generator, task: str, agent: str, condition: str, seed: int, outcome: str
) -> Summary:
    count = 0 if condition == "clean" else int(generator.integers(1, 4))
    interruptions = tuple(
        InjectedInterruption(
            f"interruption-{number}",
            str(generator.choice(_CATEGORIES)),
            "medium",
            True,
            rule="rule",
            mode=condition,
            step=number,
            exit="accept",
            aftermath=AfterInterruption(RecoveredTo.SAME, 1, 0.5, ()),
        )
        for number in range(count)
    )
    return Summary(
        task,
        agent,
        condition,
        seed,
        outcome,
        {"success": "goal_met", "failure": "false_done", "error": "fault"}[outcome],
        steps=8,
        injected=count,
        shown=count,
        exits=("accept",) * count,
        recovery=(1,) * count,
        solution_steps=5,
        fault="device: lost" if outcome == "error" else "",
        seconds=12.5,
        interruptions=interruptions,
        app=f"app.{task[-1]}",
        step_limit=15,
        repeated=0,
    )
