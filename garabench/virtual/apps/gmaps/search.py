"""The search page: Home and Work, recent searches, suggestions; also the place picker."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from garabench.virtual.apps.gmaps import content
from garabench.virtual.apps.gmaps.page import GmapsScreen, OnPick
from garabench.virtual.apps.gmaps.theme import icon_button, line_row
from garabench.virtual.kit.maps.atlas import MapPlace
from garabench.virtual.kit.maps.geo import metres_between
from garabench.virtual.ui.widgets import (
    MATCH,
    Column,
    Row,
    ScrollView,
    Text,
    TextField,
    Widget,
    divider,
    insets,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.gmaps.activity import MapsActivity

_MAX_SUGGESTIONS = 9


class GmapsSearchScreen(GmapsScreen):
    """The search page.

    With `on_pick`, the page picks a place (an end of a route, Home); otherwise, places and results open as
    pages.
    """

    def __init__(
        self, app: MapsActivity, *, text: str = "", hint: str = "Search here", on_pick: OnPick | None = None
    ) -> None:
        super().__init__(app)
        self.text, self.hint, self.on_pick = text, hint, on_pick
        self.submitted = False

    def on_shown(self) -> None:
        """Focus the field."""
        self.ctx.focus("search_omnibox_edit_text")

    def change(self, text: str) -> None:
        """Handle a change of the field's text."""
        self.text, self.submitted = text, False

    def clear(self) -> None:
        """Clear the field."""
        self.change("")
        self.ctx.focus("search_omnibox_edit_text")

    def submit(self) -> None:
        """Search for the typed text."""
        if self.text.strip():
            self.search(self.text.strip())

    def search(self, query: str) -> None:
        """Open the results, or list the places to pick from."""
        if not self.ctx.online:
            self.ctx.toast("Can't search while offline")
            return
        self.text = query
        if self.on_pick is None:
            self.app.open_results(query)
            return
        self.ctx.hide_keyboard()
        self.submitted = True

    def choose(self, place: MapPlace) -> None:
        """Handle a tap on a place: pick or open it."""
        if self.on_pick is not None:
            self.app.pop()
            self.on_pick(place)
            return
        self.store.add_search(place.name)
        self.app.open_place(place)

    def bar(self) -> Widget:
        """Return the field with its buttons."""
        tools: list[Widget] = []
        if self.text:
            tools.append(icon_button("close", "Clear", self.clear, rid="search_clear"))
        else:
            tools.append(
                icon_button("microphone_outline", "Voice search", self.toasting("Try saying a place"))
            )
        field = TextField(
            id="search_omnibox_edit_text",
            text=self.text,
            hint=self.hint,
            color=self.tone.ink,
            weight=1,
            height=48,
            on_change=self.change,
            on_submit=self.submit,
            action="search",
            autofocus=True,
        )
        return Row(
            id="search_omnibox_container",
            width=MATCH,
            height=52,
            margin=insets(12, 10),
            radius=26,
            padding=insets(4, 0),
            background=self.tone.raised,
            border=self.tone.line,
            elevation=2,
            children=(icon_button("arrow_left", "Back", self.leave, rid="search_back"), field, *tools),
        )

    def content(self) -> Widget:
        """Return suggestions, results, or the start content."""
        rows = self._suggestions() if self.text.strip() else self._start()
        return ScrollView(
            id="typed_suggest_container",
            key="asked" if self.submitted else "typing",
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(Column(width=MATCH, children=rows),),
        )

    def _suggestions(self) -> list[Widget]:
        if not self.ctx.online:
            return [line_row(self.tone, "wifi_off", "You're offline", note="Connect to search")]
        found = content.search(self.text.strip())
        rows = [self._row(place) for place in (found if self.submitted else found[:_MAX_SUGGESTIONS])]
        if not rows:
            query = self.text.strip()
            return [line_row(self.tone, "magnify", f"No results for {query}", rid="search_no_result")]
        return rows

    def _row(self, place: MapPlace) -> Widget:
        away = Text(
            text=self.store.format_distance(metres_between(content.HERE, place.at)),
            size=12,
            color=self.tone.ink_2,
        )
        return Row(
            id="search_suggestion",
            key=place.id,
            width=MATCH,
            gap=16,
            padding=insets(18, 11),
            on_click=partial(self.choose, place),
            children=(
                icon_button("map_marker_outline", "", None, touch_size=34),
                Column(
                    weight=1,
                    gap=2,
                    children=(
                        Text(id="suggestion_title", text=place.name, color=self.tone.ink, size=16),
                        Text(
                            id="suggestion_subtitle",
                            text=content.address(place),
                            size=13,
                            color=self.tone.ink_2,
                            max_lines=1,
                        ),
                    ),
                ),
                away,
            ),
        )

    def _start(self) -> list[Widget]:
        rows: list[Widget] = []
        if self.on_pick is not None and self.app.located:
            mine = content.here()
            rows.append(
                line_row(
                    self.tone,
                    "crosshairs_gps",
                    content.MY_PLACE,
                    rid="your_location",
                    on_click=partial(self.choose, mine),
                )
            )
        for which, icon in (("Home", "home_outline"), ("Work", "briefcase_outline")):
            place = self.store.label(which)
            rows.append(
                line_row(
                    self.tone,
                    icon,
                    which,
                    rid="label_row",
                    key=which,
                    note=content.address(place) if place else "Set location",
                    on_click=partial(self.choose, place) if place else partial(self._set, which),
                )
            )
        recent = [self._recent(query) for query in self.store.searches()]
        if recent:
            header = Text(text="Recent", size=14, color=self.tone.ink_2, padding=insets(18, 12, 18, 4))
            rows += [divider(self.tone.line), header, *recent]
        return rows

    def _recent(self, query: str) -> Widget:
        delete = icon_button("close", f"Remove {query}", partial(self.store.delete_search, query), size=18)
        return line_row(
            self.tone,
            "history",
            query,
            rid="recent_search",
            key=f"recent-{query}",
            on_click=partial(self.search, query),
            trailing=(delete,),
        )

    def _set(self, which: str) -> None:
        def put(place: MapPlace) -> None:
            self.store.set_label(which, place)
            self.ctx.toast(f"{which} set")

        self.app.pick(f"{which} address", put)
