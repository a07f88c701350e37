"""Youth mode, the creator page and messages: targets of interruptions and menu entries."""

from __future__ import annotations

from garabench.virtual.apps.bilibili import content
from garabench.virtual.apps.bilibili.cards import avatar
from garabench.virtual.apps.bilibili.page import BilibiliPage
from garabench.virtual.apps.bilibili.theme import BLUE, INK, INK_2, INK_3, LINE, PINK, PINK_SOFT, WHITE
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Button,
    Column,
    Gradient,
    Icon,
    ListView,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
    spacer,
)

POINTS = (
    ("精选内容", "为未成年人挑选适龄的动画、知识和纪录片", "star"),
    ("使用时长", "每日累计使用 40 分钟后需要监护人密码", "clock"),
    ("夜间禁用", "每日 22:00 至次日 6:00 无法使用", "moon"),
    ("禁止打赏", "无法充值、打赏和购买会员", "wallet"),
)


class TeenagersModeActivity(BilibiliPage):
    """青少年守护."""

    needs_network = False

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar("青少年守护")

    def toggle(self) -> None:
        """Turn the mode on or off."""
        self.store.set_teen(not self.store.teen)
        self.ctx.toast("青少年模式已开启" if self.store.teen else "青少年模式已关闭")

    def content(self) -> Widget:
        """Return the description of the mode, and its switch."""
        on = self.store.teen
        points = [
            Row(
                width=MATCH,
                gap=14,
                children=(
                    Box(
                        width=40,
                        height=40,
                        radius=20,
                        background=PINK_SOFT,
                        children=(
                            Icon(
                                name=icon,
                                size=21,
                                color=PINK,
                                align_self=Align.CENTER,
                                align_vertical=Align.CENTER,
                                important=False,
                            ),
                        ),
                    ),
                    Column(
                        weight=1,
                        gap=2,
                        children=(
                            Text(text=title, size=15, bold=True, color=INK),
                            Text(text=words, size=12, color=INK_3),
                        ),
                    ),
                ),
            )
            for title, words, icon in POINTS
        ]
        return ScrollView(
            id="teen_page",
            width=MATCH,
            height=MATCH,
            weight=1,
            background=WHITE,
            padding=insets(24, 24),
            gap=20,
            children=(
                Box(
                    width=96,
                    height=96,
                    radius=48,
                    background=Gradient("#FFB6C9", PINK),
                    align_self=Align.CENTER,
                    children=(
                        Icon(
                            name="shield",
                            size=52,
                            color=WHITE,
                            align_self=Align.CENTER,
                            align_vertical=Align.CENTER,
                            important=False,
                        ),
                    ),
                ),
                Text(
                    id="teen_state",
                    text="青少年模式已开启" if on else "青少年模式未开启",
                    size=19,
                    bold=True,
                    color=INK,
                    align=Align.CENTER,
                    width=MATCH,
                ),
                *points,
                Button(
                    id="teen_switch",
                    text="关闭青少年模式" if on else "开启青少年模式",
                    size=16,
                    color=INK_2 if on else WHITE,
                    background=LINE if on else PINK,
                    radius=22,
                    width=MATCH,
                    margin=insets(0, 10, 0, 0),
                    padding=insets(0, 12),
                    on_click=self.toggle,
                ),
            ),
        )


class CreatorActivity(BilibiliPage):
    """创作中心."""

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar("创作中心")

    def content(self) -> Widget:
        """Return the statistics of the last days, and tasks."""
        numbers = (
            ("播放量", "1,204"),
            ("新增粉丝", "+3"),
            ("评论", "16"),
            ("弹幕", "42"),
            ("点赞", "88"),
            ("收藏", "21"),
        )
        rows = [numbers[at : at + 3] for at in range(0, len(numbers), 3)]
        return ScrollView(
            id="creator_page",
            width=MATCH,
            height=MATCH,
            weight=1,
            padding=insets(12),
            gap=12,
            children=(
                Column(
                    width=MATCH,
                    background=WHITE,
                    radius=10,
                    padding=insets(14),
                    gap=14,
                    children=(
                        Row(
                            width=MATCH,
                            children=(
                                Text(text="数据中心", size=16, bold=True, color=INK),
                                spacer(),
                                Text(text="近7日", size=12, color=INK_3),
                            ),
                        ),
                        *(
                            Row(
                                width=MATCH,
                                children=[
                                    Column(
                                        weight=1,
                                        gap=3,
                                        align=Align.CENTER,
                                        children=(
                                            Text(text=value, size=18, bold=True, color=INK),
                                            Text(text=label, size=12, color=INK_3),
                                        ),
                                    )
                                    for label, value in row
                                ],
                            )
                            for row in rows
                        ),
                    ),
                ),
                Column(
                    width=MATCH,
                    background=WHITE,
                    radius=10,
                    padding=insets(14),
                    gap=10,
                    children=(
                        Text(text="创作任务", size=16, bold=True, color=INK),
                        Text(text="本周发布一个视频，可得 10 点创作力", size=13, color=INK_2),
                        Button(
                            text="去投稿",
                            size=14,
                            color=WHITE,
                            background=PINK,
                            radius=18,
                            width=MATCH,
                            on_click=lambda: self.ctx.toast("登录创作者账号后即可投稿"),
                        ),
                    ),
                ),
            ),
        )


class MessagesActivity(BilibiliPage):
    """消息."""

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar("消息")

    def content(self) -> Widget:
        """Return replies, likes and notices above the chats."""
        kinds = (
            ("回复我的", "comment", BLUE),
            ("@我", "at", "#5CB67B"),
            ("收到的赞", "like-filled", PINK),
            ("系统通知", "bell", "#FFB027"),
        )
        header = Row(
            width=MATCH,
            background=WHITE,
            padding=insets(0, 14),
            margin=insets(0, 0, 0, 8),
            children=[
                Column(
                    weight=1,
                    gap=7,
                    align=Align.CENTER,
                    children=(
                        Box(
                            width=44,
                            height=44,
                            radius=22,
                            background=color,
                            children=(
                                Icon(
                                    name=icon,
                                    size=23,
                                    color=WHITE,
                                    align_self=Align.CENTER,
                                    align_vertical=Align.CENTER,
                                    important=False,
                                ),
                            ),
                        ),
                        Text(text=label, size=12, color=INK_2),
                    ),
                )
                for label, icon, color in kinds
            ],
        )
        talks = [content.uploaders()[user] for user in self.store.follows()[:5]]
        return ListView(
            id="message_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            items=talks,
            header=(header,),
            build=lambda user, _: Row(
                key=user.id,
                width=MATCH,
                gap=12,
                background=WHITE,
                padding=insets(14, 10),
                children=(
                    avatar(user.id, 46),
                    Column(
                        weight=1,
                        gap=4,
                        children=(
                            Text(text=user.name, size=15, color=INK, max_lines=1),
                            Text(text="感谢关注，常来看看呀", size=13, color=INK_3, max_lines=1),
                        ),
                    ),
                    Text(text="5-18", size=11, color=INK_3),
                ),
            ),
        )
