"""The fork of a case on one device: saved when the first probe reaches it, so that later ones begin there.

On an emulator the state of the device is a snapshot over its console. Elsewhere each probe replays the
prefix.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

from garabench.core.memory_image import UnsupportedObjectError
from garabench.device.device import Device
from garabench.device.snapshots import DeviceSnapshots
from garabench.episode.mark import EpisodeMark
from garabench.episode.runner import EpisodeRunner
from garabench.errors import CommandError

_LOG = logging.getLogger(__name__)
_NAME = "garabench-fork"
"""The only snapshot that a diagnosis leaves on a device, and only until its end."""


@dataclass(frozen=True, slots=True, eq=False)
class SavedFork:
    """A fork that was saved.

    Attributes:
        case: Name of the failed episode.
        fork: Place of the fork in the case's steps.
        runner: The runner that reached it.
        mark: What the runner knew there.
    """

    case: str
    fork: int
    runner: EpisodeRunner
    mark: EpisodeMark


class ForkStore:
    """The saved fork of one device; there is at most one.

    Attributes:
        device: The device.
        loads: How often its snapshot was loaded.
    """

    def __init__(self, device: Device) -> None:
        """Create an empty store for a device."""
        self.device = device
        self.loads = 0
        self._snapshots = DeviceSnapshots(device)
        self._supported: bool | None = None
        self._saved: SavedFork | None = None

    @property
    def supported(self) -> bool:
        """Whether the device can save its state while it runs.

        Raises:
            DeviceError: The device is gone.
        """
        if self._supported is None:
            self._supported = self._snapshots.supported
        return self._supported

    def save(self, case: str, fork: int, runner: EpisodeRunner) -> None:
        """Save a fork, during the decision at which its state is reached.

        Raises:
            DeviceError: The device is gone.
        """
        self._saved = None
        try:
            mark = runner.mark()
            self._snapshots.save(_NAME)
        except (CommandError, UnsupportedObjectError) as error:
            _LOG.warning("%s: the fork was not saved: %s", self.device.adb.serial, error)
            self._supported = False
            return
        self._saved = SavedFork(case, fork, runner, mark)

    def load(self, case: str, fork: int) -> SavedFork | None:
        """Bring the device to a saved fork; None if it was not saved, or cannot be loaded.

        Raises:
            DeviceError: The device is gone.
            HarnessError: The changes to the device cannot be recorded.
        """
        saved = self._saved
        if saved is None or (saved.case, saved.fork) != (case, fork):
            return None
        saved.mark.record_changes(self.device.journal)  # before they are in effect again
        self.loads += 1
        try:
            self._snapshots.load(_NAME)
        except CommandError as error:
            _LOG.warning("%s: the fork was not loaded: %s", self.device.adb.serial, error)
            self._saved = None
        return self._saved

    def clear(self) -> None:
        """Delete the snapshot, if there is one.

        Raises:
            DeviceError: The device is gone.
        """
        if self._saved is not None:
            self._saved = None
            self._snapshots.delete(_NAME)
