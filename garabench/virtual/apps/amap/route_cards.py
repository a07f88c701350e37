"""The panels over a route's map: alternative routes, preferences, taxis."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from garabench.virtual.apps.amap.dialogs import bottom_sheet
from garabench.virtual.apps.amap.taxi_kinds import KINDS, fare
from garabench.virtual.apps.amap.theme import (
    BLUE,
    BLUE_SOFT,
    INK,
    INK_2,
    INK_3,
    ORANGE,
    WHITE,
    chip,
    pill,
)
from garabench.virtual.kit.maps.driving_routes import DriveOption, Route
from garabench.virtual.kit.maps.units import distance_text, duration_text
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    CheckBox,
    Column,
    Handler,
    Icon,
    Row,
    Text,
    Widget,
    insets,
    spacer,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.amap.route import AmapRouteScreen

SMART = "智能推荐"


def preference_text(options: frozenset[DriveOption]) -> str:
    """Return the preferences as text."""
    return "、".join(option.value for option in DriveOption if option in options) or SMART


def _panel(*children: Widget) -> Widget:
    return Column(
        id="route_panel",
        width=MATCH,
        align_vertical=Align.END,
        background=WHITE,
        radius=16,
        elevation=4,
        gap=10,
        padding=insets(12, 14, 12, 12),
        clickable=True,
        children=children,
    )


def _start(label: str, on_click: Handler) -> Widget:
    return Row(
        width=MATCH,
        children=(pill(label, on_click, rid="start_navi", size=17, padding=insets(0, 12), weight=1),),
    )


def drive_panel(page: AmapRouteScreen) -> Widget:
    """Return up to three routes, the preferences, the departure and the start button."""
    tools = Row(
        width=MATCH,
        gap=8,
        children=(
            _tool(
                "tune_variant",
                "route_preference",
                "路线偏好",
                preference_text(page.options),
                page.open_options,
            ),
            _tool("clock_outline", "route_departure", "出发时间", page.when, page.open_departure),
        ),
    )
    cells = [_route(page, number, route) for number, route in enumerate(page.routes)]
    chosen = page.routes[min(page.chosen, len(page.routes) - 1)]
    via = Row(
        width=MATCH,
        gap=6,
        children=(
            Text(
                id="route_main_roads",
                text="途经 " + "、".join(chosen.main_roads) if chosen.main_roads else "附近道路",
                size=12,
                color=INK_3,
                weight=1,
                max_lines=1,
            ),
            Text(
                id="route_steps",
                text="查看详情",
                size=12,
                color=BLUE,
                padding=insets(6, 4),
                on_click=page.open_steps,
            ),
        ),
    )
    return _panel(
        tools,
        Row(id="route_choices", width=MATCH, gap=8, children=cells),
        via,
        _start("开始导航", page.navigate),
    )


def _tool(icon: str, rid: str, label: str, value: str, on_click: Handler) -> Widget:
    return Row(
        id=rid,
        desc=label,
        weight=1,
        height=36,
        gap=5,
        radius=18,
        background="#F2F4F7",
        padding=insets(10, 0),
        on_click=on_click,
        children=(
            Icon(name=icon, size=16, color=BLUE, important=False),
            Text(id=f"{rid}_text", text=value, size=12.5, color=INK, weight=1, max_lines=1),
            Icon(name="chevron_right", size=15, color=INK_3, important=False),
        ),
    )


def _route(page: AmapRouteScreen, number: int, route: Route) -> Widget:
    on = number == page.chosen
    toll = f"¥{route.toll}" if route.toll else "免费"
    return Column(
        id="route_item",
        key=f"route-{number}",
        weight=1,
        gap=2,
        radius=10,
        padding=insets(8, 8),
        background=BLUE_SOFT if on else WHITE,
        border=BLUE if on else "#E4E8EF",
        selected=on,
        on_click=partial(page.choose, number),
        children=(
            Text(id="route_label", text=route.label, size=12, color=BLUE if on else INK_2, max_lines=1),
            Text(
                id="route_time",
                text=duration_text(route.seconds),
                size=16,
                bold=True,
                color=BLUE if on else INK,
                max_lines=1,
            ),
            Text(id="route_distance", text=distance_text(route.metres), size=12, color=INK_2, max_lines=1),
            Text(id="route_cost", text=f"红绿灯{route.lights} {toll}", size=11, color=INK_3, max_lines=1),
        ),
    )


def foot_panel(page: AmapRouteScreen) -> Widget:
    """Return the panel of a route by bike or on foot."""
    route = page.routes[0]
    roads = "、".join(route.main_roads)
    return _panel(
        Row(
            width=MATCH,
            gap=10,
            children=(
                Text(id="route_time", text=duration_text(route.seconds), size=22, bold=True, color=BLUE),
                Text(id="route_distance", text=distance_text(route.metres), size=16, color=INK),
                spacer(),
                Text(id="route_lights", text=f"过街{route.lights}次", size=12, color=INK_3),
            ),
        ),
        Text(
            id="route_main_roads",
            text=f"途经 {roads}" if roads else "附近道路",
            size=12,
            color=INK_3,
            max_lines=1,
        ),
        _start("开始导航", page.navigate),
    )


def options_sheet(page: AmapRouteScreen) -> Widget:
    """Return the sheet of driving preferences."""
    chips = [chip(SMART, not page.options, partial(page.toggle_option, None), rid="preference_item", size=14)]
    chips += [
        chip(
            option.value,
            option in page.options,
            partial(page.toggle_option, option),
            rid="preference_item",
            size=14,
        )
        for option in DriveOption
    ]
    body = Column(
        width=MATCH,
        gap=16,
        padding=insets(16, 6, 16, 6),
        children=(
            Text(text="可多选，互相冲突的偏好会自动取消", size=12, color=INK_3),
            Row(width=MATCH, wrap=True, gap=10, children=chips),
            Row(
                width=MATCH,
                children=(pill("完成", page.close_options, rid="preference_done", size=16, weight=1),),
            ),
        ),
    )
    return bottom_sheet("路线偏好", page.close_options, body, rid="preference_sheet")


def taxi_panel(page: AmapRouteScreen) -> Widget:
    """Return the panel of car types with their fares."""
    route = page.routes[0]

    def toggle(name: str) -> None:
        page.taxi_kinds = page.taxi_kinds ^ {name}

    rows = [
        Row(
            id="taxi_kind",
            key=kind.name,
            width=MATCH,
            height=46,
            gap=10,
            on_click=partial(toggle, kind.name),
            children=(
                Icon(name=kind.icon, size=26, color=kind.color, important=False),
                Column(
                    weight=1,
                    children=(
                        Text(id="taxi_kind_name", text=kind.name, size=15, color=INK),
                        Text(text=f"约{kind.minutes}分钟上车", size=11, color=INK_3),
                    ),
                ),
                Text(id="taxi_kind_fare", text=f"约{fare(kind, route)}元", size=15, bold=True, color=ORANGE),
                CheckBox(
                    id="taxi_kind_box",
                    desc=kind.name,
                    checked=kind.name in page.taxi_kinds,
                    round=True,
                    color=BLUE,
                    width=26,
                    height=26,
                    on_click=partial(toggle, kind.name),
                ),
            ),
        )
        for kind in KINDS
    ]
    return _panel(
        *rows,
        Row(
            width=MATCH,
            children=(
                pill(
                    f"立即打车 已选{len(page.taxi_kinds)}种车型",
                    page.call_taxi,
                    rid="taxi_call",
                    size=16,
                    padding=insets(0, 12),
                    enabled=bool(page.taxi_kinds),
                    weight=1,
                ),
            ),
        ),
    )
