"""Sheets of the hotel search: guests, price and stars, sort order, filters."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from garabench.virtual.apps.ctrip.hotel_query import (
    MAX_ADULTS,
    MAX_CHILDREN,
    MAX_PRICE,
    MAX_ROOMS,
    HotelFilters,
    HotelQuery,
    HotelSortOrder,
    PriceChoice,
)
from garabench.virtual.apps.ctrip.theme import BLUE, INK, INK_2, button, chip, glyph, label
from garabench.virtual.apps.ctrip.widgets import sheet, stepper
from garabench.virtual.ui.widgets import MATCH, Column, Handler, Row, ScrollView, Text, Widget, insets, spacer

RANGES = ((0, 150), (150, 300), (300, 450), (450, 600), (600, 1000), (1000, MAX_PRICE))
STARS = ((2, "二星/经济"), (3, "三星/舒适"), (4, "四星/高档"), (5, "五星/豪华"))
TAGS = ("近地铁", "免费停车", "泳池", "健身房", "洗衣房", "亲子")
SCORES = (4.5, 4.7, 4.8)


def range_text(low: int, high: int) -> str:
    """Return a price range such as ¥300-450."""
    if high >= MAX_PRICE:
        return f"¥{low}以上"
    return f"¥{low}-{high}" if low else f"¥{high}以下"


def two_buttons(reset: Handler, done: Handler, word: str = "确定") -> Widget:
    """Return the buttons 清空 and 确定 at the foot of a sheet."""
    return Row(
        width=MATCH,
        gap=12,
        padding=insets(16, 12, 16, 2),
        children=(
            button("清空", reset, rid="sheet_reset", fill=None, color=INK_2, weight=1),
            button(word, done, rid="sheet_done", weight=2),
        ),
    )


def heading(text: str) -> Widget:
    """Return the heading of a group of options."""
    return Text(text=text, size=14, bold=True, color=INK, padding=insets(0, 10, 0, 6))


class GuestSheet:
    """The sheet for rooms, adults and children; nothing takes effect before 完成."""

    def __init__(self, query: HotelQuery, done: Callable[[int, int, int], None], close: Handler) -> None:
        self.numbers = {"rooms": query.rooms, "adults": query.adults, "children": query.children}
        self.done = done
        self.close = close

    def _set(self, name: str, value: int) -> None:
        self.numbers[name] = value
        self.numbers["adults"] = max(self.numbers["adults"], self.numbers["rooms"])

    def view(self) -> Widget:
        """Return the sheet."""
        rooms, adults, children = self.numbers.values()
        lines = Column(
            width=MATCH,
            padding=insets(18, 0),
            children=(
                stepper("房间数", "", rooms, 1, MAX_ROOMS, partial(self._set, "rooms"), rid="guest_rooms"),
                stepper(
                    "成人数",
                    "18岁及以上",
                    adults,
                    rooms,
                    MAX_ADULTS,
                    partial(self._set, "adults"),
                    rid="guest_adults",
                ),
                stepper(
                    "儿童数",
                    "0-17岁",
                    children,
                    0,
                    MAX_CHILDREN,
                    partial(self._set, "children"),
                    rid="guest_children",
                ),
            ),
        )
        done = Row(
            width=MATCH,
            padding=insets(16, 12, 16, 2),
            children=(
                button("完成", lambda: self.done(rooms, adults, children), rid="guest_done", weight=1),
            ),
        )
        return sheet("选择客房和入住人数", self.close, lines, done, rid="guest_sheet")


class PriceSheet:
    """The sheet for price per night and stars."""

    def __init__(self, query: HotelQuery, done: Callable[[PriceChoice], None], close: Handler) -> None:
        self.choice = PriceChoice(query.low, query.high, set(query.stars))
        self.done = done
        self.close = close

    def _range(self, low: int, high: int) -> None:
        same = (self.choice.low, self.choice.high) == (low, high)
        self.choice.low, self.choice.high = (0, MAX_PRICE) if same else (low, high)

    def _star(self, star: int) -> None:
        self.choice.stars ^= {star}

    def _reset(self) -> None:
        self.choice = PriceChoice()

    def view(self) -> Widget:
        """Return the sheet."""
        now = (self.choice.low, self.choice.high)
        body = Column(
            width=MATCH,
            padding=insets(16, 0),
            children=(
                heading("价格"),
                Row(
                    width=MATCH,
                    wrap=True,
                    gap=8,
                    children=[
                        chip(range_text(*item), item == now, partial(self._range, *item), rid="price_range")
                        for item in RANGES
                    ],
                ),
                heading("星级/钻级"),
                Row(
                    width=MATCH,
                    wrap=True,
                    gap=8,
                    children=[
                        chip(name, star in self.choice.stars, partial(self._star, star), rid="star_option")
                        for star, name in STARS
                    ],
                ),
            ),
        )
        footer = two_buttons(self._reset, lambda: self.done(self.choice))
        return sheet("价格/星级", self.close, body, footer, rid="price_sheet")


class CtripFilterSheet:
    """The sheet for breakfast, cancellation, score and facilities."""

    def __init__(self, filters: HotelFilters, done: Callable[[HotelFilters], None], close: Handler) -> None:
        self.done = done
        self.close = close
        self._take(filters)

    def _take(self, filters: HotelFilters) -> None:
        self.breakfast, self.cancel, self.score = filters.breakfast, filters.cancel, filters.score
        self.tags = set(filters.tags)

    def _toggle(self, name: str) -> None:
        setattr(self, name, not getattr(self, name))

    def _score(self, score: float) -> None:
        self.score = 0 if self.score == score else score

    def _tag(self, tag: str) -> None:
        self.tags ^= {tag}

    def _confirm(self) -> None:
        self.done(HotelFilters(self.breakfast, self.cancel, self.score, frozenset(self.tags)))

    def view(self) -> Widget:
        """Return the sheet."""
        body = ScrollView(
            id="filter_groups",
            width=MATCH,
            height=300,
            padding=insets(16, 0),
            children=(
                heading("早餐"),
                self._line(
                    chip("含早餐", self.breakfast, partial(self._toggle, "breakfast"), rid="filter_option")
                ),
                heading("取消政策"),
                self._line(
                    chip("免费取消", self.cancel, partial(self._toggle, "cancel"), rid="filter_option")
                ),
                heading("评分"),
                self._line(
                    *(
                        chip(
                            f"{score}分以上",
                            self.score == score,
                            partial(self._score, score),
                            rid="filter_option",
                        )
                        for score in SCORES
                    )
                ),
                heading("设施/特色"),
                self._line(
                    *(
                        chip(tag, tag in self.tags, partial(self._tag, tag), rid="filter_option")
                        for tag in TAGS
                    )
                ),
            ),
        )
        footer = two_buttons(lambda: self._take(HotelFilters()), self._confirm)
        return sheet("筛选", self.close, body, footer, rid="filter_sheet")

    @staticmethod
    def _line(*chips: Widget) -> Widget:
        return Row(width=MATCH, wrap=True, gap=8, children=chips)


def order_sheet(
    now: HotelSortOrder, choose: Callable[[HotelSortOrder], None], close: Handler, *, near: bool
) -> Widget:
    """Return the sheet of sort orders; by distance only if there is a place."""
    rows = []
    for order in HotelSortOrder:
        if order is HotelSortOrder.NEAR and not near:
            continue
        on = order is now
        mark: tuple[Widget, ...] = (glyph("check", 18, BLUE),) if on else ()
        rows.append(
            Row(
                id="sort_option",
                key=order.value,
                width=MATCH,
                height=48,
                selected=on,
                padding=insets(18, 0),
                on_click=partial(choose, order),
                children=(label(order.value, 15, BLUE if on else INK), spacer(), *mark),
            )
        )
    return sheet("排序", close, *rows, rid="sort_sheet")
