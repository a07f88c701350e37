"""附近: categories, rankings and nearby places."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from garabench.virtual.apps.amap import content
from garabench.virtual.apps.amap.cards import place_line
from garabench.virtual.apps.amap.theme import (
    BACKGROUND,
    CATEGORY_LOOKS,
    INK,
    INK_2,
    INK_3,
    ORANGE,
    WHITE,
    card,
    message_page,
    tabs,
)
from garabench.virtual.kit.maps.atlas import MapPlace
from garabench.virtual.kit.maps.place_search import PlaceFilters, ResultOrder, around, arrange
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Icon,
    ListView,
    Row,
    Text,
    Widget,
    insets,
    spacer,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.amap.root import AmapRootScreen

_CLASSES = ("美食", "酒店", "景点", "咖啡", "电影院", "商场", "加油站", "停车场", "医院", "药店")
_COLUMNS = 5
_TABS = ("美食", "咖啡", "酒店", "景点")
_PAGE_SIZE = 10


class NearbyTab:
    """Places nearby."""

    def __init__(self, root: AmapRootScreen) -> None:
        self.root, self.ctx = root, root.ctx
        self.tab = "美食"
        self.shown = _PAGE_SIZE

    def choose(self, tab: str) -> None:
        """Select a category."""
        self.tab, self.shown = tab, _PAGE_SIZE

    def load_more(self) -> None:
        """Load the next page of the list."""
        self.shown += _PAGE_SIZE

    def best(self) -> tuple[MapPlace, ...]:
        """Return the best-rated places of the category."""
        found = around(content.app_atlas(), self.tab, content.HERE)
        return arrange(found, ResultOrder.BEST, PlaceFilters(), content.HERE)

    def view(self) -> Widget:
        """Return the categories, the top three, and the list."""
        if not self.root.online:
            return message_page("wifi_off", "网络连接失败，请检查网络设置", rid="network_error")
        places = around(content.app_atlas(), self.tab, content.HERE)

        def line(place: MapPlace, number: int) -> Widget:
            return Column(
                width=MATCH,
                background=WHITE,
                children=(
                    place_line(
                        place,
                        number + 1,
                        self.root.opens(place),
                        self.root.if_online(self.root.routes_to(place)),
                        scale=self.root.store.font_scale,
                    ),
                ),
            )

        return ListView(
            id="nearby_list",
            width=MATCH,
            height=MATCH,
            background=BACKGROUND,
            header=(self._classes(), self._ranking(), self._tabs()),
            items=places[: self.shown],
            build=line,
            on_end=self.load_more if self.shown < len(places) else None,
        )

    def _classes(self) -> Widget:
        rows = [
            Row(width=MATCH, children=[self._class(name) for name in _CLASSES[at : at + _COLUMNS]])
            for at in range(0, len(_CLASSES), _COLUMNS)
        ]
        header = Row(
            width=MATCH,
            height=44,
            padding=insets(4, 0),
            children=(
                Icon(name="map_marker", size=18, color=ORANGE, important=False),
                Text(id="nearby_place", text=" 虹口区 · 鲁迅公园附近", size=15, bold=True, color=INK),
            ),
        )
        return Column(
            width=MATCH, gap=14, background=WHITE, padding=insets(12, 6, 12, 14), children=(header, *rows)
        )

    def _class(self, name: str) -> Widget:
        icon, color = CATEGORY_LOOKS[name]
        return Column(
            key=name,
            id="nearby_category",
            weight=1,
            gap=5,
            on_click=self.root.finds(name),
            children=(
                Icon(name=icon, size=27, color=color, align_self=Align.CENTER, important=False),
                Text(id="nearby_category_text", text=name, size=12.5, color=INK_2, align_self=Align.CENTER),
            ),
        )

    def _ranking(self) -> Widget:
        rows = [
            Row(
                id="ranking_item",
                key=place.id,
                width=MATCH,
                height=38,
                gap=10,
                on_click=self.root.opens(place),
                children=(
                    Text(text=f"TOP{number}", size=12, bold=True, color=ORANGE, important=False),
                    Text(id="ranking_name", text=place.name, size=14, color=INK, weight=1, max_lines=1),
                    Text(id="ranking_rating", text=f"{place.rating:.1f}分", size=12, color=INK_3),
                ),
            )
            for number, place in enumerate(self.best()[:3], 1)
        ]
        title = Text(id="ranking_title", text=f"{self.tab}口碑榜", size=15, bold=True, color=INK)
        return card(title, spacer(4), *rows, rid="ranking_card")

    def _tabs(self) -> Widget:
        choose = [partial(self.choose, tab) for tab in _TABS]
        return Column(
            width=MATCH,
            margin=insets(0, 10, 0, 0),
            children=(tabs(_TABS, self.tab, choose, rid="nearby_tab"),),
        )
