"""A campaign on a Ray cluster of two nodes on this computer, against the same campaign without Ray.

Needs the extra ``garabench[ray]``.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from benchmarks.report import Measure
from garabench.campaign.planner import make_plan
from garabench.campaign.run import run
from garabench.core.campaign_events import AttemptBegun, AttemptEnded
from garabench.records.campaign_log import read_campaign
from garabench.records.reader import Run
from garabench.suite.suite import Suite

NODES = 2
ROUNDS = 3
TASKS = 4


def measure_ray(folder: Path) -> list[Measure]:
    """Perform the same plan with both engines in turn, and compare durations and records.

    The duration is that from the first attempt to the end of the last one: starting phones and processes is
    not part of it, since it is paid once per campaign.

    Args:
        folder: An empty folder.
    """
    suite = Suite.load()
    plan = make_plan(suite.select("bilibili")[:TASKS], ("dismiss",))
    ratios: list[float] = []
    differing = 0
    local_s = 0.0
    with _cluster() as address:
        for number in range(ROUNDS):
            here = run(plan, folder / f"local-{number}", jobs=NODES, suite=suite)
            there = run(plan, folder / f"ray-{number}", engine="ray", ray_address=address, suite=suite)
            local_s = _duration(here)
            ratios.append(_duration(there) / local_s)
            differing += _differing(here, there)
    count = len(plan.tasks) * len(plan.conditions)
    note = f"{count} episodes on {NODES} virtual phones, {ROUNDS} rounds in turn; {local_s:.0f} s without Ray"
    return [
        Measure("duration with Ray", min(ratios), "x", 1.1, note=f"{note}; the least disturbed round"),
        Measure("duration with Ray, median round", sorted(ratios)[ROUNDS // 2], "x"),
        Measure("episodes whose result or pictures differ", differing, "times", 0),
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


def _duration(done: Run) -> float:
    """Return the seconds from the first attempt to the end of the last one."""
    times = [
        event.time for event in read_campaign(done.folder) if isinstance(event, AttemptBegun | AttemptEnded)
    ]
    return (max(times) - min(times)).total_seconds()


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
