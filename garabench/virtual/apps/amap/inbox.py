"""消息: notices, each with its own page."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from garabench.virtual.apps.amap import content
from garabench.virtual.apps.amap.page import AmapScreen
from garabench.virtual.apps.amap.theme import BACKGROUND, BLUE, INK, INK_2, INK_3, RED, WHITE, card
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Icon,
    ListView,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
    spacer,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.amap.activity import NewMapActivity
    from garabench.virtual.apps.amap.root import AmapRootScreen

Message = Mapping[str, Any]


class MessagesTab:
    """The list of notices."""

    def __init__(self, root: AmapRootScreen) -> None:
        self.root, self.store = root, root.store

    @property
    def rows(self) -> list[Message]:
        """All notices, latest first."""
        return list(content.load("messages.json"))

    @property
    def unread(self) -> int:
        """The number of unread notices."""
        return sum(not self.store.is_read(row["id"]) for row in self.rows)

    def open(self, row: Message) -> None:
        """Open a notice."""
        self.store.mark_read(row["id"])
        self.root.app.push(MessageScreen(self.root.app, row))

    def read_all(self) -> None:
        """Mark all notices as read."""
        for row in self.rows:
            self.store.mark_read(row["id"])
        self.root.ctx.toast("已全部标为已读")

    def view(self) -> Widget:
        """Return the title above the list."""
        header = Row(
            width=MATCH,
            height=50,
            background=WHITE,
            padding=insets(16, 0, 8, 0),
            children=(
                Text(id="message_title", text="消息", size=20, bold=True, color=INK),
                spacer(),
                Text(
                    id="message_read_all",
                    text="全部已读",
                    size=13,
                    color=BLUE if self.unread else INK_3,
                    padding=insets(8, 10),
                    on_click=self.read_all,
                ),
            ),
        )
        body = ListView(
            id="message_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            gap=1,
            items=self.rows,
            build=lambda row, _: self._line(row),
            item_height=74,
        )
        return Column(width=MATCH, height=MATCH, background=BACKGROUND, children=(header, body))

    def _line(self, row: Message) -> Widget:
        fresh = not self.store.is_read(row["id"])
        dot = Widget(width=8, height=8, radius=4, background=RED, id="message_dot") if fresh else spacer(8)
        return Row(
            id="message_item",
            key=row["id"],
            width=MATCH,
            height=74,
            gap=12,
            background=WHITE,
            padding=insets(16, 0),
            on_click=partial(self.open, row),
            children=(
                Box(
                    width=44,
                    height=44,
                    radius=22,
                    background=row["color"],
                    important=False,
                    children=(
                        Icon(
                            name=row["icon"],
                            size=24,
                            color=WHITE,
                            align_self=Align.CENTER,
                            align_vertical=Align.CENTER,
                            important=False,
                        ),
                    ),
                ),
                Column(
                    weight=1,
                    gap=4,
                    children=(
                        Text(id="message_name", text=row["title"], size=16, color=INK),
                        Text(id="message_text", text=row["text"], size=13, color=INK_3, max_lines=1),
                    ),
                ),
                Column(
                    gap=8,
                    children=(
                        Text(text=row["at"], size=11, color=INK_3),
                        Row(align_self=Align.END, children=(dot,)),
                    ),
                ),
            ),
        )


class MessageScreen(AmapScreen):
    """The page of a notice."""

    def __init__(self, app: NewMapActivity, row: Message) -> None:
        super().__init__(app)
        self.row = row
        self.title = str(row["title"])

    def content(self) -> Widget:
        """Return the paragraphs, each in a card."""
        cards = [
            card(
                Text(id="message_body", text=text, size=15, color=INK, line_spacing=1.25),
                Text(text=self.row["at"], size=11, color=INK_2),
                gap=8,
            )
            for text in self.row["body"]
        ]
        return ScrollView(
            id="message_scroll", width=MATCH, height=MATCH, weight=1, background=BACKGROUND, children=cards
        )
