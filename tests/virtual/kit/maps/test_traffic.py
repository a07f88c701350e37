from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.virtual.kit.maps.atlas import city
from garabench.virtual.kit.maps.road_graph import graph_of
from garabench.virtual.kit.maps.traffic import Flow, flow_of, load_at, seconds_along, slowdown

GRAPH = graph_of(city("shanghai"))


@given(st.floats(0, 24))
def test_load_is_at_most_one(hour: float) -> None:
    assert 0 < load_at(hour) <= 1


def test_peaks() -> None:
    assert load_at(8.2) > load_at(11) > load_at(3)
    assert load_at(18) > load_at(14)


@pytest.mark.parametrize("hour", [3, 8, 12, 18])
def test_traffic_is_deterministic(hour: float) -> None:
    for edge in GRAPH.edges[::97]:
        assert slowdown(GRAPH, edge, hour) == slowdown(GRAPH, edge, hour) >= 1
        assert seconds_along(GRAPH, edge, hour) > 0


def test_all_traffic_levels_occur_in_the_morning() -> None:
    assert {flow_of(GRAPH, edge, 8.2) for edge in GRAPH.edges} == set(Flow)
    assert {flow_of(GRAPH, edge, 3) for edge in GRAPH.edges} == {Flow.FREE}
