"""Routes by car, by bike and on foot."""

from __future__ import annotations

import enum
import functools
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import groupby, pairwise
from typing import Any

from garabench.virtual.kit.maps.atlas import Atlas, MapCity, RoadKind
from garabench.virtual.kit.maps.geo import LatLon, metres_between
from garabench.virtual.kit.maps.road_graph import Edge, Graph, graph_of, is_drivable, is_walkable
from garabench.virtual.kit.maps.traffic import Flow, flow_of, seconds_along

_TOLL_PER_KM = 0.5
_LIGHT_SECONDS = 16.0
_DETOUR_FACTOR = 1.35
"""Factor on the cost of the first route's edges when an alternative is searched."""
_OFF_LIMITS = 6.0
_LAST_RESORT = 40.0
_BETWEEN_KMH = 95
_FAR_OFF = 2_500.0


class TravelMode(enum.Enum):
    """Travel modes on roads."""

    CAR = "car"
    BIKE = "bike"
    WALK = "walk"


class DriveOption(enum.Enum):
    """Driving preferences; none of them means the app's own recommendation."""

    AVOID_JAMS = "躲避拥堵"
    PREFER_HIGHWAYS = "高速优先"
    NO_HIGHWAYS = "不走高速"
    LESS_TOLL = "少收费"
    BIG_ROADS = "大路优先"
    FASTEST = "速度最快"

    @property
    def excludes(self) -> frozenset[DriveOption]:
        """The options that this one excludes."""
        against = {
            DriveOption.PREFER_HIGHWAYS: {DriveOption.NO_HIGHWAYS, DriveOption.LESS_TOLL},
            DriveOption.NO_HIGHWAYS: {DriveOption.PREFER_HIGHWAYS},
            DriveOption.LESS_TOLL: {DriveOption.PREFER_HIGHWAYS},
            DriveOption.BIG_ROADS: {DriveOption.FASTEST},
            DriveOption.FASTEST: {DriveOption.BIG_ROADS},
        }
        return frozenset(against.get(self, ()))


@dataclass(frozen=True, slots=True)
class Step:
    """A stretch along one road; `flow` is its worst traffic, for cars only."""

    road: str
    metres: float
    flow: Flow = Flow.FREE


@dataclass(frozen=True, slots=True)
class Route:
    """A route from a start to a destination.

    Attributes:
        label: Its advantage over the others, such as ``距离短``.
        points: The line on the map.
        flows: The traffic of each segment; empty for other modes than driving.
        toll: In yuan.
        lights: Number of traffic lights.
    """

    label: str
    points: tuple[LatLon, ...]
    metres: float
    seconds: float
    steps: tuple[Step, ...]
    flows: tuple[Flow, ...] = ()
    toll: int = 0
    lights: int = 0

    @property
    def main_roads(self) -> tuple[str, ...]:
        """The names of its longest roads, in travel order."""
        longest = sorted((step for step in self.steps if step.road), key=lambda step: -step.metres)
        main = {step.road for step in longest[:3]}
        return tuple(dict.fromkeys(step.road for step in self.steps if step.road in main))


def is_tolled(edge: Edge) -> bool:
    """Return whether an edge has a toll: highways do, except city rings."""
    name = edge.road.name
    return edge.road.kind is RoadKind.HIGHWAY and "环" not in name and "绕城" not in name


def _cost(graph: Graph, edge: Edge, hour: float, options: frozenset[DriveOption]) -> float:
    """Return the cost of an edge to a driver with these preferences, in perceived seconds."""
    kind = edge.road.kind
    cost = seconds_along(graph, edge, hour)
    if DriveOption.NO_HIGHWAYS in options and kind is RoadKind.HIGHWAY:
        cost *= _LAST_RESORT
    flow = flow_of(graph, edge, hour)
    if DriveOption.AVOID_JAMS in options:
        cost *= {Flow.JAM: 3.0, Flow.SLOW: 1.6, Flow.FREE: 1.0}[flow]
    if DriveOption.PREFER_HIGHWAYS in options and kind.for_cars_only:
        cost *= 0.6
    if DriveOption.LESS_TOLL in options and is_tolled(edge):
        cost *= 3
    if DriveOption.BIG_ROADS in options and kind is RoadKind.STREET:
        cost *= 2
    if DriveOption.FASTEST not in options and kind is RoadKind.STREET:
        cost *= 1.15
    return cost + (0 if kind.for_cars_only else 4)


@dataclass(frozen=True, slots=True)
class RouteLeg:
    """A path through a city: the graph's edges between two free points."""

    city: MapCity
    start: LatLon
    end: LatLon
    first: int
    edges: tuple[Edge, ...]


def _entry(graph: Graph, point: LatLon, fits: Callable[[Edge], bool]) -> int:
    """Return where a leg enters the network: a suitable crossing, or the nearest one if none is near."""
    found = graph.nearest(point, fits)
    if metres_between(graph.nodes[found], point) > _FAR_OFF:
        found = graph.nearest(point, lambda edge: True)
    return found


def _leg(
    city: MapCity,
    start: LatLon,
    end: LatLon,
    mode: TravelMode,
    hour: float,
    options: frozenset[DriveOption],
    avoid: frozenset[int] = frozenset(),
    *,
    shortest: bool = False,
) -> RouteLeg | None:
    graph = graph_of(city)
    fits = is_drivable if mode is TravelMode.CAR else is_walkable
    first, last = (_entry(graph, point, fits) for point in (start, end))

    def cost(edge: Edge) -> float:
        if mode is not TravelMode.CAR:
            return edge.length * (1 if is_walkable(edge) else _OFF_LIMITS)
        spent = edge.length if shortest else _cost(graph, edge, hour, options)
        if shortest and DriveOption.NO_HIGHWAYS in options and edge.road.kind is RoadKind.HIGHWAY:
            spent *= _LAST_RESORT
        return spent if edge.number not in avoid else spent * _DETOUR_FACTOR

    edges = graph.shortest_path(first, last, cost)
    return None if edges is None else RouteLeg(city, start, end, first, edges)


@functools.cache
def links() -> dict[str, Any]:
    """Return the roads and trains between cities."""
    source = resources.files("garabench.virtual.kit.maps").joinpath("content", "links.json")
    data: dict[str, Any] = json.loads(source.read_text("utf-8"))
    return data


def _gate(city: MapCity, towards: LatLon) -> LatLon:
    """Return where to leave a city towards another one."""
    graph = graph_of(city)
    ends = [
        graph.nodes[end] for e in graph.edges if is_drivable(e) and graph.around[e.ends[0]] for end in e.ends
    ]
    return min(ends, key=lambda node: metres_between(node, towards))


Link = tuple[str, float]
"""A road between two cities: name and metres."""


def _link(one: MapCity, other: MapCity, a: LatLon, b: LatLon) -> Link:
    pair = {one.id, other.id}
    row = next((row for row in links()["roads"] if set(row["cities"]) == pair), None)
    if row is None:
        return "国道", metres_between(a, b) * 1.25
    return str(row["name"]), metres_between(a, b) * float(row["factor"])


def _route(parts: Sequence[RouteLeg | tuple[Link, LatLon, LatLon]], mode: TravelMode, hour: float) -> Route:
    """Sum up legs and links."""
    points: list[LatLon] = []
    flows: list[Flow] = []
    stretches: list[Step] = []
    seconds = toll = 0.0
    lights = 0
    for part in parts:
        if not isinstance(part, RouteLeg):
            (name, metres), a, b = part
            points += [a, b]
            flows += [Flow.FREE] * 2
            stretches.append(Step(name, metres))
            seconds += metres / (_BETWEEN_KMH / 3.6)
            toll += metres / 1000 * _TOLL_PER_KM
            continue
        graph = graph_of(part.city)
        line = graph.line_of(part.first, part.edges)
        ends = metres_between(part.start, line[0]), metres_between(line[-1], part.end)
        points += [part.start, *line, part.end]
        own = [flow_of(graph, edge, hour) for edge in part.edges]
        flows += [Flow.FREE, *own, Flow.FREE, Flow.FREE]
        plain = [edge for edge in part.edges if not edge.road.kind.for_cars_only]
        crossed = round(len(plain) * 0.6)
        lights += crossed
        pace = {TravelMode.CAR: 20 / 3.6, TravelMode.BIKE: 13.5 / 3.6, TravelMode.WALK: 4.6 / 3.6}[mode]
        if mode is TravelMode.CAR:
            seconds += sum(seconds_along(graph, edge, hour) for edge in part.edges)
            toll += sum(edge.length / 1000 * _TOLL_PER_KM for edge in part.edges if is_tolled(edge))
            seconds += crossed * _LIGHT_SECONDS + sum(ends) / pace
        else:
            seconds += (sum(edge.length for edge in part.edges) + sum(ends)) / pace
        stretches.append(Step("", ends[0]))
        stretches += [Step(e.road.name, e.length, flow) for e, flow in zip(part.edges, own, strict=True)]
        stretches.append(Step("", ends[1]))
    steps = []
    for name, group in groupby(stretches, key=lambda step: step.road):
        run = list(group)
        worst = max((step.flow for step in run), key=list(Flow).index)
        steps.append(
            Step(name, sum(step.metres for step in run), worst if mode is TravelMode.CAR else Flow.FREE)
        )
    total = sum(step.metres for step in steps)
    long_steps = tuple(step for step in steps if step.metres >= 1)
    flow = tuple(flows[: max(0, len(points) - 1)]) if mode is TravelMode.CAR else ()
    return Route("", tuple(points), total, seconds, long_steps, flow, round(toll), lights)


def _through(
    atlas: Atlas,
    stops: Sequence[LatLon],
    mode: TravelMode,
    hour: float,
    options: frozenset[DriveOption],
    avoid: frozenset[int] = frozenset(),
    *,
    shortest: bool = False,
) -> tuple[Route, frozenset[int]] | None:
    parts: list[RouteLeg | tuple[Link, LatLon, LatLon]] = []
    for start, end in pairwise(stops):
        one, other = atlas.city_at(start), atlas.city_at(end)
        hops = [(one, start, end)]
        if one is not other:
            out, into = _gate(one, end), _gate(other, start)
            hops = [(one, start, out), (other, into, end)]
        for place, (city, a, b) in enumerate(hops):
            if place:
                parts.append((_link(one, other, hops[0][2], a), hops[0][2], a))
            leg = _leg(city, a, b, mode, hour, options, avoid, shortest=shortest)
            if leg is None:
                return None
            parts.append(leg)
    used = frozenset(edge.number for part in parts if isinstance(part, RouteLeg) for edge in part.edges)
    return _route(parts, mode, hour), used


@functools.lru_cache(maxsize=256)
def drives(
    atlas: Atlas, stops: tuple[LatLon, ...], hour: float, options: frozenset[DriveOption]
) -> tuple[Route, ...]:
    """Return up to three drives, the recommended one first.

    Args:
        atlas: The map.
        stops: Start, stopovers and destination.
        hour: Time of departure, as hours of the day.
        options: The driver's preferences.
    """
    best = _through(atlas, stops, TravelMode.CAR, hour, options)
    if best is None:
        return ()
    other = _through(atlas, stops, TravelMode.CAR, hour, options, best[1])
    short = _through(atlas, stops, TravelMode.CAR, hour, options, shortest=True)
    found = [best[0]]
    for more in (other, short):
        if more is not None and all(abs(more[0].metres - each.metres) > 30 for each in found):
            found.append(more[0])
    return tuple(_labelled(route, found, place) for place, route in enumerate(found))


def _labelled(route: Route, among: Sequence[Route], place: int) -> Route:
    """Return the route with a label that names its advantage over the others."""
    if place == 0:
        label = "推荐"
    elif route.metres == min(each.metres for each in among):
        label = "距离短"
    elif route.toll < among[0].toll:
        label = "少收费"
    elif route.lights == min(each.lights for each in among):
        label = "红绿灯少"
    else:
        label = f"方案{'一二三'[place]}"
    return Route(
        label, route.points, route.metres, route.seconds, route.steps, route.flows, route.toll, route.lights
    )


@functools.lru_cache(maxsize=128)
def on_foot(atlas: Atlas, stops: tuple[LatLon, ...], mode: TravelMode) -> Route | None:
    """Return the route on foot or by bike; None between cities."""
    if any(atlas.city_at(a) is not atlas.city_at(b) for a, b in pairwise(stops)):
        return None
    found = _through(atlas, stops, mode, 12.0, frozenset())
    return None if found is None else found[0]
