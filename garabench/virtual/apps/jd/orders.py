"""The user's orders, and the page of one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from garabench.virtual.apps.jd import names
from garabench.virtual.apps.jd.cards import photo, price, shop_logo
from garabench.virtual.apps.jd.content import price_text
from garabench.virtual.apps.jd.page import Page
from garabench.virtual.apps.jd.records import Line, Order, Status
from garabench.virtual.apps.jd.theme import (
    GROUND,
    INK,
    INK_2,
    INK_3,
    LINE,
    RED,
    WHITE,
    arrow_row,
    card,
    message_page,
    pill,
    tab_strip,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Box,
    Column,
    Gradient,
    Icon,
    ListView,
    Row,
    Scroll,
    Text,
    View,
    divider,
    insets,
    spacer,
)

TABS = ("全部", "待付款", "待收货", "待评价", "已完成")


class OrderPage(Page):
    """What the list and the page of one order can do."""

    def cancel(self, order: Order) -> None:
        """Cancel an order that is not paid."""
        self.store.book.cancel(order.id)
        self.ctx.toast("订单已取消")

    def confirm(self, order: Order) -> None:
        """Say that it has arrived."""
        self.store.book.confirm(order.id)
        self.ctx.toast("确认收货成功")

    def again(self, order: Order) -> None:
        """Put the same things into the cart."""
        for line in order.lines:
            self.store.add_to_cart(line.product, line.options, line.count)
        self.ctx.toast("加入购物车成功")

    def review(self, order: Order) -> None:
        """Say that it was good."""
        self.store.book.review(order.id, 5, "")
        self.ctx.toast("评价成功，感谢您的支持")

    def pay(self, order: Order) -> None:
        """Go to the ways to pay."""
        self.ctx.open(names.CASHIER, total=order.total, orders=order.id)

    def actions(self, order: Order) -> tuple[View, ...]:
        """The buttons that fit the order's state, the most likely one last."""

        def button(label: str, rid: str, act: object, *, red: bool = False) -> View:
            handler = act if callable(act) else None
            return pill(
                label,
                handler,
                rid=rid,
                fill=False,
                color=RED if red else INK_2,
                size=13,
                padding=insets(13, 6),
            )

        again = button("再次购买", "order_again", partial(self.again, order))
        match order.status:
            case "待付款":
                cancel = self.asks("确定要取消该订单吗？", "确定", partial(self.cancel, order), no="再想想")
                return (
                    button("取消订单", "order_cancel", cancel),
                    button("去付款", "order_pay", partial(self.pay, order), red=True),
                )
            case "待收货":
                confirm = self.asks("请确认已收到商品", "确认收货", partial(self.confirm, order))
                return (again, button("确认收货", "order_confirm", confirm, red=True))
            case "待评价":
                review = self.asks("给这次购物打五星好评？", "提交评价", partial(self.review, order))
                return (again, button("评价", "order_review", review, red=True))
            case _:
                return (again,)

    def line(self, line: Line) -> View:
        """One thing of an order."""
        return Row(
            id="order_item",
            key=line.key,
            width=MATCH,
            gap=10,
            on_click=self.opens(line.product),
            children=(
                photo(line.product, 72.0),
                Column(
                    weight=1,
                    gap=5,
                    children=(
                        Text(id="item_title", text=line.product.title, size=14, color=INK, max_lines=2),
                        Text(id="spec_text", text=line.spec, size=12, color=INK_3, max_lines=1),
                        Row(
                            width=MATCH,
                            children=(
                                price(line.price, size=15),
                                spacer(),
                                Text(id="item_count", text=f"x{line.count}", size=13, color=INK_3),
                            ),
                        ),
                    ),
                ),
            ),
        )


class MyOrderListActivity(OrderPage):
    """Orders by state."""

    def on_create(self) -> None:
        """Start on the tab that the intent names."""
        wanted = str(self.intent.extras.get("tab", "全部"))
        self.tab = wanted if wanted in TABS else "全部"

    def choose(self, tab: str) -> None:
        """Choose a state."""
        self.tab = tab
        self.ctx.scroll_to("order_list")

    def bar(self) -> View:
        """The title."""
        return self.back_bar("我的订单")

    def content(self) -> View:
        """Tabs above the list."""
        orders = self.store.book.orders(None if self.tab == "全部" else Status(self.tab))

        def block(order: Order, _: int) -> View:
            return self._order(order)

        strip = tab_strip(TABS, self.tab, {tab: partial(self.choose, tab) for tab in TABS}, size=14)
        body: View = (
            ListView(
                id="order_list",
                width=MATCH,
                height=MATCH,
                weight=1,
                background=GROUND,
                items=orders,
                build=block,
            )
            if orders
            else message_page("package_variant", "您还没有相关的订单")
        )
        return Column(width=MATCH, height=MATCH, weight=1, children=(strip, body))

    def _order(self, order: Order) -> View:
        pieces = sum(line.count for line in order.lines)
        return Box(
            key=order.id,
            width=MATCH,
            children=(
                card(
                    Row(
                        width=MATCH,
                        gap=6,
                        children=(
                            shop_logo(order.shop, 22),
                            Text(
                                id="order_shop",
                                text=order.shop.name,
                                size=14,
                                bold=True,
                                color=INK,
                                max_lines=1,
                            ),
                            spacer(),
                            Text(id="order_status", text=order.status, size=13, color=RED),
                        ),
                    ),
                    Column(
                        id="order_card",
                        width=MATCH,
                        gap=10,
                        on_click=partial(self.ctx.open, names.ORDER, order=order.id),
                        children=[self.line(line) for line in order.lines],
                    ),
                    Row(
                        width=MATCH,
                        children=(
                            Text(id="order_arrival", text=order.arrival, size=12, color=INK_3, max_lines=1),
                            spacer(),
                            Text(text=f"共{pieces}件 合计", size=12, color=INK_2),
                            Text(
                                id="order_total", text=price_text(order.total), size=15, bold=True, color=INK
                            ),
                        ),
                    ),
                    Row(width=MATCH, gap=8, children=(spacer(), *self.actions(order))),
                    rid="order_group",
                    gap=10,
                ),
            ),
        )


class NewOrderDetailActivity(OrderPage):
    """One order."""

    def bar(self) -> View:
        """The title."""
        return self.back_bar("订单详情")

    def content(self) -> View:
        """State, address, things, facts."""
        order = self.store.book.order(str(self.intent.extras.get("order", "")))
        if order is None:
            return message_page("package_variant", "订单不存在")
        address = self.store.default_address
        facts: Sequence[tuple[str, str]] = (
            ("订单编号", order.id),
            ("下单时间", f"{order.at:%Y-%m-%d %H:%M:%S}"),
            ("配送方式", order.carrier or "京东快递"),
            ("运单编号", order.waybill or "暂无"),
        )
        rows = [
            Row(
                width=MATCH,
                height=30,
                children=(
                    Text(text=name, size=13, color=INK_3, width=84),
                    Text(id="fact_value", text=value, size=13, color=INK, weight=1),
                ),
            )
            for name, value in facts
        ]
        where: tuple[View, ...] = ()
        if address is not None:
            words = Column(
                weight=1,
                gap=4,
                children=(
                    Text(text=f"{address.region} {address.detail}", size=14, color=INK, max_lines=2),
                    Text(text=f"{address.name} {address.masked_phone}", size=12, color=INK_3),
                ),
            )
            pin = Icon(name="location", size=20, color=RED, important=False)
            where = (card(Row(width=MATCH, gap=10, children=(pin, words))),)
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            background=GROUND,
            children=(
                Column(
                    width=MATCH,
                    padding=insets(18, 18),
                    gap=4,
                    background=Gradient(start="#F2553F", end="#F2270C", horizontal=True),
                    children=(
                        Text(id="order_status", text=order.status, size=20, bold=True, color=WHITE),
                        Text(id="order_arrival", text=order.arrival, size=13, color="#FFE0DB"),
                    ),
                ),
                Scroll(
                    id="order_scroll",
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    children=(
                        *where,
                        card(
                            Text(id="order_shop", text=order.shop.name, size=15, bold=True, color=INK),
                            *map(self.line, order.lines),
                            divider(LINE),
                            Row(
                                width=MATCH,
                                children=(
                                    Text(text="实付款", size=14, color=INK_2),
                                    spacer(),
                                    price(order.total, rid="order_total"),
                                ),
                            ),
                            gap=12,
                        ),
                        card(*rows, rid="order_facts"),
                        card(
                            arrow_row(
                                "联系客服",
                                rid="service_button",
                                on_click=partial(self.ctx.open, names.CHAT, shop=order.shop.id),
                            ),
                            padding=insets(14, 0),
                        ),
                    ),
                ),
                Row(
                    id="order_bottom",
                    width=MATCH,
                    height=56,
                    gap=10,
                    padding=insets(14, 0),
                    background=WHITE,
                    children=(spacer(), *self.actions(order)),
                ),
            ),
        )
