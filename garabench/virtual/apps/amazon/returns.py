"""Cancelling items before shipment, and returning delivered ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from garabench.virtual.apps.amazon import names
from garabench.virtual.apps.amazon.cards import photo
from garabench.virtual.apps.amazon.page import AmazonPage
from garabench.virtual.apps.amazon.theme import (
    GREEN,
    INK,
    INK_2,
    WHITE,
    button,
    card,
    heading,
    mark_row,
    message_page,
    page_title,
)
from garabench.virtual.apps.amazon.user_data import AmazonOrder, AmazonStatus
from garabench.virtual.ui.widgets import MATCH, Column, Icon, Row, ScrollView, Text, Widget

CANCEL_REASONS = (
    "Order created by mistake",
    "Item(s) would not arrive on time",
    "Shipping cost too high",
    "Item price too high",
    "Found cheaper somewhere else",
    "Need to change shipping address",
    "Need to change payment method",
    "Other",
)
RETURN_REASONS = (
    "Bought by mistake",
    "Better price available",
    "Too small",
    "Too large",
    "Product damaged, but shipping box OK",
    "Item arrived too late",
    "Item defective or doesn't work",
    "Received extra item I didn't buy",
    "No longer needed",
    "Inaccurate website description",
)
REFUNDS = (
    "Refund to your original payment method",
    "Refund to your Amazon gift card balance",
    "Replace with the same item",
)
DROP_OFFS = (
    "UPS Dropoff Point - no box needed",
    "Whole Foods Market - no box needed",
    "Kohl's Dropoff - no box needed",
    "UPS Pickup - $7.99",
)


class _OrderAction(AmazonPage):
    """A page for an action on an order."""

    place = "You"
    done = False
    allowed = AmazonStatus.PREPARING

    def on_create(self) -> None:
        """Read the order from the intent."""
        self.order_id = str(self.intent.extras.get("order", ""))

    @property
    def order(self) -> AmazonOrder | None:
        """The order."""
        return self.store.book.order(self.order_id)

    def content(self) -> Widget:
        """Return the page, or a notice if the action is not possible."""
        order = self.order
        if order is None or (not self.done and order.status is not self.allowed):
            return message_page("package-variant", "This order can't be changed any more")
        return self.content_of(order)

    def content_of(self, order: AmazonOrder) -> Widget:
        """Return the page for the order."""
        raise NotImplementedError

    def items(self, order: AmazonOrder) -> Widget:
        """Return the items of the order."""
        return card(
            *(
                Row(
                    key=line.key,
                    width=MATCH,
                    gap=12,
                    children=(
                        photo(line.product, 60.0),
                        Text(
                            id="item_title",
                            text=line.product.title,
                            size=14,
                            color=INK,
                            weight=1,
                            max_lines=2,
                        ),
                    ),
                )
                for line in order.lines
            )
        )

    def choices(
        self, title: str, labels: Sequence[str], chosen: str, choose: Callable[[str], None], rid: str
    ) -> Widget:
        """Return a question with its options."""
        rows = [mark_row(label, label == chosen, partial(choose, label), rid=rid) for label in labels]
        return card(heading(title, size=17), *rows, gap=2)

    def thanks(self, order: AmazonOrder, title: str, notes: Sequence[str]) -> Widget:
        """Return the confirmation of the action."""
        return ScrollView(
            id="done_scroll",
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                card(
                    Row(
                        gap=8,
                        children=(
                            Icon(name="check-circle", size=26, color=GREEN, important=False),
                            Text(id="done_title", text=title, size=18, bold=True, color=GREEN),
                        ),
                    ),
                    *(Text(id="done_note", key=note, text=note, size=14, color=INK_2) for note in notes),
                    button("View order details", self.ctx.finish, rid="done_view_order", color=WHITE),
                    button("Your Orders", self.opens_page(names.ORDERS), rid="done_orders"),
                    gap=12,
                ),
                self.items(order),
            ),
        )


class CancelItemsActivity(_OrderAction):
    """The page for cancelling an order."""

    def on_create(self) -> None:
        """Start without a reason."""
        super().on_create()
        self.reason = ""

    def choose(self, reason: str) -> None:
        """Choose the reason."""
        self.reason = reason

    def send(self) -> None:
        """Cancel the order."""
        if not self.reason:
            self.ctx.toast("Select a cancellation reason")
            return
        self.store.book.cancel(self.order_id, self.reason)
        self.done = True

    def content_of(self, order: AmazonOrder) -> Widget:
        """Return the reasons, or the confirmation."""
        if self.done:
            return self.thanks(
                order, "This order has been cancelled", (f"Order # {order.id}", f"Reason: {self.reason}")
            )
        return ScrollView(
            id="cancel_scroll",
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                page_title("Cancel items"),
                self.items(order),
                self.choices(
                    "Reason for cancellation", CANCEL_REASONS, self.reason, self.choose, "cancel_reason"
                ),
                card(button("Request cancellation", self.if_online(self.send), rid="request_cancellation")),
            ),
        )


class ReturnActivity(_OrderAction):
    """The return of an order, page by page: reason, refund, drop-off."""

    allowed = AmazonStatus.DELIVERED

    def on_create(self) -> None:
        """Start with the reason."""
        super().on_create()
        self.step = 0
        self.answers = ["", REFUNDS[0], DROP_OFFS[0]]

    def choose(self, answer: str) -> None:
        """Choose the answer of the current page."""
        self.answers[self.step] = answer

    def next_page(self) -> None:
        """Go to the next page; from the last one, start the return."""
        if not self.answers[self.step]:
            self.ctx.toast("Choose a response")
        elif self.step < 2:
            self.step += 1
            self.ctx.scroll_to("return_scroll")
        else:
            reason, refund, drop_off = self.answers
            self.store.book.start_return(self.order_id, reason=reason, refund=refund, drop_off=drop_off)
            self.done = True

    def on_back(self) -> bool:
        """Back returns to the previous page."""
        if self.step and not self.done:
            self.step -= 1
            return True
        return False

    def content_of(self, order: AmazonOrder) -> Widget:
        """Return the question of the current page."""
        reason, refund, drop_off = self.answers
        if self.done:
            return self.thanks(
                order, "Your return has been started", (f"Reason: {reason}", refund, f"Drop-off: {drop_off}")
            )
        title, labels, rid, label = (
            ("Why are you returning this?", RETURN_REASONS, "return_reason", "Continue"),
            ("How can we make it right?", REFUNDS, "return_refund", "Continue"),
            ("How would you like to return your items?", DROP_OFFS, "return_drop_off", "Confirm your return"),
        )[self.step]
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                ScrollView(
                    id="return_scroll",
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    children=(
                        page_title(f"Return items - step {self.step + 1} of 3"),
                        self.items(order),
                        self.choices(title, labels, self.answers[self.step], self.choose, rid),
                    ),
                ),
                card(button(label, self.if_online(self.next_page), rid="return_continue")),
            ),
        )
