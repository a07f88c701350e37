"""An uploader's page: profile, videos, posts."""

from __future__ import annotations

import datetime as dt

from garabench.virtual.apps.bilibili import content
from garabench.virtual.apps.bilibili.cards import avatar, video_row
from garabench.virtual.apps.bilibili.content import age_text, count_text
from garabench.virtual.apps.bilibili.page import BilibiliPage
from garabench.virtual.apps.bilibili.theme import (
    INK,
    INK_2,
    INK_3,
    ORANGE,
    PINK,
    WHITE,
    follow_button,
    icon_button,
    level_badge,
    message_page,
    tab_strip,
)
from garabench.virtual.apps.bilibili.video_sheets import confirm_sheet
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Gradient,
    Handler,
    Icon,
    ImageView,
    ListView,
    Row,
    Text,
    Widget,
    divider,
    insets,
    spacer,
)

TABS = ("主页", "动态", "投稿")
ORDERS = {"最新发布": "published", "最多播放": "plays"}


class SpaceActivity(BilibiliPage):
    """The page of an uploader."""

    status_bar = "#FFFFFF"

    def on_create(self) -> None:
        """Start on the home tab."""
        known = content.uploaders()
        self.user = known.get(str(self.intent.extras.get("uploader", ""))) or next(iter(known.values()))
        self.tab = "主页"
        self.order = "最新发布"
        self.asking = False

    def dialog(self) -> Widget | None:
        """Return the confirmation before unfollowing, or the menu of a video, if open."""
        if self.asking:
            return confirm_sheet(
                f"不再关注 {self.user.name}？",
                "取消关注",
                self.if_online(self.unfollow),
                self.on_dismiss_dialog,
                rid="unfollow_sheet",
            )
        return super().dialog()

    def on_dismiss_dialog(self) -> None:
        """Close the open overlay."""
        self.asking = False
        super().on_dismiss_dialog()

    def follow(self) -> None:
        """Follow the uploader, or ask before unfollowing."""
        if self.store.following(self.user.id):
            self.asking = True
            return
        self.store.set_following(self.user.id, True)
        self.ctx.toast("关注成功")

    def unfollow(self) -> None:
        """Unfollow the uploader after confirmation."""
        self.asking = False
        self.store.set_following(self.user.id, False)
        self.ctx.toast("已取消关注")

    def bar(self) -> Widget:
        """Return the bar: back, the name, and search."""
        return self.back_bar(
            self.user.name,
            icon_button(
                "search", desc="搜索", color=INK, on_click=lambda: self.ctx.toast("空间内搜索暂不可用")
            ),
            icon_button(
                "more", desc="更多选项", color=INK, on_click=lambda: self.ctx.toast("已复制空间链接")
            ),
        )

    def content(self) -> Widget:
        """Return the profile and the tabs above the list of the selected tab; the whole page scrolls."""
        works = content.videos_of(self.user.id, by=ORDERS[self.order] if self.tab == "投稿" else "published")
        header: list[Widget] = [self._banner(), self._facts(), self._tabs(len(works))]
        now = self.ctx.now()
        if self.tab == "动态":
            posts = [row for row in content.feed()["dynamics"] if row["user"] == self.user.id]
            if not posts:
                header.append(
                    Box(width=MATCH, height=260, children=(message_page("dynamic", "TA还没有发过动态"),))
                )
            return self._list(posts, header, lambda row, _: self._post(row))
        header.append(self._order() if self.tab == "投稿" else self._heading(len(works)))
        return self._list(
            works,
            header,
            lambda video, _: video_row(
                video, self.opens(video), now=now, on_more=self.opens_menu(video), rid="space_item"
            ),
        )

    def _list(self, items: object, header: list[Widget], build: object) -> Widget:
        return ListView(
            id="space_list",
            key=f"space-{self.tab}-{self.order}",
            width=MATCH,
            height=MATCH,
            weight=1,
            background=WHITE,
            items=items,  # type: ignore[arg-type]
            header=header,
            build=build,  # type: ignore[arg-type]
        )

    def _banner(self) -> Widget:
        return Box(
            width=MATCH,
            height=96,
            children=(
                ImageView(
                    seed=f"space-{self.user.id}", kind="banner", width=MATCH, height=96, important=False
                ),
                Widget(
                    width=MATCH, height=96, background=Gradient("#00000000", "#40000000"), important=False
                ),
            ),
        )

    def _facts(self) -> Widget:
        user = self.user
        following = self.store.following(user.id)
        numbers = Row(
            width=MATCH,
            children=[
                Column(
                    weight=1,
                    gap=1,
                    align=Align.CENTER,
                    children=(
                        Text(id=f"{name}_count", text=count_text(number), size=16, bold=True, color=INK),
                        Text(text=label, size=11, color=INK_3),
                    ),
                )
                for name, label, number in (
                    ("fans", "粉丝", user.fans + following),
                    ("following", "关注", user.following),
                    ("likes", "获赞", user.likes),
                )
            ],
        )
        rows: list[Widget] = [
            Row(
                width=MATCH,
                gap=14,
                align=Align.CENTER,
                children=(
                    avatar(user.id, 78),
                    Column(
                        weight=1,
                        gap=10,
                        children=(
                            numbers,
                            Row(
                                width=MATCH,
                                gap=8,
                                children=(
                                    Text(
                                        text="发消息",
                                        size=13,
                                        color=PINK,
                                        border=PINK,
                                        radius=16,
                                        padding=insets(14, 5),
                                        on_click=lambda: self.ctx.toast("对方设置了私信权限"),
                                    ),
                                    spacer(),
                                    follow_button(following, self.if_online(self.follow)),
                                ),
                            ),
                        ),
                    ),
                ),
            ),
            Row(
                gap=8,
                margin=insets(0, 12, 0, 0),
                children=(
                    Text(id="space_name", text=user.name, size=18, bold=True, color=INK, max_lines=1),
                    level_badge(user.level),
                ),
            ),
        ]
        if user.verified:
            rows.append(
                Row(
                    gap=5,
                    margin=insets(0, 6, 0, 0),
                    children=(
                        Icon(name="verified", size=15, color=ORANGE, important=False),
                        Text(id="verified", text=user.verified, size=12, color=ORANGE, max_lines=1),
                    ),
                )
            )
        rows.append(Text(id="sign", text=user.sign, size=13, color=INK_2, margin=insets(0, 6, 0, 0)))
        return Column(width=MATCH, padding=insets(14, 12, 14, 10), children=rows)

    def _tabs(self, works: int) -> Widget:
        def chooses(tab: str) -> Handler:
            def run() -> None:
                self.tab = tab

            return run

        return Column(
            width=MATCH,
            children=(
                tab_strip(
                    TABS,
                    self.tab,
                    {tab: chooses(tab) for tab in TABS},
                    rid="space_tabs",
                    gap=34,
                    counts={"投稿": str(works)},
                ),
                divider(),
            ),
        )

    def _heading(self, works: int) -> Widget:
        def all_works() -> None:
            self.tab = "投稿"

        return Row(
            width=MATCH,
            padding=insets(14, 10, 8, 2),
            children=(
                Text(text="视频", size=15, bold=True, color=INK),
                Text(text=str(works), size=12, color=INK_3, margin=insets(6, 2, 0, 0)),
                spacer(),
                Row(
                    on_click=all_works,
                    padding=insets(6, 4),
                    children=(
                        Text(id="space_all", text="查看更多", size=12, color=INK_3),
                        Icon(name="chevron-right", size=16, color=INK_3, important=False),
                    ),
                ),
            ),
        )

    def _order(self) -> Widget:
        def toggle() -> None:
            self.order = "最多播放" if self.order == "最新发布" else "最新发布"

        return Row(
            width=MATCH,
            height=42,
            padding=insets(14, 0, 8, 0),
            children=(
                Icon(name="play-circle", size=17, color=INK_2, important=False),
                Text(
                    text="播放全部",
                    size=13,
                    color=INK_2,
                    margin=insets(6, 0),
                ),
                spacer(),
                Row(
                    id="space_order",
                    gap=4,
                    padding=insets(8, 8),
                    on_click=toggle,
                    children=(
                        Icon(name="sort", size=15, color=INK_3, important=False),
                        Text(id="space_order_text", text=self.order, size=13, color=INK_3),
                    ),
                ),
            ),
        )

    def _post(self, row: dict[str, str]) -> Widget:
        at = dt.datetime.fromisoformat(row["at"])
        return Column(
            key=row["id"],
            id="dy_card",
            width=MATCH,
            gap=8,
            padding=insets(14, 12),
            children=(
                Row(
                    gap=10,
                    children=(
                        avatar(self.user.id, 36),
                        Column(
                            children=(
                                Text(text=self.user.name, size=14, color=PINK, bold=True),
                                Text(text=age_text(at, self.ctx.now()), size=11, color=INK_3),
                            )
                        ),
                    ),
                ),
                Text(id="dy_text", text=row["text"], size=15, color=INK),
                divider(),
            ),
        )
