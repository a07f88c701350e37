"""The fares of a chosen flight, or of both flights of a round trip."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from functools import partial

from garabench.virtual.apps.ctrip import names
from garabench.virtual.apps.ctrip.calendar import short_date, weekday
from garabench.virtual.apps.ctrip.flight_query import CABINS, FlightQuery, flight_query_of
from garabench.virtual.apps.ctrip.page import CtripPage
from garabench.virtual.apps.ctrip.theme import (
    INK,
    INK_2,
    INK_3,
    ORANGE_FADE,
    RED,
    WHITE,
    button,
    card,
    icon_button,
    label,
    price,
    tabs,
)
from garabench.virtual.apps.ctrip.timetable import Flight, clock, day_mark, duration_text, flights
from garabench.virtual.apps.ctrip.widgets import message_page
from garabench.virtual.ui.widgets import MATCH, Align, Column, Row, ScrollView, Widget, insets, spacer

CABIN_TABS = ("经济舱", "公务 / 头等舱")


@dataclass(frozen=True, slots=True)
class Fare:
    """A fare: its name, its price in yuan per adult, and its conditions."""

    id: str
    name: str
    price: int
    rules: str
    bag: str


@dataclass(frozen=True, slots=True)
class FlightLeg:
    """A flight on a day; `way` is 去程 (outbound), 返程 (return) or 单程 (one way)."""

    way: str
    day: dt.date
    flight: Flight

    @property
    def when(self) -> str:
        """Date and times, such as 6月5日 08:00-10:15."""
        flight = self.flight
        return f"{short_date(self.day)} {clock(flight.depart)}-{clock(flight.arrive)}"


def legs_of(query: FlightQuery, out: str, home: str) -> tuple[FlightLeg, ...]:
    """Return the selected flights; empty if one of them does not exist."""
    there = next((item for item in flights(query.start, query.end, query.day) if item.number == out), None)
    if there is None:
        return ()
    if query.back is None:
        return (FlightLeg("单程", query.day, there),)
    back = next((item for item in flights(query.end, query.start, query.back) if item.number == home), None)
    return (
        (FlightLeg("去程", query.day, there), FlightLeg("返程", query.back, back)) if back is not None else ()
    )


def fares_of(legs: tuple[FlightLeg, ...], cabin: str) -> tuple[Fare, ...]:
    """Return the fares of all legs together in a cabin (one of `CABIN_TABS`)."""
    if cabin == CABIN_TABS[0]:
        base = sum(leg.flight.price for leg in legs)
        step = 60 * len(legs)
        return (
            Fare("y0", "特惠经济舱", base, "退改¥210起", "无免费托运行李"),
            Fare("y1", "标准经济舱", base + step, "退改¥105起", "免费托运20KG"),
            Fare("y2", "灵活经济舱", base + step * 3, "免费退改一次", "免费托运20KG"),
        )
    base = sum(leg.flight.business for leg in legs)
    return (
        Fare("c0", "标准公务舱", base, "退改¥160起", "免费托运30KG"),
        Fare("c1", "灵活公务舱", base + 260 * len(legs), "免费退改", "免费托运30KG"),
    )


def leg_card(leg: FlightLeg, today: dt.date, *, title: str) -> Widget:
    """Return the summary card of a flight."""
    flight = leg.flight
    way = f"经停{flight.via}" if flight.via else "直飞"
    return card(
        label(
            f"{title}{short_date(leg.day)} {weekday(leg.day, today)} · {flight.airline}{flight.number}",
            13,
            INK_2,
            rid="leg_title",
        ),
        Row(
            width=MATCH,
            gap=10,
            children=(
                Column(
                    gap=2,
                    children=(
                        label(clock(flight.depart), 22, INK, rid="leg_depart", bold=True),
                        label(flight.start, 12, INK_2),
                    ),
                ),
                Column(
                    weight=1,
                    gap=2,
                    align=Align.CENTER,
                    children=(
                        label(duration_text(flight.arrive - flight.depart), 11, INK_3),
                        label(way, 11, INK_3, rid="leg_way"),
                    ),
                ),
                Column(
                    gap=2,
                    align=Align.END,
                    children=(
                        label(
                            clock(flight.arrive) + day_mark(flight.arrive),
                            22,
                            INK,
                            rid="leg_arrive",
                            bold=True,
                        ),
                        label(flight.end, 12, INK_2),
                    ),
                ),
            ),
        ),
        label(
            f"{flight.plane} · {'有餐食' if flight.meal else '无餐食'} · 准点率{flight.punctual}%",
            11.5,
            INK_3,
        ),
        rid="leg_card",
        gap=8,
    )


class FlightFaresActivity(CtripPage):
    """The flight, the cabins, and their fares."""

    def on_create(self) -> None:
        """Read the flights from the intent."""
        extras = self.intent.extras
        self.query = flight_query_of(extras, self.today)
        self.legs = legs_of(self.query, str(extras.get("out", "")), str(extras.get("home", "")))
        self.cabin = (
            CABIN_TABS[CABINS.index(self.query.cabin)] if self.query.cabin in CABINS else CABIN_TABS[0]
        )

    @property
    def key(self) -> str:
        """The key of the flights among the favourites."""
        flown = "/".join(f"{leg.flight.number}@{leg.day.isoformat()}" for leg in self.legs)
        return f"{self.query.start}-{self.query.end}/{flown}"

    def choose_cabin(self, cabin: str) -> None:
        """Select a cabin."""
        self.cabin = cabin

    def toggle_favorite(self) -> None:
        """Toggle whether the flight is a favourite."""
        if not self.legs:
            return
        wanted = not self.store.is_favorite("flight", self.key)
        self.store.set_favorite("flight", self.key, wanted)
        self.ctx.toast("收藏成功" if wanted else "已取消收藏")

    def buy(self, fare: Fare) -> None:
        """Open the order form."""
        extras = {**self.query.extras(), "cabin": self.cabin, "fare": fare.id}
        home = self.legs[1].flight.number if len(self.legs) > 1 else ""
        self.ctx.open(names.FLIGHT_ORDER, **extras, out=self.legs[0].flight.number, home=home)

    def bar(self) -> Widget:
        """Return the bar with the cities and the favourite button."""
        liked = self.store.is_favorite("flight", self.key)
        heart = Row(
            id="flight_favorite",
            desc="已收藏" if liked else "收藏",
            selected=liked,
            height=42,
            on_click=self.toggle_favorite,
            children=(
                icon_button(
                    "heart_filled" if liked else "heart",
                    self.toggle_favorite,
                    color=RED if liked else INK,
                    size=20,
                    touch_size=30,
                ),
                label("已收藏" if liked else "收藏", 12, RED if liked else INK_2, rid="flight_favorite_text"),
            ),
        )
        return self.back_bar(f"{self.query.start}-{self.query.end}", heart)

    def content(self) -> Widget:
        """Return the flights and their fares."""
        if not self.legs:
            return message_page("airplane-off", "航班已售完，请重新查询")
        titles = [f"{leg.way} " if len(self.legs) > 1 else "" for leg in self.legs]
        cards = [leg_card(leg, self.today, title=title) for leg, title in zip(self.legs, titles, strict=True)]
        choice = Column(
            width=MATCH,
            margin=insets(0, 8, 0, 0),
            background=WHITE,
            children=(tabs(CABIN_TABS, self.cabin, self.choose_cabin, rid="cabin_tab"),),
        )
        fares = [self._fare(fare) for fare in fares_of(self.legs, self.cabin)]
        return ScrollView(
            id="fare_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            padding=insets(0, 0, 0, 14),
            children=(*cards, choice, *fares),
        )

    def _fare(self, fare: Fare) -> Widget:
        return card(
            Row(
                width=MATCH,
                gap=8,
                children=(
                    Column(
                        weight=1,
                        gap=4,
                        children=(
                            label(fare.name, 16, INK, rid="fare_name", bold=True),
                            label(f"{fare.rules} | {fare.bag}", 12, INK_2, rid="fare_rules"),
                        ),
                    ),
                    price(fare.price, rid="fare_price", size=20),
                    button(
                        "选购",
                        self.if_online(partial(self.buy, fare)),
                        rid="fare_buy",
                        fill=ORANGE_FADE,
                        size=14,
                        padding=insets(14, 9),
                    ),
                ),
            ),
            spacer(2),
            label("含出票服务 · 电子客票", 11, INK_3),
            rid="fare_item",
            key=fare.id,
        )
