"""排行榜 and 每周必看."""

from __future__ import annotations

from garabench.virtual.apps.bilibili import content
from garabench.virtual.apps.bilibili.cards import video_row
from garabench.virtual.apps.bilibili.content import count_text
from garabench.virtual.apps.bilibili.page import BilibiliPage
from garabench.virtual.apps.bilibili.theme import INK_3, PINK, WHITE, icon_button, tab_strip
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Gradient,
    Handler,
    ImageView,
    ListView,
    Row,
    Text,
    Widget,
    insets,
)


class RankingActivity(BilibiliPage):
    """The most popular videos of all channels or one, with their ranks."""

    def on_create(self) -> None:
        """Start with all channels."""
        self.board = "全站"

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar("排行榜")

    def content(self) -> Widget:
        """Return the boards as tabs above the list."""
        boards = content.feed()["ranking"]

        def chooses(board: str) -> Handler:
            def run() -> None:
                self.board = board

            return run

        strip = Row(
            width=MATCH,
            background=WHITE,
            children=(
                tab_strip(
                    tuple(boards), self.board, {board: chooses(board) for board in boards}, rid="rank_tabs"
                ),
            ),
        )
        note = Text(
            text="根据稿件内容质量、近期的数据综合展示，动态更新",
            size=12,
            color=INK_3,
            padding=insets(14, 10, 14, 4),
            background=WHITE,
            width=MATCH,
        )
        now = self.ctx.now()
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                strip,
                ListView(
                    id="rank_list",
                    key=f"rank-{self.board}",
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    items=content.pick(boards[self.board]),
                    header=(note,),
                    build=lambda video, place: video_row(
                        video,
                        self.opens(video),
                        now=now,
                        on_more=self.opens_menu(video),
                        rank=place + 1,
                        rid="rank_item",
                    ),
                ),
            ),
        )


class WeeklyActivity(BilibiliPage):
    """The editors' picks by week."""

    status_bar = "#FFFFFF"

    def on_create(self) -> None:
        """Start with the latest week."""
        self.week = 0

    def bar(self) -> Widget:
        """Return the title bar with the week picker."""
        return self.back_bar(
            "每周必看",
            icon_button(
                "calendar", rid="weekly_previous", desc="往期", color=PINK, on_click=self.show_previous_week
            ),
        )

    def show_previous_week(self) -> None:
        """Show the previous week; after the oldest one, the latest again."""
        self.week = (self.week + 1) % len(content.feed()["weekly"])

    def content(self) -> Widget:
        """Return a banner with the theme above the picks."""
        week = content.feed()["weekly"][self.week]
        banner = Box(
            width=MATCH,
            height=140,
            children=(
                ImageView(
                    seed=f"weekly-{week['number']}", kind="banner", width=MATCH, height=140, important=False
                ),
                Widget(
                    width=MATCH, height=140, background=Gradient("#20000000", "#B0000000"), important=False
                ),
                Column(
                    align_vertical=Align.END,
                    padding=insets(16, 0, 16, 14),
                    gap=3,
                    children=(
                        Text(id="weekly_theme", text=week["theme"], size=21, bold=True, color=WHITE),
                        Text(id="weekly_number", text=week["title"], size=12, color="#E6FFFFFF"),
                    ),
                ),
            ),
        )
        return ListView(
            id="weekly_list",
            key=f"weekly-{self.week}",
            width=MATCH,
            height=MATCH,
            weight=1,
            items=content.pick(week["videos"]),
            header=(banner,),
            build=lambda video, place: video_row(
                video,
                self.opens(video),
                note=f"{count_text(video.plays)}观看 · 编辑推荐",
                on_more=self.opens_menu(video),
                rid="weekly_item",
            ),
        )
