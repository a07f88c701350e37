"""Rows and cards of places."""

from __future__ import annotations

from garabench.virtual.apps.amap import content
from garabench.virtual.apps.amap.theme import (
    BLUE,
    CATEGORY_LOOKS,
    GOLD,
    INK,
    INK_2,
    INK_3,
    LINE,
    ORANGE,
    badge,
)
from garabench.virtual.kit.maps.atlas import MapPlace
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
    divider,
    insets,
    spacer,
)

_UNITS = {"酒店": "起", "停车场": "/小时", "加油站": "/升", "充电站": "/度", "景点": ""}


def price_text(place: MapPlace) -> str:
    """Format a place's price: ``人均¥88``, ``¥468起``, ``免费``; empty if unknown."""
    if place.price is None:
        return ""
    if place.price == 0:
        return "免费"
    if place.category in _UNITS:
        return f"¥{place.price}{_UNITS[place.category]}"
    return f"人均¥{place.price}"


def facts_row(place: MapPlace, *, rid: str = "poi") -> Widget:
    """Return rating, price and category in one line."""
    price = price_text(place)
    parts: list[Widget] = [
        Icon(name="star_filled", size=14, color=GOLD, important=False),
        Text(id=f"{rid}_rating", text=f"{place.rating:.1f}分", size=12, color=ORANGE, bold=True),
    ]
    if price:
        parts.append(Text(id=f"{rid}_price", text=price, size=12, color=INK_2))
    parts.append(Text(id=f"{rid}_kind", text=place.kind, size=12, color=INK_2, max_lines=1))
    return Row(gap=6, children=parts)


def place_line(
    place: MapPlace, number: int, on_click: Handler, on_route: Handler, *, away: str = "", scale: float = 1.0
) -> Widget:
    """Return the row of a place in a list, with a directions button; `away` overrides its distance."""
    far = content.is_far(place)
    where = f"{place.city} · {place.full_address}" if far else place.full_address
    marks = [badge("跨城", color="#B4691E", background="#FFF1E0")] if far else []
    marks += [badge(tag) for tag in place.tags[:3]]
    words = Column(
        weight=1,
        gap=4,
        children=(
            Text(
                id="poi_name",
                text=place.name,
                size=16 * scale,
                bold=True,
                color=INK,
                max_lines=2,
            ),
            facts_row(place),
            Row(
                gap=6,
                children=(
                    Text(id="poi_distance", text=away or content.distance_to(place), size=12, color=INK_2),
                    Text(id="poi_address", text=where, size=12, color=INK_3, max_lines=1),
                ),
            ),
            *((Row(gap=5, children=marks),) if marks else ()),
        ),
    )
    route = Column(
        id="poi_route",
        desc="路线",
        width=54,
        gap=2,
        padding=insets(0, 8),
        on_click=on_route,
        children=(
            Icon(name="directions", size=24, color=BLUE, align_self=Align.CENTER, important=False),
            Text(text="路线", size=11, color=BLUE, align_self=Align.CENTER),
        ),
    )
    return Column(
        id="poi_item",
        key=place.id,
        width=MATCH,
        on_click=on_click,
        children=(
            Row(
                width=MATCH,
                gap=10,
                padding=insets(16, 11, 8, 11),
                children=(
                    Text(text=str(number), size=13, bold=True, color=INK_3, width=18, important=False),
                    words,
                    route,
                ),
            ),
            divider(LINE, insets(44, 0, 0, 0)),
        ),
    )


def small_card(place: MapPlace, away: str, on_click: Handler) -> Widget:
    """Return a card of a row of recommendations."""
    icon = CATEGORY_LOOKS.get(place.category, ("map_marker", BLUE))
    return Column(
        id="near_item",
        key=place.id,
        width=140,
        gap=4,
        on_click=on_click,
        children=(
            ImageView(seed=place.id, width=MATCH, height=84, radius=8, important=False),
            Text(id="near_name", text=place.name, size=13, color=INK, max_lines=1),
            Row(
                gap=4,
                children=(
                    Icon(name=icon[0], size=13, color=icon[1], important=False),
                    Text(id="near_kind", text=place.kind, size=11, color=INK_3, max_lines=1),
                    spacer(2),
                    Text(id="near_distance", text=away, size=11, color=INK_3, max_lines=1),
                ),
            ),
        ),
    )
