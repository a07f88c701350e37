"""Actions on an order, shared by the list of orders and an order's page."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from garabench.virtual.apps.jd import names
from garabench.virtual.apps.jd.cards import photo, price
from garabench.virtual.apps.jd.dialogs import sheet
from garabench.virtual.apps.jd.page import JdPage
from garabench.virtual.apps.jd.theme import INK, INK_2, INK_3, LINE, RED, pill
from garabench.virtual.apps.jd.user_data import JdOrder, JdOrderLine, JdStatus
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Handler,
    RadioButton,
    Row,
    Text,
    Widget,
    divider,
    insets,
    spacer,
)

CANCEL_REASONS = ("不想要了", "商品选错，重新下单", "地址信息填写错误", "价格有点贵", "其他原因")
RETURN_REASONS = ("七天无理由退货", "商品有质量问题", "商品与描述不符", "收到商品少件或破损", "其他原因")


class OrderPage(JdPage):
    """A page with buttons for actions on orders."""

    reason = ""

    def set_reason(self, reason: str) -> None:
        """Choose a reason on the sheet."""
        self.reason = reason

    def cancel(self, order: JdOrder) -> None:
        """Cancel an unpaid order."""
        self.store.book.cancel(order.id, self.reason)
        self.ctx.toast("订单已取消")

    def confirm(self, order: JdOrder) -> None:
        """Confirm the receipt."""
        self.store.book.confirm(order.id)
        self.ctx.toast("确认收货成功")

    def buy_again(self, order: JdOrder) -> None:
        """Add the same products to the cart."""
        fits = [self.store.add_to_cart(line.product, line.options, line.count) for line in order.lines]
        self.ctx.toast("加入购物车成功" if all(fits) else "购物车已满")

    def request_return(self, order: JdOrder) -> None:
        """Request a return."""
        self.store.book.request_return(order.id, self.reason)
        self.ctx.toast("售后申请已提交")

    def delete(self, order: JdOrder) -> None:
        """Delete it from the list."""
        self.store.book.delete(order.id)
        self.ctx.toast("订单已删除")

    def pay(self, order: JdOrder) -> None:
        """Open the cashier."""
        self.ctx.open(names.CASHIER, total=order.total, orders=order.id)

    def opens_tracking(self, order: JdOrder) -> Handler:
        """Return a handler that opens the tracking sheet."""
        return self.opening(partial(self._track_sheet, order))

    def asks_reason(self, title: str, reasons: tuple[str, ...], act: Callable[[], None]) -> Handler:
        """Return a handler that asks for a reason before it acts."""

        def submit() -> None:
            if not self.reason:
                self.ctx.toast("请选择原因")
                return
            self.sheet = None
            act()

        def view() -> Widget:
            rows = [
                RadioButton(
                    id="reason",
                    key=reason,
                    text=reason,
                    size=15,
                    color=RED,
                    width=MATCH,
                    height=48,
                    checked=reason == self.reason,
                    on_click=partial(self.set_reason, reason),
                )
                for reason in reasons
            ]
            body = Column(width=MATCH, padding=insets(16, 0), children=rows)
            button = pill("提交", self.if_online(submit), rid="reason_submit", size=16, padding=insets(0, 11))
            footer = Column(width=MATCH, padding=insets(16, 10, 16, 4), children=(button,))
            return sheet(title, self.on_dismiss_dialog, body, footer, rid="reason_sheet")

        def run() -> None:
            self.reason = ""
            self.sheet = view

        return run

    def actions(self, order: JdOrder) -> tuple[Widget, ...]:
        """Return the buttons for the order's status, the most likely one last."""

        def button(label: str, rid: str, act: Handler, *, red: bool = False) -> Widget:
            color = RED if red else INK_2
            return pill(label, act, rid=rid, fill=False, color=color, size=13, padding=insets(13, 6))

        buy_again = button("再次购买", "order_again", partial(self.buy_again, order))
        back = button(
            "申请售后",
            "order_return",
            self.asks_reason("请选择售后原因", RETURN_REASONS, partial(self.request_return, order)),
        )
        delete = button(
            "删除订单",
            "order_delete",
            self.asks("删除后订单将无法恢复，确定删除？", "删除", partial(self.delete, order)),
        )
        match order.status:
            case JdStatus.UNPAID:
                cancel = self.asks_reason("请选择取消原因", CANCEL_REASONS, partial(self.cancel, order))
                return (
                    button("取消订单", "order_cancel", cancel),
                    button("去付款", "order_pay", partial(self.pay, order), red=True),
                )
            case JdStatus.SENT:
                confirm = self.asks("请确认已收到商品", "确认收货", partial(self.confirm, order))
                return (
                    button("查看物流", "order_track", self.opens_tracking(order)),
                    buy_again,
                    button("确认收货", "order_confirm", confirm, red=True),
                )
            case JdStatus.ARRIVED:
                review = partial(self.ctx.open, names.ORDER_REVIEW, order=order.id)
                return (back, buy_again, button("评价", "order_review", review, red=True))
            case JdStatus.DONE:
                return (delete, back, buy_again)
            case JdStatus.CANCELLED:
                return (delete, buy_again)
            case JdStatus.RETURNING:
                return (button("查看进度", "order_progress", self.toasting(order.arrival)), buy_again)

    def line(self, line: JdOrderLine, on_click: Handler | None = None) -> Widget:
        """Return the row of a product in an order."""
        return Row(
            id="order_item",
            key=line.key,
            width=MATCH,
            gap=10,
            on_click=on_click,
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

    def _track_sheet(self, order: JdOrder) -> Widget:
        city = order.place.split(" ")[0]
        steps = (
            (order.arrival, "包裹正在派送途中，请保持电话畅通"),
            ("运输中", f"包裹已到达{city}分拣中心"),
            ("已揽收", f"{order.carrier}已揽收包裹"),
            ("已下单", f"{order.at:%m-%d %H:%M} 您提交了订单"),
        )
        rows = [
            Row(
                id="track_step",
                width=MATCH,
                height=58,
                gap=12,
                children=(
                    Box(
                        width=10,
                        height=10,
                        radius=5,
                        background=LINE if place else RED,
                        border=INK_3 if place else RED,
                        important=False,
                    ),
                    Column(
                        weight=1,
                        gap=3,
                        children=(
                            Text(text=title, size=14, bold=not place, color=INK_2 if place else INK),
                            Text(text=note, size=12, color=INK_3, max_lines=1),
                        ),
                    ),
                ),
            )
            for place, (title, note) in enumerate(steps)
        ]
        header = Row(
            width=MATCH,
            height=40,
            children=(
                Text(id="track_carrier", text=order.carrier, size=14, color=INK),
                spacer(10),
                Text(id="track_number", text=order.waybill, size=14, color=INK_2, align=Align.START),
                spacer(),
                pill(
                    "复制",
                    self.toasting("运单号已复制"),
                    rid="track_copy",
                    fill=False,
                    color=INK_3,
                    size=12,
                    padding=insets(12, 4),
                ),
            ),
        )
        body = Column(width=MATCH, padding=insets(18, 0), children=(header, divider(LINE), *rows))
        return sheet("物流信息", self.on_dismiss_dialog, body, rid="track_sheet")
