"""A hotel's page: description, stay, and rooms with their offers."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from functools import partial

from garabench.virtual.apps.ctrip import names
from garabench.virtual.apps.ctrip.calendar import Calendar
from garabench.virtual.apps.ctrip.content import Hotel, Offer, Room, hotels, rooms
from garabench.virtual.apps.ctrip.hotel_cards import facts_card, review_card
from garabench.virtual.apps.ctrip.hotel_inquire import stay_row
from garabench.virtual.apps.ctrip.hotel_query import hotel_query_of
from garabench.virtual.apps.ctrip.hotel_sheets import GuestSheet
from garabench.virtual.apps.ctrip.page import CtripPage
from garabench.virtual.apps.ctrip.theme import (
    BLUE,
    GOLD,
    GREEN,
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
    icon_button,
    label,
    price,
    tabs,
)
from garabench.virtual.apps.ctrip.widgets import arrow_row, message_page
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    ImageView,
    ListView,
    Row,
    Text,
    Widget,
    divider,
    insets,
    spacer,
)

_REVIEWS, _FACTS = "reviews", "facts"
"""Keys of the items below the rooms."""
_SECTIONS = ("概览", "房间", "点评", "设施")
ROOM_FILTERS = ("含早餐", "免费取消", "大床", "双床")


def meals_text(offer: Offer) -> str:
    """Return the meals of an offer, such as 2份早餐."""
    return f"{offer.meals}份早餐" if offer.meals else "无早餐"


class HotelDetailActivity(CtripPage):
    """The page of a hotel."""

    def on_create(self) -> None:
        """Open the hotel from the intent."""
        self.hotel = hotels().get(str(self.intent.extras.get("hotel", "")))
        self.query = hotel_query_of(self.intent.extras, self.today)
        self.active_filters: set[str] = set()
        self.section = "房间" if self.intent.extras.get("rooms_first") else "概览"
        if self.hotel is not None and self.loaded:
            self.store.visit("hotel", self.hotel.id, self.ctx.now())

    def choose_days(self, days: tuple[dt.date, ...]) -> None:
        """Change the stay."""
        self.query = replace(self.query, start=days[0], end=days[1])
        self.overlay = None

    def choose_guests(self, count: int, adults: int, children: int) -> None:
        """Change the guests."""
        self.query = replace(self.query, rooms=count, adults=adults, children=children)
        self.sheet = None

    def show_section(self, name: str) -> None:
        """Scroll to a section of the page."""
        self.section = name
        self.ctx.scroll_to("hotel_scroll", {"概览": 0, "房间": 330}.get(name, 5000))

    def toggle_filter(self, name: str) -> None:
        """Toggle a filter of the rooms."""
        self.active_filters ^= {name}

    def toggle_favorite(self) -> None:
        """Toggle whether it is a favourite."""
        if self.hotel is None:
            return
        wanted = not self.store.is_favorite("hotel", self.hotel.id)
        self.store.set_favorite("hotel", self.hotel.id, wanted)
        self.ctx.toast("收藏成功" if wanted else "已取消收藏")

    def book(self, room: Room, offer: Offer) -> None:
        """Open the order form."""
        stay = {name: value for name, value in self.query.extras().items() if name not in ("keyword", "city")}
        self.ctx.open(
            names.HOTEL_ORDER, hotel=room.id.rpartition("-")[0], room=room.id, offer=offer.id, **stay
        )

    def _pick_days(self) -> None:
        chosen = (self.query.start, self.query.end)
        self.overlay = Calendar(
            "选择日期", self.today, ("入住", "离店"), chosen, self.choose_days, self.leave
        ).view

    def _pick_guests(self) -> None:
        self.sheet = GuestSheet(self.query, self.choose_guests, self.on_dismiss_dialog).view

    def _rooms(self) -> list[tuple[Room, tuple[Offer, ...]]]:
        if self.hotel is None:
            return []
        shown = []
        for room in rooms(self.hotel.id):
            if "大床" in self.active_filters and "大床" not in room.name and "特大床" not in room.bed:
                continue
            if "双床" in self.active_filters and "双床" not in room.name:
                continue
            offers = tuple(
                offer
                for offer in room.offers
                if (offer.meals or "含早餐" not in self.active_filters)
                and (offer.cancel or "免费取消" not in self.active_filters)
            )
            if offers:
                shown.append((room, offers))
        return shown

    def bar(self) -> Widget:
        """Return the bar: back, favourite, share."""
        hotel = self.hotel
        liked = hotel is not None and self.store.is_favorite("hotel", hotel.id)
        middle: list[Widget] = [tabs(_SECTIONS, self.section, self.show_section, rid="section")]
        if hotel is not None:
            # The title stays visible while the page scrolls.
            middle.insert(0, label(hotel.name, 11, INK_3, rid="hotel_bar_name", align=Align.CENTER))
        return Row(
            id="hotel_bar",
            width=MATCH,
            height=60,
            padding=insets(4, 0, 6, 0),
            background=WHITE,
            children=(
                icon_button("chevron_left", self.leave, rid="back", desc="返回", size=28),
                Column(weight=1, align=Align.CENTER, children=middle),
                icon_button(
                    "heart_filled" if liked else "heart",
                    self.toggle_favorite,
                    rid="favorite_button",
                    desc="已收藏" if liked else "收藏",
                    color=RED if liked else INK,
                    selected=liked,
                ),
                icon_button("share", self.toasting("链接已复制"), rid="share_button", desc="分享"),
            ),
        )

    def content(self) -> Widget:
        """Return the page above the lowest price."""
        hotel = self.hotel
        if hotel is None:
            return message_page("bed-empty", "酒店不存在或已下线")
        shown = self._rooms()
        see_all = self.opens_page(names.HOTEL_REVIEWS, hotel=hotel.id)

        def build(item: object, place: int) -> Widget:
            if item == _REVIEWS:
                return review_card(hotel, see_all, no_room=not shown)
            return facts_card(hotel) if item == _FACTS else self._room(*shown[place])

        body = ListView(
            id="hotel_scroll",
            width=MATCH,
            height=MATCH,
            weight=1,
            padding=insets(0, 0, 0, 12),
            header=(self._header(hotel), self._stay()),
            items=[*shown, _REVIEWS, _FACTS],
            build=build,
        )
        footer = Row(
            id="hotel_foot",
            width=MATCH,
            height=58,
            background=WHITE,
            padding=insets(16, 8),
            gap=10,
            children=(
                button(
                    "问酒店",
                    self.opens_page(names.CHAT, name=hotel.name),
                    rid="ask_hotel",
                    fill=None,
                    color=BLUE,
                ),
                spacer(),
                price(hotel.price, rid="lowest_price", tail="起"),
                button(
                    "查看房型",
                    partial(self.show_section, "房间"),
                    rid="see_rooms",
                    desc="查看房型",
                    fill=ORANGE_FADE,
                ),
            ),
        )
        return Column(width=MATCH, height=MATCH, weight=1, children=(body, divider(LINE), footer))

    def _header(self, hotel: Hotel) -> Widget:
        photo = Box(
            width=MATCH,
            height=168,
            children=(
                ImageView(seed=f"hotel-{hotel.id}", width=MATCH, height=168, kind="banner"),
                Text(
                    text="相册 36",
                    size=11,
                    color=WHITE,
                    background="#88000000",
                    radius=10,
                    padding=insets(8, 3),
                    margin=insets(0, 0, 12, 10),
                    align_self=Align.END,
                    align_vertical=Align.END,
                ),
            ),
        )
        facts = Column(
            id="hotel_info",
            width=MATCH,
            background=WHITE,
            padding=insets(14, 12),
            gap=7,
            children=(
                Text(id="hotel_title", text=hotel.name, size=20, bold=True, color=INK, max_lines=2),
                Row(
                    gap=6,
                    children=(
                        label("★" * hotel.stars, 12, GOLD),
                        label(hotel.kind, 12, INK_2, rid="hotel_kind"),
                        *(badge(tag, INK_3) for tag in hotel.tags),
                    ),
                ),
                Row(
                    id="hotel_reviews_entry",
                    width=MATCH,
                    gap=8,
                    on_click=self.opens_page(names.HOTEL_REVIEWS, hotel=hotel.id),
                    children=(
                        label(f"{hotel.score}", 18, BLUE, rid="detail_score", bold=True),
                        label("超棒" if hotel.score >= 4.7 else "很好", 13, BLUE, bold=True),
                        label(f"{hotel.reviews}条点评", 13, INK_2, rid="detail_reviews"),
                        spacer(),
                        label("查看全部", 12, INK_3),
                    ),
                ),
                label(f"{hotel.city}{hotel.address}", 13, INK_2, rid="hotel_address", lines=2),
            ),
        )
        return Column(width=MATCH, children=(photo, facts))

    def _stay(self) -> Widget:
        query = self.query
        picks = [
            chip(
                name,
                name in self.active_filters,
                partial(self.toggle_filter, name),
                rid="room_filter",
                size=12,
            )
            for name in ROOM_FILTERS
        ]
        return card(
            stay_row(query.start, query.end, self.today, self._pick_days),
            divider(LINE),
            arrow_row("入住人数", query.guests, self._pick_guests, rid="detail_guests"),
            Row(width=MATCH, gap=8, padding=insets(0, 4, 0, 4), children=picks),
            rid="stay_card",
        )

    def _room(self, room: Room, offers: tuple[Offer, ...]) -> Widget:
        header = Row(
            width=MATCH,
            gap=10,
            children=(
                ImageView(seed=f"room-{room.id}", width=84, height=64, radius=6, kind="banner"),
                Column(
                    weight=1,
                    gap=3,
                    children=(
                        label(room.name, 16, INK, rid="room_name", bold=True),
                        label(f"{room.size}㎡ | {room.bed}", 12, INK_2, rid="room_bed"),
                        label(f"可住{room.guests}人 | {room.window}", 12, INK_3),
                    ),
                ),
            ),
        )
        lines: list[Widget] = [header]
        for offer in offers:
            lines += [divider(LINE, insets(0, 8)), self._offer(room, offer)]
        return card(*lines, rid="room_item", key=room.id)

    def _offer(self, room: Room, offer: Offer) -> Widget:
        return Row(
            id="room_offer",
            key=offer.id,
            width=MATCH,
            gap=8,
            children=(
                Column(
                    weight=1,
                    gap=3,
                    children=(
                        label(meals_text(offer), 13, INK, rid="offer_meals"),
                        label(
                            "免费取消" if offer.cancel else "不可取消",
                            12,
                            GREEN if offer.cancel else INK_3,
                            rid="offer_cancel",
                        ),
                    ),
                ),
                price(offer.price, rid="offer_price"),
                button(
                    "预订",
                    self.if_online(partial(self.book, room, offer)),
                    rid="book_button",
                    fill=ORANGE_FADE,
                    size=14,
                    padding=insets(14, 8),
                ),
            ),
        )
