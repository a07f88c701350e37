"""The search form for trains."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from functools import partial

from garabench.virtual.apps.ctrip import names
from garabench.virtual.apps.ctrip.calendar import Calendar, short_date, weekday
from garabench.virtual.apps.ctrip.city_picker import CityPicker
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
from garabench.virtual.apps.ctrip.train_query import train_query_of
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    CheckBox,
    Column,
    Gradient,
    Row,
    ScrollView,
    Toggle,
    Widget,
    divider,
    insets,
    spacer,
)


class TrainInquireActivity(CtripPage):
    """The search form: cities or stations, a day, fast trains only, students."""

    needs_network = False

    def on_create(self) -> None:
        """Start with an empty form: from 上海 to 杭州, tomorrow."""
        self.query = train_query_of(self.intent.extras, self.today)

    def swap(self) -> None:
        """Swap start and destination."""
        self.query = self.query.swapped()

    def choose_city(self, side: str, name: str) -> None:
        """Handle the choice of a city or station."""
        self.query = replace(self.query, start=name) if side == "start" else replace(self.query, end=name)
        self.overlay = None

    def choose_day(self, days: tuple[dt.date, ...]) -> None:
        """Handle the choice of a day."""
        self.query = replace(self.query, day=days[0])
        self.overlay = None

    def toggle_fast(self) -> None:
        """Toggle between fast trains and all."""
        self.query = replace(self.query, fast=not self.query.fast)

    def toggle_student(self) -> None:
        """Toggle student tickets."""
        self.query = replace(self.query, student=not self.query.student)

    def search(self) -> None:
        """Open the results."""
        if self.query.start == self.query.end:
            self.ctx.toast("出发地和目的地不能相同")
            return
        self.ctx.open(names.TRAIN_LIST, **self.query.extras())

    def _pick_city(self, side: str) -> None:
        now = self.query.start if side == "start" else self.query.end
        title = "选择出发地" if side == "start" else "选择目的地"
        self.overlay = CityPicker(title, now, partial(self.choose_city, side), self.leave, stations=True).view

    def _pick_day(self) -> None:
        self.overlay = Calendar(
            "选择出发日期", self.today, ("出发",), (self.query.day,), self.choose_day, self.leave
        ).view

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar("火车票")

    def content(self) -> Widget:
        """Return the form."""
        query = self.query
        swap = Box(
            id="train_swap",
            desc="交换出发地和目的地",
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
        )
        fast = Toggle(
            id="train_fast",
            desc="只看高铁动车",
            checked=query.fast,
            color=BLUE,
            width=46,
            height=28,
            on_click=self.toggle_fast,
        )
        form = card(
            Row(
                width=MATCH,
                height=70,
                children=(
                    self._city(query.start, "train_start", "start", Align.START),
                    swap,
                    self._city(query.end, "train_end", "end", Align.END),
                ),
            ),
            divider(LINE),
            Row(
                id="train_dates",
                width=MATCH,
                height=58,
                gap=6,
                on_click=self._pick_day,
                children=(
                    label(short_date(query.day), 18, INK, rid="train_day", bold=True),
                    label(weekday(query.day, self.today), 12, INK_2),
                    spacer(),
                    glyph("chevron_right", 18, "#C4C8D0"),
                ),
            ),
            divider(LINE),
            Row(
                width=MATCH,
                height=54,
                gap=10,
                children=(
                    label("只看高铁动车", 15, INK),
                    fast,
                    spacer(),
                    CheckBox(
                        id="train_student",
                        text="学生票",
                        desc="学生票",
                        checked=query.student,
                        color=BLUE,
                        height=40,
                        on_click=self.toggle_student,
                    ),
                ),
            ),
            button(
                "查询车票",
                self.search,
                rid="train_search",
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
            background=Gradient(start="#00A9C0", end="#93DCE6"),
            padding=insets(18, 12),
            gap=4,
            children=(
                label("火车票 说走就走", 21, WHITE, bold=True),
                label("铁路出行 · 抢票提醒", 13, "#E6FBFD"),
            ),
        )
        tips = card(
            label("购票须知", 15, INK, bold=True),
            label("开车前可改签一次，退票手续费按铁路规定收取。学生票限二等座、硬座。", 13, INK_3, lines=3),
            gap=6,
        )
        return ScrollView(
            id="inquire_scroll", width=MATCH, height=MATCH, weight=1, children=(top, form, tips)
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
