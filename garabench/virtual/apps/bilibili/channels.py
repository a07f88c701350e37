"""频道: the index of channels, and a channel's page."""

from __future__ import annotations

from garabench.virtual.apps.bilibili import content, names
from garabench.virtual.apps.bilibili.cards import CARD_INSETS, video_card
from garabench.virtual.apps.bilibili.page import BilibiliPage
from garabench.virtual.apps.bilibili.theme import GAP, INK, INK_3, WHITE, icon_button, tab_strip
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Handler,
    Icon,
    ListView,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
)

CHANNEL_STYLES = {
    "番剧": ("tv", "#FB7299"),
    "国创": ("cloud", "#F25D8E"),
    "音乐": ("music", "#00AEEC"),
    "舞蹈": ("dance", "#FF8A65"),
    "游戏": ("game", "#7E57C2"),
    "知识": ("bulb", "#FFB027"),
    "科技": ("phone", "#26A69A"),
    "运动": ("run", "#66BB6A"),
    "汽车": ("car", "#5C6BC0"),
    "生活": ("sun", "#FFA726"),
    "美食": ("food", "#EF5350"),
    "动物圈": ("paw", "#8D6E63"),
    "鬼畜": ("ghost", "#AB47BC"),
    "影视": ("film", "#42A5F5"),
    "纪录片": ("globe", "#29B6F6"),
    "资讯": ("news", "#78909C"),
    "动画": ("palette", "#EC407A"),
}
COLUMNS = 4


class ChannelsActivity(BilibiliPage):
    """All channels, the frequently used ones at the top."""

    needs_network = False

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar("频道")

    def content(self) -> Widget:
        """Return two blocks of round icons."""
        data = content.feed()
        return ScrollView(
            id="region_scroll",
            width=MATCH,
            height=MATCH,
            weight=1,
            padding=insets(12),
            gap=12,
            children=(
                self._block("快捷访问", "quick", data["quick_access"]),
                self._block("全部分区", "all", data["channel_order"]),
            ),
        )

    def _block(self, title: str, key: str, labels: list[str]) -> Widget:
        rows = [labels[at : at + COLUMNS] for at in range(0, len(labels), COLUMNS)]
        return Column(
            id=f"region_{key}",
            width=MATCH,
            background=WHITE,
            radius=10,
            padding=insets(6, 14, 6, 10),
            gap=10,
            children=(
                Text(id="region_heading", text=title, size=15, bold=True, color=INK, padding=insets(8, 0)),
                *(
                    Row(
                        width=MATCH,
                        children=[
                            *(self._cell(label) for label in row),
                            *(Widget(weight=1, important=False) for _ in range(COLUMNS - len(row))),
                        ],
                    )
                    for row in rows
                ),
            ),
        )

    def _cell(self, label: str) -> Widget:
        icon, color = CHANNEL_STYLES[label]
        return Column(
            key=label,
            weight=1,
            height=78,
            gap=7,
            align=Align.CENTER,
            justify=Align.CENTER,
            on_click=lambda: self.ctx.open(names.CHANNEL, channel=label),
            children=(
                Box(
                    width=42,
                    height=42,
                    radius=14,
                    background=color,
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
                ),
                Text(id="region_name", text=label, size=12, color=INK),
            ),
        )


class ChannelActivity(BilibiliPage):
    """The page of a channel."""

    def on_create(self) -> None:
        """Read the channel from the intent."""
        name = str(self.intent.extras.get("channel", ""))
        self.channel = name if name in CHANNEL_STYLES else "音乐"
        self.tab = "推荐"

    def bar(self) -> Widget:
        """Return the bar with the channel's name and the search button."""
        return self.back_bar(
            self.channel,
            icon_button("search", desc="搜索", color=INK, on_click=lambda: self.ctx.open(names.SEARCH)),
        )

    def content(self) -> Widget:
        """Return 推荐 or 最新 as cards."""
        found = content.in_channel(self.channel)
        if self.tab == "最新":
            found = tuple(sorted(found, key=lambda video: video.published, reverse=True))

        def chooses(tab: str) -> Handler:
            def run() -> None:
                self.tab = tab

            return run

        tabs = ("推荐", "最新")
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                Row(
                    width=MATCH,
                    background=WHITE,
                    children=(
                        tab_strip(tabs, self.tab, {tab: chooses(tab) for tab in tabs}, rid="region_tabs"),
                        Text(
                            text=f"{len(found)}个视频",
                            size=12,
                            color=INK_3,
                            weight=1,
                            align=Align.END,
                            padding=insets(0, 0, 14, 0),
                        ),
                    ),
                ),
                ListView(
                    id="region_list",
                    key=f"region-{self.channel}-{self.tab}",
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    columns=2,
                    gap=GAP,
                    padding=CARD_INSETS,
                    items=found,
                    build=lambda video, _: video_card(video, self.opens(video), self.opens_menu(video)),
                ),
            ),
        )
