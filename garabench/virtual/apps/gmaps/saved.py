"""You: the lists of saved places, and a list's page with its places, notes and name."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from garabench.virtual.apps.gmaps import content
from garabench.virtual.apps.gmaps.page import GmapsScreen
from garabench.virtual.apps.gmaps.search_results import rating_text
from garabench.virtual.apps.gmaps.store import OWN_LISTS, PlaceList
from garabench.virtual.apps.gmaps.theme import (
    bottom_sheet,
    dialog_box,
    icon_button,
    line_row,
    message_page,
    pill,
    text_button,
    title_bar,
)
from garabench.virtual.kit.maps.atlas import MapPlace
from garabench.virtual.ui.widgets import MATCH, Align, Column, Row, ScrollView, Text, Widget, divider, insets

if TYPE_CHECKING:
    from garabench.virtual.apps.gmaps.activity import MapsActivity
    from garabench.virtual.apps.gmaps.root import GmapsRootScreen


class SavedTab:
    """The You tab."""

    def __init__(self, root: GmapsRootScreen) -> None:
        self.root, self.app, self.store = root, root.app, root.store

    def view(self) -> Widget:
        """Return the labels and the lists."""
        tone = self.root.tone
        new = pill(
            "New list",
            self.root.asks_text("New list", "List name", "Create", self._make),
            tone=tone,
            rid="new_list_button",
            icon="plus",
        )
        header = Row(
            width=MATCH,
            padding=insets(18, 16, 14, 8),
            children=(Text(id="you_title", text="You", size=26, color=tone.ink, weight=1), new),
        )
        rows: list[Widget] = [
            header,
            Text(text="Your lists", size=15, color=tone.ink_2, padding=insets(18, 8)),
        ]
        for row in self.store.lists():
            count = f"{len(row.places)} place{'s' * (len(row.places) != 1)}"
            rows.append(
                line_row(
                    tone,
                    row.icon,
                    row.name,
                    note=f"{'Private' if row.private else 'Shared'} · {count}",
                    rid="list_item",
                    key=f"list-{row.name}",
                    on_click=partial(self._open, row.name),
                )
            )
        rows += [divider(tone.line), Text(text="Labeled", size=15, color=tone.ink_2, padding=insets(18, 8))]
        for which, icon in (("Home", "home_outline"), ("Work", "briefcase_outline")):
            place = self.store.label(which)
            rows.append(
                line_row(
                    tone,
                    icon,
                    which,
                    note=f"{place.name}, {place.address}" if place else "Set location",
                    rid="labeled_item",
                    key=which,
                    on_click=self.root.opening(partial(self._label, which))
                    if place
                    else partial(self._ask, which),
                )
            )
        return ScrollView(
            id="saved_page",
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(Column(width=MATCH, children=rows),),
        )

    def _make(self, name: str) -> bool:
        if not self.store.add_list(name):
            self.root.ctx.toast("You already have a list with that name")
            return False
        return True

    def _open(self, name: str) -> None:
        self.app.push(ListScreen(self.app, name))

    def _ask(self, which: str) -> None:
        self.app.pick(f"{which} address", partial(self._set, which))

    def _set(self, which: str, place: MapPlace) -> None:
        self.store.set_label(which, place)
        self.root.ctx.toast(f"{which} set")

    def _label(self, which: str) -> Widget:
        root, place = self.root, self.store.label(which)
        rows = [
            line_row(
                root.tone,
                "pencil_outline",
                f"Edit {which.lower()}",
                rid="label_edit",
                on_click=root.closing(partial(self._ask, which)),
            ),
            line_row(
                root.tone,
                "close",
                f"Remove {which.lower()}",
                rid="label_remove",
                on_click=root.closing(partial(self.store.set_label, which, None)),
            ),
        ]
        if place is not None:
            go = root.closing(partial(self.app.open_place, place))
            rows.insert(
                0, line_row(root.tone, "map_marker_outline", place.name, rid="label_open", on_click=go)
            )
        return bottom_sheet(root.tone, which, *rows, rid="label_sheet")


class ListScreen(GmapsScreen):
    """The places of a list."""

    def __init__(self, app: MapsActivity, name: str) -> None:
        super().__init__(app)
        self.name = name

    @property
    def row(self) -> PlaceList:
        """The list; an empty one if it was deleted."""
        return self.store.list_named(self.name) or PlaceList(self.name, "", True, ())

    def bar(self) -> Widget:
        """Return the list's name and its menu."""
        more = icon_button("dots_vertical", "More options", self.opening(self._menu), rid="list_menu")
        return title_bar(self.tone, self.name, self.leave, more)

    def content(self) -> Widget:
        """Return the places with their notes."""
        tone, row = self.tone, self.row
        if not row.places:
            add = pill("Add a place", partial(self.app.pick, "Add a place", self._add), rid="list_add")
            return message_page(tone, "bookmark_outline", "This list is empty", add, rid="empty_list")
        count = f"{len(row.places)} place{'s' * (len(row.places) != 1)}"
        header = Row(
            width=MATCH,
            padding=insets(18, 4, 14, 8),
            children=(
                Text(
                    id="list_summary",
                    text=f"{'Private' if row.private else 'Shared'} · {count}",
                    size=14,
                    color=tone.ink_2,
                    weight=1,
                ),
                pill("Add", partial(self.app.pick, "Add a place", self._add), rid="list_add", icon="plus"),
            ),
        )
        rows = [self._place(place) for place in row.places]
        return ScrollView(
            id="list_places",
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(Column(width=MATCH, children=(header, *rows)),),
        )

    def _place(self, place: MapPlace) -> Widget:
        tone, note = self.tone, self.store.note_of(place)
        ask = self.asks_text("Note", "Add a note", "Save", partial(self._note, place), note)
        words = Column(
            weight=1,
            gap=3,
            children=(
                Text(id="place_title", text=place.name, size=17, color=tone.ink, max_lines=2),
                Text(text=f"{rating_text(place)} · {place.kind}", size=13.5, color=tone.ink_2),
                Text(
                    id="place_note",
                    text=note or "Add note",
                    size=14,
                    color=tone.ink if note else "#1A73E8",
                    padding=insets(0, 5),
                    on_click=ask,
                ),
            ),
        )
        menu = icon_button(
            "dots_vertical",
            f"Options for {place.name}",
            self.opening(partial(self._place_menu, place)),
            rid="place_menu",
        )
        return Column(
            width=MATCH,
            children=(
                Row(
                    id="list_place",
                    key=place.id,
                    width=MATCH,
                    padding=insets(18, 10, 8, 8),
                    on_click=self.opens(place),
                    children=(words, menu),
                ),
                divider(tone.line),
            ),
        )

    def _add(self, place: MapPlace) -> None:
        if place.id != content.MINE:
            self.store.set_saved(self.name, place, True)
            self.ctx.toast(f"Saved to {self.name}")

    def _note(self, place: MapPlace, text: str) -> bool:
        self.store.set_note(place, text)
        return True

    def _delete(self, place: MapPlace) -> None:
        self.store.set_saved(self.name, place, False)
        self.ctx.toast(f"Removed from {self.name}")

    def _place_menu(self, place: MapPlace) -> Widget:
        tone = self.tone
        return bottom_sheet(
            tone,
            place.name,
            line_row(tone, "directions", "Directions", on_click=self.closing(self.routes_to(place))),
            line_row(
                tone,
                "close",
                f"Remove from {self.name}",
                rid="remove_place",
                on_click=self.closing(partial(self._delete, place)),
            ),
            rid="place_sheet",
        )

    def _menu(self) -> Widget:
        tone = self.tone
        rename = self.asks_text("Rename list", "List name", "Save", self._rename, self.name)
        rows = [
            line_row(tone, "share_variant", "Share list", on_click=self.closing(self.toasting("Link copied")))
        ]
        if self.name not in OWN_LISTS:
            rows.append(line_row(tone, "pencil_outline", "Rename list", rid="rename_list", on_click=rename))
            ask = self.opening(self._ask_delete)
            rows.append(line_row(tone, "trash_can_outline", "Delete list", rid="delete_list", on_click=ask))
        return bottom_sheet(tone, self.name, *rows, rid="list_sheet")

    def _rename(self, name: str) -> bool:
        if not self.store.rename_list(self.name, name):
            self.ctx.toast("You already have a list with that name")
            return False
        self.name = name.strip()
        return True

    def _ask_delete(self) -> Widget:
        def delete() -> None:
            self.store.delete_list(self.name)
            self.sheet = None
            self.app.pop()

        buttons = Row(
            align_self=Align.END,
            children=(
                text_button("Cancel", self.on_dismiss_dialog, rid="dialog_cancel"),
                text_button("Delete", delete, rid="dialog_ok"),
            ),
        )
        return dialog_box(self.tone, f"Delete {self.name}?", buttons, rid="delete_dialog")
