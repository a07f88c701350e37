"""The cashier: pay for an order now or later."""

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
    button,
    card,
    glyph,
    label,
    price,
)
from garabench.virtual.apps.ctrip.user_data import CtripOrder, CtripStatus
from garabench.virtual.apps.ctrip.widgets import bottom_bar, fact_row, message_page
from garabench.virtual.ui.widgets import MATCH, Align, Column, RadioButton, Row, ScrollView, Widget, insets

PAYMENT_METHODS = (
    ("微信支付", "wechat", "#1AAD19"),
    ("支付宝", "alpha-a-circle", "#1677FF"),
    ("银行卡", "credit-card", "#F5A623"),
    ("礼品卡", "gift", "#EE3B28"),
)


class CashierActivity(CtripPage):
    """The payment page of an unpaid order."""

    needs_network = False

    def on_create(self) -> None:
        """Open the order from the intent."""
        self.name = str(self.intent.extras.get("order", ""))
        self.method = PAYMENT_METHODS[0][0]
        self.paid = False

    def choose(self, method: str) -> None:
        """Choose a payment method."""
        self.method = method

    def pay(self) -> None:
        """Pay for the order."""
        self.store.set_status(self.name, CtripStatus.COMING)
        self.paid = True

    def on_back(self) -> bool:
        """Ask for confirmation before leaving the order unpaid."""
        if self.paid or self.store.order(self.name) is None:
            return False
        self.asks("订单还未支付，确定要离开吗？", "离开", self._leave_unpaid, no="继续支付")()
        return True

    def _leave_unpaid(self) -> None:
        self.ctx.finish()
        self.ctx.open(names.ORDER, order=self.name)

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar("支付成功" if self.paid else "携程收银台")

    def content(self) -> Widget:
        """Return the amount, the payment methods and the button."""
        order = self.store.order(self.name)
        if order is None:
            return message_page("wallet", "订单不存在")
        return self._done(order) if self.paid else self._payment_methods(order)

    def _payment_methods(self, order: CtripOrder) -> Widget:
        header = card(
            label("请在30分钟内完成支付", 12, INK_3, align=Align.CENTER),
            Row(width=MATCH, justify=Align.CENTER, children=(price(order.total, rid="pay_amount", size=32),)),
            gap=6,
        )
        facts = card(
            label(order.title, 16, INK, rid="pay_title", bold=True, lines=2),
            label(order.when, 13, INK_2, rid="pay_when"),
            *(fact_row(*fact) for fact in order.facts),
            rid="pay_order",
            gap=2,
        )
        methods = card(
            *(
                Row(
                    id="pay_way",
                    key=name,
                    width=MATCH,
                    height=50,
                    gap=10,
                    selected=name == self.method,
                    on_click=partial(self.choose, name),
                    children=(
                        glyph(icon, 24, color),
                        label(name, 15, INK, weight=1),
                        RadioButton(
                            checked=name == self.method,
                            desc=name,
                            color=BLUE,
                            on_click=partial(self.choose, name),
                            width=24,
                        ),
                    ),
                )
                for name, icon, color in PAYMENT_METHODS
            ),
            rid="pay_ways",
            padding=insets(14, 0),
        )
        body = ScrollView(
            id="pay_scroll",
            width=MATCH,
            height=MATCH,
            weight=1,
            padding=insets(0, 0, 0, 12),
            children=(header, facts, methods),
        )
        footer = bottom_bar(
            button(
                f"{self.method} ¥{order.total}",
                self.if_online(self.pay),
                rid="pay_button",
                weight=1,
                size=16,
                padding=insets(0, 12),
            )
        )
        return Column(width=MATCH, height=MATCH, weight=1, children=(body, footer))

    def _done(self, order: CtripOrder) -> Widget:
        see = partial(self._view_order, order.id)
        return Column(
            id="pay_done",
            width=MATCH,
            padding=insets(24, 60),
            gap=14,
            align=Align.CENTER,
            children=(
                glyph("check-circle", 72, GREEN),
                label("支付成功", 20, INK, bold=True),
                label(order.title, 14, INK_2, rid="paid_title"),
                price(order.total, rid="paid_amount"),
                button("查看订单", see, rid="see_order", fill=None, color=BLUE),
            ),
        )

    def _view_order(self, name: str) -> None:
        self.ctx.finish()
        self.ctx.open(names.ORDER, order=name)
