"""Amap's content: its atlas, the phone's location, and the texts of its data files."""

from __future__ import annotations

import datetime as dt
import functools
import json
from dataclasses import dataclass
from importlib import resources
from typing import Any

from garabench.core.seeds import generator
from garabench.virtual.kit.maps.atlas import Atlas, MapPlace, TransitLine, atlas
from garabench.virtual.kit.maps.geo import LatLon, metres_between
from garabench.virtual.kit.maps.place_search import address_of
from garabench.virtual.kit.maps.units import distance_text

HERE = LatLon(31.2722, 121.4960)
"""The phone's location: in Shanghai, between 鲁迅公园 and 四平路."""
MINE = "me"
MY_PLACE = "我的位置"
_PIN = "pin:"
_CITIES = ("shanghai", "beijing", "chengdu", "guangzhou")


def app_atlas() -> Atlas:
    """Return the cities of the app."""
    return atlas(*_CITIES)


@functools.cache
def load(name: str) -> Any:
    """Read a data file; the result must not be modified."""
    source = resources.files("garabench.virtual.apps.amap").joinpath("content", name)
    return json.loads(source.read_text("utf-8"))


def here() -> MapPlace:
    """Return the current location as a place."""
    return MapPlace(MINE, MY_PLACE, HERE, "上海市", "位置", "位置", "", address_of(app_atlas(), HERE))


def pin_at(point: LatLon) -> MapPlace:
    """Return a point selected on the map as a place."""
    lat, lon = round(point.lat, 5), round(point.lon, 5)
    at = LatLon(lat, lon)
    city = app_atlas().city_at(at)
    return MapPlace(
        f"{_PIN}{lat},{lon}", "地图选点", at, city.name, "位置", "位置", "", address_of(app_atlas(), at)
    )


def place(name: str) -> MapPlace | None:
    """Return a place by its id: one of the atlas, a point on the map, or the current location."""
    if name == MINE:
        return here()
    if name.startswith(_PIN):
        try:
            lat, lon = (float(part) for part in name.removeprefix(_PIN).split(","))
        except ValueError:
            return None
        return pin_at(LatLon(lat, lon))
    return app_atlas().place(name)


def named(name: str) -> MapPlace:
    """Return a place of the atlas by its full name.

    Raises:
        LookupError: No place has this name.
    """
    found = next((each for each in app_atlas().places if each.name == name), None)
    if found is None:
        raise LookupError(f"no place is called {name!r}")
    return found


def distance_to(target: MapPlace) -> str:
    """Format the distance to a place."""
    return distance_text(metres_between(HERE, target.at))


def is_far(target: MapPlace) -> bool:
    """Return whether a place is in another city (跨城)."""
    return app_atlas().city_at(target.at) is not app_atlas().city_at(HERE)


def lines_at(station: MapPlace) -> tuple[TransitLine, ...]:
    """Return the metro lines that stop at a station."""
    name = station.name.removesuffix("(地铁站)")
    city = app_atlas().city_at(station.at)
    return tuple(
        line for line in city.lines if line.kind == "metro" and any(stop.name == name for stop in line.stops)
    )


@dataclass(frozen=True, slots=True)
class AmapReview:
    """A review of a place."""

    author: str
    stars: int
    text: str
    day: dt.date
    likes: int


@functools.lru_cache(maxsize=512)
def reviews_of(target: MapPlace) -> tuple[AmapReview, ...]:
    """Return a place's reviews, the most liked first."""
    pools = load("reviews.json")
    chance = generator(0, "amap-reviews", target.id)
    own = pools["by_category"].get(target.category, pools["by_category"]["其他"])
    result = []
    for kind, stars, count in (("good", 5, 6), ("middle", 3, 2), ("bad", 2, 2)):
        for text in chance.sample(own[kind], min(count, len(own[kind]))):
            day = dt.date(2024, 5, 19) - dt.timedelta(days=chance.randrange(1, 200))
            result.append(
                AmapReview(chance.choice(pools["names"]), stars, text, day, chance.randrange(0, 90))
            )
    return tuple(sorted(result, key=lambda review: (-review.likes, review.text)))
