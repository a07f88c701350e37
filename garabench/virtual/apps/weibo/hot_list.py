"""The full list of trending searches."""

from __future__ import annotations

from garabench.virtual.apps.weibo import content, names
from garabench.virtual.apps.weibo.content import Topic
from garabench.virtual.apps.weibo.discover import mark
from garabench.virtual.apps.weibo.page import WeiboPage
from garabench.virtual.apps.weibo.theme import ORANGE, RED, icon_button, message_page, tab_strip
from garabench.virtual.ui.widgets import MATCH, Column, Gradient, ListView, Row, Text, Widget, insets

TABS = {
    "热搜": (),
    "要闻": ("要闻", "健康"),
    "文娱": ("文娱", "文化"),
    "生活": ("生活", "萌宠", "旅行", "校园"),
    "体育": ("体育",),
    "科技": ("科技", "汽车"),
    "同城": ("同城",),
}
"""The categories of each tab; empty means all."""


class HotSearchActivity(WeiboPage):
    """热搜榜."""

    def on_create(self) -> None:
        """Start with all categories."""
        self.tab = "热搜"

    def pick_tab(self, tab: str) -> None:
        """Select a tab."""
        self.tab = tab

    def bar(self) -> Widget:
        """Return the title bar with the search button."""
        search = icon_button(
            self.skin, "search", self.opens(names.SEARCH), rid="hot_search_button", desc="搜索"
        )
        return self.back_bar("微博热搜", search)

    def content(self) -> Widget:
        """Return the tabs and the list."""
        kinds = TABS[self.tab]
        topics = [topic for topic in content.hot_topics() if not kinds or topic.category in kinds]
        strip = tab_strip(self.skin, tuple(TABS), self.tab, self.pick_tab, rid="hot_tabs")
        if not topics:
            return Column(
                width=MATCH,
                height=MATCH,
                weight=1,
                children=(strip, message_page(self.skin, "fire", "暂无内容")),
            )
        banner = Row(
            width=MATCH,
            height=60,
            background=Gradient(RED, ORANGE, horizontal=True),
            padding=insets(16, 0),
            children=(
                Column(
                    gap=3,
                    children=(
                        Text(text=f"微博{self.tab}榜", size=19, bold=True, color="#FFFFFF"),
                        Text(text="实时热点，每分钟更新一次", size=11, color="#F2FFFFFF"),
                    ),
                ),
            ),
        )
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                strip,
                ListView(
                    id="hot_list",
                    key=f"hot-{self.tab}",
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    gap=0.7,
                    items=topics,
                    item_height=52,
                    header=(banner,),
                    build=lambda topic, place: self._row(topic, place + 1),
                ),
            ),
        )

    def _row(self, topic: Topic, place: int) -> Widget:
        return Row(
            key=topic.topic,
            id="hot_row",
            width=MATCH,
            height=52,
            gap=10,
            background=self.skin.card,
            padding=insets(16, 0),
            on_click=self.opens(names.TOPIC, topic=topic.topic),
            children=(
                Text(
                    id="hot_rank",
                    text=str(place),
                    size=16,
                    bold=True,
                    color=RED if place <= 3 else ORANGE,
                    width=24,
                ),
                Text(id="hot_text", text=topic.topic, size=15, color=self.skin.ink, max_lines=1, weight=1),
                mark(topic),
                Text(id="hot_heat", text=str(topic.heat), size=12, color=self.skin.ink_3),
            ),
        )
