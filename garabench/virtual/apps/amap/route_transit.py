"""Journeys by public transport: the list with its preferences, and one journey step by step."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from garabench.virtual.apps.amap.map_view import AmapMapView
from garabench.virtual.apps.amap.page import AmapScreen
from garabench.virtual.apps.amap.theme import (
    BACKGROUND,
    BLUE,
    GREEN,
    INK,
    INK_2,
    INK_3,
    LINE,
    RED,
    WHITE,
    card,
    chip,
    message_page,
    title_bar,
)
from garabench.virtual.kit.maps.atlas import MapPlace
from garabench.virtual.kit.maps.map_scene import Pin, PinKind, Stroke
from garabench.virtual.kit.maps.transit import Ride, TransitOption, TransitPlan, Walk
from garabench.virtual.kit.maps.units import distance_text, duration_text
from garabench.virtual.ui.widgets import (
    MATCH,
    Column,
    Icon,
    ListView,
    Row,
    ScrollView,
    Text,
    Toggle,
    Widget,
    divider,
    insets,
    spacer,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.amap.activity import NewMapActivity
    from garabench.virtual.apps.amap.route import AmapRouteScreen

_ICONS = {"metro": "subway_variant", "bus": "bus", "train": "train"}
_MAP_DP = 190.0
_MIN_WALK = 20
"""In metres; shorter walks are omitted."""


def transit_list(page: AmapRouteScreen) -> Widget:
    """Return the preferences above the journeys."""
    chips = [
        chip(
            option.value,
            option is page.transit_option,
            partial(page.choose_transit, option),
            rid="transit_option",
        )
        for option in TransitOption
    ]
    header = Column(
        width=MATCH,
        background=WHITE,
        padding=insets(0, 8, 0, 6),
        gap=4,
        children=(
            ScrollView(
                id="transit_options",
                horizontal=True,
                width=MATCH,
                gap=8,
                padding=insets(12, 0),
                children=chips,
            ),
            Row(
                id="route_departure",
                desc="出发时间",
                width=MATCH,
                height=32,
                gap=5,
                padding=insets(14, 0),
                on_click=page.open_departure,
                children=(
                    Icon(name="clock_outline", size=15, color=BLUE, important=False),
                    Text(id="route_departure_text", text=page.when, size=13, color=INK_2),
                    Icon(name="chevron_down", size=15, color=INK_3, important=False),
                ),
            ),
        ),
    )
    plans = page.journeys
    body: Widget
    if plans:
        body = ListView(
            id="transit_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            background=BACKGROUND,
            items=plans,
            build=lambda plan, number: _line(page, plan, number),
        )
    else:
        body = message_page("bus_alert", "暂无公交方案，换个偏好或出发时间试试")
    return Column(width=MATCH, height=MATCH, weight=1, children=(header, divider(LINE), body))


def _line(page: AmapRouteScreen, plan: TransitPlan, number: int) -> Widget:
    start, end = page.start, page.end

    def open_plan() -> None:
        if start is not None and end is not None:
            page.app.push(JourneyScreen(page.app, start, end, plan))

    rides: list[Widget] = []
    for place, ride in enumerate(plan.rides):
        if place:
            rides.append(Icon(name="chevron_right", size=15, color=INK_3, important=False))
        rides.append(line_badge(ride))
    changes = "无需换乘" if not plan.changes else f"换乘{plan.changes}次"
    first = plan.rides[0]
    return card(
        Row(
            width=MATCH,
            gap=8,
            children=(
                Text(id="transit_time", text=duration_text(plan.seconds), size=18, bold=True, color=INK),
                spacer(),
                Text(id="transit_walk", text=f"步行{distance_text(plan.walking)}", size=13, color=INK_2),
            ),
        ),
        Row(id="transit_lines", width=MATCH, wrap=True, gap=4, children=rides),
        Text(
            id="transit_facts",
            text=f"{changes} · 共{sum(ride.stops for ride in plan.rides)}站 · ¥{plan.fare}",
            size=12,
            color=INK_2,
        ),
        Row(
            id="transit_item",
            key=f"plan-{number}",
            desc=f"方案{number + 1}",
            width=MATCH,
            height=28,
            on_click=open_plan,
            children=(
                Text(id="transit_first", text=f"{first.start}上车", size=12, color=INK_3, max_lines=1),
                spacer(),
                Text(text="查看详情", size=12, color=BLUE),
                Icon(name="chevron_right", size=15, color=BLUE, important=False),
            ),
        ),
        rid="transit_card",
        gap=8,
    )


def line_badge(ride: Ride) -> Widget:
    """Return the badge of a line in its colour."""
    return Row(
        gap=3,
        radius=4,
        background=ride.color,
        padding=insets(5, 2),
        children=(
            Icon(name=_ICONS[ride.kind], size=13, color=WHITE, important=False),
            Text(id="transit_line", text=ride.line, size=12, color=WHITE, max_lines=1),
        ),
    )


class JourneyScreen(AmapScreen):
    """A journey step by step."""

    def __init__(self, app: NewMapActivity, start: MapPlace, end: MapPlace, plan: TransitPlan) -> None:
        super().__init__(app)
        self.start, self.end, self.plan = start, end, plan
        self.reminds = False
        self.map = AmapMapView(app)
        self.map.height = _MAP_DP
        points = [point for leg in plan.legs for point in leg.points]
        self.map.show(*points)
        self.map.strokes = tuple(
            Stroke(leg.points, (46, 120, 240), 5, dotted=True)
            if isinstance(leg, Walk)
            else Stroke(leg.points, _rgb(leg.color), 6)
            for leg in plan.legs
        )
        self.map.pins = (Pin(start.at, PinKind.START), Pin(end.at, PinKind.END, end.name))

    def toggle(self) -> None:
        """Toggle the reminder to get off."""
        self.reminds = not self.reminds
        self.ctx.toast("到站提醒已开启" if self.reminds else "到站提醒已关闭")

    def bar(self) -> Widget | None:
        """Return the title bar."""
        return title_bar("公共交通方案", self.leave)

    def content(self) -> Widget:
        """Return the map above the steps."""
        plan = self.plan
        header = Column(
            width=MATCH,
            gap=6,
            children=(
                Row(
                    width=MATCH,
                    gap=10,
                    children=(
                        Text(
                            id="journey_time", text=duration_text(plan.seconds), size=20, bold=True, color=INK
                        ),
                        Text(id="journey_fare", text=f"¥{plan.fare}", size=14, color=INK_2),
                        Text(
                            id="journey_walk", text=f"步行{distance_text(plan.walking)}", size=14, color=INK_2
                        ),
                    ),
                ),
                Row(
                    width=MATCH,
                    height=40,
                    on_click=self.toggle,
                    children=(
                        Text(text="到站提醒", size=14, color=INK),
                        spacer(),
                        Toggle(
                            id="journey_remind",
                            desc="到站提醒",
                            checked=self.reminds,
                            color=BLUE,
                            width=46,
                            height=28,
                            on_click=self.toggle,
                        ),
                    ),
                ),
            ),
        )
        steps = [_point(self.start.name, GREEN, "journey_start")]
        shown = [leg for leg in plan.legs if isinstance(leg, Ride) or leg.metres >= _MIN_WALK]
        steps += [_leg(leg, number) for number, leg in enumerate(shown)]
        steps.append(_point(self.end.name, RED, "journey_end"))
        body = ScrollView(
            id="journey_scroll",
            width=MATCH,
            height=MATCH,
            weight=1,
            background=BACKGROUND,
            children=(card(header), card(*steps, gap=4), spacer(14)),
        )
        return Column(width=MATCH, height=MATCH, weight=1, children=(self.map.view(height=_MAP_DP), body))


def _rgb(color: str) -> tuple[int, int, int]:
    red, green, blue = (int(color[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue


def _point(name: str, color: str, rid: str) -> Widget:
    return Row(
        width=MATCH,
        height=36,
        gap=10,
        children=(
            Widget(width=9, height=9, radius=5, background=color, important=False),
            Text(id=rid, text=name, size=15, bold=True, color=INK, max_lines=1),
        ),
    )


def _leg(leg: Ride | Walk, number: int) -> Widget:
    if isinstance(leg, Walk):
        return Row(
            id="journey_walk_step",
            key=f"leg-{number}",
            width=MATCH,
            height=34,
            gap=8,
            children=(
                Icon(name="walk", size=17, color=INK_3, important=False),
                Text(
                    text=f"步行{distance_text(leg.metres)}（{duration_text(leg.seconds)}）",
                    size=13,
                    color=INK_2,
                ),
            ),
        )
    return Column(
        id="journey_ride",
        key=f"leg-{number}",
        width=MATCH,
        gap=5,
        padding=insets(0, 6),
        children=(
            Row(
                gap=8, children=(line_badge(leg), Text(text=duration_text(leg.seconds), size=12, color=INK_3))
            ),
            Text(id="journey_on", text=f"{leg.start} 上车", size=14, color=INK),
            Text(id="journey_stops", text=f"乘坐{leg.stops}站", size=12, color=INK_3),
            Text(id="journey_off", text=f"{leg.end} 下车", size=14, color=INK),
        ),
    )
