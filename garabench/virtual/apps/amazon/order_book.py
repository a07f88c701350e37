"""The user's orders: placing, cancelling, returning and archiving them."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Sequence
from typing import Any

from garabench.virtual.apps.amazon.user_data import (
    AmazonAddress,
    AmazonOrder,
    AmazonOrderLine,
    AmazonStatus,
    Payment,
    line_of,
)
from garabench.virtual.kit.server_calls import ServerStore, requires_network


class AmazonOrderBook(ServerStore):
    """Reads and modifies the orders in the app's data."""

    def orders(self, *, archived: bool = False) -> tuple[AmazonOrder, ...]:
        """Return the archived orders, or the others, latest first."""
        rows = [row for row in self._data["orders"] if (row["id"] in self._data["archived"]) is archived]
        result = [self._order(row) for row in rows]
        return tuple(sorted(result, key=lambda order: order.at, reverse=True))

    def order(self, order_id: str) -> AmazonOrder | None:
        """Return an order."""
        row = self._row(order_id)
        return self._order(row) if row is not None else None

    def _row(self, order_id: str) -> dict[str, Any] | None:
        return next((row for row in self._data["orders"] if row["id"] == order_id), None)

    @staticmethod
    def _order(row: dict[str, Any]) -> AmazonOrder:
        return AmazonOrder(
            id=row["id"],
            at=dt.datetime.fromisoformat(row["at"]),
            status=AmazonStatus(row["status"]),
            arrives=dt.date.fromisoformat(row["arrives"]),
            lines=tuple(map(line_of, row["lines"])),
            person=row["person"],
            place=row["place"],
            paid_by=row["paid_by"],
            shipping=row["shipping"],
            carrier=row.get("carrier", ""),
            tracking=row.get("tracking", ""),
            reason=row.get("reason", ""),
            refund=row.get("refund", ""),
            drop_off=row.get("drop_off", ""),
            gift=row.get("gift", False),
        )

    @requires_network
    def place(
        self,
        lines: Sequence[AmazonOrderLine],
        address: AmazonAddress,
        payment: Payment,
        *,
        at: dt.datetime,
        arrives: dt.date,
        shipping: int,
        gift: bool,
    ) -> str:
        """Place an order and return its number."""
        number = int(hashlib.sha256(f"{len(self._data['orders'])} {at}".encode()).hexdigest()[:14], 16)
        digits = f"{number:017d}"[-14:]
        order_id = f"112-{digits[:7]}-{digits[7:]}"
        row = {
            "id": order_id,
            "at": at.replace(tzinfo=None).isoformat(timespec="seconds"),
            "status": AmazonStatus.PREPARING.value,
            "arrives": arrives.isoformat(),
            "lines": [line.row() for line in lines],
            "person": address.name,
            "place": address.place,
            "paid_by": payment.label,
            "shipping": shipping,
            "gift": gift,
        }
        self._data["orders"].insert(0, row)
        return order_id

    @requires_network
    def cancel(self, order_id: str, reason: str) -> None:
        """Cancel an order before shipment."""
        row = self._row(order_id)
        if row is not None and row["status"] == AmazonStatus.PREPARING:
            row |= {"status": AmazonStatus.CANCELLED.value, "reason": reason}

    @requires_network
    def start_return(self, order_id: str, *, reason: str, refund: str, drop_off: str) -> None:
        """Start the return of a delivered order."""
        row = self._row(order_id)
        if row is not None and row["status"] == AmazonStatus.DELIVERED:
            row |= {
                "status": AmazonStatus.RETURNING.value,
                "reason": reason,
                "refund": refund,
                "drop_off": drop_off,
            }

    @requires_network
    def cancel_return(self, order_id: str) -> None:
        """Cancel a return."""
        row = self._row(order_id)
        if row is not None and row["status"] == AmazonStatus.RETURNING:
            row |= {"status": AmazonStatus.DELIVERED.value, "reason": "", "refund": "", "drop_off": ""}

    def is_archived(self, order_id: str) -> bool:
        """Return whether an order is archived."""
        return order_id in self._data["archived"]

    @requires_network
    def archive(self, order_id: str, wanted: bool) -> None:
        """Archive or unarchive an order."""
        others = [name for name in self._data["archived"] if name != order_id]
        self._data["archived"] = [order_id, *others] if wanted else others

    @staticmethod
    def matches(order: AmazonOrder, query: str) -> bool:
        """Return whether an order matches a search."""
        text = " ".join((order.id, *(f"{line.product.title} {line.product.brand}" for line in order.lines)))
        return all(word in text.casefold() for word in query.casefold().split())
