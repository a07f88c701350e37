from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.virtual.kit.maps.geo import Camera, LatLon, camera_for, metres_between, offset

BUND, TONGJI = LatLon(31.2390, 121.4906), LatLon(31.2835, 121.5062)
POINTS = st.builds(LatLon, st.floats(-60, 60), st.floats(-170, 170))


def test_distances() -> None:
    assert metres_between(BUND, BUND) == 0
    assert 5_100 < metres_between(BUND, TONGJI) < 5_250
    assert metres_between(BUND, TONGJI) == pytest.approx(metres_between(TONGJI, BUND))
    assert metres_between(BUND, offset(BUND, 300, 400)) == pytest.approx(500, rel=0.01)


@given(POINTS, st.floats(5, 18), st.floats(-400, 400), st.floats(-700, 700))
def test_place_and_point_are_inverse(center: LatLon, zoom: float, x: float, y: float) -> None:
    camera = Camera(center, zoom)
    found = camera.place(camera.point(x, y))
    assert found == pytest.approx((x, y), abs=0.01)


def test_dragging_moves_the_map_with_the_finger() -> None:
    camera = Camera(BUND, 15)
    x, y = camera.place(TONGJI)
    assert camera.dragged(40, -25).place(TONGJI) == pytest.approx((x + 40, y - 25), abs=0.1)


def test_a_zoom_level_doubles_the_scale() -> None:
    near, far = Camera(BUND, 15).zoomed(1), Camera(BUND, 15)
    assert near.metres_per_dp * 2 == pytest.approx(far.metres_per_dp)
    assert Camera(BUND, 15).zoomed(99).zoom == 19
    assert Camera(BUND, 15).zoomed(-99).zoom == 4


@given(st.lists(POINTS, min_size=1, max_size=6))
def test_camera_for_shows_all_points(points: list[LatLon]) -> None:
    camera = camera_for(points, 300, 400)
    if camera.zoom > 4:
        for point in points:
            x, y = camera.place(point)
            assert abs(x) <= 151
            assert abs(y) <= 360  # latitudes are not spread evenly


def test_a_single_point_uses_the_closest_zoom() -> None:
    assert camera_for([BUND], 300, 400, closest=16) == Camera(BUND, 16)
