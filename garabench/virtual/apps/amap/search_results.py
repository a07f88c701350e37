"""Search results: a map with pins above a list, with sorting and filters."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from garabench.virtual.apps.amap import content
from garabench.virtual.apps.amap.cards import place_line
from garabench.virtual.apps.amap.filters import filter_sheet
from garabench.virtual.apps.amap.map_view import AmapMapView
from garabench.virtual.apps.amap.page import AmapScreen
from garabench.virtual.apps.amap.search import AmapSearchScreen
from garabench.virtual.apps.amap.theme import (
    BACKGROUND,
    BLUE,
    INK,
    INK_2,
    INK_3,
    LINE,
    WHITE,
    icon_button,
    message_page,
)
from garabench.virtual.kit.maps.atlas import MapPlace
from garabench.virtual.kit.maps.geo import metres_between
from garabench.virtual.kit.maps.map_scene import Pin
from garabench.virtual.kit.maps.place_search import PlaceFilters, ResultOrder, arrange, search
from garabench.virtual.kit.maps.units import distance_text
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Handler,
    Icon,
    ListView,
    ProgressBar,
    Row,
    Text,
    Widget,
    divider,
    insets,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.amap.activity import NewMapActivity

_SEARCH_MS = 300
_PAGE_SIZE = 10
_MAP_DP = 150.0
_MAX_PINS = 10
WITHIN = (("全城", None), ("500米内", 500), ("1公里内", 1000), ("2公里内", 2000), ("5公里内", 5000))
_PRICED = frozenset({"美食", "酒店", "咖啡", "停车场", "加油站", "充电站", "电影院"})


class AmapResultsScreen(AmapScreen):
    """The results of a query.

    Attributes:
        found: All matches, as of loading.
    """

    needs_network = True
    works_offline = True

    def __init__(self, app: NewMapActivity, query: str, center: MapPlace | None = None) -> None:
        super().__init__(app)
        self.query, self.center = query, center
        self.order, self.filters = ResultOrder.SMART, PlaceFilters()
        self.menu = ""
        self.shown = _PAGE_SIZE
        self.map = AmapMapView(app)
        self.map.opens_places()
        self.found: tuple[MapPlace, ...] = ()
        self.searching = self.loaded
        if self.loaded:
            self.ctx.after(_SEARCH_MS, self._arrived)

    @property
    def origin(self) -> MapPlace:
        """Return the place from which distances are measured."""
        return self.center or content.here()

    @property
    def matching(self) -> tuple[MapPlace, ...]:
        """The places that pass the filters, sorted."""
        return arrange(self.found, self.order, self.filters, self.origin.at)

    def _arrived(self) -> None:
        self.searching = False
        self.found = self.known(search(content.app_atlas(), self.query, self.origin.at))
        self._look()

    def _look(self) -> None:
        places = self.matching[:_MAX_PINS]
        near = [place for place in places if not content.is_far(place)] or list(places)
        self.map.height = _MAP_DP
        self.map.show(*(place.at for place in near))
        self.map.pins = tuple(Pin(place.at, text=str(number)) for number, place in enumerate(places, 1))

    def retry(self) -> None:
        """Repeat the search."""
        super().retry()
        if self.loaded:
            self._arrived()

    def on_back(self) -> bool:
        """Back closes an open menu first."""
        if self.menu:
            self.menu = ""
            return True
        return False

    def opens_menu(self, menu: str) -> Handler:
        """Return a handler that opens or closes a menu below the bar."""

        def run() -> None:
            self.menu = "" if self.menu == menu else menu

        return run

    def change(self, filters: PlaceFilters | None = None, order: ResultOrder | None = None) -> None:
        """Change filters or sort order."""
        self.filters = filters if filters is not None else self.filters
        self.order = order if order is not None else self.order
        self.menu, self.shown, self.sheet = "", _PAGE_SIZE, None
        self._look()
        self.ctx.scroll_to("poi_list")

    def load_more(self) -> None:
        """Load the next page of the list."""
        self.shown += _PAGE_SIZE

    def edit_query(self) -> None:
        """Return to the field, with the query in it."""
        self.app.pop()
        if not isinstance(self.app.top, AmapSearchScreen):
            self.app.open_search(self.query, self.center)

    def bar(self) -> Widget:
        """Return the title and the back button."""
        box = Row(
            weight=1,
            height=40,
            radius=20,
            gap=6,
            background=BACKGROUND,
            padding=insets(12, 0, 6, 0),
            on_click=self.edit_query,
            children=(
                Icon(name="magnify", size=18, color=INK_3, important=False),
                Text(id="search_text", text=self.query, size=15, color=INK, weight=1, max_lines=1),
            ),
        )
        return Row(
            id="search_bar",
            width=MATCH,
            height=54,
            padding=insets(4, 0, 4, 0),
            background=WHITE,
            children=(
                icon_button("chevron_left", rid="search_back", desc="返回", size=28, on_click=self.leave),
                box,
                icon_button("close", rid="search_close", desc="关闭", color=INK_2, on_click=self.app.go_home),
            ),
        )

    def content(self) -> Widget:
        """Return a spinner, or the map, the filter bar and the list."""
        if self.searching:
            spinner = ProgressBar(
                circular=True,
                color=BLUE,
                width=34,
                height=34,
                align_self=Align.CENTER,
                align_vertical=Align.CENTER,
            )
            return Box(id="loading", width=MATCH, height=MATCH, weight=1, children=(spinner,))
        if not self.found:
            return message_page("magnify", f"没有找到“{self.query}”的相关结果", rid="no_result")
        below: Widget = self._menu() if self.menu else self._list()
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(self.map.view(height=_MAP_DP), self._filters(), divider(LINE), below),
        )

    def _filters(self) -> Widget:
        f = self.filters
        within = next(label for label, metres in WITHIN if metres == f.within)
        number = f"筛选({f.active})" if f.active else "筛选"
        cells = [
            ("距离" if f.within is None else within, "within", f.within is not None),
            (f.kind or "全部分类", "kind", bool(f.kind)),
            (self.order.value, "order", self.order is not ResultOrder.SMART),
            (number, "filter", bool(f.active)),
        ]
        return Row(
            id="filter_bar",
            width=MATCH,
            height=44,
            background=WHITE,
            children=[self._cell(*cell) for cell in cells],
        )

    def _cell(self, label: str, menu: str, on: bool) -> Widget:
        lit = on or self.menu == menu
        open_ = self._open_filters if menu == "filter" else self.opens_menu(menu)
        return Row(
            key=menu,
            id=f"filter_{menu}",
            desc=label,
            weight=1,
            height=44,
            justify=Align.CENTER,
            gap=1,
            selected=on,
            on_click=open_,
            children=(
                Text(
                    id="filter_text",
                    text=label,
                    size=13,
                    color=BLUE if lit else INK,
                    max_lines=1,
                    selected=on,
                ),
                Icon(
                    name="menu_up" if self.menu == menu else "menu_down",
                    size=17,
                    color=BLUE if lit else INK_3,
                    important=False,
                ),
            ),
        )

    def _open_filters(self) -> None:
        self.menu = ""
        tags = tuple(dict.fromkeys(tag for place in self.found for tag in place.tags))
        priced = any(place.category in _PRICED for place in self.found)
        view = filter_sheet(self.filters, tags, priced, self._draft, self.change, self.on_dismiss_dialog)
        self.sheet = lambda: view

    def _draft(self, filters: PlaceFilters) -> None:
        """Update the sheet with unconfirmed filters."""
        tags = tuple(dict.fromkeys(tag for place in self.found for tag in place.tags))
        priced = any(place.category in _PRICED for place in self.found)
        view = filter_sheet(filters, tags, priced, self._draft, self.change, self.on_dismiss_dialog)
        self.sheet = lambda: view

    def _menu(self) -> Widget:
        rows: list[Widget] = []
        match self.menu:
            case "within":
                for label, metres in WITHIN:
                    choose = partial(self.change, replace(self.filters, within=metres))
                    rows.append(_choice(label, metres == self.filters.within, choose))
            case "kind":
                kinds = tuple(dict.fromkeys(place.kind for place in self.found))
                for kind in ("", *kinds):
                    choose = partial(self.change, replace(self.filters, kind=kind))
                    rows.append(_choice(kind or "全部分类", kind == self.filters.kind, choose))
            case _:
                for order in ResultOrder:
                    choose = partial(self.change, order=order)
                    rows.append(_choice(order.value, order is self.order, choose))
        return Column(id="filter_menu", width=MATCH, height=MATCH, weight=1, background=WHITE, children=rows)

    def _away(self, place: MapPlace) -> str:
        """Return a place's distance from the search centre; empty if that is the current location."""
        if self.center is None:
            return ""
        return f"距{self.center.name}{distance_text(metres_between(place.at, self.center.at))}"

    def _list(self) -> Widget:
        matching = self.matching
        if not matching:
            return message_page(
                "filter_variant",
                "没有符合条件的结果",
                "清空筛选",
                partial(self.change, PlaceFilters(), ResultOrder.SMART),
            )

        def line(place: MapPlace, number: int) -> Widget:
            return place_line(
                place,
                number + 1,
                self.opens(place),
                self.if_online(self.routes_to(place)),
                away=self._away(place),
                scale=self.store.font_scale,
            )

        return ListView(
            id="poi_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            background=WHITE,
            items=matching[: self.shown],
            build=line,
            on_end=self.load_more if self.shown < len(matching) else None,
        )


def _choice(label: str, on: bool, on_click: Handler) -> Widget:
    toggle_selected = (Icon(name="check", size=18, color=BLUE, important=False),) if on else ()
    return Row(
        id="filter_choice",
        key=label,
        width=MATCH,
        height=48,
        padding=insets(20, 0),
        selected=on,
        on_click=on_click,
        children=(
            Text(
                id="filter_choice_text", text=label, size=15, color=BLUE if on else INK, weight=1, selected=on
            ),
            *toggle_selected,
        ),
    )
