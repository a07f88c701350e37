from __future__ import annotations

import pytest

from garabench.virtual.kit.maps.atlas import Area, MapCity, Road, RoadKind, city
from garabench.virtual.kit.maps.geo import LatLon, metres_between
from garabench.virtual.kit.maps.road_graph import Graph, graph_of, is_drivable, is_walkable


def town(*roads: tuple[RoadKind, tuple[float, float], tuple[float, float]]) -> Graph:
    made = tuple(Road(f"road {n}", kind, (LatLon(*a), LatLon(*b))) for n, (kind, a, b) in enumerate(roads))
    empty: tuple[Area, ...] = ()
    return graph_of(MapCity("town", "镇", LatLon(0, 0), made, (), empty, (), ()))


def test_roads_are_joined_where_their_lines_cross() -> None:
    graph = town(
        (RoadKind.AVENUE, (0.0, -0.01), (0.0, 0.01)),
        (RoadKind.STREET, (-0.01, 0.0), (0.01, 0.0)),
    )
    assert LatLon(0, 0) in graph.nodes
    assert len(graph.edges) == 4
    assert len(graph.around[graph.nodes.index(LatLon(0, 0))]) == 4


def test_a_road_that_almost_touches_another_is_joined_to_it() -> None:
    graph = town(
        (RoadKind.AVENUE, (0.0, -0.01), (0.0, 0.01)),
        (RoadKind.STREET, (0.0003, 0.0), (0.01, 0.0)),
    )
    assert any(len(edges) >= 3 for edges in graph.around.values())


def test_unreachable_parts_are_omitted() -> None:
    graph = town(
        (RoadKind.AVENUE, (0.0, -0.01), (0.0, 0.01)),
        (RoadKind.STREET, (-0.01, 0.0), (0.01, 0.0)),
        (RoadKind.STREET, (0.5, 0.5), (0.5, 0.51)),
    )
    lonely = graph.nearest(LatLon(0.5, 0.5), is_walkable)
    assert metres_between(graph.nodes[lonely], LatLon(0.5, 0.5)) > 10_000


def test_the_cheapest_path_is_found() -> None:
    graph = town(
        (RoadKind.HIGHWAY, (0.0, 0.0), (0.0, 0.02)),
        (RoadKind.STREET, (0.0, 0.0), (0.01, 0.01)),
        (RoadKind.STREET, (0.01, 0.01), (0.0, 0.02)),
    )
    start, end = (graph.nearest(LatLon(0.0, lon), lambda edge: True) for lon in (0.0, 0.02))
    direct = graph.shortest_path(start, end, lambda edge: edge.length)
    around = graph.shortest_path(start, end, lambda edge: edge.length * (1 if is_walkable(edge) else 50))
    assert direct is not None
    assert around is not None
    assert {edge.road.kind for edge in direct} == {RoadKind.HIGHWAY}
    assert {edge.road.kind for edge in around} == {RoadKind.STREET}
    assert sum(e.length for e in direct) < sum(e.length for e in around)
    line = graph.line_of(start, around)
    assert line[0] == graph.nodes[start]
    assert line[-1] == graph.nodes[end]
    assert graph.shortest_path(start, start, lambda edge: edge.length) == ()


@pytest.mark.parametrize("name", ["shanghai", "beijing", "chengdu", "guangzhou"])
def test_every_crossing_is_reachable(name: str) -> None:
    graph = graph_of(city(name))
    ends = [number for number, edges in graph.around.items() if edges]
    assert len(ends) > 400
    for number in ends[:: len(ends) // 8]:
        assert graph.shortest_path(ends[0], number, lambda edge: edge.length) is not None
    assert sum(is_drivable(edge) for edge in graph.edges) > sum(is_walkable(edge) for edge in graph.edges)
