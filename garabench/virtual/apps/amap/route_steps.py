"""A route's steps in words: roads, distances and traffic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from garabench.virtual.apps.amap.page import AmapScreen
from garabench.virtual.apps.amap.theme import (
    BACKGROUND,
    BLUE,
    GREEN,
    INK,
    INK_3,
    ORANGE,
    RED,
    WHITE,
    card,
    pill,
)
from garabench.virtual.kit.maps.atlas import MapPlace
from garabench.virtual.kit.maps.driving_routes import Route, Step
from garabench.virtual.kit.maps.traffic import Flow
from garabench.virtual.kit.maps.units import distance_text, duration_text
from garabench.virtual.ui.widgets import MATCH, Column, Handler, ListView, Row, Text, Widget, insets, spacer

if TYPE_CHECKING:
    from garabench.virtual.apps.amap.activity import NewMapActivity

_COLORS = {Flow.FREE: GREEN, Flow.SLOW: ORANGE, Flow.JAM: RED}


class AmapStepsScreen(AmapScreen):
    """The steps of a route."""

    title = "路线详情"

    def __init__(
        self, app: NewMapActivity, start: MapPlace, end: MapPlace, route: Route, begin: Handler
    ) -> None:
        super().__init__(app)
        self.start, self.end, self.route, self._begin = start, end, route, begin

    def begin(self) -> None:
        """Start the navigation along the route."""
        self.app.pop()
        self._begin()

    def content(self) -> Widget:
        """Return the summary above the steps."""
        route = self.route
        toll = f"过路费{route.toll}元" if route.toll else "免费"
        header = card(
            Text(
                id="steps_sum",
                text=f"{duration_text(route.seconds)} {distance_text(route.metres)}",
                size=20,
                bold=True,
                color=BLUE,
            ),
            Text(id="steps_facts", text=f"红绿灯{route.lights}个 · {toll}", size=13, color=INK_3),
            Text(
                id="steps_ends", text=f"{self.start.name} → {self.end.name}", size=13, color=INK, max_lines=1
            ),
            gap=6,
        )
        body = ListView(
            id="steps_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            header=(header, spacer(8)),
            items=route.steps,
            build=self._step,
            item_height=56,
        )
        button = Row(
            width=MATCH,
            background=WHITE,
            padding=insets(16, 8),
            children=(
                pill("开始导航", self.begin, rid="start_navi", size=17, padding=insets(0, 12), weight=1),
            ),
        )
        return Column(width=MATCH, height=MATCH, weight=1, background=BACKGROUND, children=(body, button))

    def _step(self, step: Step, number: int) -> Widget:
        words = f"沿{step.road}" if step.road else "沿附近道路"
        return Row(
            id="step_item",
            key=f"step-{number}",
            width=MATCH,
            height=56,
            gap=12,
            background=WHITE,
            padding=insets(20, 0),
            children=(
                Widget(width=8, height=8, radius=4, background=_COLORS[step.flow], important=False),
                Text(id="step_text", text=words, size=15, color=INK, weight=1, max_lines=1),
                Text(id="step_distance", text=distance_text(step.metres), size=13, color=INK_3),
                Text(id="step_flow", text=step.flow.value, size=12, color=_COLORS[step.flow]),
            ),
        )
