"""Ctrip's content: cities, hotels, sights, tours and coupons, from its data files."""

from __future__ import annotations

import datetime as dt
import functools
import json
import math
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from garabench.core.seeds import generator

_KM_PER_DEGREE = 111.2
_LAST_REVIEW = dt.date(2024, 5, 18)


@dataclass(frozen=True, slots=True)
class GeoPoint:
    """A point on the map: degrees north and east."""

    north: float
    east: float

    def km_to(self, other: GeoPoint) -> float:
        """Return the distance in kilometres as the crow flies; accurate enough within one country."""
        east = (self.east - other.east) * math.cos(math.radians((self.north + other.north) / 2))
        return math.hypot(self.north - other.north, east) * _KM_PER_DEGREE


@dataclass(frozen=True, slots=True)
class CtripCity:
    """A city with its terminals and stations, the busiest first."""

    name: str
    pinyin: str
    at: GeoPoint
    hot: bool
    airports: tuple[str, ...]
    stations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Landmark:
    """A landmark for hotel searches."""

    name: str
    city: str
    at: GeoPoint


@dataclass(frozen=True, slots=True)
class Hotel:
    """A hotel; `price` is its lowest price per night in yuan, `kind` is 经济型, 舒适型, 高档型 or 豪华型."""

    id: str
    name: str
    city: str
    area: str
    address: str
    stars: int
    kind: str
    score: float
    reviews: int
    price: int
    at: GeoPoint
    breakfast: bool
    cancel: bool
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Offer:
    """An offer for a room: `meals` breakfasts, `cancel` the deadline for free cancellation."""

    id: str
    meals: int
    cancel: bool
    price: int


@dataclass(frozen=True, slots=True)
class Room:
    """A room type; `size` is in square metres, `guests` is the maximum."""

    id: str
    name: str
    size: int
    bed: str
    guests: int
    window: str
    offers: tuple[Offer, ...]


@dataclass(frozen=True, slots=True)
class CtripReview:
    """A guest's review."""

    author: str
    score: float
    kind: str
    text: str
    at: dt.date


@dataclass(frozen=True, slots=True)
class Ticket:
    """A ticket for a sight; `since` (今日 or 次日) is the first day for which it can be booked."""

    id: str
    kind: str
    name: str
    price: int
    since: str


@dataclass(frozen=True, slots=True)
class Sight:
    """A sight; `closed` holds the weekdays (Monday is 0) on which it is closed."""

    id: str
    name: str
    city: str
    level: str
    score: float
    reviews: int
    price: int
    address: str
    open: str
    kind: str
    closed: tuple[int, ...]
    tickets: tuple[Ticket, ...]


@dataclass(frozen=True, slots=True)
class Tour:
    """A tour; `price` is in yuan per adult."""

    id: str
    title: str
    city: str
    days: int
    kind: str
    price: int
    score: float
    sold: int
    start: str
    shop: str
    tags: tuple[str, ...]
    about: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CtripCoupon:
    """A coupon: `amount` yuan off orders of `over` yuan or more."""

    id: str
    title: str
    amount: int
    over: int
    scope: str
    until: str


def load(name: str) -> Any:
    """Parse a data file of this app."""
    file = resources.files("garabench.virtual.apps.ctrip") / "content" / name
    return json.loads(file.read_text(encoding="utf-8"))


def fold(text: str) -> str:
    """Normalize a text for search: case-folded, without spaces and punctuation."""
    flat = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in flat if char.isalnum())


@functools.cache
def cities() -> Mapping[str, CtripCity]:
    """Return all cities by name, in the order of the data file."""
    return {
        row["name"]: CtripCity(
            row["name"],
            row["pinyin"],
            GeoPoint(*row["at"]),
            row["hot"],
            tuple(row["airports"]),
            tuple(row["stations"]),
        )
        for row in load("cities.json")["cities"]
    }


@functools.cache
def landmarks() -> tuple[Landmark, ...]:
    """Return all landmarks for hotel searches."""
    return tuple(
        Landmark(row["name"], row["city"], GeoPoint(*row["at"])) for row in load("cities.json")["landmarks"]
    )


@functools.cache
def hotels() -> Mapping[str, Hotel]:
    """Return all hotels by id."""
    rows: Sequence[dict[str, Any]] = load("hotels.json")["hotels"]
    return {
        row["id"]: Hotel(**{**row, "at": GeoPoint(*row["at"]), "tags": tuple(row["tags"])}) for row in rows
    }


@functools.cache
def rooms(hotel: str) -> tuple[Room, ...]:
    """Return a hotel's rooms; the first one's cheapest offer has the hotel's own price."""
    here = hotels()[hotel]
    step = max(18, round(here.price * 0.06))
    result = []
    for place, (name, size, bed, guests, extra, window) in enumerate(load("hotels.json")["rooms"][here.kind]):
        first = here.price + round(extra * max(1.0, here.price / 600))
        first = max(here.price, first) if place == 0 or extra >= 0 else here.price - 5
        offers = [Offer(f"{place}-0", 0, False, first)]
        if here.cancel:
            offers.append(Offer(f"{place}-1", 0, True, first + step))
        if here.breakfast:
            offers.append(Offer(f"{place}-2", 2, here.cancel, first + step * 2 + 20))
        result.append(Room(f"{hotel}-{place}", name, size, bed, guests, window, tuple(offers)))
    return tuple(result)


@functools.cache
def reviews(hotel: str) -> tuple[CtripReview, ...]:
    """Return a hotel's reviews, latest first."""
    pools = load("hotels.json")["reviews"]
    chance = generator(0, "ctrip-reviews", hotel)
    result = []
    for kind, key, low, high in (
        ("好评", "good", 46, 50),
        ("中评", "middle", 36, 42),
        ("差评", "bad", 20, 30),
    ):
        for text in chance.sample(pools[key], len(pools[key])):
            at = _LAST_REVIEW - dt.timedelta(days=chance.randrange(1, 90))
            result.append(
                CtripReview(chance.choice(pools["names"]), chance.randint(low, high) / 10, kind, text, at)
            )
    return tuple(sorted(result, key=lambda review: review.at, reverse=True))


@functools.cache
def sights() -> Mapping[str, Sight]:
    """Return all sights by id."""
    result = {}
    for row in load("sights.json")["sights"]:
        tickets = tuple(
            Ticket(f"{row['id']}-{place}", kind, name, price, since)
            for place, (kind, name, price, since) in enumerate(row["tickets"])
        )
        result[row["id"]] = Sight(**{**row, "closed": tuple(row["closed"]), "tickets": tickets})
    return result


@functools.cache
def tours() -> Mapping[str, Tour]:
    """Return all tours by id."""
    result = {}
    for row in load("tours.json")["tours"]:
        facts = {name: value for name, value in row.items() if name != "from"}
        facts |= {"start": row["from"], "tags": tuple(row["tags"]), "about": tuple(row["about"])}
        result[row["id"]] = Tour(**facts)
    return result


@functools.cache
def coupons() -> tuple[CtripCoupon, ...]:
    """Return all coupons."""
    return tuple(CtripCoupon(**row) for row in load("coupons.json")["coupons"])


@functools.cache
def home() -> Mapping[str, Any]:
    """Return the curated lists: grid, trending searches, recommendations, community notes, messages."""
    data: Mapping[str, Any] = load("home.json")
    return data


def city_of_station(station: str) -> CtripCity | None:
    """Return the city of a station; a city's name stands for itself."""
    for city in cities().values():
        if station == city.name or station in city.stations:
            return city
    return None


def exists(kind: str, name: str) -> bool:
    """Return whether the hotel, sight or tour exists."""
    tables: Mapping[str, Mapping[str, object]] = {"hotel": hotels(), "sight": sights(), "tour": tours()}
    return name in tables.get(kind, {})
