"""Values of the user's data: order lines, addresses, orders, messages, visits."""

from __future__ import annotations

import datetime as dt
import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from garabench.virtual.apps.jd import content
from garabench.virtual.apps.jd.content import JdProduct, Shop


@dataclass(frozen=True, slots=True)
class JdOrderLine:
    """A line of the cart or of an order."""

    product: JdProduct
    options: tuple[str, ...]
    count: int
    checked: bool = True

    @property
    def price(self) -> int:
        """The unit price in fen."""
        return self.product.price_of(self.options)

    @property
    def total(self) -> int:
        """The price of all units in fen."""
        return self.price * self.count

    @property
    def spec(self) -> str:
        """The options as the app displays them."""
        return "，".join(self.options)

    @property
    def key(self) -> str:
        """Key that distinguishes the line from the others."""
        return f"{self.product.id}|{self.spec}"

    def row(self) -> dict[str, Any]:
        """Return the line as JSON-compatible data."""
        return {"product": self.product.id, "options": list(self.options), "count": self.count}


def line_of(row: Mapping[str, Any]) -> JdOrderLine:
    """Parse a line from the app's data."""
    return JdOrderLine(
        content.products()[row["product"]], tuple(row["options"]), row["count"], row.get("checked", True)
    )


@dataclass(frozen=True, slots=True)
class JdAddress:
    """A delivery address; `tag` is 家, 公司, 学校 or another label, or empty."""

    id: str
    name: str
    phone: str
    region: str
    detail: str
    tag: str
    default: bool

    @property
    def masked_phone(self) -> str:
        """The number with its middle masked."""
        return f"{self.phone[:3]}****{self.phone[-4:]}"

    @property
    def person(self) -> str:
        """Name and phone number as stored in an order."""
        return f"{self.name} {self.masked_phone}"

    @property
    def place(self) -> str:
        """Region and street in one line."""
        return f"{self.region} {self.detail}"


class JdStatus(enum.StrEnum):
    """The status of an order."""

    UNPAID = "待付款"
    SENT = "待收货"
    ARRIVED = "待评价"
    DONE = "已完成"
    CANCELLED = "已取消"
    RETURNING = "售后中"


@dataclass(frozen=True, slots=True)
class JdOrder:
    """An order.

    Attributes:
        arrival: A sentence about the order's status.
        person, place: Recipient and address, as of the time of the order.
        discount: Coupon discount in fen.
        note: The user's message to the shop.
        paid_by: The payment method, or empty.
    """

    id: str
    shop: Shop
    status: JdStatus
    at: dt.datetime
    lines: tuple[JdOrderLine, ...]
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
        """The price of all products in fen, before coupons."""
        return sum(line.total for line in self.lines)

    @property
    def total(self) -> int:
        """The amount to pay in fen."""
        return self.goods - self.discount

    @property
    def pieces(self) -> int:
        """The number of units."""
        return sum(line.count for line in self.lines)


@dataclass(frozen=True, slots=True)
class JdMessage:
    """A message of a chat."""

    own: bool
    text: str
    at: dt.datetime


@dataclass(frozen=True, slots=True)
class JdVisit:
    """An item of the browsing history."""

    product: JdProduct
    at: dt.datetime
