"""The checkout: address, payment and delivery speed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from garabench.virtual.apps.amazon import content, names
from garabench.virtual.apps.amazon.cards import arrival, photo
from garabench.virtual.apps.amazon.content import day_text, price_text
from garabench.virtual.apps.amazon.page import AmazonPage
from garabench.virtual.apps.amazon.theme import (
    INK,
    INK_2,
    RED,
    TEAL,
    WHITE,
    button,
    card,
    heading,
    link,
    mark_row,
    message_page,
)
from garabench.virtual.apps.amazon.user_data import AmazonAddress, AmazonOrderLine, Payment
from garabench.virtual.ui.widgets import (
    MATCH,
    Column,
    Handler,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
    spacer,
)

# By delivery option: the price in cents, and days on top of the slowest product's own.
SPEEDS: Mapping[str, tuple[int, int]] = {
    "Same-Day Delivery": (999, -9),
    "Two-Day Delivery": (299, 0),
    "FREE Prime Delivery": (0, 1),
    "FREE Amazon Day Delivery": (0, 4),
}
_DEFAULT_SPEED = "FREE Prime Delivery"
_SEPARATOR = " | "


class WebCheckoutActivity(AmazonPage):
    """The order form: items, address, payment and speed."""

    place = "Cart"

    def on_create(self) -> None:
        """Order the product of the intent, or the selected lines of the cart."""
        extras = self.intent.extras
        self.direct = self._direct()
        named = self.store.address(str(extras.get("address", "")))
        known = self.store.addresses()
        self.address: AmazonAddress | None = named or (known[0] if known else None)
        self.payment: Payment = self.store.payment
        self.speed = _DEFAULT_SPEED
        self.gift = False

    def _direct(self) -> AmazonOrderLine | None:
        extras = self.intent.extras
        product = content.products().get(str(extras.get("product", "")))
        count = str(extras.get("count", "1"))
        if product is None or not count.isdecimal():
            return None
        options = tuple(part for part in str(extras.get("options", "")).split(_SEPARATOR) if part)
        fits = len(options) == len(product.options) and all(
            value in option.values for option, value in zip(product.options, options, strict=True)
        )
        return AmazonOrderLine(product, options if fits else product.default, max(1, int(count)))

    @property
    def lines(self) -> tuple[AmazonOrderLine, ...]:
        """The ordered lines."""
        if self.direct is not None:
            return (self.direct,)
        return tuple(line for line in self.store.cart() if line.selected)

    @property
    def shipping(self) -> int:
        """The shipping price in cents."""
        return SPEEDS[self.speed][0]

    def days(self, speed: str) -> int:
        """Return the days until the slowest item arrives."""
        slowest = max((line.product.days for line in self.lines), default=1)
        return max(0, slowest + SPEEDS[speed][1])

    # Changes

    def choose_address(self) -> None:
        """Open the choice of the delivery address."""
        choices = [(address.id, f"{address.name}, {address.place}") for address in self.store.addresses()]

        def select(address_id: str) -> None:
            self.address = self.store.address(address_id)

        chosen = self.address.id if self.address else ""
        self.chooses("Select a delivery address", choices, chosen, select, rid="address_choice")()

    def choose_payment(self) -> None:
        """Open the choice of the payment method."""

        def select(payment_id: str) -> None:
            self.payment = next(p for p in self.store.payments() if p.id == payment_id)

        choices = [(payment.id, payment.label) for payment in self.store.payments()]
        self.chooses("Select a payment method", choices, self.payment.id, select, rid="payment_choice")()

    def set_speed(self, speed: str) -> None:
        """Choose the delivery speed."""
        self.speed = speed

    def toggle_gift(self) -> None:
        """Toggle whether the order is a gift."""
        self.gift = not self.gift

    def set_count(self, count: int) -> None:
        """Change the quantity of a direct purchase."""
        if self.direct is not None:
            self.direct = AmazonOrderLine(self.direct.product, self.direct.options, max(1, count))

    def order(self) -> None:
        """Place the order, after a confirmation if the settings require one."""
        if self.address is None:
            self.ctx.toast("Add a delivery address first")
        elif self.store.setting("confirm_buy", True):
            self.asks("Place this order?", "Place order", self.if_online(self.place_order))()
        else:
            self.if_online(self.place_order)()

    def place_order(self) -> None:
        """Place the order."""
        if self.address is None or not self.lines:
            return
        number = self.store.book.place(
            self.lines,
            self.address,
            self.payment,
            at=self.ctx.now(),
            arrives=arrival(self.days(self.speed)),
            shipping=self.shipping,
            gift=self.gift,
        )
        if self.direct is None:
            self.store.delete_selected()
        self.ctx.finish()
        self.ctx.open(names.THANK_YOU, order=number)

    # The page

    def content(self) -> Widget:
        """Return the page."""
        lines = self.lines
        if not lines:
            return message_page("cart", "There is nothing to check out")
        items = sum(line.total for line in lines)
        total = items + self.shipping
        place = self.address
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                Row(
                    width=MATCH,
                    height=50,
                    padding=insets(16, 0),
                    background=WHITE,
                    children=(
                        heading("Checkout", size=19, rid="page_title"),
                        spacer(),
                        Text(id="order_total", text=price_text(total), size=18, bold=True, color=RED),
                    ),
                ),
                ScrollView(
                    id="checkout_scroll",
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    padding=insets(0, 8, 0, 0),
                    children=(
                        card(
                            button("Place your order", self.order, rid="placeYourOrder"),
                            Text(
                                text="By placing your order, you agree to Amazon's conditions of use.",
                                size=12,
                                color=INK_2,
                            ),
                        ),
                        self._part(
                            f"Delivering to {place.name}" if place else "Add a delivery address",
                            place.place if place else "",
                            "checkout_address",
                            self.choose_address if place else self.opens_page(names.ADDRESS),
                        ),
                        self._part(
                            f"Paying with {self.payment.label}",
                            self.payment.kind,
                            "checkout_payment",
                            self.choose_payment,
                        ),
                        self._sums(lines, items, total),
                        self._delivery(),
                        *(self._line(line) for line in lines),
                        card(
                            mark_row(
                                "This is a gift", self.gift, self.toggle_gift, rid="gift_option", box=True
                            )
                        ),
                        card(button("Place your order", self.order, rid="placeYourOrder")),
                    ),
                ),
            ),
        )

    def _part(self, title: str, text: str, rid: str, on_click: Handler) -> Widget:
        words = [Text(id=f"{rid}_title", text=title, size=16, bold=True, color=INK, max_lines=2)]
        if text:
            words.append(Text(id=f"{rid}_text", text=text, size=14, color=INK, max_lines=2))
        row = Row(
            width=MATCH,
            gap=8,
            children=(
                Column(weight=1, gap=3, children=words),
                Text(text="Change", size=14, color=TEAL),
            ),
        )
        return Column(
            id=rid,
            width=MATCH,
            margin=insets(0, 0, 0, 8),
            padding=insets(16, 14),
            background=WHITE,
            on_click=on_click,
            children=(row,),
        )

    def _sums(self, lines: tuple[AmazonOrderLine, ...], items: int, total: int) -> Widget:
        pieces = sum(line.count for line in lines)
        rows = (
            (f"Items ({pieces}):", price_text(items), False),
            ("Shipping & handling:", price_text(self.shipping), False),
            ("Estimated tax to be collected:", price_text(0), False),
            ("Order total:", price_text(total), True),
        )
        return card(
            *(
                Row(
                    id="sum_row",
                    key=name,
                    width=MATCH,
                    children=(
                        Text(text=name, size=17 if strong else 14, bold=strong, color=INK),
                        spacer(),
                        Text(
                            id="sum_value",
                            text=value,
                            size=17 if strong else 14,
                            bold=strong,
                            color=RED if strong else INK,
                        ),
                    ),
                )
                for name, value, strong in rows
            ),
            rid="order_summary",
            gap=5,
        )

    def _delivery(self) -> Widget:
        choices = []
        for speed, (cents, _) in SPEEDS.items():
            days = self.days(speed)
            day = "today" if days == 0 else day_text(arrival(days))
            price = "FREE" if not cents else price_text(cents)
            choices.append(
                mark_row(
                    f"{speed}: arriving {day} - {price}",
                    speed == self.speed,
                    partial(self.set_speed, speed),
                    rid="delivery_option",
                    desc=speed,
                )
            )
        return card(heading("Choose your delivery option", size=16), *choices, rid="delivery_options", gap=2)

    def _line(self, line: AmazonOrderLine) -> Widget:
        facts = [
            Text(id="item_option", text=f"{name}: {value}", size=13, color=INK_2)
            for name, value in line.facts
        ]
        count: tuple[Widget, ...] = (Text(id="item_count", text=f"Qty: {line.count}", size=14, color=INK),)
        if self.direct is not None:
            count = (
                link(
                    "−",
                    partial(self.set_count, line.count - 1),
                    rid="quantity_minus",
                    size=20,
                    desc="Decrease quantity by one",
                ),
                *count,
                link(
                    "+",
                    partial(self.set_count, line.count + 1),
                    rid="quantity_plus",
                    size=20,
                    desc="Increase quantity by one",
                ),
            )
        return card(
            Row(
                width=MATCH,
                gap=12,
                children=(
                    photo(line.product, 84.0),
                    Column(
                        weight=1,
                        gap=4,
                        children=(
                            Text(id="item_title", text=line.product.title, size=14, color=INK, max_lines=2),
                            Text(id="item_price", text=price_text(line.price), size=16, bold=True, color=INK),
                            *facts,
                            Row(gap=14, children=count),
                        ),
                    ),
                ),
            ),
            rid="checkout_item",
            key=line.key,
        )
