"""The user's orders in the app's data."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from garabench.virtual.apps.jd import content
from garabench.virtual.apps.jd.content import fold
from garabench.virtual.apps.jd.records import Address, Line, Order, Status, line_of
from garabench.virtual.apps.servers import Served, on_servers

_FIRST_NUMBER = 296_190_000_000
_NUMBER_STEP = 7_919
_UNPAID_FOR = "剩余 23小时59分 自动关闭"


def _order(row: Mapping[str, Any]) -> Order:
    return Order(
        id=row["id"],
        shop=content.shops()[row["shop"]],
        status=Status(row["status"]),
        at=dt.datetime.fromisoformat(row["at"]),
        lines=tuple(map(line_of, row["items"])),
        carrier=row["carrier"],
        waybill=row["waybill"],
        arrival=row["arrival"],
        person=row["person"],
        place=row["place"],
        discount=row.get("discount", 0),
        note=row.get("note", ""),
        paid_by=row.get("paid_by", ""),
    )


class OrderBook(Served):
    """Reads and changes the orders; every method takes effect at once."""

    def orders(self, status: Status | None = None) -> tuple[Order, ...]:
        """Orders, the latest first; those of one status, or all."""
        made = map(_order, self._data["orders"])
        kept = [order for order in made if status is None or order.status is status]
        return tuple(sorted(kept, key=lambda order: order.at, reverse=True))

    def find(self, words: str) -> tuple[Order, ...]:
        """Orders whose number, shop or things contain the words."""
        wanted = fold(words)

        def fits(order: Order) -> bool:
            names = (order.id, order.shop.name, *(line.product.title for line in order.lines))
            return any(wanted in fold(name) for name in names)

        return tuple(order for order in self.orders() if wanted and fits(order))

    def order(self, number: str) -> Order | None:
        """One order by number."""
        return next((order for order in self.orders() if order.id == number), None)

    @on_servers
    def place(
        self, lines: Sequence[Line], at: dt.datetime, address: Address, *, discount: int = 0, note: str = ""
    ) -> tuple[str, ...]:
        """Order lines, one order a shop, which wait for their payment.

        Args:
            lines: What is ordered.
            at: When.
            address: Where it goes.
            discount: Fen off in all; they come off one order after the other.
            note: What the shops are told.

        Returns:
            The orders' numbers.
        """
        numbers = []
        rest = discount
        for shop in dict.fromkeys(line.product.shop.id for line in lines):
            own = [line for line in lines if line.product.shop.id == shop]
            off = min(rest, sum(line.total for line in own))
            rest -= off
            number = self._new_number()
            self._data["orders"].append(
                {
                    "id": number,
                    "shop": shop,
                    "status": Status.UNPAID.value,
                    "at": at.isoformat(),
                    "items": [line.row() for line in own],
                    "carrier": "",
                    "waybill": "",
                    "arrival": _UNPAID_FOR,
                    "person": address.person,
                    "place": address.place,
                    "discount": off,
                    "note": note,
                }
            )
            numbers.append(number)
        return tuple(numbers)

    def _new_number(self) -> str:
        taken = {row["id"] for row in self._data["orders"]}
        number = _FIRST_NUMBER + _NUMBER_STEP
        while str(number) in taken:
            number += _NUMBER_STEP
        return str(number)

    @on_servers
    def pay_on_delivery(self, number: str) -> None:
        """Send an order that is paid at the door."""
        self._change(
            number,
            status=Status.SENT,
            arrival="货到付款，预计明天18:00前送达",
            paid_by="货到付款",
            carrier="京东快递",
        )

    @on_servers
    def cancel(self, number: str, reason: str) -> None:
        """Cancel an order that has not been paid."""
        self._change(number, status=Status.CANCELLED, arrival=f"订单已取消：{reason}")

    @on_servers
    def confirm(self, number: str) -> None:
        """Say that an order has arrived."""
        self._change(number, status=Status.ARRIVED, arrival="已确认收货")

    @on_servers
    def review(self, number: str, stars: int, text: str) -> None:
        """Keep the user's review of an order."""
        self._change(number, status=Status.DONE, arrival="感谢您的评价", stars=stars, review=text)

    @on_servers
    def send_back(self, number: str, reason: str) -> None:
        """Ask for a return."""
        self._change(number, status=Status.RETURNING, arrival=f"退货申请已提交：{reason}")

    @on_servers
    def drop(self, number: str) -> None:
        """Delete an order from the list."""
        self._data["orders"] = [row for row in self._data["orders"] if row["id"] != number]

    def review_of(self, number: str) -> tuple[int, str] | None:
        """Stars and text of the user's review, if there is one."""
        for row in self._data["orders"]:
            if row["id"] == number and "stars" in row:
                return row["stars"], row["review"]
        return None

    def _change(self, number: str, *, status: Status, **fields: object) -> None:
        for row in self._data["orders"]:
            if row["id"] == number:
                row.update(status=status.value, **fields)
