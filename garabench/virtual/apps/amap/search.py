"""The search page: categories, recent searches and suggestions; also the place picker."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from garabench.virtual.apps.amap import content
from garabench.virtual.apps.amap.page import AmapScreen, OnPick
from garabench.virtual.apps.amap.point_picker import PointScreen
from garabench.virtual.apps.amap.theme import (
    BACKGROUND,
    BLUE,
    CATEGORY_LOOKS,
    INK,
    INK_2,
    INK_3,
    LINE,
    WHITE,
    icon_button,
    pill,
    text_action,
)
from garabench.virtual.kit.maps.atlas import MapPlace
from garabench.virtual.kit.maps.place_search import search, suggestions
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Handler,
    Icon,
    ListView,
    Row,
    ScrollView,
    Text,
    TextField,
    Widget,
    divider,
    insets,
    spacer,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.amap.activity import NewMapActivity

SEARCH_HINT = "查找地点、公交、地铁"
_CLASSES = (
    "美食",
    "酒店",
    "景点",
    "咖啡",
    "加油站",
    "停车场",
    "充电站",
    "超市",
    "地铁站",
    "医院",
    "药店",
    "公共厕所",
)
_COLUMNS = 4


class AmapSearchScreen(AmapScreen):
    """The search page.

    With `on_pick`, the page picks a place (an end of a route, the user's home); otherwise, places and results
    open as pages.
    """

    works_offline = True

    def __init__(
        self,
        app: NewMapActivity,
        *,
        text: str = "",
        hint: str = SEARCH_HINT,
        on_pick: OnPick | None = None,
        center: MapPlace | None = None,
    ) -> None:
        super().__init__(app)
        self.text, self.hint, self.on_pick, self.center = text, hint, on_pick, center
        self.found: tuple[MapPlace, ...] | None = None

    def on_shown(self) -> None:
        """Focus the field."""
        self.ctx.focus("search_edit")

    def change(self, text: str) -> None:
        """Handle a change of the field's text."""
        self.text, self.found = text, None

    def clear(self) -> None:
        """Clear the field."""
        self.change("")
        self.ctx.focus("search_edit")

    def submit(self) -> None:
        """Search for the typed text."""
        if self.text.strip():
            self.search(self.text.strip())

    def search(self, query: str) -> None:
        """Open the results, or list the places to pick from."""
        if not self.online:
            self.ctx.toast("网络连接失败，请检查网络设置")
            return
        self.store.add_search(query)
        self.text = query
        if self.on_pick is None:
            self.app.open_results(query, self.center)
            return
        self.ctx.hide_keyboard()
        self.found = self.known(search(content.app_atlas(), query, content.HERE))

    def choose(self, place: MapPlace) -> None:
        """Handle a tap on a place: pick or open it."""
        if self.on_pick is not None:
            self.app.pop()
            self.on_pick(place)
            return
        self.store.add_search(place.name)
        self.app.open_place(place)

    def bar(self) -> Widget:
        """Return the field with its button."""
        field = TextField(
            id="search_edit",
            text=self.text,
            hint=self.hint,
            size=15,
            color=INK,
            weight=1,
            height=38,
            on_change=self.change,
            on_submit=self.submit,
            action="search",
            autofocus=True,
        )
        clear = (
            (
                icon_button(
                    "close_circle",
                    rid="search_clear",
                    desc="清空",
                    color=INK_3,
                    size=18,
                    touch_size=36,
                    on_click=self.clear,
                ),
            )
            if self.text
            else ()
        )
        box = Row(
            weight=1,
            height=40,
            radius=20,
            gap=6,
            background=BACKGROUND,
            padding=insets(12, 0, 2, 0),
            children=(Icon(name="magnify", size=18, color=INK_3, important=False), field, *clear),
        )
        return Row(
            id="search_bar",
            width=MATCH,
            height=54,
            gap=4,
            padding=insets(4, 0, 12, 0),
            background=WHITE,
            children=(
                icon_button("chevron_left", rid="search_back", desc="返回", size=28, on_click=self.leave),
                box,
                spacer(4),
                pill("搜索", self.submit, rid="search_button", size=14),
            ),
        )

    def content(self) -> Widget:
        """Return suggestions, results, or the start content."""
        if self.found is not None:
            return self._places(self.found, "没有找到相关地点，换个词试试")
        if self.text.strip() and self.online:
            return self._places(self.known(suggestions(content.app_atlas(), self.text, content.HERE)), "")
        return self._start()

    def _places(self, places: tuple[MapPlace, ...], empty: str) -> Widget:
        if not places:
            return Column(
                width=MATCH,
                height=MATCH,
                weight=1,
                background=WHITE,
                padding=insets(20, 30),
                children=(
                    Text(id="empty_text", text=empty, size=14, color=INK_3, align=Align.CENTER, width=MATCH),
                ),
            )
        return ListView(
            id="sug_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            background=WHITE,
            items=places,
            build=self._row,
            item_height=64,
        )

    def _row(self, place: MapPlace, _: int) -> Widget:
        far = content.is_far(place)
        trailing: tuple[Widget, ...] = ()
        if self.on_pick is None:
            trailing = (
                Column(
                    id="sug_route",
                    desc="路线",
                    width=48,
                    gap=1,
                    on_click=self.if_online(self.routes_to(place)),
                    children=(
                        Icon(
                            name="directions", size=20, color=BLUE, align_self=Align.CENTER, important=False
                        ),
                        Text(text="路线", size=11, color=BLUE, align_self=Align.CENTER),
                    ),
                ),
            )
        return Row(
            id="sug_item",
            key=place.id,
            width=MATCH,
            height=64,
            gap=10,
            padding=insets(16, 0, 8, 0),
            on_click=partial(self.choose, place),
            children=(
                Icon(name="map_marker_outline", size=20, color=INK_3, important=False),
                Column(
                    weight=1,
                    gap=3,
                    children=(
                        Text(
                            id="sug_name",
                            text=place.name,
                            size=15 * self.store.font_scale,
                            color=INK,
                            max_lines=1,
                            spans=((self.text.strip(), BLUE),),
                        ),
                        Text(
                            id="sug_address",
                            text=f"{place.city} {place.full_address}" if far else place.full_address,
                            size=12,
                            color=INK_3,
                            max_lines=1,
                        ),
                    ),
                ),
                Text(id="sug_distance", text=content.distance_to(place), size=12, color=INK_3, max_lines=1),
                *trailing,
            ),
        )

    def _start(self) -> Widget:
        parts: list[Widget] = [self._picker_entries()] if self.on_pick is not None else [self._classes()]
        earlier = self.store.searches()
        if earlier:
            ask = self.asks("确定清空历史记录吗？", "清空", self.store.clear_searches)
            parts.append(
                Row(
                    width=MATCH,
                    height=44,
                    padding=insets(16, 0, 6, 0),
                    children=(
                        Text(text="历史记录", size=14, bold=True, color=INK),
                        spacer(),
                        text_action("清空", "clear_history", ask, color=INK_3),
                    ),
                )
            )
            parts += [self._earlier(query) for query in earlier]
        return ScrollView(
            id="search_home", width=MATCH, height=MATCH, weight=1, background=WHITE, children=parts
        )

    def _earlier(self, query: str) -> Widget:
        return Row(
            id="history_item",
            key=f"history-{query}",
            width=MATCH,
            height=50,
            gap=12,
            padding=insets(16, 0, 4, 0),
            on_click=partial(self.search, query),
            children=(
                Icon(name="history", size=19, color=INK_3, important=False),
                Text(id="history_text", text=query, size=15, color=INK, weight=1, max_lines=1),
                icon_button(
                    "close",
                    rid="history_delete",
                    desc=f"删除{query}",
                    color=INK_3,
                    size=16,
                    on_click=partial(self.store.delete_search, query),
                ),
            ),
        )

    def _classes(self) -> Widget:
        rows = [
            Row(width=MATCH, children=[self._class(name) for name in _CLASSES[at : at + _COLUMNS]])
            for at in range(0, len(_CLASSES), _COLUMNS)
        ]
        return Column(id="search_classes", width=MATCH, gap=12, padding=insets(8, 12, 8, 8), children=rows)

    def _class(self, name: str) -> Widget:
        icon, color = CATEGORY_LOOKS[name]
        return Column(
            key=name,
            id="category_item",
            weight=1,
            gap=5,
            on_click=partial(self.search, name),
            children=(
                Icon(name=icon, size=26, color=color, align_self=Align.CENTER, important=False),
                Text(id="category_text", text=name, size=12.5, color=INK_2, align_self=Align.CENTER),
            ),
        )

    def _picker_entries(self) -> Widget:
        """Return the entries that can be picked without typing."""
        entries: list[tuple[str, str, MapPlace | None]] = [("我的位置", "crosshairs_gps", self.app.my_place)]
        entries += [
            (label, icon, self.store.shortcut(which))
            for which, label, icon in (("home", "家", "home_outline"), ("company", "公司", "office_building"))
            if self.store.shortcut(which) is not None
        ]
        rows: list[Widget] = []
        for label, icon, place in entries:
            tap = (
                partial(self.choose, place)
                if place is not None
                else self.toasting("无法获取您的位置，请开启定位权限")
            )
            rows.append(_entry(label, icon, tap))
        rows.append(_entry("收藏的点", "star_outline", self._favorites))
        rows.append(_entry("地图选点", "map_marker_radius_outline", self._on_map))
        return Column(width=MATCH, children=[*rows, divider(LINE)])

    def _favorites(self) -> None:
        self.found = self.store.favorites()
        self.text = ""
        self.ctx.hide_keyboard()

    def _on_map(self) -> None:
        on_pick = self.on_pick
        if on_pick is None:
            return
        self.app.pop()
        self.app.push(PointScreen(self.app, on_pick))


def _entry(label: str, icon: str, on_click: Handler) -> Widget:
    return Row(
        id="pick_item",
        key=label,
        width=MATCH,
        height=50,
        gap=12,
        padding=insets(16, 0),
        on_click=on_click,
        children=(
            Icon(name=icon, size=20, color=BLUE, important=False),
            Text(id="pick_text", text=label, size=15, color=INK),
        ),
    )
