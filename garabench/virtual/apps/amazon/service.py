"""Customer service: frequently asked questions and the chat assistant."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.amazon import content, names
from garabench.virtual.apps.amazon.page import AmazonPage
from garabench.virtual.apps.amazon.theme import (
    INK,
    INK_2,
    PALE,
    TEAL_DEEP,
    WHITE,
    button,
    card,
    chip,
    heading,
    icon_button,
    page_title,
)
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
    insets,
    spacer,
)

_ANSWER_MS = 500
_MAX_TEXT = 300


class CustomerServiceActivity(AmazonPage):
    """Help by topic; each topic expands."""

    place = "Menu"

    def on_create(self) -> None:
        """Start with all topics collapsed."""
        self.open = ""

    def toggle_topic(self, title: str) -> None:
        """Expand or collapse a topic."""
        self.open = "" if self.open == title else title

    def content(self) -> Widget:
        """Return the topics and the link to the assistant."""
        rows: list[Widget] = []
        for topic in content.load("service")["help"]:
            on = topic["title"] == self.open
            parts: list[Widget] = [
                Row(
                    width=MATCH,
                    children=(
                        Text(id="help_title", text=topic["title"], size=15, bold=on, color=INK, weight=1),
                        Icon(name="up" if on else "chevron_down", size=20, color=INK_2, important=False),
                    ),
                )
            ]
            if on:
                parts.append(Text(id="help_text", text=topic["text"], size=14, color=INK_2))
            rows.append(
                Column(
                    id="help_topic",
                    key=topic["title"],
                    width=MATCH,
                    gap=8,
                    padding=insets(0, 12),
                    selected=on,
                    on_click=partial(self.toggle_topic, topic["title"]),
                    children=parts,
                )
            )
        return ScrollView(
            id="service_scroll",
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                page_title("Customer Service"),
                card(heading("Hello. What can we help you with?", size=17), *rows),
                card(
                    heading("Still need help?", size=17),
                    button("Chat with us", self.opens_page(names.CHAT), rid="chat_with_us"),
                    button(
                        "Request a phone call",
                        self.toasting("We will call you within 5 minutes"),
                        rid="call_me",
                        color=WHITE,
                    ),
                ),
            ),
        )


class MessagingAssistantActivity(AmazonPage):
    """The chat with the assistant."""

    place = "Menu"

    def on_create(self) -> None:
        """Start with the greeting."""
        self.text = ""
        self.messages: list[tuple[bool, str]] = [(False, content.load("service")["greeting"])]

    def type_text(self, text: str) -> None:
        """Handle a change of the field's text."""
        self.text = text[:_MAX_TEXT]

    def send(self) -> None:
        """Send the typed message."""
        words = " ".join(self.text.split())
        if words:
            self.post_message(words, self._reply(words))
        self.text = ""

    def post_message(self, words: str, reply: str) -> None:
        """Add the user's message to the chat; the reply follows a little later."""
        self.store.check_network()
        self.messages.append((True, words))
        self.ctx.after(_ANSWER_MS, partial(self._answer, reply))

    def _answer(self, reply: str) -> None:
        self.messages.append((False, reply))
        self.ctx.scroll_to("chat_list", 100_000)

    def _reply(self, words: str) -> str:
        data = content.load("service")
        for rule in data["rules"]:
            if any(word in words.casefold() for word in rule["words"]):
                return str(rule["reply"])
        return str(data["default"])

    def content(self) -> Widget:
        """Return the messages, the suggested topics, and the field."""
        topics = content.load("service")["topics"]
        bubbles = [self._bubble(own, text) for own, text in self.messages]
        choices = ScrollView(
            id="chat_topics",
            horizontal=True,
            width=MATCH,
            height=50,
            gap=8,
            padding=insets(12, 6),
            background=WHITE,
            children=[
                chip(
                    topic["label"],
                    False,
                    partial(self.post_message, topic["label"], topic["reply"]),
                    rid="chat_topic",
                )
                for topic in topics
            ],
        )
        field = TextField(
            id="chat_field",
            text=self.text,
            hint="Type your message",
            size=15,
            color=INK,
            weight=1,
            height=44,
            radius=22,
            background=PALE,
            padding=insets(16, 0),
            on_change=self.type_text,
            on_submit=self.send,
            action="send",
        )
        send = icon_button("send", rid="chat_send", desc="Send", color=TEAL_DEEP, on_click=self.send)
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                page_title("Messaging Assistant"),
                ScrollView(
                    id="chat_list",
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    gap=10,
                    padding=insets(14, 12),
                    children=bubbles,
                ),
                choices,
                Row(width=MATCH, gap=6, padding=insets(12, 6), background=WHITE, children=(field, send)),
            ),
        )

    def _bubble(self, own: bool, text: str) -> Widget:
        words = Text(
            id="chat_own" if own else "chat_reply",
            text=text,
            size=15,
            color="#FFFFFF" if own else INK,
            background=TEAL_DEEP if own else WHITE,
            radius=14,
            padding=insets(14, 10),
            align=Align.START,
        )
        room = spacer(56)
        inner = Column(weight=1, align=Align.END if own else Align.START, children=(words,))
        return Row(width=MATCH, children=(room, inner) if own else (inner, room))
