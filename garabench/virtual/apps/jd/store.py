"""The user's persistent state: cart, favourites, follows, history, addresses, coupons, chats, settings.

It lives in ``Context.data`` as JSON-like values, so it survives leaving the app and a force-stop.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from garabench.virtual.apps.jd import content
from garabench.virtual.apps.jd.content import JdCoupon, JdProduct, Shop, load
from garabench.virtual.apps.jd.order_book import JdOrderBook
from garabench.virtual.apps.jd.user_data import JdAddress, JdMessage, JdOrderLine, JdVisit, line_of
from garabench.virtual.kit.server_calls import NetworkCheck, ServerStore, always_online, requires_network

MAX_HISTORY = 200
MAX_SEARCHES = 12
MAX_QUANTITY = 200
MAX_CART = 120


def initial_data() -> dict[str, Any]:
    """Return the app's initial data: an account with some history."""
    account: dict[str, Any] = load("account.json")
    return account


class JdStore(ServerStore):
    """Reads and modifies the app's data; every method takes effect immediately."""

    def __init__(self, data: dict[str, Any], reach: NetworkCheck = always_online) -> None:
        super().__init__(data, reach)
        self.book = JdOrderBook(data, reach)

    # Cart

    def cart(self) -> tuple[JdOrderLine, ...]:
        """Return all lines, latest first."""
        return tuple(map(line_of, self._data["cart"]))

    def _write_cart(self, lines: Sequence[JdOrderLine]) -> None:
        self._data["cart"] = [line.row() | {"checked": line.checked} for line in lines]

    @requires_network
    def add_to_cart(self, product: JdProduct, options: Sequence[str], count: int) -> bool:
        """Add units to the cart; return False if it is full."""
        new = JdOrderLine(product, tuple(options), count)
        lines = self.cart()
        same = next((line for line in lines if line.key == new.key), None)
        if same is None and len(lines) >= MAX_CART:
            return False
        existing = same.count if same else 0
        new = replace(new, count=min(MAX_QUANTITY, existing + count))
        self._write_cart([new, *(line for line in lines if line.key != new.key)])
        return True

    @requires_network
    def change_line(self, key: str, *, count: int | None = None, checked: bool | None = None) -> None:
        """Change a line's quantity or check mark."""
        self._write_cart(
            [
                line
                if line.key != key
                else replace(
                    line,
                    count=line.count if count is None else max(1, min(MAX_QUANTITY, count)),
                    checked=line.checked if checked is None else checked,
                )
                for line in self.cart()
            ]
        )

    @requires_network
    def check_lines(self, keys: frozenset[str], checked: bool) -> None:
        """Check or uncheck several lines."""
        self._write_cart(
            [replace(line, checked=checked) if line.key in keys else line for line in self.cart()]
        )

    @requires_network
    def change_spec(self, key: str, options: Sequence[str], count: int) -> None:
        """Change a line's options; it is merged with a line that has them already."""
        lines = list(self.cart())
        at = next((place for place, line in enumerate(lines) if line.key == key), None)
        if at is None:
            return
        changed = replace(lines[at], options=tuple(options), count=max(1, min(MAX_QUANTITY, count)))
        others = [line for line in lines if line.key not in (key, changed.key)]
        self._write_cart([*others[:at], changed, *others[at:]])

    @requires_network
    def delete_lines(self, keys: frozenset[str]) -> None:
        """Remove lines from the cart."""
        self._write_cart([line for line in self.cart() if line.key not in keys])

    @property
    def pieces(self) -> int:
        """The number of units in the cart."""
        return sum(line.count for line in self.cart())

    # Favourites, follows, history, searches

    def favorites(self) -> tuple[JdProduct, ...]:
        """Return the favourite products, latest first."""
        return content.pick(self._data["favorites"])

    def is_favorite(self, product: JdProduct) -> bool:
        """Return whether a product is a favourite."""
        return product.id in self._data["favorites"]

    @requires_network
    def set_favorite(self, product: JdProduct, wanted: bool) -> None:
        """Add or remove a favourite."""
        self._put("favorites", product.id, wanted)

    def follows(self) -> tuple[Shop, ...]:
        """Return the shops that the user follows, latest first."""
        return tuple(content.shops()[name] for name in self._data["follows"])

    def is_followed(self, shop: Shop) -> bool:
        """Return whether the user follows a shop."""
        return shop.id in self._data["follows"]

    @requires_network
    def set_followed(self, shop: Shop, wanted: bool) -> None:
        """Follow or unfollow a shop."""
        self._put("follows", shop.id, wanted)

    def history(self) -> tuple[JdVisit, ...]:
        """Return the browsing history, latest first."""
        found = content.products()
        return tuple(
            JdVisit(found[row["product"]], dt.datetime.fromisoformat(row["at"]))
            for row in self._data["history"]
            if row["product"] in found
        )

    def visit(self, product: JdProduct, at: dt.datetime) -> None:
        """Add a viewed product to the history, unless the history is turned off."""
        if not self.setting("hide_history", True):
            return
        self.remove_from_history(frozenset({product.id}))
        self._data["history"].insert(0, {"product": product.id, "at": at.isoformat()})
        del self._data["history"][MAX_HISTORY:]

    def remove_from_history(self, products: frozenset[str]) -> None:
        """Remove products from the history."""
        self._data["history"] = [row for row in self._data["history"] if row["product"] not in products]

    def clear_history(self) -> None:
        """Clear the history."""
        self._data["history"] = []

    def searches(self) -> tuple[str, ...]:
        """Return recent searches, latest first."""
        return tuple(self._data["searches"])

    def add_search(self, query: str) -> None:
        """Add a query to the recent searches."""
        others = [text for text in self._data["searches"] if text != query]
        self._data["searches"] = [query, *others][:MAX_SEARCHES]

    def clear_searches(self) -> None:
        """Clear the recent searches."""
        self._data["searches"] = []

    # Addresses

    def addresses(self) -> tuple[JdAddress, ...]:
        """Return all addresses, the default one first."""
        result = [JdAddress(**row) for row in self._data["addresses"]]
        return tuple(sorted(result, key=lambda address: not address.default))

    def address(self, address_id: str) -> JdAddress | None:
        """Return an address by its id."""
        return next((address for address in self.addresses() if address.id == address_id), None)

    @property
    def default_address(self) -> JdAddress | None:
        """The default delivery address."""
        return next(iter(self.addresses()), None)

    @requires_network
    def save_address(self, address: JdAddress) -> None:
        """Add an address, or update the one with its id; at most one is the default."""
        rows = [row for row in self._data["addresses"] if row["id"] != address.id]
        if not rows:
            address = replace(address, default=True)
        if address.default:
            for row in rows:
                row["default"] = False
        places = [row["id"] for row in self._data["addresses"]]
        at = places.index(address.id) if address.id in places else len(rows)
        fields = ("id", "name", "phone", "region", "detail", "tag", "default")
        rows.insert(at, {name: getattr(address, name) for name in fields})
        self._data["addresses"] = rows

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

    # Coupons

    def coupons(self, kind: str) -> tuple[JdCoupon, ...]:
        """Return the coupons of a kind: ``owned``, ``used``, ``expired``, or ``center`` (all available)."""
        every = content.coupons()
        if kind == "owned":
            return tuple(every[name] for name in self._data["coupons"])
        spent = self._data["spent_coupons"]
        if kind == "used":
            old = [coupon for coupon in every.values() if coupon.kind == kind]
            return (*(every[name] for name in spent), *old)
        return tuple(coupon for coupon in every.values() if coupon.kind == kind and coupon.id not in spent)

    def use_coupon(self, coupon: JdCoupon) -> None:
        """Use up a coupon."""
        self._put("coupons", coupon.id, False)
        self._put("spent_coupons", coupon.id, True)

    def has_coupon(self, coupon: JdCoupon) -> bool:
        """Return whether the user holds a coupon."""
        return coupon.id in self._data["coupons"]

    @requires_network
    def claim(self, coupon: JdCoupon) -> None:
        """Claim a coupon."""
        self._put("coupons", coupon.id, True)

    # Messages and settings

    def chats(self) -> tuple[Shop, ...]:
        """Return the shops that the user has chatted with, latest first."""
        rows: dict[str, list[dict[str, Any]]] = self._data["chats"]
        order = sorted((name for name in rows if rows[name]), key=lambda name: rows[name][-1]["at"])
        return tuple(content.shops()[name] for name in reversed(order))

    def messages(self, shop: Shop) -> tuple[JdMessage, ...]:
        """Return the messages of a chat, in order."""
        rows = self._data["chats"].get(shop.id, ())
        return tuple(JdMessage(row["own"], row["text"], dt.datetime.fromisoformat(row["at"])) for row in rows)

    def add_message(self, shop: Shop, text: str, at: dt.datetime, *, own: bool) -> None:
        """Add a message."""
        row = {"own": own, "text": text, "at": at.isoformat()}
        self._data["chats"].setdefault(shop.id, []).append(row)

    def delete_chat(self, shop: Shop) -> None:
        """Delete the chat with a shop."""
        self._data["chats"].pop(shop.id, None)

    def unread(self, name: str) -> int:
        """Return the number of unread messages of a shop or a kind of notice."""
        return int(self._data["unread"].get(name, 0))

    @property
    def unread_total(self) -> int:
        """The number of unread messages."""
        return sum(self._data["unread"].values())

    def mark_read(self, name: str = "") -> None:
        """Mark the messages of a shop or a kind as read, or all."""
        if name:
            self._data["unread"].pop(name, None)
        else:
            self._data["unread"] = {}

    @requires_network
    def set_profile(self, name: str, value: str) -> None:
        """Change the user's profile."""
        self._data["profile"][name] = value

    @property
    def profile(self) -> Mapping[str, Any]:
        """The user's name, beans and membership."""
        profile: Mapping[str, Any] = self._data["profile"]
        return profile

    def setting(self, key: str, default: Any) -> Any:
        """Return a setting's value, or its default."""
        return self._data["settings"].get(key, default)

    def set_setting(self, key: str, value: Any) -> None:
        """Change a setting."""
        self._data["settings"][key] = value

    def _put(self, name: str, item: str, wanted: bool) -> None:
        """Add the item to the front of the named list, or remove it."""
        others = [other for other in self._data[name] if other != item]
        self._data[name] = [item, *others] if wanted else others
