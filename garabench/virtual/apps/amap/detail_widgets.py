"""Widgets of a place's page: actions, sheets, reviews."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from garabench.virtual.apps.amap.content import AmapReview
from garabench.virtual.apps.amap.dialogs import bottom_sheet
from garabench.virtual.apps.amap.theme import BLUE, GOLD, INK, INK_2, INK_3, ORANGE, card, pill
from garabench.virtual.kit.maps.atlas import MapPlace, TransitLine
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Handler,
    Icon,
    ImageView,
    Row,
    Text,
    Widget,
    insets,
    spacer,
)

_WAYS = (
    ("微信好友", "wechat", "#2AAE4A"),
    ("朋友圈", "camera_iris", "#45B35A"),
    ("短信", "message_text", "#3C8CFF"),
    ("复制链接", "link_variant", "#8A92A2"),
)


def action(
    icon: str,
    label: str,
    rid: str,
    on_click: Handler,
    *,
    desc: str = "",
    color: str = INK_2,
    on: bool = False,
) -> Widget:
    """Return a button of the bottom bar: an icon above a label."""
    return Column(
        id=rid,
        desc=desc or label,
        width=50,
        gap=2,
        selected=on,
        on_click=on_click,
        children=(
            Icon(name=icon, size=22, color=color, align_self=Align.CENTER, important=False),
            Text(id=f"{rid}_text", text=label, size=11, color=INK_2, align_self=Align.CENTER),
        ),
    )


def share_sheet(share: Callable[[str], None], on_close: Handler) -> Widget:
    """Return the sheet with apps to share the place with."""
    ways = Row(
        width=MATCH,
        padding=insets(8, 10),
        children=[
            Column(
                key=label,
                id="share_item",
                weight=1,
                gap=6,
                on_click=partial(share, label),
                children=(
                    Icon(name=icon, size=34, color=color, align_self=Align.CENTER, important=False),
                    Text(id="share_text", text=label, size=12, color=INK_2, align_self=Align.CENTER),
                ),
            )
            for label, icon, color in _WAYS
        ],
    )
    return bottom_sheet("分享到", on_close, ways, rid="share_sheet")


def phone_sheet(number: str, on_call: Handler, on_close: Handler) -> Widget:
    """Return the sheet with the phone number and the call button."""
    return bottom_sheet(
        "联系电话",
        on_close,
        Row(
            width=MATCH,
            height=60,
            padding=insets(20, 0),
            children=(
                Icon(name="phone", size=22, color=BLUE, important=False),
                spacer(12),
                Text(id="phone_number", text=number, size=18, color=INK),
                spacer(),
                pill("呼叫", on_call, rid="phone_call"),
            ),
        ),
        rid="phone_sheet",
    )


def stars(count: int) -> Widget:
    """Return a row of stars."""
    return Row(
        gap=1,
        important=False,
        children=[
            Icon(name="star_filled", size=13, color=GOLD if place < count else "#E0E4EA", important=False)
            for place in range(5)
        ],
    )


def review_line(review: AmapReview) -> Widget:
    """Return a review."""
    return Row(
        id="review_item",
        key=f"{review.author}-{review.text}",
        width=MATCH,
        gap=10,
        align=Align.START,
        children=(
            ImageView(seed=review.author, kind="avatar", width=34, height=34, radius=17, important=False),
            Column(
                weight=1,
                gap=3,
                children=(
                    Row(
                        gap=8,
                        children=(
                            Text(id="review_author", text=review.author, size=13, color=INK_2),
                            stars(review.stars),
                        ),
                    ),
                    Text(id="review_text", text=review.text, size=14, color=INK, line_spacing=1.15),
                    Row(
                        gap=10,
                        children=(
                            Text(text=review.day.isoformat(), size=11, color=INK_3),
                            Text(text=f"有用 {review.likes}", size=11, color=INK_3),
                        ),
                    ),
                ),
            ),
        ),
    )


def lines_card(lines: Sequence[TransitLine], on_line: Callable[[TransitLine], None]) -> Widget:
    """Return the card of the lines at a station, with their first and last departures."""
    rows = [
        Row(
            id="station_line",
            key=line.name,
            width=MATCH,
            height=54,
            gap=10,
            on_click=partial(on_line, line),
            children=(
                Widget(width=6, height=30, radius=3, background=line.color, important=False),
                Column(
                    weight=1,
                    gap=2,
                    children=(
                        Text(id="station_line_name", text=line.name, size=15, color=INK),
                        Text(
                            id="station_line_times",
                            text=f"{line.stops[0].name} - {line.stops[-1].name}",
                            size=12,
                            color=INK_3,
                            max_lines=1,
                        ),
                    ),
                ),
                Text(text=f"首{line.first} 末{line.last}", size=12, color=INK_2),
                Icon(name="chevron_right", size=17, color=INK_3, important=False),
            ),
        )
        for line in lines
    ]
    return card(Text(text="途经线路", size=16, bold=True, color=INK), *rows, rid="station_lines")


def ticket(place: MapPlace, price: str, on_buy: Handler) -> Widget:
    """Return the row of a sight's ticket."""
    return card(
        Text(text="门票", size=16, bold=True, color=INK),
        Row(
            width=MATCH,
            gap=8,
            children=(
                Column(
                    weight=1,
                    gap=2,
                    children=(
                        Text(id="ticket_name", text=f"{place.name}成人票", size=14, color=INK, max_lines=1),
                        Text(text="随时退 · 无需换票", size=12, color=INK_3),
                    ),
                ),
                Text(id="ticket_price", text=price, size=17, bold=True, color=ORANGE),
                pill("预订", on_buy, rid="ticket_buy", size=13),
            ),
        ),
        rid="poi_tickets",
        gap=8,
    )
