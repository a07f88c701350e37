"""The flights of a day: date bar, sort order, filters and rows."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from functools import partial

from garabench.virtual.apps.ctrip import names
from garabench.virtual.apps.ctrip.calendar import short_date, weekday
from garabench.virtual.apps.ctrip.flight_query import (
    FlightFilters,
    FlightSort,
    arrange_flights,
    flight_query_of,
)
from garabench.virtual.apps.ctrip.flight_widgets import FlightFilterSheet, flight_row
from garabench.virtual.apps.ctrip.page import CtripPage
from garabench.virtual.apps.ctrip.theme import (
    BLUE,
    BLUE_SOFT,
    INK,
    INK_2,
    INK_3,
    LINE,
    WHITE,
    glyph,
    icon_button,
    label,
)
from garabench.virtual.apps.ctrip.timetable import Flight, flights
from garabench.virtual.apps.ctrip.widgets import Tool, message_page, tool_bar
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    ListView,
    ProgressBar,
    Row,
    ScrollView,
    Widget,
    divider,
    insets,
    spacer,
)

SEARCH_MS = 500
_DAYS = 14


class FlightListActivity(CtripPage):
    """The results of a flight search; of a round trip, first the outbound, then the return flights."""

    def on_create(self) -> None:
        """Run the search from the intent; `out` is the outbound flight while the return is chosen."""
        self.query = flight_query_of(self.intent.extras, self.today)
        self.out = str(self.intent.extras.get("out", ""))
        self.order = FlightSort.SMART
        self.active_filters = FlightFilters()
        self._load()

    def _load(self) -> None:
        self.searching = self.loaded
        if self.searching:
            self.ctx.after(SEARCH_MS, self._arrived)

    def _arrived(self) -> None:
        self.searching = False

    def retry(self) -> None:
        """Repeat the search."""
        super().retry()
        self._load()

    @property
    def is_return(self) -> bool:
        """Whether the return flight is being chosen."""
        return bool(self.out)

    @property
    def ends(self) -> tuple[str, str]:
        """Start and destination of the listed flights."""
        query = self.query.swapped() if self.is_return else self.query
        return query.start, query.end

    @property
    def day(self) -> dt.date:
        """The day of the listed flights."""
        return self.query.back if self.is_return and self.query.back else self.query.day

    def choose_day(self, day: dt.date) -> None:
        """Switch to another day."""
        if self.is_return:
            self.query = replace(self.query, back=day)
        else:
            back = max(self.query.back, day) if self.query.back else None
            self.query = replace(self.query, day=day, back=back)
        self.ctx.scroll_to("flight_list")
        self._load()

    def sort(self, first: FlightSort, second: FlightSort) -> None:
        """Sort by `first`; the next tap switches to `second`."""
        self.order = second if self.order is first else first
        self.ctx.scroll_to("flight_list")

    def toggle_direct(self) -> None:
        """Toggle between direct flights and all."""
        self.active_filters = replace(self.active_filters, direct=not self.active_filters.direct)
        self.ctx.scroll_to("flight_list")

    def filter(self, filters: FlightFilters) -> None:
        """Filter the list."""
        self.active_filters = filters
        self.sheet = None
        self.ctx.scroll_to("flight_list")

    def choose(self, flight: Flight) -> None:
        """Continue to the return flights, or to the fares."""
        extras = self.query.extras()
        if self.query.back is not None and not self.is_return:
            self.ctx.open(names.FLIGHT_LIST, **extras, out=flight.number)
        elif self.is_return:
            self.ctx.open(names.FLIGHT_FARES, **extras, out=self.out, home=flight.number)
        else:
            self.ctx.open(names.FLIGHT_FARES, **extras, out=flight.number)

    def bar(self) -> Widget:
        """Return the bar with the cities and the surrounding days."""
        start, end = self.ends
        ends = Row(
            weight=1,
            gap=8,
            justify=Align.CENTER,
            children=(
                label(start, 18, INK, rid="列表页头部出发城市", bold=True),
                glyph("swap-horizontal" if self.query.back else "arrow_right", 18, BLUE),
                label(end, 18, INK, rid="列表页头部到达城市", bold=True),
            ),
        )
        way = "" if self.query.back is None else "选择返程" if self.is_return else "选择去程"
        top = Row(
            width=MATCH,
            height=46,
            padding=insets(4, 0),
            children=(
                icon_button("chevron_left", self.leave, rid="back", desc="返回", size=28),
                ends,
                label(way or self.query.words, 12, INK_2, rid="list_way"),
                spacer(8),
            ),
        )
        first = self.today if (self.day - self.today).days < _DAYS - 3 else self.day - dt.timedelta(days=3)
        days = [self._day(first + dt.timedelta(days=number)) for number in range(_DAYS)]
        strip = ScrollView(
            id="flight_days", horizontal=True, width=MATCH, gap=4, padding=insets(8, 2, 8, 6), children=days
        )
        return Column(width=MATCH, background=WHITE, children=(top, strip))

    def _day(self, day: dt.date) -> Widget:
        on = day == self.day
        return Column(
            id="flight_day_item",
            key=day.isoformat(),
            width=64,
            padding=insets(0, 5),
            radius=6,
            gap=1,
            align=Align.CENTER,
            background=BLUE_SOFT if on else None,
            selected=on,
            on_click=partial(self.choose_day, day),
            children=(
                label(weekday(day, self.today), 11, BLUE if on else INK_3),
                label(short_date(day), 13, BLUE if on else INK, rid="flight_day_text", bold=on),
            ),
        )

    def content(self) -> Widget:
        """Return the list with the sort and filter bar."""
        if self.searching:
            wait = ProgressBar(
                circular=True, width=36, height=36, align_self=Align.CENTER, margin=insets(0, 90)
            )
            return Column(width=MATCH, height=MATCH, weight=1, children=(wait,))
        found = arrange_flights(flights(*self.ends, self.day), self.order, self.active_filters)
        if found:
            body: Widget = ListView(
                id="flight_list",
                width=MATCH,
                height=MATCH,
                weight=1,
                padding=insets(0, 0, 0, 10),
                items=found,
                build=lambda flight, _: flight_row(flight, self.query.cabin, partial(self.choose, flight)),
            )
        else:
            body = message_page(
                "airplane-off", "没有符合条件的航班", "清空筛选", partial(self.filter, FlightFilters())
            )
        return Column(width=MATCH, height=MATCH, weight=1, children=(body, divider(LINE), self._tools()))

    def _tools(self) -> Widget:
        time = self.order in (FlightSort.EARLY, FlightSort.LATE)
        cost = self.order in (FlightSort.CHEAP, FlightSort.DEAR)
        count = self.active_filters.count
        tools: tuple[Tool, ...] = (
            ("direct_button", "airplane", "直飞优先", self.active_filters.direct, self.toggle_direct),
            (
                "time_button",
                "clock",
                self.order.value if time else "时间",
                time,
                partial(self.sort, FlightSort.EARLY, FlightSort.LATE),
            ),
            (
                "price_button",
                "currency-cny",
                self.order.value if cost else "价格",
                cost,
                partial(self.sort, FlightSort.CHEAP, FlightSort.DEAR),
            ),
            ("filter_button", "filter", f"筛选·{count}" if count else "筛选", bool(count), self._filters),
        )
        return tool_bar("flight_tools", tools)

    def _filters(self) -> None:
        lines = sorted({flight.airline for flight in flights(*self.ends, self.day)})
        self.sheet = FlightFilterSheet(lines, self.active_filters, self.filter, self.on_dismiss_dialog).view
