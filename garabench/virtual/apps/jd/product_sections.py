"""The sections of a product's page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from garabench.virtual.apps.jd import content
from garabench.virtual.apps.jd.cards import badges, photo, price, shop_logo
from garabench.virtual.apps.jd.content import JdProduct, JdReview, Shop, count_text, fans_text, price_text
from garabench.virtual.apps.jd.dialogs import sheet
from garabench.virtual.apps.jd.theme import (
    GOLD_INK,
    INK,
    INK_2,
    INK_3,
    LINE,
    ORANGE,
    RED,
    WHITE,
    badge,
    card,
    pill,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Button,
    Column,
    Handler,
    Icon,
    Row,
    Text,
    Widget,
    divider,
    insets,
    spacer,
)

_SHARES_IN_ROW = 4


def icon_label(
    icon: str, label: str, rid: str, color: str, on_click: Handler, *, selected: bool = False
) -> Widget:
    """Return a button of the bottom bar: a small icon above a label."""
    return Column(
        id=rid,
        desc=label,
        width=42,
        gap=2,
        align=Align.CENTER,
        selected=selected,
        on_click=on_click,
        children=(
            Icon(name=icon, size=20, color=color, important=False),
            Text(id=f"{rid}_text", text=label, size=10, color=color, max_lines=1),
        ),
    )


def with_badge(view: Widget, count: int) -> Widget:
    """Return a view with a red number at its corner."""
    if not count:
        return view
    mark = Text(
        id="cart_count",
        text="99+" if count > 99 else str(count),
        size=8.5,
        bold=True,
        color=WHITE,
        background=RED,
        radius=7,
        padding=insets(3.5, 0),
        align_self=Align.END,
        align_vertical=Align.START,
    )
    return Box(width=42, children=(view, mark))


def price_card(product: JdProduct, options: Sequence[str]) -> Widget:
    """Return price, members' discount and badges."""
    now = product.price_of(options)
    row: list[Widget] = [price(now, size=26, rid="product_price")]
    if product.plus:
        row.append(Text(text=f"PLUS到手价 {price_text(now - product.plus)}", size=12, color=GOLD_INK))
    row.append(spacer())
    row.append(Text(id="sold", text=f"已售{count_text(product.sold)}", size=12, color=INK_3))
    return card(Row(width=MATCH, gap=10, children=row), Row(width=MATCH, children=(badges(product),)), gap=6)


def stars(number: int) -> Widget:
    """Return a row of one to five stars."""
    return Row(
        gap=1,
        important=False,
        children=[
            Icon(
                name="star-filled",
                size=13,
                color=ORANGE if place < number else "#DDDDE2",
                important=False,
            )
            for place in range(5)
        ],
    )


def review_block(product: JdProduct, review: JdReview, *, lines: int = 0) -> Widget:
    """Return a review."""
    pictures = [
        photo(product, 72, radius=6, rid="review_picture", desc="评价图片", view=number)
        for number in range(1, review.pictures + 1)
    ]
    return Column(
        id="review_item",
        width=MATCH,
        gap=6,
        children=(
            Row(
                width=MATCH,
                gap=8,
                children=(
                    Text(id="review_author", text=review.author, size=13, color=INK),
                    stars(review.stars),
                    spacer(),
                    Text(id="review_date", text=f"{review.at:%Y-%m-%d}", size=11, color=INK_3),
                ),
            ),
            Text(id="review_text", text=review.text, size=14, color=INK, max_lines=lines),
            *((Row(gap=6, children=pictures),) if pictures and not lines else ()),
            Text(id="review_spec", text=review.spec, size=11, color=INK_3, max_lines=1),
        ),
    )


def reviews_card(product: JdProduct, on_click: Handler) -> Widget:
    """Return the first reviews, and a link to all."""
    reviews = content.reviews_of(product.id)
    return card(
        Row(
            id="reviews_entry",
            width=MATCH,
            height=34,
            on_click=on_click,
            children=(
                Text(
                    id="reviews_title",
                    text=f"买家评价({count_text(product.reviews)})",
                    size=15,
                    bold=True,
                    color=INK,
                ),
                spacer(),
                Text(text=f"好评率{product.rate}%", size=12, color=RED),
                Icon(name="chevron_right", size=16, color=INK_3, important=False),
            ),
        ),
        divider(LINE),
        *(review_block(product, review, lines=2) for review in reviews[:2]),
        rid="reviews_card",
        gap=8,
    )


def shop_card(shop: Shop, followed: bool, on_follow: Handler, on_enter: Handler) -> Widget:
    """Return the card of the shop, with links to it."""
    return card(
        Row(
            width=MATCH,
            gap=10,
            children=(
                shop_logo(shop, 46),
                Column(
                    weight=1,
                    gap=4,
                    children=(
                        Text(id="shop_name", text=shop.name, size=15, bold=True, color=INK, max_lines=1),
                        Row(
                            gap=6,
                            children=(
                                *((badge("自营", fill=True),) if shop.self_run else ()),
                                Text(text=f"{fans_text(shop.fans)}粉丝", size=11, color=INK_3),
                                Text(text=f"评分 {shop.score}", size=11, color=INK_3),
                            ),
                        ),
                    ),
                ),
                pill(
                    "已关注" if followed else "关注店铺",
                    on_follow,
                    rid="follow_shop",
                    fill=False,
                    color=INK_3 if followed else RED,
                    size=12,
                    padding=insets(10, 5),
                    selected=followed,
                ),
                pill("进店", on_enter, rid="enter_shop", size=12, padding=insets(12, 6)),
            ),
        ),
        rid="shop_card",
    )


def about_card(product: JdProduct) -> Widget:
    """Return details and specifications."""
    rows = [
        Row(
            id="param",
            width=MATCH,
            height=34,
            children=(
                Text(id="param_name", text=name, size=13, color=INK_3, width=110),
                Text(id="param_value", text=value, size=13, color=INK, weight=1, max_lines=1),
            ),
        )
        for name, value in (*product.params, ("商品编号", product.sku))
    ]
    words = (Text(id="about", text=product.about, size=14, color=INK_2),) if product.about else ()
    return card(
        Text(text="商品详情", size=15, bold=True, color=INK),
        *words,
        divider(LINE),
        *rows,
        gap=6,
        rid="detail_card",
    )


def share_sheet(on_close: Handler, on_share: Callable[[str], None]) -> Widget:
    """Return the sheet of apps to share with."""
    ways = content.home()["shares"]
    cells: list[Widget] = [
        Column(
            id="share_item",
            key=way["label"],
            weight=1,
            gap=6,
            align=Align.CENTER,
            on_click=partial(on_share, way["label"]),
            children=(
                Box(
                    width=48,
                    height=48,
                    radius=24,
                    background=way["color"],
                    important=False,
                    children=(
                        Icon(
                            name=way["icon"],
                            size=26,
                            color=WHITE,
                            align_self=Align.CENTER,
                            align_vertical=Align.CENTER,
                            important=False,
                        ),
                    ),
                ),
                Text(id="share_label", text=way["label"], size=12, color=INK_2),
            ),
        )
        for way in ways
    ]
    lines = [
        Row(width=MATCH, children=cells[at : at + _SHARES_IN_ROW])
        for at in range(0, len(cells), _SHARES_IN_ROW)
    ]
    cancel = Button(
        id="share_cancel",
        text="取消",
        size=16,
        color=INK,
        width=MATCH,
        padding=insets(0, 12),
        on_click=on_close,
    )
    return sheet(
        "分享到",
        on_close,
        Column(width=MATCH, gap=18, padding=insets(0, 8, 0, 14), children=lines),
        divider(LINE),
        cancel,
        rid="share_sheet",
    )
