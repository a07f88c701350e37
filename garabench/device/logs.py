"""Read one tag of logcat without losing lines.

The position is taken before an interruption is injected, and lines are read from the device's buffer rather
than from a stream, which could lag or break.
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
        time: Time by the device's clock, ``MM-DD hh:mm:ss.mmm``.
        pid: Process id of the writer.
        level: One of V, D, I, W, E, F, A.
        tag, message: Tag and message.
    """

    time: str
    pid: int
    level: str
    tag: str
    message: str


def parse_threadtime(text: str) -> tuple[LogLine, ...]:
    """Parse the output of ``logcat -v threadtime``, skipping other lines such as headers."""
    lines = []
    for row in text.replace("\r\n", "\n").split("\n"):
        if match := _LINE.match(row):
            lines.append(
                LogLine(match["time"], int(match["pid"]), match["level"], match["tag"], match["message"])
            )
    return tuple(lines)


class LogWatch:
    """The lines of one tag that were logged after the watch began.

    The watch remembers the lines that the buffer held when it began, so equal lines in the same millisecond
    are not confused. When the buffer has been cleared or trimmed since, it starts over with the current
    content. Events carry a token and a sequence number, so reading a line twice is harmless, while missing
    one is not.

    Attributes:
        cleared: Whether nothing of the previous content was left at the last `read`; lines that came and
            went in between were missed.
    """

    def __init__(self, adb: Adb, tag: str) -> None:
        """Start watching.

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
        """Return the lines since the last call (or since the watch began), oldest first.

        Raises:
            DeviceError: The log cannot be read.
        """
        lines = self._dump()
        added = new_lines(self._seen, lines)
        self.cleared = bool(self._seen) and len(added) == len(lines)
        self._seen = lines
        return added

    def _dump(self) -> tuple[LogLine, ...]:
        result = self._adb.shell(["logcat", "-d", "-v", "threadtime", "-s", f"{self._tag}:V"])
        return tuple(line for line in parse_threadtime(result.stdout) if line.tag == self._tag)


def new_lines(before: tuple[LogLine, ...], after: tuple[LogLine, ...]) -> tuple[LogLine, ...]:
    """Return the lines of `after` that `before` does not have; the buffer may have dropped its oldest lines.

    Args:
        before: An earlier reading of the buffer.
        after: A later one.

    Returns:
        The lines of `after` that follow the longest suffix of `before` that is a prefix of `after`.
    """
    for skip in range(len(before)):
        suffix = before[skip:]
        if after[: len(suffix)] == suffix:
            return after[len(suffix) :]
    return after
