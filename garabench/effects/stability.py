"""Find records of a state that change by themselves, by two readings without an action in between."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from garabench.core.app_state import AppEffects
from garabench.core.clock import Clock
from garabench.effects.app_state_reader import ShellRunner, read_state
from garabench.effects.diff import state_changes
from garabench.effects.state import State


@dataclass(frozen=True, slots=True)
class Stability:
    """Two readings of an app's state.

    Attributes:
        state: The first one.
        milliseconds: How long it took.
        changes: What changed until the second one; unknown if either of them is.
    """

    state: State
    milliseconds: float
    changes: AppEffects

    @property
    def stable(self) -> bool:
        """Whether it is known that nothing changed by itself."""
        return self.changes.none


def read_twice(adb: ShellRunner, package: str, clock: Clock, wait: Callable[[], None]) -> Stability:
    """Read an app's state twice.

    Args:
        adb: The device.
        package: The app, or `SYSTEM`.
        clock: Measures the first reading.
        wait: Waits between the readings, without an action.
    """
    started = clock.monotonic()
    before = read_state(adb, package)
    spent = (clock.monotonic() - started) * 1000
    wait()
    return Stability(before, spent, state_changes(package, before, read_state(adb, package)))
