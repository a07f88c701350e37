"""The app's settings, and chats."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from garabench.virtual.apps.facebook import content, names
from garabench.virtual.apps.facebook.page import FacebookPage
from garabench.virtual.apps.facebook.theme import (
    BLUE,
    FIELD,
    INK,
    WHITE,
    arrow_row,
    empty_state,
    icon_button,
    radio_row,
    switch_row,
)
from garabench.virtual.kit.framework import Intent
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Row,
    ScrollView,
    Text,
    TextField,
    Widget,
    insets,
    spacer,
)

Line = Mapping[str, Any]


class FacebookSettingsActivity(FacebookPage):
    """A page of settings."""

    needs_network = False

    def on_create(self) -> None:
        """Open the page from the intent."""
        self.name = str(self.intent.extras.get("page", "root"))
        self.data: Line | None = content.load("settings").get(self.name)
        self.title = self.data["title"] if self.data else "Settings"

    def toggle(self, line: Line) -> None:
        """Toggle a switch."""
        self.store.set_setting(line["id"], not self.store.setting(line["id"], line["default"]))

    def choose(self, line: Line, value: str) -> None:
        """Choose a value."""
        self.store.set_setting(line["id"], value)

    def act(self, line: Line) -> None:
        """Perform the row's action."""
        match line["act"]:
            case "device_notifications":
                extras = {"android.provider.extra.APP_PACKAGE": names.PACKAGE}
                self.ctx.start(Intent(action="android.settings.APP_NOTIFICATION_SETTINGS", extras=extras))
            case "device":
                data = f"package:{names.PACKAGE}"
                self.ctx.start(Intent(action="android.settings.APPLICATION_DETAILS_SETTINGS", data=data))
            case _:
                clear = self.store.delete_search
                self.asks("Clear search history?", "Only you can see it.", "Clear", clear)()

    def content(self) -> Widget:
        """Return the groups of rows."""
        if self.data is None:
            return empty_state("cog", "This page isn't available")
        parts: list[Widget] = []
        for number, group in enumerate(self.data["groups"]):
            rows = [row for line in group for row in self._rows(line)]
            parts.append(Column(key=f"group-{number}", width=MATCH, margin=insets(0, 0, 0, 8), children=rows))
        return ScrollView(id="setting_list", width=MATCH, height=MATCH, weight=1, children=parts)

    def _rows(self, line: Line) -> list[Widget]:
        label, note = str(line["label"]), str(line.get("note", ""))
        if "page" in line:
            return [arrow_row(label, note=note, on_click=self.opens_page(names.SETTINGS, page=line["page"]))]
        if "act" in line:
            return [arrow_row(label, note=note, on_click=partial(self.act, line))]
        value = self.store.setting(line["id"], line["default"])
        if "choices" not in line:
            return [switch_row(label, bool(value), partial(self.toggle, line), note=note)]
        if line.get("inline"):
            return [
                radio_row(choice, choice == value, partial(self.choose, line, choice))
                for choice in line["choices"]
            ]
        choose = self.chooses(label, tuple(line["choices"]), str(value), partial(self.choose, line))
        return [arrow_row(label, value=str(value), on_click=choose)]


class ThreadActivity(FacebookPage):
    """A chat."""

    def on_create(self) -> None:
        """Open the chat from the intent."""
        named = str(self.intent.extras.get("who", ""))
        known = named in content.people() or named in content.pages()
        self.who = named if known else "maya"
        self.title = content.name_of(self.who)
        self.text = ""

    def type_text(self, text: str) -> None:
        """Handle a change of the message."""
        self.text = text[:300]

    def send(self) -> None:
        """Send the message."""
        words = " ".join(self.text.split())
        if words:
            self.store.add_message(self.who, words)
            self.text = ""

    def content(self) -> Widget:
        """Return the messages and the input field."""
        bubbles = [
            Row(
                key=f"own-{number}",
                width=MATCH,
                justify=Align.END,
                children=(
                    spacer(60),
                    Text(
                        id="own_message",
                        text=text,
                        size=16,
                        color="#FFFFFF",
                        background=BLUE,
                        radius=16,
                        padding=insets(14, 8),
                    ),
                ),
            )
            for number, text in enumerate(self.store.messages(self.who))
        ]
        field = TextField(
            id="message_field",
            text=self.text,
            hint="Message",
            size=16,
            color=INK,
            weight=1,
            height=42,
            radius=21,
            background=FIELD,
            padding=insets(16, 0),
            on_change=self.type_text,
            on_submit=self.if_online(self.send),
            action="send",
        )
        send = icon_button("send", "Send", self.if_online(self.send), color=BLUE)
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            background=WHITE,
            children=(
                ScrollView(
                    id="thread",
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    gap=8,
                    padding=insets(14, 12),
                    children=bubbles or [empty_state("chat", f"Say hi to {self.title}")],
                ),
                Row(width=MATCH, gap=6, padding=insets(12, 8), children=(field, send)),
            ),
        )
