"""Payment methods and the payment result. Payments never succeed: the account has no payment code."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.jd import content, names
from garabench.virtual.apps.jd.cards import product_card
from garabench.virtual.apps.jd.content import price_text
from garabench.virtual.apps.jd.page import JdPage
from garabench.virtual.apps.jd.theme import (
    BACKGROUND,
    GREEN,
    INK,
    INK_2,
    INK_3,
    ORANGE,
    RED,
    WHITE,
    card,
    pill,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    CheckBox,
    Column,
    Icon,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
)

ON_DELIVERY = "货到付款"
PAYMENT_METHODS = (
    ("白条", "credit_card_clock_outline", "先享后付，最长30天免息"),
    ("微信支付", "wechat", "推荐已安装微信的用户使用"),
    ("银行卡", "credit_card_outline", "储蓄卡、信用卡"),
    (ON_DELIVERY, "truck_outline", "收到商品时向配送员付款"),
)


class CashierDeskActivity(JdPage):
    """The payment methods. Cash on delivery needs no code; all others ask for one, which is not set."""

    def on_create(self) -> None:
        """Read amount and orders from the intent."""
        extras = self.intent.extras
        self.total = int(extras.get("total", 0))
        self.orders = [number for number in str(extras.get("orders", "")).split(",") if number]
        wanted = str(self.store.setting("pay_way", PAYMENT_METHODS[0][0]))
        self.method = (
            wanted if wanted in {method for method, _, _ in PAYMENT_METHODS} else PAYMENT_METHODS[0][0]
        )

    def choose(self, method: str) -> None:
        """Choose a payment method."""
        self.method = method

    def pay(self) -> None:
        """Choose cash on delivery, or report that the account has no payment code."""
        if self.method == ON_DELIVERY:
            for number in self.orders:
                self.store.book.pay_on_delivery(number)
            self.ctx.finish()
            self.ctx.open(names.PAY_RESULT, total=self.total, orders=",".join(self.orders))
            return
        settings = partial(self.ctx.open, names.SETTINGS, page="pay")
        self.asks("您还没有设置支付密码，暂时无法使用该支付方式", "去设置", settings, no="更换方式")()

    def on_back(self) -> bool:
        """Ask for confirmation before leaving the page."""
        if self.sheet is None:
            self.asks("确认离开收银台？订单将保留24小时", "确认离开", self.leave, no="继续支付")()
            return True
        return False

    def leave(self) -> None:
        """Leave the orders unpaid."""
        self.ctx.finish()
        self.ctx.open(names.ORDERS, tab="待付款")

    def bar(self) -> Widget:
        """Return the title; its back button asks for confirmation."""
        return self.back_bar("京东收银台", on_back=self.on_back)

    def content(self) -> Widget:
        """Return amount, payment methods, and the button."""
        rows = [self._payment_method(*method) for method in PAYMENT_METHODS]
        button = pill(
            f"{self.method} {price_text(self.total)}",
            self.if_online(self.pay),
            rid="pay_now",
            size=16,
            padding=insets(0, 13),
        )
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            padding=insets(0, 18, 0, 0),
            gap=12,
            children=(
                Text(
                    id="pay_total",
                    text=price_text(self.total),
                    size=34,
                    bold=True,
                    color=INK,
                    align=Align.CENTER,
                    width=MATCH,
                ),
                Text(text="支付剩余时间 23:59:59", size=13, color=INK_3, align=Align.CENTER, width=MATCH),
                ScrollView(
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    children=(card(*rows, padding=insets(14, 4), rid="pay_ways"),),
                ),
                Column(width=MATCH, padding=insets(16, 10), background=WHITE, children=(button,)),
            ),
        )

    def _payment_method(self, method: str, icon: str, note: str) -> Widget:
        return Row(
            id="pay_way",
            key=method,
            width=MATCH,
            height=62,
            gap=12,
            on_click=partial(self.choose, method),
            children=(
                Icon(
                    name=icon,
                    size=26,
                    color={"微信支付": GREEN, ON_DELIVERY: ORANGE}.get(method, RED),
                    important=False,
                ),
                Column(
                    weight=1,
                    gap=3,
                    children=(
                        Text(id="pay_way_text", text=method, size=15, color=INK),
                        Text(text=note, size=12, color=INK_3, max_lines=1),
                    ),
                ),
                CheckBox(
                    id="pay_way_check",
                    desc=method,
                    round=True,
                    checked=self.method == method,
                    color=RED,
                    width=30,
                    height=30,
                    on_click=partial(self.choose, method),
                ),
            ),
        )


class CashierCompleteActivity(JdPage):
    """The confirmation of an order."""

    needs_network = False

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar("订单提交成功")

    def view_order(self) -> None:
        """Open the order, or the list if there are several."""
        numbers = [number for number in str(self.intent.extras.get("orders", "")).split(",") if number]
        self.ctx.finish()
        if len(numbers) == 1:
            self.ctx.open(names.ORDER, order=numbers[0])
        else:
            self.ctx.open(names.ORDERS, tab="待收货")

    def content(self) -> Widget:
        """Return a check mark, the amount, links, and recommendations."""
        total = int(self.intent.extras.get("total", 0))
        others = content.pick(content.home()["recommended"])[:6]
        cells: list[Widget] = [Box(weight=1, children=(product_card(o, self.opens(o)),)) for o in others]
        home = partial(self.ctx.open, names.MAIN, tab="首页")
        room = insets(22, 9)
        return ScrollView(
            id="pay_result",
            width=MATCH,
            height=MATCH,
            weight=1,
            background=BACKGROUND,
            children=(
                Column(
                    width=MATCH,
                    background=WHITE,
                    padding=insets(0, 26),
                    gap=10,
                    children=(
                        Icon(
                            name="check_circle",
                            size=58,
                            color=GREEN,
                            align_self=Align.CENTER,
                            important=False,
                        ),
                        Text(
                            id="result_title",
                            text="订单提交成功",
                            size=19,
                            bold=True,
                            color=INK,
                            align_self=Align.CENTER,
                        ),
                        Text(
                            id="result_note",
                            text=f"{ON_DELIVERY} {price_text(total)}，请在收货时付款",
                            size=13,
                            color=INK_2,
                            align_self=Align.CENTER,
                        ),
                        Row(
                            gap=16,
                            align_self=Align.CENTER,
                            margin=insets(0, 10, 0, 0),
                            children=(
                                pill(
                                    "查看订单",
                                    self.view_order,
                                    rid="see_order",
                                    fill=False,
                                    size=14,
                                    padding=room,
                                ),
                                pill("返回首页", home, rid="go_home", size=14, padding=room),
                            ),
                        ),
                    ),
                ),
                Column(
                    width=MATCH,
                    padding=insets(10, 14),
                    gap=8,
                    children=(
                        Text(text="为你推荐", size=15, bold=True, color=INK),
                        *(
                            Row(width=MATCH, gap=8, children=cells[at : at + 2])
                            for at in range(0, len(cells), 2)
                        ),
                    ),
                ),
            ),
        )
