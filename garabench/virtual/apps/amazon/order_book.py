"""The user's orders: what was ordered, cancelled, sent back and put away."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Sequence
from typing import Any

from garabench.virtual.apps.amazon.records import Address, Line, Order, Payment, Status, line_of
from garabench.virtual.apps.servers import Served, on_servers


class OrderBook(Served):
    """Reads and changes the orders in the app's data."""

    def orders(self, *, archived: bool = False) -> tuple[Order, ...]:
        """All orders that are put away or are not, the latest first."""
        rows = [row for row in self._data["orders"] if (row["id"] in self._data["archived"]) is archived]
        made = [self._order(row) for row in rows]
        return tuple(sorted(made, key=lambda order: order.at, reverse=True))

    def order(self, order_id: str) -> Order | None:
        """One order."""
        row = self._row(order_id)
        return self._order(row) if row is not None else None

    def _row(self, order_id: str) -> dict[str, Any] | None:
        return next((row for row in self._data["orders"] if row["id"] == order_id), None)

    @staticmethod
    def _order(row: dict[str, Any]) -> Order:
        return Order(
            id=row["id"],
            at=dt.datetime.fromisoformat(row["at"]),
            status=Status(row["status"]),
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

    @on_servers
    def place(
        self,
        lines: Sequence[Line],
        address: Address,
        payment: Payment,
        *,
        at: dt.datetime,
        arrives: dt.date,
        shipping: int,
        gift: bool,
    ) -> str:
        """Order the lines; returns the order's number."""
        number = int(hashlib.sha256(f"{len(self._data['orders'])} {at}".encode()).hexdigest()[:14], 16)
        digits = f"{number:017d}"[-14:]
        order_id = f"112-{digits[:7]}-{digits[7:]}"
        row = {
            "id": order_id,
            "at": at.replace(tzinfo=None).isoformat(timespec="seconds"),
            "status": Status.PREPARING.value,
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

    @on_servers
    def cancel(self, order_id: str, reason: str) -> None:
        """Cancel an order that is not shipped yet."""
        row = self._row(order_id)
        if row is not None and row["status"] == Status.PREPARING:
            row |= {"status": Status.CANCELLED.value, "reason": reason}

    @on_servers
    def send_back(self, order_id: str, *, reason: str, refund: str, drop_off: str) -> None:
        """Start the return of an order that has come."""
        row = self._row(order_id)
        if row is not None and row["status"] == Status.DELIVERED:
            row |= {
                "status": Status.RETURNING.value,
                "reason": reason,
                "refund": refund,
                "drop_off": drop_off,
            }

    @on_servers
    def call_back(self, order_id: str) -> None:
        """Cancel a return that was started."""
        row = self._row(order_id)
        if row is not None and row["status"] == Status.RETURNING:
            row |= {"status": Status.DELIVERED.value, "reason": "", "refund": "", "drop_off": ""}

    def is_archived(self, order_id: str) -> bool:
        """Whether it is put away."""
        return order_id in self._data["archived"]

    @on_servers
    def archive(self, order_id: str, wanted: bool) -> None:
        """Put an order away, or take it out again."""
        kept = [name for name in self._data["archived"] if name != order_id]
        self._data["archived"] = [order_id, *kept] if wanted else kept

    @staticmethod
    def matches(order: Order, query: str) -> bool:
        """Whether an order is what a search of the orders asks for."""
        text = " ".join((order.id, *(f"{line.product.title} {line.product.brand}" for line in order.lines)))
        return all(word in text.casefold() for word in query.casefold().split())
