"""The messages tab, and the chat with a shop."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from garabench.virtual.apps.jd import content, names
from garabench.virtual.apps.jd.cards import photo, price, shop_logo
from garabench.virtual.apps.jd.content import JdProduct, Shop, load
from garabench.virtual.apps.jd.notices import KINDS
from garabench.virtual.apps.jd.page import JdPage
from garabench.virtual.apps.jd.theme import (
    BACKGROUND,
    INK,
    INK_3,
    LINE,
    RED,
    WHITE,
    chip,
    icon_button,
    message_page,
    pill,
)
from garabench.virtual.apps.jd.user_data import JdMessage
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Icon,
    Row,
    ScrollView,
    Text,
    TextField,
    Widget,
    insets,
    spacer,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.jd.main import JdMainActivity

_REPLY_AFTER_MS = 1200
_BUBBLE_LETTERS = 16
"""Letters from which a bubble takes the full width, so that its text wraps."""
_LONGEST = 500


def reply_to(text: str, shop: Shop) -> str:
    """Return the shop's answer."""
    replies = load("replies.json")
    for rule in replies["rules"]:
        if any(word in text for word in rule["words"]):
            return str(rule["reply"])
    return str(replies["default"]).format(shop=shop.name)


def unread_badge(count: int, *, left: float) -> Widget:
    """Return the red unread count at the corner of a picture."""
    return Text(
        id="unread_count",
        text=str(min(count, 99)),
        size=9,
        bold=True,
        color=WHITE,
        background=RED,
        radius=8,
        padding=insets(4.5, 0.5),
        margin=insets(left, 0, 0, 0),
        align_self=Align.START,
        align_vertical=Align.START,
    )


def message_list(page: JdMainActivity) -> Widget:
    """Return the messages tab."""
    rows = [_chat_row(page, shop) for shop in page.store.chats()]
    bar = Row(
        width=MATCH,
        height=50,
        padding=insets(16, 0, 8, 0),
        background=WHITE,
        children=(
            Text(id="messages_title", text="消息", size=18, bold=True, color=INK),
            spacer(),
            icon_button("broom", rid="read_all", desc="全部已读", size=20, on_click=partial(_read_all, page)),
            icon_button(
                "settings",
                rid="message_settings",
                desc="消息设置",
                size=20,
                on_click=partial(page.ctx.open, names.SETTINGS, page="notice"),
            ),
        ),
    )
    body: Widget = (
        ScrollView(id="message_list", width=MATCH, height=MATCH, weight=1, children=rows)
        if rows
        else message_page("message", "暂无消息")
    )
    kinds = [_kind(page, *kind) for kind in KINDS]
    return Column(
        width=MATCH,
        height=MATCH,
        weight=1,
        background=BACKGROUND,
        children=(
            bar,
            Row(width=MATCH, padding=insets(6, 8, 6, 14), background=WHITE, children=kinds),
            Widget(height=8, important=False),
            body,
        ),
    )


def _read_all(page: JdMainActivity) -> None:
    if page.store.unread_total:
        page.store.mark_read()
        page.ctx.toast("已全部标记为已读")
    else:
        page.ctx.toast("暂无未读消息")


def _kind(page: JdMainActivity, label: str, icon: str, color: str) -> Widget:
    face = Box(
        width=44,
        height=44,
        radius=22,
        background=color,
        align_self=Align.CENTER,
        important=False,
        margin=insets(0, 4, 0, 0),
        children=(
            Icon(
                name=icon,
                size=24,
                color=WHITE,
                align_self=Align.CENTER,
                align_vertical=Align.CENTER,
                important=False,
            ),
        ),
    )
    unread = page.store.unread(label)
    mark = (unread_badge(unread, left=36),) if unread else ()
    return Column(
        id="message_kind",
        key=label,
        desc=label,
        weight=1,
        gap=6,
        align=Align.CENTER,
        on_click=partial(page.ctx.open, names.NOTICES, kind=label),
        children=(
            Box(width=56, height=48, children=(face, *mark)),
            Text(id="kind_label", text=label, size=12, color=INK),
        ),
    )


def _chat_row(page: JdMainActivity, shop: Shop) -> Widget:
    last = page.store.messages(shop)[-1]
    today = last.at.date() == page.ctx.now().date()
    unread = page.store.unread(shop.id)
    mark = (unread_badge(unread, left=38),) if unread else ()
    face = Box(align_self=Align.START, align_vertical=Align.END, children=(shop_logo(shop, 46),))
    delete = partial(page.store.delete_chat, shop)
    return Row(
        id="chat_item",
        key=shop.id,
        width=MATCH,
        height=74,
        gap=8,
        padding=insets(14, 0),
        background=WHITE,
        border=LINE,
        border_width=0.5,
        on_click=partial(page.ctx.open, names.CHAT, shop=shop.id),
        on_long_click=page.asks("删除后聊天记录将被清空，确定删除？", "删除", delete),
        children=(
            Box(width=54, height=54, children=(face, *mark)),
            Column(
                weight=1,
                gap=5,
                children=(
                    Row(
                        width=MATCH,
                        children=(
                            Text(id="chat_shop", text=shop.name, size=15, color=INK, weight=1, max_lines=1),
                            Text(
                                text=f"{last.at:%H:%M}" if today else f"{last.at:%m-%d}", size=11, color=INK_3
                            ),
                        ),
                    ),
                    Text(id="chat_last", text=last.text, size=13, color=INK_3, max_lines=1),
                ),
            ),
        ),
    )


class JdChatActivity(JdPage):
    """A chat with a shop."""

    def on_create(self) -> None:
        """Show a greeting in an empty chat."""
        self.shop = content.shops().get(str(self.intent.extras.get("shop", "")))
        self.product = content.products().get(str(self.intent.extras.get("product", "")))
        self.text = ""
        if self.shop is not None and self.loaded and not self.store.messages(self.shop):
            greeting = str(load("replies.json")["greeting"]).format(shop=self.shop.name)
            self.store.add_message(self.shop, greeting, self.ctx.now(), own=False)
        if self.shop is not None:
            self.store.mark_read(self.shop.id)
        self.ctx.scroll_to("chat_list", 100_000)

    def change(self, text: str) -> None:
        """Handle a change of the field's text."""
        self.text = text[:_LONGEST]

    def send(self, text: str = "") -> None:
        """Send a message; the shop answers after a while."""
        words = (text or self.text).strip()
        if self.shop is None:
            return
        if not words:
            self.ctx.toast("不能发送空白消息")
            return
        if not self.ctx.online:
            self.ctx.toast("消息发送失败，请检查网络")
            return
        self.store.add_message(self.shop, words, self.ctx.now(), own=True)
        if not text:
            self.text = ""
        self.ctx.scroll_to("chat_list", 100_000)
        self.ctx.after(_REPLY_AFTER_MS, partial(self._answer, words))

    def _answer(self, words: str) -> None:
        if self.shop is not None:
            self.store.add_message(self.shop, reply_to(words, self.shop), self.ctx.now(), own=False)
            self.ctx.scroll_to("chat_list", 100_000)

    def bar(self) -> Widget:
        """Return the shop's name, the product in question, and the link to the shop."""
        shop, product = self.shop, self.product
        about = (
            (Text(id="chat_about", text=f"正在咨询：{product.title}", size=11, color=INK_3, max_lines=1),)
            if product
            else ()
        )
        enter = (
            (icon_button("store", rid="enter_shop", desc="进店", size=22, on_click=self.opens_shop(shop)),)
            if shop
            else ()
        )
        return Row(
            id="title_bar",
            width=MATCH,
            height=50,
            padding=insets(2, 0, 6, 0),
            background=WHITE,
            children=(
                icon_button("chevron_left", rid="back", desc="返回", size=28, on_click=self.ctx.finish),
                Column(
                    weight=1,
                    gap=1,
                    children=(
                        Text(
                            id="chat_title",
                            text=shop.name if shop else "客服",
                            size=15 if about else 17,
                            bold=True,
                            color=INK,
                            max_lines=1,
                        ),
                        *about,
                    ),
                ),
                *enter,
            ),
        )

    def content(self) -> Widget:
        """Return the messages, quick replies, and the field."""
        if self.shop is None:
            return message_page("chat", "店铺不存在")
        rows: list[Widget] = [
            self._bubble(n, message) for n, message in enumerate(self.store.messages(self.shop))
        ]
        if self.product is not None:
            rows.insert(0, self._about(self.product))
        quick = ScrollView(
            id="quick_words",
            horizontal=True,
            width=MATCH,
            height=48,
            gap=8,
            padding=insets(12, 10, 12, 4),
            background=WHITE,
            children=[
                chip(word, False, partial(self.send, word), rid="quick_word", size=12)
                for word in load("replies.json")["quick"]
            ],
        )
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            background=BACKGROUND,
            children=(
                ScrollView(
                    id="chat_list",
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    padding=insets(12, 12),
                    gap=14,
                    children=rows,
                ),
                quick,
                Row(
                    id="chat_bar",
                    width=MATCH,
                    height=56,
                    gap=10,
                    padding=insets(12, 0),
                    background=WHITE,
                    children=(
                        TextField(
                            id="chat_edit",
                            text=self.text,
                            hint="请输入您要咨询的问题",
                            size=15,
                            weight=1,
                            height=40,
                            radius=20,
                            background=BACKGROUND,
                            padding=insets(16, 0),
                            action="send",
                            on_change=self.change,
                            on_submit=self.send,
                        ),
                        pill("发送", self.send, rid="chat_send", size=14, padding=insets(16, 8)),
                    ),
                ),
            ),
        )

    def _about(self, product: JdProduct) -> Widget:
        return Row(
            id="chat_product",
            width=MATCH,
            gap=10,
            padding=insets(10),
            radius=10,
            background=WHITE,
            on_click=self.opens(product),
            children=(
                photo(product, 64.0),
                Column(
                    weight=1,
                    gap=5,
                    children=(
                        Text(id="product_title", text=product.title, size=13, color=INK, max_lines=2),
                        price(product.price, size=15),
                    ),
                ),
            ),
        )

    def _bubble(self, number: int, message: JdMessage) -> Widget:
        long = len(message.text) > _BUBBLE_LETTERS
        bubble = Text(
            id="message_text",
            text=message.text,
            size=15,
            color=WHITE if message.own else INK,
            background=RED if message.own else WHITE,
            radius=12,
            padding=insets(13, 9),
            weight=1 if long else 0,
        )
        gap = spacer(52) if long else spacer()
        face = Icon(
            name="account_circle" if message.own else "face_agent",
            size=34,
            color="#F79B8E" if message.own else "#7D93C9",
            important=False,
        )
        children = (gap, bubble, face) if message.own else (face, bubble, gap)
        return Row(
            id="message_own" if message.own else "message_shop",
            key=f"message-{number}",
            width=MATCH,
            gap=8,
            align=Align.START,
            children=children,
        )
