from __future__ import annotations

import pytest

from garabench.virtual.apps.amap.app import APP
from garabench.virtual.kit.maps.atlas import atlas
from garabench.virtual.kit.maps.geo import LatLon
from garabench.virtual.kit.maps.map_scene import MapStyle
from garabench.virtual.kit.maps.view import MapView, map_thumbnail
from garabench.virtual.ui.widgets import Canvas
from tests.virtual.apps.fake_phone import FakeContext

ATLAS = atlas("shanghai")
HERE = LatLon(31.2722, 121.4960)


def made(*, share: float = 1.0, top: float = 0.0) -> tuple[MapView, Canvas, FakeContext]:
    ctx = FakeContext(APP)
    part = MapView(ctx, ATLAS, HERE, share=share, top=top)
    view = part.view()
    assert isinstance(view, Canvas)
    return part, view, ctx


@pytest.mark.parametrize(("share", "top"), [(1.0, 0.0), (0.5, 0.0), (0.6, 80.0)])
def test_taps_report_the_point_below_the_finger(share: float, top: float) -> None:
    part, view, ctx = made(share=share, top=top)
    told: list[LatLon] = []
    part.on_point = lambda point, reach: told.append(point)
    part.on_hold = told.append
    middle = (top + ctx.height_dp * share) / 2
    assert view.on_tap_at is not None
    assert view.on_hold_at is not None
    view.on_tap_at(ctx.width_dp / 2, middle)
    view.on_hold_at(ctx.width_dp / 2, middle)
    for point in told:
        assert (point.lat, point.lon) == pytest.approx((HERE.lat, HERE.lon), abs=1e-6)
    assert len(told) == 2


def test_touches_without_a_handler_have_no_effect() -> None:
    part, view, _ = made()
    before = part.camera
    assert view.on_tap_at is not None
    assert view.on_hold_at is not None
    view.on_tap_at(10, 10)
    view.on_hold_at(10, 10)
    assert part.camera == before


def test_drags_double_taps_and_zooms() -> None:
    part, view, _ = made()
    assert view.on_drag is not None
    assert view.on_double_tap_at is not None
    view.on_drag(-50, 0)
    assert part.camera.center.lon > HERE.lon
    view.on_double_tap_at(0, 0)
    assert part.camera.zoom == 16
    part.zoom(-3)
    assert part.camera.zoom == 13


def test_points_are_shown_in_the_uncovered_part() -> None:
    part, _, ctx = made(share=0.5)
    far = LatLon(31.3, 121.6)
    part.show(HERE, far)
    for point in (HERE, far):
        x, y = part.camera.place(point)
        assert abs(x) < ctx.width_dp / 2
        assert abs(y) < ctx.height_dp / 4
    before = part.camera
    part.show()
    assert part.camera == before


def test_the_map_is_painted_at_any_size() -> None:
    _, view, _ = made()
    assert view.paint(90, 160).size == (90, 160)
    small = map_thumbnail(ATLAS, HERE, MapStyle.NIGHT, 90, 54)
    assert isinstance(small, Canvas)
    assert small.paint(90, 54).size == (90, 54)
