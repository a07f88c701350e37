"""A run with models: what GaraBench adds to a model's time, and how busy several phones keep an endpoint."""

from __future__ import annotations

import itertools
import statistics
import threading
import time
from collections import Counter
from pathlib import Path

from benchmarks.report import Measure
from garabench.campaign.plan import make_plan
from garabench.campaign.run import run
from garabench.campaign.suite import Suite
from garabench.core import events as ev
from garabench.testing.asked import Asked
from garabench.testing.behaviour import Computed
from garabench.testing.server import FakeModelServer

THINKING_S = 2.0
AGENTS, PHONES, STEPS = 8, 4, 5
PLACES = PHONES - 1
"""Requests at once that the endpoint takes where it is to be kept busy: a phone fewer than there are."""
TASK = "amap-favorite-tongji"


class Clicks:
    """A model that taps a few times and then says that it is done; it keeps when it was asked.

    Attributes:
        asked: Moments of the requests.
    """

    def __init__(self) -> None:
        self.asked: list[float] = []
        self._counted: Counter[str] = Counter()
        self._lock = threading.Lock()

    def __call__(self, asked: Asked) -> str:
        """Reply; each agent asks for a model of its own name."""
        with self._lock:
            self.asked.append(time.monotonic())
            self._counted[asked.model] += 1
            over = self._counted[asked.model] % STEPS == 0
        return "Action: finished(content='')" if over else "Action: click(start_box='(500,500)')"


def busy(begun: list[float], lasting: float) -> float:
    """The share of the time from the first request to the last one's end in which one was being answered."""
    covered, ends = 0.0, 0.0
    for start in sorted(begun):
        covered += max(0.0, start + lasting - max(start, ends))
        ends = max(ends, start + lasting)
    return covered / (ends - min(begun))


def used(begun: list[float], lasting: float, places: int) -> float:
    """The share of an endpoint's capacity that is used, from the first request to the beginning of the last.

    Capacity is time in each of its places: one that takes 3 requests at once has 3 s of it in a second. After
    the last request has begun there is nothing left to ask.
    """
    first, last = min(begun), max(begun)
    return sum(min(lasting, last - each) for each in begun) / (places * (last - first))


def asked_by_all(folder: Path, places: int) -> list[float]:
    """Perform a run of all agents with a played model on loopback; when each request was begun.

    Args:
        folder: The run's.
        places: How many requests at once are sent to the endpoint.
    """
    clicks = Clicks()
    suite = Suite.load()
    with FakeModelServer(Computed(clicks), key=None, seconds=THINKING_S) as server:
        agents = [f"a{n}=ui-tars?model=m{n}&base_url={server.base_url}" for n in range(AGENTS)]
        options = [f"{agent}&at_once={places}" for agent in agents]
        plan = make_plan(suite.select(TASK), options, conditions=("clean",))
        run(plan, folder, jobs=PHONES, suite=suite)
    return clicks.asked


def asking(folder: Path) -> list[Measure]:
    """The ratios, with a played model on loopback that takes its time, and virtual phones."""
    full = asked_by_all(folder / "full", PLACES)
    asked = asked_by_all(folder / "run", PHONES)
    added, steps = [], []
    for path in (folder / "run").glob("episodes/**/events.jsonl"):
        log = ev.read_lines(path.read_text(encoding="utf-8").splitlines(keepends=True), str(path))
        added += [event.seconds - THINKING_S for event in log if isinstance(event, ev.Decided)]
        seen = [event.t for event in log if isinstance(event, ev.Observed)]
        steps += [later - sooner for sooner, later in itertools.pairwise(seen)]
    overhead, step = statistics.median(added), statistics.median(steps)
    told = f"{overhead * 1000:.0f} ms of prompt, picture, HTTP and parsing in {step:.2f} s"
    note = f"{AGENTS} agents on {PHONES} phones, a model of {THINKING_S:g} s"
    return [
        Measure("share of a step beside model and phone", overhead / step, "", 0.05, note=told),
        Measure(
            f"used of an endpoint that takes {PLACES} requests at once",
            used(full, THINKING_S, PLACES),
            "",
            0.9,
            True,
            note,
        ),
        Measure(
            f"used of one that takes {PHONES}, as many as there are phones",
            used(asked, THINKING_S, PHONES),
            "",
            note=note,
        ),
        Measure("share of the time in which it is asked at all", busy(asked, THINKING_S), "", note=note),
    ]
