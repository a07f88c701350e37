"""An order's page and its review form."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.jd import names
from garabench.virtual.apps.jd.cards import price
from garabench.virtual.apps.jd.content import price_text
from garabench.virtual.apps.jd.order_page import OrderPage
from garabench.virtual.apps.jd.product_sections import with_badge
from garabench.virtual.apps.jd.theme import (
    BACKGROUND,
    INK,
    INK_2,
    INK_3,
    LINE,
    ORANGE,
    RED,
    WHITE,
    arrow_row,
    card,
    icon_button,
    message_page,
    pill,
)
from garabench.virtual.apps.jd.user_data import JdOrder, JdStatus
from garabench.virtual.ui.widgets import (
    MATCH,
    CheckBox,
    Column,
    Gradient,
    Icon,
    Row,
    ScrollView,
    Text,
    TextField,
    Widget,
    divider,
    insets,
    spacer,
)

STARS = ("非常差", "差", "一般", "好", "非常好")
_MAX_REVIEW = 500


class NewOrderDetailActivity(OrderPage):
    """The page of an order."""

    def bar(self) -> Widget:
        """Return the title bar with the cart button."""
        cart = icon_button(
            "cart", rid="cart_button", desc="购物车", size=21, on_click=partial(self.ctx.open, names.CART)
        )
        return self.back_bar("订单详情", with_badge(cart, self.store.pieces))

    def content(self) -> Widget:
        """Return status, address, products and details."""
        order = self.store.book.order(str(self.intent.extras.get("order", "")))
        if order is None:
            return message_page("clipboard_text_outline", "订单不存在")
        items = card(
            Row(
                width=MATCH,
                gap=4,
                on_click=self.opens_shop(order.shop),
                children=(
                    Text(id="order_shop", text=order.shop.name, size=15, bold=True, color=INK),
                    Icon(name="chevron_right", size=16, color=INK_3, important=False),
                ),
            ),
            *(self.line(line, self.opens(line.product)) for line in order.lines),
            divider(LINE),
            *self._sums(order),
            rid="order_things",
            gap=12,
        )
        service = card(
            arrow_row(
                "联系客服",
                rid="service_button",
                on_click=partial(self.ctx.open, names.CHAT, shop=order.shop.id),
            ),
            padding=insets(14, 0),
        )
        parts = [self._review(order), self._where(order), items, self._facts(order), service]
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            background=BACKGROUND,
            children=(
                self._state(order),
                ScrollView(
                    id="order_scroll",
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    padding=insets(0, 0, 0, 10),
                    children=[part for part in parts if part is not None],
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

    def _state(self, order: JdOrder) -> Widget:
        over = order.status in (JdStatus.DONE, JdStatus.CANCELLED)
        background = (
            Gradient(start="#8E8E96", end="#77777E", horizontal=True)
            if over
            else Gradient(start="#F2553F", end="#F2270C", horizontal=True)
        )
        return Column(
            id="order_state",
            width=MATCH,
            padding=insets(18, 18),
            gap=4,
            background=background,
            on_click=self.opens_tracking(order) if order.status is JdStatus.SENT else None,
            children=(
                Text(id="order_status", text=order.status.value, size=20, bold=True, color=WHITE),
                Text(id="order_arrival", text=order.arrival, size=13, color="#FFE9E5", max_lines=1),
            ),
        )

    def _where(self, order: JdOrder) -> Widget:
        return card(
            Row(
                width=MATCH,
                gap=10,
                children=(
                    Icon(name="location", size=20, color=RED, important=False),
                    Column(
                        weight=1,
                        gap=4,
                        children=(
                            Text(id="order_place", text=order.place, size=14, color=INK, max_lines=2),
                            Text(id="order_person", text=order.person, size=12, color=INK_3),
                        ),
                    ),
                ),
            )
        )

    def _sums(self, order: JdOrder) -> list[Widget]:
        rows: list[Widget] = []
        if order.discount:
            for name, value in (
                ("商品总额", price_text(order.goods)),
                ("优惠", f"-{price_text(order.discount)}"),
            ):
                rows.append(
                    Row(
                        width=MATCH,
                        children=(
                            Text(text=name, size=13, color=INK_2),
                            spacer(),
                            Text(text=value, size=13, color=INK),
                        ),
                    )
                )
        due = "需付款" if order.status is JdStatus.UNPAID else "实付款"
        rows.append(
            Row(
                width=MATCH,
                children=(
                    Text(text=due, size=14, color=INK_2),
                    spacer(),
                    price(order.total, rid="order_total"),
                ),
            )
        )
        return rows

    def _review(self, order: JdOrder) -> Widget | None:
        review = self.store.book.review_of(order.id)
        if review is None:
            return None
        stars, text = review
        return card(
            Row(
                width=MATCH,
                gap=8,
                children=(
                    Text(text="我的评价", size=14, bold=True, color=INK),
                    spacer(),
                    *(Icon(name="star_filled", size=16, color=ORANGE, important=False) for _ in range(stars)),
                    Text(id="review_level", text=STARS[stars - 1], size=12, color=INK_2),
                ),
            ),
            Text(id="review_text", text=text or "此用户没有填写评价内容", size=14, color=INK_2),
            rid="order_review_card",
            gap=8,
        )

    def _facts(self, order: JdOrder) -> Widget:
        facts = [
            ("订单编号", order.id),
            ("下单时间", f"{order.at:%Y-%m-%d %H:%M:%S}"),
            ("支付方式", order.paid_by or "未支付"),
            ("配送方式", order.carrier or "京东快递"),
            ("运单编号", order.waybill or "暂无"),
        ]
        if order.note:
            facts.append(("订单备注", order.note))

        def fact(name: str, value: str) -> Widget:
            return Row(
                width=MATCH,
                height=30,
                children=(
                    Text(text=name, size=13, color=INK_3, width=84),
                    Text(id="fact_value", text=value, size=13, color=INK, weight=1, max_lines=1),
                ),
            )

        return card(*(fact(*pair) for pair in facts), rid="order_facts")


class CommentEditActivity(OrderPage):
    """The form of a review: stars and text."""

    def on_create(self) -> None:
        """Start with an empty form."""
        self.stars = 0
        self.text = ""
        self.anonymous = bool(self.store.setting("anonymous", False))

    def rate(self, stars: int) -> None:
        """Set the number of stars."""
        self.stars = stars

    def change(self, text: str) -> None:
        """Handle a change of the text."""
        self.text = text[:_MAX_REVIEW]

    def toggle(self) -> None:
        """Toggle whether the user's name is hidden."""
        self.anonymous = not self.anonymous

    def submit(self, order: JdOrder) -> None:
        """Publish the review."""
        if not self.stars:
            self.ctx.toast("请先给商品打分")
            return
        self.store.book.review(order.id, self.stars, self.text.strip())
        self.ctx.toast("评价成功，感谢您的支持")
        self.ctx.finish()
        self.ctx.open(names.ORDER, order=order.id)

    def on_back(self) -> bool:
        """Confirm before discarding a draft."""
        if self.text and self.sheet is None:
            self.asks("评价还未提交，确定离开吗？", "离开", self.ctx.finish, no="继续评价")()
            return True
        return False

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar("发表评价", on_back=self.on_back)

    def content(self) -> Widget:
        """Return the products, the stars and the text field."""
        order = self.store.book.order(str(self.intent.extras.get("order", "")))
        if order is None:
            return message_page("clipboard_text_outline", "订单不存在")
        stars = [
            icon_button(
                "star_filled" if number <= self.stars else "star",
                rid="review_star",
                desc=f"{number}星",
                color=ORANGE if number <= self.stars else INK_3,
                size=28,
                touch_size=38,
                on_click=partial(self.rate, number),
            )
            for number in range(1, 6)
        ]
        level = STARS[self.stars - 1] if self.stars else "点击打分"
        form = card(
            Row(
                width=MATCH,
                gap=2,
                children=(
                    Text(text="商品评分", size=15, bold=True, color=INK),
                    spacer(8),
                    *stars,
                    spacer(),
                    Text(id="review_level", text=level, size=12, color=INK_3),
                ),
            ),
            TextField(
                id="review_edit",
                text=self.text,
                hint="从多个角度评价商品，可以帮助更多想买的人",
                size=14,
                width=MATCH,
                height=120,
                radius=8,
                background=BACKGROUND,
                padding=insets(12, 10),
                input_type="multiline",
                on_change=self.change,
            ),
            Row(
                width=MATCH,
                height=34,
                gap=6,
                on_click=self.toggle,
                children=(
                    CheckBox(
                        id="review_anonymous",
                        desc="匿名评价",
                        round=True,
                        checked=self.anonymous,
                        color=RED,
                        width=26,
                        height=26,
                        on_click=self.toggle,
                    ),
                    Text(text="匿名评价", size=13, color=INK_2),
                    spacer(),
                    Text(id="review_length", text=f"{len(self.text)}/{_MAX_REVIEW}", size=12, color=INK_3),
                ),
            ),
            rid="review_form",
            gap=10,
        )
        publish = pill(
            "提交",
            self.if_online(partial(self.submit, order)),
            rid="review_submit",
            size=16,
            padding=insets(0, 12),
        )
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            background=BACKGROUND,
            children=(
                ScrollView(
                    id="review_scroll",
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    children=(card(*map(self.line, order.lines), gap=10), form),
                ),
                Column(width=MATCH, padding=insets(16, 10), background=WHITE, children=(publish,)),
            ),
        )
