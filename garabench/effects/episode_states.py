"""Reads the states of what an episode touches: before its first and after its last step."""

from __future__ import annotations

import contextlib

from garabench.core.app_state import SYSTEM, AppEffects
from garabench.core.companion_app import PACKAGE as COMPANION
from garabench.core.tree import is_system
from garabench.effects.app_state_reader import (
    ShellRunner,
    StartedReading,
    read_state,
    read_with_system,
    unlock_states,
)
from garabench.effects.diff import state_changes
from garabench.effects.state import State, UnknownState
from garabench.effects.state_keys import StateKeys
from garabench.errors import DeviceError

_SETTINGS = "com.android.settings"
"""The Settings app changes the system's settings, which are read anyway; if it offers no more, nothing is
unknown."""


class EffectsTracker:
    """Compares the states of an episode's apps.

    The system and the task's app are read before the first step. Any other app is read when it is first seen
    in the foreground, before the agent acts in it. All of them are read again after the last step.
    """

    def __init__(self, adb: ShellRunner, keys: StateKeys | None = None) -> None:
        """Prepare the comparison; nothing is read yet.

        Args:
            adb: The device.
            keys: Keys with which the states are locked, for an agent that drives the device itself.
        """
        self._adb = adb
        self._keys = keys
        self._before: dict[str, State] = {}
        self._started: dict[str, StartedReading] = {}
        self._without_state = {"", COMPANION}

    def begin(self, app: str) -> None:
        """Read the system and the task's app, before the first step."""
        self._before[SYSTEM], self._before[app] = read_with_system(self._adb, app, self._keys)

    def seen(self, package: str) -> None:
        """Read an app that is in the foreground for the first time."""
        if package in self._before or package in self._without_state or is_system(package):
            return
        before = self._read(package)
        if package == _SETTINGS and isinstance(before, UnknownState):
            self._without_state.add(package)
        else:
            self._before[package] = before

    def start_finish(self) -> None:
        """Have a slow device start to read the apps' states for `finish`, while other commands run.

        The caller discards them if anything on the device changes afterwards.
        """
        if self._adb.starts_fast:
            return
        for package, before in self._before.items():
            if package not in self._started and not isinstance(before, UnknownState):
                with contextlib.suppress(DeviceError):  # `finish` reads it, and says what is wrong
                    self._started[package] = StartedReading(self._adb, package, self._keys)

    def discard_started(self) -> None:
        """Discard the readings that were started, so that `finish` reads the states anew."""
        while self._started:
            self._started.popitem()[1].close()

    def finish(self) -> tuple[AppEffects, ...]:
        """Read every known state again, after the last step, and return the changes by app."""
        after: dict[str, State] = {}
        known = [name for name, before in self._before.items() if not isinstance(before, UnknownState)]
        app = next((name for name in known if name != SYSTEM and name not in self._started), None)
        if SYSTEM in known and app is not None:
            after[SYSTEM], after[app] = read_with_system(self._adb, app, self._keys)
        return tuple(
            state_changes(name, before, after[name] if name in after else self._after(name, before))
            for name, before in self._before.items()
        )

    def _after(self, package: str, before: State) -> State:
        if isinstance(before, UnknownState):
            return before  # an app that did not answer would cost its time limit again
        started = self._started.pop(package, None)
        if started is None:
            return self._read(package)
        with contextlib.closing(started):
            return started.result()

    def _read(self, package: str) -> State:
        return read_state(self._adb, package, self._keys)

    def release(self) -> None:
        """Unlock the states, after the agent has ended; nothing if they are not locked."""
        if self._keys is not None:
            unlock_states(self._adb, self._keys)
