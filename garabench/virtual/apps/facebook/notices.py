"""The notifications."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from garabench.virtual.apps.facebook import content, names
from garabench.virtual.apps.facebook.page import FacebookPage
from garabench.virtual.apps.facebook.theme import (
    INK,
    INK_2,
    PALE_BLUE,
    WHITE,
    avatar,
    heading,
    icon_button,
    menu_line,
    sheet,
)
from garabench.virtual.ui.widgets import MATCH, Column, Row, ScrollView, Text, Widget, insets


def _open(page: FacebookPage, row: Mapping[str, Any]) -> None:
    page.store.mark_read(row["id"])
    for key, activity, extra in (
        ("post", names.POST, "post"),
        ("event", names.EVENT, "event"),
        ("person", names.PROFILE, "who"),
    ):
        if key in row:
            page.ctx.open(activity, **{extra: row[key]})
    if "page" in row:
        page.ctx.open(names.MAIN, tab="Friends")


def notice_list(page: FacebookPage) -> Widget:
    """Return the notifications; unread ones are marked."""
    rows = content.load("places")["notifications"]

    def read_all() -> None:
        page.store.mark_read(*(row["id"] for row in rows))
        page.ctx.toast("All notifications marked as read")

    menu = sheet(
        "",
        menu_line("Mark all as read", "check", page.closing(read_all)),
        menu_line(
            "Notification settings",
            "cog",
            page.closing(page.opens_page(names.SETTINGS, page="notifications")),
        ),
    )
    header = Row(
        width=MATCH,
        padding=insets(14, 8, 8, 8),
        background=WHITE,
        children=(
            heading(
                "Notifications",
                icon_button("dots-horizontal", "Manage notifications", page.opening(lambda: menu)),
                size=22,
            ),
        ),
    )
    return ScrollView(
        id="notice_list",
        width=MATCH,
        height=MATCH,
        weight=1,
        background=WHITE,
        children=(header, *(_row(page, row) for row in rows)),
    )


def _row(page: FacebookPage, row: Mapping[str, Any]) -> Widget:
    fresh = bool(row.get("fresh")) and not page.store.is_read(row["id"])
    name = content.name_of(row["who"])
    return Row(
        id="notice",
        key=row["id"],
        desc="Unread" if fresh else "Read",
        width=MATCH,
        gap=12,
        padding=insets(14, 10),
        background=PALE_BLUE if fresh else WHITE,
        on_click=partial(_open, page, row),
        children=(
            avatar(row["who"], name, 52, page=row["who"] in content.pages()),
            Column(
                weight=1,
                gap=2,
                children=(
                    Text(text=f"{name} {row['text']}", size=15, bold=fresh, color=INK, max_lines=3),
                    Text(text=row["ago"], size=13, color=INK_2),
                ),
            ),
        ),
    )
