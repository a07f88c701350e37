"""A product's page."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.amazon import content, names
from garabench.virtual.apps.amazon.cards import photo
from garabench.virtual.apps.amazon.cart import items_text
from garabench.virtual.apps.amazon.content import AmazonProduct, price_text
from garabench.virtual.apps.amazon.dialogs import sheet
from garabench.virtual.apps.amazon.list_sheets import ListChooser
from garabench.virtual.apps.amazon.page import AmazonPage
from garabench.virtual.apps.amazon.product_sections import (
    about,
    gallery,
    options_of,
    price_box,
    question_box,
    related,
    review_box,
    specs_box,
    title_box,
)
from garabench.virtual.apps.amazon.theme import (
    GREEN,
    INK,
    INK_2,
    ORANGE,
    PALE,
    TEAL,
    WHITE,
    button,
    card,
    icon_button,
    message_page,
)
from garabench.virtual.apps.amazon.user_data import WishList
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Icon,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
)

_COUNTS = 10
SEPARATOR = " | "


class ProductDetailsActivity(AmazonPage):
    """The page of a listing."""

    def on_create(self) -> None:
        """Open the listing from the intent, with its default options."""
        self.product: AmazonProduct | None = content.products().get(
            str(self.intent.extras.get("product", ""))
        )
        self.options = self.product.default if self.product else ()
        self.count = 1
        self.picture = 0
        self.place_id = ""
        if self.product is not None and self.loaded:
            self.store.visit(self.product)

    # State

    def choose(self, place: int, value: str) -> None:
        """Choose an option."""
        self.options = (*self.options[:place], value, *self.options[place + 1 :])

    def set_count(self, value: str) -> None:
        """Set the quantity."""
        self.count = int(value)

    def next_picture(self) -> None:
        """Show the next picture."""
        self.picture = (self.picture + 1) % 4

    def add(self, product: AmazonProduct) -> None:
        """Add the product to the cart and confirm it."""
        self.store.add_to_cart(product, self.options, self.count)
        self.sheet = partial(self._added, product)

    def buy(self, product: AmazonProduct) -> None:
        """Order the product immediately."""
        chosen = SEPARATOR.join(self.options)
        extras = {
            "product": product.id,
            "options": chosen,
            "count": str(self.count),
            "address": self.place_id,
        }
        self.ctx.open(names.CHECKOUT, **extras)

    def save_to_list(self, product: AmazonProduct, list_id: str) -> None:
        """Add the product to a list and confirm it."""
        self.store.set_on_list(list_id, product)
        wish_list = self.store.wish_list(list_id)
        if wish_list is not None:
            self.sheet = partial(self._saved_sheet, wish_list)

    def choose_list(self, product: AmazonProduct) -> None:
        """Open the choice of a list for the product."""
        self.sheet = ListChooser(self, product, partial(self.save_to_list, product)).view

    def list_button(self, product: AmazonProduct, lists: tuple[WishList, ...]) -> None:
        """Add the product to a list, or open the list that contains it."""
        if lists:
            self.ctx.open(names.LIST, list=lists[0].id)
        else:
            self.choose_list(product)

    def choose_address(self) -> None:
        """Open the choice of the delivery address."""
        choices = [(address.id, f"{address.name}, {address.place}") for address in self.store.addresses()]
        chosen = self.place_id or (choices[0][0] if choices else "")

        def select(address_id: str) -> None:
            self.place_id = address_id

        self.chooses("Choose your location", choices, chosen, select, rid="address_choice")()

    # The page

    def content(self) -> Widget:
        """Return the page."""
        product = self.product
        if product is None:
            return message_page("package-variant", "Sorry, we couldn't find that page")
        lists = self.store.lists_of(product)
        share = icon_button(
            "share", rid="share_button", desc="Share", color=INK_2, on_click=self.toasting("Link copied")
        )
        heart = icon_button(
            "heart_filled" if lists else "heart",
            rid="heart_button",
            desc="Saved to list" if lists else "Save to list",
            color="#CC0C39" if lists else INK_2,
            selected=bool(lists),
            on_click=partial(self.choose_list, product),
        )
        return ScrollView(
            id="product_scroll",
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                card(
                    title_box(self, product),
                    gallery(product, self.picture, self.next_picture),
                    Row(width=MATCH, justify=Align.END, children=(heart, share)),
                    gap=10,
                ),
                *((options_of(self, product, self.options, self.choose),) if product.options else ()),
                card(
                    price_box(product, self.options),
                    self._delivery(),
                    Text(id="availability", text="In Stock", size=18, color=GREEN),
                    self._quantity(),
                    button(
                        "Add to Cart", self.if_online(partial(self.add, product)), rid="add-to-cart-button"
                    ),
                    *(
                        (
                            button(
                                "Buy Now",
                                self.if_online(partial(self.buy, product)),
                                rid="buy-now-button",
                                color=ORANGE,
                            ),
                        )
                        if self.store.setting("buy_now", True)
                        else ()
                    ),
                    self._seller(product),
                    self._list_row(product, lists),
                    gap=10,
                ),
                about(product),
                specs_box(product),
                question_box(self, product),
                review_box(self, product),
                related(self, product),
            ),
        )

    def _delivery(self) -> Widget:
        address = self.store.address(self.place_id) or next(iter(self.store.addresses()), None)
        words = (
            f"Deliver to {address.name.split()[0]} - {address.city} {address.zip}"
            if address
            else "Choose your location"
        )
        return Row(
            id="contextualIngressPt",
            width=MATCH,
            gap=4,
            padding=insets(0, 4),
            on_click=self.choose_address if address else self.opens_page(names.ADDRESSES),
            children=(
                Icon(name="location", size=17, color=INK, important=False),
                Text(id="contextualIngressPtLabel", text=words, size=14, color=TEAL),
            ),
        )

    def _quantity(self) -> Widget:
        choices = [(str(count), str(count)) for count in range(1, _COUNTS + 1)]
        return Row(
            id="quantity_dropdown",
            desc=f"Quantity {self.count}",
            height=42,
            gap=8,
            radius=8,
            padding=insets(14, 0),
            background=PALE,
            border="#D5D9D9",
            align_self=Align.START,
            on_click=self.chooses(
                "Quantity", choices, str(self.count), self.set_count, rid="quantity_choice"
            ),
            children=(
                Text(text="Quantity:", size=14, color=INK_2),
                Text(id="quantity", text=str(self.count), size=15, bold=True, color=INK),
                Icon(name="chevron_down", size=18, color=INK_2, important=False),
            ),
        )

    def _seller(self, product: AmazonProduct) -> Widget:
        sender = "Amazon.com" if product.prime else product.seller
        rows = (("Ships from", sender), ("Sold by", product.seller), ("Payment", "Secure transaction"))
        return Column(
            width=MATCH,
            gap=4,
            children=[
                Row(
                    key=name,
                    width=MATCH,
                    children=(
                        Text(text=name, size=13, color=INK_2, width=100),
                        Text(id="merchant" if name == "Sold by" else "", text=value, size=13, color=INK),
                    ),
                )
                for name, value in rows
            ],
        )

    def _list_row(self, product: AmazonProduct, lists: tuple[WishList, ...]) -> Widget:
        label = "View List" if lists else "Add to List"
        return Row(
            width=MATCH,
            gap=8,
            children=(
                button(
                    label,
                    partial(self.list_button, product, lists),
                    rid="wishlistButtonViewStack",
                    desc=f"{label}, {lists[0].name}" if lists else label,
                    color=WHITE,
                    weight=1,
                ),
                icon_button(
                    "chevron_down",
                    rid="wishlist_chooser",
                    desc="Choose a list",
                    background=PALE,
                    on_click=partial(self.choose_list, product),
                ),
            ),
        )

    # Sheets

    def _added(self, product: AmazonProduct) -> Widget:
        subtotal = sum(line.total for line in self.store.cart() if line.selected)
        pieces = self.store.pieces
        header = Row(
            width=MATCH,
            gap=12,
            padding=insets(16, 14, 16, 4),
            children=(
                photo(product, 64.0),
                Column(
                    weight=1,
                    gap=4,
                    children=(
                        Row(
                            gap=6,
                            children=(
                                Icon(name="check-circle", size=20, color=GREEN, important=False),
                                Text(
                                    id="added_message",
                                    text="Added to your cart",
                                    size=16,
                                    bold=True,
                                    color=GREEN,
                                ),
                            ),
                        ),
                        Text(id="added_title", text=product.title, size=13, color=INK, max_lines=1),
                        Text(
                            id="added_options",
                            text=SEPARATOR.join(self.options),
                            size=12,
                            color=INK_2,
                            visible=bool(self.options),
                        ),
                    ),
                ),
            ),
        )
        total = Text(text=f"Cart subtotal ({items_text(pieces)}): {price_text(subtotal)}", size=14, color=INK)
        body = Column(
            width=MATCH,
            gap=10,
            padding=insets(16, 6, 16, 4),
            children=(
                total,
                button(
                    f"Proceed to checkout ({items_text(pieces)})",
                    self.closing(self.opens_page(names.CHECKOUT)),
                    rid="added_checkout",
                ),
                button(
                    "Go to Cart",
                    self.closing(self.opens_page(names.CART)),
                    rid="added_go_to_cart",
                    color=WHITE,
                ),
            ),
        )
        return sheet("Cart", self.on_dismiss_dialog, header, body, rid="added_sheet")

    def _saved_sheet(self, wish_list: WishList) -> Widget:
        body = Column(
            width=MATCH,
            gap=12,
            padding=insets(16, 14, 16, 4),
            children=(
                Row(
                    gap=6,
                    children=(
                        Icon(name="check-circle", size=20, color=GREEN, important=False),
                        Text(
                            id="kept_message",
                            text=f"Added to {wish_list.name}",
                            size=16,
                            bold=True,
                            color=INK,
                        ),
                    ),
                ),
                button(
                    "View List",
                    self.closing(self.opens_page(names.LIST, list=wish_list.id)),
                    rid="kept_view_list",
                ),
                button("Continue shopping", self.on_dismiss_dialog, rid="kept_continue", color=WHITE),
            ),
        )
        return sheet("List", self.on_dismiss_dialog, body, rid="kept_sheet")
