"""The point picker: the user moves the map under a centred pin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from garabench.virtual.apps.amap import content
from garabench.virtual.apps.amap.map_view import AmapMapView
from garabench.virtual.apps.amap.page import AmapScreen, OnPick
from garabench.virtual.apps.amap.theme import INK, WHITE, pill, title_bar
from garabench.virtual.ui.widgets import MATCH, Align, Box, Column, Icon, Text, Widget, insets

if TYPE_CHECKING:
    from garabench.virtual.apps.amap.activity import NewMapActivity


class PointScreen(AmapScreen):
    """The page for choosing a point: the map moves under a pin in the middle."""

    def __init__(self, app: NewMapActivity, on_pick: OnPick) -> None:
        super().__init__(app)
        self.on_pick = on_pick
        self.map = AmapMapView(app, share=0.82)

    def bar(self) -> Widget:
        """Return the title bar."""
        return title_bar("地图选点", self.leave)

    def confirm(self) -> None:
        """Choose the point under the pin."""
        place = content.pin_at(self.map.camera.center)
        self.app.pop()
        self.on_pick(place)

    def content(self) -> Widget:
        """Return the map with its pin, and the address of the point."""
        place = content.pin_at(self.map.camera.center)
        self.map.height = max(200.0, self.ctx.height_dp - 48 - 120)
        self.map.share = 1.0
        pin = Icon(
            name="map_marker",
            size=44,
            color="#E84238",
            margin=insets(0, 0, 0, 40),
            align_self=Align.CENTER,
            align_vertical=Align.CENTER,
            important=False,
        )
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                Box(
                    width=MATCH, height=MATCH, weight=1, children=(self.map.view(height=self.map.height), pin)
                ),
                Column(
                    width=MATCH,
                    height=120,
                    gap=10,
                    background=WHITE,
                    padding=insets(16, 12),
                    children=(
                        Text(id="point_address", text=place.address, size=14, color=INK, max_lines=1),
                        pill("确定", self.confirm, rid="point_confirm", size=16),
                    ),
                ),
            ),
        )
