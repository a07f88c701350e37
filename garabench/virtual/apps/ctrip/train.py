"""A train's page: its seats and their order form."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from garabench.virtual.apps.ctrip import names
from garabench.virtual.apps.ctrip.calendar import short_date, weekday
from garabench.virtual.apps.ctrip.order_form import OrderForm
from garabench.virtual.apps.ctrip.page import CtripPage
from garabench.virtual.apps.ctrip.theme import (
    BLUE,
    INK,
    INK_2,
    INK_3,
    ORANGE_FADE,
    button,
    card,
    chip,
    label,
    price,
)
from garabench.virtual.apps.ctrip.timetable import Seat, Train, clock, day_mark, duration_text, trains
from garabench.virtual.apps.ctrip.train_query import TrainQuery, train_query_of
from garabench.virtual.apps.ctrip.user_data import CtripOrder
from garabench.virtual.apps.ctrip.widgets import message_page, sheet
from garabench.virtual.ui.widgets import MATCH, Align, Column, Row, ScrollView, Text, Widget, insets

RULES = (
    "开车前8天以上退票不收手续费；48小时以上收5%；24至48小时收10%；不足24小时收20%。",
    "开车前可改签一次，改签后不再办理退票的按铁路规定收取手续费。",
)
LETTERS = {"二等座": "ABCDF", "一等座": "ACDF", "商务座": "ACF"}


def train_of(query: TrainQuery, number: str) -> Train | None:
    """Return the train with that number."""
    return next((item for item in trains(query.start, query.end, query.day) if item.number == number), None)


def train_card(train: Train, query: TrainQuery, when: str) -> Widget:
    """Return the summary card of a train."""

    def end(minutes: int, place: str, where: Align, rid: str) -> Widget:
        return Column(
            gap=2,
            align=where,
            children=(
                label(clock(minutes) + day_mark(minutes), 22, INK, rid=f"{rid}_time", bold=True),
                label(place, 14, INK_2, rid=rid),
            ),
        )

    return card(
        label(f"{short_date(query.day)} {when}", 13, INK_2, rid="train_detail_day"),
        Row(
            width=MATCH,
            children=(
                end(train.depart, train.start, Align.START, "train_from"),
                Column(
                    weight=1,
                    gap=3,
                    align=Align.CENTER,
                    children=(
                        label(train.number, 16, INK, rid="train_detail_number", bold=True),
                        label(duration_text(train.arrive - train.depart), 11, INK_3),
                    ),
                ),
                end(train.arrive, train.end, Align.END, "train_to"),
            ),
        ),
        rid="train_card",
        gap=8,
    )


class TrainDetailActivity(CtripPage):
    """The page of a train on a day."""

    def on_create(self) -> None:
        """Open the train from the intent."""
        self.query = train_query_of(self.intent.extras, self.today)
        self.train = train_of(self.query, str(self.intent.extras.get("train", "")))

    def bar(self) -> Widget:
        """Return the bar with start and destination."""
        return self.back_bar(f"{self.query.start}-{self.query.end}")

    def content(self) -> Widget:
        """Return the train and its seat classes."""
        train = self.train
        if train is None:
            return message_page("train", "车次不存在，请重新查询")
        header = train_card(train, self.query, weekday(self.query.day, self.today))
        rules = Row(
            width=MATCH,
            padding=insets(16, 10, 16, 0),
            gap=18,
            children=(
                label("退改说明", 13, BLUE, rid="train_rules", on_click=self.opening(self._rules)),
                label(
                    "经停站", 13, BLUE, rid="train_stops", on_click=self.toasting("经停信息以车站公告为准")
                ),
            ),
        )
        seats = [self._seat(train, seat) for seat in train.seats]
        return ScrollView(
            id="seat_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            padding=insets(0, 0, 0, 14),
            children=(header, rules, *seats),
        )

    def _seat(self, train: Train, seat: Seat) -> Widget:
        student = self.query.student and self.query.price(seat) < seat.price
        left = "有票" if seat.left > 20 else (f"剩{seat.left}张" if seat.left else "无票")
        book = self.if_online(partial(self._book, train, seat))
        return card(
            Row(
                width=MATCH,
                gap=10,
                children=(
                    Column(
                        weight=1,
                        gap=3,
                        children=(
                            label(seat.name, 17, INK, rid="seat_name", bold=True),
                            label(f"{left}{' · 学生票' if student else ''}", 12, INK_2, rid="seat_left"),
                        ),
                    ),
                    price(self.query.price(seat), rid="seat_price", size=20),
                    button(
                        "订",
                        book,
                        rid="seat_book",
                        desc=f"订{seat.name}",
                        fill=ORANGE_FADE,
                        enabled=seat.left > 0,
                        padding=insets(22, 9),
                    ),
                ),
            ),
            rid="seat_item",
            key=seat.name,
        )

    def _book(self, train: Train, seat: Seat) -> None:
        if seat.left:
            self.ctx.open(names.TRAIN_ORDER, **self.query.extras(), train=train.number, seat=seat.name)
        else:
            self.ctx.toast("该席别已售完")

    def _rules(self) -> Widget:
        texts = [
            Text(text=text, size=14, color=INK_2, line_spacing=1.2, padding=insets(18, 6)) for text in RULES
        ]
        return sheet("退改说明", self.on_dismiss_dialog, *texts, rid="rules_sheet")


class TrainOrderActivity(OrderForm):
    """The order form: passengers and seats of one class."""

    traveller_term = "乘客"
    scope = "火车票"
    button_text = "立即预订"

    def prepare(self) -> None:
        """Read train and seat class from the intent."""
        self.query = train_query_of(self.intent.extras, self.today)
        self.train = train_of(self.query, str(self.intent.extras.get("train", "")))
        seats = self.train.seats if self.train is not None else ()
        wanted = self.intent.extras.get("seat")
        self.seat = next(
            (seat for seat in seats if seat.name == wanted), seats[0] if seats else Seat("", 0, 0)
        )
        self.letter = ""

    def choose_letter(self, letter: str) -> None:
        """Toggle a preferred seat position."""
        self.letter = "" if self.letter == letter else letter

    def cost(self) -> int:
        """Return the price for all passengers; for one while there is none."""
        return self.query.price(self.seat) * max(1, len(self.travellers()))

    def problem(self) -> str:
        """Return what is missing: a train or a passenger."""
        if self.train is None:
            return "车次不存在，请重新查询"
        return super().problem()

    def order(self) -> CtripOrder:
        """Return the order to place."""
        train = self.train
        if train is None:
            return self.draft("train", "", "", self.query.day, ())
        when = f"{short_date(self.query.day)} {clock(train.depart)}-{clock(train.arrive)}"
        seat = f"{self.seat.name}（学生票）" if self.query.student else self.seat.name
        facts = [("车次", train.number), ("席别", seat), ("乘客", self.traveller_names())]
        if self.letter:
            facts.append(("选座", self.letter))
        return self.draft("train", f"{train.start}-{train.end}", when, self.query.day, facts)

    def item_cards(self) -> Sequence[Widget]:
        """Return the cards of the train, the passengers and the seats."""
        if self.train is None:
            return (message_page("train", "车次不存在，请重新查询"),)
        header = train_card(self.train, self.query, weekday(self.query.day, self.today))
        seat = card(
            Row(
                width=MATCH,
                children=(
                    label(self.seat.name, 16, INK, rid="order_seat", bold=True, weight=1),
                    price(self.query.price(self.seat), rid="order_seat_price"),
                ),
            )
        )
        letters = LETTERS.get(self.seat.name, "")
        places = [
            chip(item, item == self.letter, partial(self.choose_letter, item), rid="seat_letter")
            for item in letters
        ]
        choose = (
            (card(label("在线选座", 15, INK, bold=True), Row(width=MATCH, gap=10, children=places), gap=10),)
            if places
            else ()
        )
        return (header, seat, self.traveller_card(), *choose)
