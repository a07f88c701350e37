"""Product cards and rows, shared by the whole app."""

from __future__ import annotations

from garabench.virtual.apps.jd.content import JdProduct, Shop, count_text, price_text
from garabench.virtual.apps.jd.theme import (
    GOLD_INK,
    INK,
    INK_2,
    INK_3,
    LINE,
    RED,
    RED_DEEP,
    WHITE,
    badge,
    plus_badge,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    WRAP,
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
    spacer,
)

_BACKGROUNDS = ("#EEF3FB", "#FBF1EC", "#EFF7F0", "#F6F0FA", "#FBF6E6", "#EDF6F7")
_BODIES = ("#5B7FC7", "#D0795A", "#5C9E6E", "#8B6BB8", "#C39A3B", "#4E98A3")
_PICTURE_SCALES = (0.6, 0.46, 0.74, 0.54)
"""Share of the picture that the product fills, by the number of the picture."""


def photo(
    product: JdProduct,
    size: Length,
    *,
    height: float = 0,
    radius: float = 8,
    rid: str = "",
    view: int = 0,
    desc: str = "",
) -> Widget:
    """Return a product's picture: its icon on a plain background, in the product's own colours.

    `view` is the number of the picture: background and zoom differ.
    """
    tint = sum(map(ord, product.id)) % len(_BACKGROUNDS)
    background = _BACKGROUNDS[(tint + view) % len(_BACKGROUNDS)]
    box_height = height or (size if isinstance(size, float | int) else 160)
    glyph = (
        min(box_height, size if isinstance(size, float | int) else box_height)
        * _PICTURE_SCALES[view % len(_PICTURE_SCALES)]
    )
    return Box(
        id=rid,
        desc=desc,
        cls="android.widget.ImageView",
        width=size,
        height=box_height,
        radius=radius,
        background=Gradient(start=WHITE, end=background),
        important=bool(rid),
        children=(
            Widget(
                width=glyph * 0.9,
                height=glyph * 0.12,
                radius=glyph * 0.06,
                background="#14000000",
                align_self=Align.CENTER,
                align_vertical=Align.CENTER,
                margin=insets(0, glyph * 1.02, 0, 0),
                important=False,
            ),
            Icon(
                name=product.icon,
                size=glyph,
                color=_BODIES[tint],
                align_self=Align.CENTER,
                align_vertical=Align.CENTER,
                important=False,
            ),
        ),
    )


def shop_logo(shop: Shop, size: float) -> Widget:
    """Return a shop's logo."""
    word = shop.word
    return Box(
        width=size,
        height=size,
        radius=8,
        background=RED_DEEP if shop.self_run else _BODIES[sum(map(ord, shop.id)) % len(_BODIES)],
        important=False,
        children=(
            Text(
                text=word,
                size=size * 0.62 / max(1.6, len(word) * (0.62 if word.isascii() else 1)),
                bold=True,
                color=WHITE,
                max_lines=1,
                align_self=Align.CENTER,
                align_vertical=Align.CENTER,
                important=False,
            ),
        ),
    )


def price(fen: int, *, size: float = 18, rid: str = "price", color: str = RED) -> Widget:
    """Return a price in red."""
    return Text(id=rid, text=price_text(fen), size=size, bold=True, color=color, max_lines=1)


def badges(product: JdProduct, *, narrow: bool = False) -> Widget:
    """Return the badges under a title; in a narrow place, only as many as fit."""
    parts: list[Widget] = []
    if product.plus:
        parts.append(plus_badge())
        parts.append(
            Text(text=price_text(product.price - product.plus), size=11, color=GOLD_INK, max_lines=1)
        )
    parts += [badge(tag) for tag in product.tags[:2]]
    if product.delivered and "京东物流" not in product.tags:
        parts.append(badge("京东物流", color=INK_3))
    fit = 3 if narrow and product.plus else 2 if narrow else len(parts)
    return Row(gap=4, height=16, children=parts[:fit])


def title_row(product: JdProduct, *, size: float = 14, lines: int = 2) -> Widget:
    """Return the title, preceded by 自营 if JD itself is the seller."""
    title = Text(id="product_title", text=product.title, size=size, color=INK, max_lines=lines, weight=1)
    if not product.shop.self_run:
        return Row(width=MATCH, align=Align.START, children=(title,))
    mark = Box(padding=insets(0, 2, 0, 0), children=(badge("自营", color=RED_DEEP, fill=True),))
    return Row(width=MATCH, gap=5, align=Align.START, children=(mark, title))


def result_line(product: JdProduct, on_click: Handler) -> Widget:
    """Return a row of the results."""
    facts = f"{count_text(product.reviews)}条评价  好评率{product.rate}%"
    return Row(
        id="product_item",
        key=product.id,
        width=MATCH,
        height=146,
        gap=10,
        padding=insets(10, 8),
        background=WHITE,
        align=Align.START,
        on_click=on_click,
        children=(
            photo(product, 130.0),
            Column(
                weight=1,
                height=MATCH,
                gap=4,
                children=(
                    title_row(product),
                    badges(product),
                    Row(
                        gap=6,
                        children=(
                            price(product.price),
                            Text(id="sold", text=f"已售{count_text(product.sold)}", size=11, color=INK_3),
                            *(() if product.stocked else (badge("暂无现货", color=INK_2),)),
                        ),
                    ),
                    Text(id="comments", text=facts, size=11, color=INK_3, max_lines=1),
                    Row(
                        width=MATCH,
                        children=(
                            Text(
                                id="shop_name",
                                text=product.shop.name,
                                size=11,
                                color=INK_2,
                                max_lines=1,
                            ),
                            Icon(name="chevron_right", size=13, color=INK_3, important=False),
                            spacer(),
                        ),
                    ),
                ),
            ),
        ),
    )


def product_card(product: JdProduct, on_click: Handler, *, rid: str = "product_item") -> Widget:
    """Return a card of a two-column grid."""
    return Column(
        id=rid,
        key=product.id,
        width=MATCH,
        height=268,
        background=WHITE,
        radius=10,
        on_click=on_click,
        children=(
            photo(product, MATCH, height=160, radius=10),
            Column(
                width=MATCH,
                height=WRAP,
                gap=5,
                padding=insets(9, 7, 9, 8),
                children=(
                    title_row(product, size=13),
                    badges(product, narrow=True),
                    Row(
                        width=MATCH,
                        gap=6,
                        children=(
                            price(product.price, size=17),
                            Text(
                                id="sold",
                                text=f"已售{count_text(product.sold)}",
                                size=11,
                                color=INK_3,
                                max_lines=1,
                            ),
                        ),
                    ),
                ),
            ),
        ),
    )


def slim_line(
    product: JdProduct,
    on_click: Handler | None,
    *,
    rid: str,
    trailing: tuple[Widget, ...] = (),
    leading: tuple[Widget, ...] = (),
    note: str = "",
    on_long_click: Handler | None = None,
) -> Widget:
    """Return a compact row for favourites, history and orders."""
    words: list[Widget] = [
        Text(id="product_title", text=product.title, size=14, color=INK, max_lines=2),
    ]
    if note:
        words.append(Text(id="product_note", text=note, size=12, color=INK_3, max_lines=1))
    words.append(Row(width=MATCH, children=(price(product.price, size=16), spacer(), *trailing)))
    return Row(
        id=rid,
        key=product.id,
        width=MATCH,
        height=112,
        gap=10,
        padding=insets(12, 10),
        background=WHITE,
        border=LINE,
        border_width=0.5,
        on_click=on_click,
        on_long_click=on_long_click,
        children=(
            *leading,
            photo(product, 90.0),
            Column(weight=1, height=MATCH, gap=5, justify=Align.CENTER, children=words),
        ),
    )
