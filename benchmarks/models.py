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

THINKING_S = 2.0
AGENTS, PHONES, STEPS = 8, 4, 5
PLACES = PHONES - 1
"""Concurrent requests of the endpoint whose utilization is measured: one fewer than there are phones."""
TASK = "amap-favorite-tongji"


class TappingModel:
    """A model that taps a few times and then finishes; it records the time of each request.

    Attributes:
        asked: Times of the requests.
    """

    def __init__(self) -> None:
        self.asked: list[float] = []
        self._counted: Counter[str] = Counter()
        self._lock = threading.Lock()

    def __call__(self, asked: ReceivedRequest) -> str:
        """Reply to a request; each agent asks for a model of its own name."""
        with self._lock:
            self.asked.append(time.monotonic())
            self._counted[asked.model] += 1
            over = self._counted[asked.model] % STEPS == 0
        return "Action: finished(content='')" if over else "Action: click(start_box='(500,500)')"


def busy_share(begun: list[float], lasting: float) -> float:
    """Return the share of time with a request in flight, from the first request to the last reply."""
    covered, ends = 0.0, 0.0
    for start in sorted(begun):
        covered += max(0.0, start + lasting - max(start, ends))
        ends = max(ends, start + lasting)
    return covered / (ends - min(begun))


def capacity_share(begun: list[float], lasting: float, places: int) -> float:
    """Return the utilization of an endpoint, from the first request to the start of the last one.

    The capacity is the number of slots times the elapsed time: 3 slots give 3 s in each second. After the
    start of the last request there is nothing left to ask.
    """
    first, last = min(begun), max(begun)
    return sum(min(lasting, last - each) for each in begun) / (places * (last - first))


def request_times(folder: Path, places: int) -> list[float]:
    """Run all agents against a fake model on loopback; return the time of each request.

    Args:
        folder: Run directory.
        places: Maximum number of concurrent requests.
    """
    clicks = TappingModel()
    suite = Suite.load()
    with FakeModelServer(ComputedReplies(clicks), key=None, seconds=THINKING_S) as server:
        agents = [f"a{n}=ui-tars?model=m{n}&base_url={server.base_url}" for n in range(AGENTS)]
        options = [f"{agent}&at_once={places}" for agent in agents]
        plan = make_plan(suite.select(TASK), options, conditions=("clean",))
        run(plan, folder, jobs=PHONES, suite=suite)
    return clicks.asked


def measure_models(folder: Path) -> list[Measure]:
    """Measure overhead and utilization with a fake model of fixed latency and virtual phones."""
    full = request_times(folder / "full", PLACES)
    asked = request_times(folder / "run", PHONES)
    added, steps = [], []
    for episode in load_run(folder / "run").episodes:
        added += [event.seconds - THINKING_S for event in episode.events if isinstance(event, ev.Decided)]
        seen = [observation.event.t for observation in episode.observations]
        steps += [later - sooner for sooner, later in itertools.pairwise(seen)]
    overhead, step = statistics.median(added), statistics.median(steps)
    overhead_note = f"{overhead * 1000:.0f} ms of prompt, picture, HTTP and parsing in {step:.2f} s"
    note = f"{AGENTS} agents on {PHONES} phones, a model that takes {THINKING_S:g} s"
    return [
        Measure("overhead share of a step", overhead / step, "", 0.05, note=overhead_note),
        Measure(
            f"utilization of an endpoint with {PLACES} slots",
            capacity_share(full, THINKING_S, PLACES),
            "",
            0.9,
            True,
            note,
        ),
        Measure(
            f"utilization of an endpoint with {PHONES} slots, one per phone",
            capacity_share(asked, THINKING_S, PHONES),
            "",
            note=note,
        ),
        Measure("share of time with a request in flight", busy_share(asked, THINKING_S), "", note=note),
    ]
