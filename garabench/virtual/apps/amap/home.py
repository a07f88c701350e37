"""首页: the map, the search bar, travel modes, home and company."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from garabench.virtual.apps.amap import content
from garabench.virtual.apps.amap.dialogs import bottom_sheet
from garabench.virtual.apps.amap.map_view import AmapMapView
from garabench.virtual.apps.amap.search import SEARCH_HINT
from garabench.virtual.apps.amap.theme import (
    BLUE,
    BLUE_SOFT,
    CATEGORY_LOOKS,
    GREEN,
    INK,
    INK_2,
    INK_3,
    ORANGE,
    WHITE,
    icon_button,
)
from garabench.virtual.kit.maps.atlas import MapPlace
from garabench.virtual.kit.maps.map_scene import MapStyle, Pin, PinKind
from garabench.virtual.kit.maps.view import map_thumbnail
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Handler,
    Icon,
    Row,
    ScrollView,
    Text,
    Toggle,
    Widget,
    insets,
    spacer,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.amap.root import AmapRootScreen

LAYERS = (("标准地图", MapStyle.DAY), ("卫星图", MapStyle.SATELLITE), ("夜间地图", MapStyle.NIGHT))
_WAYS = (
    ("驾车", "car", BLUE),
    ("公交地铁", "bus", GREEN),
    ("骑行", "bicycle", ORANGE),
    ("步行", "walk", "#7A6CF0"),
    ("收藏夹", "star_filled", "#F5A623"),
)
_WAY_MODES = {"驾车": "驾车", "公交地铁": "公共交通", "骑行": "骑行", "步行": "步行"}
_QUICK = ("美食", "酒店", "景点", "加油站", "停车场", "充电站", "地铁站", "公共厕所")
_PANEL_DP = 258.0
CORNERS = {
    "home": ("回家", "home_outline", "设置家的位置"),
    "company": ("去公司", "office_building", "设置公司位置"),
}


class HomeTab:
    """The map on the app's first screen."""

    def __init__(self, root: AmapRootScreen) -> None:
        self.root, self.app, self.ctx, self.store = root, root.app, root.ctx, root.store
        self.map = AmapMapView(self.app)
        self.map.opens_places()

    def locate(self) -> None:
        """Center the map on the current location."""
        if self.app.located:
            self.map.show(content.HERE)
        else:
            self.app.ctx.toast("请在系统设置中开启定位权限")

    def go(self, way: str) -> None:
        """Open the route planner with a travel mode."""
        if way == "收藏夹":
            self.app.push(self.root.mine.favorites())
            return
        self.app.open_route(self.app.my_place, None, _WAY_MODES[way])

    def shortcut(self, which: str) -> None:
        """Plan the route home (or to work), or set that place."""
        place = self.store.shortcut(which)
        if place is not None:
            self.app.open_route(self.app.my_place, place)
            return
        self.app.pick(CORNERS[which][2], partial(self._set_shortcut, which))

    def _set_shortcut(self, which: str, place: MapPlace) -> None:
        self.store.set_shortcut(which, place)
        self.ctx.toast("设置成功")

    def view(self) -> Widget:
        """Return the map below the search bar and the bottom panel."""
        self.map.share = 1 - (_PANEL_DP + 54) / max(400.0, self.ctx.height_dp)
        self.map.top = 64
        stars = tuple(Pin(place.at, PinKind.STAR) for place in self.store.favorites())
        self.map.pins = stars
        children: list[Widget] = [self.map.view(), self._top(), self._right(), self._bottom()]
        return Box(width=MATCH, height=MATCH, children=children)

    def _top(self) -> Widget:
        bar = Row(
            id="search_bar",
            width=MATCH,
            height=46,
            radius=23,
            gap=8,
            background=WHITE,
            elevation=3,
            padding=insets(14, 0, 4, 0),
            on_click=partial(self.app.open_search),
            children=(
                Icon(name="magnify", size=21, color=BLUE, important=False),
                Text(id="search_bar_text", text=SEARCH_HINT, size=15, color=INK_3, weight=1, max_lines=1),
                icon_button(
                    "microphone_outline",
                    rid="voice_button",
                    desc="语音搜索",
                    color=INK_2,
                    on_click=lambda: self.ctx.toast("请允许使用麦克风后再试"),
                ),
            ),
        )
        parts: list[Widget] = [bar]
        if not self.app.located:
            parts.append(
                Row(
                    id="location_tip",
                    width=MATCH,
                    height=40,
                    radius=10,
                    background="#FFF4E5",
                    padding=insets(12, 0),
                    children=(
                        Text(text="定位服务未开启，无法获取您的位置", size=13, color="#8A5A12", weight=1),
                        Text(
                            id="location_tip_action", text="去开启", size=13, color=BLUE, on_click=self._ask
                        ),
                    ),
                )
            )
        return Column(width=MATCH, margin=insets(12, 10), gap=8, align_vertical=Align.START, children=parts)

    def _ask(self) -> None:
        self.ctx.request_permission("android.permission.ACCESS_FINE_LOCATION", lambda granted: None)

    def _right(self) -> Widget:
        buttons: list[Widget] = [
            _tool("layers_outline", "图层", "layer_button", False, self.root.opening(self._layers)),
            _tool("traffic_light", "路况", "traffic_button", self.app.traffic, self.app.toggle_traffic),
        ]
        if self.store.setting("zoom_buttons", False):
            buttons.append(_tool("plus", "放大", "zoom_in", False, partial(self.map.zoom, 1)))
            buttons.append(_tool("minus", "缩小", "zoom_out", False, partial(self.map.zoom, -1)))
        return Column(
            align_self=Align.END,
            align_vertical=Align.START,
            margin=insets(0, 76 if self.app.located else 124, 12, 0),  # below the tip, if there is one
            gap=8,
            children=buttons,
        )

    def _bottom(self) -> Widget:
        locate = _tool("crosshairs_gps", "定位", "location_button", False, self.locate)
        panel = Column(
            id="home_panel",
            width=MATCH,
            background=WHITE,
            radius=16,
            elevation=4,
            padding=insets(12, 14, 12, 14),
            gap=14,
            clickable=True,
            children=(self._travel_modes(), self._shortcuts(), self._quick()),
        )
        return Column(
            width=MATCH,
            align_vertical=Align.END,
            gap=10,
            children=(Row(margin=insets(12, 0), children=(locate,)), panel),
        )

    def _travel_modes(self) -> Widget:
        return Row(
            id="way_bar",
            width=MATCH,
            children=[
                Column(
                    key=f"way-{label}",
                    id="way_item",
                    weight=1,
                    gap=6,
                    on_click=partial(self.go, label),
                    children=(
                        Box(
                            width=46,
                            height=46,
                            radius=23,
                            background=color,
                            align_self=Align.CENTER,
                            important=False,
                            children=(_middle(icon, 25, WHITE),),
                        ),
                        Text(id="way_text", text=label, size=12.5, color=INK, align_self=Align.CENTER),
                    ),
                )
                for label, icon, color in _WAYS
            ],
        )

    def _shortcuts(self) -> Widget:
        cells: list[Widget] = []
        for which, (label, icon, hint) in CORNERS.items():
            place = self.store.shortcut(which)
            cells.append(
                Row(
                    key=which,
                    id=f"{which}_card",
                    desc=label,
                    weight=1,
                    height=56,
                    radius=12,
                    gap=8,
                    background=BLUE_SOFT,
                    padding=insets(12, 0),
                    on_click=partial(self.shortcut, which),
                    children=(
                        Icon(name=icon, size=22, color=BLUE, important=False),
                        Column(
                            weight=1,
                            gap=1,
                            children=(
                                Text(id="corner_label", text=label, size=14, bold=True, color=INK),
                                Text(
                                    id="corner_place",
                                    text=place.name if place else hint,
                                    size=11,
                                    color=INK_3,
                                    max_lines=1,
                                ),
                            ),
                        ),
                    ),
                )
            )
        return Row(width=MATCH, gap=10, children=cells)

    def _quick(self) -> Widget:
        return ScrollView(
            id="quick_category",
            horizontal=True,
            width=MATCH,
            height=62,
            gap=18,
            children=[
                Column(
                    key=label,
                    id="category_item",
                    gap=5,
                    on_click=self.root.if_online(self.root.finds(label)),
                    children=(
                        Icon(
                            name=CATEGORY_LOOKS[label][0],
                            size=26,
                            color=CATEGORY_LOOKS[label][1],
                            align_self=Align.CENTER,
                            important=False,
                        ),
                        Text(id="category_text", text=label, size=12, color=INK_2, align_self=Align.CENTER),
                    ),
                )
                for label in _QUICK
            ],
        )

    def _layers(self) -> Widget:
        def choose(layer: str) -> Handler:
            return lambda: self.app.set_layer(layer)

        tile_width = (self.ctx.width_dp - 2 * 16 - 2 * 12) / 3 - 2 * 6
        kinds = Row(
            width=MATCH,
            padding=insets(16, 6),
            gap=12,
            children=[
                Column(
                    key=label,
                    id="layer_item",
                    desc=label,
                    weight=1,
                    gap=6,
                    padding=insets(6, 8),
                    radius=10,
                    border=BLUE if self.app.layer == label else "#E4E8EF",
                    selected=self.app.layer == label,
                    on_click=choose(label),
                    children=(
                        map_thumbnail(content.app_atlas(), content.HERE, style, tile_width, 54),
                        Text(
                            id="layer_text",
                            text=label,
                            size=13,
                            color=BLUE if self.app.layer == label else INK,
                            align_self=Align.CENTER,
                            selected=self.app.layer == label,
                        ),
                    ),
                )
                for label, style in LAYERS
            ],
        )
        traffic = Row(
            id="layer_traffic",
            width=MATCH,
            height=52,
            padding=insets(20, 0),
            on_click=self.app.toggle_traffic,
            children=(
                Text(text="实时路况", size=15, color=INK),
                spacer(),
                Toggle(
                    id="layer_traffic_switch",
                    desc="实时路况",
                    checked=self.app.traffic,
                    color=BLUE,
                    width=46,
                    height=28,
                    on_click=self.app.toggle_traffic,
                ),
            ),
        )
        return bottom_sheet("地图图层", self.root.on_dismiss_dialog, kinds, traffic, rid="layer_sheet")


def _middle(icon: str, size: float, color: str) -> Widget:
    return Icon(
        name=icon,
        size=size,
        color=color,
        align_self=Align.CENTER,
        align_vertical=Align.CENTER,
        important=False,
    )


def _tool(icon: str, label: str, rid: str, on: bool, on_click: Handler) -> Widget:
    """Return a button that floats over the map."""
    return Column(
        id=rid,
        desc=label,
        cls="android.widget.ImageView",
        width=44,
        height=44,
        radius=10,
        background=WHITE,
        elevation=2,
        selected=on,
        justify=Align.CENTER,
        on_click=on_click,
        children=(
            Icon(name=icon, size=21, color=BLUE if on else INK_2, align_self=Align.CENTER, important=False),
            Text(text=label, size=9, color=BLUE if on else INK_2, align_self=Align.CENTER, important=False),
        ),
    )
