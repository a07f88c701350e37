"""Write an episode's record; a kill at any moment loses at most the current step.

Events are appended and flushed; pictures and trees are stored before the event that names them. An
interrupted attempt is moved into a separate folder, never overwritten. The log is forced to the disk when the
attempt ends, so that a power failure loses at most the attempts in flight.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Protocol

from garabench.core.events import Event, to_line
from garabench.core.observation import Observation
from garabench.core.redaction import redact_keys
from garabench.core.tree import UiTree
from garabench.records.content_store import ContentStore
from garabench.records.disk import disk_error, force_to_disk, make_durable_folder, write_atomic
from garabench.records.run_layout import ATTEMPT_FILES, EVENTS, FAULT_LOG, attempt_folder, earlier_attempts


@dataclass(frozen=True, slots=True)
class StoredObservation:
    """The names of an observation's tree and picture in the store.

    Attributes:
        tree: SHA-256 of its tree.
        picture: SHA-256 of its picture.
    """

    tree: str
    picture: str


class EpisodeRecord(Protocol):
    """A record of an episode that is being performed."""

    @property
    def attempt(self) -> int:
        """Number of the attempt at the episode, from 1."""
        ...

    def append(self, events: Sequence[Event]) -> None:
        """See `EpisodeWriter.append`."""
        ...

    def store(self, observation: Observation) -> StoredObservation:
        """See `EpisodeWriter.store`."""
        ...

    def write_traceback(self, error: BaseException) -> str:
        """See `EpisodeWriter.write_traceback`."""
        ...


class EpisodeWriter:
    """Writes the record of one attempt at an episode.

    Attributes:
        attempt: Number of the attempt, from 1.
    """

    def __init__(self, folder: Path) -> None:
        """Open the record, moving the files of an earlier attempt into a separate folder.

        Args:
            folder: The episode's folder, created if missing; pictures and trees go to the store of the
                run that it lies in.

        Raises:
            RecordError: It cannot be written.
        """
        self._folder = folder
        self._store = ContentStore.of_episode(folder)
        self._failed = False  # whether an append has failed, which was reported then
        try:
            make_durable_folder(folder)
            self.attempt = move_aside(folder) + 1
            self._file = (folder / EVENTS).open("a", encoding="utf-8")
            force_to_disk(folder)  # the name of the log, and of the folder of the earlier attempt
        except OSError as error:
            raise disk_error(error, folder) from error

    def __enter__(self) -> EpisodeWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            try:
                if not self._failed:
                    self._file.flush()
                    os.fsync(self._file.fileno())
            finally:
                self._file.close()
        except OSError as late:
            if error is None:
                raise disk_error(late, self._folder / EVENTS) from late

    def store(self, observation: Observation) -> StoredObservation:
        """Store an observation's tree and picture, each unless the store already has it.

        Raises:
            RecordError: They cannot be written.
        """
        xml = observation.tree.derived(UiTree.to_xml)  # cached, as is the tree of an unchanged screen
        return StoredObservation(
            self._store.add_tree(xml), self._store.add_picture(observation.screenshot.png)
        )

    def write_traceback(self, error: BaseException) -> str:
        """Write the traceback of an unexpected fault.

        Returns:
            The file's name, relative to the episode's folder.

        Raises:
            RecordError: It cannot be written.
        """
        text = redact_keys("".join(traceback.format_exception(error)))
        write_atomic(self._folder / FAULT_LOG, text.encode(errors="replace"))
        return FAULT_LOG

    def append(self, events: Sequence[Event]) -> None:
        """Append events and hand them to the operating system.

        Raises:
            RecordError: They cannot be written.
        """
        if not events:
            return
        try:
            self._file.write("".join(map(to_line, events)))
            self._file.flush()
        except OSError as error:
            self._failed = True
            raise disk_error(error, self._folder / EVENTS) from error


def move_aside(folder: Path) -> int:
    """Move an earlier attempt's files into a separate folder; return the number of earlier attempts.

    Raises:
        OSError: They cannot be moved.
    """
    number = len(earlier_attempts(folder))
    if not (folder / EVENTS).exists():
        return number
    earlier = attempt_folder(folder, number + 1)
    earlier.mkdir()
    for name in ATTEMPT_FILES:
        if (folder / name).exists():
            (folder / name).rename(earlier / name)
    return number + 1
