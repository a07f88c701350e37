"""The app's only activity: a stack of pages, as in the real app."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from garabench.virtual.apps.gmaps import content
from garabench.virtual.apps.gmaps.names import COARSE_LOCATION, FINE_LOCATION
from garabench.virtual.apps.gmaps.page import NO_NETWORK, GmapsScreen, OnPick
from garabench.virtual.apps.gmaps.place import GmapsPlaceScreen
from garabench.virtual.apps.gmaps.root import GmapsRootScreen
from garabench.virtual.apps.gmaps.route import GmapsRouteScreen
from garabench.virtual.apps.gmaps.search import GmapsSearchScreen
from garabench.virtual.apps.gmaps.search_results import GmapsResultsScreen
from garabench.virtual.apps.gmaps.store import GmapsStore
from garabench.virtual.apps.gmaps.theme import DARK, LIGHT, Tone
from garabench.virtual.kit.framework import Context, Intent
from garabench.virtual.kit.intent_filter import IntentFilter
from garabench.virtual.kit.maps.atlas import MapPlace
from garabench.virtual.kit.maps.map_scene import MapStyle
from garabench.virtual.kit.maps.page_stack import StackActivity
from garabench.virtual.kit.server_calls import network_check
from garabench.virtual.ui.widgets import Widget

_VIEW = "android.intent.action.VIEW"


class MapsActivity(StackActivity[GmapsScreen]):
    """Shows the top page of the stack; the bottom one is the map with its tabs."""

    filters = (IntentFilter.of(_VIEW, "geo"), IntentFilter.of(_VIEW, "google.navigation"))

    def __init__(self, ctx: Context, intent: Intent) -> None:
        super().__init__(ctx, intent)
        self.store = GmapsStore(ctx.data, network_check(ctx, NO_NETWORK))

    def on_create(self) -> None:
        """Start with the map, and with the target of a deep link above it."""
        self.traffic = bool(self.store.setting("layer_traffic", False))
        self.transit = False
        start = "Satellite" if self.store.setting("satellite_start", False) else "Default"
        self.map_type = str(self.store.setting("map_type", start))
        self.push(GmapsRootScreen(self))
        self._follow(self.intent)

    def on_new_intent(self, intent: Intent) -> None:
        """Open the target of a deep link."""
        self._follow(intent)

    # The stack

    def build(self) -> Widget:
        """Return the top page of the stack; each page has its own view state."""
        self.status_bar = self.tone.background
        return super().build()

    # Navigation

    def open_place(self, place: MapPlace) -> None:
        """Open a place's page."""
        self.push(GmapsPlaceScreen(self, place))

    def open_results(self, query: str) -> None:
        """Open the results of a query, or the place's page if it names exactly one."""
        self.store.add_search(query)
        found = content.search(query)
        if len(found) == 1 and self.ctx.online:
            self.open_place(found[0])
        else:
            self.push(GmapsResultsScreen(self, query))

    def open_search(self, text: str = "") -> None:
        """Open the search page."""
        self.push(GmapsSearchScreen(self, text=text))

    def pick(self, hint: str, on_pick: OnPick) -> None:
        """Let the user choose a place."""
        self.push(GmapsSearchScreen(self, hint=hint, on_pick=on_pick))

    def open_route(self, start: MapPlace | None, end: MapPlace | None, mode: str = "Driving") -> None:
        """Open the route planner."""
        self.push(GmapsRouteScreen(self, start, end, mode))

    def _follow(self, intent: Intent) -> None:
        """Open the target of a deep link such as ``geo:0,0?q=`` or ``google.navigation:q=``."""
        try:
            link = urlsplit(intent.data)
        except ValueError:  # any app can send a link
            return
        text = link.query if link.scheme == "geo" else link.path
        query = {key: values[0] for key, values in parse_qs(text).items()}.get("q", "")
        if link.scheme == "geo" and query:
            self.open_results(query)
        elif link.scheme == "google.navigation" and (found := content.search(query)):
            self.open_route(content.here(), found[0])

    # State shared by all pages

    @property
    def located(self) -> bool:
        """Whether the app has the location permission."""
        return self.ctx.permission(FINE_LOCATION) or self.ctx.permission(COARSE_LOCATION)

    @property
    def hour(self) -> float:
        """The hour of the day."""
        now = self.ctx.now()
        return now.hour + now.minute / 60

    @property
    def dark(self) -> bool:
        """Whether the dark theme is on."""
        match self.store.setting("theme", "Always in Light theme"):
            case "Always in Dark theme":
                return True
            case "Same as device theme":
                return self.ctx.dark
            case _:
                return False

    @property
    def tone(self) -> Tone:
        """The theme's colours."""
        return DARK if self.dark else LIGHT

    @property
    def style(self) -> MapStyle:
        """The current map style."""
        if self.map_type == "Satellite":
            return MapStyle.SATELLITE
        return MapStyle.NIGHT if self.dark else MapStyle.DAY

    def set_map_type(self, kind: str) -> None:
        """Choose the map type."""
        self.map_type = kind
        self.store.set_setting("map_type", kind)

    def toggle_traffic(self) -> None:
        """Toggle the traffic layer."""
        self.traffic = not self.traffic
        self.store.set_setting("layer_traffic", self.traffic)

    def toggle_transit(self) -> None:
        """Toggle the public transport layer."""
        self.transit = not self.transit
