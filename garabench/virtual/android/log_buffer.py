"""The log buffers behind ``logcat``."""

from __future__ import annotations

import datetime as dt
import heapq
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from garabench.virtual.android.phone_clock import PhoneClock

CAPACITY = 10_000
DEFAULT_SIZE = 256 * 1024
"""Size of a buffer in bytes, unless ``logcat -G`` sets another."""
ENTRY_OVERHEAD = 28
"""Size of an entry's header (``logger_entry``)."""
_CHATTER_CAPACITY = 5_000
_SYSTEM = frozenset(
    {"ActivityManager", "ActivityTaskManager", "WindowManager", "PackageManager", "PowerManager"}
)
"""Tags of the system's own services."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A line of the log.

    Attributes:
        number: Sequence number from 1, never reset; chatter has that of the entry before it.
        time: Timestamp on the phone's clock.
        level: One of V, D, I, W, E, F.
        tag, message: Its text.
        pid, tid: Its writer.
        named_buffer: The buffer that it was written to; empty for the one that fits its tag.
    """

    number: int
    time: dt.datetime
    level: str
    tag: str
    message: str
    pid: int
    tid: int
    named_buffer: str = ""

    @property
    def buffer(self) -> str:
        """Its Android log buffer: ``main``, ``system``, ``crash``, ``events`` or ``radio``."""
        if self.named_buffer:
            return self.named_buffer
        if self.tag == "AndroidRuntime" and self.level in "EF":
            return "crash"
        return "system" if self.tag in _SYSTEM else "main"

    @property
    def size(self) -> int:
        """Its size in bytes, with its header."""
        return ENTRY_OVERHEAD + 3 + len(self.tag.encode()) + len(self.message.encode(errors="replace"))


@dataclass(frozen=True, slots=True)
class ChatterLine:
    """A line that the system writes unprompted.

    Attributes:
        buffer, level, tag, message, pid: As in an entry.
        age_ms: Milliseconds between the line and the end of the boot; 0 for lines after it.
    """

    buffer: str
    level: str
    tag: str
    message: str
    pid: int
    age_ms: int = 0


class Chatter(Protocol):
    """The source of the lines that a phone writes without being used.

    Attributes:
        tags: The tags of all its lines.
    """

    tags: frozenset[str]

    def boot(self) -> Sequence[ChatterLine]:
        """Return the lines of a boot."""
        ...

    def restart(self) -> None:
        """Count the lines after a boot from now on."""
        ...

    def due(self) -> Sequence[ChatterLine]:
        """Return the lines of the real time that has passed since the last call."""
        ...


class LogBuffer:
    """The ring buffers of log lines.

    Entries are what happens on the phone: they are the same in every run with the same seed. Chatter is what
    a running system writes all the time, in real time; it never displaces an entry, and readers that filter
    by tag do not see it. As in each of Android's ring buffers, its newest lines displace its oldest ones.

    Attributes:
        sizes: Sizes of buffers in bytes, as ``logcat -G`` sets them.
        last: The entries before the last reboot; None before the first.
    """

    def __init__(self, clock: PhoneClock) -> None:
        self._clock = clock
        self._entries: deque[LogEntry] = deque(maxlen=CAPACITY)
        self._chatter: deque[LogEntry] = deque()
        self._chatter_bytes: Counter[str] = Counter()
        self._source: Chatter | None = None
        self._booted = False
        self._count = 0
        self._subscribers: list[Callable[[LogEntry], None]] = []
        self.sizes: dict[str, int] = {}
        self.last: tuple[LogEntry, ...] | None = None

    def attach(self, source: Chatter) -> None:
        """Attach a source of chatter; without one there is none."""
        self._source = source
        self._booted = False

    @property
    def chatter_tags(self) -> frozenset[str]:
        """The tags of chatter."""
        return self._source.tags if self._source is not None else frozenset()

    def write(self, level: str, tag: str, message: str, *, pid: int, tid: int = 0, buffer: str = "") -> None:
        """Write a message, one entry per line."""
        for line in message.split("\n"):
            self._count += 1
            entry = LogEntry(self._count, self._clock.wall(), level, tag, line, pid, tid or pid, buffer)
            self._entries.append(entry)
            if self.sizes:
                self._prune(entry.buffer)
            for subscriber in list(self._subscribers):
                subscriber(entry)

    def read(self, after: int = 0) -> tuple[LogEntry, ...]:
        """Return the buffered entries after a sequence number, without chatter, oldest first."""
        return tuple(entry for entry in self._entries if entry.number > after)

    def read_all(self) -> tuple[LogEntry, ...]:
        """Return the buffered entries and chatter, oldest first."""
        self.catch_up()
        return tuple(heapq.merge(self._entries, self._chatter, key=lambda entry: entry.number))

    def catch_up(self) -> None:
        """Write the chatter that is due in real time."""
        if self._source is None:
            return
        if not self._booted:
            self._booted = True
            for line in self._source.boot():
                self._add(line, 0)
        for line in self._source.due():
            entry = self._add(line, self._count)
            for subscriber in list(self._subscribers):
                subscriber(entry)

    def _add(self, line: ChatterLine, number: int) -> LogEntry:
        time = self._clock.boot_wall() if line.age_ms else self._clock.wall()
        entry = LogEntry(
            number,
            time - dt.timedelta(milliseconds=line.age_ms),
            line.level,
            line.tag,
            line.message,
            line.pid,
            line.pid,
            line.buffer,
        )
        self._chatter.append(entry)
        self._chatter_bytes[entry.buffer] += entry.size
        while self._chatter_bytes[entry.buffer] > DEFAULT_SIZE:
            self._discard(next(each for each in self._chatter if each.buffer == entry.buffer))
        if len(self._chatter) > _CHATTER_CAPACITY:
            self._discard(self._chatter[0])
        return entry

    def _discard(self, line: LogEntry) -> None:
        self._chatter.remove(line)
        self._chatter_bytes[line.buffer] -= line.size

    def clear(self, unwanted: Callable[[LogEntry], bool] = lambda entry: True) -> None:
        """Clear all entries, or some."""
        self.catch_up()
        for entries in (self._entries, self._chatter):
            remaining = [entry for entry in entries if not unwanted(entry)]
            entries.clear()
            entries.extend(remaining)
        self._chatter_bytes.clear()
        for entry in self._chatter:
            self._chatter_bytes[entry.buffer] += entry.size

    def restart(self, *, keep_last: bool = False) -> None:
        """Start anew, with the log of a boot.

        Args:
            keep_last: Whether the present entries are those before a reboot.
        """
        self.last = self.read_all() if keep_last else None
        self._entries.clear()
        self._chatter.clear()
        self._chatter_bytes.clear()
        self.sizes.clear()
        self._booted = False
        if self._source is not None:
            self._source.restart()

    def resize(self, buffer: str, size: int) -> None:
        """Set the size of a buffer in bytes; its oldest entries are dropped if it is smaller."""
        self.sizes[buffer] = size
        self._prune(buffer)

    def _prune(self, buffer: str) -> None:
        limit = self.sizes.get(buffer)
        used = 0 if limit is None else sum(each.size for each in self._entries if each.buffer == buffer)
        while limit is not None and used > limit:
            oldest = next(each for each in self._entries if each.buffer == buffer)
            used -= oldest.size
            self._entries.remove(oldest)

    def subscribe(self, subscriber: Callable[[LogEntry], None]) -> Callable[[], None]:
        """Observe new entries and chatter; return a function that unsubscribes."""
        self._subscribers.append(subscriber)
        return lambda: self._subscribers.remove(subscriber)
