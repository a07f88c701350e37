"""Search results: sort order, filters and product rows."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from garabench.virtual.apps.amazon.cards import result_line
from garabench.virtual.apps.amazon.content import AmazonProduct
from garabench.virtual.apps.amazon.filters import AmazonFilterSheet
from garabench.virtual.apps.amazon.page import AmazonPage
from garabench.virtual.apps.amazon.search_index import AmazonFilters, AmazonSortOrder, arrange, search
from garabench.virtual.apps.amazon.theme import (
    BACKGROUND,
    INK,
    INK_2,
    LINE,
    STAR,
    WHITE,
    YELLOW,
    button,
    chip,
    message_page,
    small_button,
)
from garabench.virtual.kit.framework import Intent
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    ListView,
    ProgressBar,
    ScrollView,
    Text,
    Widget,
    divider,
    insets,
)

SEARCH_MS = 300
_PAGE_SIZE = 8
_SHEET_ROOM = 120
"""Height of the page above the filter sheet, in dp."""


class AmazonSearchResultsActivity(AmazonPage):
    """The results of a query."""

    def on_create(self) -> None:
        """Run the search from the intent."""
        self.query = str(self.intent.extras.get("query", ""))
        self.dept = str(self.intent.extras.get("dept", ""))
        self.sort = AmazonSortOrder.FEATURED
        self.active_filters = AmazonFilters()
        self.shown = _PAGE_SIZE
        self._load()

    def on_new_intent(self, intent: Intent) -> None:
        """Run another search."""
        self.intent = intent
        self.on_create()

    def _load(self) -> None:
        self.searching = self.loaded
        if self.searching:
            self.ctx.after(SEARCH_MS, self._found)

    def _found(self) -> None:
        self.searching = False

    def retry(self) -> None:
        """Repeat the search."""
        super().retry()
        self._load()

    @property
    def found(self) -> tuple[AmazonProduct, ...]:
        """All products that match the query."""
        return search(self.query, self.dept)

    def apply_filters(self, filters: AmazonFilters, sort: AmazonSortOrder) -> None:
        """Set filters and sort order."""
        self.active_filters, self.sort, self.shown = filters, sort, _PAGE_SIZE
        self.sheet = None
        self.ctx.scroll_to("rs_results_list")

    def load_more(self) -> None:
        """Load the next page of the list."""
        self.shown += _PAGE_SIZE

    def open_filters(self) -> None:
        """Show the filters."""
        height = max(240.0, self.ctx.height_dp - _SHEET_ROOM)
        sheet = AmazonFilterSheet(
            self.found, self.active_filters, self.sort, self.apply_filters, self.on_dismiss_dialog, height
        )
        self.sheet = sheet.view

    def choose_sort(self) -> None:
        """Open the choice of the sort order."""

        def select(value: str) -> None:
            self.apply_filters(self.active_filters, AmazonSortOrder(value))

        choices = [(sort.value, sort.value) for sort in AmazonSortOrder]
        self.chooses("Sort by", choices, self.sort.value, select, rid="sort_choice")()

    def add(self, product: AmazonProduct) -> None:
        """Add one item to the cart with its default options."""
        self.store.add_to_cart(product, product.default, 1)
        self.ctx.toast("Added to Cart")

    def bar(self) -> Widget:
        """Return the bar with the query."""
        return self.search_bar(self.query or self.dept, back=True)

    def content(self) -> Widget:
        """Return the filters above the list."""
        if self.searching:
            spinner = ProgressBar(
                circular=True,
                color=STAR,
                width=36,
                height=36,
                align_self=Align.CENTER,
                align_vertical=Align.CENTER,
            )
            return Box(
                id="loading", width=MATCH, height=MATCH, weight=1, background=WHITE, children=(spinner,)
            )
        found = self.found
        if not found:
            return message_page(
                "magnify",
                f"No results for {self.query}",
                "Try checking your spelling or use more general terms.",
                rid="no_results",
            )
        matching = arrange(found, self.sort, self.active_filters)
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(self._quick(), divider(LINE), self._list(matching)),
        )

    def _quick(self) -> Widget:
        filters = self.active_filters
        stars = replace(filters, stars=0 if filters.stars == 4 else 4)
        return ScrollView(
            id="refinement_bar",
            horizontal=True,
            width=MATCH,
            height=52,
            gap=8,
            background=WHITE,
            padding=insets(12, 7),
            children=(
                chip(
                    f"Filters ({filters.active})" if filters.active else "Filters",
                    bool(filters.active),
                    self.open_filters,
                    rid="filter_button",
                ),
                chip(
                    "Sort by" if self.sort is AmazonSortOrder.FEATURED else self.sort.value,
                    self.sort is not AmazonSortOrder.FEATURED,
                    self.choose_sort,
                    rid="sort_button",
                ),
                chip(
                    "Prime",
                    filters.prime,
                    partial(self.apply_filters, replace(filters, prime=not filters.prime), self.sort),
                    rid="quick_filter",
                ),
                chip(
                    "4 Stars & Up",
                    filters.stars == 4,
                    partial(self.apply_filters, stars, self.sort),
                    rid="quick_filter",
                ),
                chip(
                    "Today's Deals",
                    filters.deals,
                    partial(self.apply_filters, replace(filters, deals=not filters.deals), self.sort),
                    rid="quick_filter",
                ),
            ),
        )

    def _list(self, matching: tuple[AmazonProduct, ...]) -> Widget:
        if not matching:
            return message_page(
                "filter",
                "No results match your filters",
                "",
                button(
                    "Clear filters",
                    partial(self.apply_filters, AmazonFilters(), self.sort),
                    rid="clear_filters",
                    color=YELLOW,
                ),
            )

        def line(product: AmazonProduct, _: int) -> Widget:
            if product.options and len(product.options[0].values) > 1:
                action = small_button("See options", self.opens(product), rid="see_options", color=YELLOW)
            else:
                action = small_button(
                    "Add to cart",
                    self.if_online(partial(self.add, product)),
                    rid="add_to_cart_inline",
                    color=YELLOW,
                )
            return result_line(product, self.opens(product), action=action)

        return ListView(
            id="rs_results_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            background=BACKGROUND,
            header=(self._count(len(matching)),),
            items=matching[: self.shown],
            build=line,
            on_end=self.load_more if self.shown < len(matching) else None,
        )

    def _count(self, number: int) -> Widget:
        return Column(
            id="result_count",
            width=MATCH,
            padding=insets(14, 10),
            gap=2,
            background=WHITE,
            children=(
                Text(id="result_count_text", text=f"{number} results", size=13, color=INK_2),
                Text(text="Results", size=17, bold=True, color=INK),
            ),
        )
