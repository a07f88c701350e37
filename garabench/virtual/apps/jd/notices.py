"""Notices, by kind."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from functools import partial
from typing import Any

from garabench.virtual.apps.jd import names
from garabench.virtual.apps.jd.content import load
from garabench.virtual.apps.jd.page import JdPage
from garabench.virtual.apps.jd.theme import BLUE, GREEN, INK, INK_2, INK_3, ORANGE, RED, card, message_page
from garabench.virtual.ui.widgets import (
    MATCH,
    Box,
    Column,
    Handler,
    Icon,
    ListView,
    Row,
    Text,
    Widget,
    insets,
    spacer,
)

KINDS = (
    ("交易物流", "truck_outline", BLUE),
    ("优惠促销", "ticket_percent_outline", RED),
    ("客服消息", "headset", GREEN),
    ("互动消息", "heart", ORANGE),
)


def notices(kind: str) -> tuple[Mapping[str, Any], ...]:
    """Return the notices of a kind, latest first."""
    rows = load("notices.json").get(kind, ())
    return tuple(sorted(rows, key=lambda row: str(row["at"]), reverse=True))


class JdMessageBoxActivity(JdPage):
    """Notices of one kind."""

    def on_create(self) -> None:
        """Open the kind from the intent and mark it as read."""
        self.kind = str(self.intent.extras.get("kind", KINDS[0][0]))
        self.store.mark_read(self.kind)

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar(self.kind)

    def follows(self, target: str) -> Handler:
        """Return a handler that opens the target of a notice."""
        what, _, name = target.partition(":")
        match what:
            case "order":
                return partial(self.ctx.open, names.ORDER, order=name)
            case "product":
                return partial(names.open_product, self.ctx, name)
            case "coupons":
                return partial(self.ctx.open, names.COUPONS)
            case "center":
                return partial(self.ctx.open, names.COUPON_CENTER)
            case _:
                return partial(self.ctx.open, names.ORDERS, tab="待评价")

    def content(self) -> Widget:
        """Return the notices."""
        rows = notices(self.kind)
        if not rows:
            return message_page("bell", "暂无消息")
        return ListView(
            id="notice_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            items=rows,
            build=lambda row, place: self._notice(row, place),
        )

    def _notice(self, row: Mapping[str, Any], place: int) -> Widget:
        at = dt.datetime.fromisoformat(row["at"])
        return Box(
            key=f"notice-{place}",
            width=MATCH,
            children=(
                card(
                    Column(
                        id="notice_item",
                        width=MATCH,
                        gap=8,
                        on_click=self.follows(row["open"]),
                        children=(
                            Row(
                                width=MATCH,
                                children=(
                                    Text(id="notice_title", text=row["title"], size=15, bold=True, color=INK),
                                    spacer(),
                                    Text(text=f"{at:%m-%d %H:%M}", size=11, color=INK_3),
                                ),
                            ),
                            Text(id="notice_text", text=row["text"], size=14, color=INK_2, max_lines=2),
                            Row(
                                width=MATCH,
                                padding=insets(0, 4, 0, 0),
                                children=(
                                    Text(text="查看详情", size=12, color=INK_3),
                                    spacer(),
                                    Icon(name="chevron_right", size=15, color=INK_3, important=False),
                                ),
                            ),
                        ),
                    ),
                    padding=insets(14, 12),
                ),
            ),
        )
