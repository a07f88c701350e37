"""The search over all products: the search page, and the results in tabs."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.ctrip import content, names
from garabench.virtual.apps.ctrip.cards import product_card
from garabench.virtual.apps.ctrip.content import fold, hotels, landmarks, sights
from garabench.virtual.apps.ctrip.page import CtripPage
from garabench.virtual.apps.ctrip.sight import find_sights
from garabench.virtual.apps.ctrip.theme import (
    BACKGROUND,
    BLUE,
    INK,
    INK_2,
    INK_3,
    ORANGE_FADE,
    WHITE,
    button,
    glyph,
    icon_button,
    label,
    tabs,
)
from garabench.virtual.apps.ctrip.tour_list import find_tours
from garabench.virtual.apps.ctrip.widgets import message_page
from garabench.virtual.ui.widgets import (
    MATCH,
    Column,
    ListView,
    Row,
    ScrollView,
    Text,
    TextField,
    Widget,
    insets,
    spacer,
)

TABS = ("综合", "景点", "酒店", "旅游")
_IN_MIXED = 4
_SUGGESTIONS = 10


def find_hotels(query: str) -> tuple[str, ...]:
    """Return the ids of hotels by name or area, or near the named place, nearest first."""
    wanted = fold(query.replace("酒店", ""))
    if not wanted:
        return ()
    for place in landmarks():
        if wanted in (fold(place.name), fold(place.city + place.name)):
            near = [hotel for hotel in hotels().values() if hotel.at.km_to(place.at) <= 12]
            return tuple(hotel.id for hotel in sorted(near, key=lambda hotel: hotel.at.km_to(place.at)))
    words = [word for word in map(fold, query.replace("酒店", " ").split()) if word]
    named = [
        hotel
        for hotel in hotels().values()
        if all(
            word in fold(hotel.city + hotel.name + hotel.area + hotel.name.replace("酒店", ""))
            for word in words
        )
    ]
    return tuple(hotel.id for hotel in sorted(named, key=lambda hotel: -hotel.reviews))


def find_all(query: str, tab: str) -> tuple[tuple[str, str], ...]:
    """Return the results of a search for a tab: (kind, id)."""
    found_sights = [("sight", sight.id) for sight in find_sights(query)]
    found_hotels = [("hotel", name) for name in find_hotels(query)]
    found_tours = [("tour", tour.id) for tour in find_tours(query)]
    match tab:
        case "景点":
            return tuple(found_sights)
        case "酒店":
            return tuple(found_hotels)
        case "旅游":
            return tuple(found_tours)
        case _:
            return (*found_sights[:_IN_MIXED], *found_hotels[:_IN_MIXED], *found_tours[:_IN_MIXED])


def suggestions(text: str) -> tuple[str, ...]:
    """Return completions of the typed text."""
    wanted = fold(text)
    if not wanted:
        return ()
    every = [
        *(city.name for city in content.cities().values()),
        *(sight.name for sight in sights().values()),
        *(place.name for place in landmarks()),
        *(hotel.name for hotel in hotels().values()),
    ]
    return tuple(dict.fromkeys(name for name in every if wanted in fold(name)))[:_SUGGESTIONS]


class CtripSearchActivity(CtripPage):
    """The search page."""

    needs_network = False

    def on_create(self) -> None:
        """Start with the query from the intent."""
        self.text = str(self.intent.extras.get("text", ""))
        self.hint = str(content.home()["search_hints"][0])

    def type(self, text: str) -> None:
        """Handle a change of the field's text."""
        self.text = text

    def submit(self) -> None:
        """Search for the typed text, or for the hint."""
        self.search(self.text.strip() or self.hint)

    def search(self, query: str) -> None:
        """Open the results."""
        self.text = query
        self.store.add_search(query)
        self.ctx.hide_keyboard()
        self.ctx.open(names.SEARCH_RESULTS, query=query)

    def bar(self) -> Widget:
        """Return the field with its button."""
        field = TextField(
            id="search_input",
            text=self.text,
            hint=self.hint,
            size=15,
            weight=1,
            height=38,
            action="search",
            autofocus=True,
            on_change=self.type,
            on_submit=self.submit,
        )
        return Row(
            width=MATCH,
            height=52,
            padding=insets(2, 0, 12, 0),
            gap=6,
            background=WHITE,
            children=(
                icon_button("chevron_left", self.leave, rid="back", desc="返回", size=28),
                Row(
                    weight=1,
                    height=38,
                    radius=19,
                    gap=6,
                    padding=insets(12, 0),
                    background=BACKGROUND,
                    children=(glyph("search"), field),
                ),
                button(
                    "搜索", self.submit, rid="search_button", size=14, fill=ORANGE_FADE, padding=insets(16, 8)
                ),
            ),
        )

    def content(self) -> Widget:
        """Return suggestions, or recent and trending searches."""
        found = suggestions(self.text)
        if found:
            return ListView(
                id="suggestion_list",
                width=MATCH,
                height=MATCH,
                weight=1,
                background=WHITE,
                padding=insets(16, 0),
                items=found,
                build=lambda word, _: Row(
                    id="suggestion_item",
                    key=word,
                    width=MATCH,
                    height=48,
                    gap=10,
                    on_click=partial(self.search, word),
                    children=(glyph("search", 17), label(word, 15, INK, rid="suggestion_text")),
                ),
            )
        parts: list[Widget] = []
        old = self.store.searches()
        if old:
            clear = icon_button(
                "trash",
                self.asks("确定清空搜索历史？", "清空", self.store.clear_searches),
                rid="clear_searches",
                desc="清空搜索历史",
                color=INK_3,
                size=18,
                touch_size=36,
            )
            parts += [
                Row(width=MATCH, children=(label("搜索历史", 15, INK, bold=True), spacer(), clear)),
                self._words(old, "history_word"),
            ]
        parts += [label("热门搜索", 15, INK, bold=True), self._words(content.home()["hot"], "hot_word")]
        return ScrollView(
            id="search_start",
            width=MATCH,
            height=MATCH,
            weight=1,
            background=WHITE,
            gap=12,
            padding=insets(16, 14),
            children=parts,
        )

    def _words(self, words: tuple[str, ...] | list[str], rid: str) -> Widget:
        return Row(
            width=MATCH,
            wrap=True,
            gap=8,
            children=[
                Text(
                    id=rid,
                    key=f"{rid}-{word}",
                    text=word,
                    size=13,
                    color=INK_2,
                    background=BACKGROUND,
                    radius=14,
                    padding=insets(13, 7),
                    on_click=partial(self.search, word),
                )
                for word in words
            ],
        )


class CtripSearchResultsActivity(CtripPage):
    """The results of one search."""

    def on_create(self) -> None:
        """Run the search from the intent."""
        self.query = str(self.intent.extras.get("query", ""))
        self.tab = TABS[0]

    def choose(self, tab: str) -> None:
        """Select a tab."""
        self.tab = tab
        self.ctx.scroll_to("result_list")

    def edit_query(self) -> None:
        """Return to the field, with the query in it."""
        self.ctx.finish()
        self.ctx.open(names.SEARCH, text=self.query)

    def bar(self) -> Widget:
        """Return the query above the tabs."""
        header = Row(
            width=MATCH,
            height=52,
            padding=insets(2, 0, 14, 0),
            children=(
                icon_button("chevron_left", self.leave, rid="back", desc="返回", size=28),
                Row(
                    id="result_bar",
                    weight=1,
                    height=38,
                    radius=19,
                    gap=6,
                    padding=insets(12, 0),
                    background=BACKGROUND,
                    on_click=self.edit_query,
                    children=(glyph("search"), label(self.query, 15, INK, rid="result_query")),
                ),
            ),
        )
        return Column(
            width=MATCH,
            background=WHITE,
            children=(header, tabs(TABS, self.tab, self.choose, rid="result_tab")),
        )

    def content(self) -> Widget:
        """Return the results."""
        found = find_all(self.query, self.tab)
        if not found:
            message = f"没有找到“{self.query}”的{'' if self.tab == TABS[0] else self.tab}结果"
            return message_page("search", message)
        more = (
            label("没有更多了", 12, INK_3),
            label("换个词试试，或查看热门目的地", 12, BLUE),
        )
        footer = Column(
            width=MATCH,
            padding=insets(0, 14),
            gap=4,
            children=[Row(width=MATCH, children=(spacer(), item, spacer())) for item in more],
        )
        return ListView(
            id="result_list",
            key=f"results-{self.tab}",
            width=MATCH,
            height=MATCH,
            weight=1,
            items=[*found, ("", "")],
            build=lambda item, _: product_card(item[0], item[1], self.opens) if item[0] else footer,
        )
