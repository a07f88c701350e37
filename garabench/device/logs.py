"""Read one tag of logcat without losing a line.

The position is noted before an interruption is injected, and lines are read from the device's buffer,
never from a stream that could lag or break: what the device logged is there when it is asked for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from garabench.device.adb import Adb

_LINE = re.compile(
    r"^(?P<time>\d\d-\d\d \d\d:\d\d:\d\d\.\d{3})\s+(?P<pid>\d+)\s+(?P<tid>\d+)\s+"
    r"(?P<level>[VDIWEFA])\s+(?P<tag>[^:]*?)\s*: (?P<message>.*)$"
)


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of logcat.

    Attributes:
        time: The device's clock, ``MM-DD hh:mm:ss.mmm``.
        pid: Process id of the writer.
        level: One of V, D, I, W, E, F, A.
        tag, message: What was logged.
    """

    time: str
    pid: int
    level: str
    tag: str
    message: str


def parse_threadtime(text: str) -> tuple[LogLine, ...]:
    """Parse the output of ``logcat -v threadtime``; lines of another form (headers) are left out."""
    lines = []
    for row in text.replace("\r\n", "\n").split("\n"):
        if match := _LINE.match(row):
            lines.append(
                LogLine(match["time"], int(match["pid"]), match["level"], match["tag"], match["message"])
            )
    return tuple(lines)


class LogWatch:
    """The lines of one tag that were logged after the watch began.

    The watch knows how many lines of the tag the buffer held when it began, so that equal lines in the
    same millisecond are not confused; when the buffer has been cleared or trimmed meanwhile, it starts
    over from what is there. Events carry their own token and sequence number, so a line that is read
    twice does no harm, while a line that is missed would.

    Attributes:
        cleared: Whether at the last `read` nothing was left of what the buffer held before: lines that came
            and went between the two were not seen.
    """

    def __init__(self, adb: Adb, tag: str) -> None:
        """Begin to watch now.

        Args:
            adb: The device.
            tag: The logcat tag.

        Raises:
            DeviceError: The log cannot be read.
        """
        if not re.fullmatch(r"[\w.\-]{1,23}", tag):
            raise ValueError(f"not a logcat tag: {tag!r}")
        self._adb = adb
        self._tag = tag
        self._seen = self._dump()
        self.cleared = False

    def read(self) -> tuple[LogLine, ...]:
        """The lines since the last call (or since the watch began), oldest first.

        Raises:
            DeviceError: The log cannot be read.
        """
        lines = self._dump()
        fresh = new_lines(self._seen, lines)
        self.cleared = bool(self._seen) and len(fresh) == len(lines)
        self._seen = lines
        return fresh

    def _dump(self) -> tuple[LogLine, ...]:
        result = self._adb.shell(["logcat", "-d", "-v", "threadtime", "-s", f"{self._tag}:V"])
        return tuple(line for line in parse_threadtime(result.stdout) if line.tag == self._tag)


def new_lines(before: tuple[LogLine, ...], after: tuple[LogLine, ...]) -> tuple[LogLine, ...]:
    """What `after` holds beyond `before`, when the buffer may have lost lines at its start.

    Args:
        before: An earlier reading of the buffer.
        after: A later one.

    Returns:
        The lines of `after` that follow the longest end of `before` with which it can begin.
    """
    for skip in range(len(before)):
        kept = before[skip:]
        if after[: len(kept)] == kept:
            return after[len(kept) :]
    return after
