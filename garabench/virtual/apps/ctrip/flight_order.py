"""The order form for flights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from garabench.virtual.apps.ctrip.flight_fares import CABIN_TABS, fares_of, leg_card, legs_of
from garabench.virtual.apps.ctrip.flight_query import flight_query_of
from garabench.virtual.apps.ctrip.order_form import OrderForm
from garabench.virtual.apps.ctrip.theme import BLUE, INK, INK_2, INK_3, card, label
from garabench.virtual.apps.ctrip.user_data import CtripOrder
from garabench.virtual.apps.ctrip.widgets import arrow_row, message_page
from garabench.virtual.ui.widgets import MATCH, Row, Toggle, Widget, insets

_CHILD_FACTOR: Final = 0.6
_TAX: Final = 70
_CHILD_TAX: Final = 10
_INSURANCE: Final = 40


class FlightOrderActivity(OrderForm):
    """The order form for a fare: passengers, contact and insurance."""

    traveller_term = "乘机人"
    scope = "机票"

    def prepare(self) -> None:
        """Read flights and fare from the intent."""
        extras = self.intent.extras
        self.query = flight_query_of(extras, self.today)
        self.legs = legs_of(self.query, str(extras.get("out", "")), str(extras.get("home", "")))
        self.cabin = str(extras.get("cabin", CABIN_TABS[0]))
        fares = fares_of(self.legs, self.cabin)
        self.fare = next((fare for fare in fares if fare.id == extras.get("fare")), fares[0])
        self.insured = False

    def toggle_insurance(self) -> None:
        """Toggle the insurance of all passengers."""
        self.insured = not self.insured

    def cost(self) -> int:
        """Return fares, taxes and insurance of all passengers; for one adult while none is selected."""
        people = self.travellers()
        if not people:
            return self.fare.price + _TAX * len(self.legs)
        children = sum(item.kind == "儿童" for item in people)
        grown = len(people) - children
        fares = grown * self.fare.price + children * round(self.fare.price * _CHILD_FACTOR / 10) * 10
        taxes = (grown * _TAX + children * _CHILD_TAX) * len(self.legs)
        return fares + taxes + (len(people) * _INSURANCE if self.insured else 0)

    def problem(self) -> str:
        """Return what is missing: a passenger, an adult, or the children announced in the search."""
        people = self.travellers()
        if not self.legs:
            return "航班已售完，请重新查询"
        if not people:
            return "请先添加乘机人"
        if all(item.kind == "儿童" for item in people):
            return "儿童需由成人陪同"
        return ""

    def order(self) -> CtripOrder:
        """Return the order to place."""
        query, first = self.query, self.legs[0]
        title = f"{query.start}-{query.end}" + (" 往返" if len(self.legs) > 1 else "")
        facts = [
            (leg.way if len(self.legs) > 1 else "航班", f"{leg.flight.airline} {leg.flight.number}")
            for leg in self.legs
        ]
        facts += [("舱位", self.fare.name), ("乘机人", self.traveller_names())]
        if self.insured:
            facts.append(("航空意外险", f"{len(self.chosen)}份"))
        return self.draft("flight", title, "；".join(leg.when for leg in self.legs), first.day, facts)

    def item_cards(self) -> Sequence[Widget]:
        """Return the cards of the flights and the passengers."""
        if not self.legs:
            return (message_page("airplane-off", "航班已售完，请重新查询"),)
        cards = [
            leg_card(leg, self.today, title=f"{leg.way} " if len(self.legs) > 1 else "") for leg in self.legs
        ]
        fare = card(
            label(self.fare.name, 15, INK, rid="order_fare", bold=True),
            label(f"{self.fare.rules} | {self.fare.bag}", 12, INK_2),
            label(f"成人票¥{self.fare.price} + 机建燃油¥{_TAX * len(self.legs)}", 12, INK_3),
            gap=4,
        )
        return (*cards, fare, self.traveller_card())

    def notes(self) -> Sequence[Widget]:
        """Return the insurance card."""
        switch = Toggle(
            id="insurance_switch",
            desc="航空意外险",
            checked=self.insured,
            color=BLUE,
            width=46,
            height=28,
            on_click=self.toggle_insurance,
        )
        row = arrow_row(
            "航空意外险", f"¥{_INSURANCE}/份", self.toggle_insurance, rid="order_insurance", trailing=switch
        )
        return (card(row, padding=insets(14, 0)), Row(width=MATCH, height=4, children=()))
