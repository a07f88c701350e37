"""Values of the user's data: order lines, addresses, payments, orders, lists."""

from __future__ import annotations

import datetime as dt
import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from garabench.virtual.apps.amazon import content
from garabench.virtual.apps.amazon.content import AmazonProduct, date_text, day_text

RETURN_DAYS = 30


@dataclass(frozen=True, slots=True)
class AmazonOrderLine:
    """A line of the cart or of an order."""

    product: AmazonProduct
    options: tuple[str, ...]
    count: int
    selected: bool = True

    @property
    def price(self) -> int:
        """The unit price in cents."""
        return self.product.price_of(self.options)

    @property
    def total(self) -> int:
        """The price of all units in cents."""
        return self.price * self.count

    @property
    def key(self) -> str:
        """Key that distinguishes the line from the others."""
        return "|".join((self.product.id, *self.options))

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """The name and value of each option."""
        return tuple(
            (option.name, value) for option, value in zip(self.product.options, self.options, strict=True)
        )

    def row(self) -> dict[str, Any]:
        """Return the line as JSON-compatible data."""
        return {"product": self.product.id, "options": list(self.options), "count": self.count}


def line_of(row: Mapping[str, Any]) -> AmazonOrderLine:
    """Parse a line from the app's data."""
    product = content.products()[row["product"]]
    return AmazonOrderLine(product, tuple(row["options"]), row["count"], row.get("selected", True))


@dataclass(frozen=True, slots=True)
class AmazonAddress:
    """A delivery address."""

    id: str
    name: str
    phone: str
    street: str
    unit: str
    city: str
    state: str
    zip: str
    note: str
    default: bool

    @property
    def town(self) -> str:
        """City, state and ZIP code in one line."""
        return f"{self.city}, {self.state} {self.zip}"

    @property
    def place(self) -> str:
        """Street and town in one line."""
        return ", ".join(part for part in (self.street, self.unit, self.town) if part)


@dataclass(frozen=True, slots=True)
class Payment:
    """A payment method."""

    id: str
    label: str
    kind: str
    expires: str
    icon: str


class AmazonStatus(enum.StrEnum):
    """The status of an order."""

    PREPARING = "preparing"
    SHIPPED = "shipped"
    OUT = "out"
    DELIVERED = "delivered"
    CANCELLED = "cancelled"
    RETURNING = "returning"
    RETURNED = "returned"


@dataclass(frozen=True, slots=True)
class AmazonOrder:
    """An order.

    Attributes:
        arrives: Date of delivery.
        person, place, paid_by: As of the time of the order.
        shipping: In cents.
        reason: Reason for the cancellation or return, or empty.
        refund: Method of the refund, or empty.
        drop_off: Method of the return, or empty.
        gift: Whether it is a gift.
    """

    id: str
    at: dt.datetime
    status: AmazonStatus
    arrives: dt.date
    lines: tuple[AmazonOrderLine, ...]
    person: str
    place: str
    paid_by: str
    shipping: int = 0
    carrier: str = ""
    tracking: str = ""
    reason: str = ""
    refund: str = ""
    drop_off: str = ""
    gift: bool = False

    @property
    def items(self) -> int:
        """The price of all items in cents, before shipping."""
        return sum(line.total for line in self.lines)

    @property
    def tax(self) -> int:
        """The tax in cents; Oregon has none."""
        return 0

    @property
    def total(self) -> int:
        """The amount to pay in cents."""
        return self.items + self.shipping + self.tax

    @property
    def returnable(self) -> bool:
        """Whether the order can still be returned."""
        end = self.arrives + dt.timedelta(days=RETURN_DAYS)
        return self.status is AmazonStatus.DELIVERED and end >= content.TODAY

    @property
    def headline(self) -> str:
        """The order's status as a headline."""
        match self.status:
            case AmazonStatus.PREPARING:
                return f"Arriving {day_text(self.arrives)}"
            case AmazonStatus.SHIPPED:
                return f"On the way: arriving {day_text(self.arrives)}"
            case AmazonStatus.OUT:
                return "Out for delivery: arriving today"
            case AmazonStatus.DELIVERED:
                return f"Delivered {date_text(self.arrives)}"
            case AmazonStatus.CANCELLED:
                return "Cancelled"
            case AmazonStatus.RETURNING:
                return "Return started"
            case AmazonStatus.RETURNED:
                return "Return complete"

    @property
    def note(self) -> str:
        """Further text about the status."""
        match self.status:
            case AmazonStatus.PREPARING:
                return "Not yet shipped"
            case AmazonStatus.DELIVERED:
                end = self.arrives + dt.timedelta(days=RETURN_DAYS)
                word = "through" if self.returnable else "closed on"
                return f"Return window {word} {date_text(end)}"
            case AmazonStatus.CANCELLED:
                return (
                    f"Reason: {self.reason}"
                    if self.reason
                    else "Your order was cancelled. You were not charged."
                )
            case AmazonStatus.RETURNING:
                return f"Reason: {self.reason}"
            case AmazonStatus.RETURNED:
                return "Your refund has been issued."
            case _:
                return f"Shipped with {self.carrier}"


@dataclass(frozen=True, slots=True)
class WishList:
    """A list of products."""

    id: str
    name: str
    private: bool
    items: tuple[AmazonProduct, ...]
