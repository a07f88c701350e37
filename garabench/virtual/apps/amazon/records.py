"""Values of the user's data: order lines, addresses, payments, orders, lists."""

from __future__ import annotations

import datetime as dt
import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from garabench.virtual.apps.amazon import content
from garabench.virtual.apps.amazon.content import AmazonProduct, date_text, day_text

DAYS_TO_RETURN = 30


@dataclass(frozen=True, slots=True)
class AmazonOrderLine:
    """A line of the cart or of an order."""

    product: AmazonProduct
    options: tuple[str, ...]
    count: int
    selected: bool = True

    @property
    def price(self) -> int:
        """Cents for one piece."""
        return self.product.price_of(self.options)

    @property
    def total(self) -> int:
        """Cents for all pieces."""
        return self.price * self.count

    @property
    def key(self) -> str:
        """Key that distinguishes it from the other lines."""
        return "|".join((self.product.id, *self.options))

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """Name and value of each option."""
        return tuple(
            (option.name, value) for option, value in zip(self.product.options, self.options, strict=True)
        )

    def row(self) -> dict[str, Any]:
        """Return it as JSON-compatible data."""
        return {"product": self.product.id, "options": list(self.options), "count": self.count}


def line_of(row: Mapping[str, Any]) -> AmazonOrderLine:
    """A line from what the data keeps."""
    product = content.products()[row["product"]]
    return AmazonOrderLine(product, tuple(row["options"]), row["count"], row.get("selected", True))


@dataclass(frozen=True, slots=True)
class AmazonAddress:
    """Where things are sent."""

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
    """A way to pay."""

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
        arrives: When it comes, or came.
        person, place, paid_by: As they were when it was ordered.
        shipping: Cents.
        reason: Why it was cancelled or is returned, or empty.
        refund: How the money comes back, or empty.
        drop_off: How it is sent back, or empty.
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
        """Cents for everything, before shipping."""
        return sum(line.total for line in self.lines)

    @property
    def tax(self) -> int:
        """Cents of tax; Oregon has none."""
        return 0

    @property
    def total(self) -> int:
        """Cents that are paid."""
        return self.items + self.shipping + self.tax

    @property
    def returnable(self) -> bool:
        """Whether it can still be sent back."""
        end = self.arrives + dt.timedelta(days=DAYS_TO_RETURN)
        return self.status is AmazonStatus.DELIVERED and end >= content.TODAY

    @property
    def headline(self) -> str:
        """What its state means, in a few words."""
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
        """What else there is to say of its state."""
        match self.status:
            case AmazonStatus.PREPARING:
                return "Not yet shipped"
            case AmazonStatus.DELIVERED:
                end = self.arrives + dt.timedelta(days=DAYS_TO_RETURN)
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
    """A list of products that the user keeps."""

    id: str
    name: str
    private: bool
    items: tuple[AmazonProduct, ...]
