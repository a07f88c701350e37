"""Read the log of an episode, ``events.jsonl``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from garabench.core.events import Event, read_lines
from garabench.errors import InputError
from garabench.records.disk import whole_lines
from garabench.records.layout import EVENTS


def read_events(attempt: Path) -> tuple[Event, ...]:
    """The events of an attempt at an episode; none when it never began.

    A last line that a kill has cut off is left out.

    Args:
        attempt: The episode's folder, for its latest attempt, or an earlier attempt's.

    Raises:
        InputError: The log is broken or of a newer version.
    """
    path = attempt / EVENTS
    if not path.exists():
        return ()
    return read_lines(whole_lines(path), str(path))


@dataclass(frozen=True, slots=True)
class NewEvents:
    """What has been appended to a log.

    Attributes:
        attempt: Identifies the attempt that the log belongs to, among all that the follower has met.
        events: The events, in order.
    """

    attempt: str
    events: tuple[Event, ...]


class LogFollower:
    """Reads logs while they are written: what has been appended since the last time."""

    def __init__(self) -> None:
        self._read: dict[Path, tuple[int, int]] = {}  # of each log: its file's inode, and how much was read

    def read(self, log: Path) -> NewEvents | None:
        """Read what has been appended to a log, or all of it where another attempt has begun.

        Returns:
            None where there is nothing new, or where the log has just been moved aside.

        Raises:
            InputError: What was appended is broken or of a newer version; it is passed over the next time.
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
