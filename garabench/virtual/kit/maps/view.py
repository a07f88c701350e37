"""The map view of a page: it holds the camera, follows the finger, and reports touches.

An app's subclass defines in `scene` how its maps are drawn (style, traffic, current location).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PIL import Image

from garabench.virtual.kit.framework import Context
from garabench.virtual.kit.maps.atlas import Atlas
from garabench.virtual.kit.maps.geo import Camera, LatLon, camera_for
from garabench.virtual.kit.maps.map_scene import MapScene, MapStyle, Pin, Stroke
from garabench.virtual.kit.maps.overlay import paint_map
from garabench.virtual.ui.widgets import MATCH, Canvas, Length, Widget

_FINGER_DP = 22.0
_SIDE_DP = 56.0
_MIN_ROOM_DP = 120.0
_FIRST_ZOOM = 15.0


class MapView:
    """A page's map.

    Attributes:
        camera: The visible section.
        share: Fraction of the height that nothing covers; the camera's centre is in its middle.
        top: Height of the covered upper edge, in dp.
        height: Height of the whole map, in dp.
        pins, strokes: Overlays on the map.
        on_point: Called with a tapped point and the metres that a finger covers.
        on_hold: Called with a point after a long press.
    """

    def __init__(
        self, ctx: Context, atlas: Atlas, center: LatLon, *, share: float = 1.0, top: float = 0.0
    ) -> None:
        self._ctx, self._atlas = ctx, atlas
        self.share, self.top = share, top
        self.camera = Camera(center, _FIRST_ZOOM)
        self.pins: tuple[Pin, ...] = ()
        self.strokes: tuple[Stroke, ...] = ()
        self.on_point: Callable[[LatLon, float], None] | None = None
        self.on_hold: Callable[[LatLon], None] | None = None
        self.height = ctx.height_dp

    def scene(self) -> MapScene:
        """Return the current scene; an app's own map sets style, traffic and location."""
        return MapScene(self._atlas, self.camera, lift=self.lift, pins=self.pins, strokes=self.strokes)

    def show(self, *points: LatLon, closest: float = 15.5) -> None:
        """Bring points into view."""
        if points:
            wide = max(_MIN_ROOM_DP, self._ctx.width_dp - 2 * _SIDE_DP)
            high = max(_MIN_ROOM_DP, self.height * self.share - self.top - 2 * _SIDE_DP)
            self.camera = camera_for(points, wide, high, closest=closest)

    def zoom(self, by: float) -> None:
        """Zoom in or out."""
        self.camera = self.camera.zoomed(by)

    @property
    def lift(self) -> float:
        """Fraction of the height by which the middle of the uncovered part is above the page's."""
        return 0.5 - (self.share + self.top / max(1.0, self.height)) / 2

    def view(self, *, height: Length = MATCH) -> Widget:
        """Return the map as a full-width widget."""
        self.height = height if isinstance(height, int | float) else self._ctx.height_dp
        return Canvas(
            id="maplayout",
            key="map",
            desc=self._ctx.t("地图", "Map"),
            width=MATCH,
            height=height,
            paint=partial(_paint, self.scene(), self._ctx.width_dp),
            on_drag=self._drag,
            on_tap_at=self._tap,
            on_hold_at=self._hold,
            on_double_tap_at=lambda x, y: self.zoom(1),
        )

    def _point(self, x: float, y: float) -> LatLon:
        return self.camera.point(x - self._ctx.width_dp / 2, y - self.height * (0.5 - self.lift))

    def _tap(self, x: float, y: float) -> None:
        if self.on_point is not None:
            self.on_point(self._point(x, y), _FINGER_DP * self.camera.metres_per_dp)

    def _hold(self, x: float, y: float) -> None:
        if self.on_hold is not None:
            self.on_hold(self._point(x, y))

    def _drag(self, x: float, y: float) -> None:
        self.camera = self.camera.dragged(x, y)


def map_thumbnail(atlas: Atlas, center: LatLon, style: MapStyle, width_dp: float, height_dp: float) -> Widget:
    """Return a small picture of the map in a style, without names."""
    scene = MapScene(atlas, Camera(center, _FIRST_ZOOM - 2), style, places=False)
    return Canvas(
        width=MATCH, height=height_dp, radius=6, important=False, paint=partial(_paint, scene, width_dp)
    )


def _paint(scene: MapScene, width_dp: float, width: int, height: int) -> Image.Image:
    return paint_map(scene, width, height, round(width / width_dp, 4))
