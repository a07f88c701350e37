"""The base of all order forms: travellers, contact number, coupon, total and button."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from garabench.virtual.apps.ctrip import names
from garabench.virtual.apps.ctrip.content import CtripCoupon, coupons
from garabench.virtual.apps.ctrip.page import CtripPage
from garabench.virtual.apps.ctrip.theme import (
    BLUE,
    INK,
    INK_2,
    INK_3,
    LINE,
    ORANGE_FADE,
    RED,
    button,
    card,
    icon_button,
    label,
    price,
)
from garabench.virtual.apps.ctrip.user_data import CtripOrder, CtripStatus, Traveller
from garabench.virtual.apps.ctrip.widgets import arrow_row, bottom_bar, field_row, sheet
from garabench.virtual.ui.widgets import (
    MATCH,
    CheckBox,
    Column,
    Handler,
    Row,
    ScrollView,
    Widget,
    divider,
    insets,
    spacer,
)

_PHONE_DIGITS = 11


class OrderForm(CtripPage):
    """A form for an order; subclasses define what is ordered.

    Attributes:
        who: The form's term for travellers: 乘客, 乘机人 or 出行人.
        scope: The coupons that apply.
        button_word: Text of the button.
    """

    traveller_term: ClassVar[str] = "出行人"
    scope: ClassVar[str] = ""
    button_text: ClassVar[str] = "提交订单"
    needs_network = False

    def on_create(self) -> None:
        """Start with an empty form and the user's own number."""
        self.chosen: list[str] = []
        self.phone = str(self.store.profile["phone"])
        self.coupon: CtripCoupon | None = None
        self.prepare()
        self.coupon = next((item for item in self._coupons() if self.store.has_coupon(item.id)), None)

    def prepare(self) -> None:
        """Read the intent."""

    def item_cards(self) -> Sequence[Widget]:
        """Return the cards that show what is ordered."""
        raise NotImplementedError

    def cost(self) -> int:
        """Return the price in yuan before the coupon."""
        raise NotImplementedError

    def problem(self) -> str:
        """Return why the order cannot be placed yet; empty if it can."""
        return "" if self.chosen else f"请先添加{self.traveller_term}"

    def order(self) -> CtripOrder:
        """Return the order to place."""
        raise NotImplementedError

    @property
    def discount(self) -> int:
        """Return the coupon's discount in yuan."""
        return self.coupon.amount if self.coupon and self.coupon.over <= self.cost() else 0

    @property
    def total(self) -> int:
        """Return the total in yuan."""
        return max(0, self.cost() - self.discount)

    def draft(
        self,
        kind: str,
        title: str,
        when: str,
        start: dt.date,
        facts: Sequence[tuple[str, str]],
        product: str = "",
    ) -> CtripOrder:
        """Return an order with the form's values."""
        paid = (("优惠", f"-¥{self.discount}"),) if self.discount else ()
        rows = (*facts, ("联系手机", self._masked()), *paid)
        status = CtripStatus.UNPAID if self.total else CtripStatus.COMING
        return CtripOrder("", kind, title, when, start, rows, self.total, status, self.ctx.now(), product)

    def _masked(self) -> str:
        return f"{self.phone[:3]}****{self.phone[-4:]}"

    def travellers(self) -> tuple[Traveller, ...]:
        """The selected travellers, in order."""
        every = {item.id: item for item in self.store.travellers()}
        return tuple(every[name] for name in self.chosen if name in every)

    def traveller_names(self) -> str:
        """The names of the selected travellers in one line."""
        return "、".join(item.name for item in self.travellers())

    def toggle(self, name: str) -> None:
        """Toggle whether a traveller is selected."""
        if name in self.chosen:
            self.chosen.remove(name)
        else:
            self.chosen.append(name)

    def type_phone(self, text: str) -> None:
        """Handle a change of the number."""
        self.phone = text

    def choose_coupon(self, coupon: CtripCoupon | None) -> None:
        """Select a coupon, or none."""
        self.coupon = coupon
        self.sheet = None

    def submit(self) -> None:
        """Place the order and open the cashier."""
        self.ctx.hide_keyboard()
        problem = self.problem()
        if not problem and len("".join(filter(str.isdecimal, self.phone))) != _PHONE_DIGITS:
            problem = "请填写正确的手机号"
        if not problem and not self.ctx.online:
            problem = "网络不给力，请检查网络设置"
        if problem:
            self.ctx.toast(problem)
            return
        placed = self.store.place(self.order())
        self.ctx.finish()
        self.ctx.open(names.CASHIER if placed.total else names.ORDER, order=placed.id)

    # View

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar("填写订单")

    def content(self) -> Widget:
        """Return the form above its total."""
        cards = [*self.item_cards(), self._contact(), *self._discounts(), *self.notes()]
        footer = bottom_bar(
            Column(
                weight=1,
                children=(
                    price(self.total, rid="order_total", size=22),
                    label(f"已优惠¥{self.discount}" if self.discount else "费用明细", 11, INK_3),
                ),
            ),
            button(
                self.button_text,
                self.submit,
                rid="submit_order",
                fill=ORANGE_FADE,
                size=16,
                padding=insets(30, 11),
            ),
        )
        body = ScrollView(
            id="order_form", width=MATCH, height=MATCH, weight=1, padding=insets(0, 0, 0, 12), children=cards
        )
        return Column(width=MATCH, height=MATCH, weight=1, children=(body, footer))

    def notes(self) -> Sequence[Widget]:
        """Return further cards."""
        return ()

    def traveller_card(self) -> Widget:
        """Return the card with the selected travellers and the button to add others."""
        rows: list[Widget] = [
            Row(
                width=MATCH,
                height=46,
                children=(
                    label(self.traveller_term, 16, INK, bold=True),
                    spacer(),
                    label(f"{len(self.chosen)}人", 13, INK_2, rid="traveller_count"),
                ),
            )
        ]
        for item in self.travellers():
            rows += [divider(LINE), self._chosen_row(item)]
        rows += [
            divider(LINE),
            Row(
                id="add_traveller",
                width=MATCH,
                height=46,
                on_click=self.opening(self._traveller_sheet),
                children=(
                    spacer(),
                    label(f"添加{self.traveller_term}", 15, BLUE, rid="add_traveller_text"),
                    spacer(),
                ),
            ),
        ]
        return card(*rows, rid="traveller_card", padding=insets(14, 0))

    def _chosen_row(self, item: Traveller) -> Widget:
        return Row(
            id="chosen_traveller",
            key=item.id,
            width=MATCH,
            height=56,
            gap=8,
            children=(
                Column(
                    weight=1,
                    gap=2,
                    children=(
                        Row(
                            gap=6,
                            children=(
                                label(item.name, 15, INK, rid="chosen_name"),
                                label(item.kind, 11, BLUE),
                            ),
                        ),
                        label(f"{item.document} {item.masked_number}", 12, INK_3),
                    ),
                ),
                icon_button(
                    "minus-circle-outline",
                    partial(self.toggle, item.id),
                    rid="remove_traveller",
                    desc=f"移除{item.name}",
                    color=RED,
                    size=20,
                ),
            ),
        )

    def _traveller_sheet(self) -> Widget:
        rows: list[Widget] = []
        for item in self.store.travellers():
            on = item.id in self.chosen
            rows.append(
                Row(
                    id="traveller_option",
                    key=item.id,
                    width=MATCH,
                    height=60,
                    gap=12,
                    padding=insets(18, 0),
                    selected=on,
                    on_click=partial(self.toggle, item.id),
                    children=(
                        CheckBox(
                            id="traveller_check",
                            desc=item.name,
                            checked=on,
                            color=BLUE,
                            on_click=partial(self.toggle, item.id),
                        ),
                        Column(
                            weight=1,
                            gap=2,
                            children=(
                                label(f"{item.name}（{item.kind}）", 15, INK, rid="option_name"),
                                label(f"{item.document} {item.masked_number}", 12, INK_3),
                            ),
                        ),
                    ),
                )
            )
        body = ScrollView(id="traveller_list", width=MATCH, height=260, children=rows)
        footer = Row(
            width=MATCH,
            gap=12,
            padding=insets(16, 10, 16, 2),
            children=(
                button(
                    f"新增{self.traveller_term}",
                    self.opens_page(names.TRAVELLER),
                    rid="new_traveller",
                    fill=None,
                    color=BLUE,
                    weight=1,
                ),
                button("确定", self.on_dismiss_dialog, rid="traveller_done", weight=1),
            ),
        )
        return sheet(
            f"选择{self.traveller_term}", self.on_dismiss_dialog, body, footer, rid="traveller_sheet"
        )

    def _contact(self) -> Widget:
        return card(
            field_row(
                "联系手机",
                self.phone,
                "用于接收通知",
                self.type_phone,
                rid="contact_phone",
                input_type="phone",
                on_done=self.ctx.hide_keyboard,
            ),
            rid="contact_card",
            padding=insets(14, 0),
        )

    def _coupons(self) -> tuple[CtripCoupon, ...]:
        return tuple(item for item in coupons() if item.scope == self.scope and item.over <= self.cost())

    def _discounts(self) -> Sequence[Widget]:
        if not self.scope:
            return ()
        claimed = [item for item in self._coupons() if self.store.has_coupon(item.id)]
        words = f"-¥{self.discount}" if self.discount else ("不使用优惠券" if claimed else "无可用")
        choose = self.opening(lambda: self._coupon_sheet(claimed)) if claimed else None
        return (card(arrow_row("优惠券", words, choose, rid="order_coupon"), padding=insets(14, 0)),)

    def _coupon_sheet(self, claimed: Sequence[CtripCoupon]) -> Widget:
        def row(text: str, on: bool, choose: Handler) -> Widget:
            color = BLUE if on else INK
            return Row(
                id="coupon_option",
                key=text,
                width=MATCH,
                height=50,
                padding=insets(18, 0),
                selected=on,
                on_click=choose,
                children=(label(text, 15, color),),
            )

        rows = [
            row(f"{item.title} -¥{item.amount}", item == self.coupon, partial(self.choose_coupon, item))
            for item in claimed
        ]
        rows.append(row("不使用优惠券", self.coupon is None, partial(self.choose_coupon, None)))
        return sheet("优惠券", self.on_dismiss_dialog, *rows, rid="coupon_sheet")
