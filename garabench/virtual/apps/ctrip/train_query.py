"""The train query: search parameters, filters and sort order."""

from __future__ import annotations

import datetime as dt
import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from garabench.virtual.apps.ctrip.content import city_of_station
from garabench.virtual.apps.ctrip.extras import day, flag
from garabench.virtual.apps.ctrip.timetable import Seat, Train

STUDENT_FACTOR = {"二等座": 0.75, "硬座": 0.5}
HOURS = (
    ("00:00-06:00", 0, 360),
    ("06:00-12:00", 360, 720),
    ("12:00-18:00", 720, 1080),
    ("18:00-24:00", 1080, 1440),
)


@dataclass(frozen=True, slots=True)
class TrainQuery:
    """A search between two cities or stations."""

    start: str
    end: str
    day: dt.date
    fast: bool = False
    student: bool = False

    def swapped(self) -> TrainQuery:
        """Return the query with start and destination swapped."""
        return replace(self, start=self.end, end=self.start)

    def extras(self) -> dict[str, str | int | bool]:
        """Return the query as extras of an intent."""
        return {
            "start": self.start,
            "end": self.end,
            "day": self.day.isoformat(),
            "fast": self.fast,
            "student": self.student,
        }

    def price(self, seat: Seat) -> int:
        """Return the price of a seat in yuan, reduced for students."""
        return round(seat.price * STUDENT_FACTOR.get(seat.name, 1)) if self.student else seat.price


def train_query_of(extras: Mapping[str, Any], today: dt.date) -> TrainQuery:
    """Parse a search from an intent; missing or invalid fields get their defaults."""
    start, end = str(extras.get("start", "上海")), str(extras.get("end", "杭州"))
    return TrainQuery(
        start=start if city_of_station(start) else "上海",
        end=end if city_of_station(end) else "杭州",
        day=day(extras, "day", today) or today + dt.timedelta(days=1),
        fast=flag(extras, "fast"),
        student=flag(extras, "student"),
    )


class TrainSort(enum.StrEnum):
    """Sort orders of the list."""

    EARLY = "发时最早"
    LATE = "发时最晚"
    SHORT = "耗时最短"
    CHEAP = "价格最低"


@dataclass(frozen=True, slots=True)
class TrainFilters:
    """Filters of the list; empty sets accept all."""

    fast: bool = False
    stocked: bool = False
    hours: frozenset[str] = frozenset()
    stations: frozenset[str] = frozenset()

    @property
    def count(self) -> int:
        """Number of active filters of the sheet."""
        return self.stocked + len(self.hours) + len(self.stations)


def arrange_trains(found: Sequence[Train], order: TrainSort, filters: TrainFilters) -> tuple[Train, ...]:
    """Return the trains that pass the filters, sorted."""
    matching = [train for train in found if _passes(train, filters)]
    match order:
        case TrainSort.EARLY:
            matching.sort(key=lambda train: train.depart)
        case TrainSort.LATE:
            matching.sort(key=lambda train: -train.depart)
        case TrainSort.SHORT:
            matching.sort(key=lambda train: (train.arrive - train.depart, train.depart))
        case TrainSort.CHEAP:
            matching.sort(key=lambda train: (train.price, train.depart))
    return tuple(matching)


def _passes(train: Train, filters: TrainFilters) -> bool:
    if filters.fast and not train.fast:
        return False
    if filters.stocked and not any(seat.left for seat in train.seats):
        return False
    if filters.stations and not {train.start, train.end} & filters.stations:
        return False
    if not filters.hours:
        return True
    return any(name in filters.hours and low <= train.depart < high for name, low, high in HOURS)
