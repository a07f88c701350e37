"""The user's data as records; see ``docs/app-state.md``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from garabench.core.app_state import StateRecord
from garabench.virtual.apps.ctrip.content import load
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

NOT_OFFERED = {
    "ordered": "a counter of ids",
    "made": "a counter of ids",
    "saved_traveller": "the traveller that a form shows first",
}
"""Data without records, with the reason."""


def state(ctx: Context) -> Iterator[StateRecord]:
    """Return the user's data: orders, travellers, addresses, favourites, messages, history and settings."""
    data = ctx.data
    yield from _orders(data)
    yield from _people(data)
    yield from _favorites(data)
    yield from marks("coupon", data["coupons"], "领取了优惠券 {}", "Holds the coupon {}")
    yield from marks("like", data["likes"], "点赞了笔记 {}", "Liked the note {}")
    yield from numbered(_messages(data))
    yield from unread(data["unread"])
    yield from profile(data["profile"])
    yield from settings(data["settings"], declared_settings(load, "settings.json"))
    history = (f"{row['kind']}:{row['name']}" for row in data["history"])
    yield from marks("history", history, "浏览过 {}", "Viewed {}")
    yield from searches(data["searches"])


def _orders(data: Mapping[str, Any]) -> Iterator[StateRecord]:
    for row in data["orders"]:
        yield item(
            "order",
            row["id"],
            f"订单（{row['status']}）：{row['title']}，{row['when']}",
            f"Order ({row['status']}): {row['title']}, {row['when']}",
            kind_of_order=row["kind"],
            title=row["title"],
            when=row["when"],
            start=row["start"],
            facts=tuple(f"{name}：{value}" for name, value in row["facts"]),
            total=row["total"],
            status=row["status"],
            product=row.get("product", ""),
        )


def _people(data: Mapping[str, Any]) -> Iterator[StateRecord]:
    for kind, name, zh, en in (
        ("traveller", "travellers", "出行人", "Traveller"),
        ("address", "addresses", "邮寄地址", "Mailing address"),
    ):
        for row in data[name]:
            fields = {key: value for key, value in row.items() if key not in ("id", "kind")}
            fields["type"] = row.get("kind")
            yield item(kind, row["id"], f"{zh}：{row['name']}", f"{en}: {row['name']}", **fields)


def _favorites(data: Mapping[str, Any]) -> Iterator[StateRecord]:
    for kind, names in data["favorites"].items():
        objects = (f"{kind}:{name}" for name in names)
        yield from marks("favorite", objects, "收藏了 {}", "Favourite {}")


def _messages(data: Mapping[str, Any]) -> Iterator[StateRecord]:
    for chat, rows in data["chats"].items():
        for row in rows:
            text = row["text"]
            if row["own"]:
                zh, en, kind = f"给 {chat} 发消息：{text}", f"Message to {chat}: {text}", "message"
            else:
                zh, en, kind = f"{chat} 的消息：{text}", f"Message from {chat}: {text}", "received-message"
            yield item(kind, f"{chat}/{text}", zh, en, chat=chat, text=text)
