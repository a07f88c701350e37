"""The phone's clock.

With ``instant`` latency only the durations of commands advance it, so that animations, toasts and page loads
take no real time and are the same in every run; with ``phone`` and ``slow-legacy`` it follows real time.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import enum
import heapq
import zoneinfo
from collections.abc import Callable, Mapping

from garabench.core.clock import SystemClock

_REAL_TIME = SystemClock()
_ZONES: Mapping[str, dt.tzinfo] = {
    "Asia/Shanghai": dt.timezone(dt.timedelta(hours=8), "CST"),
    "GMT": dt.timezone(dt.timedelta(0), "GMT"),
}
_FIRST_ZONE = "Asia/Shanghai"
START = dt.datetime(2024, 5, 20, 9, 41, tzinfo=_ZONES[_FIRST_ZONE])


class Latency(enum.StrEnum):
    """Latency profiles."""

    INSTANT = "instant"
    PHONE = "phone"
    SLOW_LEGACY = "slow-legacy"

    @property
    def real_time(self) -> bool:
        """Whether the clock follows real time."""
        return self is not Latency.INSTANT


class ScheduledCall:
    """A call scheduled for later."""

    def __init__(self, due: int, call: Callable[[], None]) -> None:
        self.due = due
        self.call = call
        self.cancelled = False

    def cancel(self) -> None:
        """Cancel it; does nothing if it has already run."""
        self.cancelled = True


class PhoneClock:
    """The phone's clock, in milliseconds since it was created.

    Attributes:
        latency: The latency profile.
    """

    def __init__(
        self,
        latency: Latency,
        *,
        zone: str = _FIRST_ZONE,
        monotonic: Callable[[], float] = _REAL_TIME.monotonic,
    ) -> None:
        """Create a clock that shows 9:41.

        Args:
            latency: The latency profile.
            zone: The time zone at the start: ``Asia/Shanghai`` or ``GMT``.
            monotonic: Returns the real time in seconds.
        """
        self.latency = latency
        self._first_zone = zone
        self._start = START.replace(tzinfo=_ZONES[zone])
        self._monotonic = monotonic
        self.restart()

    def restart(self) -> None:
        """Restart from zero, without scheduled calls."""
        self._origin = self._monotonic()
        self._now = 0
        self._started = 0
        self._offset = dt.timedelta(0)
        self._zone = _ZONES[self._first_zone]
        self._zone_name = self._first_zone
        self._calls: list[tuple[int, int, ScheduledCall]] = []
        self._next_call = 0

    def now_ms(self) -> int:
        """Return milliseconds since the start."""
        return self._now

    def wall(self) -> dt.datetime:
        """Return the phone's date and time, in its time zone."""
        return (self._start + dt.timedelta(milliseconds=self._now) + self._offset).astimezone(self._zone)

    def at(self, seconds: int) -> dt.datetime:
        """Return a time in seconds since 1970 as date and time in the phone's time zone."""
        return dt.datetime.fromtimestamp(seconds, self._zone)

    def set_wall(self, milliseconds: int) -> None:
        """Set the date and time; the uptime is unaffected.

        Args:
            milliseconds: Since 1970.

        Raises:
            ValueError: The calendar has no such date.
        """
        try:
            target = dt.datetime(1970, 1, 1, tzinfo=dt.UTC) + dt.timedelta(milliseconds=milliseconds)
            _ = target.astimezone(self._zone), target + dt.timedelta(days=366)
        except OverflowError as error:
            raise ValueError(f"{milliseconds} ms since 1970 is not a valid date") from error
        self._offset += target - self.wall()

    def boot_wall(self) -> dt.datetime:
        """Return the date and time of the last boot."""
        return self.wall() - dt.timedelta(milliseconds=self.uptime_ms)

    @property
    def uptime_ms(self) -> int:
        """Milliseconds since the last boot."""
        return self._now - self._started

    def resume(self) -> None:
        """Continue from the present phone time, which was set back to that of a snapshot."""
        self._origin = self._monotonic() - self._now / 1000

    def reboot(self) -> None:
        """Restart the uptime after a reboot; date and time continue."""
        self._started = self._now

    @property
    def zone(self) -> str:
        """The name of the time zone."""
        return self._zone_name

    @zone.setter
    def zone(self, name: str) -> None:
        """Set the time zone; an unknown name means GMT, as in ``TimeZone.getTimeZone``."""
        try:
            self._zone, self._zone_name = zoneinfo.ZoneInfo(name), name
        except (zoneinfo.ZoneInfoNotFoundError, ValueError):
            self._zone, self._zone_name = dt.timezone(dt.timedelta(0), "GMT"), "GMT"

    def after(self, milliseconds: int, call: Callable[[], None]) -> ScheduledCall:
        """Schedule a call, in the phone's time."""
        item = ScheduledCall(self._now + max(0, milliseconds), call)
        heapq.heappush(self._calls, (item.due, self._next_call, item))
        self._next_call += 1
        return item

    def advance(self, milliseconds: int) -> None:
        """Advance the clock, running due calls in order."""
        end = self._now + max(0, milliseconds)
        while self._calls and self._calls[0][0] <= end:
            due, _, item = heapq.heappop(self._calls)
            self._now = max(self._now, due)
            if not item.cancelled:
                item.call()
        self._now = max(self._now, end)

    def catch_up(self) -> None:
        """Advance by the real time that has passed, unless the latency is ``instant``."""
        if self.latency.real_time:
            self.advance(int((self._monotonic() - self._origin) * 1000) - self._now)

    async def spend(self, milliseconds: int) -> None:
        """Spend this much time: at once with ``instant``, otherwise as a real wait."""
        if self.latency.real_time:
            await asyncio.sleep(milliseconds / 1000)
            self.catch_up()
        else:
            self.advance(milliseconds)
