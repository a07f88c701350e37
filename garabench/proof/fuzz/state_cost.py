"""Measure what reading the apps' states costs, over adb."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from statistics import median
from tempfile import TemporaryDirectory

from garabench.campaign.single_episode import run_episode
from garabench.core.app_state import SYSTEM
from garabench.core.clock import Clock
from garabench.effects.app_state_reader import read_state
from garabench.effects.state import UnknownState
from garabench.errors import DeviceError
from garabench.proof.device_stage import DeviceStage
from garabench.proof.fuzz.fuzz_figures import StateCost
from garabench.suite.suite import Suite, SuiteTask

_READINGS = 15
_AGENT = "dismiss"
"""The reference agent, which needs no time to decide."""


def measure_state_costs(
    suite: Suite, items: Iterable[SuiteTask], stage: DeviceStage, clock: Clock
) -> dict[str, StateCost]:
    """Return the cost of reading the state by app, each measured with the app's first feasible task.

    Args:
        suite: The suite of the tasks.
        items: The tasks.
        stage: The device.
        clock: Measures the time.

    Raises:
        DeviceError: The device is gone, or an app's state cannot be read.
    """
    found: dict[str, StateCost] = {}
    for item in items:
        if item.group in found or item.task.infeasible is not None:
            continue
        with TemporaryDirectory() as out:
            ended = run_episode(item.task.id, _AGENT, stage.device, out=out, suite=suite)
        if ended.outcome != "success":
            raise DeviceError(f"{item.task.id}: the episode of {_AGENT} ended with {ended.reason}")
        found[item.group] = StateCost(
            milliseconds=_reading(stage, item.app, clock),
            system_milliseconds=_reading(stage, SYSTEM, clock),
            episode_seconds=round(ended.t, 3),
        )
    return found


def _reading(stage: DeviceStage, package: str, clock: Clock) -> float:
    def read() -> None:
        state = read_state(stage.device.adb, package)
        if isinstance(state, UnknownState):
            raise DeviceError(f"the state of {package} is unknown: {state.reason}")

    return round(median(_timed(read, clock) for _ in range(_READINGS)) * 1000, 1)


def _timed(work: Callable[[], None], clock: Clock) -> float:
    started = clock.monotonic()
    work()
    return clock.monotonic() - started
