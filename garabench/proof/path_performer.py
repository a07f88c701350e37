"""A device, or a fake of one, on which the paths of a task are performed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from garabench.core.app_state import AppEffects
from garabench.core.evaluate import Facts
from garabench.core.steps import DeviceStep, SolutionStep
from garabench.errors import CommandError

SOLUTION = "the solution"
"""The path that every proof performs."""


class PathPerformer(Protocol):
    """A device, or a fake of one, on which paths are performed."""

    def begin(self, app: str, setup: Sequence[DeviceStep], path: str = SOLUTION) -> None:
        """Reset the device to the start of a task: no trace of earlier paths, the app is open.

        Args:
            app: The task's app.
            setup: The task's additional steps.
            path: The path that begins, for progress.

        Raises:
            DeviceError: The device cannot be reached.
        """
        ...

    def height_dp(self) -> int | None:
        """Return the height of the screen in density-independent pixels; None if unknown."""
        ...

    def facts(self, answer: str | None) -> Facts:
        """Return the settled screen and device facts, with the answer given so far, if any."""
        ...

    def perform(self, step: SolutionStep) -> str:
        """Perform a step and let the screen settle. Return why it could not be done; empty on success."""
        ...

    def effects(self) -> tuple[AppEffects, ...]:
        """Return what the path has changed since `begin` in the system and in the apps that it visited."""
        ...

    def save_evidence(self, name: str) -> str:
        """Save the current screenshot and tree. Return the path; empty if no evidence is saved."""
        ...


class EvidenceSource(Protocol):
    """Anything that can save its current screen as evidence."""

    def save_evidence(self, name: str) -> str:
        """Save the current screen; see `PathPerformer.save_evidence`."""
        ...


def perform_step(performer: PathPerformer, step: SolutionStep) -> str:
    """Perform a step. A command that the device refuses is the task's fault, not the device's."""
    try:
        return performer.perform(step)
    except CommandError as error:
        return str(error)
