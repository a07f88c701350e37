"""Iteration over all episodes of a run: time, and memory by the number of episodes.

``python -m benchmarks.iteration RUN`` iterates over a run and prints the figures as JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import psutil

from benchmarks.report import Measure
from garabench.records.reader import load_run
from tests.report.viewer.played_runs import played_run

_TASKS, _AGENTS, _SEEDS = 250, 10, 4  # with two conditions: 20,000 episodes
_FIRST = 200
"""Episodes after which memory is measured first: all modules are imported, and all caches are filled."""


def measure_iteration(folder: Path) -> list[Measure]:
    """Write a run of 20,000 episodes, and iterate over it in a separate process.

    Args:
        folder: An empty folder for the run.
    """
    tasks = [f"reader-task-{number:03}" for number in range(_TASKS)]
    agents = [f"agent-{number}" for number in range(_AGENTS)]
    run = played_run(folder / "run", tasks=tasks, agents=agents, seeds=_SEEDS)
    command = [sys.executable, "-m", "benchmarks.iteration", str(run.folder)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found = json.loads(done.stdout)
    episodes = f"{found['episodes']:,} episodes, {found['events']:,} events"
    read = "events, actions, interruptions, outcome and the tree of the last screen of each"
    return [
        Measure("iterating over a run, processor time", found["processor"], "s", note=f"{episodes}; {read}"),
        Measure("per episode", found["processor"] / found["episodes"] * 1000, "ms", 5, note="on one core"),
        Measure(
            f"memory at the end, more than after {_FIRST} episodes",
            found["last"] - found["first"],
            "MB",
            10,
            note=f"{found['first']:.0f} MB and {found['last']:.0f} MB",
        ),
    ]


def _iterate(folder: Path) -> dict[str, float]:
    """Read each episode of a run, as an analysis does; return counts, seconds and resident MB."""
    process, start = psutil.Process(), time.process_time()
    episodes = events = 0
    first = 0.0
    for episode in load_run(folder).episodes:
        episodes += 1
        events += len(episode.events)
        assert episode.actions
        assert episode.outcome
        assert episode.interruptions or episode.key.condition == "clean"
        assert episode.observations[-1].open_tree().roots
        if episodes == _FIRST:
            first = process.memory_info().rss / 1e6
    last = process.memory_info().rss / 1e6
    processor = time.process_time() - start
    return {"episodes": episodes, "events": events, "processor": processor, "first": first, "last": last}


if __name__ == "__main__":
    print(json.dumps(_iterate(Path(sys.argv[1]))))
