"""Clocks, passed in as values: the only module that reads the system's clock or blocks."""

from __future__ import annotations

import datetime as dt
import time
from typing import Protocol


class Clock(Protocol):
    """A source of time."""

    def monotonic(self) -> float:
        """Return the seconds since an arbitrary fixed moment; never decreases."""
        ...

    def now(self) -> dt.datetime:
        """Return the date and time, with a time zone."""
        ...

    def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


class SystemClock:
    """The computer's own clock."""

    def monotonic(self) -> float:
        """Return the seconds of the monotonic clock."""
        return time.monotonic()

    def now(self) -> dt.datetime:
        """Return the current date and time in UTC."""
        return dt.datetime.now(dt.UTC)

    def sleep(self, seconds: float) -> None:
        """Block this thread."""
        if seconds > 0:
            time.sleep(seconds)  # noqa: TID251 - this is the clock


class FakeClock:
    """A clock for tests that advances only on request.

    Attributes:
        slept: The durations of all calls of `sleep`, in order.
    """

    def __init__(self, start: dt.datetime = dt.datetime(2024, 5, 20, 9, 41, tzinfo=dt.UTC)) -> None:
        self._start = start
        self._elapsed = 0.0
        self.slept: list[float] = []

    def monotonic(self) -> float:
        """Return the seconds since the clock was created."""
        return self._elapsed

    def now(self) -> dt.datetime:
        """Return the start plus the elapsed time."""
        return self._start + dt.timedelta(seconds=self._elapsed)

    def sleep(self, seconds: float) -> None:
        """Advance by a duration without waiting."""
        self.slept.append(seconds)
        self.advance(seconds)

    def advance(self, seconds: float) -> None:
        """Advance by a duration."""
        if seconds < 0:
            raise ValueError("the clock cannot go backwards")
        self._elapsed += seconds
