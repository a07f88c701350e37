"""The user's orders: the list in tabs, an order's page, and the card shared by both."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.ctrip import names
from garabench.virtual.apps.ctrip.page import CtripPage
from garabench.virtual.apps.ctrip.theme import (
    BLUE,
    GREEN,
    INK,
    INK_2,
    INK_3,
    LINE,
    ORANGE,
    ORANGE_FADE,
    WHITE,
    badge,
    button,
    card,
    glyph,
    label,
    price,
    tabs,
)
from garabench.virtual.apps.ctrip.user_data import CtripOrder, CtripStatus
from garabench.virtual.apps.ctrip.widgets import arrow_row, bottom_bar, fact_row, message_page, sheet
from garabench.virtual.ui.widgets import (
    MATCH,
    Column,
    Handler,
    Insets,
    ListView,
    Row,
    ScrollView,
    Widget,
    divider,
    insets,
    spacer,
)

KINDS = {
    "hotel": ("酒店", "bed"),
    "flight": ("机票", "airplane"),
    "train": ("火车票", "train"),
    "ticket": ("门票", "ticket_confirmation"),
    "tour": ("旅游", "palm-tree"),
}
TABS = ("全部", "待付款", "待出行", "待点评")
REASONS = ("行程变更", "订错了，重新预订", "价格太贵", "其他原因")
_SMALL = Insets(14, 6, 14, 6)


def status_color(status: CtripStatus) -> str:
    """Return the colour of a status."""
    match status:
        case CtripStatus.UNPAID:
            return ORANGE
        case CtripStatus.COMING:
            return GREEN
        case CtripStatus.REVIEW:
            return BLUE
        case _:
            return INK_3


def order_card(order: CtripOrder, open_: Handler, *actions: Widget) -> Widget:
    """Return the card of an order in a list."""
    kind, icon = KINDS[order.kind]
    return Column(
        id="order_item",
        key=order.id,
        width=MATCH,
        margin=insets(10, 8, 10, 0),
        padding=insets(14, 12),
        gap=8,
        radius=10,
        background=WHITE,
        on_click=open_,
        children=(
            Row(
                width=MATCH,
                gap=6,
                children=(
                    glyph(icon, 18, BLUE),
                    label(kind, 13, INK_2),
                    spacer(),
                    label(order.status.value, 13, status_color(order.status), rid="order_status", bold=True),
                ),
            ),
            divider(LINE),
            label(order.title, 16, INK, rid="order_title", bold=True, lines=2),
            label(order.when, 13, INK_2, rid="order_when"),
            Row(
                width=MATCH,
                gap=8,
                children=(
                    label(order.facts[0][1] if order.facts else "", 13, INK_3, weight=1),
                    price(order.total, rid="order_price", size=16),
                ),
            ),
            *((Row(width=MATCH, gap=8, children=(spacer(), *actions)),) if actions else ()),
        ),
    )


class OrderListActivity(CtripPage):
    """The list of orders: all of them, and by status."""

    needs_network = False

    def on_create(self) -> None:
        """Start on the tab from the intent."""
        wanted = str(self.intent.extras.get("tab", TABS[0]))
        self.tab = wanted if wanted in TABS else TABS[0]

    def choose(self, tab: str) -> None:
        """Show the orders with a status."""
        self.tab = tab

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar("我的订单")

    def content(self) -> Widget:
        """Return the tabs and the orders."""
        shown = [order for order in self.store.orders() if self.tab in (TABS[0], order.status.value)]
        body = (
            ListView(
                id="order_list",
                key=f"orders-{self.tab}",
                width=MATCH,
                height=MATCH,
                weight=1,
                padding=insets(0, 0, 0, 12),
                items=shown,
                build=lambda order, _: self._card(order),
            )
            if shown
            else message_page("clipboard-text-outline", f"暂无{'' if self.tab == TABS[0] else self.tab}订单")
        )
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(tabs(TABS, self.tab, self.choose, rid="order_tab"), body),
        )

    def _card(self, order: CtripOrder) -> Widget:
        open_ = partial(self.ctx.open, names.ORDER, order=order.id)
        actions: list[Widget] = []
        if order.status is CtripStatus.UNPAID:
            pay = partial(self.ctx.open, names.CASHIER, order=order.id)
            actions.append(button("去支付", pay, rid="order_pay", fill=ORANGE_FADE, size=13, padding=_SMALL))
        elif order.status is CtripStatus.REVIEW:
            actions.append(
                button("去点评", open_, rid="order_review", fill=None, color=BLUE, size=13, padding=_SMALL)
            )
        return order_card(order, open_, *actions)


class OrderDetailActivity(CtripPage):
    """The page of an order."""

    needs_network = False

    def on_create(self) -> None:
        """Open the order from the intent."""
        self.name = str(self.intent.extras.get("order", ""))
        self.reason = ""

    @property
    def order(self) -> CtripOrder | None:
        """The order in its current state."""
        return self.store.order(self.name)

    def choose_reason(self, reason: str) -> None:
        """Choose the reason for the cancellation."""
        self.reason = reason

    def cancel(self) -> None:
        """Cancel the order for the chosen reason."""
        if not self.reason:
            self.ctx.toast("请选择取消原因")
            return
        self.store.cancel(self.name, self.reason)
        self.sheet = None
        self.ctx.toast("订单已取消")

    def delete(self) -> None:
        """Delete the order."""
        self.store.delete_order(self.name)
        self.ctx.toast("订单已删除")
        self.ctx.finish()

    def review(self) -> None:
        """Submit a positive review."""
        self.store.set_status(self.name, CtripStatus.DONE)
        self.ctx.toast("点评成功，感谢分享")

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar("订单详情")

    def content(self) -> Widget:
        """Return the status, the ordered items, and the actions."""
        order = self.order
        if order is None:
            return message_page("clipboard-text-outline", "订单不存在")
        kind, icon = KINDS[order.kind]
        state = Column(
            width=MATCH,
            padding=insets(18, 16),
            gap=4,
            background=WHITE,
            children=(
                label(order.status.value, 22, status_color(order.status), rid="detail_status", bold=True),
                label(_status_note(order), 13, INK_2, rid="detail_says", lines=2),
            ),
        )
        details = card(
            Row(gap=6, children=(glyph(icon, 18, BLUE), badge(kind, BLUE))),
            label(order.title, 17, INK, rid="detail_title", bold=True, lines=2),
            label(order.when, 14, INK_2, rid="detail_when"),
            divider(LINE),
            *(fact_row(*fact) for fact in order.facts),
            rid="detail_card",
            gap=6,
        )
        money = card(
            fact_row("订单总额", f"¥{order.total}"),
            fact_row("订单号", order.id),
            fact_row("下单时间", f"{order.at:%Y-%m-%d %H:%M}"),
            rid="detail_money",
        )
        body = ScrollView(
            id="detail_scroll",
            width=MATCH,
            height=MATCH,
            weight=1,
            padding=insets(0, 0, 0, 12),
            children=(state, *self._unpaid(order), details, money),
        )
        return Column(width=MATCH, height=MATCH, weight=1, children=(body, bottom_bar(*self._actions(order))))

    def _unpaid(self, order: CtripOrder) -> list[Widget]:
        """Return a link from a cancelled order to the unpaid orders."""
        left = sum(item.status is CtripStatus.UNPAID for item in self.store.orders())
        if order.status is not CtripStatus.CANCELLED or not left:
            return []
        go = self.opens_page(names.ORDERS, tab=CtripStatus.UNPAID.value)
        return [card(arrow_row("待付款订单", f"{left}个", go, rid="unpaid_left"), padding=insets(14, 0))]

    def _actions(self, order: CtripOrder) -> list[Widget]:
        actions: list[Widget] = [spacer()]

        def plain(text: str, rid: str, act: Handler) -> Widget:
            return button(text, act, rid=rid, fill=None, color=INK_2, size=14)

        match order.status:
            case CtripStatus.UNPAID:
                pay = partial(self.ctx.open, names.CASHIER, order=order.id)
                actions += [
                    plain("取消订单", "cancel_order", self.opening(self._reasons)),
                    button("去支付", pay, rid="pay_order", fill=ORANGE_FADE, size=14),
                ]
            case CtripStatus.COMING:
                actions += [
                    plain("取消订单", "cancel_order", self.opening(self._reasons)),
                    button(
                        "联系客服", self.opens_page(names.CHAT, name="携程客服"), rid="order_service", size=14
                    ),
                ]
            case CtripStatus.REVIEW:
                actions += [
                    plain("删除订单", "drop_order", self._asks_delete()),
                    button("去点评", self.review, rid="review_order", size=14),
                ]
            case _:
                actions.append(plain("删除订单", "drop_order", self._asks_delete()))
        if order.product and order.status is not CtripStatus.UNPAID:
            kind, _, name = order.product.partition(":")
            actions.append(
                button("再次预订", self.opens(kind, name), rid="book_again", fill=None, color=BLUE, size=14)
            )
        return actions

    def _asks_delete(self) -> Handler:
        return self.asks("删除后不可恢复，确定删除该订单？", "删除", self.delete)

    def _reasons(self) -> Widget:
        rows: list[Widget] = []
        for reason in REASONS:
            on = reason == self.reason
            rows.append(
                Row(
                    id="cancel_reason",
                    key=reason,
                    width=MATCH,
                    height=46,
                    padding=insets(18, 0),
                    selected=on,
                    on_click=partial(self.choose_reason, reason),
                    children=(
                        label(reason, 15, BLUE if on else INK),
                        spacer(),
                        *((glyph("check", 18, BLUE),) if on else ()),
                    ),
                )
            )
        done = Row(
            width=MATCH,
            padding=insets(16, 10, 16, 2),
            children=(button("确认取消", self.if_online(self.cancel), rid="cancel_confirm", weight=1),),
        )
        return sheet("取消原因", self.on_dismiss_dialog, *rows, done, rid="reason_sheet")


def _status_note(order: CtripOrder) -> str:
    match order.status:
        case CtripStatus.UNPAID:
            return "请尽快完成支付，超时订单将自动取消"
        case CtripStatus.COMING:
            return "预订成功，祝您旅途愉快"
        case CtripStatus.REVIEW:
            return "行程已结束，期待您的点评"
        case CtripStatus.CANCELLED:
            return "订单已取消，如已付款将原路退回"
        case CtripStatus.DONE:
            return "订单已完成，感谢您的使用"
