"""历史路线: previously planned routes."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.amap.page import AmapScreen
from garabench.virtual.apps.amap.store import Trip
from garabench.virtual.apps.amap.theme import (
    BACKGROUND,
    BLUE,
    INK,
    INK_3,
    WHITE,
    icon_button,
    message_page,
    text_action,
    title_bar,
)
from garabench.virtual.ui.widgets import MATCH, Column, Icon, ListView, Row, Text, Widget, insets

_ICONS = {"驾车": "car", "打车": "taxi", "公共交通": "bus", "骑行": "bicycle", "步行": "walk"}


class TripsScreen(AmapScreen):
    """The planned routes, latest first."""

    def open(self, trip: Trip) -> None:
        """Plan a route again."""
        self.app.open_route(trip.start, trip.end, trip.mode)

    def bar(self) -> Widget | None:
        """Return the title bar with the button to clear the list."""
        ask = self.asks("确定清空历史路线吗？", "清空", self.store.clear_trips)
        actions = (text_action("清空", "trip_clear", ask),) if self.store.trips() else ()
        return title_bar("历史路线", self.leave, *actions)

    def content(self) -> Widget:
        """Return the routes."""
        trips = self.store.trips()
        if not trips:
            return message_page("map_marker_path", "暂无历史路线")
        return ListView(
            id="trip_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            gap=1,
            background=BACKGROUND,
            items=trips,
            build=lambda trip, _: self._line(trip),
            item_height=66,
        )

    def _line(self, trip: Trip) -> Widget:
        return Row(
            id="trip_item",
            key=f"{trip.start.id}-{trip.end.id}-{trip.mode}",
            width=MATCH,
            height=66,
            gap=12,
            background=WHITE,
            padding=insets(16, 0, 4, 0),
            on_click=partial(self.open, trip),
            children=(
                Icon(name=_ICONS.get(trip.mode, "car"), size=22, color=BLUE, important=False),
                Column(
                    weight=1,
                    gap=3,
                    children=(
                        Text(
                            id="trip_text",
                            text=f"{trip.start.name} → {trip.end.name}",
                            size=15,
                            color=INK,
                            max_lines=1,
                        ),
                        Text(
                            id="trip_note",
                            text=f"{trip.mode} · {trip.at.month}月{trip.at.day}日 {trip.at:%H:%M}",
                            size=12,
                            color=INK_3,
                        ),
                    ),
                ),
                icon_button(
                    "close",
                    rid="trip_delete",
                    desc=f"删除到{trip.end.name}的路线",
                    color=INK_3,
                    size=17,
                    on_click=partial(self.store.delete_trip, trip),
                ),
            ),
        )
