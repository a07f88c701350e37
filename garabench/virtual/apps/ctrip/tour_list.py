"""Tours: the channel page and the search results."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.ctrip import names
from garabench.virtual.apps.ctrip.cards import tour_card
from garabench.virtual.apps.ctrip.content import Tour, fold, load, tours
from garabench.virtual.apps.ctrip.page import CtripPage
from garabench.virtual.apps.ctrip.theme import (
    BACKGROUND,
    BLUE,
    INK,
    INK_3,
    WHITE,
    button,
    card,
    chip,
    glyph,
    icon_button,
    label,
    tabs,
)
from garabench.virtual.apps.ctrip.widgets import message_page
from garabench.virtual.ui.widgets import (
    MATCH,
    Column,
    Gradient,
    ImageView,
    ListView,
    Row,
    ScrollView,
    TextField,
    Widget,
    insets,
)

DAYS = ("1日", "2-3日", "4日", "5日", "6日及以上")
ORDERS = ("推荐", "销量", "价格")
_TABS = ("旅游首页", "目的地", "跟团游", "私家团", "自由行")


def find_tours(text: str, kind: str = "") -> tuple[Tour, ...]:
    """Return the tours that match title, destination and kind, the best-selling first."""
    words = [fold(word) for word in text.replace("跟团游", " ").replace("跟团", " ").split()]
    found = [
        tour
        for tour in tours().values()
        if all(word in fold(tour.title + tour.city) for word in words) and kind in ("", tour.kind)
    ]
    return tuple(sorted(found, key=lambda tour: -tour.sold))


def has_days(tour: Tour, days: str) -> bool:
    """Return whether a tour has a length such as 5日."""
    match days:
        case "2-3日":
            return 2 <= tour.days <= 3
        case "6日及以上":
            return tour.days >= 6
        case _:
            return f"{tour.days}日" == days


class TourHomeActivity(CtripPage):
    """旅游/跟团: search, destinations, themes and recommendations."""

    def on_create(self) -> None:
        """Start with an empty search."""
        self.text = ""
        self.tab = _TABS[0]

    def type(self, text: str) -> None:
        """Handle a change of the search text."""
        self.text = text

    def choose_tab(self, tab: str) -> None:
        """Select a tab."""
        self.tab = tab
        self.ctx.scroll_to("tour_home_list")

    def search(self) -> None:
        """Open the results for the typed text."""
        self.ctx.hide_keyboard()
        if self.text.strip():
            self.find(self.text.strip())

    def find(self, text: str, kind: str = "") -> None:
        """Open the results for a text and a kind."""
        self.ctx.open(names.TOUR_LIST, text=text, kind=kind)

    def bar(self) -> Widget:
        """Return the title and the search field."""
        field = TextField(
            id="tour_search",
            text=self.text,
            hint="寻找旅游灵感",
            size=14,
            weight=1,
            height=38,
            action="search",
            on_change=self.type,
            on_submit=self.search,
        )
        search = Row(
            width=MATCH,
            height=50,
            padding=insets(2, 0, 12, 0),
            gap=6,
            children=(
                icon_button("chevron_left", self.leave, rid="back", desc="返回", size=28),
                Row(
                    weight=1,
                    height=38,
                    radius=19,
                    gap=6,
                    padding=insets(12, 0, 3, 0),
                    background=BACKGROUND,
                    children=(
                        glyph("search"),
                        field,
                        button("搜索", self.search, rid="tour_search_button", size=13, padding=insets(14, 7)),
                    ),
                ),
                button(
                    "为我定制",
                    self.toasting("定制师将在工作时间联系您"),
                    rid="tour_custom",
                    fill=None,
                    color=BLUE,
                    size=12,
                    padding=insets(8, 7),
                ),
            ),
        )
        strip = ScrollView(
            id="tour_tab_scroll",
            horizontal=True,
            width=MATCH,
            children=(tabs(_TABS, self.tab, self.choose_tab, rid="tour_tab", spread=False),),
        )
        return Column(width=MATCH, background=WHITE, children=(search, strip))

    def content(self) -> Widget:
        """Return destinations and tours."""
        if self.tab == "目的地":
            return self._destinations()
        kind = self.tab if self.tab in ("跟团游", "私家团", "自由行") else ""
        header = (self._inspirations(),) if not kind else ()
        return ListView(
            id="tour_home_list",
            key=f"tours-{self.tab}",
            width=MATCH,
            height=MATCH,
            weight=1,
            padding=insets(0, 0, 0, 10),
            header=header,
            items=find_tours("", kind),
            build=lambda tour, _: tour_card(tour, self.opens("tour", tour.id)),
        )

    def _inspirations(self) -> Widget:
        words: list[str] = load("tours.json")["inspirations"]
        banner = Column(
            width=MATCH,
            height=92,
            radius=10,
            padding=insets(16, 14),
            gap=6,
            background=Gradient(start="#12B886", end="#6FDBB4", horizontal=True),
            children=(
                label("寻找旅游灵感", 20, WHITE, bold=True),
                label("跟着当地人，玩得更尽兴", 13, "#E8FFF6"),
            ),
        )
        chips = [chip(word, False, self.toasting(f"{word}主题即将上线"), rid="inspiration") for word in words]
        return card(banner, Row(width=MATCH, wrap=True, gap=8, children=chips), gap=12)

    def _destinations(self) -> Widget:
        cities = list(dict.fromkeys(tour.city for tour in find_tours("")))
        rows = [
            Row(
                id="tour_city",
                key=city,
                width=MATCH,
                height=56,
                gap=12,
                padding=insets(16, 0),
                background=WHITE,
                on_click=partial(self.find, city),
                children=(
                    ImageView(seed=f"city-{city}", width=40, height=40, radius=8),
                    label(city, 16, INK, rid="tour_city_name", weight=1),
                    label(f"{len(find_tours(city))}条线路", 12, INK_3),
                    glyph("chevron_right"),
                ),
            )
            for city in cities
        ]
        return ScrollView(id="tour_cities", width=MATCH, height=MATCH, weight=1, gap=1, children=rows)


class TourListActivity(CtripPage):
    """The results of a tour search."""

    def on_create(self) -> None:
        """Run the search from the intent."""
        self.text = str(self.intent.extras.get("text", ""))
        self.kind = str(self.intent.extras.get("kind", ""))
        self.days = ""
        self.order = ORDERS[0]
        self.dear_first = False

    def choose_kind(self, kind: str) -> None:
        """Select a kind, or all."""
        self.kind = "" if kind == "全部" else kind
        self.ctx.scroll_to("tour_list")

    def choose_days(self, days: str) -> None:
        """Select a length, or all."""
        self.days = "" if days == self.days else days
        self.ctx.scroll_to("tour_list")

    def choose_order(self, order: str) -> None:
        """Select a sort order; tapping price again reverses it."""
        self.dear_first = order == self.order == "价格" and not self.dear_first
        self.order = order
        self.ctx.scroll_to("tour_list")

    def bar(self) -> Widget:
        """Return the query."""
        return self.back_bar(self.text or "旅游线路")

    def found(self) -> tuple[Tour, ...]:
        """Return the matching tours, sorted."""
        matching = [
            tour for tour in find_tours(self.text, self.kind) if not self.days or has_days(tour, self.days)
        ]
        if self.order == "价格":
            matching.sort(key=lambda tour: -tour.price if self.dear_first else tour.price)
        elif self.order == "推荐":
            matching.sort(key=lambda tour: (-tour.score, -tour.sold))
        return tuple(matching)

    def content(self) -> Widget:
        """Return the filter bar and the list."""
        kinds = ("全部", "跟团游", "私家团", "自由行", "一日游")
        days = [
            chip(item, item == self.days, partial(self.choose_days, item), rid="days_option", size=12)
            for item in DAYS
        ]
        tools = Column(
            width=MATCH,
            background=WHITE,
            children=(
                tabs(kinds, self.kind or "全部", self.choose_kind, rid="tour_kind"),
                ScrollView(
                    id="tour_days",
                    horizontal=True,
                    width=MATCH,
                    gap=8,
                    padding=insets(10, 6, 10, 6),
                    children=days,
                ),
                tabs(ORDERS, self.order, self.choose_order, rid="tour_order"),
            ),
        )
        found = self.found()
        if not found:
            body = message_page("map-marker-off", "没有找到合适的线路")
        else:
            body = ListView(
                id="tour_list",
                width=MATCH,
                height=MATCH,
                weight=1,
                padding=insets(0, 0, 0, 10),
                items=found,
                build=lambda tour, _: tour_card(tour, self.opens("tour", tour.id)),
            )
        return Column(width=MATCH, height=MATCH, weight=1, children=(tools, body))
