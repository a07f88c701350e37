"""The sheet that filters and sorts results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from garabench.virtual.apps.amazon.content import AmazonProduct
from garabench.virtual.apps.amazon.search_index import (
    AmazonFilters,
    AmazonSortOrder,
    arrange,
    brands_of,
    colors_of,
    departments_of,
)
from garabench.virtual.apps.amazon.theme import INK, INK_2, LINE, PALE, TEAL, WHITE, YELLOW, button, chip
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Handler,
    Row,
    ScrollView,
    Text,
    TextField,
    Widget,
    divider,
    insets,
    spacer,
)

_STARS = (4, 3, 2, 1)
_RANGES = ((None, 2500), (2500, 5000), (5000, 10000), (10000, 20000), (20000, None))
_DIGITS = 6


def range_label(lowest: int | None, highest: int | None) -> str:
    """Return a price range as the app displays it."""
    if lowest is None:
        return f"Under ${(highest or 0) // 100}"
    if highest is None:
        return f"${lowest // 100} & Above"
    return f"${lowest // 100} to ${highest // 100}"


class AmazonFilterSheet:
    """The sheet's unconfirmed filters; Show results applies them."""

    def __init__(
        self,
        found: Sequence[AmazonProduct],
        filters: AmazonFilters,
        sort: AmazonSortOrder,
        done: Callable[[AmazonFilters, AmazonSortOrder], None],
        close: Handler,
        height: float,
    ) -> None:
        self.found = found
        self.filters = filters
        self.sort = sort
        self.done = done
        self.close = close
        self.height = height
        self.lowest = "" if filters.lowest is None else str(filters.lowest // 100)
        self.highest = "" if filters.highest is None else str(filters.highest // 100)

    # State

    def set_sort(self, sort: AmazonSortOrder) -> None:
        """Choose the sort order."""
        self.sort = sort

    def change(self, **changes: object) -> None:
        """Change some of the filters."""
        self.filters = replace(self.filters, **changes)  # type: ignore[arg-type]

    def toggle_brand(self, brand: str) -> None:
        """Toggle a brand."""
        self.filters = replace(self.filters, brands=self.filters.brands ^ {brand})

    def toggle_color(self, color: str) -> None:
        """Toggle a colour."""
        self.filters = replace(self.filters, colors=self.filters.colors ^ {color})

    def set_stars(self, number: int) -> None:
        """Set the minimum number of stars; the same again clears it."""
        self.filters = replace(self.filters, stars=0 if self.filters.stars == number else number)

    def set_range(self, lowest: int | None, highest: int | None) -> None:
        """Set a price range; the same again clears it."""
        same = (self.filters.lowest, self.filters.highest) == (lowest, highest)
        ends = (None, None) if same else (lowest, highest)
        self.filters = replace(self.filters, lowest=ends[0], highest=ends[1])
        self.lowest = "" if ends[0] is None else str(ends[0] // 100)
        self.highest = "" if ends[1] is None else str(ends[1] // 100)

    def type_price(self, end: str, text: str) -> None:
        """Handle a change of one end of the price range."""
        digits = "".join(filter(str.isdecimal, text))[:_DIGITS]
        value = int(digits) * 100 if digits else None
        if end == "lowest":
            self.lowest = digits
            self.filters = replace(self.filters, lowest=value)
        else:
            self.highest = digits
            self.filters = replace(self.filters, highest=value)

    def clear(self) -> None:
        """Clear the filters."""
        self.filters = AmazonFilters()
        self.lowest = self.highest = ""

    def show(self) -> None:
        """Apply the filters."""
        self.done(self.filters, self.sort)

    # The sheet

    def view(self) -> Widget:
        """Return the sheet."""
        found, filters = self.found, self.filters
        count = len(arrange(found, self.sort, filters))
        header = Row(
            width=MATCH,
            height=52,
            padding=insets(16, 0),
            children=(
                Text(id="sheet_title", text="Filters", size=18, bold=True, color=INK),
                spacer(),
                Text(
                    id="filter_clear",
                    text="Clear all",
                    size=14,
                    color=TEAL,
                    padding=insets(8, 10),
                    on_click=self.clear,
                ),
                Text(
                    id="sheet_close",
                    text="Close",
                    size=14,
                    color=TEAL,
                    padding=insets(8, 10),
                    on_click=self.close,
                ),
            ),
        )
        orders = [
            chip(sort.value, sort is self.sort, partial(self.set_sort, sort), rid="sort_option")
            for sort in AmazonSortOrder
        ]
        groups = [
            self._group("Sort by", orders),
            self._group(
                "Delivery & Deals",
                [
                    chip(
                        "Prime",
                        filters.prime,
                        lambda: self.change(prime=not filters.prime),
                        rid="filter_option",
                    ),
                    chip(
                        "Today's Deals",
                        filters.deals,
                        lambda: self.change(deals=not filters.deals),
                        rid="filter_option",
                    ),
                ],
            ),
            self._group(
                "Department",
                [
                    chip(
                        name,
                        name == filters.dept,
                        partial(self.change, dept="" if name == filters.dept else name),
                        rid="filter_option",
                    )
                    for name in departments_of(found)
                ],
            ),
            self._group(
                "Brands",
                [
                    chip(name, name in filters.brands, partial(self.toggle_brand, name), rid="filter_option")
                    for name in brands_of(found)
                ],
            ),
            self._group(
                "Customer Reviews",
                [
                    chip(
                        f"{number} Stars & Up",
                        number == filters.stars,
                        partial(self.set_stars, number),
                        rid="filter_option",
                    )
                    for number in _STARS
                ],
            ),
            self._group(
                "Price",
                [
                    chip(
                        range_label(*ends),
                        (filters.lowest, filters.highest) == ends,
                        partial(self.set_range, *ends),
                        rid="filter_option",
                    )
                    for ends in _RANGES
                ],
            ),
            self._ends(),
        ]
        if colors := colors_of(found):
            groups.append(
                self._group(
                    "Color",
                    [
                        chip(
                            name,
                            name in filters.colors,
                            partial(self.toggle_color, name),
                            rid="filter_option",
                        )
                        for name in colors
                    ],
                )
            )
        footer = Row(
            width=MATCH,
            padding=insets(16, 8, 16, 12),
            children=(
                button(f"Show {count} results", self.show, rid="filter_apply", color=YELLOW, weight=1),
            ),
        )
        body = ScrollView(
            id="filter_scroll",
            width=MATCH,
            height=MATCH,
            weight=1,
            padding=insets(16, 4, 16, 12),
            gap=12,
            children=groups,
        )
        return Column(
            id="filter_sheet",
            width=MATCH,
            height=self.height,
            background=WHITE,
            radius=14,
            align_vertical=Align.END,
            children=(header, divider(LINE), body, divider(LINE), footer),
        )

    def _group(self, title: str, chips: Sequence[Widget]) -> Widget:
        return Column(
            key=title,
            width=MATCH,
            gap=8,
            children=(
                Text(id="filter_title", text=title, size=15, bold=True, color=INK),
                Row(width=MATCH, wrap=True, gap=8, children=chips),
            ),
        )

    def _ends(self) -> Widget:
        def field(rid: str, end: str, text: str, hint: str) -> Widget:
            return TextField(
                id=rid,
                text=text,
                hint=hint,
                size=15,
                color=INK,
                weight=1,
                height=42,
                radius=8,
                background=PALE,
                padding=insets(12, 0),
                input_type="number",
                on_change=partial(self.type_price, end),
            )

        return Row(
            key="ends",
            width=MATCH,
            gap=10,
            children=(
                field("price_min", "lowest", self.lowest, "Min $"),
                Text(text="to", size=14, color=INK_2),
                field("price_max", "highest", self.highest, "Max $"),
            ),
        )
