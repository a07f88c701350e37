"""Saving a place: the sheet with all lists, and creating a list."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.gmaps.page import GmapsScreen
from garabench.virtual.apps.gmaps.theme import bottom_sheet, line_row, pill
from garabench.virtual.kit.maps.atlas import MapPlace
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    CheckBox,
    Column,
    Icon,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
)


class SaveSheet:
    """The lists with check boxes; the choice takes effect when Done is tapped."""

    def __init__(self, page: GmapsScreen, place: MapPlace) -> None:
        self.page, self.place = page, place
        self.chosen = set(page.store.saved_in(place))

    def open(self) -> None:
        """Show the sheet."""
        self.chosen = set(self.page.store.saved_in(self.place))
        self.page.sheet = self.view

    def toggle(self, name: str) -> None:
        """Toggle a list."""
        self.chosen ^= {name}

    def done(self) -> None:
        """Save the place to the selected lists only."""
        store = self.page.store
        before = set(store.saved_in(self.place))
        for row in store.lists():
            if (row.name in self.chosen) != (row.name in before):
                store.set_saved(row.name, self.place, row.name in self.chosen)
        self.page.sheet = None
        if added := sorted(self.chosen - before):
            self.page.ctx.toast(f"Saved to {', '.join(added)}")
        elif before - self.chosen:
            self.page.ctx.toast("Removed from list")

    def _make(self, name: str) -> bool:
        if not self.page.store.add_list(name):
            self.page.ctx.toast("You already have a list with that name")
            return False
        self.page.store.set_saved(name.strip(), self.place, True)
        self.page.ctx.toast(f"Saved to {name.strip()}")
        return True

    def view(self) -> Widget:
        """Return the sheet."""
        page, tone = self.page, self.page.tone
        new = line_row(
            tone,
            "plus",
            "New list",
            rid="new_list_button",
            on_click=page.asks_text("New list", "List name", "Create", self._make),
        )
        rows = [self._row(row.name, row.icon, len(row.places)) for row in page.store.lists()]
        lists = ScrollView(
            id="save_list",
            width=MATCH,
            height=min(360.0, page.ctx.height_dp * 0.5),
            children=(Column(width=MATCH, children=rows),),
        )
        footer = Row(
            align_self=Align.END,
            padding=insets(16, 8),
            gap=8,
            children=(
                pill("Cancel", page.on_dismiss_dialog, rid="save_cancel", tone=tone),
                pill("Done", self.done, rid="save_done", fill=True, tone=tone),
            ),
        )
        return bottom_sheet(tone, "Save to list", new, lists, footer, rid="save_sheet")

    def _row(self, name: str, icon: str, count: int) -> Widget:
        tone = self.page.tone
        box = CheckBox(
            id="list_check", desc=name, checked=name in self.chosen, on_click=partial(self.toggle, name)
        )
        words = Column(
            weight=1,
            children=(
                Text(id="list_name", text=name, size=16, color=tone.ink),
                Text(text=f"{count} place{'s' * (count != 1)}", size=13, color=tone.ink_2),
            ),
        )
        return Row(
            id="save_list_item",
            key=name,
            width=MATCH,
            gap=18,
            padding=insets(18, 9),
            on_click=partial(self.toggle, name),
            children=(Icon(name=icon, size=22, color=tone.ink_2, important=False), words, box),
        )
