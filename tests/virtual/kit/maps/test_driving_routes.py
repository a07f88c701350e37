from __future__ import annotations

import pytest

from garabench.virtual.kit.maps.atlas import RoadKind, atlas
from garabench.virtual.kit.maps.driving_routes import DriveOption, Route, TravelMode, drives, on_foot
from garabench.virtual.kit.maps.geo import LatLon, metres_between
from garabench.virtual.kit.maps.traffic import Flow

ATLAS = atlas("shanghai", "beijing", "chengdu", "guangzhou")
AT = {place.name: place.at for place in ATLAS.places}
TONGJI, JIADING, STATION = AT["同济大学(四平路校区)"], AT["同济大学(嘉定校区)"], AT["上海虹桥站"]
KINDS = {road.name: road.kind for each in ATLAS.cities for road in each.roads if road.name}
MORNING, NIGHT = 8.2, 3.0


def by_car(
    *stops: LatLon, hour: float = 10, options: frozenset[DriveOption] = frozenset()
) -> tuple[Route, ...]:
    return drives(ATLAS, stops, hour, options)


def highway_metres(route: Route) -> float:
    return sum(step.metres for step in route.steps if KINDS.get(step.road) is RoadKind.HIGHWAY)


def test_drives_differ_and_the_first_is_recommended() -> None:
    routes = by_car(TONGJI, JIADING)
    assert routes[0].label == "推荐"
    assert len({round(route.metres) for route in routes}) == len(routes) == 3
    for route in routes:
        assert route.points[0] == TONGJI
        assert route.points[-1] == JIADING
        assert route.metres >= metres_between(TONGJI, JIADING)
        assert len(route.flows) == len(route.points) - 1
        assert sum(step.metres for step in route.steps) == pytest.approx(route.metres, rel=0.01)
        assert 1 <= len(route.main_roads) <= 3
    shortest = next(route for route in routes if route.label == "距离短")
    assert shortest.metres == min(route.metres for route in routes)


def test_preferences_change_the_route() -> None:
    plain = by_car(TONGJI, JIADING)[0]
    without = by_car(TONGJI, JIADING, options=frozenset({DriveOption.NO_HIGHWAYS}))[0]
    assert highway_metres(plain) > 10_000
    assert highway_metres(without) == 0
    assert (plain.toll > 0, without.toll) == (True, 0)
    assert without.seconds > plain.seconds


def test_an_unmet_preference_still_yields_a_route() -> None:
    airport = AT["上海浦东国际机场T2航站楼"]
    assert by_car(TONGJI, airport, options=frozenset({DriveOption.NO_HIGHWAYS}))


def test_traffic_jams_are_avoided_if_that_is_faster() -> None:
    def jammed(route: Route) -> int:
        return sum(flow is Flow.JAM for flow in route.flows)

    plain = by_car(TONGJI, STATION, hour=MORNING)[0]
    calm = by_car(TONGJI, STATION, hour=MORNING, options=frozenset({DriveOption.AVOID_JAMS}))[0]
    assert jammed(calm) <= jammed(plain)


def test_drives_are_faster_at_night_than_in_the_morning() -> None:
    assert by_car(TONGJI, STATION, hour=NIGHT)[0].seconds < by_car(TONGJI, STATION, hour=MORNING)[0].seconds


def test_a_route_passes_its_stopovers() -> None:
    temple = AT["静安寺"]
    route = by_car(TONGJI, temple, STATION)[0]
    assert temple in route.points
    assert route.metres > by_car(TONGJI, STATION)[-1].metres * 0.9


def test_another_city_is_reached_by_the_connecting_road() -> None:
    route = by_car(TONGJI, AT["颐和园"])[0]
    assert "G2京沪高速" in route.main_roads
    assert 1_150_000 < route.metres < 1_350_000
    assert route.toll > 400


@pytest.mark.parametrize("mode", [TravelMode.WALK, TravelMode.BIKE])
def test_walks_avoid_highways(mode: TravelMode) -> None:
    route = on_foot(ATLAS, (TONGJI, AT["鲁迅公园"]), mode)
    assert route is not None
    assert {KINDS.get(step.road, RoadKind.STREET) for step in route.steps} <= {
        RoadKind.STREET,
        RoadKind.AVENUE,
    }
    assert route.flows == ()
    assert on_foot(ATLAS, (TONGJI, AT["颐和园"]), mode) is None


def test_a_bike_is_faster_than_a_walk() -> None:
    walk, bike = (
        on_foot(ATLAS, (TONGJI, AT["鲁迅公园"]), mode) for mode in (TravelMode.WALK, TravelMode.BIKE)
    )
    assert walk is not None
    assert bike is not None
    assert walk.seconds > 2 * bike.seconds
    assert walk.metres == bike.metres


@pytest.mark.parametrize("option", list(DriveOption))
def test_exclusion_is_symmetric(option: DriveOption) -> None:
    assert option not in option.excludes
    for other in option.excludes:
        assert option in other.excludes
