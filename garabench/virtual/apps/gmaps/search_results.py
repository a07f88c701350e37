"""Search results: a list with filters, optionally with a map."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from garabench.virtual.apps.gmaps import content
from garabench.virtual.apps.gmaps.map_view import GmapsMapView
from garabench.virtual.apps.gmaps.page import GmapsScreen
from garabench.virtual.apps.gmaps.theme import (
    GREEN,
    RED,
    bottom_sheet,
    chip,
    choice,
    icon_button,
    message_page,
    pill,
)
from garabench.virtual.kit.maps.atlas import MapPlace
from garabench.virtual.kit.maps.geo import metres_between
from garabench.virtual.kit.maps.map_scene import Pin
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Handler,
    ImageView,
    ListView,
    Row,
    ScrollView,
    Text,
    Widget,
    divider,
    insets,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.gmaps.activity import MapsActivity

RATINGS = ("Any", "3.5+", "4.0+", "4.5+")
PRICES = ("Any", "Under $10", "$10–20", "$20–30", "$30+")
SORTS = ("Relevance", "Distance", "Rating")
_BOUNDS = {"Under $10": (0, 10), "$10–20": (10, 20), "$20–30": (20, 30), "$30+": (30, 10_000)}


class GmapsResultsScreen(GmapsScreen):
    """The places that match a query."""

    needs_network = True

    def __init__(self, app: MapsActivity, query: str) -> None:
        super().__init__(app)
        self.query = query
        self.open_now = False
        self.rating, self.price, self.sort = RATINGS[0], PRICES[0], SORTS[0]
        self.map = GmapsMapView(app)
        self.on_map = False

    @property
    def found(self) -> tuple[MapPlace, ...]:
        """The places that pass the filters, sorted."""
        now = self.ctx.now()
        least = float(self.rating.rstrip("+")) if self.rating != RATINGS[0] else 0.0
        low, high = _BOUNDS.get(self.price, (None, None))
        matching = [
            place
            for place in content.search(self.query)
            if place.rating >= least
            and (not self.open_now or content.is_open(place, now))
            and (low is None or high is None or (place.price is not None and low <= place.price < high))
        ]
        if self.sort == "Distance":
            matching.sort(key=lambda place: metres_between(place.at, content.HERE))
        elif self.sort == "Rating":
            matching.sort(key=lambda place: -place.rating)
        return tuple(matching)

    def toggle_open(self) -> None:
        """Toggle between open places and all."""
        self.open_now = not self.open_now

    def toggle_map(self) -> None:
        """Toggle between the map and the list."""
        self.on_map = not self.on_map
        if self.on_map and self.found:
            self.map.show(*(place.at for place in self.found[:12]))

    def on_back(self) -> bool:
        """Back from the map shows the list."""
        if self.on_map:
            self.on_map = False
            return True
        return False

    def bar(self) -> Widget:
        """Return the query, which leads back to the search page, and the filters."""
        field = Text(
            id="search_omnibox_text_box",
            text=self.query,
            size=16,
            color=self.tone.ink,
            weight=1,
            max_lines=1,
            padding=insets(2, 12),
            on_click=self._again,
        )
        box = Row(
            width=MATCH,
            height=50,
            margin=insets(12, 10, 12, 6),
            radius=25,
            padding=insets(4, 0),
            background=self.tone.raised,
            border=self.tone.line,
            elevation=2,
            children=(
                icon_button("arrow_left", "Back", self.leave, rid="search_back"),
                field,
                icon_button("close", "Clear", self.app.go_home, rid="search_clear"),
            ),
        )
        return Column(width=MATCH, background=self.tone.background, children=(box, self._chips()))

    def _again(self) -> None:
        query = self.query
        self.app.pop()
        self.app.open_search(query)

    def _chips(self) -> Widget:
        rating = "Rating" if self.rating == RATINGS[0] else self.rating
        price = "Price" if self.price == PRICES[0] else self.price
        sort = "Sort by" if self.sort == SORTS[0] else self.sort
        sheets = {
            "rating": (rating, RATINGS, self.rating, "Rating"),
            "price": (price, PRICES, self.price, "Price"),
            "sort": (sort, SORTS, self.sort, "Sort by"),
        }
        chips: list[Widget] = [
            chip("Open now", self.open_now, self.toggle_open, tone=self.tone, rid="filter_chip")
        ]
        for name, (label, choices, value, title) in sheets.items():
            sheet = self.opening(partial(self._sheet, name, title, choices))
            chips.append(
                chip(label, value != choices[0], sheet, tone=self.tone, rid=f"{name}_chip", icon="menu_down")
            )
        return ScrollView(
            id="filter_bar",
            horizontal=True,
            width=MATCH,
            height=50,
            gap=8,
            padding=insets(12, 4),
            children=chips,
        )

    def _sheet(self, name: str, title: str, choices: tuple[str, ...]) -> Widget:
        rows = [
            choice(
                self.tone,
                "filter_choice",
                each,
                getattr(self, name) == each,
                self.closing(partial(self._choose, name, each)),
            )
            for each in choices
        ]
        return bottom_sheet(
            self.tone,
            title,
            Column(width=MATCH, padding=insets(18, 0), children=rows),
            rid="filter_sheet",
        )

    def _choose(self, name: str, value: str) -> None:
        match name:
            case "rating":
                self.rating = value
            case "price":
                self.price = value
            case _:
                self.sort = value

    def content(self) -> Widget:
        """Return the list, or the map with its pins."""
        found = self.found
        if not found:
            filtered = bool(content.search(self.query))
            text = "No results match your filters" if filtered else f"Can't find {self.query}"
            again = pill("Clear filters", self._clear, rid="clear_filters", tone=self.tone)
            return message_page(self.tone, "magnify", text, again if filtered else None, rid="no_results")
        footer = pill(
            "View list" if self.on_map else "View map",
            self.toggle_map,
            rid="view_map_button",
            tone=self.tone,
            icon="format_list_bulleted" if self.on_map else "map_outline",
        )
        if self.on_map:
            self.map.pins = tuple(Pin(place.at) for place in found[:20])
            self.map.opens_places = True
            body: Widget = self.map.view(max(200.0, self.ctx.height_dp - 176))
        else:
            body = ListView(
                id="search_list_layout",
                width=MATCH,
                height=MATCH,
                weight=1,
                items=found,
                build=self._row,
                item_height=132,
            )
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(body, Row(width=MATCH, justify=Align.CENTER, padding=insets(0, 8), children=(footer,))),
        )

    def _clear(self) -> None:
        self.open_now = False
        self.rating, self.price, self.sort = RATINGS[0], PRICES[0], SORTS[0]

    def _row(self, place: MapPlace, _: int) -> Widget:
        return place_card(self, place, self.opens(place), self.routes_to(place))


def rating_text(place: MapPlace) -> str:
    """Format stars and the number of reviews: ``4.6 ★ (1,290)``."""
    return f"{place.rating} ★ ({place.reviews:,})"


def place_card(page: GmapsScreen, place: MapPlace, on_click: Handler, on_route: Handler) -> Widget:
    """Return the row of a place in a list."""
    tone, store = page.tone, page.store
    state, until = content.hours_text(place, page.ctx.now())
    price = content.price_text(place)
    kind = " · ".join(part for part in (place.kind, price) if part)
    away = store.format_distance(metres_between(content.HERE, place.at))
    hours = Row(
        gap=6,
        children=(
            Text(id="place_state", text=state, size=13.5, color=RED if state == "Closed" else GREEN),
            Text(text=f"· {until}" if until else "", size=13.5, color=tone.ink_2),
        ),
    )
    words = Column(
        weight=1,
        gap=3,
        children=(
            Text(id="place_title", text=place.name, size=17, color=tone.ink, max_lines=2),
            Text(id="place_rating", text=rating_text(place), size=13.5, color=tone.ink_2),
            Text(id="place_kind", text=kind, size=13.5, color=tone.ink_2, max_lines=1),
            Text(
                id="place_address",
                text=f"{place.address} · {away}",
                size=13.5,
                color=tone.ink_2,
                max_lines=1,
            ),
            *((hours,) if state else ()),
        ),
    )
    photo = ImageView(seed=f"gmaps-{place.id}", width=84, height=84, radius=10, important=False)
    go = icon_button("directions", f"Directions to {place.name}", on_route, rid="card_directions")
    return Column(
        width=MATCH,
        children=(
            Row(
                id="place_card",
                key=place.id,
                width=MATCH,
                gap=10,
                padding=insets(18, 12, 12, 12),
                on_click=on_click,
                children=(words, go, photo),
            ),
            divider(tone.line),
        ),
    )
