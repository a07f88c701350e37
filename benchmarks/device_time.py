"""A run's share of a device's time: its steps, and the preparation and the end of its episodes.

``slow-legacy`` is the latency that was measured on a slow Android 4.4.2, where each command of the framework
starts a virtual machine. The phone is driven by its serial, like a real one.
"""

from __future__ import annotations

import itertools
import os
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import adbutils

from benchmarks.report import Measure
from benchmarks.rotation import turned_spec
from benchmarks.steps import DUMP_FILE, SCREEN_FILE, client_times, timed
from garabench.agents.interface import Brief, Decision, Turn
from garabench.campaign.devices import open_devices
from garabench.campaign.planner import episodes, make_plan
from garabench.campaign.preflight import examine
from garabench.core import events as ev
from garabench.core.action import Done, Home, Tap
from garabench.core.clock import Clock, SystemClock
from garabench.core.interruption import Mode
from garabench.core.observation import Observation
from garabench.device.device import Device
from garabench.episode.runner import perform_episode
from garabench.episode.spec import EpisodeSpec
from garabench.records.event_reader import read_events
from garabench.records.plan import CLEAN
from garabench.suite.suite import Suite
from garabench.virtual.phone_process import VirtualPhone

TAPS = 5
PHONES = (("android-19", "slow-legacy", 40.0, 12.0), ("android-34", "phone", 5.0, 5.0))
"""Profile, latency, and two limits in seconds: the checks before a run, with a keyboard's installation, and
the end of an episode on a turned screen, which takes two dumps."""
STEP_LIMIT = 1.15
PREPARING_LIMIT_S = 15.0
ENDING_LIMIT_S = 5.0
_STATE = "GARABENCH_STATE"
_DUAL = Mode.DUAL.value


class TapThenDone:
    """An agent that taps the middle of the screen a few times and ends, without thinking."""

    name = "tap-then-done"
    reference = False

    def __init__(self) -> None:
        self._at = (0, 0)

    def start(self, brief: Brief) -> None:
        """Choose the point."""
        self._at = (brief.screen.width // 2, brief.screen.height // 2)

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        """Tap the point, or end."""
        if len(history) >= TAPS:
            return Decision(Done())
        return Decision(Tap(x=self._at[0], y=self._at[1]))

    def close(self) -> None:
        """Do nothing."""


def plain_times(device: Device, *, times: int = 3) -> tuple[float, float, float]:
    """Return the seconds of a dump, a screenshot and a tap by plain commands of ``adb shell``."""
    plain = adbutils.AdbClient(socket_timeout=60).device(device.info.serial)
    at = f"{device.screen.width // 2} {device.screen.height // 2}"
    return (
        timed(lambda: plain.shell(f"uiautomator dump {DUMP_FILE}"), times),
        timed(lambda: plain.shell(f"screencap -p {SCREEN_FILE}"), times),
        timed(lambda: plain.shell(f"input tap {at}"), times),
    )


@contextmanager
def _own_state(folder: Path) -> Iterator[None]:
    """Keep leases and journals in a folder of this benchmark."""
    before = os.environ.get(_STATE)
    os.environ[_STATE] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ[_STATE]
        else:
            os.environ[_STATE] = before


def measure_device_time() -> list[Measure]:
    """Measure both phones."""
    measures = []
    for profile, latency, starting_limit, turned_limit in PHONES:
        with tempfile.TemporaryDirectory() as folder:
            measures += _measure(profile, latency, starting_limit, turned_limit, Path(folder))
    return measures


def _perform(
    spec: EpisodeSpec, device: Device, folder: Path, clock: Clock
) -> tuple[float, Sequence[ev.Event]]:
    """Perform an episode, and return the seconds after the agent's last decision and its events."""
    begun = clock.monotonic()
    perform_episode(spec, device, TapThenDone(), folder, clock)
    seconds = clock.monotonic() - begun
    events = read_events(folder / spec.folder)
    decided = [event.t for event in events if isinstance(event, ev.Decided)]
    return seconds - decided[-1], events


def _measure(
    profile: str, latency: str, starting_limit: float, turned_limit: float, folder: Path
) -> list[Measure]:
    suite, clock = Suite.load(), SystemClock()
    plan = make_plan(suite.select("bilibili")[:2], ("ignore",), conditions=(CLEAN, _DUAL))
    preparing: dict[str, list[float]] = {CLEAN: [], _DUAL: []}
    ending: dict[str, list[float]] = {CLEAN: [], _DUAL: []}
    steps: list[float] = []
    last = CLEAN
    with VirtualPhone(profile, latency=latency) as phone, _own_state(folder / "state"):
        begun = clock.monotonic()
        with open_devices((phone.serial,), clock) as (lease,):
            examine(lease, plan, suite, clock)  # as a run does
            device = lease.connect()
            connected = clock.monotonic() - begun
            try:
                for spec in episodes(plan, suite, ("ignore",)):
                    end, events = _perform(spec, device, folder, clock)
                    seen = [event.t for event in events if isinstance(event, ev.Observed)]
                    preparing[last].append(seen[0])
                    last = spec.condition
                    ending[last].append(end)
                    if last == CLEAN:
                        steps += [later - earlier for earlier, later in itertools.pairwise(seen)]
                turned_ending, events = _perform(turned_spec(spec), device, folder / "turned", clock)
                if not any(isinstance(event, ev.InterruptionShown) for event in events):
                    raise RuntimeError("the screen was not turned")
                device.perform(Home(), device.screen)
                own = client_times(device) if device.info.sdk >= 21 else plain_times(device)
            finally:
                device.close()
            begun = clock.monotonic()
        restored = clock.monotonic() - begun
    step, own_time = statistics.median(steps), sum(own)
    name = f"{profile}, {latency}"
    parts = " + ".join(f"{part:.2f}" for part in own)
    return [
        Measure(
            f"{name}: a step over the device's own time",
            step / own_time,
            "x",
            STEP_LIMIT,
            note=f"{step:.2f} s over {parts} s (dump, screenshot, tap); slowest step {max(steps):.2f} s",
        ),
        *(
            Measure(
                f"{name}: preparing an episode{after}, until its first observation",
                max(preparing[condition]),
                "s",
                PREPARING_LIMIT_S,
                note="the slower of two episodes",
            )
            for condition, after in ((CLEAN, ""), (_DUAL, " after an interrupted one"))
        ),
        *(
            Measure(
                f"{name}: ending {which} episode, after the agent's last decision",
                max(ending[condition]),
                "s",
                ENDING_LIMIT_S,
                note="the slower of two episodes",
            )
            for condition, which in ((CLEAN, "an"), (_DUAL, "an interrupted"))
        ),
        Measure(
            f"{name}: ending an episode on a turned screen, after the agent's last decision",
            turned_ending,
            "s",
            turned_limit,
            note="one episode, whose goal is not met",
        ),
        Measure(
            f"{name}: starting a run, until the device is checked and its state recorded",
            connected,
            "s",
            starting_limit,
        ),
        Measure(f"{name}: ending a run, until the device's state is verified", restored, "s", ENDING_LIMIT_S),
    ]
