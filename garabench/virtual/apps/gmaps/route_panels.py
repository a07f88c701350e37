"""Panels of the directions page: header, tabs, route panel, journeys and sheets."""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import TYPE_CHECKING

from garabench.virtual.apps.gmaps import content
from garabench.virtual.apps.gmaps.navigation import clock
from garabench.virtual.apps.gmaps.theme import (
    GREEN,
    WHITE,
    bottom_sheet,
    chip,
    choice,
    icon_button,
    line_row,
    message_page,
    pill,
)
from garabench.virtual.kit.maps.atlas import MapPlace
from garabench.virtual.kit.maps.driving_routes import Route
from garabench.virtual.kit.maps.transit import Ride, TransitOption, TransitPlan
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
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
    from garabench.virtual.apps.gmaps.route import GmapsRouteScreen

_MODE_ICONS = {"Driving": "car", "Transit": "train", "Walking": "walk", "Bicycling": "bicycle"}
PREFERENCES = {
    TransitOption.RECOMMENDED: "Best route",
    TransitOption.FEW_CHANGES: "Fewer transfers",
    TransitOption.LITTLE_WALKING: "Less walking",
}
_AVOIDS = ("tolls", "highways", "ferries")
_HOURS = (7, 9, 12, 15, 17, 18, 20, 22)
_FARE_PER_BUS, _FARE_PER_TRAIN = 3.0, 4.5


def route_header(page: GmapsRouteScreen) -> Widget:
    """Return start and destination, and the button between them."""
    tone = page.tone

    def end(place: MapPlace | None, hint: str, word: str, rid: str, icon: str, on_click: Handler) -> Widget:
        name = place.name if place else hint
        color = "#EA4335" if word == "Destination" else tone.accent
        return Row(
            width=MATCH,
            height=46,
            gap=10,
            children=(
                Icon(
                    name=icon,
                    size=18,
                    color=color,
                    important=False,
                ),
                Text(
                    id=rid,
                    text=name,
                    desc=f"{word}, {name}",
                    size=15.5,
                    color=tone.ink if place else tone.ink_2,
                    border=tone.line,
                    radius=6,
                    weight=1,
                    max_lines=1,
                    padding=insets(12, 8),
                    on_click=on_click,
                ),
            ),
        )

    start = end(
        page.start,
        "Choose start location",
        "Start location",
        "directions_startpoint_textbox",
        "circle_outline",
        page.pick_start,
    )
    goal = end(
        page.end,
        "Choose destination",
        "Destination",
        "directions_endpoint_textbox",
        "map_marker",
        page.pick_end,
    )
    return Row(
        width=MATCH,
        padding=insets(4, 8, 4, 4),
        children=(
            icon_button("arrow_left", "Navigate up", page.leave, rid="route_back", color=tone.ink),
            Column(weight=1, children=(start, goal)),
            icon_button("swap_vertical", "Swap start and destination", page.swap, rid="swap_button"),
        ),
    )


def mode_tabs(page: GmapsRouteScreen) -> Widget:
    """Return the travel modes, each with its duration."""
    tone = page.tone

    def tab(mode: str) -> Widget:
        on = mode == page.mode
        color = tone.accent if on else tone.ink_2
        return Column(
            key=mode,
            id="directions_mode_tab",
            desc=f"{mode} mode",
            weight=1,
            height=58,
            gap=3,
            justify=Align.CENTER,
            selected=on,
            on_click=partial(page.choose_mode, mode),
            children=(
                Icon(name=_MODE_ICONS[mode], size=21, color=color, align_self=Align.CENTER, important=False),
                Text(
                    id="mode_text",
                    text=mode,
                    size=12.5,
                    bold=on,
                    color=color,
                    selected=on,
                    align_self=Align.CENTER,
                ),
            ),
        )

    tabs = Row(id="directions_mode_tabs", width=MATCH, children=[tab(mode) for mode in _MODE_ICONS])
    return Column(width=MATCH, children=(tabs, divider(tone.line)))


def route_panel(page: GmapsRouteScreen, route: Route) -> Widget:
    """Return the selected route, the alternatives as chips, and the actions."""
    tone = page.tone
    via = " and ".join(route.main_roads[:2])
    facts = [f"via {via}" if via else page.mode]
    if page.mode == "Driving":
        facts.append("has tolls" if content.is_tolled(route) else "no tolls")
        avoided = [what for what in _AVOIDS if page.avoids(what)]
        if avoided:
            facts.append(f"avoids {', '.join(avoided)}")
    if page.departs is not None:
        facts.append(f"leave at {clock(page.departs)}")
    header = Text(
        id="route_summary",
        text=f"{content.duration_text(route.seconds)} ({page.store.format_distance(route.metres)})",
        size=21,
        color=GREEN,
    )
    note = Text(id="route_note", text=" · ".join(facts), size=14, color=tone.ink_2, max_lines=2)
    others = [
        chip(
            content.duration_text(each.seconds),
            number == page.chosen,
            partial(page.choose, number),
            tone=tone,
            rid="route_choice",
            icon=_MODE_ICONS[page.mode],
        )
        for number, each in enumerate(page.routes)
    ]
    later: list[Widget] = []
    tools: list[Widget] = [
        pill("Start", page.navigate, fill=True, rid="start_button", desc="Start", icon="navigation"),
        pill("Steps", page.open_steps, tone=tone, rid="steps_button", icon="format_list_bulleted"),
    ]
    if page.mode == "Driving":
        later.append(
            pill("Leave now", page.open_departure, tone=tone, rid="departure_button", icon="clock_outline")
        )
        tools.append(
            pill("Options", page.open_options, tone=tone, rid="route_options_button", icon="tune_variant")
        )
    actions = Row(width=MATCH, gap=8, children=tools)
    return Column(
        id="route_panel",
        width=MATCH,
        gap=9,
        background=tone.raised,
        padding=insets(16, 12),
        children=(
            header,
            note,
            ScrollView(horizontal=True, width=MATCH, height=42, gap=8, children=[*others, *later]),
            actions,
        ),
    )


def transit_list(page: GmapsRouteScreen) -> Widget:
    """Return departure and preference above the journeys."""
    tone = page.tone
    when = f"Leave at {clock(page.departs)}" if page.departs else "Leave now"
    tools = Row(
        width=MATCH,
        gap=8,
        padding=insets(14, 8),
        children=(
            pill(when, page.open_departure, tone=tone, rid="departure_button", icon="clock_outline"),
            pill(
                PREFERENCES[page.transit],
                page.open_options,
                tone=tone,
                rid="route_options_button",
                icon="tune_variant",
            ),
        ),
    )
    plans = page.journeys
    if not plans:
        empty = message_page(tone, "train", "No transit routes found", rid="no_route")
        return Column(width=MATCH, height=MATCH, weight=1, children=(tools, empty))
    rows = [_journey(page, plan, number) for number, plan in enumerate(plans)]
    body = ScrollView(
        id="directions_group_list",
        width=MATCH,
        height=MATCH,
        weight=1,
        children=(Column(width=MATCH, children=rows),),
    )
    return Column(width=MATCH, height=MATCH, weight=1, children=(tools, divider(tone.line), body))


def fare_text(plan: TransitPlan) -> str:
    """Format the fare of a journey."""
    fare = sum(
        _FARE_PER_BUS if ride.kind == "bus" else _FARE_PER_TRAIN + round(ride.metres / 8000) * 1.25
        for ride in plan.rides
    )
    return f"${fare:.2f}"


def _journey(page: GmapsRouteScreen, plan: TransitPlan, number: int) -> Widget:
    tone = page.tone
    leave = page.departs or page.ctx.now()
    times = f"{clock(leave)} – {clock(leave + dt.timedelta(seconds=plan.seconds))}"
    legs: list[Widget] = []
    for leg in plan.legs:
        if not isinstance(leg, Ride):
            continue
        if legs:
            legs.append(Icon(name="chevron_right", size=16, color=tone.ink_2, important=False))
        legs.append(
            Text(
                id="transit_line",
                text=leg.line,
                size=13,
                bold=True,
                color=WHITE,
                background=leg.color,
                radius=4,
                padding=insets(7, 3),
            )
        )
    first = plan.rides[0]
    walking = f"{max(1, round(plan.walking / 1.15 / 60))} min walk"
    changes = "No transfers" if not plan.changes else f"{plan.changes} transfer{'s' * (plan.changes > 1)}"
    return Column(
        key=f"journey-{number}",
        width=MATCH,
        children=(
            Column(
                id="transit_trip",
                width=MATCH,
                gap=6,
                padding=insets(18, 13),
                on_click=lambda: page.opening(partial(_journey_sheet, page, plan))(),
                children=(
                    Row(
                        width=MATCH,
                        children=(
                            Text(id="transit_times", text=times, size=16, color=tone.ink, weight=1),
                            Text(
                                id="transit_duration",
                                text=content.duration_text(plan.seconds),
                                size=16,
                                bold=True,
                                color=tone.ink,
                            ),
                        ),
                    ),
                    Row(width=MATCH, gap=5, wrap=True, children=legs),
                    Text(
                        id="transit_note",
                        text=f"from {first.start} · {changes} · {walking} · {fare_text(plan)}",
                        size=13,
                        color=tone.ink_2,
                        max_lines=2,
                    ),
                ),
            ),
            divider(tone.line),
        ),
    )


def _journey_sheet(page: GmapsRouteScreen, plan: TransitPlan) -> Widget:
    """Return the sheet of a journey, leg by leg."""
    rows: list[Widget] = []
    for number, leg in enumerate(plan.legs):
        if isinstance(leg, Ride):
            stops = f"{leg.stops} stop{'s' * (leg.stops > 1)} · {content.duration_text(leg.seconds)}"
            text, note, icon = f"{leg.line}: {leg.start} to {leg.end}", stops, "train"
        else:
            text, note, icon = "Walk", page.store.format_distance(leg.metres), "walk"
        rows.append(line_row(page.tone, icon, text, note=note, rid="transit_leg", key=f"leg-{number}"))
    height = min(420.0, page.ctx.height_dp * 0.6)
    body = ScrollView(width=MATCH, height=height, children=(Column(width=MATCH, children=rows),))
    return bottom_sheet(page.tone, content.duration_text(plan.seconds), body, rid="trip_sheet")


def options_sheet(page: GmapsRouteScreen) -> Widget:
    """Return the sheet of what to avoid, or what to prefer."""
    tone = page.tone
    rows: list[Widget]
    if page.mode == "Transit":
        rows = [
            choice(
                page.tone,
                "transit_option",
                label,
                page.transit is option,
                page.closing(partial(page.prefer, option)),
            )
            for option, label in PREFERENCES.items()
        ]
    else:
        rows = [
            choice(
                page.tone,
                "route_option",
                f"Avoid {what}",
                page.avoids(what),
                partial(page.toggle_avoid, what),
                box=True,
            )
            for what in _AVOIDS
        ]
    done = Row(
        align_self=Align.END,
        padding=insets(18, 6),
        children=(pill("Done", page.on_dismiss_dialog, fill=True, rid="options_done"),),
    )
    body = Column(width=MATCH, padding=insets(18, 0), children=rows)
    title = "Transit options" if page.mode == "Transit" else "Driving options"
    return bottom_sheet(tone, title, body, done, rid="options_sheet")


def departure_sheet(page: GmapsRouteScreen) -> Widget:
    """Return the departure sheet: now, or a full hour of today or tomorrow."""
    now = page.ctx.now()
    rows = [
        choice(
            page.tone,
            "departure_choice",
            "Leave now",
            page.departs is None,
            partial(page.depart, None),
            height=46,
        )
    ]
    for day, word in ((0, "Today"), (1, "Tomorrow")):
        for hour in _HOURS:
            when = (now + dt.timedelta(days=day)).replace(hour=hour, minute=0, second=0, microsecond=0)
            if when > now:
                rows.append(
                    choice(
                        page.tone,
                        "departure_choice",
                        f"{word}, {clock(when)}",
                        page.departs == when,
                        partial(page.depart, when),
                        height=46,
                    )
                )
    height = min(400.0, page.ctx.height_dp * 0.55)
    body = ScrollView(
        id="departure_list",
        width=MATCH,
        height=height,
        children=(Column(width=MATCH, padding=insets(18, 0), children=rows),),
    )
    return bottom_sheet(page.tone, "Depart at", body, rid="departure_sheet")
