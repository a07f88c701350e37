"""The results of a hotel search: sort order, filters, and hotel cards."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from functools import partial

from garabench.virtual.apps.ctrip import names
from garabench.virtual.apps.ctrip.calendar import Calendar
from garabench.virtual.apps.ctrip.content import Hotel
from garabench.virtual.apps.ctrip.hotel_query import (
    HotelFilters,
    HotelMatch,
    HotelSortOrder,
    PriceChoice,
    arrange_hotels,
    hotel_query_of,
    landmark_of,
    search,
)
from garabench.virtual.apps.ctrip.hotel_sheets import CtripFilterSheet, PriceSheet, order_sheet
from garabench.virtual.apps.ctrip.page import CtripPage
from garabench.virtual.apps.ctrip.theme import (
    BACKGROUND,
    BLUE,
    GREEN,
    INK,
    INK_2,
    INK_3,
    WHITE,
    badge,
    chip,
    glyph,
    icon_button,
    label,
    price,
)
from garabench.virtual.apps.ctrip.widgets import message_page
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Handler,
    ImageView,
    ListView,
    ProgressBar,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
    spacer,
)

SEARCH_MS = 400
_PAGE_SIZE = 12
QUICK = ("免费取消", "含早餐", "4.7分以上", "近地铁", "免费停车")


def hotel_card(hotel: Hotel, distance: str, on_click: Handler, *, rid: str = "hotel_item") -> Widget:
    """Return the card of a hotel in a list."""
    marks = [badge(tag, INK_3) for tag in hotel.tags[:2]]
    if hotel.cancel:
        marks.insert(0, badge("免费取消", GREEN))
    if hotel.breakfast:
        marks.insert(0, badge("含早餐", BLUE))
    return Row(
        id=rid,
        key=hotel.id,
        width=MATCH,
        margin=insets(10, 8, 10, 0),
        padding=insets(10),
        gap=10,
        radius=10,
        background=WHITE,
        align=Align.START,
        on_click=on_click,
        children=(
            ImageView(seed=f"hotel-{hotel.id}", width=96, height=128, radius=8),
            Column(
                weight=1,
                gap=4,
                children=(
                    Text(id="hotel_name", text=hotel.name, size=16, bold=True, color=INK, max_lines=2),
                    Row(
                        gap=5,
                        children=(
                            Text(
                                id="hotel_score",
                                text=f"{hotel.score}分",
                                size=12,
                                bold=True,
                                color=WHITE,
                                background=BLUE,
                                radius=4,
                                padding=insets(4, 1),
                            ),
                            label(f"{hotel.reviews}点评", 12, BLUE),
                            label(f"· {hotel.kind}", 12, INK_2),
                        ),
                    ),
                    label(f"{distance} · {hotel.area}", 12, INK_2, rid="hotel_distance"),
                    Row(width=MATCH, wrap=True, gap=4, children=marks),
                    Row(width=MATCH, children=(spacer(), price(hotel.price, rid="hotel_price", tail="起"))),
                ),
            ),
        ),
    )


class HotelListActivity(CtripPage):
    """The results of a hotel search."""

    def on_create(self) -> None:
        """Run the search from the intent."""
        self.query = hotel_query_of(self.intent.extras, self.today)
        self.order = HotelSortOrder.SMART
        self.active_filters = HotelFilters()
        self.shown = _PAGE_SIZE
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

    def _again(self) -> None:
        self.sheet = self.overlay = None
        self.shown = _PAGE_SIZE
        self.ctx.scroll_to("hotel_list")

    def sort(self, order: HotelSortOrder) -> None:
        """Choose the sort order."""
        self.order = order
        self._again()

    def filter(self, filters: HotelFilters) -> None:
        """Filter the results."""
        self.active_filters = filters
        self._again()

    def limit(self, choice: PriceChoice) -> None:
        """Set price range and stars."""
        self.query = choice.apply(self.query)
        self._again()

    def choose_days(self, days: tuple[dt.date, ...]) -> None:
        """Change the stay."""
        self.query = replace(self.query, start=days[0], end=days[1])
        self._again()

    def load_more(self) -> None:
        """Load the next page of the list."""
        self.shown += _PAGE_SIZE

    def quick(self, name: str) -> None:
        """Toggle a quick filter."""
        now = self.active_filters
        match name:
            case "免费取消":
                self.filter(replace(now, cancel=not now.cancel))
            case "含早餐":
                self.filter(replace(now, breakfast=not now.breakfast))
            case "4.7分以上":
                self.filter(replace(now, score=0 if now.score == 4.7 else 4.7))
            case _:
                self.filter(replace(now, tags=now.tags ^ {name}))

    def _is_on(self, name: str) -> bool:
        now = self.active_filters
        match name:
            case "免费取消":
                return now.cancel
            case "含早餐":
                return now.breakfast
            case "4.7分以上":
                return now.score == 4.7
            case _:
                return name in now.tags

    def _open(self, hotel: Hotel) -> None:
        stay = {name: value for name, value in self.query.extras().items() if name not in ("keyword", "city")}
        self.ctx.open(names.HOTEL, hotel=hotel.id, **stay)

    def _pick_days(self) -> None:
        chosen = (self.query.start, self.query.end)
        self.overlay = Calendar(
            "选择日期", self.today, ("入住", "离店"), chosen, self.choose_days, self.leave
        ).view

    def bar(self) -> Widget:
        """Return the bar with days, city and keyword."""
        query = self.query
        days = Column(
            id="list_dates",
            on_click=self._pick_days,
            children=(
                label(f"住 {query.start:%m-%d}", 11, BLUE, rid="list_check_in", bold=True),
                label(f"离 {query.end:%m-%d}", 11, BLUE, rid="list_check_out", bold=True),
            ),
        )
        return Row(
            id="hotel_list_bar",
            width=MATCH,
            height=52,
            padding=insets(2, 0, 10, 0),
            background=WHITE,
            children=(
                icon_button("chevron_left", self.leave, rid="back", desc="返回", size=28),
                Row(
                    weight=1,
                    height=38,
                    radius=8,
                    background=BACKGROUND,
                    padding=insets(10, 0),
                    gap=10,
                    children=(
                        label(query.city, 14, INK, rid="list_city", bold=True),
                        days,
                        label(
                            query.keyword or "位置/品牌/酒店",
                            14,
                            INK if query.keyword else INK_3,
                            rid="list_keyword",
                            weight=1,
                            on_click=self.leave,
                        ),
                        label(
                            f"{query.rooms}间{query.adults}大{query.children}小", 11, INK_2, rid="list_guests"
                        ),
                    ),
                ),
            ),
        )

    def content(self) -> Widget:
        """Return the filter bar and the list."""
        if self.searching:
            wait = ProgressBar(
                circular=True, width=36, height=36, align_self=Align.CENTER, margin=insets(0, 90)
            )
            return Column(width=MATCH, height=MATCH, weight=1, children=(self._tools(), wait))
        found = arrange_hotels(search(self.query), self.order, self.active_filters)
        if not found:
            body = message_page("bed-empty", "没有符合条件的酒店，换个条件试试", "清空筛选", self._clear)
        else:
            body = ListView(
                id="hotel_list",
                width=MATCH,
                height=MATCH,
                weight=1,
                padding=insets(0, 0, 0, 10),
                items=found[: self.shown],
                build=self._card,
                on_end=self.load_more,
            )
        return Column(width=MATCH, height=MATCH, weight=1, children=(self._tools(), body))

    def _card(self, item: HotelMatch, _: int) -> Widget:
        return hotel_card(item.hotel, item.distance, partial(self._open, item.hotel))

    def _clear(self) -> None:
        self.limit(PriceChoice())
        self.filter(HotelFilters())

    def _tools(self) -> Widget:
        near = landmark_of(self.query.keyword, self.query.city) is not None
        limited = bool(self.query.stars) or self.query.low > 0 or self.query.high < 10_000
        count = self.active_filters.count
        words = (
            ("sort_button", self.order.value, self.order is not HotelSortOrder.SMART, self._sorts(near)),
            ("price_button", "价格/星级", limited, self._prices),
            ("filter_button", f"筛选·{count}" if count else "筛选", bool(count), self._filters),
        )
        strip = Row(
            width=MATCH,
            height=42,
            background=WHITE,
            children=[
                Row(
                    id=rid,
                    weight=1,
                    height=42,
                    gap=3,
                    selected=on,
                    justify=Align.CENTER,
                    on_click=open_,
                    children=(
                        label(text, 13, BLUE if on else INK, rid=f"{rid}_text"),
                        glyph("menu-down", 16, BLUE if on else INK_3),
                    ),
                )
                for rid, text, on, open_ in words
            ],
        )
        chips = [
            chip(name, self._is_on(name), partial(self.quick, name), rid="quick_filter", size=12)
            for name in QUICK
        ]
        quick = ScrollView(
            id="quick_filters",
            horizontal=True,
            width=MATCH,
            gap=8,
            padding=insets(10, 4, 10, 8),
            background=WHITE,
            children=chips,
        )
        return Column(width=MATCH, children=(strip, quick))

    def _sorts(self, near: bool) -> Handler:
        return self.opening(lambda: order_sheet(self.order, self.sort, self.on_dismiss_dialog, near=near))

    def _prices(self) -> None:
        self.sheet = PriceSheet(self.query, self.limit, self.on_dismiss_dialog).view

    def _filters(self) -> None:
        self.sheet = CtripFilterSheet(self.active_filters, self.filter, self.on_dismiss_dialog).view
