"""The user's lists: the overview, and the items of a list."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.amazon import names
from garabench.virtual.apps.amazon.cards import photo, slim_line
from garabench.virtual.apps.amazon.cart import items_text
from garabench.virtual.apps.amazon.content import AmazonProduct
from garabench.virtual.apps.amazon.list_sheets import ListChooser, ListForm
from garabench.virtual.apps.amazon.page import AmazonPage
from garabench.virtual.apps.amazon.theme import (
    INK,
    INK_2,
    LINE,
    PALE,
    TEAL,
    WHITE,
    YELLOW,
    button,
    chip,
    icon_button,
    link,
    message_page,
    page_title,
    small_button,
)
from garabench.virtual.apps.amazon.user_data import WishList
from garabench.virtual.ui.widgets import (
    MATCH,
    Column,
    Icon,
    Row,
    ScrollView,
    Text,
    TextField,
    Widget,
    insets,
)


class WishListsActivity(AmazonPage):
    """All lists."""

    place = "You"

    def create(self) -> None:
        """Create a list and open it."""

        def create(name: str, private: bool) -> None:
            self.ctx.open(names.LIST, list=self.store.create_list(name, private))

        self.sheet = ListForm(self, "Create a list", create).view
        self.ctx.focus("list_name_field")

    def content(self) -> Widget:
        """Return the lists, in the order of creation."""
        create = link("Create a List", self.create, rid="create_list")
        lists = self.store.lists()
        if not lists:
            body: Widget = message_page(
                "format-list-bulleted",
                "You have no lists",
                "Keep what you like in one place.",
                button("Create a List", self.create, rid="create_first_list"),
            )
        else:
            body = ScrollView(
                id="list_of_lists", width=MATCH, height=MATCH, weight=1, children=[*map(self._row, lists)]
            )
        return Column(width=MATCH, height=MATCH, weight=1, children=(page_title("Your Lists", create), body))

    def _row(self, wish_list: WishList) -> Widget:
        default = wish_list.id == self.store.default_list
        visibility = "Private" if wish_list.private else "Shared"
        note = f"{visibility} · {items_text(len(wish_list.items))}" + (" · Default list" if default else "")
        picture: Widget = (
            photo(wish_list.items[0], 64.0)
            if wish_list.items
            else Widget(width=64, height=64, background=PALE, radius=4, important=False)
        )
        return Row(
            id="list_row",
            key=wish_list.id,
            width=MATCH,
            height=92,
            gap=12,
            padding=insets(14, 0),
            background=WHITE,
            border=LINE,
            border_width=0.5,
            on_click=self.opens_page(names.LIST, list=wish_list.id),
            children=(
                picture,
                Column(
                    weight=1,
                    gap=4,
                    children=(
                        Text(id="list_name", text=wish_list.name, size=16, bold=True, color=INK, max_lines=1),
                        Text(id="list_note", text=note, size=13, color=INK_2, max_lines=1),
                    ),
                ),
                Icon(name="chevron_right", size=20, color=INK_2, important=False),
            ),
        )


class WishListItemsActivity(AmazonPage):
    """The items of a list."""

    place = "You"

    def on_create(self) -> None:
        """Read the list from the intent."""
        self.list_id = str(self.intent.extras.get("list", ""))
        self.text = ""

    @property
    def wish_list(self) -> WishList | None:
        """The list, while it exists."""
        return self.store.wish_list(self.list_id)

    def show(self, list_id: str) -> None:
        """Show another list."""
        self.list_id = list_id
        self.text = ""
        self.ctx.scroll_to("list_items")

    def type_text(self, text: str) -> None:
        """Filter the list by the text."""
        self.text = text

    def manage(self, wish_list: WishList, what: str) -> None:
        """Perform an action of the list's menu."""
        match what:
            case "edit":

                def done(name: str, private: bool) -> None:
                    self.store.edit_list(wish_list.id, name=name, private=private)

                form = ListForm(self, "List settings", done, name=wish_list.name, private=wish_list.private)
                self.sheet = form.view
            case "default":
                self.store.set_default_list(wish_list.id)
                self.ctx.toast(f"{wish_list.name} is your default list")
            case "share":
                self.ctx.toast("Link copied")
            case _:
                self.asks(
                    f"Delete {wish_list.name}?",
                    "Delete",
                    partial(self._delete, wish_list),
                    note="Its items are removed, too.",
                )()

    def _delete(self, wish_list: WishList) -> None:
        self.store.delete_list(wish_list.id)
        self.ctx.toast("List deleted")
        self.ctx.finish()

    def add(self, product: AmazonProduct) -> None:
        """Add the product to the cart."""
        self.store.add_to_cart(product, product.default, 1)
        self.ctx.toast("Added to Cart")

    def remove(self, wish_list: WishList, product: AmazonProduct) -> None:
        """Remove a product from the list."""
        self.store.set_on_list(wish_list.id, product, wanted=False)
        self.ctx.toast("Deleted")

    def move(self, wish_list: WishList, product: AmazonProduct) -> None:
        """Open the choice of another list for a product."""

        def done(list_id: str) -> None:
            if list_id != wish_list.id:
                self.store.set_on_list(wish_list.id, product, wanted=False)
                self.store.set_on_list(list_id, product)
            target = self.store.wish_list(list_id)
            self.ctx.toast(f"Moved to {target.name}" if target else "")

        self.sheet = ListChooser(self, product, done, title="Move to List").view

    def content(self) -> Widget:
        """Return the list."""
        wish_list = self.wish_list
        if wish_list is None:
            return message_page("format-list-bulleted", "This list does not exist")
        choices = [
            ("edit", "Manage list"),
            ("default", "Make this the default list"),
            ("share", "Share list with others"),
            ("delete", "Delete list"),
        ]
        more = icon_button(
            "dots-horizontal",
            rid="list_menu",
            desc="More options",
            on_click=self.chooses(
                wish_list.name, choices, "", partial(self.manage, wish_list), rid="list_action"
            ),
        )
        wanted = self.text.casefold().split()
        items = [item for item in wish_list.items if all(word in item.title.casefold() for word in wanted)]
        field = TextField(
            id="list_search",
            text=self.text,
            hint="Search this list",
            size=14,
            color=INK,
            width=MATCH,
            height=42,
            radius=8,
            background=PALE,
            padding=insets(12, 0),
            on_change=self.type_text,
            action="search",
            on_submit=self.ctx.hide_keyboard,
        )
        visibility = Text(
            id="list_privacy_text",
            text=f"{'Private' if wish_list.private else 'Shared'} · {items_text(len(wish_list.items))}",
            size=13,
            color=INK_2,
        )
        header = Column(
            width=MATCH, gap=8, padding=insets(16, 0, 16, 10), background=WHITE, children=(visibility, field)
        )
        if wish_list.items:
            rows = [self._row(wish_list, item) for item in items]
            nothing = Text(text="No items match", size=14, color=INK_2, padding=insets(16, 20))
            body: Widget = ScrollView(
                id="list_items", width=MATCH, height=MATCH, weight=1, children=rows or [nothing]
            )
        else:
            body = message_page(
                "heart", "This list is empty", "Tap Add to List on a product to keep it here."
            )
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(self._strip(), page_title(wish_list.name, more, rid="list_title"), header, body),
        )

    def _strip(self) -> Widget:
        """Return all lists with their numbers of items, the open one first."""
        lists = sorted(self.store.lists(), key=lambda wish_list: wish_list.id != self.list_id)
        return ScrollView(
            id="list_strip",
            horizontal=True,
            width=MATCH,
            height=50,
            gap=8,
            padding=insets(16, 8, 16, 0),
            background=WHITE,
            children=[
                chip(
                    f"{other.name} · {len(other.items)}",
                    other.id == self.list_id,
                    partial(self.show, other.id),
                    rid="list_chip",
                )
                for other in lists
            ],
        )

    def _row(self, wish_list: WishList, product: AmazonProduct) -> Widget:
        actions = Row(
            width=MATCH,
            wrap=True,
            gap=8,
            children=(
                small_button(
                    "Add to Cart",
                    self.if_online(partial(self.add, product)),
                    rid="list_add_to_cart",
                    color=YELLOW,
                ),
                small_button(
                    "Move",
                    partial(self.move, wish_list, product),
                    rid="list_move",
                    desc=f"Move {product.title}",
                ),
                Text(
                    id="list_delete",
                    text="Delete",
                    desc=f"Delete {product.title}",
                    size=13,
                    color=TEAL,
                    padding=insets(8, 8),
                    on_click=partial(self.remove, wish_list, product),
                ),
            ),
        )
        return slim_line(product, self.opens(product), rid="list_item", trailing=(actions,))
