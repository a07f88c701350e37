"""A public transport line: its stops and timetable."""

from __future__ import annotations

from typing import TYPE_CHECKING

from garabench.virtual.apps.amap.page import AmapScreen
from garabench.virtual.apps.amap.theme import BACKGROUND, BLUE, INK, INK_2, INK_3, WHITE, card, pill
from garabench.virtual.kit.maps.atlas import MapCity, Stop, TransitLine
from garabench.virtual.ui.widgets import MATCH, Column, Handler, ListView, Row, Text, Widget, insets, spacer

if TYPE_CHECKING:
    from garabench.virtual.apps.amap.activity import NewMapActivity

_STATION = "(地铁站)"


class LineScreen(AmapScreen):
    """A line in one of its directions."""

    needs_network = True

    def __init__(self, app: NewMapActivity, city: MapCity, line: TransitLine) -> None:
        super().__init__(app)
        self.city, self.line = city, line
        self.title = line.name
        self.back = False

    def reverse(self) -> None:
        """Switch to the other direction."""
        self.back = not self.back
        self.ctx.scroll_to("line_stops")

    @property
    def stops(self) -> tuple[Stop, ...]:
        """The stops in the current direction."""
        return tuple(reversed(self.line.stops)) if self.back else self.line.stops

    def opens_stop(self, stop: Stop) -> Handler | None:
        """Return a handler that opens a station's page; None if it has none."""
        found = next((each for each in self.city.places if each.name == f"{stop.name}{_STATION}"), None)
        return self.opens(found) if found is not None else None

    def content(self) -> Widget:
        """Return the header above the stops."""
        line, stops = self.line, self.stops
        header = card(
            Row(
                width=MATCH,
                gap=10,
                children=(
                    Widget(width=8, height=40, radius=4, background=line.color, important=False),
                    Column(
                        weight=1,
                        gap=3,
                        children=(
                            Text(
                                id="line_direction",
                                text=f"{stops[0].name} → {stops[-1].name}",
                                size=16,
                                bold=True,
                                color=INK,
                                max_lines=1,
                            ),
                            Text(
                                id="line_times",
                                text=f"首班{line.first} 末班{line.last} · 约{line.every}分钟一班",
                                size=12,
                                color=INK_2,
                            ),
                        ),
                    ),
                    pill("换向", self.reverse, rid="line_turn", fill=False, size=13),
                ),
            ),
            Text(id="line_count", text=f"共{len(stops)}站", size=12, color=INK_3),
            gap=8,
        )
        body = ListView(
            id="line_stops",
            width=MATCH,
            height=MATCH,
            weight=1,
            header=(header, spacer(8)),
            items=stops,
            build=self._stop,
            item_height=48,
        )
        return Column(width=MATCH, height=MATCH, weight=1, background=BACKGROUND, children=(body,))

    def _stop(self, stop: Stop, number: int) -> Widget:
        return Row(
            id="line_stop",
            key=f"{stop.name}-{number}",
            width=MATCH,
            height=48,
            gap=14,
            background=WHITE,
            padding=insets(20, 0),
            on_click=self.opens_stop(stop),
            children=(
                Text(text=str(number + 1), size=13, color=BLUE, width=24, important=False),
                Text(id="line_stop_name", text=stop.name, size=15, color=INK),
            ),
        )
