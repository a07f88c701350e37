"""The order confirmation page."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.amazon import names
from garabench.virtual.apps.amazon.cards import photo
from garabench.virtual.apps.amazon.cart import items_text
from garabench.virtual.apps.amazon.content import day_text, price_text
from garabench.virtual.apps.amazon.page import AmazonPage
from garabench.virtual.apps.amazon.theme import (
    GREEN,
    INK,
    INK_2,
    PALE,
    WHITE,
    button,
    card,
    heading,
    message_page,
)
from garabench.virtual.ui.widgets import MATCH, Icon, Row, ScrollView, Text, Widget, insets


class ThankYouActivity(AmazonPage):
    """Confirms that the order was placed."""

    needs_network = False
    place = "Cart"

    def content(self) -> Widget:
        """Return the page."""
        order = self.store.book.order(str(self.intent.extras.get("order", "")))
        if order is None:
            return message_page("package-variant", "We couldn't find that order")
        pieces = sum(line.count for line in order.lines)
        note = "This order is a gift"
        gift = (Text(id="thank_you_gift", text=note, size=14, color=INK),) if order.gift else ()
        review = button(
            "Review or edit your order",
            self.opens_page(names.ORDER, order=order.id),
            rid="thank_you_review",
            color=WHITE,
        )
        return ScrollView(
            id="thank_you_scroll",
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                card(
                    Row(
                        gap=8,
                        children=(
                            Icon(name="check-circle", size=26, color=GREEN, important=False),
                            Text(
                                id="thank_you_title",
                                text="Order placed, thank you!",
                                size=19,
                                bold=True,
                                color=GREEN,
                            ),
                        ),
                    ),
                    Text(
                        text=f"Confirmation will be sent to {self.store.profile['email']}.",
                        size=14,
                        color=INK,
                    ),
                    Text(id="thank_you_order", text=f"Order number {order.id}", size=14, color=INK_2),
                    padding=insets(16, 18),
                ),
                card(
                    heading(f"Arriving {day_text(order.arrives)}", size=17, rid="thank_you_arrival"),
                    Text(id="thank_you_place", text=f"{order.person}, {order.place}", size=14, color=INK),
                    Text(id="thank_you_payment", text=order.paid_by, size=14, color=INK),
                    Text(
                        id="thank_you_total",
                        text=f"{items_text(pieces)}, order total {price_text(order.total)}",
                        size=14,
                        color=INK,
                    ),
                    *gift,
                    *(
                        Row(
                            width=MATCH,
                            gap=10,
                            padding=insets(8, 8),
                            background=PALE,
                            radius=8,
                            children=(
                                photo(line.product, 48.0),
                                Text(
                                    id="item_title",
                                    text=line.product.title,
                                    size=13,
                                    color=INK,
                                    weight=1,
                                    max_lines=2,
                                ),
                            ),
                        )
                        for line in order.lines
                    ),
                    review,
                    button("Continue shopping", partial(self.go, "Home"), rid="thank_you_continue"),
                    gap=10,
                ),
            ),
        )
