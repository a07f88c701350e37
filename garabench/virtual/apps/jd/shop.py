"""A shop's page."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.jd import content, names
from garabench.virtual.apps.jd.cards import product_card, shop_logo
from garabench.virtual.apps.jd.content import JdProduct, fans_text
from garabench.virtual.apps.jd.page import JdPage
from garabench.virtual.apps.jd.theme import (
    BACKGROUND,
    RED,
    WHITE,
    badge,
    icon_button,
    message_page,
    pill,
    tab_strip,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Gradient,
    ListView,
    Row,
    Text,
    Widget,
    insets,
    spacer,
)

TABS = ("推荐", "销量", "新品", "价格")


class JshopMainShopActivity(JdPage):
    """The page of a shop."""

    def on_create(self) -> None:
        """Open the shop from the intent."""
        self.shop = content.shops().get(str(self.intent.extras.get("shop", "")))
        self.tab = "推荐"

    def choose(self, tab: str) -> None:
        """Choose the sort order."""
        self.tab = tab
        self.ctx.scroll_to("shop_list")

    def toggle_follow(self) -> None:
        """Toggle whether the user follows the shop."""
        if self.shop is None:
            return
        wanted = not self.store.is_followed(self.shop)
        self.store.set_followed(self.shop, wanted)
        self.ctx.toast("关注成功" if wanted else "已取消关注")

    def content(self) -> Widget:
        """Return the shop's header above its products."""
        if self.shop is None:
            return message_page("store", "店铺不存在")
        products = list(content.products_of(self.shop.id))
        match self.tab:
            case "新品":
                products.reverse()
            case "价格":
                products.sort(key=lambda product: product.price)

        def cell(product: JdProduct, _: int) -> Widget:
            return product_card(product, self.opens(product))

        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            background=BACKGROUND,
            children=(
                self._header(),
                tab_strip(TABS, self.tab, {tab: partial(self.choose, tab) for tab in TABS}, rid="shop_tabs"),
                ListView(
                    id="shop_list",
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    columns=2,
                    gap=8,
                    padding=insets(10),
                    items=products,
                    build=cell,
                    item_height=268,
                ),
            ),
        )

    def _header(self) -> Widget:
        shop = self.shop
        if shop is None:
            raise RuntimeError("there is no shop")
        followed = self.store.is_followed(shop)
        return Column(
            width=MATCH,
            background=Gradient(start="#3A2E2C", end="#6E4A42", horizontal=True),
            padding=insets(4, 2, 12, 14),
            children=(
                Row(
                    width=MATCH,
                    height=46,
                    children=(
                        icon_button(
                            "chevron_left",
                            rid="back",
                            desc="返回",
                            color=WHITE,
                            size=28,
                            on_click=self.ctx.finish,
                        ),
                        spacer(),
                        icon_button(
                            "chat",
                            rid="service_button",
                            desc="客服",
                            color=WHITE,
                            on_click=partial(self.ctx.open, names.CHAT, shop=shop.id),
                        ),
                    ),
                ),
                Row(
                    width=MATCH,
                    gap=10,
                    padding=insets(10, 0, 0, 0),
                    align=Align.CENTER,
                    children=(
                        shop_logo(shop, 50),
                        Column(
                            weight=1,
                            gap=5,
                            children=(
                                Text(
                                    id="shop_name",
                                    text=shop.name,
                                    size=16,
                                    bold=True,
                                    color=WHITE,
                                    max_lines=1,
                                ),
                                Row(
                                    gap=8,
                                    children=(
                                        *((badge("自营", fill=True),) if shop.self_run else ()),
                                        Text(text=f"{fans_text(shop.fans)}粉丝", size=12, color="#EADFDC"),
                                        Text(text=f"评分 {shop.score}", size=12, color="#EADFDC"),
                                    ),
                                ),
                            ),
                        ),
                        pill(
                            "已关注" if followed else "关注",
                            self.toggle_follow,
                            rid="follow_shop",
                            color="#8B7B77" if followed else RED,
                            size=13,
                            padding=insets(18, 7),
                            selected=followed,
                        ),
                    ),
                ),
            ),
        )
