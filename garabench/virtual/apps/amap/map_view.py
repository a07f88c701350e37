"""Amap's map in the app's style, with traffic, the current location and tappable places."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from garabench.virtual.apps.amap import content
from garabench.virtual.kit.maps.geo import LatLon
from garabench.virtual.kit.maps.map_scene import MapScene
from garabench.virtual.kit.maps.place_search import place_at
from garabench.virtual.kit.maps.view import MapView

if TYPE_CHECKING:
    from garabench.virtual.apps.amap.activity import NewMapActivity

_NAMED_FROM = 12.0


class AmapMapView(MapView):
    """The map of a page; see `MapView`."""

    def __init__(self, app: NewMapActivity, *, share: float = 1.0, top: float = 0.0) -> None:
        super().__init__(app.ctx, content.app_atlas(), content.HERE, share=share, top=top)
        self._app = app

    def scene(self) -> MapScene:
        """Return the current scene."""
        app = self._app
        return replace(
            super().scene(),
            style=app.style,
            traffic=app.traffic,
            hour=round(app.hour, 1),
            me=content.HERE if app.located else None,
        )

    def opens_places(self) -> None:
        """Let a tap on a named place open its page, and a long press open the page of the point."""

        def tap(point: LatLon, reach: float) -> None:
            found = place_at(content.app_atlas(), point, reach)
            if found is not None and self.camera.zoom > _NAMED_FROM:
                self._app.open_place(found)

        self.on_point = tap
        self.on_hold = lambda point: self._app.open_place(content.pin_at(point))
