"""The shopping cart, as a tab and as a separate page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from garabench.virtual.apps.jd import content, names
from garabench.virtual.apps.jd.cards import photo, price, product_card
from garabench.virtual.apps.jd.content import Shop, price_text
from garabench.virtual.apps.jd.count_dialog import CountDialog
from garabench.virtual.apps.jd.page import JdPage
from garabench.virtual.apps.jd.sku_sheet import SkuSheet, stepper
from garabench.virtual.apps.jd.theme import (
    BACKGROUND,
    INK,
    INK_2,
    INK_3,
    RED,
    WHITE,
    badge,
    card,
    icon_button,
    message_page,
    pill,
    text_action,
)
from garabench.virtual.apps.jd.user_data import JdOrderLine
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    CheckBox,
    Column,
    Handler,
    Icon,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
    spacer,
)


class JdCartView:
    """The cart; while `managing`, lines are selected for deletion instead of for the order."""

    def __init__(self, page: JdPage, *, alone: bool = False) -> None:
        self.page = page
        self.alone = alone
        self.managing = False
        self.marked: set[str] = set()

    # State

    @property
    def lines(self) -> tuple[JdOrderLine, ...]:
        """The lines of the cart."""
        return self.page.store.cart()

    def _is_selected(self, line: JdOrderLine) -> bool:
        return line.key in self.marked if self.managing else line.checked

    def toggle_selection(self, lines: Sequence[JdOrderLine]) -> None:
        """Toggle the selection of the lines."""
        keys = frozenset(line.key for line in lines)
        wanted = not all(map(self._is_selected, lines))
        if self.managing:
            self.marked = self.marked | keys if wanted else self.marked - keys
        else:
            self.page.store.check_lines(keys, wanted)

    def manage(self) -> None:
        """Toggle edit mode."""
        self.managing = not self.managing
        self.marked.clear()

    def delete(self) -> None:
        """Delete the selected lines after confirmation."""
        if not self.marked:
            self.page.ctx.toast("请选择要删除的商品")
            return
        keys = frozenset(self.marked)

        def on_yes() -> None:
            self.page.store.delete_lines(keys)
            self.marked.clear()

        self.page.asks(f"确定要删除这{len(keys)}种商品吗？", "删除", on_yes)()

    def move_to_favorites(self) -> None:
        """Move the selected lines to the favourites."""
        if not self.marked:
            self.page.ctx.toast("请选择要移入收藏的商品")
            return
        chosen = [line for line in self.lines if line.key in self.marked]

        def moved() -> None:
            for line in chosen:
                self.page.store.set_favorite(line.product, True)
            self.page.store.delete_lines(frozenset(line.key for line in chosen))
            self.marked.clear()
            self.page.ctx.toast("移入收藏成功")

        self.page.asks(f"确定将这{len(chosen)}种商品移入收藏吗？", "移入收藏", moved)()

    def set_count(self, line: JdOrderLine, count: int) -> None:
        """Set a line's quantity."""
        if count == line.count:
            self.page.ctx.toast("最少购买1件哦" if count == 1 else f"最多购买{count}件哦")
        self.page.store.change_line(line.key, count=count)

    def type_count(self, line: JdOrderLine) -> Handler:
        """Return a handler that opens the dialog for a line's quantity."""

        def run() -> None:
            question = CountDialog(self.page, line)
            self.page.sheet = question.view
            self.page.ctx.focus("count_edit")

        return run

    def check_out(self) -> None:
        """Proceed to the checkout."""
        if not any(line.checked for line in self.lines):
            self.page.ctx.toast("请选择要结算的商品")
            return
        self.page.if_online(partial(self.page.ctx.open, names.CHECKOUT))()

    def change_spec(self, line: JdOrderLine) -> Handler:
        """Return a handler that opens the sheet for a line's options."""

        def done(options: tuple[str, ...], count: int) -> None:
            self.page.store.change_spec(line.key, options, count)
            self.page.sheet = None

        sheet = SkuSheet(
            line.product,
            line.options,
            line.count,
            self.page.on_dismiss_dialog,
            [("sku_confirm", "确定", done)],
        )
        return self.page.opening(sheet.view)

    # The page

    def view(self) -> Widget:
        """Return the whole cart."""
        lines = self.lines
        body = self._body(lines) if lines else self._empty()
        parts = [self._bar(bool(lines)), body]
        if lines:
            parts.append(self._bottom(lines))
        return Column(width=MATCH, height=MATCH, weight=1, background=BACKGROUND, children=parts)

    def _bar(self, filled: bool) -> Widget:
        back = (
            icon_button("chevron_left", rid="back", desc="返回", size=28, on_click=self.page.ctx.finish)
            if self.alone
            else spacer(10)
        )
        count = self.page.store.pieces
        action = (
            (text_action("完成" if self.managing else "管理", "cart_manage", self.manage, color=INK),)
            if filled
            else ()
        )
        address = self.page.store.default_address
        return Row(
            id="cart_bar",
            width=MATCH,
            height=50,
            padding=insets(4, 0, 8, 0),
            background=WHITE,
            gap=6,
            children=(
                back,
                Text(id="cart_title", text=f"购物车({count})", size=18, bold=True, color=INK),
                Icon(name="location", size=15, color=INK_3, important=False),
                Text(
                    id="cart_address",
                    text=address.region.split(" ")[-1] if address else "选择地址",
                    size=12,
                    color=INK_3,
                    max_lines=1,
                    on_click=partial(self.page.ctx.open, names.ADDRESSES),
                ),
                spacer(),
                self._favorites(),
                *action,
            ),
        )

    def _favorites(self) -> Widget:
        count = len(self.page.store.favorites())
        heart = icon_button(
            "heart",
            rid="cart_favorites",
            desc=f"我的收藏,{count}",
            color=INK_2,
            size=20,
            touch_size=36,
            on_click=partial(self.page.ctx.open, names.FAVORITES),
        )
        number = Text(
            text=str(count),
            size=9,
            color=INK_2,
            margin=insets(24, 2, 0, 0),
            important=False,  # the heart's description says it
        )
        return Box(important=False, children=(heart, number))

    def _empty(self) -> Widget:
        return message_page(
            "cart", "购物车空空如也，去逛逛吧", "去逛逛", partial(self.page.ctx.open, names.MAIN, tab="首页")
        )

    def _body(self, lines: Sequence[JdOrderLine]) -> Widget:
        shops = dict.fromkeys(line.product.shop for line in lines)
        groups = [self._shop(shop, [line for line in lines if line.product.shop == shop]) for shop in shops]
        return ScrollView(
            id="cart_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            padding=insets(0, 0, 0, 12),
            children=(*groups, self._also(lines)),
        )

    def _also(self, lines: Sequence[JdOrderLine]) -> Widget:
        others = [o for o in content.similar(lines[0].product) if o not in [line.product for line in lines]][
            :4
        ]
        cells: list[Widget] = [Box(weight=1, children=(product_card(o, self.page.opens(o)),)) for o in others]
        if len(cells) % 2:
            cells.append(Widget(weight=1, important=False))
        return Column(
            width=MATCH,
            padding=insets(10, 14),
            gap=8,
            children=(
                Text(text="可能你还想要", size=15, bold=True, color=INK),
                *(Row(width=MATCH, gap=8, children=cells[at : at + 2]) for at in range(0, len(cells), 2)),
            ),
        )

    def _check_box(self, lines: Sequence[JdOrderLine], rid: str, desc: str) -> Widget:
        on = all(map(self._is_selected, lines))
        return CheckBox(
            id=rid,
            desc=desc,
            round=True,
            checked=on,
            color=RED,
            width=34,
            height=34,
            on_click=partial(self.toggle_selection, lines),
        )

    def _shop(self, shop: Shop, lines: Sequence[JdOrderLine]) -> Widget:
        header = Row(
            width=MATCH,
            height=40,
            gap=4,
            children=(
                self._check_box(lines, "shop_check", f"选择{shop.name}"),
                *((badge("自营", fill=True),) if shop.self_run else ()),
                Text(
                    id="cart_shop",
                    text=shop.name,
                    size=14,
                    bold=True,
                    color=INK,
                    max_lines=1,
                    on_click=self.page.opens_shop(shop),
                ),
                Icon(name="chevron_right", size=15, color=INK_3, important=False),
            ),
        )
        return card(
            header, *map(self._line, lines), rid="cart_shop_group", padding=insets(6, 4, 12, 10), gap=10
        )

    def _line(self, line: JdOrderLine) -> Widget:
        store = self.page.store
        return Row(
            id="cart_item",
            key=line.key,
            width=MATCH,
            gap=6,
            on_click=self.page.opens(line.product),
            on_long_click=self.page.asks(
                "确定要删除这件商品吗？", "删除", partial(store.delete_lines, frozenset({line.key}))
            ),
            children=(
                self._check_box([line], "item_check", f"选择{line.product.title}"),
                photo(line.product, 88.0),
                Column(
                    weight=1,
                    gap=7,
                    padding=insets(4, 0, 0, 0),
                    children=(
                        Text(id="item_title", text=line.product.title, size=14, color=INK, max_lines=2),
                        Row(
                            id="item_spec",
                            align_self=Align.START,
                            height=24,
                            radius=4,
                            gap=3,
                            padding=insets(7, 0),
                            background=BACKGROUND,
                            on_click=self.change_spec(line),
                            children=(
                                Text(id="spec_text", text=line.spec, size=12, color=INK_2, max_lines=1),
                                Icon(name="chevron_down", size=14, color=INK_3, important=False),
                            ),
                        ),
                        Row(
                            width=MATCH,
                            children=(
                                price(line.price, size=17),
                                spacer(),
                                stepper(
                                    line.count, partial(self.set_count, line), on_edit=self.type_count(line)
                                ),
                            ),
                        ),
                    ),
                ),
            ),
        )

    def _bottom(self, lines: Sequence[JdOrderLine]) -> Widget:
        chosen = [line for line in lines if line.checked]
        total = sum(line.total for line in chosen)
        pieces = sum(line.count for line in chosen)
        if self.managing:
            right: tuple[Widget, ...] = (
                Text(id="marked_count", text=f"已选{len(self.marked)}种", size=13, color=INK_2),
                spacer(10),
                pill(
                    "移入收藏",
                    self.move_to_favorites,
                    rid="cart_keep",
                    fill=False,
                    color=INK_2,
                    size=14,
                    padding=insets(16, 8),
                ),
                spacer(8),
                pill("删除", self.delete, rid="cart_delete", fill=False, size=14, padding=insets(24, 8)),
            )
        else:
            right = (
                Text(text="合计：", size=13, color=INK),
                Text(id="cart_total", text=price_text(total), size=18, bold=True, color=RED),
                spacer(12),
                pill(f"去结算({pieces})", self.check_out, rid="cart_settle", size=15, padding=insets(20, 10)),
            )
        return Row(
            id="cart_bottom",
            width=MATCH,
            height=56,
            padding=insets(16, 0, 12, 0),
            background=WHITE,
            children=(
                self._check_box(lines, "check_all", "全选"),
                Text(
                    text="全选",
                    size=13,
                    color=INK_2,
                    padding=insets(0, 8),
                    on_click=partial(self.toggle_selection, lines),
                ),
                spacer(),
                *right,
            ),
        )


class ShoppingCartActivity(JdPage):
    """The cart as a separate page, opened from a product."""

    def on_create(self) -> None:
        """Open the cart."""
        self.cart = JdCartView(self, alone=True)

    def content(self) -> Widget:
        """Return the cart."""
        return self.cart.view()
