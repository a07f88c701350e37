"""The main activity: the four bottom tabs."""

from __future__ import annotations

from garabench.virtual.apps.bilibili import content, home_feed, home_mine, names
from garabench.virtual.apps.bilibili.cards import avatar
from garabench.virtual.apps.bilibili.home_dynamic import dynamic_page
from garabench.virtual.apps.bilibili.home_mall import mall_page
from garabench.virtual.apps.bilibili.page import BilibiliPage
from garabench.virtual.apps.bilibili.theme import (
    INK_2,
    INK_3,
    LINE,
    PINK,
    WHITE,
    icon_button,
    network_error,
    tab_strip,
)
from garabench.virtual.kit.framework import Intent
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Handler,
    Icon,
    Row,
    Text,
    Widget,
    divider,
    insets,
)

BOTTOM = (
    ("首页", "home", "home-filled"),
    ("动态", "dynamic", "dynamic-filled"),
    ("会员购", "bag", "bag-filled"),
    ("我的", "person", "person-filled"),
)
BOTTOM_PLACE = {"首页": 1, "动态": 2, "会员购": 4, "我的": 5}
"""Position of the round publish button among the five places."""
TOP = ("直播", "推荐", "热门", "动画", "影视")


class BilibiliMainActivity(BilibiliPage):
    """首页, 动态, 会员购 and 我的."""

    launch_mode = "singleTask"
    needs_network = False

    def on_create(self) -> None:
        """Start on the recommendations."""
        self.tab = str(self.intent.extras.get("tab", "首页"))
        self.top = "推荐"
        self.fresh = 0
        self.publishing = False
        self.seen: set[str] = set()
        self._add_view()

    def on_new_intent(self, intent: Intent) -> None:
        """Switch to the tab from the intent."""
        tab = intent.extras.get("tab")
        if tab in BOTTOM_PLACE:
            self.choose(str(tab))

    def on_back(self) -> bool:
        """Back goes to 首页 first and leaves the app from there."""
        if self.tab != "首页":
            self.choose("首页")
            return True
        return False

    def choose(self, tab: str) -> None:
        """Select a bottom tab."""
        self.tab = tab
        self._add_view()

    def choose_top(self, top: str) -> None:
        """Select a tab of 首页."""
        if self.top == top:
            self.ctx.scroll_to("feed_list")
        self.top = top
        self._add_view()

    @property
    def place(self) -> str:
        """The current view, as a key of what has been loaded."""
        return f"{self.tab}/{self.top}" if self.tab == "首页" else self.tab

    def _add_view(self) -> None:
        if self.ctx.online or self.tab == "我的":
            self.seen.add(self.place)

    def retry(self) -> None:
        """Reload the current tab."""
        self._add_view()
        if self.place not in self.seen:
            self.ctx.toast("网络连接失败，请稍后重试")

    def content(self) -> Widget:
        """Return the selected tab above the bottom bar."""
        return Column(
            width=MATCH, height=MATCH, weight=1, children=(self._tab(), divider("#E3E5E7"), self._bottom())
        )

    def _tab(self) -> Widget:
        if self.tab == "我的":
            return home_mine.mine_page(self)
        if self.tab == "首页":
            body = self._feed() if self.place in self.seen else network_error(self.retry)
            return Column(width=MATCH, height=MATCH, weight=1, children=(*self._header(), body))
        if self.place not in self.seen:
            return network_error(self.retry)
        return dynamic_page(self) if self.tab == "动态" else mall_page(self)

    def _feed(self) -> Widget:
        match self.top:
            case "直播":
                return home_feed.live(self)
            case "热门":
                return home_feed.hot(self)
            case "动画":
                return home_feed.channel(self, "anime")
            case "影视":
                return home_feed.channel(self, "film")
            case _:
                return home_feed.recommended(self)

    def _header(self) -> tuple[Widget, ...]:
        hint = content.feed()["hot_searches"][self.fresh % 3]
        return (
            Row(
                id="home_top_bar",
                width=MATCH,
                height=52,
                gap=10,
                padding=insets(12, 0, 4, 0),
                background=WHITE,
                children=(
                    avatar("me", 32, desc="我的头像", on_click=lambda: self.choose("我的")),
                    Row(
                        id="expand_search",
                        desc="搜索栏",
                        weight=1,
                        height=34,
                        gap=6,
                        radius=17,
                        background=LINE,
                        padding=insets(12, 0),
                        on_click=lambda: self.ctx.open(names.SEARCH, hint=hint),
                        children=(
                            Icon(name="search", size=17, color=INK_3, important=False),
                            Text(
                                id="expand_search_text",
                                text=hint,
                                size=13,
                                color=INK_3,
                                max_lines=1,
                                weight=1,
                            ),
                        ),
                    ),
                    icon_button(
                        "game", desc="游戏中心", on_click=lambda: self.ctx.open(names.CHANNEL, channel="游戏")
                    ),
                    icon_button("email", desc="消息", on_click=lambda: self.ctx.open(names.MESSAGES)),
                ),
            ),
            Row(
                width=MATCH,
                background=WHITE,
                children=(
                    Box(
                        weight=1,
                        children=(
                            tab_strip(
                                TOP, self.top, {top: self._chooses_top(top) for top in TOP}, rid="home_tabs"
                            ),
                        ),
                    ),
                    icon_button(
                        "menu",
                        rid="channel_entry",
                        desc="频道",
                        on_click=lambda: self.ctx.open(names.CHANNELS),
                    ),
                ),
            ),
        )

    def _chooses_top(self, top: str) -> Handler:
        return lambda: self.choose_top(top)

    def _chooses(self, tab: str) -> Handler:
        return lambda: self.choose(tab)

    def _bottom(self) -> Widget:
        items: list[Widget] = [self._bottom_item(*entry) for entry in BOTTOM]
        publish = Box(
            id="publish",
            desc="发布内容,5之3,标签",
            weight=1,
            height=54,
            on_click=lambda: self.ctx.toast("登录创作者账号后即可投稿"),
            children=(
                Box(
                    width=42,
                    height=32,
                    radius=10,
                    background=PINK,
                    align_self=Align.CENTER,
                    align_vertical=Align.CENTER,
                    children=(
                        Icon(
                            name="plus",
                            size=22,
                            color=WHITE,
                            align_self=Align.CENTER,
                            align_vertical=Align.CENTER,
                            important=False,
                        ),
                    ),
                ),
            ),
        )
        items.insert(2, publish)
        return Row(id="bottom_navigation", width=MATCH, height=54, background=WHITE, children=items)

    def _bottom_item(self, label: str, icon: str, icon_on: str) -> Widget:
        on = self.tab == label
        color = PINK if on else INK_2
        return Column(
            key=f"bottom-{label}",
            cls="android.widget.FrameLayout",
            desc=f"{label},5之{BOTTOM_PLACE[label]},标签",
            weight=1,
            height=54,
            gap=1,
            align=Align.CENTER,
            justify=Align.CENTER,
            selected=on,
            on_click=self._chooses(label),
            children=(
                Icon(name=icon_on if on else icon, size=23, color=color, important=False),
                Text(id="tab_text", text=label, size=10, color=color, selected=on),
            ),
        )
