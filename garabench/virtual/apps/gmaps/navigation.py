"""Turn-by-turn navigation: next turn, arrival, sound, exit; and a route as a list of steps."""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import TYPE_CHECKING

from garabench.virtual.apps.gmaps import content
from garabench.virtual.apps.gmaps.map_view import GmapsMapView
from garabench.virtual.apps.gmaps.page import GmapsScreen
from garabench.virtual.apps.gmaps.theme import GREEN, WHITE, bottom_sheet, choice, icon_button, line_row, pill
from garabench.virtual.kit.maps.atlas import MapPlace
from garabench.virtual.kit.maps.driving_routes import Route
from garabench.virtual.kit.maps.map_scene import Pin, PinKind, Stroke
from garabench.virtual.ui.widgets import (
    MATCH,
    Column,
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

SOUNDS = ("Unmuted", "Alerts only", "Muted")
_SOUND_ICONS = {"Unmuted": "volume_high", "Alerts only": "alert_circle_outline", "Muted": "volume_off"}
_PANEL_DP = 250.0


def clock(when: dt.datetime) -> str:
    """Format a time of day: ``9:41 AM``."""
    return f"{when.hour % 12 or 12}:{when:%M} {'AM' if when.hour < 12 else 'PM'}"


class GmapsNavigationScreen(GmapsScreen):
    """Guidance along a route."""

    def __init__(self, app: MapsActivity, end: MapPlace, route: Route, mode: str) -> None:
        super().__init__(app)
        self.end, self.route, self.mode = end, route, mode
        self.sound = SOUNDS[0]
        self.map = GmapsMapView(app)
        self.map.strokes = (Stroke(route.points, (26, 115, 232), 7, route.flows),)
        self.map.pins = (Pin(end.at, PinKind.CHOSEN), Pin(route.points[0], PinKind.ARROW))
        self.map.height = app.ctx.height_dp - _PANEL_DP
        self.map.show(*route.points)

    def choose(self, sound: str) -> None:
        """Choose the voice: on, alerts only, or muted."""
        self.sound = sound

    def content(self) -> Widget:
        """Return the next turn, the map, and the time of arrival."""
        road = next((step.road for step in self.route.steps if step.road), self.end.name)
        turn = Row(
            id="turn_card",
            width=MATCH,
            height=92,
            gap=16,
            padding=insets(20, 0),
            background=GREEN,
            children=(
                Icon(name="arrow_up", size=38, color=WHITE, important=False),
                Column(
                    weight=1,
                    gap=2,
                    children=(
                        Text(id="turn_text", text=f"toward {road}", size=22, color=WHITE, max_lines=1),
                        Text(id="nav_destination", text=f"to {self.end.name}", size=14, color=WHITE),
                    ),
                ),
                icon_button(
                    _SOUND_ICONS[self.sound],
                    f"Sound: {self.sound}",
                    self.opening(self._sounds),
                    rid="sound_button",
                    color=WHITE,
                ),
            ),
        )
        arrives = self.ctx.now() + dt.timedelta(seconds=self.route.seconds)
        words = Column(
            weight=1,
            gap=2,
            children=(
                Text(id="time_left", text=content.duration_text(self.route.seconds), size=24, color=GREEN),
                Text(
                    id="arrival_text",
                    text=f"{self.store.format_distance(self.route.metres)} · {clock(arrives)}",
                    size=15,
                    color=self.tone.ink_2,
                ),
            ),
        )
        footer = Row(
            id="nav_panel",
            width=MATCH,
            height=96,
            padding=insets(20, 0),
            background=self.tone.raised,
            children=(words, pill("Exit", self.leave, rid="exit_navigation", fill=True, height=44)),
        )
        height = max(160.0, self.ctx.height_dp - 188)
        return Column(width=MATCH, height=MATCH, weight=1, children=(turn, self.map.view(height), footer))

    def _sounds(self) -> Widget:
        rows = [
            choice(
                self.tone,
                "sound_choice",
                sound,
                sound == self.sound,
                self.closing(partial(self.choose, sound)),
            )
            for sound in SOUNDS
        ]
        body = Column(width=MATCH, padding=insets(18, 0), children=rows)
        return bottom_sheet(self.tone, "Sound", body, rid="sound_sheet")


class GmapsStepsScreen(GmapsScreen):
    """A route as a list of steps."""

    title = "Steps"

    def __init__(self, app: MapsActivity, start: MapPlace, end: MapPlace, route: Route, mode: str) -> None:
        super().__init__(app)
        self.start, self.end, self.route, self.mode = start, end, route, mode

    def content(self) -> Widget:
        """Return the steps from the start to the destination."""
        tone, route = self.tone, self.route
        time = content.duration_text(route.seconds)
        rows: list[Widget] = [
            Text(
                id="steps_summary",
                text=f"{time} ({self.store.format_distance(route.metres)}) · {self.mode}",
                size=20,
                color=GREEN,
                padding=insets(18, 12),
            ),
            line_row(tone, "circle_outline", self.start.name, rid="steps_start"),
        ]
        named = [step for step in route.steps if step.road]
        for number, step in enumerate(named):
            verb = "Head along" if number == 0 else "Continue onto"
            text = f"{verb} {step.road}"
            note = self.store.format_distance(step.metres)
            if step.road in content.TOLLED and self.mode == "Driving":
                note += " · Toll road"
            icon = "arrow_up" if number == 0 else "arrow_right_top"
            rows.append(line_row(tone, icon, text, rid="step_item", note=note, key=f"step-{number}"))
            rows.append(divider(tone.line))
        rows.append(line_row(tone, "map_marker", self.end.name, rid="steps_end", color="#EA4335"))
        return ScrollView(
            id="steps_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(Column(width=MATCH, children=rows),),
        )
