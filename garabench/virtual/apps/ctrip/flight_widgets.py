"""Widgets of the flight list: its rows and the filter sheet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from garabench.virtual.apps.ctrip.flight_query import SLOTS, FlightFilters
from garabench.virtual.apps.ctrip.hotel_sheets import heading, two_buttons
from garabench.virtual.apps.ctrip.theme import INK, INK_2, INK_3, WHITE, chip, label, price
from garabench.virtual.apps.ctrip.timetable import Flight, clock, day_mark, duration_text
from garabench.virtual.apps.ctrip.widgets import sheet
from garabench.virtual.ui.widgets import MATCH, Align, Column, Handler, Row, Widget, insets, spacer


def flight_row(flight: Flight, cabin: str, on_click: Handler) -> Widget:
    """Return a row of the flight list."""
    amount = flight.price if cabin == "经济舱" else flight.business
    way = f"经停{flight.via}" if flight.via else "直飞"

    def end(minutes: int, place: str, rid: str, where: Align) -> Widget:
        return Column(
            gap=2,
            align=where,
            children=(
                label(clock(minutes) + day_mark(minutes), 20, INK, rid=rid, bold=True),
                label(place, 11.5, INK_2),
            ),
        )

    middle = Column(
        weight=1,
        gap=2,
        align=Align.CENTER,
        children=(
            label(duration_text(flight.arrive - flight.depart), 11, INK_3),
            Widget(width=70, height=1, background="#C9CED8", important=False),
            label(way, 11, INK_3 if not flight.via else "#E07B00", rid="flight_way"),
        ),
    )
    return Column(
        id="flight_item",
        cls="android.view.ViewGroup",
        key=flight.number,
        desc=f"航班{flight.airline}{flight.number}，{clock(flight.depart)}起飞，{way}，{amount}元",
        width=MATCH,
        margin=insets(10, 8, 10, 0),
        padding=insets(14, 12),
        radius=10,
        gap=8,
        background=WHITE,
        on_click=on_click,
        children=(
            Row(
                width=MATCH,
                gap=6,
                children=(
                    end(flight.depart, flight.start, "flight_depart", Align.START),
                    middle,
                    end(flight.arrive, flight.end, "flight_arrive", Align.END),
                    spacer(6),
                    price(amount, rid="flight_price", size=20),
                ),
            ),
            Row(
                width=MATCH,
                gap=6,
                children=(
                    label(f"{flight.airline}{flight.number}", 12, INK_2, rid="flight_number"),
                    label(f"| {flight.plane} | {'有餐食' if flight.meal else '无餐食'}", 12, INK_3),
                    spacer(),
                    label(f"准点率{flight.punctual}%", 11, INK_3, rid="flight_punctual"),
                ),
            ),
        ),
    )


class FlightFilterSheet:
    """The sheet for airlines and departure times; nothing takes effect before 确定."""

    def __init__(
        self,
        airlines: Sequence[str],
        filters: FlightFilters,
        done: Callable[[FlightFilters], None],
        close: Handler,
    ) -> None:
        self.every = airlines
        self.airlines = set(filters.airlines)
        self.slots = set(filters.slots)
        self.direct = filters.direct
        self.done = done
        self.close = close

    def _airline(self, name: str) -> None:
        self.airlines ^= {name}

    def _slot(self, name: str) -> None:
        self.slots ^= {name}

    def _reset(self) -> None:
        self.airlines.clear()
        self.slots.clear()

    def _confirm(self) -> None:
        self.done(FlightFilters(frozenset(self.airlines), frozenset(self.slots), self.direct))

    def view(self) -> Widget:
        """Return the sheet."""
        slots = [chip(n, n in self.slots, partial(self._slot, n), rid="filter_option") for n, _, _ in SLOTS]
        lines = [
            chip(n, n in self.airlines, partial(self._airline, n), rid="filter_option") for n in self.every
        ]
        body = Column(
            width=MATCH,
            padding=insets(16, 0),
            children=(
                heading("起飞时间"),
                Row(width=MATCH, wrap=True, gap=8, children=slots),
                heading("航空公司"),
                Row(width=MATCH, wrap=True, gap=8, children=lines),
            ),
        )
        return sheet("筛选", self.close, body, two_buttons(self._reset, self._confirm), rid="filter_sheet")
