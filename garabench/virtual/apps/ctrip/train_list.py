"""The trains of a day: date bar, sort order, filters and rows."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from garabench.virtual.apps.ctrip import names
from garabench.virtual.apps.ctrip.calendar import Calendar, short_date, weekday
from garabench.virtual.apps.ctrip.hotel_sheets import heading, two_buttons
from garabench.virtual.apps.ctrip.page import CtripPage
from garabench.virtual.apps.ctrip.theme import (
    BLUE,
    GREEN,
    INK,
    INK_2,
    INK_3,
    LINE,
    WHITE,
    chip,
    glyph,
    icon_button,
    label,
    price,
)
from garabench.virtual.apps.ctrip.timetable import Train, clock, day_mark, duration_text, trains
from garabench.virtual.apps.ctrip.train_query import (
    HOURS,
    TrainFilters,
    TrainSort,
    arrange_trains,
    train_query_of,
)
from garabench.virtual.apps.ctrip.widgets import Tool, message_page, sheet, tool_bar
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Handler,
    ListView,
    ProgressBar,
    Row,
    Widget,
    divider,
    insets,
    spacer,
)

SEARCH_MS = 400
_ONE = dt.timedelta(days=1)


class TrainFilterSheet:
    """The sheet for hours, stations and availability; nothing takes effect before 确定."""

    def __init__(
        self, stations: Sequence[str], now: TrainFilters, done: Callable[[TrainFilters], None], close: Handler
    ) -> None:
        self.every = stations
        self.now = now
        self.chosen = set(now.hours | now.stations)
        self.stocked = now.stocked
        self.done = done
        self.close = close

    def _toggle(self, name: str) -> None:
        self.chosen ^= {name}

    def _stocked(self) -> None:
        self.stocked = not self.stocked

    def _reset(self) -> None:
        self.chosen.clear()
        self.stocked = False

    def _confirm(self) -> None:
        hours = frozenset(name for name, _, _ in HOURS) & self.chosen
        stations = frozenset(self.every) & self.chosen
        self.done(replace(self.now, stocked=self.stocked, hours=hours, stations=stations))

    def view(self) -> Widget:
        """Return the sheet."""

        def chips(every: Sequence[str]) -> Widget:
            result = [chip(n, n in self.chosen, partial(self._toggle, n), rid="filter_option") for n in every]
            return Row(width=MATCH, wrap=True, gap=8, children=result)

        body = Column(
            width=MATCH,
            padding=insets(16, 0),
            children=(
                heading("余票"),
                Row(
                    width=MATCH,
                    children=(chip("仅看有票", self.stocked, self._stocked, rid="filter_option"),),
                ),
                heading("出发时间"),
                chips([name for name, _, _ in HOURS]),
                heading("车站"),
                chips(self.every),
            ),
        )
        return sheet("筛选", self.close, body, two_buttons(self._reset, self._confirm), rid="filter_sheet")


class TrainListActivity(CtripPage):
    """The trains of a day."""

    def on_create(self) -> None:
        """Run the search from the intent."""
        self.query = train_query_of(self.intent.extras, self.today)
        self.order = TrainSort.EARLY
        self.active_filters = TrainFilters(fast=self.query.fast)
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

    def choose_day(self, day: dt.date) -> None:
        """Switch to another day."""
        if day < self.today:
            return
        self.query = replace(self.query, day=day)
        self.overlay = None
        self.ctx.scroll_to("train_list")
        self._load()

    def sort(self, order: TrainSort) -> None:
        """Select a sort order; tapping the departure time again reverses it."""
        if order is TrainSort.EARLY and self.order is TrainSort.EARLY:
            order = TrainSort.LATE
        self.order = order
        self.ctx.scroll_to("train_list")

    def filter(self, filters: TrainFilters) -> None:
        """Filter the list."""
        self.active_filters = filters
        self.sheet = None
        self.ctx.scroll_to("train_list")

    def toggle_fast(self) -> None:
        """Toggle between fast trains and all."""
        self.filter(replace(self.active_filters, fast=not self.active_filters.fast))

    @property
    def found(self) -> tuple[Train, ...]:
        """All trains of the day."""
        return trains(self.query.start, self.query.end, self.query.day)

    def _pick_day(self) -> None:
        self.overlay = Calendar(
            "选择出发日期",
            self.today,
            ("出发",),
            (self.query.day,),
            lambda days: self.choose_day(days[0]),
            self.leave,
        ).view

    def bar(self) -> Widget:
        """Return the bar with start, destination and day."""
        query = self.query
        top = Row(
            width=MATCH,
            height=46,
            padding=insets(4, 0),
            children=(
                icon_button("chevron_left", self.leave, rid="back", desc="返回", size=28),
                Row(
                    weight=1,
                    gap=8,
                    justify=Align.CENTER,
                    children=(
                        label(query.start, 18, INK, rid="train_list_start", bold=True),
                        glyph("arrow_right", 18, BLUE),
                        label(query.end, 18, INK, rid="train_list_end", bold=True),
                    ),
                ),
                label("学生票" if query.student else "", 12, BLUE, rid="train_list_student"),
                spacer(34),
            ),
        )
        days = Row(
            width=MATCH,
            height=40,
            children=(
                label(
                    "前一天",
                    13,
                    INK_2 if query.day > self.today else INK_3,
                    rid="day_before",
                    weight=1,
                    align=Align.CENTER,
                    on_click=partial(self.choose_day, query.day - _ONE),
                ),
                Row(
                    id="train_list_date",
                    weight=1,
                    justify=Align.CENTER,
                    on_click=self._pick_day,
                    children=(
                        label(
                            f"{short_date(query.day)} {weekday(query.day, self.today)}",
                            15,
                            BLUE,
                            rid="train_list_day",
                            bold=True,
                        ),
                    ),
                ),
                label(
                    "后一天",
                    13,
                    INK_2,
                    rid="day_after",
                    weight=1,
                    align=Align.CENTER,
                    on_click=partial(self.choose_day, query.day + _ONE),
                ),
            ),
        )
        return Column(width=MATCH, background=WHITE, children=(top, days))

    def content(self) -> Widget:
        """Return the list with the sort and filter bar."""
        if self.searching:
            wait = ProgressBar(
                circular=True, width=36, height=36, align_self=Align.CENTER, margin=insets(0, 90)
            )
            return Column(width=MATCH, height=MATCH, weight=1, children=(wait,))
        found = arrange_trains(self.found, self.order, self.active_filters)
        if found:
            body: Widget = ListView(
                id="train_list",
                width=MATCH,
                height=MATCH,
                weight=1,
                padding=insets(0, 0, 0, 10),
                items=found,
                build=lambda train, _: self._row(train),
            )
        else:
            body = message_page(
                "train", "没有符合条件的车次", "清空筛选", partial(self.filter, TrainFilters())
            )
        return Column(width=MATCH, height=MATCH, weight=1, children=(body, divider(LINE), self._tools()))

    def _row(self, train: Train) -> Widget:
        seats = [
            label(
                f"{seat.name}{'有票' if seat.left > 20 else f'{seat.left}张' if seat.left else '无票'}",
                12,
                GREEN if seat.left > 20 else (INK_2 if seat.left else INK_3),
                rid="train_seat",
                weight=1,
            )
            for seat in train.seats
        ]

        def end(minutes: int, place: str, where: Align, rid: str) -> Widget:
            return Column(
                gap=2,
                width=92,
                align=where,
                children=(
                    label(clock(minutes) + day_mark(minutes), 20, INK, rid=rid, bold=True),
                    label(place, 13, INK_2, rid=f"{rid}_station"),
                ),
            )

        middle = Column(
            weight=1,
            gap=2,
            align=Align.CENTER,
            children=(
                label(train.number, 14, INK, rid="train_number", bold=True),
                Widget(width=64, height=1, background="#C9CED8", important=False),
                label(duration_text(train.arrive - train.depart), 11, INK_3, rid="train_span"),
            ),
        )
        least = min(self.query.price(seat) for seat in train.seats)
        return Column(
            id="train_item",
            key=f"{train.number}-{train.depart}",
            width=MATCH,
            margin=insets(10, 8, 10, 0),
            padding=insets(12, 12),
            radius=10,
            gap=9,
            background=WHITE,
            on_click=partial(self.ctx.open, names.TRAIN, **self.query.extras(), train=train.number),
            children=(
                Row(
                    width=MATCH,
                    gap=4,
                    children=(
                        end(train.depart, train.start, Align.START, "train_depart"),
                        middle,
                        end(train.arrive, train.end, Align.END, "train_arrive"),
                        Row(
                            width=76,
                            justify=Align.END,
                            children=(price(least, rid="train_price", tail="起"),),
                        ),
                    ),
                ),
                Row(width=MATCH, gap=6, children=seats),
            ),
        )

    def _tools(self) -> Widget:
        time = self.order in (TrainSort.EARLY, TrainSort.LATE)
        count = self.active_filters.count
        tools: tuple[Tool, ...] = (
            (
                "time_button",
                "clock",
                self.order.value if time else "出发时间",
                time,
                partial(self.sort, TrainSort.EARLY),
            ),
            (
                "span_button",
                "timer-sand",
                "耗时最短",
                self.order is TrainSort.SHORT,
                partial(self.sort, TrainSort.SHORT),
            ),
            (
                "price_button",
                "currency-cny",
                "价格最低",
                self.order is TrainSort.CHEAP,
                partial(self.sort, TrainSort.CHEAP),
            ),
            ("fast_button", "train", "高铁动车", self.active_filters.fast, self.toggle_fast),
            ("filter_button", "filter", f"筛选·{count}" if count else "筛选", bool(count), self._filters),
        )
        return tool_bar("train_tools", tools)

    def _filters(self) -> None:
        stations = sorted({place for train in self.found for place in (train.start, train.end)})
        self.sheet = TrainFilterSheet(stations, self.active_filters, self.filter, self.on_dismiss_dialog).view
