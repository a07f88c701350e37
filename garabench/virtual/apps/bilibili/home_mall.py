"""会员购: the mall."""

from __future__ import annotations

from typing import TYPE_CHECKING

from garabench.virtual.apps.bilibili import content
from garabench.virtual.apps.bilibili.cards import CARD_INSETS
from garabench.virtual.apps.bilibili.theme import GAP, INK, INK_2, INK_3, LINE, PINK, PINK_SOFT, WHITE
from garabench.virtual.ui.widgets import (
    MATCH,
    WRAP,
    Align,
    Box,
    Column,
    Icon,
    ImageView,
    ListView,
    Row,
    Text,
    Widget,
    insets,
    spacer,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.bilibili.home import BilibiliMainActivity

KINDS = (("手办", "cube"), ("漫展演出", "ticket"), ("周边", "gift"), ("图书", "book"), ("收藏集", "star"))


def mall_page(page: BilibiliMainActivity) -> Widget:
    """Return the search bar, the categories, and products in two columns."""
    search = Row(
        id="mall_search",
        width=MATCH,
        height=36,
        radius=18,
        background=LINE,
        padding=insets(14, 0),
        margin=insets(12, 8),
        gap=6,
        on_click=lambda: page.ctx.toast("会员购搜索暂不可用"),
        children=(
            Icon(name="search", size=16, color=INK_3, important=False),
            Text(text="手办 漫展门票 周边", size=13, color=INK_3),
        ),
    )
    kinds = Row(
        width=MATCH,
        background=WHITE,
        radius=8,
        padding=insets(4, 12),
        margin=insets(0, 0, 0, GAP),
        justify=Align.SPACE_AROUND,
        children=[
            Column(
                gap=6,
                align=Align.CENTER,
                children=(
                    Box(
                        width=42,
                        height=42,
                        radius=21,
                        background=PINK_SOFT,
                        children=(
                            Icon(
                                name=icon,
                                size=22,
                                color=PINK,
                                align_self=Align.CENTER,
                                align_vertical=Align.CENTER,
                                important=False,
                            ),
                        ),
                    ),
                    Text(text=label, size=12, color=INK_2),
                ),
            )
            for label, icon in KINDS
        ],
    )

    def good(row: dict[str, str], _: int) -> Widget:
        return Column(
            id="mall_item",
            width=MATCH,
            background=WHITE,
            radius=8,
            on_click=lambda: page.ctx.toast("商品已售罄，去看看别的吧"),
            children=(
                ImageView(seed=row["title"], kind="product", width=MATCH, height=WRAP, aspect=1, radius=8),
                Text(
                    id="mall_title",
                    text=row["title"],
                    size=14,
                    color=INK,
                    max_lines=2,
                    height=40,
                    margin=insets(8, 6),
                ),
                Row(
                    width=MATCH,
                    padding=insets(8, 0, 8, 10),
                    children=(
                        Text(text="¥", size=12, color=PINK, bold=True),
                        Text(id="mall_price", text=row["price"], size=18, color=PINK, bold=True),
                        spacer(),
                        Text(text=f"已售{row['sold']}", size=11, color=INK_3),
                    ),
                ),
            ),
        )

    return Column(
        width=MATCH,
        height=MATCH,
        weight=1,
        children=(
            Column(width=MATCH, background=WHITE, children=(search,)),
            ListView(
                id="mall_list",
                width=MATCH,
                height=MATCH,
                weight=1,
                columns=2,
                gap=GAP,
                padding=CARD_INSETS,
                items=content.feed()["mall"],
                header=(kinds,),
                build=good,
            ),
        ),
    )
