"""Traffic on the roads: deterministic by road and hour."""

from __future__ import annotations

import enum
import functools
import math

from garabench.core.seeds import derive
from garabench.virtual.kit.maps.atlas import RoadKind
from garabench.virtual.kit.maps.graph import Edge, Graph

FREE_KMH = {RoadKind.HIGHWAY: 88, RoadKind.EXPRESS: 58, RoadKind.AVENUE: 34, RoadKind.STREET: 23}
_EXPOSURE = {RoadKind.HIGHWAY: 0.5, RoadKind.EXPRESS: 1.3, RoadKind.AVENUE: 1.0, RoadKind.STREET: 0.35}
_PARTS = 997
_CELLS_A_DEGREE = 60


class Flow(enum.Enum):
    """Traffic levels of the maps."""

    FREE = "畅通"
    SLOW = "缓行"
    JAM = "拥堵"


def load_at(hour: float) -> float:
    """How busy the day is, 0 to 1, with peaks at eight and at six."""
    morning = math.exp(-((hour - 8.2) ** 2) / 3.2)
    evening = math.exp(-((hour - 18.0) ** 2) / 4.5)
    day = 0.45 if 7 <= hour <= 21 else 0.1
    return min(1.0, day + 0.6 * max(morning, evening))


@functools.lru_cache(maxsize=65536)
def _luck(name: str, row: int, column: int) -> float:
    """Whether a stretch of road is a bad one, 0 to 1."""
    return (derive(0, "traffic", name, row, column) % _PARTS) / _PARTS


def slowdown(graph: Graph, edge: Edge, hour: float) -> float:
    """By what a drive along a piece of road takes longer than on a free one; at least 1."""
    at = graph.nodes[edge.ends[0]]
    luck = _luck(edge.road.name, round(at.lat * _CELLS_A_DEGREE), round(at.lon * _CELLS_A_DEGREE))
    return 1 + load_at(hour) * _EXPOSURE[edge.road.kind] * 2.6 * luck**3


def flow_of(graph: Graph, edge: Edge, hour: float) -> Flow:
    """The traffic on a piece of road."""
    slow = slowdown(graph, edge, hour)
    return Flow.JAM if slow > 2.0 else Flow.SLOW if slow > 1.45 else Flow.FREE


def seconds_along(graph: Graph, edge: Edge, hour: float) -> float:
    """How long a car takes along a piece of road."""
    return edge.length / (FREE_KMH[edge.road.kind] / 3.6) * slowdown(graph, edge, hour)
