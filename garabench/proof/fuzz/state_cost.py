"""Measure what reading the apps' states costs, over adb."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import median
from tempfile import TemporaryDirectory

import psutil

from garabench.campaign.single_episode import run_episode
from garabench.core.app_state import SYSTEM
from garabench.core.clock import Clock
from garabench.effects.app_state_reader import read_state
from garabench.effects.state import UnknownState
from garabench.errors import DeviceError
from garabench.proof.device_stage import DeviceStage
from garabench.proof.fuzz.fuzz_figures import StateCost
from garabench.suite.suite import Suite, SuiteTask

_READINGS = 50
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
            started = _processor_seconds()
            ended = run_episode(item.task.id, _AGENT, stage.device, out=out, suite=suite)
            spent = _processor_seconds() - started
        if ended.outcome != "success":
            raise DeviceError(f"{item.task.id}: the episode of {_AGENT} ended with {ended.reason}")
        app, system = _reading(stage, item.app, clock), _reading(stage, SYSTEM, clock)
        found[item.group] = StateCost(
            milliseconds=app.milliseconds,
            system_milliseconds=system.milliseconds,
            processor_milliseconds=app.processor_milliseconds,
            system_processor_milliseconds=system.processor_milliseconds,
            episode_processor_seconds=round(spent, 3),
        )
    return found


@dataclass(frozen=True, slots=True)
class _Reading:
    """What a reading costs.

    Attributes:
        milliseconds: Its median time.
        processor_milliseconds: Its mean processor time.
    """

    milliseconds: float
    processor_milliseconds: float


def _reading(stage: DeviceStage, package: str, clock: Clock) -> _Reading:
    def read() -> None:
        state = read_state(stage.device.adb, package)
        if isinstance(state, UnknownState):
            raise DeviceError(f"the state of {package} is unknown: {state.reason}")

    started = _processor_seconds()
    times = [_timed(read, clock) for _ in range(_READINGS)]
    spent = _processor_seconds() - started
    return _Reading(round(median(times) * 1000, 1), round(spent / _READINGS * 1000, 1))


def _timed(work: Callable[[], None], clock: Clock) -> float:
    started = clock.monotonic()
    work()
    return clock.monotonic() - started


def _processor_seconds() -> float:
    """Return the processor time of this process and of those that it has started, such as the phone's.

    Unlike the time of day, it is the same while other programs use the processor.
    """
    process = psutil.Process()
    spent = 0.0
    for each in (process, *process.children(recursive=True)):
        with contextlib.suppress(psutil.Error):  # it has ended
            times = each.cpu_times()
            spent += times.user + times.system
    return spent
