"""Journeys by metro and bus, and by train between cities."""

from __future__ import annotations

import enum
import functools
import heapq
import itertools
import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from garabench.virtual.kit.maps.atlas import Atlas, MapCity, Stop, TransitLine
from garabench.virtual.kit.maps.driving_routes import links
from garabench.virtual.kit.maps.geo import LatLon, metres_between

_WALK_MPS = 1.15
_STREET_FACTOR = 1.25
"""Factor from the distance as the crow flies to a walk along streets."""
_SPEED_MPS = {"metro": 10.5, "bus": 4.6}
_DWELL = {"metro": 32.0, "bus": 26.0}
_ACCESS_METRES = 1_300.0
_MIN_ACCESS = 3
_CHANGE_METRES = 320.0
_BUS_FARE = 2
_MAX_PLANS = 5
_MAX_WALKING = 4_000.0
_TRAIN_BUFFER = 45 * 60.0


class TransitOption(enum.Enum):
    """Passenger preferences."""

    RECOMMENDED = "推荐路线"
    FAST = "时间短"
    FEW_CHANGES = "少换乘"
    LITTLE_WALKING = "步行少"
    METRO_FIRST = "地铁优先"
    NO_METRO = "不坐地铁"


@dataclass(frozen=True, slots=True)
class Ride:
    """A ride on one line, without getting off."""

    line: str
    kind: str
    color: str
    start: str
    end: str
    stops: int
    seconds: float
    metres: float
    points: tuple[LatLon, ...]


@dataclass(frozen=True, slots=True)
class Walk:
    """A walk to the next stop, or to the destination."""

    metres: float
    seconds: float
    points: tuple[LatLon, ...]


@dataclass(frozen=True, slots=True)
class TransitPlan:
    """A journey.

    Attributes:
        legs: Rides and walks, in order.
        fare: In yuan.
    """

    legs: tuple[Ride | Walk, ...]
    fare: int

    @property
    def rides(self) -> tuple[Ride, ...]:
        """The rides of the journey."""
        return tuple(leg for leg in self.legs if isinstance(leg, Ride))

    @property
    def seconds(self) -> float:
        """The total time in seconds."""
        return sum(leg.seconds for leg in self.legs)

    @property
    def walking(self) -> float:
        """The walking distance in metres."""
        return sum(leg.metres for leg in self.legs if isinstance(leg, Walk))

    @property
    def changes(self) -> int:
        """The number of changes."""
        return max(0, len(self.rides) - 1)

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines, in order."""
        return tuple(ride.line for ride in self.rides)


@dataclass(frozen=True, slots=True)
class _Weights:
    """The weights of a search: perceived seconds for a change, and factors."""

    change: float = 240
    walking: float = 1.4
    metro: float | None = 1.0
    bus: float | None = 1.0


_TASTES = {
    TransitOption.RECOMMENDED: (_Weights(), _Weights(change=700), _Weights(walking=3), _Weights(bus=1.6)),
    TransitOption.FAST: (_Weights(change=30, walking=1), _Weights(), _Weights(change=700)),
    TransitOption.FEW_CHANGES: (_Weights(change=2400), _Weights(change=1200), _Weights()),
    TransitOption.LITTLE_WALKING: (_Weights(walking=5), _Weights(walking=3), _Weights()),
    TransitOption.METRO_FIRST: (_Weights(bus=2.2), _Weights(bus=None), _Weights()),
    TransitOption.NO_METRO: (
        _Weights(metro=None),
        _Weights(metro=None, change=900),
        _Weights(metro=None, walking=4),
    ),
}
_Key = tuple[int, int]
"""A stop: the line's number, and the stop's number on it."""


@functools.cache
def _changes(city: MapCity) -> dict[_Key, tuple[tuple[_Key, float], ...]]:
    """Return the stops of other lines within walking distance of a stop, and their distances."""
    stops = [((i, j), stop) for i, line in enumerate(city.lines) for j, stop in enumerate(line.stops)]
    near: dict[_Key, list[tuple[_Key, float]]] = defaultdict(list)
    for place, (key, stop) in enumerate(stops):
        for other, beside in stops[place + 1 :]:
            if key[0] == other[0]:
                continue
            away = metres_between(stop.at, beside.at)
            if away < 1 or stop.name == beside.name:
                away = max(away, 180.0)
            elif away > _CHANGE_METRES:
                continue
            near[key].append((other, away))
            near[other].append((key, away))
    return {key: tuple(found) for key, found in near.items()}


def _runs(line: TransitLine, hour: float) -> bool:
    first, last = (int(text[:2]) + int(text[3:]) / 60 for text in (line.first, line.last))
    return first <= hour <= last


def _around(city: MapCity, point: LatLon, fits: Iterable[int]) -> dict[_Key, float]:
    """Return the stops within walking distance and their distances; the nearest few if there are none."""
    away = sorted(
        (metres_between(stop.at, point) * _STREET_FACTOR, (i, j))
        for i in fits
        for j, stop in enumerate(city.lines[i].stops)
    )
    return {key: far for place, (far, key) in enumerate(away) if far <= _ACCESS_METRES or place < _MIN_ACCESS}


def _search(
    city: MapCity, start: LatLon, end: LatLon, taste: _Weights, hour: float, banned: frozenset[str]
) -> TransitPlan | None:
    weights = {"metro": taste.metro, "bus": taste.bus}
    lines = [
        i
        for i, line in enumerate(city.lines)
        if weights[line.kind] is not None and line.name not in banned and _runs(line, hour)
    ]
    usable = set(lines)
    near_start, near_end = _around(city, start, lines), _around(city, end, lines)

    def wait(key: _Key) -> float:
        return city.lines[key[0]].every * 30.0

    spent: dict[_Key, float] = {}
    came: dict[_Key, _Key | None] = {}
    heap: list[tuple[float, _Key, _Key | None]] = [
        (far / _WALK_MPS * taste.walking + wait(key), key, None) for key, far in near_start.items()
    ]
    heapq.heapify(heap)
    best: tuple[float, _Key] | None = None
    while heap:
        cost, key, before = heapq.heappop(heap)
        if key in spent:
            continue
        spent[key], came[key] = cost, before
        if best is not None and cost > best[0]:
            break
        if key in near_end:
            total = cost + near_end[key] / _WALK_MPS * taste.walking
            best = min(best, (total, key)) if best else (total, key)
        line = city.lines[key[0]]
        weight = weights[line.kind] or 1.0
        for j in (key[1] - 1, key[1] + 1):
            if 0 <= j < len(line.stops) and (key[0], j) not in spent:
                more = _hop(line, line.stops[key[1]], line.stops[j]) * weight
                heapq.heappush(heap, (cost + more, (key[0], j), key))
        for other, far in _changes(city).get(key, ()):
            if other[0] in usable and other not in spent:
                walk = far / _WALK_MPS * taste.walking
                heapq.heappush(heap, (cost + walk + wait(other) + taste.change, other, key))
    if best is None:
        return None
    path: list[_Key] = []
    at: _Key | None = best[1]
    while at is not None:
        path.append(at)
        at = came[at]
    return _plan(city, start, end, list(reversed(path)))


def _hop(line: TransitLine, one: Stop, other: Stop) -> float:
    return metres_between(one.at, other.at) * 1.1 / _SPEED_MPS[line.kind] + _DWELL[line.kind]


def _walk(a: LatLon, b: LatLon, min_metres: float = 0) -> Walk:
    metres = max(min_metres, metres_between(a, b) * _STREET_FACTOR)
    return Walk(metres, metres / _WALK_MPS, (a, b))


def _plan(city: MapCity, start: LatLon, end: LatLon, path: list[_Key]) -> TransitPlan | None:
    """Convert a path over stops to legs; None if it has no ride."""
    legs: list[Ride | Walk] = []
    at, fare, metro_metres = start, 0, 0.0
    place = 0
    while place < len(path):
        last = place
        while last + 1 < len(path) and path[last + 1][0] == path[place][0]:
            last += 1
        line = city.lines[path[place][0]]
        stops = [line.stops[j] for _, j in path[place : last + 1]]
        if len(stops) > 1:
            legs.append(_walk(at, stops[0].at, 150 if legs else 0))
            pairs = list(itertools.pairwise(stops))
            metres = sum(metres_between(a.at, b.at) for a, b in pairs) * 1.1
            seconds = line.every * 30.0 + sum(_hop(line, a, b) for a, b in pairs)
            points = tuple(stop.at for stop in stops)
            legs.append(
                Ride(
                    line.name, line.kind, line.color, stops[0].name, stops[-1].name, len(pairs),
                    seconds, metres, points,
                )
            )  # fmt: skip
            if line.kind == "metro":
                metro_metres += metres
            else:
                fare += _BUS_FARE
            at = stops[-1].at
        place = last + 1
    if not any(isinstance(leg, Ride) for leg in legs):
        return None
    legs.append(_walk(at, end))
    if metro_metres:
        fare += 3 + max(0, math.ceil((metro_metres / 1000 - 6) / 10))
    return TransitPlan(tuple(legs), fare)


def _within(
    city: MapCity, start: LatLon, end: LatLon, option: TransitOption, hour: float
) -> list[TransitPlan]:
    found: dict[tuple[str, ...], TransitPlan] = {}

    def keep(plan: TransitPlan | None) -> None:
        if plan is not None:
            found.setdefault(plan.lines, plan)

    tastes = _TASTES[option]
    for taste in tastes:
        keep(_search(city, start, end, taste, hour, frozenset()))
    for lines in list(found):
        for line in lines[:2]:
            keep(_search(city, start, end, tastes[0], hour, frozenset({line})))
    direct = metres_between(start, end) / _WALK_MPS * 3 + 2400
    plans = [plan for plan in found.values() if plan.seconds < direct and plan.walking <= _MAX_WALKING]
    keys = {
        TransitOption.FEW_CHANGES: lambda plan: (plan.changes, plan.seconds),
        TransitOption.LITTLE_WALKING: lambda plan: (plan.walking, plan.seconds),
        TransitOption.METRO_FIRST: lambda plan: (
            sum(ride.kind == "bus" for ride in plan.rides),
            plan.seconds,
        ),
        TransitOption.RECOMMENDED: lambda plan: (plan.seconds + plan.changes * 240 + plan.walking * 0.3,),
    }
    return sorted(plans, key=keys.get(option, lambda plan: (plan.seconds,)))[:_MAX_PLANS]


@functools.lru_cache(maxsize=256)
def journeys(
    atlas: Atlas, start: LatLon, end: LatLon, option: TransitOption, hour: float
) -> tuple[TransitPlan, ...]:
    """Return journeys, best first by the preference; empty if there are none.

    Args:
        atlas: The map.
        start: The start.
        end: The destination; another city is reached by train.
        option: The passenger's preference.
        hour: Time of departure, as hours of the day; lines that do not run then are left out.
    """
    one, other = atlas.city_at(start), atlas.city_at(end)
    if one is other:
        return tuple(_within(one, start, end, option, hour))
    row = next((row for row in links()["rails"] if row["cities"] == [one.id, other.id]), None)
    if row is None:
        return ()
    out = next(place.at for place in one.places if place.name == row["from"])
    into = next(place.at for place in other.places if place.name == row["to"])
    seconds = row["minutes"] * 60 + _TRAIN_BUFFER
    train = Ride(
        row["train"], "train", "#3C8CFF", row["from"], row["to"], 1, seconds, metres_between(out, into),
        (out, into),
    )  # fmt: skip
    before, after = _within(one, start, out, option, hour), _within(other, into, end, option, hour)
    head, tail = (before[0] if before else None), (after[0] if after else None)
    legs: tuple[Ride | Walk, ...] = (
        *(head.legs if head else (_walk(start, out),)),
        train,
        *(tail.legs if tail else (_walk(into, end),)),
    )
    fare = row["fare"] + sum(plan.fare for plan in (head, tail) if plan)
    return (TransitPlan(legs, fare),)
