"""The app's only activity: a stack of pages, as in the real app."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from garabench.virtual.apps.amap import content
from garabench.virtual.apps.amap.detail import AmapPlaceScreen
from garabench.virtual.apps.amap.names import COARSE_LOCATION, FINE_LOCATION
from garabench.virtual.apps.amap.page import AmapScreen, OnPick
from garabench.virtual.apps.amap.root import AmapRootScreen
from garabench.virtual.apps.amap.route import AmapRouteScreen
from garabench.virtual.apps.amap.search import SEARCH_HINT, AmapSearchScreen
from garabench.virtual.apps.amap.search_results import AmapResultsScreen
from garabench.virtual.apps.amap.store import AmapStore
from garabench.virtual.kit.framework import Context, Intent
from garabench.virtual.kit.intent_filter import IntentFilter
from garabench.virtual.kit.maps.atlas import MapPlace
from garabench.virtual.kit.maps.map_scene import MapStyle
from garabench.virtual.kit.maps.page_stack import StackActivity
from garabench.virtual.kit.maps.place_search import search
from garabench.virtual.ui.widgets import Widget

_VIEW = "android.intent.action.VIEW"
_LINK_MODES = {"0": "驾车", "1": "公共交通", "2": "步行", "3": "骑行"}
_NIGHT_FROM, _NIGHT_TO = 19, 6


class NewMapActivity(StackActivity[AmapScreen]):
    """Shows the top page of the stack; the bottom one is the map with its tabs."""

    orientation = "portrait"
    filters = (
        IntentFilter.of(_VIEW, "androidamap"),
        IntentFilter.of(_VIEW, "geo"),
    )

    def __init__(self, ctx: Context, intent: Intent) -> None:
        super().__init__(ctx, intent)
        self.store = AmapStore(ctx.data)

    def on_create(self) -> None:
        """Start with the map, and with the target of a deep link above it."""
        self.traffic = bool(self.store.setting("keep_traffic", False))
        self.layer = str(self.store.setting("layer", "标准地图"))
        self.push(AmapRootScreen(self))
        self._follow(self.intent)

    def on_new_intent(self, intent: Intent) -> None:
        """Open the target of a deep link."""
        self._follow(intent)

    # The stack

    def build(self) -> Widget:
        """Return the top page of the stack; each page has its own view state."""
        self.status_bar = self.top.background
        return super().build()

    # Navigation

    def open_place(self, place: MapPlace) -> None:
        """Open a place's page."""
        self.push(AmapPlaceScreen(self, place))

    def open_results(self, query: str, center: MapPlace | None = None) -> None:
        """Open the results of a query, around a place or the current location."""
        self.push(AmapResultsScreen(self, query, center))

    def open_search(self, text: str = "", center: MapPlace | None = None, hint: str = SEARCH_HINT) -> None:
        """Open the search page."""
        self.push(AmapSearchScreen(self, text=text, center=center, hint=hint))

    def pick(self, hint: str, on_pick: OnPick) -> None:
        """Let the user choose a place."""
        self.push(AmapSearchScreen(self, hint=hint, on_pick=on_pick))

    def open_route(self, start: MapPlace | None, end: MapPlace | None, mode: str = "驾车") -> AmapRouteScreen:
        """Open the route planner."""
        page = AmapRouteScreen(self, start, end, mode)
        self.push(page)
        return page

    def _follow(self, intent: Intent) -> None:
        """Open the target of a deep link such as ``androidamap://poi?keywords=`` or ``geo:0,0?q=``."""
        try:
            link = urlsplit(intent.data)
        except ValueError:  # any app can send a link
            return
        query = {key: values[0] for key, values in parse_qs(link.query).items()}
        here = content.HERE
        if link.scheme == "geo" and query.get("q"):
            self.open_results(query["q"])
        elif link.scheme == "androidamap" and link.netloc == "poi" and query.get("keywords"):
            self.open_results(query["keywords"])
        elif link.scheme == "androidamap" and link.netloc in ("route", "navi") and query.get("dname"):
            found = search(content.app_atlas(), query["dname"], here)
            start = search(content.app_atlas(), query.get("sname", ""), here)
            if found:
                mode = _LINK_MODES.get(query.get("t", "0"), "驾车")
                self.open_route(start[0] if start else self.my_place, found[0], mode)

    # State shared by all pages

    @property
    def located(self) -> bool:
        """Whether the app has the location permission."""
        return self.ctx.permission(FINE_LOCATION) or self.ctx.permission(COARSE_LOCATION)

    @property
    def my_place(self) -> MapPlace | None:
        """The current location, if known."""
        return content.here() if self.located else None

    @property
    def hour(self) -> float:
        """The hour of the day."""
        now = self.ctx.now()
        return now.hour + now.minute / 60

    @property
    def style(self) -> MapStyle:
        """The current map style."""
        if self.layer == "卫星图":
            return MapStyle.SATELLITE
        if self.layer == "夜间地图":
            return MapStyle.NIGHT
        match self.store.setting("day_night", "自动"):
            case "白天":
                night = False
            case "夜间":
                night = True
            case "跟随系统":
                night = self.ctx.dark
            case _:
                night = not _NIGHT_TO <= self.ctx.now().hour < _NIGHT_FROM
        return MapStyle.NIGHT if night else MapStyle.DAY

    def set_layer(self, layer: str) -> None:
        """Choose the map type."""
        self.layer = layer
        self.store.set_setting("layer", layer)

    def toggle_traffic(self) -> None:
        """Toggle the traffic layer."""
        self.traffic = not self.traffic
        self.ctx.toast("实时路况已打开" if self.traffic else "实时路况已关闭")
