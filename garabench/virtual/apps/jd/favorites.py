"""Favourite products and followed shops."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from garabench.virtual.apps.jd import names
from garabench.virtual.apps.jd.cards import shop_logo, slim_line
from garabench.virtual.apps.jd.content import JdProduct, Shop, fans_text
from garabench.virtual.apps.jd.dialogs import sheet
from garabench.virtual.apps.jd.page import JdPage
from garabench.virtual.apps.jd.product_sections import with_badge
from garabench.virtual.apps.jd.theme import (
    BACKGROUND,
    INK,
    INK_2,
    INK_3,
    LINE,
    RED,
    WHITE,
    arrow_row,
    icon_button,
    message_page,
    pill,
    tab_strip,
    text_action,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    CheckBox,
    Column,
    Icon,
    ListView,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
    spacer,
)

TABS = ("商品", "店铺")
ORDERS = ("默认", "降价", "低价优先")


class FavouritesActivity(JdPage):
    """The favourites; while `managing`, items can be selected for removal."""

    def on_create(self) -> None:
        """Start on the tab from the intent."""
        wanted = str(self.intent.extras.get("tab", "商品"))
        self.tab = wanted if wanted in TABS else "商品"
        self.order = "默认"
        self.category = ""
        self.managing = False
        self.marked: set[str] = set()

    def choose(self, tab: str) -> None:
        """Select a tab."""
        self.tab = tab
        self.managing = False
        self.marked.clear()

    def sort(self, order: str) -> None:
        """Choose the sort order."""
        self.order = order

    def set_category(self, category: str) -> None:
        """Filter by a category; an empty name shows all."""
        self.category, self.sheet = category, None
        self.marked.clear()
        self.ctx.scroll_to("favorite_list")

    def shown(self) -> tuple[JdProduct, ...]:
        """The favourites that pass the filter, sorted."""
        matching = [o for o in self.store.favorites() if self.category in ("", o.category)]
        if self.order == "低价优先":
            matching.sort(key=lambda product: product.price)
        elif self.order == "降价":
            matching = [product for product in matching if product.plus]
        return tuple(matching)

    def manage(self) -> None:
        """Toggle edit mode."""
        self.managing = not self.managing
        self.marked.clear()

    def toggle_item(self, name: str) -> None:
        """Toggle the selection of an item."""
        self.marked ^= {name}

    def toggle_all(self) -> None:
        """Select all items, or none."""
        every = {product.id for product in self.shown()}
        self.marked = set() if self.marked == every else every

    def remove(self) -> None:
        """Remove the selected items after confirmation."""
        if not self.marked:
            self.ctx.toast("请选择要取消收藏的商品")
            return
        chosen = [product for product in self.store.favorites() if product.id in self.marked]

        def on_yes() -> None:
            for product in chosen:
                self.store.set_favorite(product, False)
            self.manage()
            self._show_some()
            self.ctx.toast("已取消收藏")

        self.asks(f"确定取消收藏这{len(chosen)}件商品？", "确定", on_yes)()

    def unfollow(self, shop: Shop) -> None:
        """Unfollow a shop."""
        self.store.set_followed(shop, False)
        self.ctx.toast("已取消关注")

    def bar(self) -> Widget:
        """Return the title with the edit button."""
        cart = with_badge(
            icon_button(
                "cart",
                rid="cart_button",
                desc="购物车",
                size=21,
                on_click=partial(self.ctx.open, names.CART),
            ),
            self.store.pieces,
        )
        if self.tab == "店铺" or not self.store.favorites():
            return self.back_bar("我的收藏", cart)
        label = "完成" if self.managing else "管理"
        return self.back_bar("我的收藏", cart, text_action(label, "manage", self.manage))

    def content(self) -> Widget:
        """Return the selected tab."""
        strip = tab_strip(TABS, self.tab, {tab: partial(self.choose, tab) for tab in TABS})
        body = self._goods() if self.tab == "商品" else self._shops()
        return Column(width=MATCH, height=MATCH, weight=1, background=BACKGROUND, children=(strip, *body))

    def _goods(self) -> Sequence[Widget]:
        if not self.store.favorites():
            return (message_page("heart", "还没有收藏的商品"),)
        favorites = self.shown()
        category = Row(
            id="favorite_category",
            desc="筛选分类",
            height=44,
            gap=2,
            padding=insets(8, 0, 12, 0),
            background=WHITE,
            on_click=self.opening(self._category_sheet),
            children=(
                Text(
                    id="favorite_category_text",
                    text=self.category or "全部分类",
                    size=13,
                    color=RED if self.category else INK_2,
                ),
                Icon(name="chevron_down", size=16, color=RED if self.category else INK_3, important=False),
            ),
        )
        orders = ScrollView(
            id="favorite_orders",
            horizontal=True,
            weight=1,
            height=44,
            gap=10,
            padding=insets(14, 8),
            background=WHITE,
            children=[
                Text(
                    id="favorite_order",
                    key=order,
                    text=order,
                    size=13,
                    color=RED if order == self.order else INK_2,
                    padding=insets(8, 5),
                    selected=order == self.order,
                    on_click=partial(self.sort, order),
                )
                for order in ORDERS
            ],
        )

        def line(product: JdProduct, _: int) -> Widget:
            check_box: tuple[Widget, ...] = ()
            if self.managing:
                check_box = (
                    CheckBox(
                        id="favorite_check",
                        desc=f"选择{product.title}",
                        round=True,
                        color=RED,
                        width=32,
                        height=32,
                        checked=product.id in self.marked,
                        on_click=partial(self.toggle_item, product.id),
                    ),
                )
            return slim_line(
                product,
                partial(self.toggle_item, product.id) if self.managing else self.opens(product),
                rid="favorite_item",
                leading=check_box,
                trailing=()
                if self.managing
                else (
                    icon_button(
                        "cart",
                        rid="favorite_to_cart",
                        desc="加入购物车",
                        color=RED,
                        size=20,
                        touch_size=34,
                        on_click=partial(self._to_cart, product),
                    ),
                ),
                on_long_click=self.asks("确定取消收藏这件商品？", "确定", partial(self._delete, product)),
            )

        total = Text(id="favorite_total", text=f"共{len(favorites)}件", size=12, color=INK_3)
        header = Row(width=MATCH, background=WHITE, children=(orders, total, category))
        if not favorites:
            return (header, message_page("filter", "没有符合条件的收藏"))
        parts: list[Widget] = [
            header,
            ListView(
                id="favorite_list",
                width=MATCH,
                height=MATCH,
                weight=1,
                items=favorites,
                build=line,
                item_height=112,
            ),
        ]
        if self.managing:
            parts.append(self._bottom())
        return parts

    def _category_sheet(self) -> Widget:
        names = dict.fromkeys(product.category for product in self.store.favorites())
        rows = [
            arrow_row(
                name or "全部分类",
                rid="category_choice",
                on_click=partial(self.set_category, name),
                trailing=Icon(name="check", size=18, color=RED) if name == self.category else spacer(1),
            )
            for name in ("", *names)
        ]
        body = ScrollView(
            id="category_list",
            width=MATCH,
            height=min(460, 50 * len(rows)),
            padding=insets(16, 0),
            children=rows,
        )
        return sheet("选择分类", self.on_dismiss_dialog, body, rid="category_sheet")

    def _to_cart(self, product: JdProduct) -> None:
        if not product.stocked:
            self.ctx.toast("商品暂时无货")
            return
        done = self.store.add_to_cart(product, product.default, 1)
        self.ctx.toast("加入购物车成功" if done else "购物车已满")

    def _show_some(self) -> None:
        """Clear the filter if nothing passes it."""
        if not self.shown():
            self.category, self.order = "", "默认"

    def _delete(self, product: JdProduct) -> None:
        self.store.set_favorite(product, False)
        self._show_some()
        self.ctx.toast("已取消收藏")

    def _bottom(self) -> Widget:
        every = {product.id for product in self.shown()}
        return Row(
            id="manage_bar",
            width=MATCH,
            height=56,
            padding=insets(12, 0),
            background=WHITE,
            gap=6,
            children=(
                CheckBox(
                    id="check_all",
                    desc="全选",
                    round=True,
                    color=RED,
                    width=32,
                    height=32,
                    checked=self.marked == every,
                    on_click=self.toggle_all,
                ),
                Text(text="全选", size=14, color=INK),
                spacer(),
                pill(
                    f"取消收藏({len(self.marked)})",
                    self.remove,
                    rid="remove_favorites",
                    fill=False,
                    size=14,
                    padding=insets(20, 8),
                ),
            ),
        )

    def _shops(self) -> Sequence[Widget]:
        shops = self.store.follows()
        if not shops:
            return (message_page("store", "还没有关注的店铺"),)

        def line(shop: Shop, _: int) -> Widget:
            return Row(
                id="shop_item",
                key=shop.id,
                width=MATCH,
                height=76,
                gap=12,
                padding=insets(14, 0),
                background=WHITE,
                border=LINE,
                border_width=0.5,
                on_click=self.opens_shop(shop),
                children=(
                    shop_logo(shop, 48),
                    Column(
                        weight=1,
                        gap=4,
                        children=(
                            Text(id="shop_name", text=shop.name, size=15, color=INK, max_lines=1),
                            Text(text=f"{fans_text(shop.fans)}粉丝  评分 {shop.score}", size=12, color=INK_3),
                        ),
                    ),
                    pill(
                        "已关注",
                        self.asks("确定不再关注该店铺？", "确定", partial(self.unfollow, shop)),
                        rid="unfollow",
                        fill=False,
                        color=INK_3,
                        size=12,
                        padding=insets(12, 5),
                    ),
                ),
            )

        return (
            ListView(
                id="shop_follow_list",
                width=MATCH,
                height=MATCH,
                weight=1,
                items=shops,
                build=line,
                item_height=76,
            ),
        )
