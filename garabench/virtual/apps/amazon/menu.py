"""The Menu tab: shortcuts, departments, settings and help."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.amazon import content, names
from garabench.virtual.apps.amazon.page import AmazonPage
from garabench.virtual.apps.amazon.theme import INK, INK_2, LINE, NAVY, WHITE, heading
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Handler,
    Icon,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
    spacer,
)


def menu_tile(label: str, icon: str, on_click: Handler) -> Widget:
    """Return a tile of the menu."""
    return Column(
        id="menu_tile",
        key=label,
        desc=label,
        width=MATCH,
        height=104,
        gap=6,
        radius=8,
        padding=insets(10, 10),
        background=WHITE,
        border=LINE,
        on_click=on_click,
        children=(
            Icon(name=icon, size=34, color=NAVY, align_self=Align.START, important=False),
            Text(id="menu_tile_label", text=label, size=14, color=INK, max_lines=2),
        ),
    )


class MenuView:
    """The Menu tab: departments, programs, settings and help."""

    def __init__(self, page: AmazonPage) -> None:
        self.page = page

    def view(self) -> Widget:
        """Return the tab."""
        page = self.page
        tiles = [
            menu_tile(row["name"], row["icon"], partial(names.open_results, page.ctx, "", row["name"]))
            for row in content.load("home")["departments"]
        ]
        quick = [
            menu_tile("Today's Deals", "sale-outline", page.opens_page(names.DEALS)),
            menu_tile("Orders", "package-variant-closed", page.opens_page(names.ORDERS)),
            menu_tile("Lists", "format-list-bulleted", page.opens_page(names.LISTS)),
            menu_tile("Account", "account", page.opens_page(names.ACCOUNT)),
        ]
        return ScrollView(
            id="menu_scroll",
            width=MATCH,
            height=MATCH,
            weight=1,
            gap=10,
            padding=insets(12, 12),
            children=(
                heading("Shortcuts"),
                *_grid(quick),
                heading("Shop by Department"),
                *_grid(tiles),
                heading("Settings & Help"),
                self._row("Settings", "cog-outline", page.opens_page(names.SETTINGS)),
                self._row(
                    "Country & Language: United States, English",
                    "earth",
                    page.opens_page(names.SETTINGS, page="country"),
                ),
                self._row("Browsing History", "history", page.opens_page(names.HISTORY)),
                self._row("Customer Service", "headset", page.opens_page(names.SERVICE)),
            ),
        )

    def _row(self, label: str, icon: str, on_click: Handler) -> Widget:
        label = label.replace("United States", str(self.page.store.setting("country", "United States")))
        label = label.replace("English", str(self.page.store.setting("language", "English")))
        return Row(
            id="menu_row",
            key=label,
            width=MATCH,
            height=54,
            gap=12,
            radius=8,
            padding=insets(14, 0),
            background=WHITE,
            border=LINE,
            on_click=on_click,
            children=(
                Icon(name=icon, size=22, color=INK_2, important=False),
                Text(id="menu_row_label", text=label, size=15, color=INK, max_lines=1),
                spacer(),
                Icon(name="chevron_right", size=20, color=INK_2, important=False),
            ),
        )


def _grid(tiles: list[Widget]) -> list[Widget]:
    """Return rows of two tiles."""
    cells: list[Widget] = [Column(weight=1, children=(tile_,)) for tile_ in tiles]
    if len(cells) % 2:
        cells.append(Widget(weight=1, important=False))
    return [Row(width=MATCH, gap=8, children=cells[at : at + 2]) for at in range(0, len(cells), 2)]
