"""The order form for a tour."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from garabench.virtual.apps.ctrip.calendar import Calendar, long_date, short_date
from garabench.virtual.apps.ctrip.content import tours
from garabench.virtual.apps.ctrip.order_form import OrderForm
from garabench.virtual.apps.ctrip.theme import INK, INK_2, LINE, card, label
from garabench.virtual.apps.ctrip.user_data import CtripOrder
from garabench.virtual.apps.ctrip.widgets import arrow_row, stepper
from garabench.virtual.ui.widgets import Widget, divider, insets

_FALLBACK = "sanya-5-hot"
_LEAD = dt.timedelta(days=3)
_CHILD_FACTOR = 0.7


class TourOrderActivity(OrderForm):
    """The order form: day of departure, adults and children, and the travellers."""

    scope = "旅游"

    def prepare(self) -> None:
        """Read the tour from the intent."""
        self.tour = tours().get(str(self.intent.extras.get("tour", "")), tours()[_FALLBACK])
        self.day: dt.date | None = None
        self.adults, self.children = 2, 0

    def choose_day(self, day: dt.date) -> None:
        """Handle the choice of the day of departure."""
        self.day = day
        self.overlay = None

    def change_adults(self, count: int) -> None:
        """Change the number of adults."""
        self.adults = count

    def change_children(self, count: int) -> None:
        """Change the number of children."""
        self.children = count

    def _pick_day(self) -> None:
        chosen = (self.day,) if self.day else ()
        self.overlay = Calendar(
            "选择出发日期",
            self.today + _LEAD,
            ("出发",),
            chosen,
            lambda days: self.choose_day(days[0]),
            self.leave,
        ).view

    def cost(self) -> int:
        """Return the price for all travellers."""
        return self.tour.price * self.adults + round(self.tour.price * _CHILD_FACTOR) * self.children

    def problem(self) -> str:
        """Return what is missing: a day or a traveller."""
        if self.day is None:
            return "请选择出发日期"
        return super().problem()

    def order(self) -> CtripOrder:
        """Return the order to place."""
        day = self.day or self.today
        people = f"{self.adults}成人" + (f"{self.children}儿童" if self.children else "")
        facts = [("线路", self.tour.kind), ("人数", people), ("出行人", self.traveller_names())]
        return self.draft(
            "tour", self.tour.title, f"{short_date(day)}出发", day, facts, f"tour:{self.tour.id}"
        )

    def item_cards(self) -> Sequence[Widget]:
        """Return the cards of the tour, the day and the number of travellers."""
        header = card(
            label(self.tour.title, 16, INK, rid="order_tour", bold=True, lines=2),
            label(f"{self.tour.start}出发 · {self.tour.days}天 · {self.tour.shop}", 13, INK_2),
            gap=6,
        )
        numbers = card(
            arrow_row(
                "出发日期",
                long_date(self.day) if self.day else "",
                self._pick_day,
                rid="tour_day",
                hint="请选择",
            ),
            divider(LINE),
            stepper("成人", "12岁及以上", self.adults, 1, 9, self.change_adults, rid="tour_adults"),
            divider(LINE),
            stepper("儿童", "2-12岁", self.children, 0, 6, self.change_children, rid="tour_children"),
            padding=insets(14, 0),
        )
        return (header, numbers, self.traveller_card())
