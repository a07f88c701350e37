"""The search page: recent searches and suggestions."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.amazon import content, names
from garabench.virtual.apps.amazon.page import HINT, AmazonPage
from garabench.virtual.apps.amazon.search_index import suggestions
from garabench.virtual.apps.amazon.theme import BAR, INK, INK_2, INK_3, LINE, WHITE, icon_button
from garabench.virtual.ui.widgets import (
    MATCH,
    Column,
    Icon,
    ListView,
    Row,
    Text,
    TextField,
    Widget,
    insets,
)


class AmazonSearchActivity(AmazonPage):
    """The search page; the results are on a separate page."""

    needs_network = False

    def on_create(self) -> None:
        """Start with the text from the intent."""
        self.text = str(self.intent.extras.get("text", ""))

    def change(self, text: str) -> None:
        """Handle a change of the field's text."""
        self.text = text

    def clear(self) -> None:
        """Clear the field."""
        self.text = ""
        self.ctx.focus("rs_search_src_text")

    def submit(self) -> None:
        """Search for the typed text."""
        query = " ".join(self.text.split())
        if query:
            self.search(query)

    def search(self, query: str) -> None:
        """Replace this page with the results."""
        self.store.add_search(query)
        self.ctx.hide_keyboard()
        self.ctx.finish()
        names.open_results(self.ctx, query)

    def fill_in(self, phrase: str) -> None:
        """Copy a suggestion to the field for further typing."""
        self.text = f"{phrase} "
        self.ctx.focus("rs_search_src_text")

    def bar(self) -> Widget:
        """Return the field."""
        field = TextField(
            id="rs_search_src_text",
            text=self.text,
            hint=HINT,
            size=16,
            color=INK,
            weight=1,
            height=42,
            on_change=self.change,
            on_submit=self.submit,
            action="search",
            autofocus=True,
        )
        clear = icon_button(
            "close",
            rid="rs_clear_text_button_accessibility",
            desc="Clear",
            color=INK_2,
            size=20,
            on_click=self.clear,
        )
        box = Row(
            id="chrome_search_box",
            weight=1,
            height=42,
            radius=10,
            gap=8,
            background=WHITE,
            border="#B9C6C8",
            border_width=0.8,
            padding=insets(10, 0, 0, 0),
            children=(
                Icon(name="search", size=22, color=INK, important=False),
                field,
                *((clear,) if self.text else ()),
            ),
        )
        back = icon_button("arrow-back", rid="chrome_action_bar_back_icon", desc="Back", on_click=self.leave)
        return Row(
            id="chrome_action_bar",
            width=MATCH,
            height=58,
            gap=2,
            padding=insets(2, 0, 12, 0),
            background=BAR,
            children=(back, box),
        )

    def bottom(self) -> Widget:
        """Return None: the keyboard covers the tabs."""
        return Widget(height=0, important=False)

    def content(self) -> Widget:
        """Return suggestions, or recent searches."""
        typed = self.text.strip()
        rows = [(phrase, "magnify") for phrase in suggestions(typed)]
        if not typed:
            earlier = self.store.searches()
            rows = [(phrase, "history") for phrase in earlier]
            trending = content.load("home")["trending"]
            rows += [(phrase, "trending-up") for phrase in trending if phrase not in earlier]
        return ListView(
            id="iss_search_suggestions_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            background=WHITE,
            items=rows,
            build=self._row,
            item_height=50,
        )

    def _row(self, row: tuple[str, str], _: int) -> Widget:
        phrase, icon = row
        if icon == "history":
            action = icon_button(
                "close",
                rid="iss_search_dropdown_item_delete",
                desc=f"Remove {phrase}",
                color=INK_3,
                size=18,
                on_click=partial(self.store.delete_search, phrase),
            )
        else:
            action = icon_button(
                "arrow_top_left",
                rid="iss_search_dropdown_item_query_builder",
                desc=f"Append {phrase}",
                color=INK_3,
                size=20,
                on_click=partial(self.fill_in, phrase),
            )
        return Row(
            id="iss_search_dropdown_item",
            key=phrase,
            width=MATCH,
            height=50,
            gap=14,
            padding=insets(16, 0, 6, 0),
            border=LINE,
            border_width=0.4,
            on_click=partial(self.search, phrase),
            children=(
                Icon(name=icon, size=20, color=INK_2, important=False),
                Column(
                    weight=1,
                    children=(
                        Text(
                            id="iss_search_dropdown_item_text", text=phrase, size=16, color=INK, max_lines=1
                        ),
                    ),
                ),
                action,
            ),
        )
