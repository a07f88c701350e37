"""消息: mentions, comments, likes and chats."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from garabench.virtual.apps.weibo import names
from garabench.virtual.apps.weibo.content import users
from garabench.virtual.apps.weibo.formatting import age_text
from garabench.virtual.apps.weibo.theme import ORANGE, RED, WHITE, avatar, icon_button
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Icon,
    ListView,
    Row,
    Text,
    Widget,
    insets,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.weibo.main import MainTabActivity

BOXES = (("@我的", "at", "mentions"), ("评论", "comment", "received"), ("赞", "like", "liked_by"))


def messages_page(page: MainTabActivity) -> Widget:
    """Return the tab."""
    skin = page.skin
    bar = Box(
        width=MATCH,
        height=46,
        background=skin.card,
        children=(
            Text(
                id="titleText",
                text="消息",
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
                    Text(
                        id="message_find",
                        text="发现群",
                        size=14,
                        color=skin.ink_2,
                        padding=insets(14, 10),
                        on_click=page.toasting("附近没有可以加入的群"),
                    ),
                    icon_button(
                        skin,
                        "pencil-outline",
                        page.opens(names.USERS, kind="follows"),
                        rid="message_new",
                        desc="发起聊天",
                    ),
                ),
            ),
        ),
    )
    chats = page.store.chats()
    return Column(
        width=MATCH,
        height=MATCH,
        weight=1,
        children=(
            bar,
            ListView(
                id="message_list",
                width=MATCH,
                height=MATCH,
                weight=1,
                gap=0.7,
                header=[_box(page, *entry) for entry in BOXES],
                items=chats,
                item_height=72,
                build=lambda user, _: _chat(page, user),
            ),
        ),
    )


def _box(page: MainTabActivity, label: str, icon: str, kind: str) -> Widget:
    skin = page.skin
    return Row(
        key=kind,
        id="message_box",
        width=MATCH,
        height=62,
        gap=14,
        background=skin.card,
        padding=insets(14, 0),
        on_click=page.opens(names.NOTICES, kind=kind),
        children=(
            Box(
                width=42,
                height=42,
                radius=21,
                background=ORANGE,
                important=False,
                children=(
                    Icon(
                        name=icon,
                        size=22,
                        color=WHITE,
                        align_self=Align.CENTER,
                        align_vertical=Align.CENTER,
                    ),
                ),
            ),
            Text(id="box_name", text=label, size=16, color=skin.ink, weight=1),
            Icon(name="chevron-right", size=18, color=skin.ink_3, important=False),
        ),
    )


def _chat(page: MainTabActivity, user: str) -> Widget:
    skin, known = page.skin, users()[user]
    last = page.store.messages(user)[-1]
    unread = page.store.unread(user)

    def delete() -> None:
        page.store.delete_chat(user)
        page.ctx.toast("已删除")

    def read() -> None:
        page.store.mark_read(user)

    return Row(
        key=user,
        id="chat_item",
        width=MATCH,
        height=72,
        gap=12,
        background=skin.card,
        padding=insets(14, 0),
        on_click=page.opens(names.CHAT, user=user),
        on_long_click=partial(page.choose, (("标为已读", read), ("删除聊天", delete)), title=known.name),
        children=(
            avatar(user, 48, mark=known.kind),
            Column(
                weight=1,
                gap=5,
                children=(
                    Text(id="chat_name", text=known.name, size=16, color=skin.ink, max_lines=1),
                    Text(id="chat_last", text=last.text, size=13, color=skin.ink_3, max_lines=1),
                ),
            ),
            Column(
                gap=6,
                align=Align.END,
                children=(
                    Text(text=age_text(last.at, page.ctx.now()), size=11.5, color=skin.ink_3),
                    Text(
                        id="chat_unread",
                        text=str(unread),
                        size=10.5,
                        color=WHITE,
                        background=RED,
                        radius=9,
                        padding=insets(6, 1),
                        visible=bool(unread),
                    ),
                ),
            ),
        ),
    )
