"""消息: notices by kind, and chats with customer service."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from garabench.virtual.apps.ctrip import content, names
from garabench.virtual.apps.ctrip.page import CtripPage
from garabench.virtual.apps.ctrip.theme import (
    BACKGROUND,
    BLUE,
    BLUE_SOFT,
    INK,
    INK_2,
    INK_3,
    LINE,
    RED,
    WHITE,
    bar_button,
    button,
    card,
    glyph,
    label,
)
from garabench.virtual.apps.ctrip.widgets import message_page
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Handler,
    Row,
    ScrollView,
    Text,
    TextField,
    Widget,
    divider,
    insets,
    spacer,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.ctrip.main import CtripHomeActivity

ANSWER_MS = 1500
SERVICE = "携程客服"


def notices() -> Sequence[Mapping[str, Any]]:
    """Return the kinds of notices."""
    rows: Sequence[Mapping[str, Any]] = content.home()["notices"]
    return rows


def messages_view(page: CtripHomeActivity) -> Widget:
    """Return the 消息 tab: the kinds of notices with their unread counts."""
    read = partial(page.store.mark_read)
    header = Row(
        width=MATCH,
        height=48,
        padding=insets(16, 0, 8, 0),
        background=WHITE,
        children=(
            label("消息", 18, INK, rid="messages_title", bold=True),
            spacer(),
            bar_button("全部已读", "messages_read", read, color=INK_2),
        ),
    )
    rows = [_kind(page, row) for row in notices()]
    talk = _line(
        "message_service",
        SERVICE,
        "有问题找我，7×24小时在线",
        "headset",
        BLUE,
        0,
        page.opens_page(names.CHAT, name=SERVICE),
    )
    return Column(
        width=MATCH,
        height=MATCH,
        weight=1,
        children=(
            header,
            ScrollView(id="message_list", width=MATCH, height=MATCH, weight=1, gap=1, children=(*rows, talk)),
        ),
    )


def _kind(page: CtripHomeActivity, row: Mapping[str, Any]) -> Widget:
    open_ = page.opens_page(names.NOTICES, kind=row["id"])
    unread = page.store.unread(row["id"])
    return _line("message_kind", row["title"], row["rows"][0][1], row["icon"], row["color"], unread, open_)


def _line(rid: str, title: str, text: str, icon: str, color: str, unread: int, open_: Handler) -> Widget:
    mark: tuple[Widget, ...] = ()
    if unread:
        mark = (
            Text(
                id="message_unread",
                text=str(unread),
                size=10,
                bold=True,
                color=WHITE,
                background=RED,
                radius=9,
                padding=insets(6, 1),
            ),
        )
    return Row(
        id=rid,
        key=title,
        desc=title,
        width=MATCH,
        height=72,
        gap=12,
        padding=insets(16, 0),
        background=WHITE,
        on_click=open_,
        children=(
            Box(
                width=44,
                height=44,
                radius=22,
                background=color,
                important=False,
                children=(
                    Box(
                        align_self=Align.CENTER,
                        align_vertical=Align.CENTER,
                        important=False,
                        children=(glyph(icon, 24, WHITE),),
                    ),
                ),
            ),
            Column(
                weight=1,
                gap=4,
                children=(
                    label(title, 16, INK, rid="message_title"),
                    label(text, 13, INK_3, rid="message_text"),
                ),
            ),
            *mark,
        ),
    )


class MessageListActivity(CtripPage):
    """The notices of one kind."""

    needs_network = False

    def on_create(self) -> None:
        """Open the kind from the intent and mark it as read."""
        wanted = self.intent.extras.get("kind")
        self.kind = next((row for row in notices() if row["id"] == wanted), None)
        if self.kind is not None:
            self.store.mark_read(self.kind["id"])

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar(self.kind["title"] if self.kind else "消息")

    def content(self) -> Widget:
        """Return the notices."""
        if self.kind is None:
            return message_page("message", "暂无消息")
        rows = [
            card(
                Row(
                    width=MATCH,
                    children=(
                        label(title, 16, INK, rid="notice_title", bold=True),
                        spacer(),
                        label(when, 12, INK_3),
                    ),
                ),
                divider(LINE),
                Text(id="notice_text", text=text, size=14, color=INK_2, line_spacing=1.15),
                rid="notice_item",
                key=title,
                gap=8,
            )
            for title, text, when in self.kind["rows"]
        ]
        return ScrollView(
            id="notice_list", width=MATCH, height=MATCH, weight=1, padding=insets(0, 0, 0, 12), children=rows
        )


class CtripChatActivity(CtripPage):
    """A chat with customer service, a hotel or a shop."""

    needs_network = False

    def on_create(self) -> None:
        """Open the chat from the intent."""
        self.name = str(self.intent.extras.get("name", SERVICE))
        self.text = ""

    def type(self, text: str) -> None:
        """Handle a change of the field's text."""
        self.text = text

    def send(self, text: str = "") -> None:
        """Send a message; an answer arrives soon after."""
        message = text or self.text.strip()
        if not message:
            return
        if not self.ctx.online:
            self.ctx.toast("网络不给力，请检查网络设置")
            return
        self.store.add_message(self.name, message, own=True)
        self.text = ""
        self.ctx.after(ANSWER_MS, partial(self._answer, message))
        self.ctx.scroll_to("chat_list", 100_000)

    def _answer(self, message: str) -> None:
        answers: Mapping[str, str] = content.home()["service_answers"]
        found = next((text for word, text in answers.items() if word in message), "")
        self.store.add_message(self.name, found or str(content.home()["service_default"]), own=False)
        self.ctx.scroll_to("chat_list", 100_000)

    def bar(self) -> Widget:
        """Return the bar with the name of the chat partner."""
        return self.back_bar(self.name)

    def content(self) -> Widget:
        """Return the messages and the input field."""
        hello = (False, f"您好，这里是{self.name}，请问有什么可以帮您？")
        lines = [
            self._bubble(own, text, place)
            for place, (own, text) in enumerate((hello, *self.store.chat_messages(self.name)))
        ]
        words = [
            Text(
                id="quick_word",
                text=word,
                size=12,
                color=INK_2,
                background=WHITE,
                radius=13,
                padding=insets(11, 6),
                on_click=partial(self.send, word),
            )
            for word in content.home()["service_words"]
        ]
        field = TextField(
            id="chat_input",
            text=self.text,
            hint="请输入您的问题",
            size=15,
            weight=1,
            height=42,
            radius=8,
            background=BACKGROUND,
            padding=insets(12, 0),
            action="send",
            on_change=self.type,
            on_submit=self.send,
        )
        footer = Row(
            width=MATCH,
            height=58,
            gap=10,
            padding=insets(12, 8),
            background=WHITE,
            children=(field, button("发送", self.send, rid="chat_send", size=14, padding=insets(16, 10))),
        )
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                ScrollView(
                    id="chat_list",
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    gap=12,
                    padding=insets(14, 14),
                    children=lines,
                ),
                ScrollView(
                    id="quick_words",
                    horizontal=True,
                    width=MATCH,
                    gap=8,
                    padding=insets(12, 6),
                    children=words,
                ),
                footer,
            ),
        )

    @staticmethod
    def _bubble(own: bool, text: str, place: int) -> Widget:
        bubble = Text(
            id="message_own" if own else "message_other",
            text=text,
            size=15,
            color=INK,
            background=BLUE_SOFT if own else WHITE,
            radius=10,
            padding=insets(12, 9),
            line_spacing=1.15,
        )
        room = Widget(width=56, height=1, important=False)
        side = Align.END if own else Align.START
        return Row(
            key=f"said-{place}", width=MATCH, justify=side, children=(room, bubble) if own else (bubble, room)
        )
