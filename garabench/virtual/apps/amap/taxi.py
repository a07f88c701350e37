"""打车: ride hailing, from the destination to cancelling the ride."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from garabench.virtual.apps.amap.map_view import AmapMapView
from garabench.virtual.apps.amap.page import AmapScreen
from garabench.virtual.apps.amap.theme import (
    BLUE,
    GREEN,
    INK,
    INK_2,
    INK_3,
    ORANGE,
    WHITE,
    pill,
    title_bar,
)
from garabench.virtual.kit.maps.atlas import MapPlace
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Icon,
    ProgressBar,
    Row,
    Text,
    Widget,
    insets,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.amap.activity import NewMapActivity
    from garabench.virtual.apps.amap.root import AmapRootScreen


class TaxiTab:
    """The start of a ride: the current location, and a field for the destination."""

    def __init__(self, root: AmapRootScreen) -> None:
        self.root, self.app = root, root.app
        self.map = AmapMapView(root.app, share=0.6)

    def go(self, place: MapPlace) -> None:
        """Show the prices of a ride."""
        self.app.open_route(self.app.my_place, place, "打车")

    def view(self) -> Widget:
        """Return the map with a card above it."""
        mine = self.app.my_place
        recent = list(dict.fromkeys(trip.end.id for trip in self.root.store.trips()))[:3]
        trips = {trip.end.id: trip.end for trip in self.root.store.trips()}
        rows: list[Widget] = [
            Row(
                id="taxi_recent",
                key=name,
                width=MATCH,
                height=44,
                gap=10,
                on_click=partial(self.go, trips[name]),
                children=(
                    Icon(name="history", size=18, color=INK_3, important=False),
                    Text(id="taxi_recent_text", text=trips[name].name, size=15, color=INK, max_lines=1),
                ),
            )
            for name in recent
        ]
        card = Column(
            width=MATCH,
            align_vertical=Align.END,
            background=WHITE,
            radius=16,
            elevation=4,
            gap=10,
            padding=insets(16, 16),
            clickable=True,
            children=(
                Row(
                    gap=9,
                    children=(
                        Widget(width=8, height=8, radius=4, background=GREEN, important=False),
                        Text(
                            id="taxi_start",
                            text=mine.address if mine else "未知上车点",
                            size=14,
                            color=INK_2,
                            max_lines=1,
                        ),
                    ),
                ),
                Row(
                    id="taxi_end",
                    width=MATCH,
                    height=48,
                    radius=12,
                    gap=9,
                    background="#F3F5F8",
                    padding=insets(14, 0),
                    on_click=lambda: self.app.pick("您要去哪儿", self.go),
                    children=(
                        Widget(width=8, height=8, radius=4, background=ORANGE, important=False),
                        Text(id="taxi_end_text", text="您要去哪儿", size=17, bold=True, color=INK),
                    ),
                ),
                *rows,
            ),
        )
        return Box(width=MATCH, height=MATCH, children=(self.map.view(), card))


class CallingScreen(AmapScreen):
    """The page while a car is on its way."""

    def __init__(self, app: NewMapActivity, start: MapPlace, end: MapPlace, kinds: tuple[str, ...]) -> None:
        super().__init__(app)
        self.start, self.end, self.kinds = start, end, kinds
        self.map = AmapMapView(app, share=0.6)

    def bar(self) -> Widget | None:
        """Return the title bar."""
        return title_bar("等待应答", self.leave)

    def on_back(self) -> bool:
        """Back asks for confirmation before the ride is cancelled."""
        self._ask()
        return True

    def _ask(self) -> None:
        self.asks("确定取消本次叫车吗？", "取消叫车", self._cancel, no="继续等待")()

    def _cancel(self) -> None:
        self.app.pop()
        self.ctx.toast("已取消叫车")

    def content(self) -> Widget:
        """Return the map, and a card with the state of the ride."""
        card = Column(
            width=MATCH,
            align_vertical=Align.END,
            background=WHITE,
            radius=16,
            elevation=4,
            gap=12,
            padding=insets(16, 18),
            clickable=True,
            children=(
                Row(
                    gap=10,
                    children=(
                        ProgressBar(circular=True, color=BLUE, width=24, height=24),
                        Text(id="calling_text", text="正在为您呼叫附近车辆", size=18, bold=True, color=INK),
                    ),
                ),
                Text(
                    id="calling_start", text=f"上车点：{self.start.name}", size=14, color=INK_2, max_lines=1
                ),
                Text(id="calling_end", text=f"目的地：{self.end.name}", size=14, color=INK_2, max_lines=1),
                Text(id="calling_kinds", text="车型：" + "、".join(self.kinds), size=14, color=INK_2),
                Row(
                    width=MATCH,
                    children=(
                        pill(
                            "取消叫车",
                            self._ask,
                            rid="calling_cancel",
                            fill=False,
                            color=INK_3,
                            size=15,
                            weight=1,
                        ),
                    ),
                ),
            ),
        )
        return Box(width=MATCH, height=MATCH, weight=1, children=(self.map.view(), card))
