"""The order form for tickets of a sight."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from functools import partial

from garabench.virtual.apps.ctrip.calendar import Calendar, long_date, short_date, weekday
from garabench.virtual.apps.ctrip.content import sights
from garabench.virtual.apps.ctrip.order_form import OrderForm
from garabench.virtual.apps.ctrip.theme import BACKGROUND, BLUE, BLUE_SOFT, INK, INK_2, INK_3, card, label
from garabench.virtual.apps.ctrip.user_data import CtripOrder
from garabench.virtual.apps.ctrip.widgets import stepper
from garabench.virtual.ui.widgets import MATCH, Align, Column, Handler, Row, Widget, insets

_ONE = dt.timedelta(days=1)
_FALLBACK = "gugong"
_OFFERED = 3


class TicketOrderActivity(OrderForm):
    """The order form: a day, a number of tickets, and the visitors."""

    traveller_term = "出行人"
    scope = "门票"

    def prepare(self) -> None:
        """Read sight and ticket from the intent; preselect the first bookable day."""
        self.place = sights().get(str(self.intent.extras.get("sight", "")), sights()[_FALLBACK])
        every = self.place.tickets
        self.ticket = next((item for item in every if item.id == self.intent.extras.get("ticket")), every[0])
        self.first = self.today if self.ticket.since == "今日" else self.today + _ONE
        while self.is_closed(self.first):
            self.first += _ONE
        self.day: dt.date | None = None
        self.count = 1

    def is_closed(self, day: dt.date) -> bool:
        """Return whether the sight is closed on a day."""
        return day.weekday() in self.place.closed

    def choose_day(self, day: dt.date) -> None:
        """Handle the choice of a day."""
        self.day = day
        self.overlay = None

    def change_count(self, count: int) -> None:
        """Change the number of tickets."""
        self.count = count

    def _pick_day(self) -> None:
        chosen = (self.day,) if self.day else ()
        self.overlay = Calendar(
            "选择游玩日期",
            self.first,
            ("游玩",),
            chosen,
            lambda days: self.choose_day(days[0]),
            self.leave,
            closed=self.is_closed,
        ).view

    def cost(self) -> int:
        """Return the price of all tickets."""
        return self.ticket.price * self.count

    def problem(self) -> str:
        """Return what is missing: a day, or a visitor for each ticket."""
        if self.day is None:
            return "请选择游玩日期"
        if len(self.chosen) != self.count:
            return f"请选择{self.count}位出行人"
        return ""

    def order(self) -> CtripOrder:
        """Return the order to place."""
        day = self.day or self.first
        facts = [("门票", self.ticket.name), ("数量", f"{self.count}张"), ("出行人", self.traveller_names())]
        return self.draft("ticket", self.place.name, short_date(day), day, facts, f"sight:{self.place.id}")

    def item_cards(self) -> Sequence[Widget]:
        """Return the cards of the ticket, the day, the number and the visitors."""
        header = card(
            label(self.place.name, 14, INK_2, rid="order_sight"),
            label(self.ticket.name, 17, INK, rid="order_ticket", bold=True, lines=2),
            label("随时退 · 凭身份证入园", 12, INK_3),
            gap=5,
        )
        offered: list[dt.date] = []
        day = self.first
        while len(offered) < _OFFERED:
            if not self.is_closed(day):
                offered.append(day)
            day += _ONE
        cells = [self._day(item) for item in offered]
        other = self.day is not None and self.day not in offered
        cells.append(
            self._cell(
                short_date(self.day) if other and self.day else "更多日期",
                "日历",
                other,
                "more_days",
                "更多日期",
                self._pick_day,
            )
        )
        days = card(
            label("游玩日期", 16, INK, bold=True),
            Row(width=MATCH, gap=8, children=cells),
            label(long_date(self.day) if self.day else "请选择日期", 12, INK_3, rid="order_day"),
            rid="day_card",
            gap=10,
        )
        number = card(
            stepper("数量", "", self.count, 1, 9, self.change_count, rid="ticket_count"),
            padding=insets(14, 0),
        )
        return (header, days, number, self.traveller_card())

    def _day(self, day: dt.date) -> Widget:
        choose = partial(self.choose_day, day)
        return self._cell(
            short_date(day), weekday(day, self.today), day == self.day, "day_option", long_date(day), choose
        )

    @staticmethod
    def _cell(top: str, below: str, on: bool, rid: str, desc: str, on_click: Handler) -> Widget:
        return Column(
            id=rid,
            key=desc,
            desc=desc,
            weight=1,
            padding=insets(0, 8),
            gap=2,
            radius=8,
            align=Align.CENTER,
            background=BLUE_SOFT if on else BACKGROUND,
            border=BLUE if on else None,
            selected=on,
            on_click=on_click,
            children=(label(top, 14, BLUE if on else INK), label(below, 11, INK_3)),
        )
