"""The road network of a city as a graph, with shortest paths."""

from __future__ import annotations

import functools
import heapq
import itertools
import math
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field

from garabench.virtual.kit.maps.atlas import MapCity, Road, RoadKind
from garabench.virtual.kit.maps.geo import LatLon, metres_between

_CELL_DEGREES = 0.01
"""In degrees; a segment is only tested for crossings with those of the same cells."""

_SNAP_METRES = 45.0
"""Metres by which a road's end may miss another road and still be joined to it."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A piece of road between two crossings, usable in both directions."""

    number: int
    ends: tuple[int, int]
    length: float
    road: Road


@dataclass(slots=True)
class Graph:
    """Crossings, and the pieces of road between them.

    Attributes:
        nodes: The locations of the crossings.
        edges: The pieces of road.
        around: Edges by crossing.
    """

    nodes: list[LatLon] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    around: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))

    def nearest(self, point: LatLon, fits: Callable[[Edge], bool]) -> int:
        """Return the crossing nearest to a point that has a suitable edge."""
        best, least = 0, math.inf
        for number, node in enumerate(self.nodes):
            away = metres_between(node, point)
            if away < least and any(fits(self.edges[edge]) for edge in self.around[number]):
                best, least = number, away
        return best

    def shortest_path(self, start: int, end: int, cost: Callable[[Edge], float]) -> tuple[Edge, ...] | None:
        """Return the cheapest path between two crossings (Dijkstra), or None.

        Args:
            start: The first crossing.
            end: The last crossing.
            cost: Returns the cost of an edge.
        """
        done: set[int] = set()
        came: dict[int, tuple[int, Edge]] = {}
        spent = {start: 0.0}
        heap = [(0.0, start)]
        while heap:
            so_far, node = heapq.heappop(heap)
            if node in done:
                continue
            if node == end:
                break
            done.add(node)
            for number in self.around[node]:
                edge = self.edges[number]
                other = edge.ends[1] if edge.ends[0] == node else edge.ends[0]
                total = so_far + cost(edge)
                if total < spent.get(other, math.inf):
                    spent[other], came[other] = total, (node, edge)
                    heapq.heappush(heap, (total, other))
        if end not in spent:
            return None
        edges: list[Edge] = []
        node = end
        while node != start:
            node, edge = came[node]
            edges.append(edge)
        return tuple(reversed(edges))

    def line_of(self, start: int, edges: tuple[Edge, ...]) -> tuple[LatLon, ...]:
        """Return the points along a path."""
        points, node = [self.nodes[start]], start
        for edge in edges:
            node = edge.ends[1] if edge.ends[0] == node else edge.ends[0]
            points.append(self.nodes[node])
        return tuple(points)


_Segment = tuple[int, LatLon, LatLon]


def _reaching(points: tuple[LatLon, ...]) -> list[LatLon]:
    """Return a road's points, extended a little at both ends to meet roads that it almost touches."""
    made = list(points)
    for end, beside in ((0, 1), (-1, -2)):
        share = _SNAP_METRES / max(1.0, metres_between(made[end], points[beside]))
        a, b = points[end], points[beside]
        made[end] = LatLon(a.lat + (a.lat - b.lat) * share, a.lon + (a.lon - b.lon) * share)
    return made


def _crossing(a: LatLon, b: LatLon, c: LatLon, d: LatLon) -> tuple[float, float] | None:
    """Return the fractions along ab and cd at which they cross, or None."""
    rx, ry, sx, sy = b.lon - a.lon, b.lat - a.lat, d.lon - c.lon, d.lat - c.lat
    cross = rx * sy - ry * sx
    if abs(cross) < 1e-15:
        return None
    qx, qy = c.lon - a.lon, c.lat - a.lat
    t, u = (qx * sy - qy * sx) / cross, (qx * ry - qy * rx) / cross
    slack = 1e-9
    return (t, u) if -slack <= t <= 1 + slack and -slack <= u <= 1 + slack else None


def _cells(a: LatLon, b: LatLon) -> list[tuple[int, int]]:
    rows = range(
        math.floor(min(a.lat, b.lat) / _CELL_DEGREES), math.floor(max(a.lat, b.lat) / _CELL_DEGREES) + 1
    )
    columns = range(
        math.floor(min(a.lon, b.lon) / _CELL_DEGREES), math.floor(max(a.lon, b.lon) / _CELL_DEGREES) + 1
    )
    return [(row, column) for row in rows for column in columns]


@functools.cache
def graph_of(city: MapCity) -> Graph:
    """Return the network of a city; roads are joined wherever their lines cross."""
    segments: list[_Segment] = []
    for number, road in enumerate(city.roads):
        points = _reaching(road.points)
        segments += [(number, a, b) for a, b in itertools.pairwise(points)]
    cuts: list[set[float]] = [{0.0, 1.0} for _ in segments]
    grid: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number, (_, a, b) in enumerate(segments):
        tried: set[int] = set()
        for cell in _cells(a, b):
            for other in grid[cell]:
                if other in tried or segments[other][0] == segments[number][0]:
                    continue
                tried.add(other)
                _, c, d = segments[other]
                if (met := _crossing(a, b, c, d)) is not None:
                    cuts[number].add(min(1.0, max(0.0, met[0])))
                    cuts[other].add(min(1.0, max(0.0, met[1])))
            grid[cell].append(number)
    graph = Graph()
    known: dict[tuple[float, float], int] = {}

    def node(point: LatLon) -> int:
        key = (round(point.lat, 5), round(point.lon, 5))
        if key not in known:
            known[key] = len(graph.nodes)
            graph.nodes.append(LatLon(*key))
        return known[key]

    for (number, a, b), shares in zip(segments, cuts, strict=True):
        steps = [LatLon(a.lat + (b.lat - a.lat) * t, a.lon + (b.lon - a.lon) * t) for t in sorted(shares)]
        for one, two in itertools.pairwise(steps):
            ends = node(one), node(two)
            if ends[0] == ends[1]:
                continue
            length = metres_between(graph.nodes[ends[0]], graph.nodes[ends[1]])
            edge = Edge(len(graph.edges), ends, length, city.roads[number])
            graph.edges.append(edge)
            for end in ends:
                graph.around[end].append(edge.number)
    return _connected(graph)


def _connected(graph: Graph) -> Graph:
    """Return the largest connected part of the network."""
    best: set[int] = set()
    left = set(range(len(graph.nodes)))
    while left:
        seen, todo = set(), [next(iter(left))]
        while todo:
            at = todo.pop()
            if at in seen:
                continue
            seen.add(at)
            todo += [end for number in graph.around[at] for end in graph.edges[number].ends]
        left -= seen
        best = max(best, seen, key=len)
    for number in range(len(graph.nodes)):
        if number not in best:
            graph.around[number] = []
    return graph


def is_walkable(edge: Edge) -> bool:
    """Return whether pedestrians and bikes may use an edge."""
    return not edge.road.kind.for_cars_only


def is_drivable(edge: Edge) -> bool:
    """Return whether a drive may begin or end on an edge: not on a highway."""
    return edge.road.kind is not RoadKind.HIGHWAY
