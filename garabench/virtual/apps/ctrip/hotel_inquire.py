"""The search form for hotels."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from functools import partial

from garabench.virtual.apps.ctrip import names
from garabench.virtual.apps.ctrip.calendar import Calendar, short_date, weekday
from garabench.virtual.apps.ctrip.city_picker import CityPicker
from garabench.virtual.apps.ctrip.content import landmarks
from garabench.virtual.apps.ctrip.hotel_query import PriceChoice, hotel_query_of, price_text
from garabench.virtual.apps.ctrip.hotel_sheets import GuestSheet, PriceSheet
from garabench.virtual.apps.ctrip.page import CtripPage
from garabench.virtual.apps.ctrip.theme import (
    BLUE,
    BLUE_SOFT,
    INK,
    INK_2,
    INK_3,
    LINE,
    ORANGE_FADE,
    WHITE,
    button,
    card,
    glyph,
    label,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Gradient,
    Handler,
    Row,
    ScrollView,
    Text,
    TextField,
    Widget,
    divider,
    insets,
    spacer,
)


def stay_row(start: dt.date, end: dt.date, today: dt.date, on_click: Handler) -> Widget:
    """Return a row with 入住, 离店 and the number of nights."""

    def side(name: str, day: dt.date, rid: str) -> Widget:
        return Column(
            gap=2,
            children=(
                label(name, 11.5, INK_3),
                Row(
                    gap=5,
                    align=Align.END,
                    children=(
                        label(short_date(day), 18, INK, rid=rid, bold=True),
                        label(weekday(day, today), 12, INK_2),
                    ),
                ),
            ),
        )

    return Row(
        id="hotel_dates",
        width=MATCH,
        height=64,
        gap=10,
        on_click=on_click,
        children=(
            side("入住", start, "check_in"),
            Text(
                id="nights",
                text=f"共{(end - start).days}晚",
                size=11,
                color=BLUE,
                background=BLUE_SOFT,
                radius=9,
                padding=insets(7, 2),
            ),
            side("离店", end, "check_out"),
            spacer(),
            glyph("chevron_right", 18, "#C4C8D0"),
        ),
    )


class HotelInquireActivity(CtripPage):
    """The search form: city, days, keyword, guests, price and stars."""

    needs_network = False

    def on_create(self) -> None:
        """Start with an empty form: tonight in 上海."""
        self.query = hotel_query_of(self.intent.extras, self.today)

    def choose_city(self, name: str) -> None:
        """Handle the choice of a city."""
        self.query = replace(
            self.query, city=name, keyword="" if name != self.query.city else self.query.keyword
        )
        self.overlay = None

    def choose_days(self, days: tuple[dt.date, ...]) -> None:
        """Handle the choice of days."""
        self.query = replace(self.query, start=days[0], end=days[1])
        self.overlay = None

    def choose_guests(self, rooms: int, adults: int, children: int) -> None:
        """Handle the choice of rooms and guests."""
        self.query = replace(self.query, rooms=rooms, adults=adults, children=children)
        self.sheet = None

    def choose_price(self, choice: PriceChoice) -> None:
        """Handle the choice of price and stars."""
        self.query = choice.apply(self.query)
        self.sheet = None

    def type(self, text: str) -> None:
        """Handle a change of the keyword."""
        self.query = replace(self.query, keyword=text)

    def search(self) -> None:
        """Open the results."""
        self.ctx.hide_keyboard()
        self.ctx.open(names.HOTEL_LIST, **self.query.extras())

    def _pick_city(self) -> None:
        self.overlay = CityPicker("选择目的地", self.query.city, self.choose_city, self.leave).view

    def _pick_days(self) -> None:
        chosen = (self.query.start, self.query.end)
        self.overlay = Calendar(
            "选择日期", self.today, ("入住", "离店"), chosen, self.choose_days, self.leave
        ).view

    def _pick_guests(self) -> None:
        self.sheet = GuestSheet(self.query, self.choose_guests, self.on_dismiss_dialog).view

    def _pick_price(self) -> None:
        self.sheet = PriceSheet(self.query, self.choose_price, self.on_dismiss_dialog).view

    def content(self) -> Widget:
        """Return the banner and the form."""
        query = self.query
        top = Column(
            width=MATCH,
            height=112,
            background=Gradient(start="#2A9BFF", end="#8CCBFF"),
            padding=insets(18, 10),
            gap=6,
            children=(
                label("订酒店 更放心", 22, WHITE, bold=True),
                label("低价保证 · 入住保障 · 到店无忧", 13, "#E9F5FF"),
            ),
        )
        field = TextField(
            id="hotel_keyword",
            text=query.keyword,
            hint="位置/品牌/酒店",
            size=15,
            width=MATCH,
            height=54,
            action="search",
            on_change=self.type,
            on_submit=self.search,
        )
        form = card(
            Row(
                id="hotel_city",
                width=MATCH,
                height=58,
                on_click=self._pick_city,
                children=(
                    label(query.city, 20, INK, rid="hotel_city_name", bold=True, weight=1),
                    glyph("crosshairs-gps", 18, BLUE),
                    label(" 我的位置", 12, INK_2),
                ),
            ),
            divider(LINE),
            stay_row(query.start, query.end, self.today, self._pick_days),
            divider(LINE),
            field,
            divider(LINE),
            self._row(query.guests, "hotel_guests", self._pick_guests),
            divider(LINE),
            self._row(price_text(query), "hotel_price", self._pick_price, hint="价格/星级"),
            button(
                "查询",
                self.search,
                rid="hotel_search",
                fill=ORANGE_FADE,
                size=17,
                padding=insets(0, 12),
                wide=True,
            ),
            padding=insets(16, 4, 16, 16),
        )
        return ScrollView(
            id="inquire_scroll", width=MATCH, height=MATCH, weight=1, children=(top, form, self._places())
        )

    @staticmethod
    def _row(text: str, rid: str, on_click: Handler, hint: str = "") -> Widget:
        return Row(
            id=rid,
            width=MATCH,
            height=52,
            on_click=on_click,
            children=(
                label(text or hint, 15, INK if text else INK_3, rid=f"{rid}_text", weight=1),
                glyph("chevron_right", 18, "#C4C8D0"),
            ),
        )

    def _places(self) -> Widget:
        near = [place.name for place in landmarks() if place.city == self.query.city]
        chips = [
            Text(
                id="hotel_hot_place",
                text=name,
                size=13,
                color=INK_2,
                background=WHITE,
                radius=14,
                padding=insets(12, 6),
                on_click=partial(self.type, name),
            )
            for name in near
        ]
        return Column(
            width=MATCH,
            padding=insets(14),
            gap=10,
            children=(
                label(f"{self.query.city}热门位置", 14, INK, bold=True),
                Row(width=MATCH, wrap=True, gap=8, children=chips),
            ),
        )

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar("酒店")
