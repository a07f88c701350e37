"""The search form for flights."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from functools import partial

from garabench.virtual.apps.ctrip import names
from garabench.virtual.apps.ctrip.calendar import Calendar, short_date, weekday
from garabench.virtual.apps.ctrip.city_picker import CityPicker
from garabench.virtual.apps.ctrip.flight_query import CABINS, flight_query_of
from garabench.virtual.apps.ctrip.page import CtripPage
from garabench.virtual.apps.ctrip.theme import (
    BLUE,
    BLUE_SOFT,
    INK,
    INK_2,
    LINE,
    ORANGE_FADE,
    WHITE,
    button,
    card,
    chip,
    glyph,
    label,
    tabs,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    CheckBox,
    Column,
    Gradient,
    Handler,
    Row,
    ScrollView,
    Widget,
    divider,
    insets,
    spacer,
)

ONE_WAY, ROUND = "单程", "往返"
_STAY = dt.timedelta(days=3)


class FlightInquireActivity(CtripPage):
    """The search form: one way or round trip, cities, days, cabin, children."""

    needs_network = False

    def on_create(self) -> None:
        """Start with an empty form: from 上海 to 北京, tomorrow."""
        self.query = flight_query_of(self.intent.extras, self.today)

    @property
    def kind(self) -> str:
        """单程 (one way) or 往返 (round trip)."""
        return ROUND if self.query.back else ONE_WAY

    def choose_kind(self, kind: str) -> None:
        """Select one way or round trip."""
        self.query = replace(self.query, back=self.query.day + _STAY if kind == ROUND else None)

    def swap(self) -> None:
        """Swap start and destination."""
        self.query = self.query.swapped()

    def choose_city(self, side: str, name: str) -> None:
        """Handle the choice of a city; choosing the opposite one swaps both."""
        other = self.query.end if side == "start" else self.query.start
        if name == other:
            self.swap()
        elif side == "start":
            self.query = replace(self.query, start=name)
        else:
            self.query = replace(self.query, end=name)
        self.overlay = None

    def choose_days(self, days: tuple[dt.date, ...]) -> None:
        """Handle the choice of days."""
        self.query = replace(self.query, day=days[0], back=days[1] if len(days) > 1 else None)
        self.overlay = None

    def choose_cabin(self, cabin: str) -> None:
        """Handle the choice of a cabin."""
        self.query = replace(self.query, cabin=cabin)

    def toggle(self, name: str) -> None:
        """Toggle whether children or infants travel along."""
        now = self.query
        if name == "children":
            self.query = replace(now, children=not now.children)
        else:
            self.query = replace(now, infants=not now.infants)

    def search(self) -> None:
        """Open the results."""
        if self.query.start == self.query.end:
            self.ctx.toast("出发和到达城市不能相同")
            return
        self.ctx.open(names.FLIGHT_LIST, **self.query.extras())

    def _pick_city(self, side: str) -> None:
        now = self.query.start if side == "start" else self.query.end
        title = "选择出发城市" if side == "start" else "选择到达城市"
        self.overlay = CityPicker(title, now, partial(self.choose_city, side), self.leave, flights=True).view

    def _pick_days(self) -> None:
        now = self.query
        if now.back is None:
            picker = Calendar("选择日期", self.today, ("出发",), (now.day,), self.choose_days, self.leave)
        else:
            picker = Calendar(
                "选择往返日期",
                self.today,
                ("去程", "返程"),
                (now.day, now.back),
                self.choose_days,
                self.leave,
            )
        self.overlay = picker.view

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar("机票")

    def content(self) -> Widget:
        """Return the form and the flight services."""
        query = self.query
        form = card(
            tabs((ONE_WAY, ROUND), self.kind, self.choose_kind, rid="trip_kind", background=None),
            Row(
                width=MATCH,
                height=70,
                children=(
                    self._city(query.start, "flight_start", "start", Align.START),
                    Box(
                        id="flight_swap",
                        desc="交换出发和到达城市",
                        width=38,
                        height=38,
                        radius=19,
                        background=BLUE_SOFT,
                        on_click=self.swap,
                        children=(
                            Box(
                                align_self=Align.CENTER,
                                align_vertical=Align.CENTER,
                                important=False,
                                children=(glyph("swap-horizontal", 22, BLUE),),
                            ),
                        ),
                    ),
                    self._city(query.end, "flight_end", "end", Align.END),
                ),
            ),
            divider(LINE),
            self._days(),
            divider(LINE),
            Row(
                width=MATCH,
                height=56,
                gap=8,
                children=[
                    chip(cabin, cabin == query.cabin, partial(self.choose_cabin, cabin), rid="cabin_option")
                    for cabin in CABINS
                ],
            ),
            Row(
                width=MATCH,
                height=46,
                gap=22,
                children=(
                    self._with("带儿童", "flight_children", query.children, partial(self.toggle, "children")),
                    self._with("带婴儿", "flight_infants", query.infants, partial(self.toggle, "infants")),
                    spacer(),
                ),
            ),
            button(
                "查询",
                self.search,
                rid="flight_search",
                desc="机票查询",
                fill=ORANGE_FADE,
                size=17,
                padding=insets(0, 12),
                wide=True,
            ),
            padding=insets(16, 4, 16, 16),
        )
        top = Column(
            width=MATCH,
            height=84,
            background=Gradient(start="#1E90FF", end="#9BD0FF"),
            padding=insets(18, 12),
            gap=4,
            children=(
                label("放心飞 说走就走", 21, WHITE, bold=True),
                label("退改无忧 · 起降提醒", 13, "#E9F5FF"),
            ),
        )
        return ScrollView(
            id="inquire_scroll", width=MATCH, height=MATCH, weight=1, children=(top, form, self._services())
        )

    def _city(self, name: str, rid: str, side: str, where: Align) -> Widget:
        return Box(
            id=rid,
            weight=1,
            height=60,
            on_click=partial(self._pick_city, side),
            children=(
                Box(
                    align_self=where,
                    align_vertical=Align.CENTER,
                    children=(label(name, 24, INK, rid=f"{rid}_name", bold=True),),
                ),
            ),
        )

    def _days(self) -> Widget:
        def day_view(day: dt.date, rid: str) -> Widget:
            return Row(
                gap=6,
                align=Align.END,
                children=(
                    label(short_date(day), 18, INK, rid=rid, bold=True),
                    label(weekday(day, self.today), 12, INK_2),
                ),
            )

        query = self.query
        parts: list[Widget] = [day_view(query.day, "flight_day"), spacer()]
        if query.back is not None:
            nights = (query.back - query.day).days
            parts += [label(f"{nights}天", 12, INK_2), spacer(), day_view(query.back, "flight_back")]
        return Row(id="flight_dates", width=MATCH, height=58, on_click=self._pick_days, children=parts)

    @staticmethod
    def _with(name: str, rid: str, on: bool, toggle: Handler) -> Widget:
        return CheckBox(id=rid, text=name, desc=name, checked=on, color=BLUE, height=40, on_click=toggle)

    def _services(self) -> Widget:
        services = (
            ("航班助手", "airplane-clock"),
            ("我的权益", "card-account-details-star"),
            ("在线选座", "seat"),
            ("低价订阅", "bell"),
        )
        cells = [
            Column(
                id="flight_service",
                key=name,
                weight=1,
                gap=6,
                align=Align.CENTER,
                padding=insets(0, 12),
                on_click=self.toasting(f"{name}暂无新内容"),
                children=(glyph(icon, 26, BLUE), label(name, 12, INK_2)),
            )
            for name, icon in services
        ]
        return card(Row(width=MATCH, children=cells), padding=insets(4, 0))
