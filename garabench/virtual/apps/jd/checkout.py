"""The checkout: the order form."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.jd import content, names
from garabench.virtual.apps.jd.cards import photo, price
from garabench.virtual.apps.jd.content import JdCoupon, price_text
from garabench.virtual.apps.jd.dialogs import sheet
from garabench.virtual.apps.jd.page import JdPage
from garabench.virtual.apps.jd.store import MAX_QUANTITY
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
    message_page,
    pill,
)
from garabench.virtual.apps.jd.user_data import JdOrderLine
from garabench.virtual.ui.widgets import (
    MATCH,
    Column,
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

SCOPES = {
    "图书": ("图书",),
    "超市": ("超市",),
    "数码": ("手机", "数码", "电脑办公", "游戏"),
    "家电": ("家电",),
    "美妆": ("美妆护肤",),
}
"""Categories to which the coupons of a scope apply."""
DELIVERY = ("工作日、双休日均可送货", "仅工作日送货", "仅双休日送货")


def _chosen(on: bool) -> Widget:
    """Return the check mark of the selected option."""
    return Icon(name="check", size=18, color=RED if on else WHITE, important=False)


class FillOrderActivity(JdPage):
    """The form: address, delivery, coupon, note, amount."""

    def on_create(self) -> None:
        """Order the product of the intent, or the selected lines of the cart."""
        extras = self.intent.extras
        product = content.products().get(str(extras.get("product", "")))
        self.direct = product is not None
        if product is not None:
            named = str(extras.get("options", "")).split("\t")
            fits = len(named) == len(product.choices) and all(
                value in choice.values for value, choice in zip(named, product.choices, strict=True)
            )
            count = max(1, min(MAX_QUANTITY, int(extras.get("count", 1))))
            self.lines: tuple[JdOrderLine, ...] = (
                JdOrderLine(product, tuple(named) if fits else product.default, count),
            )
        else:
            self.lines = tuple(line for line in self.store.cart() if line.checked)
        self.address_id = self.store.default_address.id if self.store.default_address else ""
        self.delivery = DELIVERY[0]
        self.note = ""
        usable = self.coupons()
        self.coupon: JdCoupon | None = max(usable, key=lambda coupon: coupon.amount, default=None)

    @property
    def goods(self) -> int:
        """The price of all products in fen, before the coupon."""
        return sum(line.total for line in self.lines)

    @property
    def total(self) -> int:
        """The amount to pay in fen."""
        return self.goods - (self.coupon.amount if self.coupon else 0)

    def coupons(self) -> tuple[JdCoupon, ...]:
        """Return the user's coupons that apply to this order."""

        def usable(coupon: JdCoupon) -> bool:
            sums = [line.total for line in self.lines if line.product.category in SCOPES[coupon.scope]]
            return sum(sums) >= max(coupon.over, 1)

        return tuple(filter(usable, self.store.coupons("owned")))

    def set_coupon(self, coupon: JdCoupon | None) -> None:
        """Use a coupon, or none."""
        self.coupon, self.sheet = coupon, None

    def set_address(self, address_id: str) -> None:
        """Choose the delivery address."""
        self.address_id, self.sheet = address_id, None

    def set_delivery(self, delivery: str) -> None:
        """Choose the delivery time."""
        self.delivery, self.sheet = delivery, None

    def set_note(self, note: str) -> None:
        """Set the note to the shop."""
        self.note = note[:50]

    def submit(self) -> None:
        """Place the order and open the payment page."""
        address = self.store.address(self.address_id)
        if address is None:
            self.ctx.toast("请选择收货地址")
            return
        numbers = self.store.book.place(
            self.lines, self.ctx.now(), address, discount=self.goods - self.total, note=self.note
        )
        if self.coupon is not None:
            self.store.use_coupon(self.coupon)
        if not self.direct:
            self.store.delete_lines(frozenset(line.key for line in self.lines))
        self.ctx.finish()
        self.ctx.open(names.CASHIER, total=self.total, orders=",".join(numbers))

    def on_resume(self) -> None:
        """Select the first address once there is one."""
        if self.store.address(self.address_id) is None and self.store.default_address is not None:
            self.address_id = self.store.default_address.id

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar("确认订单")

    def content(self) -> Widget:
        """Return the form above the amount."""
        if not self.lines:
            return message_page("cart", "没有要结算的商品")
        coupon = self.coupon
        coupon_text = (
            f"-{price_text(coupon.amount)}"
            if coupon
            else f"{len(self.coupons())}张可用"
            if self.coupons()
            else "暂无可用"
        )
        choose_coupon = self.opening(self._coupon_sheet)
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                ScrollView(
                    id="order_form",
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    background=BACKGROUND,
                    padding=insets(0, 0, 0, 12),
                    children=(
                        self._address(),
                        card(*map(self._line, self.lines), rid="order_goods", gap=12),
                        card(
                            arrow_row(
                                "配送",
                                self.delivery,
                                rid="delivery",
                                on_click=self.opening(self._delivery_sheet),
                            ),
                            divider(LINE),
                            arrow_row("优惠券", coupon_text, rid="order_coupon", on_click=choose_coupon),
                            divider(LINE),
                            Row(
                                width=MATCH,
                                height=50,
                                gap=12,
                                children=(
                                    Text(text="订单备注", size=15, color=INK),
                                    TextField(
                                        id="order_note",
                                        text=self.note,
                                        hint="选填，请先和商家协商一致",
                                        size=13,
                                        weight=1,
                                        height=40,
                                        on_change=self.set_note,
                                        on_submit=self.ctx.hide_keyboard,
                                    ),
                                ),
                            ),
                            padding=insets(14, 0),
                            rid="order_options",
                        ),
                        card(
                            self._sum("商品金额", price_text(self.goods)),
                            self._sum("运费", "¥0"),
                            self._sum("优惠", f"-{price_text(self.goods - self.total)}"),
                            rid="order_sums",
                            gap=8,
                        ),
                    ),
                ),
                Row(
                    id="order_bottom",
                    width=MATCH,
                    height=58,
                    padding=insets(16, 0, 12, 0),
                    background=WHITE,
                    children=(
                        Text(text="合计：", size=14, color=INK),
                        Text(id="order_total", text=price_text(self.total), size=20, bold=True, color=RED),
                        spacer(),
                        pill(
                            "提交订单",
                            self.if_online(self.submit),
                            rid="submit_order",
                            size=15,
                            padding=insets(28, 11),
                        ),
                    ),
                ),
            ),
        )

    def _address(self) -> Widget:
        address = self.store.address(self.address_id)
        if address is None:
            return card(
                arrow_row(
                    "添加收货地址", rid="order_address", on_click=partial(self.ctx.open, names.ADDRESS)
                ),
                padding=insets(14, 0),
            )
        words = Column(
            weight=1,
            gap=5,
            children=(
                Row(
                    gap=8,
                    children=(
                        Text(
                            id="address_tag", text=address.tag, size=11, color=RED, visible=bool(address.tag)
                        ),
                        Text(id="address_region", text=address.region, size=13, color=INK_2),
                    ),
                ),
                Text(id="address_detail", text=address.detail, size=16, bold=True, color=INK, max_lines=2),
                Text(text=f"{address.name}  {address.masked_phone}", size=13, color=INK_2),
            ),
        )
        return card(
            Row(
                id="order_address",
                width=MATCH,
                on_click=self.opening(self._address_sheet),
                children=(words, Icon(name="chevron_right", size=20, color=INK_3, important=False)),
            ),
            rid="address_card",
        )

    def _line(self, line: JdOrderLine) -> Widget:
        return Row(
            id="order_item",
            key=line.key,
            width=MATCH,
            gap=10,
            children=(
                photo(line.product, 72.0),
                Column(
                    weight=1,
                    gap=5,
                    children=(
                        Text(id="item_title", text=line.product.title, size=14, color=INK, max_lines=2),
                        Text(id="spec_text", text=line.spec, size=12, color=INK_3),
                        Row(
                            width=MATCH,
                            children=(
                                price(line.price, size=15),
                                spacer(),
                                Text(id="item_count", text=f"x{line.count}", size=13, color=INK_2),
                            ),
                        ),
                    ),
                ),
            ),
        )

    def _sum(self, label: str, value: str) -> Widget:
        return Row(
            width=MATCH,
            children=(
                Text(text=label, size=14, color=INK_2),
                spacer(),
                Text(text=value, size=14, color=INK),
            ),
        )

    def _coupon_sheet(self) -> Widget:
        rows = [
            arrow_row(
                f"{coupon.title}  {coupon.condition}",
                f"-{price_text(coupon.amount)}",
                rid="coupon_choice",
                on_click=partial(self.set_coupon, coupon),
                trailing=_chosen(coupon == self.coupon),
            )
            for coupon in self.coupons()
        ]
        rows.append(
            arrow_row(
                "不使用优惠券",
                rid="coupon_choice",
                on_click=partial(self.set_coupon, None),
                trailing=_chosen(self.coupon is None),
            )
        )
        body = Column(width=MATCH, padding=insets(16, 0), children=rows)
        return sheet("优惠券", self.on_dismiss_dialog, body, rid="coupon_sheet")

    def _delivery_sheet(self) -> Widget:
        rows = [
            arrow_row(
                way,
                rid="delivery_choice",
                on_click=partial(self.set_delivery, way),
                trailing=_chosen(way == self.delivery),
            )
            for way in DELIVERY
        ]
        body = Column(width=MATCH, padding=insets(16, 0), children=rows)
        return sheet("配送时间", self.on_dismiss_dialog, body, rid="delivery_sheet")

    def _address_sheet(self) -> Widget:
        rows = [
            arrow_row(
                address.detail,
                address.tag,
                rid="address_choice",
                note=f"{address.region}  {address.name}",
                on_click=partial(self.set_address, address.id),
                trailing=_chosen(address.id == self.address_id),
            )
            for address in self.store.addresses()
        ]
        new = self.closing(partial(self.ctx.open, names.ADDRESS))
        rows.append(arrow_row("新建收货地址", rid="address_new", on_click=new))
        body = ScrollView(
            width=MATCH, height=min(360, 20 + 58 * len(rows)), padding=insets(16, 0), children=rows
        )
        return sheet("选择收货地址", self.on_dismiss_dialog, body, rid="address_sheet")
