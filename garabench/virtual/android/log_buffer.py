"""The log buffer behind ``logcat``."""

from __future__ import annotations

import datetime as dt
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from garabench.virtual.android.clock import PhoneClock

CAPACITY = 10_000
_SYSTEM = frozenset(
    {"ActivityManager", "ActivityTaskManager", "WindowManager", "PackageManager", "PowerManager"}
)
"""Tags of the system's own services."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A line of the log.

    Attributes:
        number: Sequence number from 1, never reset.
        time: Timestamp on the phone's clock.
        level: One of V, D, I, W, E, F.
        tag, message: Its text.
        pid, tid: Its writer.
    """

    number: int
    time: dt.datetime
    level: str
    tag: str
    message: str
    pid: int
    tid: int

    @property
    def buffer(self) -> str:
        """Its Android log buffer: ``main``, ``system`` or ``crash``."""
        if self.tag == "AndroidRuntime" and self.level in "EF":
            return "crash"
        return "system" if self.tag in _SYSTEM else "main"


class LogBuffer:
    """A ring buffer of log lines."""

    def __init__(self, clock: PhoneClock) -> None:
        self._clock = clock
        self._entries: deque[LogEntry] = deque(maxlen=CAPACITY)
        self._count = 0
        self._subscribers: list[Callable[[LogEntry], None]] = []

    def write(self, level: str, tag: str, message: str, *, pid: int, tid: int = 0) -> None:
        """Write a message, one entry per line."""
        for line in message.split("\n"):
            self._count += 1
            entry = LogEntry(self._count, self._clock.wall(), level, tag, line, pid, tid or pid)
            self._entries.append(entry)
            for subscriber in list(self._subscribers):
                subscriber(entry)

    def read(self, after: int = 0) -> tuple[LogEntry, ...]:
        """Return the buffered entries after a sequence number, oldest first."""
        return tuple(entry for entry in self._entries if entry.number > after)

    def clear(self, unwanted: Callable[[LogEntry], bool] = lambda entry: True) -> None:
        """Clear all entries, or some."""
        remaining = [entry for entry in self._entries if not unwanted(entry)]
        self._entries.clear()
        self._entries.extend(remaining)

    def subscribe(self, subscriber: Callable[[LogEntry], None]) -> Callable[[], None]:
        """Observe new entries; return a function that unsubscribes."""
        self._subscribers.append(subscriber)
        return lambda: self._subscribers.remove(subscriber)
