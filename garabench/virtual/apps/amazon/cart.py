"""The shopping cart, as a tab and as a separate page."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.amazon import names
from garabench.virtual.apps.amazon.cards import delivery_line, photo, tile
from garabench.virtual.apps.amazon.content import price_text, similar
from garabench.virtual.apps.amazon.page import AmazonPage
from garabench.virtual.apps.amazon.store import MAX_QUANTITY
from garabench.virtual.apps.amazon.theme import (
    GREEN,
    INK,
    INK_2,
    PALE,
    TEAL_DEEP,
    WHITE,
    YELLOW,
    button,
    card,
    heading,
    icon_button,
    link,
    message_page,
    small_button,
)
from garabench.virtual.apps.amazon.user_data import AmazonOrderLine
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    CheckBox,
    Column,
    Handler,
    Icon,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
)

_CHOICES = 10


def items_text(count: int) -> str:
    """Format a number of items: ``1 item``, ``4 items``."""
    return f"{count} item" if count == 1 else f"{count} items"


class AmazonCartView:
    """The cart above the items saved for later."""

    def __init__(self, page: AmazonPage) -> None:
        self.page = page
        self.message = ""

    # State

    def set_count(self, line: AmazonOrderLine, count: int) -> None:
        """Set a line's quantity; 0 deletes it."""
        if count < 1:
            self.delete(line)
        elif count > MAX_QUANTITY:
            self.page.ctx.toast(f"This seller has a limit of {MAX_QUANTITY} per customer")
        else:
            self.message = ""
            self.page.store.change_line(line.key, count=count)

    def choose_count(self, line: AmazonOrderLine) -> Handler:
        """Return a handler that opens the choice of a line's quantity."""
        choices = [("0", "0 (Delete)"), *((str(count), str(count)) for count in range(1, _CHOICES + 1))]

        def select(value: str) -> None:
            self.set_count(line, int(value))

        return self.page.chooses("Quantity", choices, str(line.count), select, rid="quantity_choice")

    def delete(self, line: AmazonOrderLine) -> None:
        """Delete a line."""
        self.page.store.delete_line(line.key)
        self.message = f"{line.product.title} was removed from Shopping Cart."

    def save(self, line: AmazonOrderLine) -> None:
        """Save a line for later."""
        self.page.store.save_for_later(line.key)
        self.message = f"{line.product.title} has been moved to Save for Later."

    def move(self, line: AmazonOrderLine) -> None:
        """Move a saved line back to the cart."""
        self.page.store.move_to_cart(line.key)
        self.message = f"{line.product.title} has been moved to Shopping Cart."

    def delete_saved(self, line: AmazonOrderLine) -> None:
        """Delete a saved line."""
        self.page.store.delete_saved(line.key)
        self.message = f"{line.product.title} was removed from Save for Later."

    def toggle_all(self) -> None:
        """Select all lines, or none if all are selected."""
        lines = self.page.store.cart()
        self.page.store.select_all(not all(line.selected for line in lines))

    def checkout(self) -> None:
        """Proceed to the checkout."""
        if not any(line.selected for line in self.page.store.cart()):
            self.page.ctx.toast("Select items to check out")
            return
        self.page.if_online(self.page.opens_page(names.CHECKOUT))()

    # The page

    def view(self) -> Widget:
        """Return the whole cart."""
        lines, saved = self.page.store.cart(), self.page.store.saved()
        if not lines and not saved:
            return message_page(
                "cart",
                "Your Amazon Cart is empty",
                "Shop today's deals",
                button("Shop today's deals", self.page.opens_page(names.DEALS), rid="shop_deals"),
            )
        message = (
            (
                card(
                    Text(id="cart_message", text=self.message, size=13, color=GREEN, max_lines=3),
                    padding=insets(14, 10),
                ),
            )
            if self.message
            else ()
        )
        return ScrollView(
            id="sc-list",
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                self._header(lines),
                *message,
                *map(self._line, lines),
                *self._saved(saved),
                *self._also(lines or saved),
            ),
        )

    def _header(self, lines: tuple[AmazonOrderLine, ...]) -> Widget:
        chosen = [line for line in lines if line.selected]
        pieces = sum(line.count for line in chosen)
        every = len(chosen) == len(lines)
        if not lines:
            return card(
                heading("Shopping Cart"),
                Text(id="empty_text", text="Your Amazon Cart is empty", size=15, color=INK),
            )
        return card(
            heading("Shopping Cart"),
            Row(
                gap=6,
                align=Align.END,
                children=(
                    Text(text="Subtotal", size=19, color=INK),
                    Text(
                        id="sc-subtotal",
                        text=price_text(sum(line.total for line in chosen)),
                        size=21,
                        bold=True,
                        color=INK,
                    ),
                ),
            ),
            Row(
                gap=6,
                children=(
                    Icon(name="check-circle", size=17, color=GREEN, important=False),
                    Text(text="Your order qualifies for FREE Shipping.", size=13, color=GREEN),
                ),
            ),
            button(
                f"Proceed to checkout ({items_text(pieces)})", self.checkout, rid="sc-proceed-to-checkout"
            ),
            link("Deselect all items" if every else "Select all items", self.toggle_all, rid="sc-select-all"),
        )

    def _line(self, line: AmazonOrderLine) -> Widget:
        product, store = line.product, self.page.store
        tick = CheckBox(
            id="sc-item-check",
            desc=f"Select {product.title}",
            checked=line.selected,
            color=TEAL_DEEP,
            width=30,
            height=30,
            align_self=Align.CENTER,
            on_click=partial(store.change_line, line.key, selected=not line.selected),
        )
        facts = [
            Text(id="item_option", text=f"{name}: {value}", size=13, color=INK_2, max_lines=1)
            for name, value in line.facts
        ]
        words = Column(
            weight=1,
            gap=4,
            children=(
                Text(id="item_title", text=product.title, size=15, color=INK, max_lines=2),
                Text(id="item_price", text=price_text(line.price), size=18, bold=True, color=INK),
                delivery_line(product),
                Text(text="In Stock", size=13, color=GREEN),
                *facts,
            ),
        )
        actions = Row(
            width=MATCH,
            wrap=True,
            gap=8,
            children=(
                self._stepper(line),
                small_button(
                    "Delete",
                    partial(self.delete, line),
                    rid="sc-action-delete",
                    desc=f"Delete {product.title}",
                ),
                small_button(
                    "Save for later",
                    partial(self.save, line),
                    rid="sc-action-save-for-later",
                    desc=f"Save for later {product.title}",
                ),
            ),
        )
        top = Row(
            width=MATCH,
            gap=10,
            align=Align.START,
            on_click=self.page.opens(product),
            children=(tick, photo(product, 104.0), words),
        )
        return card(top, actions, rid="sc-item", key=line.key, gap=10)

    def _stepper(self, line: AmazonOrderLine) -> Widget:
        fewer = icon_button(
            "trash" if line.count == 1 else "minus",
            rid="quantity_minus",
            desc="Decrease quantity by one",
            size=18,
            touch_size=36,
            on_click=partial(self.set_count, line, line.count - 1),
        )
        more = icon_button(
            "plus",
            rid="quantity_plus",
            desc="Increase quantity by one",
            size=18,
            touch_size=36,
            on_click=partial(self.set_count, line, line.count + 1),
        )
        spoken = Text(text=f"Quantity is {line.count}", size=1, color=WHITE, width=1, height=1)
        number = Row(
            id="quantity_dropdown",
            height=36,
            gap=3,
            padding=insets(6, 0),
            background=WHITE,
            on_click=self.choose_count(line),
            children=(
                Text(text="Qty:", size=13, color=INK_2),
                Text(id="quantity", text=str(line.count), size=15, bold=True, color=INK),
                spoken,
                Icon(name="chevron_down", size=15, color=INK_2, important=False),
            ),
        )
        return Row(
            id="quantity_stepper",
            height=38,
            radius=8,
            border="#D5D9D9",
            background=PALE,
            padding=insets(1, 1),
            children=(fewer, number, more),
        )

    def _saved(self, saved: tuple[AmazonOrderLine, ...]) -> tuple[Widget, ...]:
        if not saved:
            return ()
        title = card(
            Text(
                id="sc-saved-title",
                text=f"Saved for later ({items_text(len(saved))})",
                size=18,
                bold=True,
                color=INK,
            ),
            padding=insets(14, 12),
        )
        return (title, *map(self._saved_line, saved))

    def _saved_line(self, line: AmazonOrderLine) -> Widget:
        product = line.product
        facts = [
            Text(id="item_option", text=f"{name}: {value}", size=13, color=INK_2)
            for name, value in line.facts
        ]
        return card(
            Row(
                width=MATCH,
                gap=10,
                align=Align.START,
                on_click=self.page.opens(product),
                children=(
                    photo(product, 84.0),
                    Column(
                        weight=1,
                        gap=4,
                        children=(
                            Text(id="item_title", text=product.title, size=14, color=INK, max_lines=2),
                            Text(id="item_price", text=price_text(line.price), size=16, bold=True, color=INK),
                            *facts,
                        ),
                    ),
                ),
            ),
            Row(
                width=MATCH,
                gap=8,
                children=(
                    small_button(
                        "Move to cart",
                        partial(self.move, line),
                        rid="sc-action-move-to-cart",
                        color=YELLOW,
                        desc=f"Move to cart {product.title}",
                    ),
                    small_button(
                        "Delete",
                        partial(self.delete_saved, line),
                        rid="sc-saved-delete",
                        desc=f"Delete {product.title}",
                    ),
                ),
            ),
            rid="sc-saved-item",
            key=f"saved-{line.key}",
        )

    def _also(self, lines: tuple[AmazonOrderLine, ...]) -> tuple[Widget, ...]:
        in_cart = {line.product.id for line in lines}
        others = [other for line in lines for other in similar(line.product, 4) if other.id not in in_cart]
        tiles = [tile(other, self.page.opens(other)) for other in dict.fromkeys(others)]
        if not tiles:
            return ()
        row = ScrollView(id="also_row", horizontal=True, width=MATCH, height=186, gap=12, children=tiles[:8])
        return (card(heading("Recommended based on your cart"), row),)


class CartActivity(AmazonPage):
    """The cart as a separate page, opened from a product."""

    place = "Cart"

    def on_create(self) -> None:
        """Open the cart."""
        self.cart = AmazonCartView(self)

    def content(self) -> Widget:
        """Return the cart."""
        return self.cart.view()
