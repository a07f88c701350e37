"""Measure what reading the apps' states costs, over adb."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from statistics import median

from garabench.core.app_state import SYSTEM
from garabench.core.clock import Clock
from garabench.effects.reader import read_state
from garabench.effects.state import UnknownState
from garabench.errors import DeviceError
from garabench.proof.alternatives import perform_step
from garabench.proof.device_stage import DeviceStage
from garabench.proof.fuzz.fuzz_figures import StateCost
from garabench.suite.suite import SuiteTask

_READINGS = 15


def measure_state_costs(items: Iterable[SuiteTask], stage: DeviceStage, clock: Clock) -> dict[str, StateCost]:
    """Return the cost of reading the state by app, each measured with the app's first task.

    Args:
        items: The tasks.
        stage: The device.
        clock: Measures the time.

    Raises:
        DeviceError: The device is gone, or an app's state cannot be read.
    """
    found: dict[str, StateCost] = {}
    for item in items:
        if item.group in found:
            continue
        episode = _timed(lambda item=item: _perform(item, stage), clock)  # type: ignore[misc]
        found[item.group] = StateCost(
            milliseconds=_reading(stage, item.app, clock),
            system_milliseconds=_reading(stage, SYSTEM, clock),
            episode_seconds=round(episode, 3),
        )
    return found


def _perform(item: SuiteTask, stage: DeviceStage) -> None:
    """Perform the solution as an episode does, with the readings before and after."""
    stage.begin(item.app, item.task.setup)
    for step in item.task.solution:
        if problem := perform_step(stage, step):
            raise DeviceError(f"{item.task.id}: {problem}")
        stage.facts(None)
    stage.effects()


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
