"""Time as a value that is passed in: the only module that reads the clock or sleeps."""

from __future__ import annotations

import datetime as dt
import time
from typing import Protocol


class Clock(Protocol):
    """A source of time."""

    def monotonic(self) -> float:
        """Seconds since some fixed moment; never goes back."""
        ...

    def now(self) -> dt.datetime:
        """The wall clock, with a time zone."""
        ...

    def sleep(self, seconds: float) -> None:
        """Wait that long."""
        ...


class SystemClock:
    """The computer's own clock."""

    def monotonic(self) -> float:
        """Seconds of the monotonic clock."""
        return time.monotonic()

    def now(self) -> dt.datetime:
        """The present moment in UTC."""
        return dt.datetime.now(dt.UTC)

    def sleep(self, seconds: float) -> None:
        """Block this thread."""
        if seconds > 0:
            time.sleep(seconds)  # noqa: TID251 - this is the clock


class FakeClock:
    """A clock that moves only when told to, for tests.

    Attributes:
        slept: Every duration that was asked for, in order.
    """

    def __init__(self, start: dt.datetime = dt.datetime(2024, 5, 20, 9, 41, tzinfo=dt.UTC)) -> None:
        self._start = start
        self._elapsed = 0.0
        self.slept: list[float] = []

    def monotonic(self) -> float:
        """Seconds since the clock was made."""
        return self._elapsed

    def now(self) -> dt.datetime:
        """The start plus what has elapsed."""
        return self._start + dt.timedelta(seconds=self._elapsed)

    def sleep(self, seconds: float) -> None:
        """Advance at once."""
        self.slept.append(seconds)
        self.advance(seconds)

    def advance(self, seconds: float) -> None:
        """Move forward."""
        if seconds < 0:
            raise ValueError("time does not go back")
        self._elapsed += seconds
