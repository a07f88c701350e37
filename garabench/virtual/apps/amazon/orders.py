"""The list of the user's orders."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.amazon import names
from garabench.virtual.apps.amazon.cards import photo, result_line
from garabench.virtual.apps.amazon.content import AmazonProduct, date_text
from garabench.virtual.apps.amazon.order_book import AmazonOrderBook
from garabench.virtual.apps.amazon.page import AmazonPage
from garabench.virtual.apps.amazon.theme import (
    GREEN,
    INK,
    INK_2,
    LINE,
    PALE,
    WHITE,
    YELLOW,
    card,
    chip,
    message_page,
    page_title,
    small_button,
)
from garabench.virtual.apps.amazon.user_data import AmazonOrder, AmazonStatus
from garabench.virtual.kit.framework import Intent
from garabench.virtual.ui.widgets import (
    MATCH,
    Column,
    Icon,
    ListView,
    Row,
    ScrollView,
    Text,
    TextField,
    Widget,
    insets,
)

TABS = ("Orders", "Buy Again", "Not Yet Shipped", "Cancelled Orders", "Archived Orders")


class YourOrdersActivity(AmazonPage):
    """Orders by kind, and a search over them."""

    place = "You"
    launch_mode = "singleTop"

    def on_create(self) -> None:
        """Start with the kind from the intent."""
        named = str(self.intent.extras.get("tab", ""))
        self.tab = named if named in TABS else TABS[0]
        self.text = ""

    def on_new_intent(self, intent: Intent) -> None:
        """Switch to the kind from the intent."""
        self.intent = intent
        self.on_create()

    def choose(self, tab: str) -> None:
        """Select a kind of orders."""
        self.tab = tab
        self.ctx.scroll_to("order_list")

    def type_text(self, text: str) -> None:
        """Handle a change of the query."""
        self.text = text

    def add(self, product: AmazonProduct) -> None:
        """Add the product to the cart."""
        self.store.add_to_cart(product, product.default, 1)
        self.ctx.toast("Added to Cart")

    @property
    def matching(self) -> tuple[AmazonOrder, ...]:
        """The listed orders."""
        orders = self.store.book.orders(archived=self.tab == TABS[4])
        match self.tab:
            case "Not Yet Shipped":
                orders = tuple(order for order in orders if order.status is AmazonStatus.PREPARING)
            case "Cancelled Orders":
                orders = tuple(order for order in orders if order.status is AmazonStatus.CANCELLED)
            case _:
                pass
        return tuple(order for order in orders if AmazonOrderBook.matches(order, self.text))

    def content(self) -> Widget:
        """Return the kinds and the search above the list."""
        kinds = ScrollView(
            id="order_tabs",
            horizontal=True,
            width=MATCH,
            height=52,
            gap=8,
            background=WHITE,
            padding=insets(12, 7),
            children=[chip(tab, tab == self.tab, partial(self.choose, tab), rid="order_tab") for tab in TABS],
        )
        field = Row(
            width=MATCH,
            padding=insets(14, 4, 14, 8),
            background=WHITE,
            children=(
                Row(
                    weight=1,
                    height=42,
                    radius=8,
                    gap=8,
                    background=PALE,
                    padding=insets(12, 0),
                    children=(
                        Icon(name="search", size=20, color=INK_2, important=False),
                        TextField(
                            id="order_search",
                            text=self.text,
                            hint="Search all orders",
                            size=15,
                            color=INK,
                            weight=1,
                            height=42,
                            on_change=self.type_text,
                            on_submit=self.ctx.hide_keyboard,
                            action="search",
                        ),
                    ),
                ),
            ),
        )
        header = (page_title("Your Orders"), kinds, field)
        return self._again(header) if self.tab == "Buy Again" else self._orders(header)

    def _again(self, header: tuple[Widget, ...]) -> Widget:
        done = [order for order in self.store.book.orders() if order.status is AmazonStatus.DELIVERED]
        products = list(dict.fromkeys(line.product for order in done for line in order.lines))
        wanted = self.text.casefold().split()
        matching = [
            product for product in products if all(word in product.title.casefold() for word in wanted)
        ]
        return ListView(
            id="buy_again_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            header=header,
            items=matching,
            build=lambda product, _: result_line(
                product,
                self.opens(product),
                action=small_button(
                    "Add to cart",
                    self.if_online(partial(self.add, product)),
                    rid="buy_again_add",
                    color=YELLOW,
                ),
            ),
        )

    def _orders(self, header: tuple[Widget, ...]) -> Widget:
        matching = self.matching
        if not matching:
            nothing = message_page("package-variant", "No orders found", "There are no orders of this kind.")
            return Column(width=MATCH, height=MATCH, weight=1, children=(*header, nothing))
        return ListView(
            id="order_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            header=header,
            items=matching,
            build=lambda order, _: self._order(order),
        )

    def _order(self, order: AmazonOrder) -> Widget:
        opens = self.opens_page(names.ORDER, order=order.id)
        lines = [
            Row(
                width=MATCH,
                gap=12,
                children=(
                    photo(line.product, 62.0),
                    Column(
                        weight=1,
                        gap=3,
                        children=(
                            Text(id="item_title", text=line.product.title, size=14, color=INK, max_lines=2),
                            Text(
                                id="item_option",
                                text=" · ".join((*line.options, f"Qty {line.count}")),
                                size=12,
                                color=INK_2,
                                max_lines=1,
                            ),
                        ),
                    ),
                ),
            )
            for line in order.lines
        ]
        actions: list[Widget] = []
        if order.tracking and order.status in (AmazonStatus.SHIPPED, AmazonStatus.OUT):
            actions.append(
                small_button(
                    "Track package",
                    self.opens_page(names.TRACKING, order=order.id),
                    rid="track_package",
                    color=YELLOW,
                )
            )
        if order.status is AmazonStatus.DELIVERED:
            buy_again = partial(names.open_product, self.ctx, order.lines[0].product.id)
            actions.append(small_button("Buy it again", buy_again, rid="buy_it_again", color=YELLOW))
        actions.append(small_button("View order details", opens, rid="view_order"))
        delivered = order.status in (AmazonStatus.DELIVERED, AmazonStatus.OUT)
        return Column(
            id="order_item",
            key=order.id,
            width=MATCH,
            margin=insets(0, 8, 0, 0),
            padding=insets(14, 12),
            gap=10,
            background=WHITE,
            border=LINE,
            border_width=0.5,
            on_click=opens,
            children=(
                Text(text=f"Ordered on {date_text(order.at.date())}", size=12, color=INK_2),
                Text(
                    id="order_status",
                    text=order.headline,
                    size=16,
                    bold=True,
                    color=GREEN if delivered else INK,
                ),
                Text(id="order_note", text=order.note, size=13, color=INK_2, max_lines=2),
                *lines,
                Row(width=MATCH, wrap=True, gap=8, children=actions),
            ),
        )


class TrackPackageActivity(AmazonPage):
    """The tracking page of a parcel."""

    place = "You"

    def content(self) -> Widget:
        """Return the tracking steps and the tracking number."""
        order = self.store.book.order(str(self.intent.extras.get("order", "")))
        if order is None or not order.tracking:
            return message_page("truck", "Tracking is not available yet")
        steps = ("Ordered", "Shipped", "Out for delivery", "Delivered")
        reached = {AmazonStatus.SHIPPED: 1, AmazonStatus.OUT: 2}.get(order.status, 3)
        rows: list[Widget] = [
            Row(
                id="tracking_step",
                key=name,
                width=MATCH,
                height=44,
                gap=12,
                selected=number == reached,
                children=(
                    Icon(
                        name="check-circle" if number <= reached else "circle-outline",
                        size=22,
                        color=GREEN if number <= reached else INK_2,
                        important=False,
                    ),
                    Text(
                        text=name, size=15, bold=number == reached, color=INK if number <= reached else INK_2
                    ),
                ),
            )
            for number, name in enumerate(steps)
        ]
        return ScrollView(
            id="tracking_scroll",
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                page_title("Track package"),
                card(
                    Text(id="tracking_headline", text=order.headline, size=19, bold=True, color=GREEN), *rows
                ),
                card(
                    Text(
                        id="tracking_carrier",
                        text=f"Delivery by {order.carrier}",
                        size=15,
                        bold=True,
                        color=INK,
                    ),
                    Text(id="tracking_number", text=f"Tracking ID: {order.tracking}", size=14, color=INK),
                    Text(id="tracking_place", text=f"{order.person}, {order.place}", size=14, color=INK_2),
                ),
                card(
                    *(
                        Row(
                            key=line.key,
                            width=MATCH,
                            gap=12,
                            on_click=self.opens(line.product),
                            children=(
                                photo(line.product, 56.0),
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
                ),
            ),
        )
