"""A step of the runner, relative to the device's own times and to a loop of fixed sleeps."""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import adbutils
import uiautomator2

from benchmarks.report import Measure
from garabench.agents.interface import Brief, Decision, Turn
from garabench.campaign.planner import episodes, make_plan
from garabench.core import events as ev
from garabench.core.action import Home, Tap
from garabench.core.clock import SystemClock
from garabench.core.observation import Observation
from garabench.device.device import Device
from garabench.episode.runner import perform_episode
from garabench.records.event_reader import read_events
from garabench.suite.suite import Suite
from garabench.virtual.phone_process import VirtualPhone

SLEEP_S = 3.0
DUMP_FILE = "/data/local/tmp/uidump.xml"
SCREEN_FILE = "/data/local/tmp/screen.png"
PLACE = (540, 1300)


class Tapper:
    """An agent that always taps the same point, without thinking."""

    name = "tapper"
    reference = False

    def start(self, brief: Brief) -> None:
        """Do nothing."""

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        """Tap the point."""
        return Decision(Tap(x=PLACE[0], y=PLACE[1]))

    def close(self) -> None:
        """Do nothing."""


def timed(call: Callable[[], object], times: int) -> float:
    """Return the median duration of a call in seconds."""
    durations = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        durations.append(time.perf_counter() - start)
    return statistics.median(durations)


def client_times(device: Device, *, times: int = 7) -> tuple[float, float, float]:
    """Return the seconds of a dump, a screenshot and a tap, each by the fastest plain call of its client."""
    serial = device.info.serial
    plain = adbutils.AdbClient(socket_timeout=30).device(serial)
    client = uiautomator2.connect(serial)
    client.dump_hierarchy()
    return (
        timed(client.dump_hierarchy, times),
        timed(lambda: plain.shell("screencap -p", encoding=None), times),
        timed(lambda: client.click(*PLACE), times),
    )


def runner_step(device: Device, folder: Path) -> float:
    """Return the median seconds of a recorded step of an episode: observe, decide, act, settle, check."""
    suite = Suite.load()
    chosen = suite.select("bilibili")[:1]
    spec = episodes(make_plan(chosen, ("ignore",), conditions=("clean",)), suite, ("ignore",))[0]
    clock = SystemClock()
    perform_episode(spec, device, Tapper(), folder, clock)
    seen = [event.t for event in read_events(folder / spec.folder) if isinstance(event, ev.Observed)]
    return statistics.median(later - earlier for earlier, later in itertools.pairwise(seen))


def naive_step(serial: str, folder: Path, *, times: int = 2) -> float:
    """Return the seconds of a step of a naive loop: three dumps, pulled files, a fixed sleep."""
    plain = adbutils.AdbClient(socket_timeout=30).device(serial)

    def dump() -> None:
        plain.shell(f"uiautomator dump {DUMP_FILE}")
        plain.sync.pull(DUMP_FILE, str(folder / "naive.xml"))

    def shot() -> None:
        plain.shell(f"screencap -p {SCREEN_FILE}")
        plain.sync.pull(SCREEN_FILE, str(folder / "naive.png"))

    def step() -> None:
        dump()  # for the rules
        shot()
        dump()  # for the agent
        plain.shell(f"input tap {PLACE[0]} {PLACE[1]}")
        time.sleep(SLEEP_S)  # noqa: TID251  # the fixed sleep is what is measured
        dump()  # for the goal

    return timed(step, times)


def measure_steps(folder: Path, profile: str = "android-34") -> list[Measure]:
    """Measure the ratios on a phone with the latency of a real one."""
    with VirtualPhone(profile, latency="phone") as phone:
        device = Device.connect(phone.serial, SystemClock())
        try:
            step = runner_step(device, folder)
            device.perform(Home(), device.screen)
            parts = client_times(device)
        finally:
            device.close()
        naive = naive_step(phone.serial, folder)
    client_time = sum(parts)
    parts_ms = " + ".join(f"{part * 1000:.0f}" for part in parts)
    return [
        Measure(
            "step over the device's own times",
            step / client_time,
            "x",
            1.15,
            note=f"{step:.2f} s over {parts_ms} ms",
        ),
        Measure(
            "naive loop over a step", naive / step, "x", 8, True, f"{naive:.1f} s, including a sleep of 3 s"
        ),
    ]
