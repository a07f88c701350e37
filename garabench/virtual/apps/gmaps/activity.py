"""The app's one activity: a stack of pages, as in the real app."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from garabench.virtual.apps.framework import Context, Intent, IntentFilter
from garabench.virtual.apps.gmaps import content
from garabench.virtual.apps.gmaps.names import COARSE_LOCATION, FINE_LOCATION
from garabench.virtual.apps.gmaps.place import PlaceScreen
from garabench.virtual.apps.gmaps.results import ResultsScreen
from garabench.virtual.apps.gmaps.root import RootScreen
from garabench.virtual.apps.gmaps.route import RouteScreen
from garabench.virtual.apps.gmaps.screen import NO_NETWORK, Picks, Screen
from garabench.virtual.apps.gmaps.search import SearchScreen
from garabench.virtual.apps.gmaps.store import Store
from garabench.virtual.apps.gmaps.theme import DARK, LIGHT, Tone
from garabench.virtual.apps.maps.atlas import Place
from garabench.virtual.apps.maps.look import Style
from garabench.virtual.apps.maps.stack import StackActivity
from garabench.virtual.apps.servers import reach_over
from garabench.virtual.ui.widgets import View

_VIEW = "android.intent.action.VIEW"


class MapsActivity(StackActivity[Screen]):
    """Shows the topmost page of the stack; the map with its tabs lies at the bottom of it."""

    filters = (IntentFilter(_VIEW, "geo"), IntentFilter(_VIEW, "google.navigation"))

    def __init__(self, ctx: Context, intent: Intent) -> None:
        super().__init__(ctx, intent)
        self.store = Store(ctx.data, reach_over(ctx, NO_NETWORK))

    def on_create(self) -> None:
        """Start with the map, and what a link names above it."""
        self.traffic = bool(self.store.setting("layer_traffic", False))
        self.transit = False
        start = "Satellite" if self.store.setting("satellite_start", False) else "Default"
        self.map_type = str(self.store.setting("map_type", start))
        self.push(RootScreen(self))
        self._follow(self.intent)

    def on_new_intent(self, intent: Intent) -> None:
        """Go where a link leads."""
        self._follow(intent)

    # The stack

    def build(self) -> View:
        """The page in front; each has view state of its own."""
        self.status_bar = self.tone.ground
        return super().build()

    # Where one can go

    def open_place(self, place: Place) -> None:
        """Open a place's page."""
        self.push(PlaceScreen(self, place))

    def open_results(self, query: str) -> None:
        """Open what a query finds: a place's page where it names one and no other."""
        self.store.note_search(query)
        found = content.search(query)
        if len(found) == 1 and self.ctx.online:
            self.open_place(found[0])
        else:
            self.push(ResultsScreen(self, query))

    def open_search(self, text: str = "") -> None:
        """Open the search page."""
        self.push(SearchScreen(self, text=text))

    def pick(self, hint: str, picks: Picks) -> None:
        """Let the user choose a place."""
        self.push(SearchScreen(self, hint=hint, picks=picks))

    def open_route(self, start: Place | None, end: Place | None, mode: str = "Driving") -> None:
        """Open the planning of a route."""
        self.push(RouteScreen(self, start, end, mode))

    def _follow(self, intent: Intent) -> None:
        """Open what a link names, such as ``geo:0,0?q=`` or ``google.navigation:q=``."""
        try:
            link = urlsplit(intent.data)
        except ValueError:  # anybody can send a link
            return
        text = link.query if link.scheme == "geo" else link.path
        query = {key: values[0] for key, values in parse_qs(text).items()}.get("q", "")
        if link.scheme == "geo" and query:
            self.open_results(query)
        elif link.scheme == "google.navigation" and (found := content.search(query)):
            self.open_route(content.here(), found[0])

    # What all pages know

    @property
    def located(self) -> bool:
        """Whether the app may know where the phone is."""
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
    def style(self) -> Style:
        """How maps are drawn now."""
        if self.map_type == "Satellite":
            return Style.SATELLITE
        return Style.NIGHT if self.dark else Style.DAY

    def set_map_type(self, kind: str) -> None:
        """Choose the kind of map."""
        self.map_type = kind
        self.store.set_setting("map_type", kind)

    def flip_traffic(self) -> None:
        """Show the traffic, or hide it."""
        self.traffic = not self.traffic
        self.store.set_setting("layer_traffic", self.traffic)

    def flip_transit(self) -> None:
        """Show the lines of public transport, or hide them."""
        self.transit = not self.transit
