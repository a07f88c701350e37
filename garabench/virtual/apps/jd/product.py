"""A product's page: pictures, price, options, service, reviews, details, and the bar of buttons."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.jd import content, names
from garabench.virtual.apps.jd.cards import product_card, title_row
from garabench.virtual.apps.jd.content import JdCoupon, JdProduct
from garabench.virtual.apps.jd.page import JdPage
from garabench.virtual.apps.jd.picture_gallery import gallery
from garabench.virtual.apps.jd.product_sections import (
    about_card,
    icon_label,
    price_card,
    reviews_card,
    share_sheet,
    shop_card,
    with_badge,
)
from garabench.virtual.apps.jd.sku_sheet import Done, SkuSheet
from garabench.virtual.apps.jd.theme import (
    BACKGROUND,
    INK,
    INK_2,
    INK_3,
    LINE,
    RED,
    WHITE,
    arrow_row,
    card,
    icon_button,
    message_page,
    pill,
)
from garabench.virtual.apps.jd.user_data import JdOrderLine
from garabench.virtual.kit.intent_filter import IntentFilter
from garabench.virtual.ui.widgets import (
    MATCH,
    Box,
    Column,
    Handler,
    Row,
    ScrollView,
    Text,
    Widget,
    divider,
    insets,
    spacer,
)

_SHEET_BUTTONS = ("sku_add_to_cart", "加入购物车"), ("sku_buy_now", "立即购买")


class ProductDetailActivity(JdPage):
    """The page of a product."""

    filters = (IntentFilter.of(action="android.intent.action.VIEW", scheme="openapp.jdmobile"),)

    def on_create(self) -> None:
        """Open the product from the intent (or its deep link)."""
        wanted = str(self.intent.extras.get("product", "")) or self.intent.data.rsplit("/", 1)[-1]
        by_number = {product.sku: product for product in content.products().values()}
        self.product = content.products().get(wanted) or by_number.get(wanted)
        if self.product is None:
            return
        self.options = self.product.default
        self.count = 1
        self.picture = 0
        if self.loaded:
            self._visited()

    def _visited(self) -> None:
        if self.product is not None:
            self.store.visit(self.product, self.ctx.now())

    def retry(self) -> None:
        """Reload the page, and add the product to the history if that works."""
        super().retry()
        if self.loaded:
            self._visited()

    # Actions

    def show_picture(self, picture: int) -> None:
        """Show a picture, counted from 0."""
        self.picture = picture

    def toggle_favorite(self) -> None:
        """Toggle whether it is a favourite."""
        if self.product is None:
            return
        wanted = not self.store.is_favorite(self.product)
        self.store.set_favorite(self.product, wanted)
        self.ctx.toast("收藏成功" if wanted else "已取消收藏")

    def toggle_follow(self) -> None:
        """Toggle whether the user follows the shop."""
        if self.product is None:
            return
        shop = self.product.shop
        wanted = not self.store.is_followed(shop)
        self.store.set_followed(shop, wanted)
        self.ctx.toast("关注成功" if wanted else "已取消关注")

    def add(self, options: tuple[str, ...], count: int) -> None:
        """Add the product to the cart."""
        if self.product is None:
            return
        self.options, self.count, self.sheet = options, count, None
        done = self.store.add_to_cart(self.product, options, count)
        self.ctx.toast("加入购物车成功" if done else "购物车已满")

    def buy(self, options: tuple[str, ...], count: int) -> None:
        """Order the product immediately."""
        if self.product is None:
            return
        self.options, self.count, self.sheet = options, count, None
        line = JdOrderLine(self.product, options, count)
        self.ctx.open(names.CHECKOUT, product=self.product.id, options="\t".join(options), count=line.count)

    def save_options(self, options: tuple[str, ...], count: int) -> None:
        """Save the selected options."""
        self.options, self.count, self.sheet = options, count, None

    def choose(self, *which: int) -> Handler:
        """Return a handler that opens the options sheet with these buttons."""
        acts: tuple[Done, ...] = (self.add, self.buy)

        def run() -> None:
            if self.product is None:
                return
            if not self.product.stocked:
                self.ctx.toast("商品暂时无货")
                return
            buttons = [(*_SHEET_BUTTONS[number], acts[number]) for number in which]
            self.sheet = SkuSheet(
                self.product, self.options, self.count, self.on_dismiss_dialog, buttons
            ).view

        return self.if_online(run)

    def claim(self, coupon: JdCoupon) -> None:
        """Claim a coupon from the sheet."""
        self.store.claim(coupon)
        self.ctx.toast("领取成功")

    def open_chat(self) -> None:
        """Open a chat with the shop about the product."""
        if self.product is not None:
            self.ctx.open(names.CHAT, shop=self.product.shop.id, product=self.product.id)

    def open_reviews(self) -> None:
        """Show all reviews."""
        if self.product is not None:
            self.ctx.open(names.REVIEWS, product=self.product.id)

    # The page

    def bar(self) -> Widget:
        """Return the bar: back, the sections of the page, share, messages."""
        product = self.product
        share: tuple[Widget, ...] = ()
        if product is not None:
            share = (
                icon_button(
                    "export_variant",
                    rid="share",
                    desc="分享",
                    size=21,
                    on_click=self.opening(lambda: share_sheet(self.on_dismiss_dialog, self.shared)),
                ),
            )
        return Row(
            id="product_bar",
            width=MATCH,
            height=48,
            padding=insets(2, 0),
            background=WHITE,
            children=(
                icon_button("chevron_left", rid="back", desc="返回", size=28, on_click=self.ctx.finish),
                spacer(),
                *(
                    Text(
                        id="section",
                        key=f"section-{label}",
                        text=label,
                        size=15,
                        color=INK,
                        padding=insets(10, 12),
                        on_click=partial(self.go, key),
                    )
                    for label, key in (("商品", 0.0), ("评价", 470.0), ("详情", 800.0))
                ),
                spacer(),
                *share,
                icon_button(
                    "more",
                    rid="more",
                    desc="更多",
                    on_click=partial(self.ctx.open, names.MAIN, tab="首页"),
                ),
            ),
        )

    def go(self, offset: float) -> None:
        """Scroll to a section of the page."""
        self.ctx.scroll_to("product_scroll", offset)

    def shared(self, label: str) -> None:
        """Handle the choice of an app to share with."""
        self.sheet = None
        self.ctx.toast("链接已复制" if label == "复制链接" else f"正在打开{label}")

    def content(self) -> Widget:
        """Return the page above its buttons."""
        product = self.product
        if product is None:
            return message_page("package_variant", "商品已下架")
        parts: list[Widget] = [
            gallery(product, self.picture, self.show_picture),
            price_card(product, self.options),
            card(
                title_row(product, size=17, lines=3),
                Text(id="seller", text=product.shop.name, size=12, color=INK_3, max_lines=1),
                rid="title_card",
                gap=6,
            ),
            self._facts(),
            reviews_card(product, self.open_reviews),
            shop_card(
                product.shop,
                self.store.is_followed(product.shop),
                self.toggle_follow,
                self.opens_shop(product.shop),
            ),
            about_card(product),
            self._similar(),
        ]
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                ScrollView(
                    id="product_scroll",
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    background=BACKGROUND,
                    children=parts,
                ),
                divider(LINE),
                self._buttons(),
            ),
        )

    def _facts(self) -> Widget:
        product = self.product
        if product is None:
            raise RuntimeError("there is no product")
        address = self.store.default_address
        options = "，".join((*self.options, f"{self.count}件"))
        return card(
            arrow_row("已选", options, rid="choose_options", on_click=self.choose(0, 1)),
            divider(LINE),
            arrow_row(
                "送至",
                address.region if address else "请选择地址",
                rid="deliver_to",
                on_click=partial(self.ctx.open, names.ADDRESSES),
            ),
            divider(LINE),
            arrow_row(
                "优惠", "领券", rid="coupons_row", on_click=partial(self.ctx.open, names.COUPON_CENTER)
            ),
            divider(LINE),
            arrow_row("服务", "7天无理由退货 · 运费险" if product.shop.self_run else "7天无理由退货"),
            rid="facts_card",
            padding=insets(14, 0),
        )

    def _similar(self) -> Widget:
        product = self.product
        if product is None:
            raise RuntimeError("there is no product")
        others = content.similar(product)[:6]
        cells: list[Widget] = [Box(weight=1, children=(product_card(o, self.opens(o)),)) for o in others]
        if len(cells) % 2:
            cells.append(Widget(weight=1, important=False))
        return Column(
            width=MATCH,
            padding=insets(10, 14),
            gap=8,
            children=(
                Text(text="为你推荐", size=15, bold=True, color=INK),
                *(Row(width=MATCH, gap=8, children=cells[at : at + 2]) for at in range(0, len(cells), 2)),
            ),
        )

    def _buttons(self) -> Widget:
        product = self.product
        if product is None:
            raise RuntimeError("there is no product")
        is_favorite = self.store.is_favorite(product)
        return Row(
            id="bottom_bar",
            width=MATCH,
            height=56,
            padding=insets(8, 0, 12, 0),
            background=WHITE,
            children=(
                icon_label("store", "店铺", "shop_button", INK_2, self.opens_shop(product.shop)),
                icon_label("chat", "客服", "service_button", INK_2, self.open_chat),
                icon_label(
                    "heart-filled" if is_favorite else "heart",
                    "已收藏" if is_favorite else "收藏",
                    "favorite_button",
                    RED if is_favorite else INK_2,
                    self.toggle_favorite,
                    selected=is_favorite,
                ),
                with_badge(
                    icon_label(
                        "cart",
                        "购物车",
                        "cart_button",
                        INK_2,
                        partial(self.ctx.open, names.CART),
                    ),
                    self.store.pieces,
                ),
                spacer(6),
                *self._buy_buttons(product),
            ),
        )

    def _buy_buttons(self, product: JdProduct) -> tuple[Widget, ...]:
        room = insets(0, 11)
        if not product.stocked:
            notify = self.toasting("到货后将通知您")
            return (pill("到货通知", notify, rid="arrival_notice", size=14, padding=room, weight=1),)
        cart = self.choose(0)
        return (
            pill("加入购物车", cart, rid="add_to_cart", color="#FF8A00", size=14, padding=room, weight=1),
            spacer(8),
            pill("立即购买", self.choose(1), rid="buy_now", size=14, padding=room, weight=1),
        )
