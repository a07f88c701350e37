"""The user's persistent state: cart, lists, history, addresses, payments, settings.

It lives in ``Context.data`` as JSON-like values, so it survives leaving the app and a force-stop.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from garabench.virtual.apps.amazon import content
from garabench.virtual.apps.amazon.content import AmazonProduct
from garabench.virtual.apps.amazon.order_book import AmazonOrderBook
from garabench.virtual.apps.amazon.user_data import AmazonAddress, AmazonOrderLine, Payment, WishList, line_of
from garabench.virtual.kit.server_calls import NetworkCheck, ServerStore, always_online, requires_network

MAX_QUANTITY = 30
MAX_HISTORY = 100
MAX_SEARCHES = 10


def initial_data() -> dict[str, Any]:
    """Return the app's initial data: an account with some history."""
    account: dict[str, Any] = copy.deepcopy(content.load("account"))
    places = {row["id"]: AmazonAddress(**row) for row in account["addresses"]}
    payments = {row["id"]: row["label"] for row in account["payments"]}
    for row in account["orders"]:  # an order stores its address and payment, even if they change later
        address = places[row.pop("address")]
        row |= {"person": address.name, "place": address.place, "paid_by": payments[row.pop("payment")]}
    return account


class AmazonStore(ServerStore):
    """Reads and modifies the app's data; every method takes effect immediately."""

    def __init__(self, data: dict[str, Any], reach: NetworkCheck = always_online) -> None:
        super().__init__(data, reach)
        self.book = AmazonOrderBook(data, reach)

    @property
    def profile(self) -> Mapping[str, Any]:
        """The user's name, e-mail, phone number and gift card balance."""
        profile: Mapping[str, Any] = self._data["profile"]
        return profile

    @requires_network
    def set_profile(self, key: str, value: str) -> None:
        """Change the user's profile."""
        self._data["profile"][key] = value

    # Cart

    def cart(self) -> tuple[AmazonOrderLine, ...]:
        """Return all lines, latest first."""
        return tuple(map(line_of, self._data["cart"]))

    def saved(self) -> tuple[AmazonOrderLine, ...]:
        """Return the lines saved for later, latest first."""
        return tuple(map(line_of, self._data["saved"]))

    def _write(self, name: str, lines: Sequence[AmazonOrderLine]) -> None:
        self._data[name] = [line.row() | {"selected": line.selected} for line in lines]

    @requires_network
    def add_to_cart(self, product: AmazonProduct, options: Sequence[str], count: int) -> None:
        """Add units to the cart."""
        new = AmazonOrderLine(product, tuple(options), count)
        existing = next((line.count for line in self.cart() if line.key == new.key), 0)
        new = replace(new, count=min(MAX_QUANTITY, existing + count))
        self._write("cart", [new, *(line for line in self.cart() if line.key != new.key)])

    @requires_network
    def change_line(self, key: str, *, count: int | None = None, selected: bool | None = None) -> None:
        """Change a line's quantity or check mark."""
        lines = []
        for line in self.cart():
            if line.key == key:
                line = replace(
                    line,
                    count=line.count if count is None else max(1, min(MAX_QUANTITY, count)),
                    selected=line.selected if selected is None else selected,
                )
            lines.append(line)
        self._write("cart", lines)

    @requires_network
    def select_all(self, selected: bool) -> None:
        """Check or uncheck all lines."""
        self._write("cart", [replace(line, selected=selected) for line in self.cart()])

    @requires_network
    def delete_line(self, key: str) -> None:
        """Delete a line of the cart."""
        self._write("cart", [line for line in self.cart() if line.key != key])

    @requires_network
    def delete_selected(self) -> None:
        """Delete the selected lines after an order."""
        self._write("cart", [line for line in self.cart() if not line.selected])

    @requires_network
    def save_for_later(self, key: str) -> None:
        """Move a line from the cart to the saved lines."""
        moved = [line for line in self.cart() if line.key == key]
        self._write("saved", [*moved, *(line for line in self.saved() if line.key != key)])
        self.delete_line(key)

    @requires_network
    def move_to_cart(self, key: str) -> None:
        """Move a saved line to the cart."""
        for line in self.saved():
            if line.key == key:
                self.add_to_cart(line.product, line.options, line.count)
        self.delete_saved(key)

    @requires_network
    def delete_saved(self, key: str) -> None:
        """Delete a saved line."""
        self._write("saved", [line for line in self.saved() if line.key != key])

    @property
    def pieces(self) -> int:
        """The number of units in the cart."""
        return sum(line.count for line in self.cart())

    # Lists

    def lists(self) -> tuple[WishList, ...]:
        """Return all lists, in the order of creation."""
        return tuple(
            WishList(row["id"], row["name"], row["private"], content.pick(row["items"]))
            for row in self._data["lists"]
        )

    def wish_list(self, list_id: str) -> WishList | None:
        """Return a list by its id."""
        return next((wish_list for wish_list in self.lists() if wish_list.id == list_id), None)

    @property
    def default_list(self) -> str:
        """Id of the default list; empty without one."""
        return str(self._data["default_list"])

    @requires_network
    def set_default_list(self, list_id: str) -> None:
        """Make a list the default."""
        self._data["default_list"] = list_id

    def lists_of(self, product: AmazonProduct) -> tuple[WishList, ...]:
        """Return the lists that contain a product."""
        return tuple(wish_list for wish_list in self.lists() if product in wish_list.items)

    @requires_network
    def create_list(self, name: str, private: bool) -> str:
        """Create an empty list and return its id."""
        used = {row["id"] for row in self._data["lists"]}
        list_id = next(new for number in range(len(used) + 1) if (new := f"own-{number}") not in used)
        self._data["lists"].append({"id": list_id, "name": name, "private": private, "items": []})
        self._data["default_list"] = self._data["default_list"] or list_id
        return list_id

    @requires_network
    def edit_list(self, list_id: str, *, name: str, private: bool) -> None:
        """Change a list's name and visibility."""
        for row in self._data["lists"]:
            if row["id"] == list_id:
                row |= {"name": name, "private": private}

    @requires_network
    def delete_list(self, list_id: str) -> None:
        """Delete a list with its items."""
        rows = [row for row in self._data["lists"] if row["id"] != list_id]
        self._data["lists"] = rows
        if self._data["default_list"] == list_id:
            self._data["default_list"] = rows[0]["id"] if rows else ""

    @requires_network
    def set_on_list(self, list_id: str, product: AmazonProduct, wanted: bool = True) -> None:
        """Add a product to the front of a list, or remove it."""
        for row in self._data["lists"]:
            if row["id"] == list_id:
                others = [name for name in row["items"] if name != product.id]
                row["items"] = [product.id, *others] if wanted else others

    # History and searches

    def history(self) -> tuple[AmazonProduct, ...]:
        """Return the browsing history, latest first."""
        return content.pick(self._data["history"])

    def visit(self, product: AmazonProduct) -> None:
        """Add a viewed product to the history, unless the history is turned off."""
        if self.setting("history_on", True):
            others = [name for name in self._data["history"] if name != product.id]
            self._data["history"] = [product.id, *others][:MAX_HISTORY]

    def remove_from_history(self, product: AmazonProduct | None = None) -> None:
        """Remove a product, or all, from the history."""
        rows = self._data["history"]
        self._data["history"] = [name for name in rows if product is not None and name != product.id]

    def searches(self) -> tuple[str, ...]:
        """Return recent searches, latest first."""
        return tuple(self._data["searches"])

    def add_search(self, query: str) -> None:
        """Add a query to the recent searches."""
        others = [text for text in self._data["searches"] if text != query]
        self._data["searches"] = [query, *others][:MAX_SEARCHES]

    def delete_search(self, query: str) -> None:
        """Delete a recent search."""
        self._data["searches"] = [text for text in self._data["searches"] if text != query]

    # Addresses and payments

    def addresses(self) -> tuple[AmazonAddress, ...]:
        """Return all addresses, the default one first."""
        addresses = [AmazonAddress(**row) for row in self._data["addresses"]]
        return tuple(sorted(addresses, key=lambda address: not address.default))

    def address(self, address_id: str) -> AmazonAddress | None:
        """Return an address by its id."""
        return next((address for address in self.addresses() if address.id == address_id), None)

    @requires_network
    def save_address(self, address: AmazonAddress) -> None:
        """Add an address above the others, or update the one with its id; at most one is the default."""
        rows = self._data["addresses"]
        address = replace(address, default=address.default or not rows)
        if address.default:
            for row in rows:
                row["default"] = False
        places = [row["id"] for row in rows]
        if address.id in places:
            rows[places.index(address.id)] = asdict(address)
        else:
            rows.insert(0, asdict(address))

    @requires_network
    def set_default_address(self, address_id: str) -> None:
        """Make an address the default."""
        for row in self._data["addresses"]:
            row["default"] = row["id"] == address_id

    @requires_network
    def delete_address(self, address_id: str) -> None:
        """Delete an address; if it was the default, the first of the others takes its place."""
        rows = [row for row in self._data["addresses"] if row["id"] != address_id]
        if rows and not any(row["default"] for row in rows):
            rows[0]["default"] = True
        self._data["addresses"] = rows

    def new_address_id(self) -> str:
        """Return an unused id for an address."""
        used = {row["id"] for row in self._data["addresses"]}
        return next(name for number in range(len(used) + 1) if (name := f"own-{number}") not in used)

    def payments(self) -> tuple[Payment, ...]:
        """Return all payment methods."""
        return tuple(Payment(**row) for row in self._data["payments"])

    @property
    def payment(self) -> Payment:
        """The default payment method."""
        chosen = self._data["payment"]
        return next(payment for payment in self.payments() if payment.id == chosen)

    @requires_network
    def set_payment(self, payment_id: str) -> None:
        """Make a payment method the default."""
        self._data["payment"] = payment_id

    # Settings

    def setting(self, key: str, default: Any) -> Any:
        """Return a setting's value, or its default."""
        return self._data["settings"].get(key, default)

    def set_setting(self, key: str, value: Any) -> None:
        """Change a setting."""
        self._data["settings"][key] = value
