"""The page of an order."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.amazon import names
from garabench.virtual.apps.amazon.cards import photo
from garabench.virtual.apps.amazon.content import date_text, price_text
from garabench.virtual.apps.amazon.page import AmazonPage
from garabench.virtual.apps.amazon.theme import (
    GREEN,
    INK,
    INK_2,
    LINE,
    WHITE,
    YELLOW,
    arrow_row,
    button,
    card,
    heading,
    message_page,
    page_title,
)
from garabench.virtual.apps.amazon.user_data import AmazonOrder, AmazonOrderLine, AmazonStatus
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Row,
    ScrollView,
    Text,
    Widget,
    divider,
    insets,
    spacer,
)


class OrderDetailsActivity(AmazonPage):
    """An order's items, address, price and actions."""

    place = "You"

    def on_create(self) -> None:
        """Read the order from the intent."""
        self.order_id = str(self.intent.extras.get("order", ""))

    def archive(self) -> None:
        """Archive or unarchive the order."""
        wanted = not self.store.book.is_archived(self.order_id)
        self.store.book.archive(self.order_id, wanted)
        self.ctx.toast("Order archived" if wanted else "Order unarchived")

    def cancel_return(self) -> None:
        """Cancel the return."""
        self.store.book.cancel_return(self.order_id)
        self.ctx.toast("Your return has been cancelled")

    def buy_again(self, order: AmazonOrder) -> None:
        """Add all items to the cart again."""
        for line in order.lines:
            self.store.add_to_cart(line.product, line.options, line.count)
        self.ctx.toast("Added to Cart")

    def content(self) -> Widget:
        """Return the page."""
        order = self.store.book.order(self.order_id)
        if order is None:
            return message_page("package-variant", "We couldn't find that order")
        facts = (
            ("Order date", date_text(order.at.date()), "order_date"),
            ("Order #", order.id, "order_number"),
            ("Order total", price_text(order.total), "order_total"),
        )
        return ScrollView(
            id="order_scroll",
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                page_title("Order Details"),
                card(
                    *(
                        Row(
                            key=name,
                            width=MATCH,
                            children=(
                                Text(text=name, size=14, color=INK_2, width=110),
                                Text(id=rid, text=value, size=14, color=INK),
                            ),
                        )
                        for name, value, rid in facts
                    ),
                    gap=5,
                ),
                self._shipment(order),
                Column(
                    width=MATCH, margin=insets(0, 0, 0, 8), background=WHITE, children=self._actions(order)
                ),
                card(
                    heading("Shipping Address", size=16),
                    Text(id="order_person", text=order.person, size=14, color=INK),
                    Text(id="order_place", text=order.place, size=14, color=INK),
                    gap=4,
                ),
                card(
                    heading("Payment", size=16),
                    Text(id="order_payment", text=order.paid_by, size=14, color=INK),
                    gap=4,
                ),
                self._sums(order),
            ),
        )

    def _shipment(self, order: AmazonOrder) -> Widget:
        good = order.status in (AmazonStatus.DELIVERED, AmazonStatus.OUT)
        extra = [
            Text(id=rid, text=f"{label}: {value}", size=13, color=INK_2)
            for label, value, rid in (
                ("Refund", order.refund, "order_refund"),
                ("Drop-off", order.drop_off, "order_drop_off"),
            )
            if value
        ]
        if order.gift:
            extra.append(Text(id="order_gift", text="This order is a gift", size=13, color=INK_2))
        return card(
            Text(id="order_status", text=order.headline, size=18, bold=True, color=GREEN if good else INK),
            Text(id="order_note", text=order.note, size=13, color=INK_2),
            *extra,
            *map(self._line, order.lines),
            rid="order_shipment",
        )

    def _line(self, line: AmazonOrderLine) -> Widget:
        facts = [
            Text(id="item_option", text=f"{name}: {value}", size=12, color=INK_2)
            for name, value in line.facts
        ]
        return Row(
            id="order_line",
            key=line.key,
            width=MATCH,
            gap=12,
            padding=insets(0, 6),
            align=Align.START,
            on_click=self.opens(line.product),
            children=(
                photo(line.product, 76.0),
                Column(
                    weight=1,
                    gap=3,
                    children=(
                        Text(id="item_title", text=line.product.title, size=14, color=INK, max_lines=2),
                        Text(id="item_price", text=price_text(line.price), size=15, bold=True, color=INK),
                        Text(id="item_count", text=f"Qty: {line.count}", size=12, color=INK_2),
                        *facts,
                    ),
                ),
            ),
        )

    def _actions(self, order: AmazonOrder) -> list[Widget]:
        rows: list[Widget] = []

        def add(label: str, rid: str, activity: str) -> None:
            rows.append(arrow_row(label, rid=rid, on_click=self.opens_page(activity, order=order.id)))
            rows.append(divider(LINE))

        if order.tracking and order.status in (
            AmazonStatus.SHIPPED,
            AmazonStatus.OUT,
            AmazonStatus.DELIVERED,
        ):
            add("Track package", "track_package", names.TRACKING)
        if order.status is AmazonStatus.PREPARING:
            add("Cancel items", "cancel_items", names.CANCEL)
        if order.returnable:
            add("Return or replace items", "return_items", names.RETURN)
        if order.status is AmazonStatus.RETURNING:
            ask = self.asks("Cancel this return?", "Cancel return", self.cancel_return, no="Keep return")
            rows.append(arrow_row("Cancel return", rid="cancel_return", on_click=ask))
            rows.append(divider(LINE))
        label = "Unarchive order" if self.store.book.is_archived(order.id) else "Archive order"
        rows.append(arrow_row(label, rid="archive_order", on_click=self.archive))
        rows.append(divider(LINE))
        add("Problem with order", "problem", names.SERVICE)
        buy_again = button("Buy it again", partial(self.buy_again, order), rid="buy_it_again", color=YELLOW)
        rows.append(Column(width=MATCH, padding=insets(16, 10), children=(buy_again,)))
        return rows

    def _sums(self, order: AmazonOrder) -> Widget:
        rows = (
            ("Item(s) Subtotal:", order.items),
            ("Shipping & Handling:", order.shipping),
            ("Estimated tax:", order.tax),
            ("Grand Total:", order.total),
        )
        return card(
            heading("Order Summary", size=16),
            *(
                Row(
                    id="sum_row",
                    key=name,
                    width=MATCH,
                    children=(
                        Text(text=name, size=14, color=INK),
                        spacer(),
                        Text(id="sum_value", text=price_text(value), size=14, color=INK),
                    ),
                )
                for name, value in rows
            ),
            gap=5,
        )
