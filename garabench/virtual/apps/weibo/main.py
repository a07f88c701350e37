"""The main activity: the five bottom tabs."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.weibo import discover, home, inbox, mine, video_tab
from garabench.virtual.apps.weibo.feeds import LoadedPages
from garabench.virtual.apps.weibo.post_page import PostPage
from garabench.virtual.apps.weibo.theme import ORANGE, RED, WHITE
from garabench.virtual.kit.framework import Intent
from garabench.virtual.ui.widgets import MATCH, Align, Box, Column, Icon, Row, Text, Widget, divider, insets

BOTTOM = (
    ("首页", "home", "home-filled"),
    ("视频", "play-circle-outline", "play-circle"),
    ("发现", "search", "search"),
    ("消息", "email", "email-filled"),
    ("我", "person", "person-filled"),
)
TABS = tuple(label for label, *_ in BOTTOM)


class MainTabActivity(PostPage):
    """首页, 视频, 发现, 消息 and 我."""

    launch_mode = "singleTask"
    needs_network = False

    def on_create(self) -> None:
        """Start on the recommendations, or on the tab from the intent."""
        tab = self.intent.extras.get("tab")
        self.tab = str(tab) if tab in TABS else "首页"
        self.top = "推荐"
        self.channel = "推荐"
        self.board = "小时榜"
        self.city = "最新"
        self.group = "全部关注"
        self.video_tab = "推荐"
        self.parts = LoadedPages()
        self.seen: set[str] = set()
        self._add_view()

    def on_new_intent(self, intent: Intent) -> None:
        """Switch to the tab from the intent."""
        tab = intent.extras.get("tab")
        if tab in TABS:
            self.pick_tab(str(tab))

    def on_back(self) -> bool:
        """Back goes to 首页 first and leaves the app from there."""
        if self.tab != "首页":
            self.pick_tab("首页")
            return True
        return False

    def pick_tab(self, tab: str) -> None:
        """Select a bottom tab; 首页 again scrolls to the top."""
        if tab == self.tab == "首页":
            self.refresh()
        self.tab = tab
        self._add_view()

    def refresh(self) -> None:
        """Scroll the current feed to the top; offline, show a message."""
        self.ctx.scroll_to(f"feed_list-{self.place}-{self.scale}")
        if not self.ctx.online:
            self.ctx.toast("网络连接失败，请稍后重试")

    def pick_top(self, top: str) -> None:
        """Select 关注 or 推荐; 关注 again opens the groups."""
        if top == self.top == "关注":
            home.open_groups(self)
            return
        self.top = top
        self._add_view()

    def pick_channel(self, channel: str) -> None:
        """Select a channel of 推荐."""
        self.channel = channel
        self._add_view()

    def pick_board(self, board: str) -> None:
        """Select a board of 榜单."""
        self.board = board
        self._add_view()

    def pick_city(self, part: str) -> None:
        """Select a section of 同城."""
        self.city = part
        self._add_view()

    def pick_group(self, group: str) -> None:
        """Select the group whose posts 关注 shows."""
        self.group = group
        self.top = "关注"
        self._add_view()

    def pick_video_tab(self, tab: str) -> None:
        """Select a tab of 视频."""
        self.video_tab = tab

    @property
    def place(self) -> str:
        """The current view, as a key of what has been loaded."""
        if self.tab != "首页":
            return self.tab
        if self.top == "关注":
            return f"关注-{self.group}"
        inner = {"榜单": self.board, "同城": self.city}.get(self.channel, "")
        return f"推荐-{self.channel}-{inner}"

    def _add_view(self) -> None:
        if self.ctx.online or self.tab == "我":
            self.seen.add(self.place)

    def retry_tab(self) -> None:
        """Reload the current tab."""
        self._add_view()
        if self.place not in self.seen:
            self.ctx.toast("网络连接失败，请稍后重试")

    def content(self) -> Widget:
        """Return the selected tab above the bottom bar."""
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(self._tab(), divider(self.skin.line), self._bottom()),
        )

    def _tab(self) -> Widget:
        if self.tab == "首页":
            return home.home_page(self)
        if self.place not in self.seen:
            return self.network_error(self.retry_tab)
        match self.tab:
            case "视频":
                return video_tab.video_page(self)
            case "发现":
                return discover.discover_page(self)
            case "消息":
                return inbox.messages_page(self)
            case _:
                return mine.mine_page(self)

    def _bottom(self) -> Widget:
        return Row(
            id="main_radio",
            width=MATCH,
            height=52,
            background=self.skin.card,
            children=[self._item(*entry) for entry in BOTTOM],
        )

    def _item(self, label: str, icon: str, icon_on: str) -> Widget:
        on = self.tab == label
        color = ORANGE if on else self.skin.ink_2
        count = sum(self.store.unread(user) for user in self.store.chats()) if label == "消息" else 0
        dot = Text(
            text=str(count),
            size=9,
            color=WHITE,
            background=RED,
            radius=8,
            padding=insets(4, 1),
            margin=insets(26, 4, 0, 0),
            align_self=Align.CENTER,
            align_vertical=Align.START,
            visible=bool(count),
        )
        return Box(
            key=f"bottom-{label}",
            id="tab_item",
            desc=label,
            weight=1,
            height=52,
            selected=on,
            on_click=partial(self.pick_tab, label),
            children=(
                Column(
                    gap=1,
                    align=Align.CENTER,
                    align_self=Align.CENTER,
                    align_vertical=Align.CENTER,
                    children=(
                        Icon(name=icon_on if on else icon, size=24, color=color, important=False),
                        Text(id="tab_text", text=label, size=10, color=color, selected=on),
                    ),
                ),
                dot,
            ),
        )
