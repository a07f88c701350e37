"""The You tab: greeting, shortcuts, orders, lists and browsing history."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.amazon import content, names
from garabench.virtual.apps.amazon.cards import photo, tile
from garabench.virtual.apps.amazon.page import AmazonPage
from garabench.virtual.apps.amazon.theme import (
    BAR,
    GREEN,
    INK,
    INK_2,
    LINE,
    WHITE,
    button,
    card,
    heading,
    icon_button,
    link,
)
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

_SHOWN = 8


class YouView:
    """The You tab."""

    def __init__(self, page: AmazonPage) -> None:
        self.page = page

    def view(self) -> Widget:
        """Return the tab."""
        page, store = self.page, self.page.store
        header = Row(
            id="you_header",
            width=MATCH,
            height=56,
            padding=insets(16, 0, 8, 0),
            background=BAR,
            children=(
                Text(
                    id="you_greeting", text=f"Hello, {store.profile['first']}", size=20, bold=True, color=INK
                ),
                spacer(),
                icon_button(
                    "bell",
                    rid="you_notifications",
                    desc="Notifications",
                    on_click=page.opens_page(names.SETTINGS, page="notifications"),
                ),
                icon_button(
                    "settings", rid="you_settings", desc="Settings", on_click=page.opens_page(names.SETTINGS)
                ),
            ),
        )
        shortcuts = (
            ("Orders", page.opens_page(names.ORDERS)),
            ("Buy Again", page.opens_page(names.ORDERS, tab="Buy Again")),
            ("Account", page.opens_page(names.ACCOUNT)),
            ("Lists", page.opens_page(names.LISTS)),
        )
        return ScrollView(
            id="you_scroll",
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                header,
                card(_pair(shortcuts[:2]), _pair(shortcuts[2:]), gap=10),
                self._orders(),
                self._history(),
                self._lists(),
                card(
                    heading("Your Account"),
                    _pair(
                        (
                            ("Addresses", page.opens_page(names.ADDRESSES)),
                            ("Payments", page.opens_page(names.PAYMENTS)),
                        )
                    ),
                    _pair(
                        (
                            ("Browsing History", page.opens_page(names.HISTORY)),
                            ("Customer Service", page.opens_page(names.SERVICE)),
                        )
                    ),
                ),
                card(
                    heading("Gift Card Balance"),
                    Text(
                        id="gift_balance",
                        text=content.price_text(content.cents(store.profile["gift_balance"])),
                        size=22,
                        bold=True,
                        color=GREEN,
                    ),
                ),
            ),
        )

    def _title(self, title: str, on_click: Handler, rid: str) -> Widget:
        return Row(
            width=MATCH,
            children=(heading(title), spacer(), link("See all", on_click, rid=rid, desc=f"See all {title}")),
        )

    def _orders(self) -> Widget:
        page = self.page
        boxes: list[Widget] = []
        for order in page.store.book.orders()[:_SHOWN]:
            boxes.append(
                Column(
                    id="you_order",
                    key=order.id,
                    width=150,
                    gap=6,
                    padding=insets(10, 10),
                    radius=8,
                    border=LINE,
                    background=WHITE,
                    on_click=partial(page.ctx.open, names.ORDER, order=order.id),
                    children=(
                        photo(order.lines[0].product, MATCH, height=92),
                        Text(
                            id="you_order_status",
                            text=order.headline,
                            size=12,
                            bold=True,
                            color=INK,
                            max_lines=2,
                        ),
                        Text(text=order.lines[0].product.title, size=12, color=INK_2, max_lines=1),
                    ),
                )
            )
        row = ScrollView(
            id="you_orders_row", horizontal=True, width=MATCH, height=182, gap=10, children=boxes
        )
        return card(self._title("Your Orders", page.opens_page(names.ORDERS), "see_all_orders"), row)

    def _history(self) -> Widget:
        page = self.page
        tiles = [tile(product, page.opens(product)) for product in page.store.history()[:_SHOWN]]
        body: Widget = (
            ScrollView(id="you_history_row", horizontal=True, width=MATCH, height=186, gap=12, children=tiles)
            if tiles
            else Text(text="You have no recently viewed items.", size=14, color=INK_2)
        )
        return card(self._title("Keep shopping for", page.opens_page(names.HISTORY), "see_all_history"), body)

    def _lists(self) -> Widget:
        page = self.page
        rows: list[Widget] = [
            Row(
                id="you_list",
                key=wish_list.id,
                width=MATCH,
                height=48,
                on_click=partial(page.ctx.open, names.LIST, list=wish_list.id),
                children=(
                    Text(id="you_list_name", text=wish_list.name, size=15, color=INK, max_lines=1),
                    spacer(),
                    Text(text=f"{len(wish_list.items)} items", size=13, color=INK_2),
                ),
            )
            for wish_list in page.store.lists()[:3]
        ]
        if not rows:
            rows = [button("Create a List", page.opens_page(names.LISTS), rid="you_create_list")]
        return card(self._title("Your Lists", page.opens_page(names.LISTS), "see_all_lists"), *rows)


def _pair(shortcuts: tuple[tuple[str, Handler], ...]) -> Widget:
    return Row(
        width=MATCH,
        gap=10,
        children=[
            button(label, on_click, rid="you_shortcut", color=WHITE, weight=1, size=14, padding=insets(8, 11))
            for label, on_click in shortcuts
        ],
    )
