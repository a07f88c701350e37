from __future__ import annotations

from dataclasses import replace

import pytest
from PIL import Image, ImageChops

from garabench.virtual.kit.maps.atlas import atlas
from garabench.virtual.kit.maps.driving_routes import drives
from garabench.virtual.kit.maps.geo import Camera, LatLon, camera_for
from garabench.virtual.kit.maps.map_scene import PALETTES, MapScene, MapStyle, Pin, PinKind, Stroke
from garabench.virtual.kit.maps.overlay import paint_map
from tests.cases import every_case

ATLAS = atlas("shanghai", "beijing")
HERE = LatLon(31.2722, 121.4960)
LOOK = MapScene(ATLAS, Camera(HERE, 15), me=HERE)
SIZE = (240, 420)


def painted(scene: MapScene) -> Image.Image:
    return paint_map(scene, *SIZE, 1.0)


def changed(one: MapScene, other: MapScene) -> tuple[int, int, int, int] | None:
    """Return the bounding box of the difference between two pictures, or None."""
    return ImageChops.difference(painted(one), painted(other)).getbbox()


def colors(scene: MapScene) -> set[tuple[int, int, int]]:
    return {pixel for _, pixel in painted(scene).getcolors(1 << 20) or ()}  # type: ignore[misc]


@every_case("zoom", [5, 9, 11, 12.5, 14, 15, 17, 19])
@every_case("style", list(MapStyle))
def test_every_zoom_and_style_renders(style: MapStyle, zoom: float) -> None:
    image = painted(replace(LOOK, camera=Camera(HERE, zoom), style=style))
    assert (image.size, image.mode) == (SIZE, "RGB")
    assert len(image.getcolors(1 << 20) or ()) > 2


def test_equal_scenes_render_equally() -> None:
    assert changed(LOOK, replace(LOOK)) is None
    paint_map.cache_clear()
    assert changed(LOOK, LOOK) is None


@pytest.mark.parametrize("style", list(MapStyle))
def test_styles_have_different_backgrounds(style: MapStyle) -> None:
    assert PALETTES[style].ground in colors(replace(LOOK, style=style))


def test_the_current_location_is_a_blue_dot() -> None:
    assert painted(LOOK).getpixel((120, 210)) == (46, 120, 240)
    box = changed(LOOK, replace(LOOK, me=None))
    assert box is not None
    assert box[0] >= 95 and box[2] <= 145


def test_the_map_moves_with_the_camera() -> None:
    offset = replace(LOOK, camera=LOOK.camera.dragged(30, -40))
    assert painted(offset).getpixel((150, 170)) == (46, 120, 240)


def test_lift_moves_the_centre_up() -> None:
    assert painted(replace(LOOK, lift=0.25)).getpixel((120, 105)) == (46, 120, 240)


@pytest.mark.parametrize("kind", list(PinKind))
def test_pins_are_drawn_above_their_place(kind: PinKind) -> None:
    box = changed(LOOK, replace(LOOK, pins=(Pin(HERE, kind, "1"),)))
    assert box is not None
    assert box[1] < 210


def test_a_distant_pin_is_not_drawn() -> None:
    assert changed(LOOK, replace(LOOK, pins=(Pin(LatLon(39.9, 116.4)),))) is None


def test_traffic_colours_the_roads() -> None:
    near = replace(LOOK, camera=Camera(HERE, 13), me=None)
    assert changed(near, replace(near, traffic=True, hour=8.2)) is not None
    assert changed(replace(near, traffic=True, hour=8.2), replace(near, traffic=True, hour=3)) is not None


def test_routes_are_drawn_from_end_to_end() -> None:
    end = next(place.at for place in ATLAS.places if place.name == "五角场")
    route = drives(ATLAS, (HERE, end), 9.0, frozenset())[0]
    scene = MapScene(ATLAS, camera_for(route.points, 200, 340))
    for stroke in (
        Stroke(route.points, flows=route.flows),
        Stroke(route.points, (200, 0, 200)),
        Stroke(route.points, (200, 0, 200), dotted=True),
    ):
        box = changed(scene, replace(scene, strokes=(stroke,)))
        assert box is not None
        assert box[3] - box[1] > 150
    assert changed(scene, replace(scene, strokes=(Stroke((HERE,)),))) is None
