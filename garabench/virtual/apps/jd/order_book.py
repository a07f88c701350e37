"""The user's orders in the app's data."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from garabench.virtual.apps.jd import content
from garabench.virtual.apps.jd.content import fold
from garabench.virtual.apps.jd.user_data import JdAddress, JdOrder, JdOrderLine, JdStatus, line_of
from garabench.virtual.kit.server_calls import ServerStore, requires_network

_FIRST_NUMBER = 296_190_000_000
_NUMBER_STEP = 7_919
_UNPAID_FOR = "剩余 23小时59分 自动关闭"


def _order(row: Mapping[str, Any]) -> JdOrder:
    return JdOrder(
        id=row["id"],
        shop=content.shops()[row["shop"]],
        status=JdStatus(row["status"]),
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


class JdOrderBook(ServerStore):
    """Reads and modifies the orders; every method takes effect immediately."""

    def orders(self, status: JdStatus | None = None) -> tuple[JdOrder, ...]:
        """Return the orders of a status, or all; latest first."""
        result = map(_order, self._data["orders"])
        matching = [order for order in result if status is None or order.status is status]
        return tuple(sorted(matching, key=lambda order: order.at, reverse=True))

    def find(self, words: str) -> tuple[JdOrder, ...]:
        """Return orders whose number, shop or products contain the words."""
        wanted = fold(words)

        def fits(order: JdOrder) -> bool:
            names = (order.id, order.shop.name, *(line.product.title for line in order.lines))
            return any(wanted in fold(name) for name in names)

        return tuple(order for order in self.orders() if wanted and fits(order))

    def order(self, number: str) -> JdOrder | None:
        """Return an order by its number."""
        return next((order for order in self.orders() if order.id == number), None)

    @requires_network
    def place(
        self,
        lines: Sequence[JdOrderLine],
        at: dt.datetime,
        address: JdAddress,
        *,
        discount: int = 0,
        note: str = "",
    ) -> tuple[str, ...]:
        """Place one unpaid order per shop.

        Args:
            lines: The lines to order.
            at: The time of the order.
            address: The delivery address.
            discount: Total discount in fen, applied to one order after the other.
            note: Message to the shops.

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
                    "status": JdStatus.UNPAID.value,
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
        used = {row["id"] for row in self._data["orders"]}
        number = _FIRST_NUMBER + _NUMBER_STEP
        while str(number) in used:
            number += _NUMBER_STEP
        return str(number)

    @requires_network
    def pay_on_delivery(self, number: str) -> None:
        """Choose cash on delivery for an order."""
        self._change(
            number,
            status=JdStatus.SENT,
            arrival="货到付款，预计明天18:00前送达",
            paid_by="货到付款",
            carrier="京东快递",
        )

    @requires_network
    def cancel(self, number: str, reason: str) -> None:
        """Cancel an unpaid order."""
        self._change(number, status=JdStatus.CANCELLED, arrival=f"订单已取消：{reason}")

    @requires_network
    def confirm(self, number: str) -> None:
        """Confirm the receipt of an order."""
        self._change(number, status=JdStatus.ARRIVED, arrival="已确认收货")

    @requires_network
    def review(self, number: str, stars: int, text: str) -> None:
        """Save the user's review of an order."""
        self._change(number, status=JdStatus.DONE, arrival="感谢您的评价", stars=stars, review=text)

    @requires_network
    def request_return(self, number: str, reason: str) -> None:
        """Request a return."""
        self._change(number, status=JdStatus.RETURNING, arrival=f"退货申请已提交：{reason}")

    @requires_network
    def delete(self, number: str) -> None:
        """Delete an order from the list."""
        self._data["orders"] = [row for row in self._data["orders"] if row["id"] != number]

    def review_of(self, number: str) -> tuple[int, str] | None:
        """Return stars and text of the user's review, if there is one."""
        for row in self._data["orders"]:
            if row["id"] == number and "stars" in row:
                return row["stars"], row["review"]
        return None

    def _change(self, number: str, *, status: JdStatus, **fields: object) -> None:
        for row in self._data["orders"]:
            if row["id"] == number:
                row.update(status=status.value, **fields)
