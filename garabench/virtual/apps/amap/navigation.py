"""Turn-by-turn navigation: the next turn, the remaining distance, the exit."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from garabench.virtual.apps.amap.dialogs import bottom_sheet
from garabench.virtual.apps.amap.map_view import AmapMapView
from garabench.virtual.apps.amap.page import AmapScreen
from garabench.virtual.apps.amap.theme import (
    BLUE,
    GREEN,
    INK,
    INK_2,
    INK_3,
    RED,
    WHITE,
    arrow_row,
    chip,
    pill,
)
from garabench.virtual.kit.maps.atlas import MapPlace
from garabench.virtual.kit.maps.driving_routes import Route
from garabench.virtual.kit.maps.geo import LatLon, metres_between
from garabench.virtual.kit.maps.map_scene import Pin, PinKind, Stroke
from garabench.virtual.kit.maps.units import distance_text, duration_text
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Handler,
    Icon,
    Row,
    Slider,
    Text,
    Toggle,
    Widget,
    insets,
    spacer,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.amap.activity import NewMapActivity

_TICK_MS = 20_000
_TICK_METRES = 160.0
_CLOSE_ZOOM = 16.5
DAY_NIGHT = ("自动", "白天", "夜间", "跟随系统")
BROADCASTS = ("详细播报", "简洁播报", "极简播报", "静音")


class AmapNavigationScreen(AmapScreen):
    """Guidance along a route."""

    background = "#1C2B45"

    def __init__(self, app: NewMapActivity, end: MapPlace, route: Route, mode: str) -> None:
        super().__init__(app)
        self.end, self.route, self.mode = end, route, mode
        self.travelled = 0.0
        self.whole = False
        self.map = AmapMapView(app, share=0.8, top=110)
        self.map.strokes = (Stroke(route.points, (46, 120, 240), 9, route.flows),)
        self._look()
        self.ctx.after(_TICK_MS, self._tick)

    def _tick(self) -> None:
        """Advance along the route while the page is open."""
        if not any(page is self for _, page in self.app.pages):
            return
        self.travelled = min(self.route.metres, self.travelled + _TICK_METRES)
        self._look()
        self.ctx.after(_TICK_MS, self._tick)

    @property
    def place(self) -> LatLon:
        """Return the current position on the route."""
        left = self.travelled
        for a, b in zip(self.route.points, self.route.points[1:], strict=False):
            length = metres_between(a, b)
            if left <= length and length > 0:
                share = left / length
                return LatLon(a.lat + (b.lat - a.lat) * share, a.lon + (b.lon - a.lon) * share)
            left -= length
        return self.route.points[-1]

    def _look(self) -> None:
        self.map.pins = (Pin(self.end.at, PinKind.END, self.end.name), Pin(self.place, PinKind.ARROW))
        if self.whole:
            self.map.show(*self.route.points)
        else:
            self.map.show(self.place, closest=_CLOSE_ZOOM)

    def toggle_overview(self) -> None:
        """Toggle between the whole route and the current position."""
        self.whole = not self.whole
        self._look()

    @property
    def muted(self) -> bool:
        """Whether the voice is muted."""
        return bool(self.store.setting("broadcast", "详细播报") == "静音")

    def toggle_voice(self) -> None:
        """Mute or unmute the voice."""
        self.store.set_setting("broadcast", "详细播报" if self.muted else "静音")
        self.ctx.toast("已静音" if self.muted else "已开启语音播报")

    def on_back(self) -> bool:
        """Back asks for confirmation before the navigation ends."""
        self.ask()
        return True

    def ask(self) -> None:
        """Ask whether to end the navigation."""
        self.asks("确定退出导航吗？", "退出", self.app.pop)()

    @property
    def next_step(self) -> tuple[float, str]:
        """Return the distance to the next road, and its name."""
        at, left = 0.0, self.route.metres
        for step in self.route.steps:
            at += step.metres
            if at > self.travelled:
                left = at - self.travelled
                break
        ahead, total = "", 0.0
        for step in self.route.steps:
            if total > self.travelled and step.road:
                ahead = step.road
                break
            total += step.metres
        return left, ahead or self.end.name

    def bar(self) -> Widget | None:
        """Return None: the banner is over the map."""
        return None

    def content(self) -> Widget:
        """Return the map, the banner, the tools, and the remaining distance."""
        return Box(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(self.map.view(), self._banner(), self._tools(), self._bottom()),
        )

    def _banner(self) -> Widget:
        left, road = self.next_step
        turns = ("arrow_up_bold", "arrow_right_top_bold", "arrow_left_top_bold")
        icon = turns[len(road) % len(turns)]
        return Row(
            id="navi_banner",
            width=MATCH,
            height=104,
            gap=16,
            align_vertical=Align.START,
            background="#1C2B45",
            padding=insets(20, 0),
            clickable=True,
            children=(
                Icon(name=icon, size=56, color=WHITE, important=False),
                Column(
                    weight=1,
                    gap=4,
                    children=(
                        Text(
                            id="navi_next_distance",
                            text=f"{distance_text(left)}后",
                            size=24,
                            bold=True,
                            color=WHITE,
                        ),
                        Text(id="navi_next_road", text=f"进入 {road}", size=18, color="#D5DEEE", max_lines=1),
                    ),
                ),
            ),
        )

    def _tools(self) -> Widget:
        sound = "volume_off" if self.muted else "volume_high"
        return Column(
            align_self=Align.END,
            align_vertical=Align.START,
            margin=insets(0, 120, 12, 0),
            gap=8,
            children=(
                _tool(sound, "取消静音" if self.muted else "静音", "navi_voice", self.toggle_voice),
                _tool("traffic_light", "路况", "navi_traffic", self.app.toggle_traffic, on=self.app.traffic),
                _tool("map_search_outline", "全览", "navi_overview", self.toggle_overview, on=self.whole),
            ),
        )

    def _bottom(self) -> Widget:
        share = 1 - self.travelled / max(1.0, self.route.metres)
        left, seconds = self.route.metres * share, self.route.seconds * share
        arrives = self.ctx.now() + dt.timedelta(seconds=seconds)
        return Row(
            id="navi_bottom",
            width=MATCH,
            height=84,
            gap=12,
            radius=16,
            elevation=4,
            align_vertical=Align.END,
            background=WHITE,
            padding=insets(16, 0),
            clickable=True,
            children=(
                pill("退出", self.ask, rid="navi_exit", fill=False, color=RED, size=15, desc="退出导航"),
                Column(
                    weight=1,
                    gap=3,
                    children=(
                        Text(
                            id="navi_left",
                            text=f"剩余{distance_text(left)} {duration_text(seconds)}",
                            size=16,
                            bold=True,
                            color=INK,
                            align=Align.CENTER,
                            width=MATCH,
                        ),
                        Text(
                            id="navi_end",
                            text=f"{arrives:%H:%M}到达 {self.end.name}",
                            size=12,
                            color=INK_3,
                            align=Align.CENTER,
                            width=MATCH,
                            max_lines=1,
                        ),
                    ),
                ),
                pill(
                    "设置",
                    self.opening(self._settings),
                    rid="navi_settings",
                    fill=False,
                    color=INK_2,
                    size=15,
                ),
            ),
        )

    def _settings(self) -> Widget:
        store = self.store
        camera = bool(store.setting("camera", True))

        def choices(key: str, modes: Sequence[str], usual: str) -> Widget:
            now = store.setting(key, usual)
            return Row(
                width=MATCH,
                wrap=True,
                gap=8,
                children=[
                    chip(mode, now == mode, partial(store.set_setting, key, mode), rid=f"navi_{key}")
                    for mode in modes
                ],
            )

        def volume(share: float) -> None:
            store.set_setting("volume", round(share * 100))

        def toggle() -> None:
            store.set_setting("camera", not camera)

        level = int(store.setting("volume", 60))
        body = Column(
            width=MATCH,
            gap=10,
            padding=insets(16, 0, 16, 6),
            children=(
                Text(id="navi_volume_text", text=f"导航音量 {level}%", size=14, color=INK),
                Slider(
                    id="navi_volume",
                    desc="导航音量",
                    value=level / 100,
                    width=MATCH,
                    color=BLUE,
                    on_change=volume,
                ),
                Text(text="播报模式", size=14, color=INK),
                choices("broadcast", BROADCASTS, "详细播报"),
                Text(text="昼夜模式", size=14, color=INK),
                choices("day_night", DAY_NIGHT, "自动"),
                arrow_row(
                    "电子眼播报",
                    rid="navi_camera",
                    trailing=Toggle(
                        desc="电子眼播报", checked=camera, color=GREEN, width=46, height=28, on_click=toggle
                    ),
                    on_click=toggle,
                ),
                spacer(4),
            ),
        )
        return bottom_sheet("导航设置", self.on_dismiss_dialog, body, rid="navi_sheet")


def _tool(icon: str, label: str, rid: str, on_click: Handler, *, on: bool = False) -> Widget:
    return Column(
        id=rid,
        desc=label,
        cls="android.widget.ImageView",
        width=46,
        height=46,
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
