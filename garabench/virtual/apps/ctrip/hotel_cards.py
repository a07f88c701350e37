"""Cards of the lower part of a hotel's page: reviews, facilities, and house rules."""

from __future__ import annotations

from garabench.virtual.apps.ctrip.content import Hotel, load, reviews
from garabench.virtual.apps.ctrip.theme import BACKGROUND, INK, INK_2, INK_3, LINE, card, label
from garabench.virtual.apps.ctrip.widgets import arrow_row, fact_row
from garabench.virtual.ui.widgets import MATCH, Handler, Row, Text, Widget, divider, insets

_FIRST = 2


def review_card(hotel: Hotel, see_all: Handler, *, no_room: bool) -> Widget:
    """Return the latest reviews with a link to all, below a notice if the filters leave no room."""
    rows: list[Widget] = [label("没有符合条件的房型", 14, INK_3, rid="no_room")] if no_room else []
    rows.append(label("住客点评", 16, INK, bold=True))
    for review in reviews(hotel.id)[:_FIRST]:
        rows.append(label(f"{review.author}  {review.score}分", 13, INK_2))
        rows.append(Text(text=review.text, size=14, color=INK, line_spacing=1.15))
    rows.append(arrow_row("查看全部点评", "", see_all, rid="all_reviews"))
    return card(*rows, gap=8, rid="review_card")


def facts_card(hotel: Hotel) -> Widget:
    """Return the card with facilities and check-in and check-out times."""
    data = load("hotels.json")
    every = dict.fromkeys([*data["facilities"][hotel.kind], *hotel.tags])
    chips = [
        Text(
            id="facility",
            key=name,
            text=name,
            size=12,
            color=INK_2,
            background=BACKGROUND,
            radius=5,
            padding=insets(9, 5),
        )
        for name in every
    ]
    rules = [fact_row(name, value, rid="policy") for name, value in data["policies"]]
    return card(
        label("酒店设施", 16, INK, bold=True),
        Row(width=MATCH, wrap=True, gap=8, children=chips),
        divider(LINE),
        label("入住政策", 16, INK, bold=True),
        *rules,
        rid="facts_card",
        gap=9,
    )
