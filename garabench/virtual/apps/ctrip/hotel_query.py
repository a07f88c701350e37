"""The hotel query: search parameters, filters, sort order and the search itself."""

from __future__ import annotations

import datetime as dt
import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from garabench.virtual.apps.ctrip.content import Hotel, Landmark, cities, fold, hotels, landmarks
from garabench.virtual.apps.ctrip.extras import day, number

NEAR_KM = 12.0
MAX_PRICE = 10_000
MAX_ROOMS, MAX_ADULTS, MAX_CHILDREN = 9, 20, 6


@dataclass(frozen=True, slots=True)
class HotelQuery:
    """A search; `low` and `high` are yuan per night, `stars` the accepted ratings (empty: any)."""

    city: str
    start: dt.date
    end: dt.date
    rooms: int = 1
    adults: int = 2
    children: int = 0
    keyword: str = ""
    low: int = 0
    high: int = MAX_PRICE
    stars: frozenset[int] = frozenset()

    @property
    def nights(self) -> int:
        """The number of nights."""
        return (self.end - self.start).days

    @property
    def guests(self) -> str:
        """Rooms and guests, such as 1间 2成人 0儿童."""
        return f"{self.rooms}间 {self.adults}成人 {self.children}儿童"

    def extras(self) -> dict[str, str | int]:
        """Return the query as extras of an intent."""
        return {
            "city": self.city,
            "start": self.start.isoformat(),
            "end": self.end.isoformat(),
            "rooms": self.rooms,
            "adults": self.adults,
            "children": self.children,
            "keyword": self.keyword,
            "low": self.low,
            "high": self.high,
            "stars": "".join(map(str, sorted(self.stars))),
        }


def hotel_query_of(extras: Mapping[str, Any], today: dt.date) -> HotelQuery:
    """Parse a search from an intent; missing or invalid fields get their defaults."""
    start = day(extras, "start", today) or today
    end = day(extras, "end", today) or start
    city = str(extras.get("city", "上海"))
    return HotelQuery(
        city=city if city in cities() else "上海",
        start=start,
        end=end if end > start else start + dt.timedelta(days=1),
        rooms=number(extras, "rooms", 1, 1, MAX_ROOMS),
        adults=number(extras, "adults", 2, 1, MAX_ADULTS),
        children=number(extras, "children", 0, 0, MAX_CHILDREN),
        keyword=str(extras.get("keyword", "")),
        low=number(extras, "low", 0, 0, MAX_PRICE),
        high=number(extras, "high", MAX_PRICE, 0, MAX_PRICE),
        stars=frozenset(int(char) for char in str(extras.get("stars", "")) if char in "2345"),
    )


class HotelSortOrder(enum.StrEnum):
    """Sort orders of the results."""

    SMART = "智能排序"
    SCORE = "好评优先"
    CHEAP = "低价优先"
    DEAR = "高价优先"
    NEAR = "距离优先"


@dataclass(frozen=True, slots=True)
class HotelFilters:
    """Filters of the results."""

    breakfast: bool = False
    cancel: bool = False
    score: float = 0
    tags: frozenset[str] = frozenset()

    @property
    def count(self) -> int:
        """Number of active filters."""
        return self.breakfast + self.cancel + (self.score > 0) + len(self.tags)


@dataclass(frozen=True, slots=True)
class HotelMatch:
    """A hotel that matches a search, and its distance from the requested place.

    Attributes:
        near: The landmark, or the city's centre.
        km: Kilometres to it.
    """

    hotel: Hotel
    near: str
    km: float

    @property
    def distance(self) -> str:
        """The distance as text, such as 距外滩直线860米."""
        far = f"{self.km:.1f}公里" if self.km >= 1 else f"{max(50, round(self.km * 1000 / 10) * 10)}米"
        return f"距{self.near}直线{far}"


def landmark_of(keyword: str, city: str) -> Landmark | None:
    """Return the landmark that a keyword names in a city; the keyword may start with the city's name."""
    wanted = fold(keyword)
    if not wanted:
        return None
    for place in landmarks():
        name = fold(place.name)
        if place.city == city and (
            wanted in (name, fold(city) + name) or (len(wanted) > 2 and wanted in name)
        ):
            return place
    return None


def search(query: HotelQuery) -> tuple[HotelMatch, ...]:
    """Return all matching hotels, the best rated nearby first."""
    here = [hotel for hotel in hotels().values() if hotel.city == query.city]
    here = [hotel for hotel in here if query.low <= hotel.price <= query.high]
    here = [hotel for hotel in here if not query.stars or hotel.stars in query.stars]
    place = landmark_of(query.keyword, query.city)
    if place is not None:
        found = [HotelMatch(hotel, place.name, hotel.at.km_to(place.at)) for hotel in here]
        return _smart(tuple(item for item in found if item.km <= NEAR_KM))
    words = [fold(word) for word in query.keyword.split()]
    centre = cities()[query.city]
    named = [
        hotel
        for hotel in here
        if all(word in fold(hotel.name + hotel.area + hotel.address + hotel.kind) for word in words)
    ]
    return _smart(tuple(HotelMatch(hotel, "市中心", hotel.at.km_to(centre.at)) for hotel in named))


def _smart(found: Sequence[HotelMatch]) -> tuple[HotelMatch, ...]:
    return tuple(
        sorted(found, key=lambda item: item.km * 2.2 - item.hotel.score * 3 - item.hotel.reviews / 2500)
    )


def arrange_hotels(
    found: Sequence[HotelMatch], order: HotelSortOrder, filters: HotelFilters
) -> tuple[HotelMatch, ...]:
    """Return the hotels that pass the filters, sorted."""
    matching = [item for item in found if _passes(item.hotel, filters)]
    match order:
        case HotelSortOrder.SCORE:
            matching.sort(key=lambda item: (-item.hotel.score, -item.hotel.reviews))
        case HotelSortOrder.CHEAP:
            matching.sort(key=lambda item: item.hotel.price)
        case HotelSortOrder.DEAR:
            matching.sort(key=lambda item: -item.hotel.price)
        case HotelSortOrder.NEAR:
            matching.sort(key=lambda item: item.km)
        case HotelSortOrder.SMART:
            pass
    return tuple(matching)


def _passes(hotel: Hotel, filters: HotelFilters) -> bool:
    return (
        (hotel.breakfast or not filters.breakfast)
        and (hotel.cancel or not filters.cancel)
        and hotel.score >= filters.score
        and filters.tags <= set(hotel.tags)
    )


@dataclass
class PriceChoice:
    """The unconfirmed choices of the sheet for price and stars."""

    low: int = 0
    high: int = MAX_PRICE
    stars: set[int] = field(default_factory=set)

    def apply(self, query: HotelQuery) -> HotelQuery:
        """Return the query with these limits."""
        return replace(query, low=self.low, high=self.high, stars=frozenset(self.stars))


def price_text(query: HotelQuery) -> str:
    """Return the limits of price and stars as text; empty without any."""
    parts = []
    if (query.low, query.high) != (0, MAX_PRICE):
        parts.append(f"¥{query.low}-{query.high}" if query.high < MAX_PRICE else f"¥{query.low}以上")
    names = {2: "二星/经济", 3: "三星/舒适", 4: "四星/高档", 5: "五星/豪华"}
    parts += [names[star] for star in sorted(query.stars) if star in names]
    return "，".join(parts)
