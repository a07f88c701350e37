"""The first screen: chips, a banner and product cards."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from garabench.virtual.apps.amazon import content, names
from garabench.virtual.apps.amazon.cards import photo, tile
from garabench.virtual.apps.amazon.content import AmazonProduct, price_text
from garabench.virtual.apps.amazon.page import AmazonPage
from garabench.virtual.apps.amazon.theme import (
    INK,
    PLACE_BAR,
    WHITE,
    YELLOW,
    heading,
    link,
    small_button,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Column,
    Gradient,
    Handler,
    Icon,
    ListView,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
)

_PAGE_SIZE = 6


def delivery_bar(page: AmazonPage) -> Widget:
    """Return the bar with the delivery address; a tap leads to the choice of another one."""
    address = page.store.addresses()[0] if page.store.addresses() else None
    words = (
        f"Deliver to {address.name.split()[0]} - {address.city} {address.zip}"
        if address
        else "Add a delivery address"
    )
    return Row(
        id="glow_subnav_bar",
        desc=words,
        width=MATCH,
        height=40,
        gap=6,
        padding=insets(14, 0),
        background=PLACE_BAR,
        on_click=page.opens_page(names.ADDRESSES),
        children=(
            Icon(name="location", size=18, color=INK, important=False),
            Text(id="glow_subnav_label", text=words, size=14, color=INK, max_lines=1),
            Icon(name="chevron_down", size=16, color=INK, important=False),
        ),
    )


class AmazonHomeView:
    """The Home tab."""

    def __init__(self, page: AmazonPage) -> None:
        self.page = page
        self.shown = _PAGE_SIZE

    def load_more(self) -> None:
        """Load more recommendations."""
        self.shown += _PAGE_SIZE

    def view(self) -> Widget:
        """Return the tab."""
        data = content.load("home")
        cards = [self._card(number, card) for number, card in enumerate(data["cards"])]
        more = content.pick(data["more"])
        title = Row(
            width=MATCH,
            padding=insets(14, 12, 14, 6),
            background=WHITE,
            children=(heading("More items to explore"),),
        )
        return ListView(
            id="home_feed",
            width=MATCH,
            height=MATCH,
            weight=1,
            header=(
                delivery_bar(self.page),
                self._chips(data["chips"]),
                self._banner(data["banner"]),
                *cards,
                title,
            ),
            items=more[: self.shown],
            columns=2,
            gap=2,
            build=self._more,
            on_end=self.load_more if self.shown < len(more) else None,
        )

    def _chips(self, rows: list[Mapping[str, Any]]) -> Widget:
        return ScrollView(
            id="home_chips",
            horizontal=True,
            width=MATCH,
            height=48,
            gap=18,
            padding=insets(14, 4),
            background=WHITE,
            children=[
                Text(
                    id="home_chip",
                    key=row["label"],
                    text=row["label"],
                    size=15,
                    color=INK,
                    padding=insets(2, 9),
                    on_click=self._chip(row),
                )
                for row in rows
            ],
        )

    def _chip(self, row: Mapping[str, Any]) -> Handler:
        if "page" in row:
            return self.page.opens_page({"deals": names.DEALS, "service": names.SERVICE}[row["page"]])
        return partial(names.open_results, self.page.ctx, row.get("query", ""), row.get("dept", ""))

    def _banner(self, banner: Mapping[str, str]) -> Widget:
        return Column(
            id="home_banner",
            width=MATCH,
            gap=6,
            padding=insets(16, 16),
            background=Gradient(start="#0F5C84", end="#13899E", horizontal=True),
            children=(
                Text(id="banner_title", text=banner["title"], size=24, bold=True, color="#FFFFFF"),
                Text(text=banner["text"], size=14, color="#FFFFFF"),
                Row(
                    children=(
                        small_button(
                            banner["button"],
                            self.page.opens_page(names.ACCOUNT, page="prime"),
                            rid="banner_button",
                            color=YELLOW,
                        ),
                    )
                ),
            ),
        )

    def _card(self, number: int, card: Mapping[str, Any]) -> Widget:
        products = content.pick(card["products"])
        deals = {row["product"]: row["percent"] for row in content.load("home")["deals"]}
        tiles = [
            tile(
                product,
                self.page.opens(product),
                size=132,
                deal=f"{deals[product.id]}% off" if card.get("deal") and product.id in deals else "",
            )
            for product in products
        ]
        more = (
            (link("See all deals", self.page.opens_page(names.DEALS), rid="see_all_deals"),)
            if card.get("deal")
            else ()
        )
        return Column(
            id="home_card",
            key=f"card-{number}",
            width=MATCH,
            margin=insets(0, 0, 0, 6),
            padding=insets(14, 14, 0, 12),
            gap=8,
            background=WHITE,
            children=(
                heading(card["title"]),
                ScrollView(
                    id="home_card_row",
                    key=f"row-{number}",
                    horizontal=True,
                    width=MATCH,
                    height=230 if card.get("deal") else 206,
                    gap=12,
                    children=tiles,
                ),
                *more,
            ),
        )

    def _more(self, product: AmazonProduct, _: int) -> Widget:
        return Column(
            id="product_tile",
            key=product.id,
            width=MATCH,
            height=232,
            gap=5,
            padding=insets(10, 10),
            background=WHITE,
            on_click=self.page.opens(product),
            children=(
                photo(product, MATCH, height=132),
                Text(id="tile_title", text=product.title, size=13, color=INK, max_lines=2),
                Text(id="price", text=price_text(product.price), size=15, bold=True, color=INK),
            ),
        )
