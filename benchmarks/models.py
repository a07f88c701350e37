"""Runs with models: GaraBench's overhead per step, and how well several phones utilize an endpoint."""

from __future__ import annotations

import itertools
import statistics
import threading
import time
from collections import Counter
from pathlib import Path

from benchmarks.report import Measure
from garabench.campaign.planner import make_plan
from garabench.campaign.run import run
from garabench.core import events as ev
from garabench.records.reader import load_run
from garabench.suite.suite import Suite
from garabench.testing.behaviour import ComputedReplies
from garabench.testing.requests import ReceivedRequest
from garabench.testing.server import FakeModelServer

LATENCY_S = 2.0
AGENTS, PHONES, STEPS = 8, 4, 5
SLOTS = PHONES - 1
"""Concurrent requests of the endpoint whose utilization is measured: one fewer than there are phones."""
TASK = "amap-favorite-tongji"


class TappingModel:
    """A model that taps a few times and then finishes; it records the time of each request.

    Attributes:
        times: Times of the requests.
    """

    def __init__(self) -> None:
        self.times: list[float] = []
        self._counts: Counter[str] = Counter()
        self._lock = threading.Lock()

    def __call__(self, request: ReceivedRequest) -> str:
        """Reply to a request; each agent uses the model of the same name."""
        with self._lock:
            self.times.append(time.monotonic())
            self._counts[request.model] += 1
            finished = self._counts[request.model] % STEPS == 0
        return "Action: finished(content='')" if finished else "Action: click(start_box='(500,500)')"


def busy_share(starts: list[float], duration: float) -> float:
    """Return the share of time with a request in flight, from the first request to the last reply."""
    covered, ends = 0.0, 0.0
    for start in sorted(starts):
        covered += max(0.0, start + duration - max(start, ends))
        ends = max(ends, start + duration)
    return covered / (ends - min(starts))


def capacity_share(starts: list[float], duration: float, slots: int) -> float:
    """Return the utilization of an endpoint, from the first request to the start of the last one.

    The capacity is the number of slots times the elapsed time: 3 slots give 3 s in each second. After the
    start of the last request there are no more requests.
    """
    first, last = min(starts), max(starts)
    return sum(min(duration, last - start) for start in starts) / (slots * (last - first))


def request_times(folder: Path, slots: int) -> list[float]:
    """Run all agents against a fake model on loopback; return the time of each request.

    Args:
        folder: Run folder.
        slots: Maximum number of concurrent requests.
    """
    model = TappingModel()
    suite = Suite.load()
    with FakeModelServer(ComputedReplies(model), key=None, seconds=LATENCY_S) as server:
        agents = [f"a{n}=ui-tars?model=m{n}&base_url={server.base_url}" for n in range(AGENTS)]
        options = [f"{agent}&at_once={slots}" for agent in agents]
        plan = make_plan(suite.select(TASK), options, conditions=("clean",))
        run(plan, folder, jobs=PHONES, suite=suite)
    return model.times


def measure_models(folder: Path) -> list[Measure]:
    """Measure overhead and utilization with a fake model of fixed latency and virtual phones."""
    full = request_times(folder / "full", SLOTS)
    one_per_phone = request_times(folder / "run", PHONES)
    added, steps = [], []
    for episode in load_run(folder / "run").episodes:
        added += [event.seconds - LATENCY_S for event in episode.events if isinstance(event, ev.Decided)]
        seen = [observation.event.t for observation in episode.observations]
        steps += [later - earlier for earlier, later in itertools.pairwise(seen)]
    overhead, step = statistics.median(added), statistics.median(steps)
    overhead_note = f"{overhead * 1000:.0f} ms of prompt, picture, HTTP and parsing in {step:.2f} s"
    note = f"{AGENTS} agents on {PHONES} phones, a model that takes {LATENCY_S:g} s"
    return [
        Measure("overhead share of a step", overhead / step, "", 0.05, note=overhead_note),
        Measure(
            f"utilization of an endpoint with {SLOTS} slots",
            capacity_share(full, LATENCY_S, SLOTS),
            "",
            0.9,
            True,
            note,
        ),
        Measure(
            f"utilization of an endpoint with {PHONES} slots, one per phone",
            capacity_share(one_per_phone, LATENCY_S, PHONES),
            "",
            note=note,
        ),
        Measure(
            "share of time with a request in flight", busy_share(one_per_phone, LATENCY_S), "", note=note
        ),
    ]
