"""The sheet of filters over a list of places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from garabench.virtual.apps.amap.dialogs import bottom_sheet
from garabench.virtual.apps.amap.theme import INK, INK_3, chip, pill
from garabench.virtual.kit.maps.place_search import PlaceFilters
from garabench.virtual.ui.widgets import MATCH, Column, Handler, Row, ScrollView, Text, Widget, insets

RATINGS = (("4.0分以上", 4.0), ("4.5分以上", 4.5))
PRICES: tuple[tuple[str, int | None, int | None], ...] = (
    ("50元以下", None, 50),
    ("50-100元", 50, 100),
    ("100-300元", 100, 300),
    ("300-500元", 300, 500),
    ("500元以上", 500, None),
)
_MAX_TAGS = 12
Takes = Callable[[PlaceFilters], None]


def filter_sheet(
    filters: PlaceFilters, tags: Sequence[str], priced: bool, draft: Takes, confirm: Takes, on_close: Handler
) -> Widget:
    """Return the filter sheet of a list of places.

    Args:
        filters: The current filters.
        tags: The tags to offer.
        priced: Whether to offer prices.
        draft: Called with changed, unconfirmed filters.
        confirm: Called with the confirmed filters.
        on_close: Closes the sheet without changes.
    """
    parts: list[Widget] = []

    def section(title: str, chips: list[Widget]) -> None:
        parts.append(Text(text=title, size=14, bold=True, color=INK))
        parts.append(Row(width=MATCH, wrap=True, gap=8, children=chips))

    def set_rating(rating: float) -> None:
        draft(replace(filters, rating=0 if filters.rating == rating else rating))

    def set_price(min_price: int | None, max_price: int | None) -> None:
        same = (filters.min_price, filters.max_price) == (min_price, max_price)
        draft(replace(filters, min_price=None if same else min_price, max_price=None if same else max_price))

    def toggle(tag: str) -> None:
        draft(replace(filters, tags=filters.tags ^ {tag}))

    section(
        "评分",
        [
            chip(label, filters.rating == rating, partial(set_rating, rating), rid="filter_rating")
            for label, rating in RATINGS
        ],
    )
    if priced:
        section(
            "价格",
            [
                chip(
                    label,
                    (filters.min_price, filters.max_price) == (min_price, max_price),
                    partial(set_price, min_price, max_price),
                    rid="filter_price",
                )
                for label, min_price, max_price in PRICES
            ],
        )
    if tags:
        section(
            "服务与特色",
            [
                chip(tag, tag in filters.tags, partial(toggle, tag), rid="filter_tag")
                for tag in tags[:_MAX_TAGS]
            ],
        )
    reset = partial(draft, PlaceFilters(within=filters.within, kind=filters.kind))
    buttons = Row(
        width=MATCH,
        gap=12,
        padding=insets(16, 6),
        children=(
            pill("重置", reset, rid="filter_reset", fill=False, color=INK_3, size=15, weight=1),
            pill("确定", partial(confirm, filters), rid="filter_confirm", size=15, weight=1),
        ),
    )
    body = ScrollView(
        width=MATCH,
        height=300,
        children=(Column(width=MATCH, gap=12, padding=insets(16, 4), children=parts),),
    )
    return bottom_sheet("筛选", on_close, body, buttons, rid="filter_sheet")
