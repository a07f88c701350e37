"""Read the log of an episode, ``events.jsonl``."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from garabench.core.events import Event, read_lines
from garabench.errors import InputError
from garabench.records.disk import complete_lines
from garabench.records.run_layout import EVENTS

_TAIL_BYTES = 4096
"""More than the last event of an episode needs."""


def read_events(attempt: Path) -> tuple[Event, ...]:
    """Return the events of an attempt at an episode, without a truncated last line; none if it never began.

    Args:
        attempt: The episode's folder for its latest attempt, or the folder of an earlier attempt.

    Raises:
        InputError: The log is broken or of a newer version.
    """
    path = attempt / EVENTS
    if not path.exists():
        return ()
    return read_lines(complete_lines(path), str(path))


def is_log_truncated(attempt: Path) -> bool:
    """Return whether an attempt's log exists, but does not end with the end of the episode.

    Only the last part of the file is read.

    Args:
        attempt: As for `read_events`.
    """
    try:
        with (attempt / EVENTS).open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL_BYTES))
            tail = file.read()
    except OSError:  # it does not exist, or cannot be read: whoever reads it says so
        return False
    return not tail.endswith(b"\n") or b'"episode_ended"' not in tail[:-1].rpartition(b"\n")[2]


@dataclass(frozen=True, slots=True)
class NewEvents:
    """Events that were appended to a log.

    Attributes:
        attempt: Identifies the attempt among all that the follower has read.
        events: The events, in order.
    """

    attempt: str
    events: tuple[Event, ...]


class LogFollower:
    """Reads logs while they are written: the events appended since the last call."""

    def __init__(self) -> None:
        self._read: dict[Path, tuple[int, int]] = {}  # by log: the file's inode, and the bytes read

    def read(self, log: Path) -> NewEvents | None:
        """Read the new events of a log, or all of them if another attempt has begun.

        Returns:
            None if there is nothing new, or if the log has just been moved.

        Raises:
            InputError: The new lines are broken or of a newer version; the next call skips them.
        """
        try:
            stat = log.stat()
            inode, start = self._read.get(log, (stat.st_ino, 0))
            if inode != stat.st_ino or stat.st_size < start:
                start = 0
            if stat.st_size == start:
                return None
            with log.open("rb") as file:
                file.seek(start)
                new = file.read()
        except OSError:
            return None
        whole = new[: new.rfind(b"\n") + 1]
        self._read[log] = (stat.st_ino, start + len(whole))
        try:
            lines = whole.decode("utf-8").splitlines(keepends=True)
        except UnicodeDecodeError as error:
            raise InputError(f"{log}: not UTF-8 text") from error
        return NewEvents(f"{log.parent}#{stat.st_ino}", read_lines(lines, str(log)))
