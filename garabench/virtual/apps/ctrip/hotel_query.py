"""What hotels are looked for, and which of them answer: a city, days, guests, a place, price and stars."""

from __future__ import annotations

import datetime as dt
import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from garabench.virtual.apps.ctrip.content import Hotel, Landmark, cities, fold, hotels, landmarks
from garabench.virtual.apps.ctrip.extras import day, number

NEAR_KM = 12.0
PRICE_MOST = 10_000
ROOMS_MOST, ADULTS_MOST, CHILDREN_MOST = 9, 20, 6


@dataclass(frozen=True, slots=True)
class HotelQuery:
    """A search; `low` and `high` are yuan a night, `stars` the wanted ones (none: any)."""

    city: str
    start: dt.date
    end: dt.date
    rooms: int = 1
    adults: int = 2
    children: int = 0
    keyword: str = ""
    low: int = 0
    high: int = PRICE_MOST
    stars: frozenset[int] = frozenset()

    @property
    def nights(self) -> int:
        """How many nights."""
        return (self.end - self.start).days

    @property
    def guests(self) -> str:
        """Such as 1间 2成人 0儿童."""
        return f"{self.rooms}间 {self.adults}成人 {self.children}儿童"

    def extras(self) -> dict[str, str | int]:
        """Return it as extras of an intent."""
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


def query_of(extras: Mapping[str, Any], today: dt.date) -> HotelQuery:
    """Parse a search from an intent; missing or invalid fields get their defaults."""
    start = day(extras, "start", today) or today
    end = day(extras, "end", today) or start
    city = str(extras.get("city", "上海"))
    return HotelQuery(
        city=city if city in cities() else "上海",
        start=start,
        end=end if end > start else start + dt.timedelta(days=1),
        rooms=number(extras, "rooms", 1, 1, ROOMS_MOST),
        adults=number(extras, "adults", 2, 1, ADULTS_MOST),
        children=number(extras, "children", 0, 0, CHILDREN_MOST),
        keyword=str(extras.get("keyword", "")),
        low=number(extras, "low", 0, 0, PRICE_MOST),
        high=number(extras, "high", PRICE_MOST, 0, PRICE_MOST),
        stars=frozenset(int(char) for char in str(extras.get("stars", "")) if char in "2345"),
    )


class HotelSortOrder(enum.StrEnum):
    """Orders of the results."""

    SMART = "智能排序"
    SCORE = "好评优先"
    CHEAP = "低价优先"
    DEAR = "高价优先"
    NEAR = "距离优先"


@dataclass(frozen=True, slots=True)
class HotelFilters:
    """What the results are narrowed to."""

    breakfast: bool = False
    cancel: bool = False
    score: float = 0
    tags: frozenset[str] = frozenset()

    @property
    def count(self) -> int:
        """How many filters are set."""
        return self.breakfast + self.cancel + (self.score > 0) + len(self.tags)


@dataclass(frozen=True, slots=True)
class Found:
    """A hotel that was found, and how far it is from what was asked for.

    Attributes:
        near: The landmark, or the city's centre.
        km: Kilometres to it.
    """

    hotel: Hotel
    near: str
    km: float

    @property
    def distance(self) -> str:
        """Such as 距外滩直线860米."""
        far = f"{self.km:.1f}公里" if self.km >= 1 else f"{max(50, round(self.km * 1000 / 10) * 10)}米"
        return f"距{self.near}直线{far}"


def landmark_of(keyword: str, city: str) -> Landmark | None:
    """The place that a keyword means in a city (its name may begin with the city's)."""
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


def search(query: HotelQuery) -> tuple[Found, ...]:
    """Return all matching hotels, the best rated nearby first."""
    here = [hotel for hotel in hotels().values() if hotel.city == query.city]
    here = [hotel for hotel in here if query.low <= hotel.price <= query.high]
    here = [hotel for hotel in here if not query.stars or hotel.stars in query.stars]
    place = landmark_of(query.keyword, query.city)
    if place is not None:
        found = [Found(hotel, place.name, hotel.at.km_to(place.at)) for hotel in here]
        return _smart(tuple(one for one in found if one.km <= NEAR_KM))
    words = [fold(word) for word in query.keyword.split()]
    centre = cities()[query.city]
    named = [
        hotel
        for hotel in here
        if all(word in fold(hotel.name + hotel.area + hotel.address + hotel.kind) for word in words)
    ]
    return _smart(tuple(Found(hotel, "市中心", hotel.at.km_to(centre.at)) for hotel in named))


def _smart(found: Sequence[Found]) -> tuple[Found, ...]:
    return tuple(sorted(found, key=lambda one: one.km * 2.2 - one.hotel.score * 3 - one.hotel.reviews / 2500))


def arrange(found: Sequence[Found], order: HotelSortOrder, filters: HotelFilters) -> tuple[Found, ...]:
    """The results in an order, narrowed."""
    kept = [one for one in found if _passes(one.hotel, filters)]
    match order:
        case HotelSortOrder.SCORE:
            kept.sort(key=lambda one: (-one.hotel.score, -one.hotel.reviews))
        case HotelSortOrder.CHEAP:
            kept.sort(key=lambda one: one.hotel.price)
        case HotelSortOrder.DEAR:
            kept.sort(key=lambda one: -one.hotel.price)
        case HotelSortOrder.NEAR:
            kept.sort(key=lambda one: one.km)
        case HotelSortOrder.SMART:
            pass
    return tuple(kept)


def _passes(hotel: Hotel, filters: HotelFilters) -> bool:
    return (
        (hotel.breakfast or not filters.breakfast)
        and (hotel.cancel or not filters.cancel)
        and hotel.score >= filters.score
        and filters.tags <= set(hotel.tags)
    )


@dataclass
class PriceChoice:
    """What the sheet of price and stars holds until it is confirmed."""

    low: int = 0
    high: int = PRICE_MOST
    stars: set[int] = field(default_factory=set)

    def apply(self, query: HotelQuery) -> HotelQuery:
        """The search with these limits."""
        return replace(query, low=self.low, high=self.high, stars=frozenset(self.stars))


def price_words(query: HotelQuery) -> str:
    """The limits of price and stars in words, or empty."""
    parts = []
    if (query.low, query.high) != (0, PRICE_MOST):
        parts.append(f"¥{query.low}-{query.high}" if query.high < PRICE_MOST else f"¥{query.low}以上")
    names = {2: "二星/经济", 3: "三星/舒适", 4: "四星/高档", 5: "五星/豪华"}
    parts += [names[star] for star in sorted(query.stars) if star in names]
    return "，".join(parts)
