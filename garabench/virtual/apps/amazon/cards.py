"""Product cards and rows, shared by the whole app."""

from __future__ import annotations

import datetime as dt

from garabench.virtual.apps.amazon.content import TODAY, AmazonProduct, day_text, price_text
from garabench.virtual.apps.amazon.theme import (
    INK,
    INK_2,
    LINE,
    NAVY,
    ORANGE,
    PRIME,
    RED,
    STAR,
    TEAL,
    WHITE,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Gradient,
    Handler,
    Icon,
    Length,
    Row,
    Text,
    Widget,
    insets,
)

_BACKGROUNDS = ("#F1F4F8", "#F8F3EE", "#EFF6F1", "#F4F0F8", "#F9F6EA", "#EDF5F6")
_BODIES = ("#4F6FAE", "#B8664A", "#4C8A5E", "#7B5CA8", "#A98432", "#3F8894")
_PICTURE_SCALES = (0.62, 0.48, 0.74, 0.55)


def photo(
    product: AmazonProduct,
    size: Length,
    *,
    height: float = 0,
    radius: float = 4,
    rid: str = "",
    view: int = 0,
    desc: str = "",
) -> Widget:
    """Return a product's picture: its icon on a pale background, in the listing's own colours."""
    tint = sum(map(ord, product.id)) % len(_BACKGROUNDS)
    box_height = height or (size if isinstance(size, float | int) else 160)
    glyph = (
        min(box_height, size if isinstance(size, float | int) else box_height)
        * _PICTURE_SCALES[view % len(_PICTURE_SCALES)]
    )
    shadow = Widget(
        width=glyph * 0.9,
        height=glyph * 0.1,
        radius=glyph * 0.05,
        background="#14000000",
        align_self=Align.CENTER,
        align_vertical=Align.CENTER,
        margin=insets(0, glyph * 1.04, 0, 0),
        important=False,
    )
    icon = Icon(
        name=product.icon,
        size=glyph,
        color=_BODIES[(tint + view) % len(_BODIES)],
        align_self=Align.CENTER,
        align_vertical=Align.CENTER,
        important=False,
    )
    return Box(
        id=rid,
        desc=desc,
        cls="android.widget.ImageView",
        width=size,
        height=box_height,
        radius=radius,
        background=Gradient(start="#FAFBFB", end=_BACKGROUNDS[(tint + view) % len(_BACKGROUNDS)]),
        important=bool(rid),
        children=(shadow, icon),
    )


def stars(rating: float, *, size: float = 14) -> Widget:
    """Return five stars, filled up to the rating."""
    return Row(
        important=False,
        children=[
            Icon(
                name="star_filled"
                if rating >= number - 0.25
                else "star-half-full"
                if rating >= number - 0.75
                else "star",
                size=size,
                color=STAR,
                important=False,
            )
            for number in range(1, 6)
        ],
    )


def rating_row(product: AmazonProduct, *, size: float = 13, on_click: Handler | None = None) -> Widget:
    """Return rating, stars and the number of ratings."""
    return Row(
        id="rating_row",
        desc=f"{product.rating} out of 5 stars, {product.ratings:,} ratings",
        gap=4,
        on_click=on_click,
        children=(
            Text(text=f"{product.rating}", size=size, color=INK),
            stars(product.rating, size=size + 1),
            Text(id="rating_count", text=f"({product.ratings:,})", size=size, color=TEAL),
        ),
    )


def price_row(product: AmazonProduct, *, size: float = 19) -> Widget:
    """Return the price, and the crossed-out list price."""
    parts: list[Widget] = []
    if product.discount >= 15:
        parts.append(Text(text=f"-{product.discount}%", size=size - 2, color=RED))
    parts.append(Text(id="price", text=price_text(product.price), size=size, bold=True, color=INK))
    if product.list_price:
        parts.append(
            Text(
                id="list_price",
                text=f"List: {price_text(product.list_price)}",
                size=12,
                color=INK_2,
                strike=True,
            )
        )
    return Row(gap=6, align=Align.END, children=parts)


def badge(product: AmazonProduct) -> Widget:
    """Return the product's badge, such as Best Seller or Overall Pick."""
    background = {"Best Seller": "#C45500", "Limited time deal": RED}.get(product.badge, NAVY)
    return Text(
        id="badge",
        text=product.badge,
        size=11,
        bold=True,
        color=WHITE,
        background=background,
        radius=2,
        padding=insets(6, 2),
        max_lines=1,
    )


def prime_badge() -> Widget:
    """Return the Prime badge."""
    return Row(
        id="prime_badge",
        desc="Prime",
        gap=1,
        children=(
            Icon(name="check-bold", size=13, color=ORANGE, important=False),
            Text(text="prime", size=13, bold=True, color=PRIME, important=False),
        ),
    )


def arrival(days: int) -> dt.date:
    """Return the date that is `days` days from now."""
    return TODAY + dt.timedelta(days=days)


def delivery_line(product: AmazonProduct) -> Widget:
    """Return the time of delivery and its price."""
    day = day_text(arrival(product.days))
    words = f"FREE delivery {day}" if product.prime else f"Delivery {day} for $5.99"
    mark = (prime_badge(),) if product.prime else ()
    return Row(gap=6, children=(*mark, Text(id="delivery", text=words, size=12, color=INK_2, max_lines=1)))


def result_line(product: AmazonProduct, on_click: Handler, *, action: Widget | None = None) -> Widget:
    """Return a row of the results."""
    facts: list[Widget] = []
    if product.badge:
        facts.append(Row(children=(badge(product),)))
    facts.append(Text(id="item_title", text=product.title, size=14, color=INK, max_lines=3))
    facts.append(rating_row(product))
    if product.bought:
        facts.append(Text(text=f"{product.bought}K+ bought in past month", size=12, color=INK_2))
    facts.append(price_row(product))
    facts.append(delivery_line(product))
    colors = next((len(option.values) for option in product.options if option.name == "Color"), 0)
    if colors > 1:
        facts.append(Text(text=f"+{colors - 1} colors/patterns", size=12, color=TEAL))
    if action is not None:
        facts.append(Row(padding=insets(0, 2, 0, 0), children=(action,)))
    return Row(
        id="rs_item",
        key=product.id,
        width=MATCH,
        background=WHITE,
        border=LINE,
        border_width=0.6,
        align=Align.STRETCH,
        on_click=on_click,
        children=(
            photo(product, 138.0, height=238, radius=0),
            Column(weight=1, gap=4, padding=insets(12, 12, 10, 12), children=facts),
        ),
    )


def slim_line(
    product: AmazonProduct,
    on_click: Handler | None,
    *,
    rid: str,
    trailing: tuple[Widget, ...] = (),
    note: str = "",
    title_id: str = "item_title",
) -> Widget:
    """Return a compact row for lists, history and orders."""
    words: list[Widget] = [Text(id=title_id, text=product.title, size=14, color=INK, max_lines=2)]
    if note:
        words.append(Text(id="item_note", text=note, size=12, color=INK_2, max_lines=1))
    words.append(price_row(product, size=16))
    words.extend(trailing)
    return Row(
        id=rid,
        key=product.id,
        width=MATCH,
        gap=12,
        padding=insets(14, 12),
        background=WHITE,
        border=LINE,
        border_width=0.5,
        align=Align.START,
        on_click=on_click,
        children=(photo(product, 92.0), Column(weight=1, gap=5, children=words)),
    )


def tile(
    product: AmazonProduct, on_click: Handler, *, size: float = 118, deal: str = "", rid: str = "product_tile"
) -> Widget:
    """Return a small card of a scrolling row."""
    words: list[Widget] = []
    if deal:
        words.append(
            Text(
                text=deal,
                size=11,
                bold=True,
                color=WHITE,
                background=RED,
                radius=3,
                padding=insets(5, 2),
                max_lines=1,
            )
        )
    words.append(Text(id="tile_title", text=product.title, size=12, color=INK, max_lines=2))
    words.append(Text(id="price", text=price_text(product.price), size=14, bold=True, color=INK))
    return Column(
        id=rid,
        key=product.id,
        width=size,
        gap=4,
        on_click=on_click,
        children=(photo(product, size), *words),
    )
