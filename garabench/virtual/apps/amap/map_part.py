"""The map as a part of a page: it keeps its camera, follows the finger, and tells of taps on places."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PIL import Image

from garabench.virtual.apps.amap import content
from garabench.virtual.apps.maps.finder import place_at
from garabench.virtual.apps.maps.geo import Camera, LatLon, camera_over
from garabench.virtual.apps.maps.look import Look, Pin, Stroke, Style
from garabench.virtual.apps.maps.overlay import paint_map
from garabench.virtual.ui.widgets import MATCH, Canvas, Length, View

if TYPE_CHECKING:
    from garabench.virtual.apps.amap.activity import NewMapActivity

_FINGER_DP = 22.0
_SIDE_DP = 56.0


class MapPart:
    """A map of a page.

    Attributes:
        camera: Where it is looked at.
        share: Part of the page's height that nothing covers; the camera's centre is in its middle.
        top: Height of what covers the upper edge, in dp.
    """

    def __init__(self, app: NewMapActivity, *, share: float = 1.0, top: float = 0.0) -> None:
        self._app = app
        self.share, self.top = share, top
        self.camera = Camera(content.HERE, 15.0)
        self.pins: tuple[Pin, ...] = ()
        self.strokes: tuple[Stroke, ...] = ()
        self.on_point: Callable[[LatLon, float], None] | None = None
        self.on_hold: Callable[[LatLon], None] | None = None
        self.height = app.ctx.height_dp

    def show(self, *points: LatLon, closest: float = 15.5) -> None:
        """Bring points into view."""
        if points:
            wide = max(120.0, self._app.ctx.width_dp - 2 * _SIDE_DP)
            high = max(120.0, self.height * self.share - self.top - 2 * _SIDE_DP)
            self.camera = camera_over(points, wide, high, closest=closest)

    def zoom(self, by: float) -> None:
        """Look closer, or from further away."""
        self.camera = self.camera.zoomed(by)

    @property
    def _lift(self) -> float:
        """Part of the height by which the free part's middle stands above the page's."""
        return 0.5 - (self.share + self.top / max(1.0, self.height)) / 2

    def _point(self, x: float, y: float) -> LatLon:
        middle = self._app.ctx.width_dp / 2, self.height * (0.5 - self._lift)
        return self.camera.point(x - middle[0], y - middle[1])

    def _tap(self, x: float, y: float) -> None:
        if self.on_point is not None:
            self.on_point(self._point(x, y), _FINGER_DP * self.camera.metres_per_dp)

    def _hold(self, x: float, y: float) -> None:
        if self.on_hold is not None:
            self.on_hold(self._point(x, y))

    def _drag(self, x: float, y: float) -> None:
        self.camera = self.camera.dragged(x, y)

    def look(self) -> Look:
        """What the map shows now."""
        app = self._app
        return Look(
            content.the_atlas(),
            self.camera,
            app.style,
            lift=self._lift,
            traffic=app.traffic,
            hour=round(app.hour, 1),
            me=content.HERE if app.located else None,
            pins=self.pins,
            strokes=self.strokes,
        )

    def view(self, *, height: Length = MATCH) -> View:
        """The map as a widget, across the whole width."""
        self.height = (
            self._app.ctx.height_dp if height is MATCH or not isinstance(height, int | float) else height
        )
        return Canvas(
            id="maplayout",
            key="map",
            desc="地图",
            width=MATCH,
            height=height,
            paint=partial(_paint, self.look(), self._app.ctx.width_dp),
            on_drag=self._drag,
            on_tap_at=self._tap,
            on_hold_at=self._hold,
            on_double_tap_at=lambda x, y: self.zoom(1),
        )

    def opens_places(self) -> None:
        """Let a tap on a named place open its page, and a long press a point of the map."""

        def tap(point: LatLon, reach: float) -> None:
            found = place_at(content.the_atlas(), point, reach)
            if found is not None and self.camera.zoom > 12:
                self._app.open_place(found)

        self.on_point = tap
        self.on_hold = lambda point: self._app.open_place(content.pin_at(point))


def _paint(look: Look, width_dp: float, width: int, height: int) -> Image.Image:
    scale = width / width_dp
    return paint_map(look, width, height, round(scale, 4))


def thumbnail(app: NewMapActivity, style: Style) -> View:
    """A small picture of the map in a style."""
    wide = (app.ctx.width_dp - 32 - 24) / 3 - 12
    look = Look(content.the_atlas(), Camera(content.HERE, 13.0), style, places=False)
    return Canvas(width=MATCH, height=54, radius=6, important=False, paint=partial(_paint, look, wide))
