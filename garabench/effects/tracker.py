"""Reads the states of what an episode touches: before its first and after its last step."""

from __future__ import annotations

from garabench.core.app_state import SYSTEM, AppEffects
from garabench.core.companion_app import PACKAGE as COMPANION
from garabench.core.tree import is_system
from garabench.effects.diff import diff
from garabench.effects.reader import ShellRunner, read_state
from garabench.effects.state import State, UnknownState

_SETTINGS = "com.android.settings"
"""The Settings app has no data of its own: it changes the system's settings."""


class EffectsTracker:
    """Compares the states of an episode's apps.

    The system and the task's app are read before the first step. Any other app is read when it is first seen
    in the foreground, before the agent acts in it. All of them are read again after the last step.
    """

    def __init__(self, adb: ShellRunner) -> None:
        self._adb = adb
        self._before: dict[str, State] = {}

    def begin(self, app: str) -> None:
        """Read the system and the task's app, before the first step."""
        for package in (SYSTEM, app):
            self._before[package] = read_state(self._adb, package)

    def seen(self, package: str) -> None:
        """Read an app that is in the foreground for the first time."""
        if package and package not in self._before and not _without_state(package):
            self._before[package] = read_state(self._adb, package)

    def finish(self) -> tuple[AppEffects, ...]:
        """Read every known state again, after the last step, and return the changes by app."""
        return tuple(
            diff(package, before, self._after(package, before)) for package, before in self._before.items()
        )

    def _after(self, package: str, before: State) -> State:
        # An app that did not answer would cost its time limit again.
        return before if isinstance(before, UnknownState) else read_state(self._adb, package)


def _without_state(package: str) -> bool:
    return package in (COMPANION, _SETTINGS) or is_system(package)
