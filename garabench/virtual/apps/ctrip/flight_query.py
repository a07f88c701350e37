"""The flight query: search parameters, filters and sort order."""

from __future__ import annotations

import datetime as dt
import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from garabench.virtual.apps.ctrip.content import cities
from garabench.virtual.apps.ctrip.extras import day, flag
from garabench.virtual.apps.ctrip.timetable import Flight

CABINS = ("经济舱", "公务/头等舱")
SLOTS = (("06:00-12:00", 360, 720), ("12:00-18:00", 720, 1080), ("18:00-24:00", 1080, 1440))


@dataclass(frozen=True, slots=True)
class FlightQuery:
    """A search; `back` is the date of the return flight of a round trip."""

    start: str
    end: str
    day: dt.date
    back: dt.date | None = None
    cabin: str = CABINS[0]
    children: bool = False
    infants: bool = False

    def swapped(self) -> FlightQuery:
        """Return the query with start and destination swapped."""
        return replace(self, start=self.end, end=self.start)

    @property
    def words(self) -> str:
        """Cabin and accompanying children: 经济舱·儿童."""
        return "·".join((self.cabin, *("儿童",) * self.children, *("婴儿",) * self.infants))

    def extras(self) -> dict[str, str | int | bool]:
        """Return the query as extras of an intent."""
        return {
            "start": self.start,
            "end": self.end,
            "day": self.day.isoformat(),
            "back": self.back.isoformat() if self.back else "",
            "cabin": self.cabin,
            "children": self.children,
            "infants": self.infants,
        }


def flight_query_of(extras: Mapping[str, Any], today: dt.date) -> FlightQuery:
    """Parse a search from an intent; missing or invalid fields get their defaults."""
    first = day(extras, "day", today) or today + dt.timedelta(days=1)
    back = day(extras, "back", today)
    start, end = str(extras.get("start", "上海")), str(extras.get("end", "北京"))
    return FlightQuery(
        start=start if start in cities() else "上海",
        end=end if end in cities() else "北京",
        day=first,
        back=back if back is not None and back >= first else None,
        cabin=str(extras.get("cabin", CABINS[0])),
        children=flag(extras, "children"),
        infants=flag(extras, "infants"),
    )


class FlightSort(enum.StrEnum):
    """Sort orders of the list."""

    SMART = "推荐"
    EARLY = "时间早-晚"
    LATE = "时间晚-早"
    CHEAP = "价格低-高"
    DEAR = "价格高-低"


@dataclass(frozen=True, slots=True)
class FlightFilters:
    """Filters of the list; empty sets accept all."""

    airlines: frozenset[str] = frozenset()
    slots: frozenset[str] = frozenset()
    direct: bool = False

    @property
    def count(self) -> int:
        """Number of active filters, apart from 直飞优先."""
        return len(self.airlines) + len(self.slots)


def arrange_flights(found: Sequence[Flight], order: FlightSort, filters: FlightFilters) -> tuple[Flight, ...]:
    """Return the flights that pass the filters, sorted."""
    matching = [flight for flight in found if _passes(flight, filters)]
    match order:
        case FlightSort.EARLY:
            matching.sort(key=lambda flight: flight.depart)
        case FlightSort.LATE:
            matching.sort(key=lambda flight: -flight.depart)
        case FlightSort.CHEAP:
            matching.sort(key=lambda flight: (flight.price, flight.depart))
        case FlightSort.DEAR:
            matching.sort(key=lambda flight: (-flight.price, flight.depart))
        case FlightSort.SMART:
            matching.sort(
                key=lambda flight: (bool(flight.via), flight.price / 8 - flight.punctual, flight.depart)
            )
    return tuple(matching)


def _passes(flight: Flight, filters: FlightFilters) -> bool:
    if filters.direct and flight.via:
        return False
    if filters.airlines and flight.airline not in filters.airlines:
        return False
    if not filters.slots:
        return True
    return any(name in filters.slots and low <= flight.depart < high for name, low, high in SLOTS)
