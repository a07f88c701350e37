"""Sheets about lists: choose a list for a product, create one, rename one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from garabench.virtual.apps.amazon.content import AmazonProduct
from garabench.virtual.apps.amazon.dialogs import sheet
from garabench.virtual.apps.amazon.page import AmazonPage
from garabench.virtual.apps.amazon.theme import (
    INK,
    INK_2,
    PALE,
    TEAL_DEEP,
    WHITE,
    button,
    mark_row,
)
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

MAX_NAME = 50
_ROW = 52
_VISIBLE_ROWS = 6


class ListForm:
    """The form for a list's name and visibility, for a new or an existing list."""

    def __init__(
        self,
        page: AmazonPage,
        title: str,
        done: Callable[[str, bool], None],
        *,
        name: str = "",
        private: bool = True,
    ) -> None:
        self.page = page
        self.title = title
        self.done = done
        self.name = name
        self.private = private
        self.new = not name

    def type_name(self, text: str) -> None:
        """Handle a change of the name."""
        self.name = text[:MAX_NAME]

    def set_private(self, private: bool) -> None:
        """Choose the visibility."""
        self.private = private

    def save(self) -> None:
        """Validate and save the list."""
        name = " ".join(self.name.split())
        if not name:
            self.page.ctx.toast("Enter a name for your list")
            return
        self.page.sheet = None
        self.page.ctx.hide_keyboard()
        self.done(name, self.private)

    def view(self) -> Widget:
        """Return the sheet."""
        who = [
            mark_row(label, self.private is private, partial(self.set_private, private), rid="list_privacy")
            for label, private in (("Private", True), ("Shared", False))
        ]
        body = Column(
            width=MATCH,
            gap=10,
            padding=insets(16, 14, 16, 4),
            children=(
                Text(text="List name", size=14, bold=True, color=INK),
                TextField(
                    id="list_name_field",
                    text=self.name,
                    hint="Shopping List",
                    size=16,
                    color=INK,
                    width=MATCH,
                    height=46,
                    radius=8,
                    background=PALE,
                    padding=insets(12, 0),
                    on_change=self.type_name,
                    on_submit=self.save,
                ),
                Text(text="Privacy", size=14, bold=True, color=INK),
                *who,
                button("Create List" if self.new else "Save changes", self.save, rid="list_save"),
            ),
        )
        return sheet(self.title, self.page.on_dismiss_dialog, body, rid="list_form")


class ListChooser:
    """The sheet for choosing a product's list."""

    def __init__(
        self,
        page: AmazonPage,
        product: AmazonProduct,
        done: Callable[[str], None],
        title: str = "Add to List",
    ) -> None:
        self.page = page
        self.product = product
        self.done = done
        self.title = title

    def create(self) -> None:
        """Create a list and select it."""

        def create(name: str, private: bool) -> None:
            self.done(self.page.store.create_list(name, private))

        self.page.sheet = ListForm(self.page, "Create a list", create).view
        self.page.ctx.focus("list_name_field")

    def choose(self, list_id: str) -> None:
        """Select a list."""
        self.page.sheet = None
        self.done(list_id)

    def view(self) -> Widget:
        """Return the sheet."""
        rows = [
            Row(
                id="list_choice",
                key=wish_list.id,
                width=MATCH,
                height=_ROW,
                gap=12,
                padding=insets(16, 0),
                background=WHITE,
                on_click=partial(self.choose, wish_list.id),
                children=(
                    Icon(name="format-list-bulleted", size=22, color=INK_2, important=False),
                    Text(
                        id="list_choice_name", text=wish_list.name, size=16, color=INK, weight=1, max_lines=1
                    ),
                    *(
                        (Icon(name="check", size=20, color=TEAL_DEEP, important=False),)
                        if self.product in wish_list.items
                        else ()
                    ),
                ),
            )
            for wish_list in self.page.store.lists()
        ]
        rows.append(
            Row(
                id="list_create",
                key="create",
                width=MATCH,
                height=_ROW,
                gap=12,
                padding=insets(16, 0),
                background=WHITE,
                on_click=self.create,
                children=(
                    Icon(name="plus", size=22, color=TEAL_DEEP, important=False),
                    Text(text="Create a List", size=16, color=TEAL_DEEP),
                ),
            )
        )
        body: Widget = Column(width=MATCH, children=rows)
        if len(rows) > _VISIBLE_ROWS:
            body = ScrollView(id="list_choices", width=MATCH, height=_ROW * _VISIBLE_ROWS, children=rows)
        return sheet(self.title, self.page.on_dismiss_dialog, body, rid="list_chooser")
