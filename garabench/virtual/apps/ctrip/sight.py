"""Sights: the channel page with its search, and a sight's page with its tickets."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.ctrip import names
from garabench.virtual.apps.ctrip.cards import sight_card
from garabench.virtual.apps.ctrip.city_picker import CityPicker
from garabench.virtual.apps.ctrip.content import Sight, Ticket, fold, load, sights
from garabench.virtual.apps.ctrip.page import CtripPage
from garabench.virtual.apps.ctrip.theme import (
    BACKGROUND,
    BLUE,
    INK,
    INK_2,
    INK_3,
    LINE,
    ORANGE_FADE,
    RED,
    WHITE,
    badge,
    button,
    card,
    chip,
    glyph,
    icon_button,
    label,
    price,
    tabs,
)
from garabench.virtual.apps.ctrip.widgets import message_page
from garabench.virtual.ui.widgets import (
    MATCH,
    Column,
    ImageView,
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

_SECTIONS = ("门票", "点评", "须知", "周边")


def find_sights(text: str, city: str = "", kind: str = "") -> tuple[Sight, ...]:
    """Return the sights that match name, city and kind, the most reviewed first."""
    wanted = fold(text)
    found = [
        sight
        for sight in sights().values()
        if (not wanted or wanted in fold(sight.name + sight.city))
        and (not city or sight.city == city)
        and (
            kind in ("", "热门景点", sight.kind)
            or (any(ticket.kind == "1日游" for ticket in sight.tickets) and kind == "一日游")
        )
    ]
    exact = fold(text)
    return tuple(sorted(found, key=lambda sight: (fold(sight.name) != exact, -sight.reviews)))


class TicketHomeActivity(CtripPage):
    """景点门票: a city's sights by kind, or search results anywhere."""

    def on_create(self) -> None:
        """Start with the user's city, or with the query from the intent."""
        self.city = "上海"
        self.kind = "热门景点"
        self.text = str(self.intent.extras.get("text", ""))

    def type(self, text: str) -> None:
        """Handle a change of the search text."""
        self.text = text

    def choose_kind(self, kind: str) -> None:
        """Select a kind."""
        self.kind = kind
        self.ctx.scroll_to("sight_list")

    def choose_city(self, name: str) -> None:
        """Handle the choice of a city."""
        self.city = name
        self.overlay = None

    def _pick_city(self) -> None:
        self.overlay = CityPicker("选择城市", self.city, self.choose_city, self.leave).view

    def bar(self) -> Widget:
        """Return the bar with the city and the search field."""
        return Row(
            width=MATCH,
            height=50,
            padding=insets(2, 0, 12, 0),
            background=WHITE,
            gap=4,
            children=(
                icon_button("chevron_left", self.leave, rid="back", desc="返回", size=28),
                Row(
                    id="ticket_city",
                    height=42,
                    on_click=self._pick_city,
                    children=(
                        label(self.city, 15, INK, rid="ticket_city_name", bold=True),
                        glyph("menu-down", 18),
                    ),
                ),
                Row(
                    weight=1,
                    height=36,
                    radius=8,
                    gap=6,
                    padding=insets(10, 0),
                    background=BACKGROUND,
                    children=(
                        glyph("search"),
                        TextField(
                            id="ticket_search",
                            text=self.text,
                            hint="搜索景点/门票",
                            size=14,
                            weight=1,
                            height=36,
                            action="search",
                            on_change=self.type,
                            on_submit=self.ctx.hide_keyboard,
                        ),
                    ),
                ),
            ),
        )

    def content(self) -> Widget:
        """Return the kinds and the sights."""
        searching = bool(self.text.strip())
        found = find_sights(self.text) if searching else find_sights("", self.city, self.kind)
        kinds: list[str] = load("sights.json")["categories"]
        strip = ScrollView(
            id="ticket_kinds",
            horizontal=True,
            width=MATCH,
            gap=8,
            padding=insets(10, 6, 10, 8),
            background=WHITE,
            children=[
                chip(kind, kind == self.kind, partial(self.choose_kind, kind), rid="ticket_kind")
                for kind in kinds
            ],
        )
        if found:
            body: Widget = ListView(
                id="sight_list",
                width=MATCH,
                height=MATCH,
                weight=1,
                padding=insets(0, 0, 0, 10),
                items=found,
                build=lambda sight, _: sight_card(sight, self.opens("sight", sight.id)),
            )
        else:
            message = f"没有找到“{self.text.strip()}”相关景点" if searching else f"{self.city}暂无此类景点"
            body = message_page("map-marker-off", message)
        return Column(width=MATCH, height=MATCH, weight=1, children=(body,) if searching else (strip, body))


class SightDetailActivity(CtripPage):
    """The page of a sight."""

    def on_create(self) -> None:
        """Open the sight from the intent."""
        self.sight = sights().get(str(self.intent.extras.get("sight", "")))
        self.kind = ""
        self.section = _SECTIONS[0]
        if self.sight is not None and self.loaded:
            self.store.visit("sight", self.sight.id, self.ctx.now())

    def choose_kind(self, kind: str) -> None:
        """Select a kind of tickets, or all."""
        self.kind = "" if kind == self.kind else kind

    def show_section(self, name: str) -> None:
        """Scroll to a section of the page."""
        self.section = name
        self.ctx.scroll_to("sight_scroll", {"门票": 0, "点评": 900, "须知": 1000}.get(name, 5000))

    def toggle_favorite(self) -> None:
        """Toggle whether it is a favourite."""
        if self.sight is None:
            return
        wanted = not self.store.is_favorite("sight", self.sight.id)
        self.store.set_favorite("sight", self.sight.id, wanted)
        self.ctx.toast("收藏成功" if wanted else "已取消收藏")

    def book(self, ticket: Ticket) -> None:
        """Open the order form."""
        self.ctx.open(names.TICKET_ORDER, sight=ticket.id.rpartition("-")[0], ticket=ticket.id)

    def bar(self) -> Widget:
        """Return the bar: back, sections, favourite."""
        sight = self.sight
        liked = sight is not None and self.store.is_favorite("sight", sight.id)
        return Row(
            width=MATCH,
            height=46,
            padding=insets(4, 0, 6, 0),
            background=WHITE,
            children=(
                icon_button("chevron_left", self.leave, rid="back", desc="返回", size=28),
                Row(weight=1, children=(tabs(_SECTIONS, self.section, self.show_section, rid="section"),)),
                icon_button(
                    "heart_filled" if liked else "heart",
                    self.toggle_favorite,
                    rid="favorite_button",
                    desc="已收藏" if liked else "收藏",
                    color=RED if liked else INK,
                    selected=liked,
                ),
            ),
        )

    def content(self) -> Widget:
        """Return the sight, its tickets, and places nearby."""
        sight = self.sight
        if sight is None:
            return message_page("map-marker-off", "景点不存在或已下线")
        kinds = list(dict.fromkeys(ticket.kind for ticket in sight.tickets))
        tickets = [ticket for ticket in sight.tickets if self.kind in ("", ticket.kind)]
        chips = [
            chip(kind, kind == self.kind, partial(self.choose_kind, kind), rid="ticket_filter")
            for kind in kinds
        ]
        header = Column(
            width=MATCH,
            background=WHITE,
            children=(
                ImageView(seed=f"sight-{sight.id}", width=MATCH, height=160, kind="banner"),
                Column(
                    id="sight_info",
                    width=MATCH,
                    padding=insets(14, 12),
                    gap=7,
                    children=(
                        Text(id="sight_title", text=sight.name, size=20, bold=True, color=INK, max_lines=2),
                        Row(
                            gap=8,
                            children=(
                                label(f"{sight.score}", 18, BLUE, rid="sight_detail_score", bold=True),
                                label(f"{sight.reviews}条点评", 13, INK_2),
                                *((badge(f"{sight.level}景区", BLUE),) if sight.level else ()),
                            ),
                        ),
                        label(f"开放时间 {sight.open}", 13, INK_2, rid="sight_open"),
                        label(f"{sight.city}{sight.address}", 13, INK_2, rid="sight_address"),
                    ),
                ),
                Row(width=MATCH, gap=8, padding=insets(14, 0, 14, 12), children=chips),
            ),
        )
        near = [item for item in find_sights("", sight.city) if item is not sight][:4]
        rows = [*(self._ticket(ticket) for ticket in tickets), self._rules(sight)]
        rows += (
            [
                label("  周边景点", 16, INK, bold=True),
                *(sight_card(item, self.opens("sight", item.id)) for item in near),
            ]
            if near
            else []
        )
        return ScrollView(
            id="sight_scroll",
            width=MATCH,
            height=MATCH,
            weight=1,
            padding=insets(0, 0, 0, 16),
            gap=2,
            children=(header, *rows),
        )

    def _ticket(self, ticket: Ticket) -> Widget:
        when = "可订今日" if ticket.since == "今日" else "最早可订明日"
        return card(
            Row(
                width=MATCH,
                gap=8,
                children=(
                    Column(
                        weight=1,
                        gap=4,
                        children=(
                            label(ticket.name, 15, INK, rid="ticket_name", bold=True, lines=2),
                            Row(gap=6, children=(badge(ticket.kind, BLUE), label(when, 12, INK_3))),
                            label("随时退 · 快速入园", 12, INK_2),
                        ),
                    ),
                    price(ticket.price, rid="ticket_price")
                    if ticket.price
                    else label("免费", 16, BLUE, bold=True),
                    button(
                        "预订",
                        self.if_online(partial(self.book, ticket)),
                        rid="ticket_book",
                        fill=ORANGE_FADE,
                        size=14,
                        padding=insets(14, 8),
                    ),
                ),
            ),
            rid="ticket_item",
            key=ticket.id,
        )

    @staticmethod
    def _rules(sight: Sight) -> Widget:
        return card(
            label("预订须知", 16, INK, bold=True),
            divider(LINE),
            label(f"开放时间：{sight.open}", 13, INK_2, lines=2),
            label("请携带预订时填写的有效证件入园，未使用可在有效期内申请退款。", 13, INK_3, lines=3),
            spacer(2),
            gap=8,
        )
