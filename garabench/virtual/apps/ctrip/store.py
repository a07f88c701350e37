"""The user's persistent state: orders, travellers, favourites, history, coupons, messages, settings.

It lives in ``Context.data`` as JSON-like values, so it survives leaving the app and a force-stop.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
from typing import Any

from garabench.virtual.apps.ctrip.content import load
from garabench.virtual.apps.ctrip.user_data import (
    CtripAddress,
    CtripOrder,
    CtripStatus,
    CtripVisit,
    Traveller,
    order_of,
)
from garabench.virtual.kit.server_calls import ServerStore, requires_network

MAX_HISTORY = 100
MAX_SEARCHES = 10


def initial_data() -> dict[str, Any]:
    """Return the app's initial data: an account with some history."""
    account: dict[str, Any] = load("account.json")
    return account


class CtripStore(ServerStore):
    """Reads and modifies the app's data; every method takes effect immediately."""

    @property
    def profile(self) -> dict[str, Any]:
        """The user's name, number and level."""
        profile: dict[str, Any] = self._data["profile"]
        return profile

    # Orders

    def orders(self) -> tuple[CtripOrder, ...]:
        """All orders, latest first."""
        return tuple(map(order_of, self._data["orders"]))

    def order(self, name: str) -> CtripOrder | None:
        """Return an order by its number."""
        return next((order for order in self.orders() if order.id == name), None)

    @requires_network
    def place(self, order: CtripOrder) -> CtripOrder:
        """Add an order under a new number."""
        number = str(30_291_550_000 + 137 * self._data["ordered"])
        self._data["ordered"] += 1
        placed = dataclasses.replace(order, id=number)
        self._data["orders"].insert(0, placed.row())
        return placed

    @requires_network
    def set_status(self, name: str, status: CtripStatus) -> None:
        """Set the status of an order."""
        for row in self._data["orders"]:
            if row["id"] == name:
                row["status"] = status.value

    @requires_network
    def cancel(self, name: str, reason: str) -> None:
        """Cancel an order with a reason."""
        self.set_status(name, CtripStatus.CANCELLED)
        for row in self._data["orders"]:
            if row["id"] == name:
                row["facts"].append(["取消原因", reason])

    @requires_network
    def delete_order(self, name: str) -> None:
        """Delete an order from the list."""
        self._data["orders"] = [row for row in self._data["orders"] if row["id"] != name]

    # Travellers and addresses

    def travellers(self) -> tuple[Traveller, ...]:
        """All travellers, in order."""
        return tuple(Traveller(**row) for row in self._data["travellers"])

    @requires_network
    def save_traveller(self, traveller: Traveller) -> Traveller:
        """Add a traveller (if it has no id) at the front, or update one."""
        saved = dataclasses.replace(traveller, id=traveller.id or self._number("traveller"))
        self._data["saved_traveller"] = saved.id
        self._save("travellers", dataclasses.asdict(saved))
        return saved

    def saved_last(self, traveller: Traveller) -> bool:
        """Return whether it is the traveller saved last."""
        return bool(self._data.get("saved_traveller") == traveller.id)

    @requires_network
    def delete_traveller(self, name: str) -> None:
        """Delete a traveller."""
        self._delete("travellers", name)

    def addresses(self) -> tuple[CtripAddress, ...]:
        """All addresses, in order."""
        return tuple(CtripAddress(**row) for row in self._data["addresses"])

    @requires_network
    def save_address(self, address: CtripAddress) -> None:
        """Add an address (if it has no id), or update one; at most one is the default."""
        saved = dataclasses.replace(address, id=address.id or self._number("address"))
        if saved.default:
            for row in self._data["addresses"]:
                row["default"] = False
        self._save("addresses", dataclasses.asdict(saved))

    @requires_network
    def delete_address(self, name: str) -> None:
        """Delete an address."""
        self._delete("addresses", name)

    def _number(self, kind: str) -> str:
        self._data["made"] += 1
        return f"{kind}-{self._data['made']}"

    def _save(self, name: str, row: dict[str, Any]) -> None:
        rows: list[dict[str, Any]] = self._data[name]
        for place, old in enumerate(rows):
            if old["id"] == row["id"]:
                rows[place] = row
                return
        rows.insert(0, row)

    def _delete(self, name: str, wanted: str) -> None:
        self._data[name] = [row for row in self._data[name] if row["id"] != wanted]

    # Favourites, history, searches

    def favorites(self, kind: str) -> tuple[str, ...]:
        """Return the ids of the favourites of a kind, latest first."""
        return tuple(self._data["favorites"].get(kind, ()))

    @requires_network
    def set_favorite(self, kind: str, name: str, wanted: bool) -> None:
        """Add or remove a favourite."""
        others = [other for other in self._data["favorites"].get(kind, ()) if other != name]
        self._data["favorites"][kind] = [name, *others] if wanted else others

    def is_favorite(self, kind: str, name: str) -> bool:
        """Return whether an item is a favourite."""
        return name in self._data["favorites"].get(kind, ())

    def history(self) -> tuple[CtripVisit, ...]:
        """The viewed items, latest first."""
        return tuple(
            CtripVisit(row["kind"], row["name"], dt.datetime.fromisoformat(row["at"]))
            for row in self._data["history"]
        )

    def visit(self, kind: str, name: str, at: dt.datetime) -> None:
        """Add a viewed item to the history, unless the user has turned it off."""
        if not self.setting("keep_history", True):
            return
        self.remove_from_history(kind, name)
        self._data["history"].insert(0, {"kind": kind, "name": name, "at": at.isoformat()})
        del self._data["history"][MAX_HISTORY:]

    def remove_from_history(self, kind: str, name: str) -> None:
        """Remove an item from the history."""
        rows = self._data["history"]
        self._data["history"] = [row for row in rows if (row["kind"], row["name"]) != (kind, name)]

    def clear_history(self) -> None:
        """Clear the history."""
        self._data["history"] = []

    def searches(self) -> tuple[str, ...]:
        """Return recent searches, latest first."""
        return tuple(self._data["searches"])

    def add_search(self, query: str) -> None:
        """Add a query to the recent searches."""
        others = [other for other in self._data["searches"] if other != query]
        self._data["searches"] = [query, *others][:MAX_SEARCHES]

    def clear_searches(self) -> None:
        """Clear the recent searches."""
        self._data["searches"] = []

    # Coupons, messages, settings

    def has_coupon(self, name: str) -> bool:
        """Whether the user holds a coupon."""
        return name in self._data["coupons"]

    @requires_network
    def claim(self, name: str) -> None:
        """Claim a coupon."""
        if name not in self._data["coupons"]:
            self._data["coupons"].insert(0, name)

    def likes(self, name: str) -> bool:
        """Return whether the user likes a community note."""
        return name in self._data["likes"]

    @requires_network
    def set_like(self, name: str, wanted: bool) -> None:
        """Like or unlike a community note."""
        others = [other for other in self._data["likes"] if other != name]
        self._data["likes"] = [name, *others] if wanted else others

    def unread(self, name: str) -> int:
        """Return the number of unread messages of a kind."""
        return int(self._data["unread"].get(name, 0))

    @property
    def unread_total(self) -> int:
        """The number of unread messages."""
        return sum(self._data["unread"].values())

    def mark_read(self, name: str = "") -> None:
        """Mark the messages of a kind as read, or all."""
        if name:
            self._data["unread"].pop(name, None)
        else:
            self._data["unread"] = {}

    def chat_messages(self, name: str) -> tuple[tuple[bool, str], ...]:
        """Return the messages of a chat: (whether the user sent it, text)."""
        return tuple((row["own"], row["text"]) for row in self._data["chats"].get(name, ()))

    def add_message(self, name: str, text: str, *, own: bool) -> None:
        """Add a message to a chat."""
        self._data["chats"].setdefault(name, []).append({"own": own, "text": text})

    def setting(self, key: str, default: Any) -> Any:
        """Return a setting's value, or its default."""
        return self._data["settings"].get(key, default)

    def set_setting(self, key: str, value: Any) -> None:
        """Change a setting."""
        self._data["settings"][key] = value
