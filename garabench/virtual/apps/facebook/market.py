"""Marketplace: items for sale, search with filters, and an item's page."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.facebook import content, names
from garabench.virtual.apps.facebook.content import Item, matches
from garabench.virtual.apps.facebook.page import FacebookPage
from garabench.virtual.apps.facebook.theme import (
    FIELD,
    INK,
    INK_2,
    WHITE,
    avatar,
    block,
    button,
    empty_state,
    heading,
    icon_button,
    pill,
    scene,
    search_bar,
    sheet,
    toolbar,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Column,
    ListView,
    Row,
    ScrollView,
    Text,
    TextField,
    Widget,
    insets,
)

SORTS = ("Suggested", "Price: lowest first", "Price: highest first", "Distance: nearest first")
RADII = ("5 miles", "20 miles", "100 miles", "Any distance")
_MILES = {"5 miles": 5, "20 miles": 20, "100 miles": 100}
_ALL = "For you"


def item_card(page: FacebookPage, item: Item) -> Widget:
    """Return the card of an item in a two-column grid."""
    return Column(
        id="item",
        key=item.id,
        width=MATCH,
        height=232,
        gap=4,
        background=WHITE,
        on_click=page.opens_page(names.ITEM, item=item.id),
        children=(
            scene(item.id, item.icon, 140),
            Column(
                width=MATCH,
                gap=2,
                padding=insets(10, 4),
                children=(
                    Text(id="item_price", text=f"${item.price}", size=16, bold=True, color=INK),
                    Text(id="item_title", text=item.title, size=14, color=INK, max_lines=2),
                    Text(text=item.place, size=12, color=INK_2, max_lines=1),
                ),
            ),
        ),
    )


class MarketView:
    """The Marketplace tab."""

    def __init__(self, page: FacebookPage) -> None:
        self.page = page
        self.category = _ALL

    def choose(self, category: str) -> None:
        """Select a category."""
        self.category = category

    def view(self) -> Widget:
        """Return the categories above the items."""
        items = tuple(content.items().values())
        categories = (_ALL, *dict.fromkeys(item.category for item in items))
        matching = [item for item in items if self.category in (_ALL, item.category)]
        find = icon_button(
            "search", "Search Marketplace", self.page.opens_page(names.MARKET_SEARCH), background=FIELD
        )
        header = block(
            heading("Marketplace", find, size=22),
            ScrollView(
                id="categories",
                horizontal=True,
                width=MATCH,
                height=40,
                gap=8,
                children=[
                    pill(name, name == self.category, partial(self.choose, name)) for name in categories
                ],
            ),
        )
        return ListView(
            id="market_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            columns=2,
            gap=3,
            header=(header,),
            items=matching,
            build=lambda item, _: item_card(self.page, item),
        )


class MarketSearchActivity(FacebookPage):
    """The search for items by text, price and distance."""

    def on_create(self) -> None:
        """Start without a query."""
        self.text = ""
        self.query = ""
        self.sort = SORTS[0]
        self.radius = RADII[3]
        self.lowest = ""
        self.highest = ""

    def type_text(self, text: str) -> None:
        """Handle a change of the field's text."""
        self.text = text

    def submit(self) -> None:
        """Search; offline, there are no results."""
        self.query = " ".join(self.text.split())
        self.loaded = self.ctx.online
        self.ctx.hide_keyboard()

    def set_value(self, name: str, value: str) -> None:
        """Set the sort order or the distance."""
        setattr(self, name, value)

    def type_price(self, name: str, text: str) -> None:
        """Handle a change of one end of the price range."""
        setattr(self, name, "".join(filter(str.isdecimal, text))[:6])

    @property
    def found(self) -> tuple[Item, ...]:
        """Return the matching items, sorted."""
        low, high = int(self.lowest or 0), int(self.highest or 1_000_000)
        most = _MILES.get(self.radius, 1_000_000)
        matching = [
            item
            for item in content.items().values()
            if matches(self.query, item.title, item.category)
            and low <= item.price <= high
            and item.miles <= most
        ]
        match SORTS.index(self.sort):
            case 1:
                matching.sort(key=lambda item: item.price)
            case 2:
                matching.sort(key=lambda item: -item.price)
            case 3:
                matching.sort(key=lambda item: item.miles)
            case _:
                pass
        return tuple(matching)

    def bar(self) -> Widget:
        """Return the field."""
        return search_bar(
            "market_field", self.text, "Search Marketplace", self.leave, self.type_text, self.submit, gap=6
        )

    def content(self) -> Widget:
        """Return the filters above the results."""
        if not self.query:
            return empty_state(
                "store-search-outline", "Search Marketplace", "Desks, bikes, records and more."
            )
        ends = bool(self.lowest or self.highest)
        filters = ScrollView(
            id="market_filters",
            horizontal=True,
            width=MATCH,
            height=52,
            gap=8,
            padding=insets(12, 7),
            background=WHITE,
            children=(
                pill(
                    "Sort by",
                    self.sort != SORTS[0],
                    self.chooses("Sort by", SORTS, self.sort, partial(self.set_value, "sort")),
                ),
                pill("Price", ends, self.opening(self._price)),
                pill(
                    "Distance",
                    self.radius != RADII[3],
                    self.chooses("Distance", RADII, self.radius, partial(self.set_value, "radius")),
                ),
            ),
        )
        found = self.found
        if not found:
            body = empty_state(
                "store-search-outline", f"No results for {self.query}", "Try other words or filters."
            )
        else:
            body = ListView(
                id="market_results",
                width=MATCH,
                height=MATCH,
                weight=1,
                columns=2,
                gap=3,
                items=found,
                build=lambda item, _: item_card(self, item),
            )
        return Column(width=MATCH, height=MATCH, weight=1, children=(filters, body))

    def _price(self) -> Widget:
        def field(rid: str, name: str, hint: str, text: str) -> Widget:
            return TextField(
                id=rid,
                text=text,
                hint=hint,
                size=16,
                color=INK,
                weight=1,
                height=46,
                radius=8,
                background=FIELD,
                padding=insets(14, 0),
                input_type="number",
                on_change=partial(self.type_price, name),
            )

        row = Row(
            width=MATCH,
            gap=10,
            padding=insets(16, 14),
            children=(
                field("price_min", "lowest", "Minimum", self.lowest),
                Text(text="to", size=15, color=INK_2),
                field("price_max", "highest", "Maximum", self.highest),
            ),
        )
        done = Row(
            width=MATCH, padding=insets(16, 0), children=(button("Apply", self.on_dismiss_dialog, weight=1),)
        )
        return sheet("Price", row, done)


class ItemActivity(FacebookPage):
    """The page of an item."""

    def on_create(self) -> None:
        """Read the intent."""
        self.item = content.items().get(str(self.intent.extras.get("item", "")))
        self.text = "Hi, is this available?"
        self.sent = False

    def type_text(self, text: str) -> None:
        """Handle a change of the message."""
        self.text = text[:300]

    def send(self, item: Item) -> None:
        """Send the message to the seller."""
        words = " ".join(self.text.split())
        if words:
            self.store.add_message(item.seller, words)
            self.sent = True
            self.ctx.hide_keyboard()
            self.ctx.toast("Message sent to seller")

    def bar(self) -> Widget:
        """Return the bar with the back button."""
        return toolbar("Marketplace", self.leave)

    def content(self) -> Widget:
        """Return the item's details."""
        item = self.item
        if item is None:
            return empty_state("store-outline", "This listing isn't available any more")
        saved = self.store.is_item_saved(item.id)
        name = content.name_of(item.seller)
        field = TextField(
            id="seller_field",
            text=self.text,
            hint="Message seller",
            size=16,
            color=INK,
            weight=1,
            height=44,
            radius=8,
            background=FIELD,
            padding=insets(14, 0),
            on_change=self.type_text,
            on_submit=partial(self.send, item),
            action="send",
        )
        message = (
            Text(id="sent_message", text=f"You: {self.store.messages(item.seller)[-1]}", size=15, color=INK_2)
            if self.sent
            else Row(
                width=MATCH,
                gap=8,
                children=(field, button("Send", self.if_online(partial(self.send, item)))),
            )
        )
        facts = (
            ("Condition", item.condition),
            ("Category", item.category),
            ("Distance", f"{item.miles} miles away"),
        )
        return ScrollView(
            id="item_scroll",
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                scene(item.id, item.icon, 240),
                block(
                    Text(id="listing_title", text=item.title, size=22, bold=True, color=INK),
                    Text(id="listing_price", text=f"${item.price}", size=19, color=INK),
                    Text(text=f"Listed {item.ago} in {item.place}", size=14, color=INK_2),
                    message,
                    Row(
                        width=MATCH,
                        gap=8,
                        children=(
                            button(
                                "Saved" if saved else "Save",
                                partial(self.store.toggle_item, item.id),
                                kind="tint" if saved else "soft",
                                desc="Saved, button" if saved else "Save, button",
                                weight=1,
                                selected=saved,
                            ),
                            button("Share", self.toasting("Link copied"), kind="soft", weight=1),
                        ),
                    ),
                ),
                block(
                    heading("Details"),
                    *(
                        Row(
                            key=label,
                            width=MATCH,
                            children=(
                                Text(text=label, size=15, color=INK_2, width=110),
                                Text(id="listing_fact", text=value, size=15, color=INK),
                            ),
                        )
                        for label, value in facts
                    ),
                    Text(text=item.text, size=15, color=INK),
                ),
                block(
                    heading("Seller information"),
                    Row(
                        width=MATCH,
                        gap=12,
                        on_click=self.opens(item.seller),
                        children=(
                            avatar(item.seller, name, 48),
                            Text(text=name, size=16, bold=True, color=INK),
                        ),
                    ),
                ),
            ),
        )
