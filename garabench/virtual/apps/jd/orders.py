"""The user's orders, by state and by search."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.jd import names
from garabench.virtual.apps.jd.cards import shop_logo
from garabench.virtual.apps.jd.content import price_text
from garabench.virtual.apps.jd.order_page import OrderPage
from garabench.virtual.apps.jd.theme import (
    BACKGROUND,
    INK,
    INK_2,
    INK_3,
    RED,
    WHITE,
    card,
    icon_button,
    message_page,
    tab_strip,
    text_action,
)
from garabench.virtual.apps.jd.user_data import JdOrder, JdStatus
from garabench.virtual.ui.widgets import (
    MATCH,
    Box,
    Column,
    Icon,
    ListView,
    Row,
    Text,
    TextField,
    Widget,
    insets,
    spacer,
)

AFTER_SALES = "退换/售后"
TABS = {
    "全部": None,
    "待付款": JdStatus.UNPAID,
    "待收货": JdStatus.SENT,
    "待评价": JdStatus.ARRIVED,
    AFTER_SALES: JdStatus.RETURNING,
}
_MAX_QUERY = 40


class MyOrderListActivity(OrderPage):
    """Orders by status; while `searching`, those that match a query."""

    def on_create(self) -> None:
        """Start on the tab from the intent."""
        wanted = str(self.intent.extras.get("tab", "全部"))
        self.tab = wanted if wanted in TABS else "全部"
        self.searching = False
        self.query = ""

    def choose(self, tab: str) -> None:
        """Select a status."""
        self.tab = tab
        self.ctx.scroll_to("order_list")

    def search(self) -> None:
        """Toggle the search."""
        self.searching = not self.searching
        self.query = ""
        if self.searching:
            self.ctx.focus("order_search")
        else:
            self.ctx.hide_keyboard()

    def change(self, query: str) -> None:
        """Handle a change of the query."""
        self.query = query[:_MAX_QUERY]

    def on_back(self) -> bool:
        """Back closes the search first."""
        if self.searching:
            self.search()
            return True
        return False

    def bar(self) -> Widget:
        """Return the title, or the search field."""
        if not self.searching:
            look = icon_button("search", rid="order_search_entry", desc="搜索订单", on_click=self.search)
            return self.back_bar("我的订单", look)
        field = Row(
            weight=1,
            height=36,
            radius=18,
            gap=6,
            padding=insets(12, 0),
            background=BACKGROUND,
            children=(
                Icon(name="search", size=17, color=INK_3, important=False),
                TextField(
                    id="order_search",
                    text=self.query,
                    hint="商品名称/订单号/店铺",
                    size=14,
                    weight=1,
                    height=36,
                    action="search",
                    on_change=self.change,
                    on_submit=self.ctx.hide_keyboard,
                ),
            ),
        )
        return Row(
            id="title_bar",
            width=MATCH,
            height=48,
            padding=insets(14, 0, 6, 0),
            gap=4,
            background=WHITE,
            children=(field, text_action("取消", "order_search_cancel", self.search)),
        )

    def content(self) -> Widget:
        """Return the tabs above the list, or the search results."""
        parts: list[Widget] = []
        if self.searching and self.query.strip():
            orders, nothing = self.store.book.find(self.query), "没有找到相关的订单"
        else:
            orders, nothing = self.store.book.orders(TABS[self.tab]), "您还没有相关的订单"
            choose = {tab: partial(self.choose, tab) for tab in TABS}
            parts.append(tab_strip(tuple(TABS), self.tab, choose, rid="order_tabs", size=14))

        def block(order: JdOrder, _: int) -> Widget:
            return self._order(order)

        if orders:
            parts.append(
                ListView(
                    id="order_list",
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    background=BACKGROUND,
                    items=orders,
                    build=block,
                )
            )
        else:
            parts.append(message_page("clipboard_text_outline", nothing))
        return Column(width=MATCH, height=MATCH, weight=1, children=parts)

    def _order(self, order: JdOrder) -> Widget:
        header = Row(
            width=MATCH,
            gap=6,
            on_click=self.opens_shop(order.shop),
            children=(
                shop_logo(order.shop, 22),
                Text(id="order_shop", text=order.shop.name, size=14, bold=True, color=INK, max_lines=1),
                Icon(name="chevron_right", size=15, color=INK_3, important=False),
                spacer(),
                Text(
                    id="order_status",
                    text=order.status.value,
                    size=13,
                    color=INK_3 if order.status in (JdStatus.DONE, JdStatus.CANCELLED) else RED,
                ),
            ),
        )
        opens = partial(self.ctx.open, names.ORDER, order=order.id)
        items = Column(
            id="order_card",
            width=MATCH,
            gap=10,
            on_click=opens,
            children=[self.line(line) for line in order.lines],
        )
        sums = Row(
            width=MATCH,
            gap=4,
            on_click=opens,
            children=(
                Text(id="order_arrival", text=order.arrival, size=12, color=INK_3, max_lines=1, weight=1),
                Text(text=f"共{order.pieces}件", size=12, color=INK_2),
                Text(text="合计", size=12, color=INK_2),
                Text(id="order_total", text=price_text(order.total), size=15, bold=True, color=INK),
            ),
        )
        buttons = Row(width=MATCH, gap=8, children=(spacer(), *self.actions(order)))
        return Box(
            key=order.id,
            width=MATCH,
            children=(card(header, items, sums, buttons, rid="order_group", gap=10),),
        )
