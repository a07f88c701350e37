"""Replay a task's solution on a device, and compare where it ends with where the recording ended."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from garabench.campaign.single_episode import run_episode
from garabench.core.end_criterion import EndCriterion
from garabench.core.screen_structure import SAME_STRUCTURE, structure_similarity
from garabench.core.tree import UiTree
from garabench.device.device import Device
from garabench.records.reader import load_run
from garabench.suite.suite import Suite, SuiteTask

REPLAYER = "dismiss"
"""The agent that follows the solution."""


@dataclass(frozen=True, slots=True)
class TaskReplay:
    """The result of a replay.

    Attributes:
        device: The device: model, Android version and size.
        outcome: The outcome of the episode: ``success`` if the goal holds at the end.
        reason: why the goal does not hold, or empty.
        steps: Number of performed steps.
        similarity: How alike the last screens are in their structure, 0 to 1; None without a recording.
    """

    device: str
    outcome: str
    reason: str
    steps: int
    similarity: float | None

    @property
    def ok(self) -> bool:
        """Whether the replay reached the same end."""
        alike = self.similarity is None or self.similarity >= SAME_STRUCTURE
        return self.outcome == "success" and alike


def replay_task(
    item: SuiteTask, suite: Suite, device: Device, out: Path, recorded_end: UiTree | None = None
) -> TaskReplay:
    """Perform a task's solution, and record it; the caller has the consent to wipe the app's data.

    Args:
        item: The task.
        suite: Its suite.
        device: The device.
        out: Folder of the record.
        recorded_end: The last screen of the recording.

    Raises:
        NotReadyError: The device cannot perform the task; nothing was wiped.
        DeviceError: The device is gone.
        RecordError: The record cannot be written.
    """
    end = run_episode(item.task.id, REPLAYER, device, out=out, end=EndCriterion.DONE, suite=suite, wipe=True)
    alike = None if recorded_end is None else structure_similarity(device.settle().reading.tree, recorded_end)
    info = device.info
    name = f"Android {info.release}, {info.size}, {info.language}"
    reason = "" if end.outcome == "success" else end.reason or end.outcome
    return TaskReplay(name, end.outcome, reason, end.step, alike)


def recorded_end(folder: Path) -> UiTree | None:
    """Return the last screen of a recording; None if it has none.

    Raises:
        InputError: The folder is not a recording, or its record is broken.
    """
    for episode in load_run(folder).episodes:
        screens = episode.observations
        if screens:
            return screens[-1].open_tree()
    return None
