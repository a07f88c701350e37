"""Any two places are connected, with plausible figures."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from garabench.virtual.kit.maps.atlas import MapPlace, atlas
from garabench.virtual.kit.maps.driving_routes import DriveOption, TravelMode, drives, on_foot
from garabench.virtual.kit.maps.geo import LatLon, camera_for, metres_between
from garabench.virtual.kit.maps.transit import TransitOption, journeys

ATLAS = atlas("shanghai", "beijing", "chengdu", "guangzhou")
PLACES = st.sampled_from(ATLAS.places)
OPTIONS = st.frozensets(st.sampled_from(list(DriveOption)), max_size=2)
HOURS = st.integers(0, 23).map(float)
SOME = settings(max_examples=12, deadline=None)


@SOME
@given(PLACES, PLACES, OPTIONS, HOURS)
def test_any_two_places_are_connected_by_car(
    start: MapPlace, end: MapPlace, options: frozenset[DriveOption], hour: float
) -> None:
    routes = drives(ATLAS, (start.at, end.at), hour, options)
    assert 1 <= len(routes) <= 3
    for route in routes:
        assert route.metres >= metres_between(start.at, end.at) * 0.98
        assert route.seconds >= route.metres / 1000 / 100 * 3600
        assert route.toll >= 0


@SOME
@given(PLACES, PLACES)
def test_any_two_places_of_a_city_are_connected_on_foot(start: MapPlace, end: MapPlace) -> None:
    route = on_foot(ATLAS, (start.at, end.at), TravelMode.WALK)
    assert (route is not None) is (ATLAS.city_at(start.at) is ATLAS.city_at(end.at))


@SOME
@given(PLACES, PLACES, st.sampled_from(list(TransitOption)), HOURS)
def test_journey_durations_are_plausible(
    start: MapPlace, end: MapPlace, option: TransitOption, hour: float
) -> None:
    for plan in journeys(ATLAS, start.at, end.at, option, hour):
        assert plan.rides
        assert plan.seconds >= metres_between(start.at, end.at) / 1000 / 320 * 3600
        assert plan.changes == len(plan.rides) - 1


@SOME
@given(st.floats(-80, 80), st.floats(-179, 179))
def test_points_outside_the_map_have_a_city_and_a_camera(lat: float, lon: float) -> None:
    point = LatLon(lat, lon)
    assert ATLAS.city_at(point) in ATLAS.cities
    assert camera_for([point, ATLAS.places[0].at], 300, 300).zoom >= 4
