"""The user's data as records; see ``docs/app-state.md``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from garabench.core.app_state import StateRecord
from garabench.virtual.apps.jd import content
from garabench.virtual.apps.jd.content import load
from garabench.virtual.kit.framework import Context
from garabench.virtual.kit.state import (
    declared_settings,
    item,
    marks,
    numbered,
    profile,
    searches,
    settings,
    unread,
)


def state(ctx: Context) -> Iterator[StateRecord]:
    """Return the user's data: cart, orders, favourites, addresses, coupons, messages, history, settings."""
    data = ctx.data
    yield from numbered(_cart(data))
    yield from _orders(data)
    yield from marks("favorite", data["favorites"], "收藏了商品“{}”", 'Favourite "{}"', _product)
    yield from marks("follow", data["follows"], "关注了店铺“{}”", 'Follows the shop "{}"', _shop)
    yield from _addresses(data)
    yield from marks("coupon", data["coupons"], "领取了优惠券“{}”", 'Holds the coupon "{}"', _coupon)
    yield from marks(
        "used-coupon", data["spent_coupons"], "使用了优惠券“{}”", 'Used the coupon "{}"', _coupon
    )
    yield from numbered(_messages(data))
    yield from unread(data["unread"])
    yield from profile(data["profile"])
    yield from settings(data["settings"], declared_settings(load, "settings.json"))
    history = (row["product"] for row in data["history"])
    yield from marks("history", history, "浏览过“{}”", 'Viewed "{}"', _product)
    yield from searches(data["searches"])


def _product(product: str) -> str:
    found = content.products().get(product)
    return found.title if found else product


def _shop(shop: str) -> str:
    found = content.shops().get(shop)
    return found.name if found else shop


def _coupon(coupon: str) -> str:
    found = content.coupons().get(coupon)
    return found.title if found else coupon


def _line(row: Mapping[str, Any]) -> str:
    return "，".join((_product(row["product"]), *row["options"])) + f" × {row['count']}"


def _cart(data: Mapping[str, Any]) -> Iterator[StateRecord]:
    for row in data["cart"]:
        options, line = tuple(row["options"]), _line(row)
        yield item(
            "cart-line",
            "|".join((row["product"], *options)),
            f"购物车中有 {line}",
            f"In the cart: {line}",
            options=options,
            count=row["count"],
            checked=row["checked"],
        )


def _orders(data: Mapping[str, Any]) -> Iterator[StateRecord]:
    for row in data["orders"]:
        lines = tuple(map(_line, row["items"]))
        yield item(
            "order",
            row["id"],
            f"订单（{row['status']}）：{'；'.join(lines)}",
            f"Order ({row['status']}): {'; '.join(lines)}",
            shop=row["shop"],
            status=row["status"],
            lines=lines,
            person=row.get("person", ""),
            place=row.get("place", ""),
            note=row.get("note", ""),
            discount=row.get("discount", 0),
            paid_by=row.get("paid_by", ""),
            stars=row.get("stars"),
            review=row.get("review", ""),
            arrival=row["arrival"],
        )


def _addresses(data: Mapping[str, Any]) -> Iterator[StateRecord]:
    for row in data["addresses"]:
        place = f"{row['name']} {row['region']} {row['detail']}"
        fields = {name: value for name, value in row.items() if name != "id"}
        yield item("address", row["id"], f"收货地址：{place}", f"Address: {place}", **fields)


def _messages(data: Mapping[str, Any]) -> Iterator[StateRecord]:
    for shop, rows in data["chats"].items():
        for row in rows:
            text, name = row["text"], _shop(shop)
            if row["own"]:
                zh, en, kind = f"给“{name}”发消息：{text}", f'Message to "{name}": {text}', "message"
            else:
                zh, en, kind = f"“{name}”的消息：{text}", f'Message from "{name}": {text}', "received-message"
            yield item(kind, f"{shop}/{text}", zh, en, shop=shop, text=text)
