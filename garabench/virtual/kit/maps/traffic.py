"""Traffic on the roads: deterministic by road and hour."""

from __future__ import annotations

import enum
import functools
import math

from garabench.core.seeds import derive
from garabench.virtual.kit.maps.atlas import RoadKind
from garabench.virtual.kit.maps.road_graph import Edge, Graph

FREE_KMH = {RoadKind.HIGHWAY: 88, RoadKind.EXPRESS: 58, RoadKind.AVENUE: 34, RoadKind.STREET: 23}
_EXPOSURE = {RoadKind.HIGHWAY: 0.5, RoadKind.EXPRESS: 1.3, RoadKind.AVENUE: 1.0, RoadKind.STREET: 0.35}
_PARTS = 997
_CELLS_PER_DEGREE = 60


class Flow(enum.Enum):
    """Traffic levels."""

    FREE = "畅通"
    SLOW = "缓行"
    JAM = "拥堵"


def load_at(hour: float) -> float:
    """Return how busy an hour is, 0 to 1, with peaks at eight and at six."""
    morning = math.exp(-((hour - 8.2) ** 2) / 3.2)
    evening = math.exp(-((hour - 18.0) ** 2) / 4.5)
    day = 0.45 if 7 <= hour <= 21 else 0.1
    return min(1.0, day + 0.6 * max(morning, evening))


@functools.lru_cache(maxsize=65536)
def _congestion_proneness(name: str, row: int, column: int) -> float:
    """Return how prone to congestion a stretch of road is, 0 to 1."""
    return (derive(0, "traffic", name, row, column) % _PARTS) / _PARTS


def slowdown(graph: Graph, edge: Edge, hour: float) -> float:
    """Return the factor by which traffic slows a drive along an edge; at least 1."""
    at = graph.nodes[edge.ends[0]]
    congestion = _congestion_proneness(
        edge.road.name, round(at.lat * _CELLS_PER_DEGREE), round(at.lon * _CELLS_PER_DEGREE)
    )
    return 1 + load_at(hour) * _EXPOSURE[edge.road.kind] * 2.6 * congestion**3


def flow_of(graph: Graph, edge: Edge, hour: float) -> Flow:
    """Return the traffic level on an edge."""
    slow = slowdown(graph, edge, hour)
    return Flow.JAM if slow > 2.0 else Flow.SLOW if slow > 1.45 else Flow.FREE


def seconds_along(graph: Graph, edge: Edge, hour: float) -> float:
    """Return the seconds that a car takes along an edge."""
    return edge.length / (FREE_KMH[edge.road.kind] / 3.6) * slowdown(graph, edge, hour)
