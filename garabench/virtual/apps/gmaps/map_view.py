"""The map view of a page: it holds the camera, follows the finger, and reports taps on places."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PIL import Image

from garabench.virtual.apps.gmaps import content
from garabench.virtual.kit.maps.geo import Camera, LatLon, camera_for
from garabench.virtual.kit.maps.map_scene import MapScene, Pin, Stroke
from garabench.virtual.kit.maps.overlay import paint_map
from garabench.virtual.kit.maps.place_search import place_at
from garabench.virtual.ui.widgets import MATCH, Canvas, Widget

if TYPE_CHECKING:
    from garabench.virtual.apps.gmaps.activity import MapsActivity

_FINGER_DP = 22.0
_SIDE_DP = 48.0
_NAMES_FROM = 12.0


class GmapsMapView:
    """The map of a page, `height` dp high."""

    def __init__(self, app: MapsActivity) -> None:
        self._app = app
        self.camera = Camera(content.HERE, 14.4)
        self.pins: tuple[Pin, ...] = ()
        self.strokes: tuple[Stroke, ...] = ()
        self.height = app.ctx.height_dp
        self.opens_places = False

    def show(self, *points: LatLon, closest: float = 15.5) -> None:
        """Bring points into view."""
        width = max(120.0, self._app.ctx.width_dp - 2 * _SIDE_DP)
        height = max(100.0, self.height - 2 * _SIDE_DP)
        self.camera = camera_for(points, width, height, closest=closest)

    def _point(self, x: float, y: float) -> LatLon:
        return self.camera.point(x - self._app.ctx.width_dp / 2, y - self.height / 2)

    def _tap(self, x: float, y: float) -> None:
        if self.opens_places and self.camera.zoom > _NAMES_FROM:
            reach = _FINGER_DP * self.camera.metres_per_dp
            found = place_at(content.app_atlas(), self._point(x, y), reach)
            if found is not None:
                self._app.open_place(found)

    def _drag(self, x: float, y: float) -> None:
        self.camera = self.camera.dragged(x, y)

    def _zoom_in(self, x: float, y: float) -> None:
        self.camera = self.camera.zoomed(1)

    def view(self, height: float) -> Widget:
        """Return the map as a full-width widget."""
        self.height = height
        app = self._app
        scene = MapScene(
            content.app_atlas(),
            self.camera,
            app.style,
            traffic=app.traffic,
            hour=round(app.hour, 1),
            me=content.HERE if app.located else None,
            pins=self.pins,
            strokes=self.strokes,
        )
        return Canvas(
            id="map_frame",
            key="map",
            desc="Google Map",
            width=MATCH,
            height=height,
            paint=partial(_paint, scene, app.ctx.width_dp),
            on_drag=self._drag,
            on_tap_at=self._tap,
            on_double_tap_at=self._zoom_in,
        )


def _paint(scene: MapScene, width_dp: float, width: int, height: int) -> Image.Image:
    return paint_map(scene, width, height, round(width / width_dp, 4))
