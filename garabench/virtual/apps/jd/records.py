"""What the user's data is made of, as values: lines, addresses, orders, messages, visits."""

from __future__ import annotations

import datetime as dt
import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from garabench.virtual.apps.jd import content
from garabench.virtual.apps.jd.content import Product, Shop


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the cart or of an order."""

    product: Product
    options: tuple[str, ...]
    count: int
    checked: bool = True

    @property
    def price(self) -> int:
        """Fen for one piece."""
        return self.product.price_of(self.options)

    @property
    def total(self) -> int:
        """Fen for all pieces."""
        return self.price * self.count

    @property
    def spec(self) -> str:
        """The options as the app writes them."""
        return "，".join(self.options)

    @property
    def key(self) -> str:
        """What tells it from the other lines."""
        return f"{self.product.id}|{self.spec}"

    def row(self) -> dict[str, Any]:
        """It as the data keeps it."""
        return {"product": self.product.id, "options": list(self.options), "count": self.count}


def line_of(row: Mapping[str, Any]) -> Line:
    """A line from what the data keeps."""
    return Line(
        content.products()[row["product"]], tuple(row["options"]), row["count"], row.get("checked", True)
    )


@dataclass(frozen=True, slots=True)
class Address:
    """Where things are sent; `tag` is 家, 公司, 学校 or such, or empty."""

    id: str
    name: str
    phone: str
    region: str
    detail: str
    tag: str
    default: bool

    @property
    def masked_phone(self) -> str:
        """The number with its middle hidden."""
        return f"{self.phone[:3]}****{self.phone[-4:]}"

    @property
    def person(self) -> str:
        """Name and number as an order keeps them."""
        return f"{self.name} {self.masked_phone}"

    @property
    def place(self) -> str:
        """Region and street in one line."""
        return f"{self.region} {self.detail}"


class Status(enum.StrEnum):
    """How far an order has come."""

    UNPAID = "待付款"
    SENT = "待收货"
    ARRIVED = "待评价"
    DONE = "已完成"
    CANCELLED = "已取消"
    RETURNING = "售后中"


@dataclass(frozen=True, slots=True)
class Order:
    """An order.

    Attributes:
        arrival: What the order's state means, in a sentence.
        person, place: Where it goes, as it was when it was ordered.
        discount: Fen that coupons took off.
        note: What the user told the shop.
        paid_by: The way it was paid, or empty.
    """

    id: str
    shop: Shop
    status: Status
    at: dt.datetime
    lines: tuple[Line, ...]
    carrier: str
    waybill: str
    arrival: str
    person: str
    place: str
    discount: int = 0
    note: str = ""
    paid_by: str = ""

    @property
    def goods(self) -> int:
        """Fen for everything, before coupons."""
        return sum(line.total for line in self.lines)

    @property
    def total(self) -> int:
        """Fen to pay."""
        return self.goods - self.discount

    @property
    def pieces(self) -> int:
        """How many pieces there are."""
        return sum(line.count for line in self.lines)


@dataclass(frozen=True, slots=True)
class Message:
    """A message of a chat."""

    own: bool
    text: str
    at: dt.datetime


@dataclass(frozen=True, slots=True)
class Visit:
    """A line of the history."""

    product: Product
    at: dt.datetime
