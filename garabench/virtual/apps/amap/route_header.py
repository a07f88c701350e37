"""The header of the route page: start, stopovers, destination and travel modes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from garabench.virtual.apps.amap.theme import BLUE, GREEN, INK, INK_3, RED, WHITE, icon_button, tabs
from garabench.virtual.kit.maps.atlas import MapPlace
from garabench.virtual.ui.widgets import MATCH, Align, Column, Handler, Row, Text, Widget, insets

if TYPE_CHECKING:
    from garabench.virtual.apps.amap.route import AmapRouteScreen

_LINE_DP = 36.0


def route_header(page: AmapRouteScreen, modes: Sequence[str]) -> Widget:
    """Return the card with the endpoints above the tabs."""
    vias = page.vias if page.mode == "驾车" else ()
    lines = [
        _end(page.start, "请输入起点", "route_edit_summary_start", GREEN, page.pick_start),
        *(
            _via(via, partial(page.change_via, number), partial(page.delete_via, number))
            for number, via in enumerate(vias)
        ),
        _end(page.end, "请输入终点", "route_edit_summary_end", RED, page.pick_end),
    ]
    tools: list[Widget] = [
        icon_button(
            "swap_vertical",
            rid="route_edit_exchange",
            desc="交换起终点",
            color=INK,
            size=22,
            touch_size=36,
            on_click=page.swap,
        )
    ]
    if page.mode == "驾车":
        tools.append(
            icon_button(
                "plus_circle_outline",
                rid="route_edit_add_via",
                desc="添加途经点",
                color=INK,
                size=21,
                touch_size=36,
                on_click=page.add_via,
            )
        )
    card = Row(
        width=MATCH,
        padding=insets(2, 4, 6, 0),
        align=Align.START,
        children=(
            icon_button(
                "chevron_left", rid="route_back", desc="返回", size=28, touch_size=40, on_click=page.leave
            ),
            Column(
                id="route_edit_summary",
                weight=1,
                radius=10,
                background="#F3F5F8",
                padding=insets(10, 0),
                children=lines,
            ),
            Column(width=40, padding=insets(2, 0, 0, 0), children=tools),
        ),
    )
    choose = [partial(page.choose_mode, mode) for mode in modes]
    return Column(
        id="route_head",
        width=MATCH,
        background=WHITE,
        children=(card, tabs(modes, page.mode, choose, rid="route_tab", size=14, height=36)),
    )


def _end(place: MapPlace | None, hint: str, rid: str, color: str, on_click: Handler) -> Widget:
    return Row(
        width=MATCH,
        height=_LINE_DP,
        gap=9,
        children=(
            Widget(width=7, height=7, radius=4, background=color, important=False),
            Text(
                id=rid,
                text=place.name if place else hint,
                size=15,
                color=INK if place else INK_3,
                weight=1,
                max_lines=1,
                padding=insets(0, 7),
                on_click=on_click,
            ),
        ),
    )


def _via(place: MapPlace, on_click: Handler, on_drop: Handler) -> Widget:
    return Row(
        key=f"via-{place.id}",
        width=MATCH,
        height=_LINE_DP,
        gap=9,
        children=(
            Widget(width=7, height=7, radius=4, background=BLUE, important=False),
            Text(
                id="route_edit_via",
                text=place.name,
                size=15,
                color=INK,
                weight=1,
                max_lines=1,
                padding=insets(0, 7),
                on_click=on_click,
            ),
            icon_button(
                "minus_circle_outline",
                rid="route_edit_via_delete",
                desc=f"删除途经点{place.name}",
                color=INK_3,
                size=18,
                touch_size=34,
                on_click=on_drop,
            ),
        ),
    )
