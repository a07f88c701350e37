"""Measure what reading the apps' states costs, over adb."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from statistics import median
from tempfile import TemporaryDirectory

import psutil

from garabench.campaign.single_episode import run_episode
from garabench.core.clock import Clock
from garabench.effects.app_state_reader import ShellRunner, read_state, read_with_system
from garabench.effects.state import State, UnknownState
from garabench.errors import DeviceError
from garabench.proof.device_performer import DevicePerformer
from garabench.proof.fuzz.fuzz_figures import StateCost
from garabench.suite.suite import Suite, SuiteTask

_READINGS = 50
_AGENT = "dismiss"
"""The reference agent, which needs no time to decide."""


def measure_state_costs(
    suite: Suite, items: Iterable[SuiteTask], performer: DevicePerformer, clock: Clock
) -> dict[str, StateCost]:
    """Return the cost of reading the state by app, each measured with the app's first feasible task.

    Args:
        suite: The suite of the tasks.
        items: The tasks.
        performer: The device.
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
            ended = run_episode(item.task.id, _AGENT, performer.device, out=out, suite=suite)
            spent = _processor_seconds() - started
        if ended.outcome != "success":
            raise DeviceError(f"{item.task.id}: the episode of {_AGENT} ended with {ended.reason}")
        adb = performer.device.adb
        app = _reading(item.app, partial(_app_alone, adb, item.app), clock)
        both = _reading(item.app, partial(read_with_system, adb, item.app), clock)
        found[item.group] = StateCost(
            milliseconds=app.milliseconds,
            both_milliseconds=both.milliseconds,
            processor_milliseconds=app.processor_milliseconds,
            both_processor_milliseconds=both.processor_milliseconds,
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


def _app_alone(adb: ShellRunner, package: str) -> tuple[State, ...]:
    return (read_state(adb, package),)


def _reading(package: str, states: Callable[[], tuple[State, ...]], clock: Clock) -> _Reading:
    def read() -> None:
        for state in states():
            if isinstance(state, UnknownState):
                raise DeviceError(f"the state of {package} or of the system is unknown: {state.reason}")

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
