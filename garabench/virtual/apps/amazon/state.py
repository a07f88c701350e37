"""The user's data as records; see ``docs/app-state.md``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from garabench.core.app_state import StateRecord
from garabench.virtual.apps.amazon import content
from garabench.virtual.kit.framework import Context
from garabench.virtual.kit.state import (
    declared_settings,
    item,
    marks,
    numbered,
    profile,
    searches,
    settings,
)


def state(ctx: Context) -> Iterator[StateRecord]:
    """Return the user's data: cart, saved lines, lists, orders, addresses, payments, history and settings."""
    data = ctx.data
    yield from numbered(_lines("cart-line", data["cart"], "购物车中有", "In the cart"))
    yield from numbered(_lines("saved-line", data["saved"], "稍后购买", "Saved for later"))
    yield from _lists(data)
    yield from _orders(data)
    yield from _account(data)
    yield from profile(data["profile"])
    stored = dict(data["settings"])
    yield from numbered(_questions(stored.pop("asked", {})))
    yield from settings(stored, declared_settings(content.load, "settings"))
    yield from marks("history", data["history"], "浏览过“{}”", 'Viewed "{}"', _title)
    yield from searches(data["searches"])


def _title(product: str) -> str:
    found = content.products().get(product)
    return found.title if found else product


def _line(row: Mapping[str, Any]) -> str:
    return ", ".join((_title(row["product"]), *row["options"])) + f" × {row['count']}"


def _lines(kind: str, rows: list[dict[str, Any]], zh: str, en: str) -> Iterator[StateRecord]:
    for row in rows:
        yield item(
            kind,
            "|".join((row["product"], *row["options"])),
            f"{zh} {_line(row)}",
            f"{en}: {_line(row)}",
            options=tuple(row["options"]),
            count=row["count"],
            selected=row.get("selected", True),
        )


def _lists(data: Mapping[str, Any]) -> Iterator[StateRecord]:
    for row in data["lists"]:
        name, private = row["name"], bool(row["private"])
        default = row["id"] == data["default_list"]
        yield item(
            "list", row["id"], f"清单“{name}”", f'List "{name}"', name=name, private=private, default=default
        )
        for product in row["items"]:
            title = _title(product)
            zh, en = f"清单“{name}”中有“{title}”", f'"{title}" is on the list "{name}"'
            yield item("list-item", f"{row['id']}/{product}", zh, en, list=name, title=title)


def _order_names(data: Mapping[str, Any]) -> dict[str, str]:
    """Return what identifies each order by its number.

    The number of an order that the user places depends on the time, so such orders are counted instead.
    """
    known = {row["id"] for row in content.load("account")["orders"]}
    own = [
        row["id"] for row in reversed(data["orders"]) if row["id"] not in known
    ]  # newest first in the data
    return {name: name for name in known} | {name: f"own-{n}" for n, name in enumerate(own, start=1)}


def _orders(data: Mapping[str, Any]) -> Iterator[StateRecord]:
    names = _order_names(data)
    for row in data["orders"]:
        lines = tuple(map(_line, row["lines"]))
        yield item(
            "order",
            names[row["id"]],
            f"订单（{row['status']}）：{'；'.join(lines)}",
            f"Order ({row['status']}): {'; '.join(lines)}",
            status=row["status"],
            lines=lines,
            person=row["person"],
            place=row["place"],
            paid_by=row["paid_by"],
            shipping=row["shipping"],
            reason=row.get("reason", ""),
            refund=row.get("refund", ""),
            drop_off=row.get("drop_off", ""),
            gift=row.get("gift", False),
        )
    archived = (names.get(name, name) for name in data["archived"])
    yield from marks("archived-order", archived, "归档了订单 {}", "Archived the order {}")


def _questions(asked: Mapping[str, list[str]]) -> Iterator[StateRecord]:
    for product, questions in asked.items():
        for text in questions:
            title = _title(product)
            zh, en = f"就“{title}”提问：{text}", f'Asked about "{title}": {text}'
            yield item("question", f"{product}/{text}", zh, en, product=product, text=text)


def _account(data: Mapping[str, Any]) -> Iterator[StateRecord]:
    for row in data["addresses"]:
        place = f"{row['name']}, {row['street']}, {row['city']}"
        fields = {name: value for name, value in row.items() if name != "id"}
        yield item("address", row["id"], f"收货地址：{place}", f"Address: {place}", **fields)
    for row in data["payments"]:
        default = row["id"] == data["payment"]
        zh, en = f"支付方式：{row['label']}", f"Payment method: {row['label']}"
        yield item(
            "payment-method", row["id"], zh, en, label=row["label"], expires=row["expires"], default=default
        )
