"""Values of the user's data: travellers, addresses, orders, visits."""

from __future__ import annotations

import datetime as dt
import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


class CtripStatus(enum.StrEnum):
    """The status of an order."""

    UNPAID = "待付款"
    COMING = "待出行"
    REVIEW = "待点评"
    DONE = "已完成"
    CANCELLED = "已取消"


@dataclass(frozen=True, slots=True)
class Traveller:
    """A saved traveller.

    Attributes:
        kind: 成人, 儿童 or 学生.
        document: Type of the identity document, such as 身份证.
        number: The document's number.
    """

    id: str
    name: str
    kind: str
    document: str
    number: str
    phone: str

    @property
    def masked_number(self) -> str:
        """The document's number with its middle masked."""
        if len(self.number) < 8:
            return self.number
        return f"{self.number[:4]}{'*' * (len(self.number) - 8)}{self.number[-4:]}"

    @property
    def masked_phone(self) -> str:
        """The phone number with its middle masked."""
        return f"{self.phone[:3]}****{self.phone[-4:]}" if len(self.phone) >= 7 else self.phone


@dataclass(frozen=True, slots=True)
class CtripAddress:
    """A mailing address for invoices and tickets."""

    id: str
    name: str
    phone: str
    region: str
    detail: str
    default: bool


@dataclass(frozen=True, slots=True)
class CtripOrder:
    """An order of any kind.

    Attributes:
        kind: hotel, flight, train, ticket or tour.
        title: Title of the order, as lists display it.
        when: The dates as the app displays them.
        start: The first day.
        facts: Further rows: (label, value).
        total: In yuan.
        product: Kind and id of the product (``hotel:jinjiang``), or empty.
    """

    id: str
    kind: str
    title: str
    when: str
    start: dt.date
    facts: tuple[tuple[str, str], ...]
    total: int
    status: CtripStatus
    at: dt.datetime
    product: str = ""

    def row(self) -> dict[str, Any]:
        """Return the order as JSON-compatible data."""
        return {
            "id": self.id,
            "kind": self.kind,
            "title": self.title,
            "when": self.when,
            "start": self.start.isoformat(),
            "facts": [list(fact) for fact in self.facts],
            "total": self.total,
            "status": self.status.value,
            "at": self.at.isoformat(),
            "product": self.product,
        }


def order_of(row: Mapping[str, Any]) -> CtripOrder:
    """Parse an order from the app's data."""
    return CtripOrder(
        id=row["id"],
        kind=row["kind"],
        title=row["title"],
        when=row["when"],
        start=dt.date.fromisoformat(row["start"]),
        facts=tuple((name, value) for name, value in row["facts"]),
        total=row["total"],
        status=CtripStatus(row["status"]),
        at=dt.datetime.fromisoformat(row["at"]),
        product=row.get("product", ""),
    )


@dataclass(frozen=True, slots=True)
class CtripVisit:
    """A product page that the user viewed."""

    kind: str
    name: str
    at: dt.datetime
