"""The page at the bottom of the stack: the map of Explore, You with the lists, and Contribute."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from garabench.virtual.apps.gmaps import content
from garabench.virtual.apps.gmaps.account import account_menu
from garabench.virtual.apps.gmaps.map_view import GmapsMapView
from garabench.virtual.apps.gmaps.page import GmapsScreen
from garabench.virtual.apps.gmaps.saved import SavedTab
from garabench.virtual.apps.gmaps.theme import BLUE, TEAL, WHITE, bottom_sheet, chip, icon_button, line_row
from garabench.virtual.kit.maps.map_scene import Pin, PinKind, Stroke
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Handler,
    Icon,
    Row,
    ScrollView,
    Text,
    Widget,
    divider,
    insets,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.gmaps.activity import MapsActivity

TABS = (
    ("Explore", "explore_tab_strip_button", "map_marker_outline", "map_marker"),
    ("You", "saved_tab_strip_button", "bookmark_outline", "bookmark"),
    ("Contribute", "contribute_tab_strip_button", "plus_circle_outline", "plus_circle"),
)
_CHIPS = {
    "Restaurants": "silverware_fork_knife",
    "Coffee": "coffee",
    "Gas": "gas_station",
    "Hotels": "bed",
    "Attractions": "camera_outline",
    "Groceries": "cart",
    "Parking": "parking",
    "Shopping": "shopping",
    "Pharmacies": "pill",
    "Hospitals": "hospital_box",
    "Movies": "movie",
}
MAP_TYPES = (("Default", "map_outline"), ("Satellite", "satellite_variant"), ("Terrain", "image_filter_hdr"))


class GmapsRootScreen(GmapsScreen):
    """Explore, You and Contribute."""

    def __init__(self, app: MapsActivity) -> None:
        super().__init__(app)
        self.tab = "Explore"
        self.map = GmapsMapView(app)
        self.map.opens_places = True
        self.saved = SavedTab(self)

    def choose(self, tab: str) -> None:
        """Select a tab."""
        self.tab = tab

    def on_back(self) -> bool:
        """Back goes to Explore first."""
        if self.tab != "Explore":
            self.tab = "Explore"
            return True
        return False

    def locate(self) -> None:
        """Center the map on the current location."""
        if self.app.located:
            self.map.show(content.HERE)
        else:
            self.ctx.request_permission("android.permission.ACCESS_FINE_LOCATION", lambda granted: None)

    def content(self) -> Widget:
        """Return the selected tab above the bottom bar."""
        match self.tab:
            case "You":
                body = self.saved.view()
            case "Contribute":
                body = self._contribute()
            case _:
                body = self._explore()
        box = Column(key=f"tab-{self.tab}", width=MATCH, height=MATCH, weight=1, children=(body,))
        bottom = Row(
            id="bottom_navigation",
            width=MATCH,
            height=64,
            background=self.tone.background,
            children=[self._place(*tab) for tab in TABS],
        )
        return Column(width=MATCH, height=MATCH, weight=1, children=(box, divider(self.tone.line), bottom))

    def _place(self, label: str, rid: str, icon: str, icon_on: str) -> Widget:
        on = self.tab == label
        color = self.tone.accent if on else self.tone.ink_2
        return Column(
            key=rid,
            id=rid,
            desc=label,
            weight=1,
            height=64,
            gap=3,
            justify=Align.CENTER,
            selected=on,
            on_click=partial(self.choose, label),
            children=(
                Icon(
                    name=icon_on if on else icon,
                    size=23,
                    color=color,
                    align_self=Align.CENTER,
                    important=False,
                ),
                Text(id="tab_label", text=label, size=12, color=color, selected=on, align_self=Align.CENTER),
            ),
        )

    # Explore

    def _explore(self) -> Widget:
        stars = tuple(
            Pin(place.at, PinKind.STAR)
            for row in self.store.lists()
            if row.name == "Starred places"
            for place in row.places
        )
        self.map.pins = stars
        self.map.strokes = self._transit_lines() if self.app.transit else ()
        height = max(240.0, self.ctx.height_dp - 65)
        return Box(
            width=MATCH,
            height=MATCH,
            children=(self.map.view(height), self._top(), self._layers_button(), self._floating()),
        )

    def _transit_lines(self) -> tuple[Stroke, ...]:
        lines = content.app_atlas().cities[0].lines
        return tuple(
            Stroke(
                tuple(stop.at for stop in line.stops),
                (int(line.color[1:3], 16), int(line.color[3:5], 16), int(line.color[5:], 16)),
                4,
            )
            for line in lines
            if line.kind == "metro"
        )

    def _top(self) -> Widget:
        bar = Row(
            id="search_omnibox_container",
            width=MATCH,
            height=52,
            margin=insets(12, 12, 12, 0),
            radius=26,
            gap=10,
            padding=insets(16, 0, 6, 0),
            background=self.tone.raised,
            elevation=3,
            children=(
                Icon(name="map_marker", size=22, color="#EA4335", important=False),
                Text(
                    id="search_omnibox_text_box",
                    text="Search here",
                    size=17,
                    color=self.tone.ink_2,
                    weight=1,
                    padding=insets(0, 13),
                    on_click=partial(self.app.open_search),
                ),
                icon_button(
                    "microphone_outline",
                    "Voice search",
                    self.toasting("Try saying a place"),
                    color=self.tone.ink_2,
                ),
                self._account_disc(),
            ),
        )
        chips = [
            chip(
                label,
                False,
                self.if_online(partial(self.app.open_results, label)),
                tone=self.tone,
                rid="category_chip",
                icon=icon,
            )
            for label, icon in _CHIPS.items()
        ]
        strip = ScrollView(
            id="category_carousel",
            horizontal=True,
            width=MATCH,
            height=50,
            gap=8,
            padding=insets(12, 7),
            children=chips,
        )
        return Column(width=MATCH, align_vertical=Align.START, children=(bar, strip))

    def _account_disc(self) -> Widget:
        letter = Text(
            text="A",
            size=16,
            color=WHITE,
            align_self=Align.CENTER,
            align_vertical=Align.CENTER,
            important=False,
        )
        return Box(
            id="selected_account_disc",
            desc="Account and settings",
            width=36,
            height=36,
            radius=18,
            background="#7B4FBF",
            on_click=self.opening(partial(account_menu, self)),
            children=(letter,),
        )

    def _layers_button(self) -> Widget:
        return Box(
            align_self=Align.END,
            align_vertical=Align.START,
            margin=insets(0, 126, 14, 0),
            radius=22,
            background=self.tone.raised,
            elevation=3,
            children=(
                icon_button(
                    "layers_outline",
                    "Layers",
                    self.opening(self._layers),
                    rid="layers_fab",
                    color=self.tone.ink_2,
                ),
            ),
        )

    def _floating(self) -> Widget:
        def button(icon: str, desc: str, rid: str, fill: bool, on_click: Handler) -> Widget:
            return Box(
                radius=28 if not fill else 16,
                background=TEAL if fill else self.tone.raised,
                elevation=3,
                align_self=Align.END,
                children=(
                    icon_button(
                        icon,
                        desc,
                        on_click,
                        rid=rid,
                        touch_size=54,
                        size=25,
                        color=WHITE if fill else BLUE,
                    ),
                ),
            )

        route = self.if_online(lambda: self.app.open_route(content.here(), None))
        return Column(
            align_self=Align.END,
            align_vertical=Align.END,
            gap=12,
            margin=insets(0, 0, 14, 16),
            children=(
                button(
                    "crosshairs_gps",
                    "Re-center map to your location",
                    "mylocation_button",
                    False,
                    self.locate,
                ),
                button("directions", "Directions", "on_map_directions_button", True, route),
            ),
        )

    def _layers(self) -> Widget:
        tone = self.tone

        def cell(label: str, icon: str, on: bool, rid: str, on_click: Handler) -> Widget:
            return Column(
                id=rid,
                key=label,
                desc=label,
                weight=1,
                gap=6,
                radius=12,
                padding=insets(4, 10),
                border=tone.accent if on else tone.line,
                border_width=2 if on else 1,
                selected=on,
                on_click=on_click,
                children=(
                    Icon(
                        name=icon,
                        size=28,
                        color=tone.accent if on else tone.ink_2,
                        align_self=Align.CENTER,
                        important=False,
                    ),
                    Text(
                        id=f"{rid}_text",
                        text=label,
                        size=13,
                        color=tone.accent if on else tone.ink,
                        selected=on,
                        align_self=Align.CENTER,
                    ),
                ),
            )

        types = [
            cell(
                label,
                icon,
                self.app.map_type == label,
                "map_type_item",
                partial(self.app.set_map_type, label),
            )
            for label, icon in MAP_TYPES
        ]
        details = [
            cell("Transit", "train", self.app.transit, "map_detail_item", self.app.toggle_transit),
            cell("Traffic", "traffic_light", self.app.traffic, "map_detail_item", self.app.toggle_traffic),
        ]
        header = Text(text="Map details", size=16, color=tone.ink, padding=insets(20, 14, 20, 8))
        return bottom_sheet(
            tone,
            "Map type",
            Row(width=MATCH, gap=10, padding=insets(18, 4), children=types),
            header,
            Row(width=MATCH, gap=10, padding=insets(18, 4), children=details),
            rid="layers_sheet",
        )

    # Contribute

    def _contribute(self) -> Widget:
        tone = self.tone
        rows: list[Widget] = [
            Text(text="Contribute", size=26, color=tone.ink, padding=insets(18, 18, 18, 4)),
            Text(
                id="contribute_level",
                text="Alex · Local Guide Level 3 · 214 points",
                size=15,
                color=tone.ink_2,
                padding=insets(18, 0, 18, 12),
            ),
            divider(tone.line),
        ]
        for icon, label, note in (
            ("map_marker_plus", "Add place", "Suggest a missing place"),
            ("comment_edit_outline", "Add review", "Share your experience"),
            ("camera_outline", "Add photo", "Show others what it looks like"),
            ("road", "Edit road", "Report a problem with a road"),
        ):
            thanks = self.if_online(self.toasting(f"{label}: choose a place on the map first"))
            rows.append(line_row(tone, icon, label, note=note, rid="contribute_row", on_click=thanks))
        return ScrollView(
            id="contribute_page",
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(Column(width=MATCH, children=rows),),
        )
