"""The browsing history, and today's deals."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from garabench.virtual.apps.amazon import content
from garabench.virtual.apps.amazon.cards import photo, slim_line
from garabench.virtual.apps.amazon.content import AmazonProduct, price_text
from garabench.virtual.apps.amazon.page import AmazonPage
from garabench.virtual.apps.amazon.theme import (
    INK,
    INK_2,
    LINE,
    RED,
    TEAL_DEEP,
    WHITE,
    arrow_row,
    chip,
    icon_button,
    message_page,
    page_title,
    small_button,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Column,
    ListView,
    Row,
    ScrollView,
    Text,
    Toggle,
    Widget,
    insets,
)


class BrowsingHistoryActivity(AmazonPage):
    """The browsing history, latest first."""

    place = "You"

    def on_create(self) -> None:
        """Start with the settings collapsed."""
        self.managing = False

    def manage(self) -> None:
        """Expand or collapse the settings."""
        self.managing = not self.managing

    def toggle(self) -> None:
        """Turn the history on or off."""
        self.store.set_setting("history_on", not self.store.setting("history_on", True))

    def content(self) -> Widget:
        """Return the settings, if expanded, above the list."""
        items = self.store.history()
        gear = icon_button(
            "settings",
            rid="history_manage",
            desc="Manage history",
            selected=self.managing,
            on_click=self.manage,
        )
        parts: list[Widget] = [page_title("Your Browsing History", gear)]
        if self.managing:
            parts += self._settings()
        if items:
            parts.append(
                ListView(
                    id="history_list",
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    items=items,
                    build=lambda item, _: self._row(item),
                )
            )
        else:
            parts.append(message_page("history", "You have no recently viewed items"))
        return Column(width=MATCH, height=MATCH, weight=1, children=parts)

    def _settings(self) -> list[Widget]:
        ask = self.asks(
            "Remove all items from view?",
            "Remove all",
            self.store.remove_from_history,
            note="This can't be undone.",
        )
        switch = Toggle(
            id="history_switch",
            desc="Turn Browsing History on/off",
            checked=bool(self.store.setting("history_on", True)),
            color=TEAL_DEEP,
            width=48,
            height=28,
            on_click=self.toggle,
        )
        return [
            arrow_row("Remove all items from view", rid="history_clear", on_click=ask),
            arrow_row("Turn Browsing History on/off", trailing=switch, on_click=self.toggle),
        ]

    def _row(self, product: AmazonProduct) -> Widget:
        remove = small_button(
            "Remove from view",
            partial(self.store.remove_from_history, product),
            rid="history_remove",
            desc=f"Remove {product.title}",
        )
        return slim_line(
            product, self.opens(product), rid="history_item", trailing=(Row(children=(remove,)),)
        )


class TodaysDealsActivity(AmazonPage):
    """Deals of all departments or one."""

    def on_create(self) -> None:
        """Start with all departments."""
        self.dept = ""

    def choose(self, dept: str) -> None:
        """Select a department; empty for all."""
        self.dept = dept
        self.ctx.scroll_to("deal_list")

    def content(self) -> Widget:
        """Return the departments above the deals."""
        rows = content.load("home")["deals"]
        products = content.products()
        depts = dict.fromkeys(products[row["product"]].dept for row in rows)
        matching = [row for row in rows if self.dept in ("", products[row["product"]].dept)]
        chips = ScrollView(
            id="deal_departments",
            horizontal=True,
            width=MATCH,
            height=52,
            gap=8,
            background=WHITE,
            padding=insets(12, 7),
            children=[
                chip(name or "All", name == self.dept, partial(self.choose, name), rid="deal_department")
                for name in ("", *depts)
            ],
        )
        deals = ListView(
            id="deal_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            columns=2,
            gap=2,
            items=matching,
            build=lambda row, _: self._deal(row),
        )
        return Column(
            width=MATCH, height=MATCH, weight=1, children=(page_title("Today's Deals"), chips, deals)
        )

    def _deal(self, row: Mapping[str, Any]) -> Widget:
        product = content.products()[row["product"]]
        discount = Text(
            id="deal_off",
            text=f"{row['percent']}% off",
            size=12,
            bold=True,
            color=WHITE,
            background=RED,
            radius=3,
            padding=insets(6, 2),
        )
        return Column(
            id="deal_item",
            key=product.id,
            width=MATCH,
            height=262,
            gap=6,
            padding=insets(10, 10),
            background=WHITE,
            border=LINE,
            border_width=0.5,
            on_click=self.opens(product),
            children=(
                photo(product, MATCH, height=128),
                Row(
                    width=MATCH,
                    gap=6,
                    children=(
                        discount,
                        Text(id="deal_kind", text=row["kind"], size=11, bold=True, color=RED, max_lines=1),
                    ),
                ),
                Row(
                    gap=6,
                    children=(
                        Text(id="price", text=price_text(product.price), size=16, bold=True, color=INK),
                        Text(
                            text=f"List: {price_text(product.list_price)}",
                            size=11,
                            color=INK_2,
                            strike=True,
                            visible=bool(product.list_price),
                            max_lines=1,
                        ),
                    ),
                ),
                Text(id="deal_title", text=product.title, size=12, color=INK, max_lines=2),
            ),
        )
