"""Cards of sights, tours and other items in lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from garabench.virtual.apps.ctrip.content import Hotel, Sight, Tour, hotels, sights, tours
from garabench.virtual.apps.ctrip.theme import BLUE, INK, INK_2, INK_3, WHITE, badge, label, price
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Handler,
    ImageView,
    Row,
    Text,
    Widget,
    insets,
    spacer,
)

Opens = Callable[[str, str], Handler]
"""Returns a handler that opens an item, given its kind and id."""


def _line(rid: str, key: str, picture: Widget, words: list[Widget], on_click: Handler) -> Widget:
    return Row(
        id=rid,
        key=key,
        width=MATCH,
        margin=insets(10, 8, 10, 0),
        padding=insets(10),
        gap=10,
        radius=10,
        background=WHITE,
        align=Align.START,
        on_click=on_click,
        children=(picture, Column(weight=1, gap=5, children=words)),
    )


def sight_card(sight: Sight, on_click: Handler) -> Widget:
    """Return the card of a sight in a list."""
    words: list[Widget] = [
        Text(id="sight_name", text=sight.name, size=16, bold=True, color=INK, max_lines=2),
        Row(
            gap=6,
            children=(
                label(f"{sight.score}分", 12, BLUE, rid="sight_score", bold=True),
                label(f"{sight.reviews}点评", 12, INK_2),
                label(f"{sight.level}景区" if sight.level else sight.kind, 12, INK_3),
            ),
        ),
        label(f"{sight.city} · {sight.address}", 12, INK_2),
        Row(width=MATCH, children=(spacer(), _from(sight.price, "sight_price"))),
    ]
    picture = ImageView(seed=f"sight-{sight.id}", width=96, height=96, radius=8)
    return _line("sight_item", sight.id, picture, words, on_click)


def _from(amount: int, rid: str) -> Widget:
    return price(amount, rid=rid, tail="起") if amount else label("免费", 16, BLUE, rid=rid, bold=True)


def tour_card(tour: Tour, on_click: Handler) -> Widget:
    """Return the card of a tour in a list."""
    words: list[Widget] = [
        Text(id="tour_title", text=tour.title, size=15, bold=True, color=INK, max_lines=2),
        Row(
            gap=5,
            children=(badge(tour.kind, BLUE), *(badge(tag, INK_3) for tag in tour.tags[:2])),
        ),
        label(f"{tour.score}分 · {tour.sold}人出游 · {tour.start}出发", 12, INK_2),
        Row(
            width=MATCH,
            children=(
                label(tour.shop, 12, INK_3, rid="tour_shop"),
                spacer(),
                price(tour.price, rid="tour_price", tail="起"),
            ),
        ),
    ]
    picture = ImageView(seed=f"tour-{tour.id}", width=108, height=108, radius=8)
    return _line("tour_item", tour.id, picture, words, on_click)


def _hotel_line(hotel: Hotel, on_click: Handler) -> Widget:
    words: list[Widget] = [
        Text(id="hotel_name", text=hotel.name, size=16, bold=True, color=INK, max_lines=2),
        Row(
            gap=6,
            children=(
                label(f"{hotel.score}分", 12, BLUE, rid="hotel_score", bold=True),
                label(f"{hotel.reviews}点评", 12, INK_2),
                label(hotel.kind, 12, INK_3),
            ),
        ),
        label(f"{hotel.city} · {hotel.area}", 12, INK_2),
        Row(width=MATCH, children=(spacer(), price(hotel.price, rid="hotel_price", tail="起"))),
    ]
    picture = ImageView(seed=f"hotel-{hotel.id}", width=96, height=96, radius=8)
    return _line("hotel_item", hotel.id, picture, words, on_click)


def product_card(kind: str, name: str, opens: Opens) -> Widget:
    """Return the card of a hotel, a sight or a tour, by its kind and id."""
    match kind:
        case "hotel":
            return _hotel_line(hotels()[name], opens(kind, name))
        case "sight":
            return sight_card(sights()[name], opens(kind, name))
        case _:
            return tour_card(tours()[name], opens(kind, name))


def name_of(kind: str, name: str) -> str:
    """Return the name of a hotel, a sight or a tour."""
    match kind:
        case "hotel":
            return hotels()[name].name
        case "sight":
            return sights()[name].name
        case _:
            return tours()[name].title


def favorite_flight(key: str) -> tuple[str, dict[str, str]]:
    """Return the title of a favourite flight, and the extras that open its fares.

    Args:
        key: As `FlightFaresActivity.key`: ``上海-北京/MU5548@2024-06-05``, with a second part for a
            return flight.
    """
    ends, _, flown = key.partition("/")
    start, _, end = ends.partition("-")
    legs = [leg.split("@") for leg in flown.split("/")]
    extras = {"start": start, "end": end, "out": legs[0][0], "day": legs[0][1]}
    if len(legs) > 1:
        extras |= {"home": legs[1][0], "back": legs[1][1]}
    return ends, extras


def favorite_flight_card(ends: str, extras: Mapping[str, str], on_click: Handler) -> Widget:
    """Return the card of a favourite flight."""
    flights = [label(f"{extras['day']} {extras['out']}", 13, INK_2, rid="flight_kept")]
    if "home" in extras:
        flights.append(label(f"{extras['back']} {extras['home']}", 13, INK_2, rid="flight_kept"))
    return Column(
        id="flight_kept_item",
        width=MATCH,
        margin=insets(10, 8, 10, 0),
        padding=insets(14, 12),
        gap=6,
        radius=10,
        background=WHITE,
        on_click=on_click,
        children=(label(ends, 16, INK, rid="flight_kept_ends", bold=True), *flights),
    )
