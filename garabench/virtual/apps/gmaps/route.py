"""Directions: endpoints, travel modes, options, departure time and routes."""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import TYPE_CHECKING

from garabench.virtual.apps.gmaps import content
from garabench.virtual.apps.gmaps.map_view import GmapsMapView
from garabench.virtual.apps.gmaps.navigation import GmapsNavigationScreen, GmapsStepsScreen
from garabench.virtual.apps.gmaps.page import GmapsScreen
from garabench.virtual.apps.gmaps.route_panels import (
    departure_sheet,
    mode_tabs,
    options_sheet,
    route_header,
    route_panel,
    transit_list,
)
from garabench.virtual.apps.gmaps.theme import BLUE, message_page, pill
from garabench.virtual.kit.maps.atlas import MapPlace
from garabench.virtual.kit.maps.driving_routes import DriveOption, Route, TravelMode, drives, on_foot
from garabench.virtual.kit.maps.map_scene import Pin, PinKind, Stroke
from garabench.virtual.kit.maps.transit import TransitOption, TransitPlan, journeys
from garabench.virtual.ui.widgets import MATCH, Align, Box, Column, ProgressBar, Widget

if TYPE_CHECKING:
    from garabench.virtual.apps.gmaps.activity import MapsActivity

MODES = ("Driving", "Transit", "Walking", "Bicycling")
_PLAN_MS = 350
_ON_ROADS = {"Walking": TravelMode.WALK, "Bicycling": TravelMode.BIKE}
_HEAD_DP = 178.0
_PANEL_DP = 206.0
_FARTHEST_ON_FOOT = 160_000.0


class GmapsRouteScreen(GmapsScreen):
    """A route between two places.

    Attributes:
        start, end: None until chosen.
        transit: The passenger's preference.
        departs: Time of departure; None for now.
        chosen: Number of the selected route.
    """

    needs_network = True

    def __init__(self, app: MapsActivity, start: MapPlace | None, end: MapPlace | None, mode: str) -> None:
        super().__init__(app)
        self.start, self.end, self.mode = start, end, mode
        self.transit = TransitOption.RECOMMENDED
        self.departs: dt.datetime | None = None
        self.chosen = 0
        self.planning = False
        self.map = GmapsMapView(app)
        self.plan()

    def avoids(self, what: str) -> bool:
        """Return whether ``highways``, ``tolls`` or ``ferries`` are avoided."""
        return bool(self.store.setting(f"avoid_{what}", False))

    def toggle_avoid(self, what: str) -> None:
        """Toggle whether something is avoided, and discard the planned routes."""
        self.store.set_setting(f"avoid_{what}", not self.avoids(what))
        self.load_first()

    @property
    def hour(self) -> float:
        """The hour of departure."""
        when = self.departs or self.ctx.now()
        return round(when.hour + when.minute / 60, 1)

    @property
    def routes(self) -> tuple[Route, ...]:
        """The routes on roads, best first."""
        if self.start is None or self.end is None:
            return ()
        stops = (self.start.at, self.end.at)
        if self.mode in _ON_ROADS:
            route = on_foot(content.app_atlas(), stops, _ON_ROADS[self.mode])
            return (route,) if route is not None and route.metres < _FARTHEST_ON_FOOT else ()
        options = {DriveOption.NO_HIGHWAYS} if self.avoids("highways") else set()
        found = drives(content.app_atlas(), stops, self.hour, frozenset(options))
        if self.avoids("tolls"):
            free = tuple(route for route in found if not content.is_tolled(route))
            return free or found
        return found

    @property
    def journeys(self) -> tuple[TransitPlan, ...]:
        """The journeys by public transport, best first."""
        if self.start is None or self.end is None:
            return ()
        return journeys(content.app_atlas(), self.start.at, self.end.at, self.transit, self.hour)

    def plan(self) -> None:
        """Start planning on the servers; it takes a moment."""
        self.chosen = 0
        self.load_first()
        if self.start is not None and self.end is not None and self.loaded:
            self.planning = True
            self.ctx.after(_PLAN_MS, self._planned)

    def _planned(self) -> None:
        self.planning = False
        self._draw()

    def _draw(self) -> None:
        """Update the lines and pins on the map."""
        self.map.height = self._map_dp
        routes = self.routes if self.mode != "Transit" else ()
        strokes = [
            Stroke(route.points, (160, 190, 232), 5)
            for number, route in enumerate(routes)
            if number != self.chosen
        ]
        if self.chosen < len(routes):
            best = routes[self.chosen]
            flows = best.flows if self.mode == "Driving" else ()
            strokes.append(Stroke(best.points, (26, 115, 232), 6, flows, dotted=self.mode == "Walking"))
            self.map.show(*best.points)
        self.map.strokes = tuple(strokes)
        self.map.pins = (Pin(self.end.at, PinKind.CHOSEN, self.end.name),) if self.end else ()

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
        self.plan()

    def pick_start(self) -> None:
        """Choose another start."""
        self.app.pick("Choose start location", partial(self._set, "start"))

    def pick_end(self) -> None:
        """Choose another destination."""
        self.app.pick("Choose destination", partial(self._set, "end"))

    def _set(self, which: str, place: MapPlace) -> None:
        if which == "start":
            self.start = place
        else:
            self.end = place
        self.plan()

    def prefer(self, option: TransitOption) -> None:
        """Choose a public transport preference."""
        self.transit = option
        self.plan()

    def depart(self, when: dt.datetime | None) -> None:
        """Set the time of departure; None for now."""
        self.departs, self.sheet = when, None
        self.plan()

    def on_dismiss_dialog(self) -> None:
        """Close a sheet and apply changed options."""
        if self.sheet is not None:
            self.sheet = None
            self.plan()

    def open_options(self) -> None:
        """Open the options: what to avoid, or to prefer."""
        self.sheet = lambda: options_sheet(self)

    def open_departure(self) -> None:
        """Choose the departure time."""
        self.sheet = lambda: departure_sheet(self)

    @property
    def selected(self) -> Route | None:
        """The selected route on roads."""
        routes = self.routes
        return routes[min(self.chosen, len(routes) - 1)] if routes else None

    def navigate(self) -> None:
        """Start the guidance along the selected route."""
        if self.end is not None and self.selected is not None:
            self.app.push(GmapsNavigationScreen(self.app, self.end, self.selected, self.mode))

    def open_steps(self) -> None:
        """Show the steps of the selected route."""
        if self.start is not None and self.end is not None and self.selected is not None:
            self.app.push(GmapsStepsScreen(self.app, self.start, self.end, self.selected, self.mode))

    # The page

    @property
    def _map_dp(self) -> float:
        return max(160.0, self.ctx.height_dp - _HEAD_DP - _PANEL_DP)

    def bar(self) -> Widget:
        """Return the endpoints and travel modes."""
        return Column(
            width=MATCH, background=self.tone.background, children=(route_header(self), mode_tabs(self))
        )

    def content(self) -> Widget:
        """Return the map with the routes, or the list of journeys."""
        if self.start is None or self.end is None:
            start = self.start is None
            label = "Choose start location" if start else "Choose destination"
            button = pill(label, self.pick_start if start else self.pick_end, rid="pick_missing")
            return message_page(self.tone, "directions", label, button, rid="route_missing")
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
        if self.mode == "Transit":
            return transit_list(self)
        route = self.selected
        if route is None:
            text = f"Can't find a way there by {self.mode.lower()}"
            return message_page(self.tone, "directions", text, rid="no_route")
        body = (self.map.view(self._map_dp), route_panel(self, route))
        return Column(width=MATCH, height=MATCH, weight=1, children=body)
