"""The order form for a hotel room."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from garabench.virtual.apps.ctrip.calendar import short_date
from garabench.virtual.apps.ctrip.content import Offer, Room, hotels, rooms
from garabench.virtual.apps.ctrip.hotel import meals_text
from garabench.virtual.apps.ctrip.hotel_query import hotel_query_of
from garabench.virtual.apps.ctrip.order_form import OrderForm
from garabench.virtual.apps.ctrip.theme import BLUE, GREEN, INK, INK_2, INK_3, LINE, card, label
from garabench.virtual.apps.ctrip.user_data import CtripOrder
from garabench.virtual.apps.ctrip.widgets import arrow_row, field_row, sheet, stepper
from garabench.virtual.ui.widgets import MATCH, Row, Widget, divider, insets, spacer

ARRIVALS = ("14:00", "16:00", "18:00", "20:00", "22:00", "次日06:00")
_FALLBACK = "wt-atour"


class HotelOrderActivity(OrderForm):
    """The order form: guests, arrival and requests for a room."""

    scope = "酒店"

    def prepare(self) -> None:
        """Read hotel and room from the intent."""
        extras = self.intent.extras
        name = str(extras.get("hotel", ""))
        self.hotel = hotels().get(name, hotels()[_FALLBACK])
        self.query = hotel_query_of(extras, self.today)
        every = rooms(self.hotel.id)
        self.room: Room = next((room for room in every if room.id == extras.get("room")), every[0])
        offers = self.room.offers
        self.offer: Offer = next((offer for offer in offers if offer.id == extras.get("offer")), offers[0])
        self.count = self.query.rooms
        self.guests = [""] * self.count
        self.arrival = "18:00"
        self.wish = ""

    def change_count(self, count: int) -> None:
        """Change the number of rooms."""
        self.count = count
        self.guests = [*self.guests, *[""] * count][:count]

    def type_guest(self, place: int, text: str) -> None:
        """Handle a change of a guest's name."""
        self.guests[place] = text

    def type_wish(self, text: str) -> None:
        """Handle a change of the request."""
        self.wish = text

    def choose_arrival(self, time: str) -> None:
        """Choose the time of arrival."""
        self.arrival = time
        self.sheet = None

    def cost(self) -> int:
        """Return the price of all rooms for all nights."""
        return self.offer.price * self.query.nights * self.count

    def problem(self) -> str:
        """Return what is missing: a guest for each room."""
        return "" if all(name.strip() for name in self.guests) else "请填写入住人姓名"

    def order(self) -> CtripOrder:
        """Return the order to place."""
        query = self.query
        when = f"{short_date(query.start)}-{short_date(query.end)} {query.nights}晚 {self.count}间"
        policy = f"{short_date(query.start)}18:00前可免费取消" if self.offer.cancel else "不可取消"
        facts = [
            ("房型", self.room.name),
            ("早餐", meals_text(self.offer)),
            ("入住人", "、".join(name.strip() for name in self.guests)),
            ("预计到店", self.arrival),
            ("取消政策", policy),
        ]
        if self.wish.strip():
            facts.append(("特殊要求", self.wish.strip()))
        return self.draft("hotel", self.hotel.name, when, query.start, facts, f"hotel:{self.hotel.id}")

    def item_cards(self) -> Sequence[Widget]:
        """Return the cards of the stay and the guests."""
        query = self.query
        stay = card(
            label(self.hotel.name, 17, INK, rid="order_hotel", bold=True, lines=2),
            label(
                f"{short_date(query.start)} - {short_date(query.end)} 共{query.nights}晚",
                14,
                INK_2,
                rid="order_dates",
            ),
            label(f"{self.room.name} {meals_text(self.offer)}", 14, INK, rid="order_room"),
            label(f"{self.room.size}㎡ {self.room.bed}", 12, INK_3),
            label(
                "限时免费取消" if self.offer.cancel else "预订后不可取消",
                12,
                GREEN if self.offer.cancel else INK_3,
                rid="order_cancel",
            ),
            gap=5,
        )
        people: list[Widget] = [
            stepper(
                "房间数",
                f"每间最多住{self.room.guests}人",
                self.count,
                1,
                9,
                self.change_count,
                rid="order_rooms",
            )
        ]
        for place, name in enumerate(self.guests):
            people += [
                divider(LINE),
                field_row(
                    f"住客{place + 1}" if self.count > 1 else "住客姓名",
                    name,
                    "每间填1位住客姓名",
                    partial(self.type_guest, place),
                    rid=f"guest_name_{place}" if place else "guest_name",
                    on_done=self.ctx.hide_keyboard,
                ),
            ]
        people += [
            divider(LINE),
            arrow_row("预计到店", self.arrival, self.opening(self._arrivals), rid="order_arrival"),
        ]
        return (stay, card(*people, rid="guest_card", padding=insets(14, 0)))

    def notes(self) -> Sequence[Widget]:
        """Return the card for requests to the hotel."""
        wish = field_row(
            "特殊要求",
            self.wish,
            "如高楼层、无烟房",
            self.type_wish,
            rid="order_wish",
            on_done=self.ctx.hide_keyboard,
        )
        return (card(wish, padding=insets(14, 0)),)

    def _arrivals(self) -> Widget:
        rows = []
        for time in ARRIVALS:
            on = time == self.arrival
            rows.append(
                Row(
                    id="arrival_option",
                    key=time,
                    width=MATCH,
                    height=46,
                    padding=insets(18, 0),
                    selected=on,
                    on_click=partial(self.choose_arrival, time),
                    children=(label(time, 15, BLUE if on else INK), spacer()),
                )
            )
        return sheet("预计到店时间", self.on_dismiss_dialog, *rows, rid="arrival_sheet")
