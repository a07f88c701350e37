"""The picture gallery of a product's page: one large picture and thumbnails."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from garabench.virtual.apps.jd.cards import photo
from garabench.virtual.apps.jd.content import JdProduct
from garabench.virtual.apps.jd.theme import LINE, RED, WHITE
from garabench.virtual.ui.widgets import MATCH, Align, Box, Row, Text, Widget, insets

PICTURES = 4


def gallery(product: JdProduct, shown: int, choose: Callable[[int], None]) -> Widget:
    """Return picture number `shown` (from 0) with its number, and the thumbnails that `choose` a picture."""
    large = photo(product, MATCH, height=300, radius=0, rid="product_image", desc="商品图片", view=shown)
    number = Text(
        id="picture_number",
        text=f"{shown + 1}/{PICTURES}",
        size=11,
        color=WHITE,
        background="#66000000",
        radius=10,
        padding=insets(9, 3),
        margin=insets(0, 0, 14, 18),
        align_self=Align.END,
        align_vertical=Align.END,
    )
    small = Row(
        gap=8,
        margin=insets(14, 0, 0, 12),
        align_self=Align.START,
        align_vertical=Align.END,
        children=[
            _small(product, place, place == shown, partial(choose, place)) for place in range(PICTURES)
        ],
    )
    return Box(id="product_gallery", width=MATCH, height=300, children=(large, small, number))


def _small(product: JdProduct, place: int, on: bool, on_click: Callable[[], None]) -> Widget:
    return Box(
        id="gallery_thumb",
        key=f"thumb-{place}",
        desc=f"第{place + 1}张图片",
        width=44,
        height=44,
        radius=6,
        border=RED if on else LINE,
        border_width=1.5 if on else 0.5,
        background=WHITE,
        padding=insets(2),
        selected=on,
        on_click=on_click,
        children=(photo(product, 40, radius=5, view=place),),
    )
