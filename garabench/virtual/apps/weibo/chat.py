"""A chat, and the assistant's frequently asked questions."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from garabench.virtual.apps.weibo import names
from garabench.virtual.apps.weibo.content import load, users
from garabench.virtual.apps.weibo.formatting import age_text
from garabench.virtual.apps.weibo.page import WeiboPage
from garabench.virtual.apps.weibo.theme import ORANGE, WHITE, avatar, icon_button, message_page
from garabench.virtual.apps.weibo.user_content import WeiboMessage
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Icon,
    Row,
    ScrollView,
    Text,
    TextField,
    Widget,
    divider,
    insets,
    spacer,
)

SECRETARY = "secretary"
ANSWER_MS = 600
_MENU = ("常见问题", "自助服务", "客服中心")
_END = 1_000_000


@functools.cache
def script() -> Mapping[str, Any]:
    """Return the answers of other users, and the assistant's questions."""
    data: Mapping[str, Any] = load("chat.json")
    return data


def answer_to(user: str, text: str) -> str:
    """Return a user's answer to a message; empty for no answer."""
    for word, answer in script()["replies"].get(user, ()):
        if word in text:
            return str(answer)
    return str(script()["default"]["org" if users()[user].kind == "org" else "person"])


class DMSingleChatActivity(WeiboPage):
    """A chat with a user."""

    needs_network = False

    def on_create(self) -> None:
        """Read the user from the intent and mark the messages as read."""
        user = str(self.intent.extras.get("user", ""))
        self.user = users().get(user)
        self.text = ""
        self.ctx.scroll_to("chat_list", _END)
        if self.user is not None:
            self.store.mark_read(self.user.id)

    def change(self, text: str) -> None:
        """Handle a change of the text."""
        self.text = text

    def send(self) -> None:
        """Send the typed message."""
        user, text = self.user, self.text.strip()
        if user is None or not text or self.is_writing_blocked():
            return
        if not self.ctx.online:
            self.ctx.toast("网络不可用，发送失败")
            return
        if self.store.blocked(user.id):
            self.ctx.toast("对方在你的黑名单中，无法发送")
            return
        self.store.add_message(user.id, text, self.ctx.now())
        self.text = ""
        self.ctx.scroll_to("chat_list", _END)
        answer = answer_to(user.id, text)
        if answer:
            self.ctx.after(ANSWER_MS, functools.partial(self._answered, user.id, answer))

    def _answered(self, user: str, answer: str) -> None:
        self.store.add_message(user, answer, self.ctx.now(), mine=False)
        self.ctx.scroll_to("chat_list", _END)

    def bar(self) -> Widget:
        """Return the bar with the user's name."""
        if self.user is None:
            return self.back_bar("聊天")
        profile = icon_button(
            self.skin, "person", self.opens_user(self.user.id), rid="chat_profile", desc="查看主页"
        )
        return self.back_bar(self.user.name, profile)

    def content(self) -> Widget:
        """Return the messages above the field."""
        user = self.user
        if user is None:
            return message_page(self.skin, "message", "用户不存在")
        messages = self.store.messages(user.id)
        rows: list[Widget] = [
            self._bubble(user.id, message, place, messages) for place, message in enumerate(messages)
        ]
        if not rows:
            rows.append(
                Text(
                    id="tips",
                    text="由于对方未关注你，在对方回复前，最多可以发1条消息",
                    size=12,
                    color=self.skin.ink_3,
                    align=Align.CENTER,
                    padding=insets(20, 16),
                )
            )
        footer = [self._menu()] if user.id == SECRETARY else []
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                ScrollView(
                    id="chat_list", width=MATCH, height=MATCH, weight=1, padding=insets(0, 8), children=rows
                ),
                divider(self.skin.line),
                *footer,
                self._field(),
            ),
        )

    def _menu(self) -> Widget:
        return Row(
            id="chat_menu",
            width=MATCH,
            height=46,
            background=self.skin.card,
            children=[
                Text(
                    key=label,
                    id="chat_menu_item",
                    text=label,
                    size=14.5,
                    color=self.skin.ink,
                    align=Align.CENTER,
                    weight=1,
                    padding=insets(0, 13),
                    on_click=self.opens(names.FAQ) if label == "常见问题" else self._open_or_toast(label),
                )
                for label in _MENU
            ],
        )

    def _open_or_toast(self, label: str) -> functools.partial[None]:
        if label == "客服中心":
            return functools.partial(self.ctx.open, names.SETTINGS, page="help")
        return functools.partial(self.ctx.toast, "自助服务暂不可用")

    def _field(self) -> Widget:
        skin = self.skin
        ready = bool(self.text.strip())
        return Row(
            width=MATCH,
            height=54,
            gap=8,
            background=skin.card,
            padding=insets(12, 0),
            children=(
                TextField(
                    id="edit_view",
                    text=self.text,
                    hint="发送消息...",
                    size=15,
                    color=skin.ink,
                    hint_color=skin.ink_3,
                    background=skin.soft,
                    radius=18,
                    padding=insets(14, 0),
                    weight=1,
                    height=38,
                    action="send",
                    on_change=self.change,
                    on_submit=self.send,
                ),
                Text(
                    id="btn_send",
                    cls="android.widget.Button",
                    text="发送",
                    size=14,
                    color=WHITE,
                    background=ORANGE if ready else "#FFC27F",
                    radius=16,
                    padding=insets(16, 7),
                    enabled=ready,
                    on_click=self.send,
                ),
            ),
        )

    def _bubble(
        self, user: str, message: WeiboMessage, place: int, messages: tuple[WeiboMessage, ...]
    ) -> Widget:
        skin = self.skin
        lines: list[Widget] = []
        before = messages[place - 1].at if place else None
        if before is None or (message.at - before).total_seconds() > 600:
            lines.append(
                Text(
                    text=age_text(message.at, self.ctx.now()),
                    size=11,
                    color=skin.ink_3,
                    align=Align.CENTER,
                    width=MATCH,
                    padding=insets(0, 6),
                )
            )
        words = Text(
            id="message_content",
            desc="我" if message.mine else "对方",
            text=message.text,
            size=15 * self.scale,
            color="#333333" if message.mine else skin.ink,
            background="#FFDDB0" if message.mine else skin.card,
            radius=10,
            padding=insets(12, 9),
            line_spacing=1.2,
        )
        face = avatar("me" if message.mine else user, 38)
        width = self.ctx.width_dp - 130
        bubble = Column(width=width, align=Align.END if message.mine else Align.START, children=(words,))
        order: tuple[Widget, ...] = (spacer(), bubble, face) if message.mine else (face, bubble)
        lines.append(Row(width=MATCH, gap=10, align=Align.START, padding=insets(12, 5), children=order))
        return Column(
            key=f"message-{place}",
            id="my_message" if message.mine else "their_message",
            width=MATCH,
            children=lines,
        )


class HelpCenterActivity(WeiboPage):
    """常见问题: groups of questions, each of which expands to its answer."""

    def on_create(self) -> None:
        """Start with the first group and all questions collapsed."""
        self.group = str(script()["faq"][0]["group"])
        self.open_: str = ""

    def pick(self, group: str) -> None:
        """Select a group."""
        self.group, self.open_ = group, ""

    def toggle(self, question: str) -> None:
        """Expand or collapse a question."""
        self.open_ = "" if self.open_ == question else question

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar("常见问题")

    def content(self) -> Widget:
        """Return the groups on the left, the questions on the right."""
        skin = self.skin
        groups = script()["faq"]
        left = [
            Text(
                key=row["group"],
                id="faq_group",
                text=row["group"],
                size=14,
                color=ORANGE if row["group"] == self.group else skin.ink_2,
                bold=row["group"] == self.group,
                background=skin.card if row["group"] == self.group else None,
                selected=row["group"] == self.group,
                align=Align.CENTER,
                width=MATCH,
                padding=insets(8, 17),
                on_click=functools.partial(self.pick, row["group"]),
            )
            for row in groups
        ]
        items = next(row["items"] for row in groups if row["group"] == self.group)
        right: list[Widget] = []
        for question, answer in items:
            right += self._question(question, answer)
        return Row(
            width=MATCH,
            height=MATCH,
            weight=1,
            align=Align.STRETCH,
            children=(
                Column(width=104, background=skin.background, children=left),
                ScrollView(id="faq_list", weight=1, height=MATCH, background=skin.card, children=right),
            ),
        )

    def _question(self, question: str, answer: str) -> list[Widget]:
        skin = self.skin
        shown = self.open_ == question
        rows: list[Widget] = [
            Row(
                key=question,
                id="faq_row",
                width=MATCH,
                gap=8,
                padding=insets(14, 15),
                on_click=functools.partial(self.toggle, question),
                children=(
                    Text(id="faq_question", text=question, size=15, color=skin.ink, weight=1),
                    Icon(name="up" if shown else "chevron-down", size=18, color=skin.ink_3, important=False),
                ),
            )
        ]
        if shown:
            rows.append(
                Text(
                    key=f"{question}-answer",
                    id="faq_answer",
                    text=answer,
                    size=14,
                    color=skin.ink_2,
                    line_spacing=1.3,
                    padding=insets(14, 0, 14, 14),
                )
            )
        rows.append(divider(skin.line))
        return rows
