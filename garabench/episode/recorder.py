"""Write an episode's record so that a kill at any moment loses at most the step in flight.

Events are appended and flushed; pictures and trees are written beside their place and renamed into it
before the event that names them. An attempt that was cut off is moved aside whole, never overwritten.
"""

from __future__ import annotations

import errno
import gzip
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Protocol

from garabench.agents.chat.kept import IMAGES, REQUESTS
from garabench.agents.keytexts import without_keys
from garabench.agents.own.boundedlog import AGENT_LOG
from garabench.core.events import EpisodeEnded, Event, read_lines, to_line
from garabench.core.observation import Observation
from garabench.errors import InputError, RecordError

EVENTS = "events.jsonl"
FAULT_LOG = "fault.log"
_SCREENS, _TREES = "screens", "trees"
_OF_AN_ATTEMPT = (EVENTS, FAULT_LOG, AGENT_LOG, _SCREENS, _TREES, REQUESTS, IMAGES)
_GZIP_LEVEL = 6


def disk_error(error: OSError, path: Path) -> RecordError:
    """Our error for a write that failed."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return RecordError(
            f"the disk is full: {path} could not be written; free some room and resume the run"
        )
    return RecordError(f"{path} could not be written: {error.strerror or error}")


class Record(Protocol):
    """Where an episode is recorded."""

    @property
    def attempt(self) -> int:
        """Which attempt at the episode it is, from 1."""
        ...

    def append(self, events: Sequence[Event]) -> None:
        """See `Recorder.append`."""
        ...

    def keep(self, observation: Observation, number: int) -> tuple[str, str]:
        """See `Recorder.keep`."""
        ...

    def keep_traceback(self, error: BaseException) -> str:
        """See `Recorder.keep_traceback`."""
        ...


class Recorder:
    """The record of one attempt at an episode."""

    def __init__(self, folder: Path) -> None:
        """Open the record, moving what an earlier attempt left aside.

        Args:
            folder: The episode's folder; made when it is not there.

        Raises:
            RecordError: It cannot be written.
        """
        self._folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self.attempt = _move_aside(folder) + 1
            for name in (_SCREENS, _TREES):
                (folder / name).mkdir(exist_ok=True)
            self._file = (folder / EVENTS).open("a", encoding="utf-8")
        except OSError as error:
            raise disk_error(error, folder) from error

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._file.close()
        except OSError as late:  # what could not be written is tried once more
            if error is None:
                raise disk_error(late, self._folder / EVENTS) from late

    def keep(self, observation: Observation, number: int) -> tuple[str, str]:
        """Keep an observation's tree and picture.

        Args:
            observation: What to keep.
            number: Of the observation within the episode, from 0.

        Returns:
            The names of the tree's and the picture's files, relative to the episode's folder.

        Raises:
            RecordError: They cannot be written.
        """
        tree = f"{_TREES}/{number:03d}.xml.gz"
        screen = f"{_SCREENS}/{number:03d}.png"
        # No time stamp goes into the compressed file: equal trees are equal files.
        self._write(tree, gzip.compress(observation.tree.to_xml(), _GZIP_LEVEL, mtime=0))
        self._write(screen, observation.screenshot.png)
        return tree, screen

    def _write(self, name: str, data: bytes) -> None:
        path = self._folder / name
        beside = path.with_suffix(path.suffix + ".part")
        try:
            beside.write_bytes(data)
            beside.replace(path)
        except OSError as error:
            raise disk_error(error, path) from error

    def keep_traceback(self, error: BaseException) -> str:
        """Keep the traceback of a fault that nobody foresaw.

        Returns:
            The file's name, relative to the episode's folder.

        Raises:
            RecordError: It cannot be written.
        """
        told = without_keys("".join(traceback.format_exception(error)))
        self._write(FAULT_LOG, told.encode(errors="replace"))
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
            raise disk_error(error, self._folder / EVENTS) from error


def _move_aside(folder: Path) -> int:
    """Move an earlier attempt's files into a folder of their own; how many attempts there were."""
    number = sum(1 for path in folder.glob("attempt-*") if path.is_dir())
    if not (folder / EVENTS).exists():
        return number
    aside = folder / f"attempt-{number + 1}"
    aside.mkdir()
    for name in _OF_AN_ATTEMPT:
        if (folder / name).exists():
            (folder / name).rename(aside / name)
    return number + 1


def read_events(folder: Path) -> tuple[Event, ...]:
    """The events of an episode's latest attempt; none when it never began.

    Raises:
        InputError: The log is broken or of a newer version.
    """
    path = folder / EVENTS
    if not path.exists():
        return ()
    return read_lines(whole_lines(path), str(path))


def whole_lines(path: Path) -> tuple[str, ...]:
    """The lines of a file that is appended to, without a last one that a kill has cut off.

    Raises:
        InputError: It is no UTF-8 text.
    """
    # Before decoding: a cut may lie within a character.
    *whole, _ = path.read_bytes().split(b"\n")
    lines: list[str] = []
    for number, line in enumerate(whole, start=1):
        try:
            lines.append(line.decode("utf-8") + "\n")
        except UnicodeDecodeError as error:
            raise InputError(f"{path}:{number}:{error.start + 1}: not UTF-8 text") from error
    return tuple(lines)


def ended(folder: Path) -> EpisodeEnded | None:
    """How an episode ended, or None when it has not."""
    events = read_events(folder)
    return events[-1] if events and isinstance(events[-1], EpisodeEnded) else None
