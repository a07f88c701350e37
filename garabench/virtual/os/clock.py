"""The phone's own time.

With the ``instant`` latency time passes only by what commands cost, so that animations, toasts and page loads
take no real time and come out the same in every run; with ``phone`` it follows real time.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import enum
import heapq
import itertools
import time
import zoneinfo
from collections.abc import Callable

_ZONE_NAME, _ZONE = "Asia/Shanghai", dt.timezone(dt.timedelta(hours=8), "CST")
START = dt.datetime(2024, 5, 20, 9, 41, tzinfo=_ZONE)


class Latency(enum.StrEnum):
    """How long commands take."""

    INSTANT = "instant"
    PHONE = "phone"


class ScheduledCall:
    """A call that is still to come."""

    def __init__(self, due: int, call: Callable[[], None]) -> None:
        self.due = due
        self.call = call
        self.cancelled = False

    def cancel(self) -> None:
        """Forget it; harmless when it has already run."""
        self.cancelled = True


class PhoneClock:
    """Milliseconds since the phone was switched on.

    Attributes:
        latency: How time passes.
    """

    def __init__(self, latency: Latency, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.latency = latency
        self._monotonic = monotonic
        self.restart()

    def restart(self) -> None:
        """Begin anew, without any call to come."""
        self._origin = self._monotonic()
        self._now = 0
        self._started = 0
        self._moved = dt.timedelta(0)
        self._zone: dt.tzinfo = _ZONE
        self._zone_name = _ZONE_NAME
        self._calls: list[tuple[int, int, ScheduledCall]] = []
        self._order = itertools.count()

    def now_ms(self) -> int:
        """Milliseconds since the start."""
        return self._now

    def wall(self) -> dt.datetime:
        """The phone's date and time, in its time zone."""
        return (START + dt.timedelta(milliseconds=self._now) + self._moved).astimezone(self._zone)

    def set_wall(self, milliseconds: int) -> None:
        """Set the date and time; what passes since the start goes on as it did.

        Args:
            milliseconds: Since 1970.

        Raises:
            ValueError: The calendar has no such date.
        """
        try:
            wanted = dt.datetime(1970, 1, 1, tzinfo=dt.UTC) + dt.timedelta(milliseconds=milliseconds)
            _ = wanted.astimezone(self._zone), wanted + dt.timedelta(days=366)
        except OverflowError as error:
            raise ValueError(f"no date is {milliseconds} ms after 1970") from error
        self._moved += wanted - self.wall()

    @property
    def uptime_ms(self) -> int:
        """Milliseconds since the phone was started last."""
        return self._now - self._started

    def start_anew(self) -> None:
        """The phone was started again: its uptime begins anew, and its date and time go on."""
        self._started = self._now

    @property
    def zone(self) -> str:
        """The name of the time zone."""
        return self._zone_name

    @zone.setter
    def zone(self, name: str) -> None:
        """Move to another zone; to GMT when none has that name, as ``TimeZone.getTimeZone`` does."""
        try:
            self._zone, self._zone_name = zoneinfo.ZoneInfo(name), name
        except (zoneinfo.ZoneInfoNotFoundError, ValueError):
            self._zone, self._zone_name = dt.timezone(dt.timedelta(0), "GMT"), "GMT"

    def after(self, milliseconds: int, call: Callable[[], None]) -> ScheduledCall:
        """Call later, in the phone's time."""
        item = ScheduledCall(self._now + max(0, milliseconds), call)
        heapq.heappush(self._calls, (item.due, next(self._order), item))
        return item

    def advance(self, milliseconds: int) -> None:
        """Let time pass, running what falls due, in order."""
        end = self._now + max(0, milliseconds)
        while self._calls and self._calls[0][0] <= end:
            due, _, item = heapq.heappop(self._calls)
            self._now = max(self._now, due)
            if not item.cancelled:
                item.call()
        self._now = max(self._now, end)

    def catch_up(self) -> None:
        """With the ``phone`` latency: let the real time that has passed pass here, too."""
        if self.latency is Latency.PHONE:
            self.advance(int((self._monotonic() - self._origin) * 1000) - self._now)

    async def spend(self, milliseconds: int) -> None:
        """Take that long: at once with ``instant``, really with ``phone``."""
        if self.latency is Latency.PHONE:
            await asyncio.sleep(milliseconds / 1000)
            self.catch_up()
        else:
            self.advance(milliseconds)
