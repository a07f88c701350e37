"""A campaign on a Ray cluster of two nodes on this computer, against the same campaign without Ray.

Needs the extra ``garabench[ray]``.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from benchmarks.report import Measure
from garabench.campaign.planner import make_plan
from garabench.campaign.run import run
from garabench.core.campaign_events import AttemptEnded, CampaignEvent
from garabench.records.reader import Run
from garabench.suite.suite import Suite

NODES = 2
ROUNDS = 3
TASKS = 5
WARM_UP = 4
"""Attempts that are not measured."""


@dataclass
class _Timer:
    """Measures a campaign from the end of its first attempts to the end of its last one.

    Starting phones and processes, and what these load for their first attempt, are not part of it, since that
    is paid once per campaign.
    """

    marks: list[tuple[float, float]] = field(default_factory=list)

    def __call__(self, event: CampaignEvent) -> None:
        """Mark the time of each attempt's end."""
        if isinstance(event, AttemptEnded):
            self.marks.append((time.perf_counter(), _processor_s()))

    @property
    def seconds(self) -> float:
        """The elapsed time."""
        return self.marks[-1][0] - self.marks[WARM_UP - 1][0]

    @property
    def processor_seconds(self) -> float:
        """The processor time of all processes: the runner, phones, workers and the cluster."""
        return self.marks[-1][1] - self.marks[WARM_UP - 1][1]


def _processor_s() -> float:
    this = psutil.Process()
    total = 0.0
    for process in (this, *this.children(recursive=True)):
        with contextlib.suppress(psutil.Error):
            times = process.cpu_times()
            total += times.user + times.system
    return total


def measure_ray(folder: Path) -> list[Measure]:
    """Perform the same plan with both engines, and compare durations and records.

    Args:
        folder: An empty folder.
    """
    suite = Suite.load()
    plan = make_plan(suite.select("bilibili")[:TASKS], ("dismiss",))
    local, ray = [_Timer() for _ in range(ROUNDS)], [_Timer() for _ in range(ROUNDS)]
    here = [
        run(plan, folder / f"local-{number}", jobs=NODES, suite=suite, on_event=timer)
        for number, timer in enumerate(local)
    ]
    with _cluster() as address:
        there = [
            run(
                plan,
                folder / f"ray-{number}",
                engine="ray",
                ray_address=address,
                suite=suite,
                on_event=timer,
            )
            for number, timer in enumerate(ray)
        ]
    differing = sum(_differing(one, other) for one, other in zip(here, there, strict=True))
    local_s, local_cpu = min(each.seconds for each in local), min(each.processor_seconds for each in local)
    ray_s, ray_cpu = min(each.seconds for each in ray), min(each.processor_seconds for each in ray)
    count = len(plan.tasks) * len(plan.conditions) - WARM_UP
    note = (
        f"{count} episodes after {WARM_UP} of warm-up, on {NODES} virtual phones and {NODES} nodes; "
        f"the fastest of {ROUNDS} rounds"
    )
    return [
        Measure("duration with Ray", ray_s / local_s, "x", 1.1, note=f"{note}: {local_s:.1f} s without Ray"),
        Measure(
            "processor time with Ray",
            ray_cpu / local_cpu,
            "x",
            note=f"all processes, {local_cpu:.1f} s without Ray; what else the computer does matters little",
        ),
        Measure("episodes whose results, pictures or trees differ", differing, "times", 0),
    ]


@contextlib.contextmanager
def _cluster() -> Iterator[str]:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    from ray.cluster_utils import Cluster

    options = {"num_cpus": 1, "object_store_memory": 100 * 2**20, "resources": {"device:virtual": 1}}
    cluster = Cluster(initialize_head=True, head_node_args={**options, "include_dashboard": False})
    try:
        for _ in range(NODES - 1):
            cluster.add_node(**options)
        yield str(cluster.address)
    finally:
        cluster.shutdown()


def _differing(here: Run, there: Run) -> int:
    """Return the number of episodes whose outcome, steps or screens differ."""
    screens = [
        {
            str(each.key): [
                (getattr(event, "tree", ""), getattr(event, "screen", "")) for event in each.events
            ]
            for each in done.episodes
        }
        for done in (here, there)
    ]
    results = [
        {str(each.key): (each.outcome, each.reason, each.steps, each.exits) for each in done.summaries}
        for done in (here, there)
    ]
    keys = screens[0].keys() | screens[1].keys()
    return sum(
        screens[0].get(key) != screens[1].get(key) or results[0].get(key) != results[1].get(key)
        for key in keys
    )
