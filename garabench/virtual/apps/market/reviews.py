"""Ratings and reviews on an app's page, and the market's colours and texts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from garabench.virtual.apps.market.listing import Listing, MarketReview
from garabench.virtual.kit.framework import Context
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Icon,
    ImageView,
    Insets,
    ProgressBar,
    Row,
    Text,
    Widget,
    divider,
    insets,
)

GREEN = "#01875F"
INK = "#202124"
GREY = "#5F6368"
PALE = "#DADCE0"


def market_text(text: str, size: float = 14, color: str = GREY, **more: object) -> Text:
    """Return a text in the market's colours; `more` are further attributes of `Text`."""
    return Text(text=text, size=size, color=color, **more)  # type: ignore[arg-type]


def section(title: str) -> Widget:
    """Return the heading of a section."""
    return Text(text=title, size=18, color=INK, bold=True, margin=insets(24, 26, 24, 4))


def own_rating(ctx: Context, my_stars: int, rate: Callable[[int], None]) -> Widget:
    """Return the stars with which the user rates the app."""
    stars: list[Widget] = [
        Icon(
            id=f"star_{number}",
            name="star-filled" if number <= my_stars else "star",
            size=34,
            color=GREEN if number <= my_stars else "#80868B",
            width=52,
            height=48,
            padding=insets(9, 7),
            desc=ctx.t(f"{number} 星", f"{number} stars"),
            selected=number <= my_stars,
            on_click=partial(rate, number),
        )
        for number in range(1, 6)
    ]
    return Column(
        children=[
            section(ctx.t("为此应用评分", "Rate this app")),
            market_text(
                ctx.t("与其他人分享你的想法", "Tell others what you think"), 13, margin=insets(24, 2, 24, 8)
            ),
            Row(
                id="rating_bar",
                children=stars,
                justify=Align.SPACE_AROUND,
                width=MATCH,
                padding=insets(16, 0),
            ),
        ]
    )


def histogram(ctx: Context, entry: Listing) -> Widget:
    """Return the mean rating and the shares by stars."""
    rows: list[Widget] = [
        Row(
            children=[
                market_text(f"{5 - place}", 11, width=14),
                ProgressBar(value=share, color=GREEN, weight=1, important=False),
            ],
            width=MATCH,
            height=16,
        )
        for place, share in enumerate(entry.shares)
    ]
    full = round(entry.rating)
    stars = [
        Icon(name="star-filled" if place < full else "star", size=13, color=GREEN, important=False)
        for place in range(5)
    ]
    score = Column(
        children=[
            Text(id="average_rating", text=f"{entry.rating}", size=46, color=INK),
            Row(children=stars),
            market_text(entry.ratings, 11, margin=insets(0, 4, 0, 0)),
        ],
        width=104,
    )
    return Row(
        children=[score, Column(children=rows, weight=1, margin=insets(12, 0, 0, 0))],
        padding=insets(24, 4, 24, 8),
        width=MATCH,
    )


def review_row(ctx: Context, review: MarketReview) -> Widget:
    """Return a review."""
    stars = [
        Icon(name="star-filled" if place < review.stars else "star", size=12, color=GREEN, important=False)
        for place in range(5)
    ]
    return Column(
        children=[
            divider(margin=Insets(0, 0, 0, 12)),
            Row(
                children=[
                    ImageView(
                        seed=review.author, kind="avatar", width=32, height=32, radius=999, important=False
                    ),
                    market_text(review.author, 14, INK, margin=insets(12, 0, 0, 0)),
                ]
            ),
            Row(
                children=[*stars, market_text(review.date, 12, margin=insets(8, 0, 0, 0))],
                margin=insets(0, 8, 0, 0),
            ),
            market_text(review.text, 14, GREY, line_spacing=1.25, margin=insets(0, 6, 0, 14)),
        ],
        padding=insets(24, 0),
    )
