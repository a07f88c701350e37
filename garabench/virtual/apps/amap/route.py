"""The route planner: endpoints, stopovers, travel modes, preferences and departure."""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import TYPE_CHECKING

from garabench.virtual.apps.amap import content
from garabench.virtual.apps.amap.departure import DepartureSheet, departure_text
from garabench.virtual.apps.amap.map_view import AmapMapView
from garabench.virtual.apps.amap.navigation import AmapNavigationScreen
from garabench.virtual.apps.amap.page import AmapScreen
from garabench.virtual.apps.amap.route_cards import drive_panel, foot_panel, options_sheet, taxi_panel
from garabench.virtual.apps.amap.route_header import route_header
from garabench.virtual.apps.amap.route_steps import AmapStepsScreen
from garabench.virtual.apps.amap.route_transit import transit_list
from garabench.virtual.apps.amap.taxi import CallingScreen
from garabench.virtual.apps.amap.taxi_kinds import KINDS
from garabench.virtual.apps.amap.theme import BLUE, message_page
from garabench.virtual.kit.maps.atlas import MapPlace
from garabench.virtual.kit.maps.driving_routes import DriveOption, Route, TravelMode, drives, on_foot
from garabench.virtual.kit.maps.geo import LatLon
from garabench.virtual.kit.maps.map_scene import Pin, PinKind, Stroke
from garabench.virtual.kit.maps.transit import TransitOption, TransitPlan, journeys
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Handler,
    ProgressBar,
    Widget,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.amap.activity import NewMapActivity

MODES = ("驾车", "打车", "公共交通", "骑行", "步行")
_PLAN_MS = 350
_MAX_STOPOVERS = 3
_OTHER = (168, 206, 178)
_BLUE_LINE = (46, 120, 240)
_FOOT_MODES = {"骑行": TravelMode.BIKE, "步行": TravelMode.WALK}
_PANEL_DP = {"驾车": 250.0, "打车": 290.0, "骑行": 150.0, "步行": 150.0}


class AmapRouteScreen(AmapScreen):
    """A route between two places.

    Attributes:
        start, end: None until chosen.
        vias: Stopovers; for drives only.
        options: The driver's preferences.
        transit_option: The passenger's preference.
        departs: Time of departure; None for now.
        chosen: Number of the selected route.
    """

    needs_network = True
    works_offline = True

    def __init__(self, app: NewMapActivity, start: MapPlace | None, end: MapPlace | None, mode: str) -> None:
        self.start, self.end = start, end
        super().__init__(app)
        self.vias: tuple[MapPlace, ...] = ()
        self.mode = mode if mode in MODES else "驾车"
        saved = set(self.store.setting("drive_options", []))
        self.options = frozenset(option for option in DriveOption if option.value in saved)
        self.transit_option = TransitOption.RECOMMENDED
        self.departs: dt.datetime | None = None
        self.chosen = 0
        self.planning = False
        self.taxi_kinds = frozenset({"特惠快车"})
        self.map = AmapMapView(app)
        self.plan()

    # Planning

    @property
    def online(self) -> bool:
        """Whether routes can be planned: online, or between places on downloaded maps."""
        ends = tuple(end for end in (self.start, self.end) if end is not None)
        return self.ctx.online or (super().online and self.known(ends) == ends)

    @property
    def hour(self) -> float:
        """The hour of departure."""
        when = self.departs or self.ctx.now()
        return round(when.hour + when.minute / 60, 1)

    @property
    def stops(self) -> tuple[LatLon, ...]:
        """Return the stops of the route, if both ends are known."""
        if self.start is None or self.end is None:
            return ()
        vias = tuple(via.at for via in self.vias) if self.mode == "驾车" else ()
        return (self.start.at, *vias, self.end.at)

    @property
    def routes(self) -> tuple[Route, ...]:
        """The routes on roads."""
        if not self.stops:
            return ()
        if self.mode in _FOOT_MODES:
            route = on_foot(content.app_atlas(), self.stops, _FOOT_MODES[self.mode])
            return (route,) if route is not None else ()
        options = self.options if self.mode == "驾车" else frozenset[DriveOption]()
        return drives(content.app_atlas(), self.stops, self.hour, options)

    @property
    def journeys(self) -> tuple[TransitPlan, ...]:
        """The journeys by public transport."""
        if self.start is None or self.end is None:
            return ()
        return journeys(content.app_atlas(), self.start.at, self.end.at, self.transit_option, self.hour)

    def plan(self) -> None:
        """Start planning, on the servers or with downloaded maps; it takes a moment."""
        self.chosen = 0
        self.load_first()
        if self.start is None or self.end is None or not self.loaded:
            return
        self.planning = True
        self.ctx.after(_PLAN_MS, self._planned)

    def _planned(self) -> None:
        self.planning = False
        if self.start is not None and self.end is not None:
            self.store.add_trip(self.start, self.end, self.mode, self.ctx.now())
        self._draw()

    def _draw(self) -> None:
        """Update the lines and pins on the map."""
        self.map.height = self.ctx.height_dp
        self.map.top = 150 + 40 * len(self.vias)
        self.map.share = 1 - _PANEL_DP.get(self.mode, 200.0) / max(400.0, self.ctx.height_dp)
        routes = self.routes
        strokes = [
            Stroke(route.points, _OTHER, 5) for place, route in enumerate(routes) if place != self.chosen
        ]
        if self.chosen < len(routes):
            best = routes[self.chosen]
            walking = self.mode == "步行"
            strokes.append(Stroke(best.points, _BLUE_LINE, 6, best.flows, dotted=walking))
            self.map.show(*best.points)
        pins = [Pin(via.at, PinKind.VIA) for via in self.vias]
        if self.start is not None:
            pins.append(Pin(self.start.at, PinKind.START))
        if self.end is not None:
            pins.append(Pin(self.end.at, PinKind.END, self.end.name))
        self.map.strokes, self.map.pins = tuple(strokes), tuple(pins)

    def retry(self) -> None:
        """Reload the page and plan the route again."""
        super().retry()
        self.plan()

    # User input

    def choose_mode(self, mode: str) -> None:
        """Choose a travel mode."""
        self.mode = mode
        self.plan()

    def choose(self, number: int) -> None:
        """Select one of the routes."""
        self.chosen = number
        self._draw()

    def swap(self) -> None:
        """Swap start and destination."""
        self.start, self.end = self.end, self.start
        self.vias = tuple(reversed(self.vias))
        self.plan()

    def pick_start(self) -> None:
        """Choose another start."""
        self.app.pick("请输入起点", partial(self._set, "start"))

    def pick_end(self) -> None:
        """Choose another destination."""
        self.app.pick("请输入终点", partial(self._set, "end"))

    def _set(self, which: str, place: MapPlace) -> None:
        if which == "start":
            self.start = place
        else:
            self.end = place
        self.plan()

    def add_via(self) -> None:
        """Add a stopover to a drive."""
        if len(self.vias) >= _MAX_STOPOVERS:
            self.ctx.toast(f"最多添加{_MAX_STOPOVERS}个途经点")
            return
        self.app.pick("请输入途经点", self._add_via)

    def _add_via(self, place: MapPlace) -> None:
        self.vias = (*self.vias, place)
        self.plan()

    def change_via(self, number: int) -> None:
        """Replace a stopover."""

        def put(place: MapPlace) -> None:
            self.vias = (*self.vias[:number], place, *self.vias[number + 1 :])
            self.plan()

        self.app.pick("请输入途经点", put)

    def delete_via(self, number: int) -> None:
        """Remove a stopover."""
        self.vias = (*self.vias[:number], *self.vias[number + 1 :])
        self.plan()

    def toggle_option(self, option: DriveOption | None) -> None:
        """Toggle a preference; None restores the app's own recommendation."""
        if option is None:
            self.options = frozenset()
        elif option in self.options:
            self.options -= {option}
        else:
            self.options = (self.options - option.excludes) | {option}
        self.store.set_setting("drive_options", sorted(each.value for each in self.options))

    def close_options(self) -> None:
        """Confirm the preferences."""
        self.sheet = None
        self.plan()

    def on_dismiss_dialog(self) -> None:
        """Close a sheet and apply changed preferences."""
        was_open = self.sheet is not None
        self.sheet = None
        if was_open and self.start is not None and self.end is not None:
            self.plan()

    def choose_transit(self, option: TransitOption) -> None:
        """Choose a public transport preference."""
        self.transit_option = option
        self.plan()

    def open_departure(self) -> None:
        """Choose the departure time."""
        sheet = DepartureSheet(self.ctx.now(), self.departs, self._set_departure, self._keep, self.toasting)
        self.sheet = sheet.view

    def _keep(self) -> None:
        self.sheet = None

    def _set_departure(self, when: dt.datetime | None) -> None:
        self.departs = when
        self.sheet = None
        self.plan()

    def navigate(self) -> None:
        """Start the navigation along the selected route."""
        routes = self.routes
        if self.start is None or self.end is None or not routes:
            return
        if self.start.id != content.MINE:
            self.ctx.toast("起点不在当前位置，已为您模拟导航")
        route = routes[min(self.chosen, len(routes) - 1)]
        self.app.push(AmapNavigationScreen(self.app, self.end, route, self.mode))

    def call_taxi(self) -> None:
        """Order a car of one of the selected kinds; this needs the network even with downloaded maps."""
        if self.start is None or self.end is None:
            return
        if not self.ctx.online:
            self.ctx.toast(self.no_network)
            return
        kinds = tuple(kind.name for kind in KINDS if kind.name in self.taxi_kinds)
        self.app.push(CallingScreen(self.app, self.start, self.end, kinds))

    def open_steps(self) -> None:
        """Show the steps of the selected route."""
        routes = self.routes
        if self.start is None or self.end is None or not routes:
            return
        route = routes[min(self.chosen, len(routes) - 1)]
        self.app.push(AmapStepsScreen(self.app, self.start, self.end, route, self.navigate))

    # The page

    @property
    def when(self) -> str:
        """Return the time of departure as text."""
        return departure_text(self.departs, self.ctx.now())

    def bar(self) -> Widget | None:
        """Return the endpoints and travel modes."""
        return route_header(self, MODES)

    def content(self) -> Widget:
        """Return the map with the routes, or the list of journeys."""
        if self.start is None or self.end is None:
            missing = "起点" if self.start is None else "终点"
            ask: Handler = self.pick_start if self.start is None else self.pick_end
            return message_page("map_marker_question", f"请设置{missing}", f"选择{missing}", ask)
        if self.planning:
            spinner = ProgressBar(
                circular=True,
                color=BLUE,
                width=34,
                height=34,
                align_self=Align.CENTER,
                align_vertical=Align.CENTER,
            )
            return Box(id="loading", width=MATCH, height=MATCH, weight=1, children=(spinner,))
        if self.mode == "公共交通":
            return transit_list(self)
        if not self.routes:
            reason = "距离过远，暂无方案" if self.mode in _FOOT_MODES else "没有符合偏好的路线"
            again = ("修改偏好", self.open_options) if self.mode == "驾车" else ("", None)
            return message_page("road_variant", reason, *again)
        match self.mode:
            case "驾车":
                panel = drive_panel(self)
            case "打车":
                panel = taxi_panel(self)
            case _:
                panel = foot_panel(self)
        return Box(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(self.map.view(height=self._map_height()), panel),
        )

    def _map_height(self) -> float:
        header = 112.0 + 36 * len(self.vias) if self.mode == "驾车" else 112.0
        height = max(200.0, self.ctx.height_dp - header)
        self.map.top = 0
        self.map.share = 1 - _PANEL_DP.get(self.mode, 200.0) / height
        return height

    def open_options(self) -> None:
        """Open the sheet of driving preferences."""
        self.sheet = lambda: options_sheet(self)
