"""The atlas: cities with roads, water, parks, public transport lines and places.

The geometry is hand-drawn and simplified. Well-known public places have their real names; shops are
fictional. The data files are read once.
"""

from __future__ import annotations

import enum
import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

from garabench.virtual.kit.maps.geo import LatLon, metres_between


class RoadKind(enum.Enum):
    """Road classes, from the fastest."""

    HIGHWAY = "highway"
    EXPRESS = "express"
    AVENUE = "avenue"
    STREET = "street"

    @property
    def for_cars_only(self) -> bool:
        """Whether the roads are closed to pedestrians and bikes."""
        return self in (RoadKind.HIGHWAY, RoadKind.EXPRESS)


@dataclass(frozen=True, slots=True)
class Road:
    """A road; `name` may be empty."""

    name: str
    kind: RoadKind
    points: tuple[LatLon, ...]


@dataclass(frozen=True, slots=True)
class Water:
    """A river or a lake along a line, `width` metres wide."""

    name: str
    width: float
    points: tuple[LatLon, ...]


@dataclass(frozen=True, slots=True)
class Area:
    """A park or a campus around a point; sizes are in metres."""

    name: str
    kind: str
    at: LatLon
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Stop:
    """A stop of a line."""

    name: str
    at: LatLon


@dataclass(frozen=True, slots=True)
class TransitLine:
    """A public transport line.

    Attributes:
        kind: ``metro`` or ``bus``.
        every: Minutes between departures.
        first, last: Time of the first and the last departure, such as ``05:30``.
    """

    name: str
    kind: str
    color: str
    every: int
    first: str
    last: str
    stops: tuple[Stop, ...]


@dataclass(frozen=True, slots=True)
class MapPlace:
    """A place.

    Attributes:
        id: Stable id in the data.
        city: The city, such as ``上海市``.
        category: The category, such as ``美食``; `kind` is the subcategory, such as ``火锅``.
        rating: 0 to 5.
        price: Yuan per person, or None.
        phone, hours: Empty if unknown.
        reviews: Number of ratings.
    """

    id: str
    name: str
    at: LatLon
    city: str
    category: str
    kind: str
    district: str
    address: str
    tags: tuple[str, ...] = ()
    rating: float = 0
    price: int | None = None
    phone: str = ""
    hours: str = ""
    reviews: int = 0

    @property
    def full_address(self) -> str:
        """District and address; for a station, its lines."""
        between = " " if self.kind == "地铁站" else ""
        return f"{self.district}{between}{self.address}"


@dataclass(frozen=True, slots=True, eq=False)
class MapCity:
    """A city; compared and hashed by identity."""

    id: str
    name: str
    center: LatLon
    roads: tuple[Road, ...]
    water: tuple[Water, ...]
    areas: tuple[Area, ...]
    lines: tuple[TransitLine, ...]
    places: tuple[MapPlace, ...]

    @property
    def short(self) -> str:
        """Its name without 市."""
        return self.name.removesuffix("市")


def _point(pair: list[float]) -> LatLon:
    return LatLon(pair[0], pair[1])


def _points(pairs: list[list[float]]) -> tuple[LatLon, ...]:
    return tuple(map(_point, pairs))


def _line(row: Mapping[str, Any]) -> TransitLine:
    stops = tuple(Stop(name, LatLon(lat, lon)) for name, lat, lon in row["stops"])
    return TransitLine(**{**row, "stops": stops})


@functools.cache
def city(name: str) -> MapCity:
    """Read a city by the name of its data file, such as ``shanghai``."""
    source = resources.files("garabench.virtual.kit.maps").joinpath("content", f"{name}.json")
    data = json.loads(source.read_text("utf-8"))
    return MapCity(
        id=data["id"],
        name=data["name"],
        center=_point(data["center"]),
        roads=tuple(Road(r["name"], RoadKind(r["kind"]), _points(r["points"])) for r in data["roads"]),
        water=tuple(Water(w["name"], w["width"], _points(w["points"])) for w in data["water"]),
        areas=tuple(Area(**{**row, "at": _point(row["at"])}) for row in data["areas"]),
        lines=tuple(map(_line, data["lines"])),
        places=tuple(
            MapPlace(**{**row, "at": _point(row["at"]), "tags": tuple(row["tags"]), "city": data["name"]})
            for row in data["places"]
        ),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Atlas:
    """The cities that an app covers; the phone is in the first one."""

    cities: tuple[MapCity, ...]

    @property
    def places(self) -> tuple[MapPlace, ...]:
        """All places, those of the first city first."""
        return tuple(place for each in self.cities for place in each.places)

    def place(self, place_id: str) -> MapPlace | None:
        """Return a place by its id."""
        return next((place for place in self.places if place.id == place_id), None)

    def city_at(self, point: LatLon) -> MapCity:
        """Return the city with the nearest centre."""
        return min(self.cities, key=lambda each: metres_between(each.center, point))


@functools.cache
def atlas(*names: str) -> Atlas:
    """Return the atlas of some cities, given the names of their data files."""
    return Atlas(tuple(map(city, names)))
