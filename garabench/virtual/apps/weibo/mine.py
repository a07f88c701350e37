"""我: the user's counts, with entries to favourites, likes, history and drafts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from garabench.virtual.apps.weibo import names
from garabench.virtual.apps.weibo.content import ME
from garabench.virtual.apps.weibo.theme import ORANGE, avatar, icon_button
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Handler,
    Icon,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.weibo.main import MainTabActivity


def mine_page(page: MainTabActivity) -> Widget:
    """Return the tab."""
    skin = page.skin
    bar = Box(
        width=MATCH,
        height=46,
        background=skin.card,
        children=(
            Text(
                id="titleText",
                text="我",
                size=18,
                bold=True,
                color=skin.ink,
                align_self=Align.CENTER,
                align_vertical=Align.CENTER,
            ),
            Row(
                width=MATCH,
                height=46,
                justify=Align.SPACE_BETWEEN,
                children=(
                    icon_button(
                        skin,
                        "account-plus",
                        page.opens(names.USERS, kind="suggested"),
                        rid="mine_add",
                        desc="添加好友",
                    ),
                    icon_button(
                        skin, "settings", page.opens(names.SETTINGS), rid="mine_setting", desc="设置"
                    ),
                ),
            ),
        ),
    )
    return Column(
        width=MATCH,
        height=MATCH,
        weight=1,
        children=(
            bar,
            ScrollView(
                id="mine_list",
                width=MATCH,
                height=MATCH,
                weight=1,
                children=(_header(page), _numbers(page), _grid(page), *_rows(page)),
            ),
        ),
    )


def _header(page: MainTabActivity) -> Widget:
    skin, profile = page.skin, page.store.profile
    return Row(
        id="mine_profile",
        width=MATCH,
        gap=14,
        background=skin.card,
        padding=insets(16, 12),
        on_click=page.opens_user(ME),
        children=(
            avatar(ME, 62),
            Column(
                weight=1,
                gap=5,
                children=(
                    Text(id="tvNickname", text=str(profile["name"]), size=18, bold=True, color=skin.ink),
                    Text(text=f"简介：{profile['sign']}", size=13, color=skin.ink_3, max_lines=1),
                ),
            ),
            Text(text=f"Lv.{profile['level']}", size=12, bold=True, color=ORANGE),
            Icon(name="chevron-right", size=18, color=skin.ink_3, important=False),
        ),
    )


def _numbers(page: MainTabActivity) -> Widget:
    store = page.store
    entries: tuple[tuple[str, int, Handler], ...] = (
        ("微博", len(store.own_posts()), page.opens_user(ME)),
        ("关注", len(store.follows()), page.opens(names.USERS, kind="follows")),
        ("粉丝", int(store.profile["fans"]), page.opens(names.USERS, kind="fans")),
    )
    return Row(
        width=MATCH,
        height=62,
        background=page.skin.card,
        margin=insets(0, 0, 0, 8),
        children=[
            Column(
                key=label,
                id="mine_number",
                desc=f"{label},{number}",
                weight=1,
                height=62,
                gap=3,
                align=Align.CENTER,
                justify=Align.CENTER,
                on_click=call,
                children=(
                    Text(id="number_value", text=str(number), size=17, bold=True, color=page.skin.ink),
                    Text(id="number_name", text=label, size=12.5, color=page.skin.ink_3),
                ),
            )
            for label, number, call in entries
        ],
    )


def _grid(page: MainTabActivity) -> Widget:
    entries: tuple[tuple[str, str, Handler], ...] = (
        ("我的收藏", "star", page.opens(names.POSTS, kind="favorites")),
        ("赞过", "like", page.opens(names.POSTS, kind="likes")),
        ("浏览历史", "history", page.opens(names.POSTS, kind="history")),
        ("草稿箱", "file-document-edit", page.opens(names.DRAFTS)),
        ("我的话题", "pound", page.opens(names.POSTS, kind="topics")),
        ("特别关注", "heart", page.opens(names.USERS, kind="special")),
        ("我的分组", "account-group", page.opens(names.GROUPS)),
        ("创作中心", "chart", page.toasting("满100粉丝并发布10条微博后开通")),
    )
    rows = []
    for first in range(0, len(entries), 4):
        rows.append(
            Row(
                width=MATCH,
                children=[
                    Column(
                        key=label,
                        id="mine_entry",
                        weight=1,
                        height=72,
                        gap=6,
                        align=Align.CENTER,
                        justify=Align.CENTER,
                        on_click=call,
                        children=(
                            Icon(name=icon, size=25, color=ORANGE, important=False),
                            Text(id="entry_text", text=label, size=12.5, color=page.skin.ink_2),
                        ),
                    )
                    for label, icon, call in entries[first : first + 4]
                ],
            )
        )
    return Column(
        width=MATCH,
        background=page.skin.card,
        padding=insets(0, 6),
        margin=insets(0, 0, 0, 8),
        children=rows,
    )


def _rows(page: MainTabActivity) -> list[Widget]:
    skin = page.skin
    entries: tuple[tuple[str, str, Handler], ...] = (
        ("设置", "settings", page.opens(names.SETTINGS)),
        ("未成年人模式", "shield", page.opens(names.YOUTH)),
        ("客服中心", "headset", page.opens(names.CHAT, user="secretary")),
    )
    return [
        Row(
            key=label,
            id="mine_row",
            width=MATCH,
            height=52,
            gap=12,
            background=skin.card,
            margin=insets(0, 0, 0, 0.7),
            padding=insets(16, 0),
            on_click=call,
            children=(
                Icon(name=icon, size=21, color=skin.ink_2, important=False),
                Text(id="row_text", text=label, size=15.5, color=skin.ink, weight=1),
                Icon(name="chevron-right", size=18, color=skin.ink_3, important=False),
            ),
        )
        for label, icon, call in entries
    ]
