"""我的: the account."""

from __future__ import annotations

from typing import TYPE_CHECKING

from garabench.virtual.apps.bilibili import names
from garabench.virtual.apps.bilibili.cards import avatar
from garabench.virtual.apps.bilibili.theme import (
    BLUE,
    INK,
    INK_2,
    INK_3,
    ORANGE,
    PINK,
    PINK_SOFT,
    WHITE,
    icon_button,
    level_badge,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Gradient,
    Handler,
    Icon,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
    spacer,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.bilibili.home import BilibiliMainActivity

Entry = tuple[str, str, str, str]
"""Label, icon, colour, activity (empty: a toast)."""

FREQUENT: tuple[Entry, ...] = (
    ("离线缓存", "download", BLUE, names.OFFLINE),
    ("历史记录", "history", BLUE, names.HISTORY),
    ("我的收藏", "star", BLUE, names.FAVORITES),
    ("稍后再看", "watch-later", BLUE, names.LATER),
)
CREATION: tuple[Entry, ...] = (
    ("创作中心", "bulb", PINK, names.CREATOR),
    ("稿件管理", "film", PINK, ""),
    ("任务中心", "check-circle", PINK, ""),
    ("有奖活动", "gift", PINK, ""),
)
RECOMMENDED: tuple[Entry, ...] = (
    ("我的课程", "book", ORANGE, ""),
    ("看视频免流量", "signal", ORANGE, ""),
    ("个性装扮", "shirt", ORANGE, ""),
    ("我的钱包", "wallet", ORANGE, ""),
    ("直播中心", "live", ORANGE, ""),
    ("漫画", "comic", ORANGE, ""),
    ("必火推广", "rocket", ORANGE, ""),
    ("社区中心", "flag", ORANGE, ""),
)
MORE: tuple[tuple[str, str, str], ...] = (
    ("联系客服", "headset", ""),
    ("听视频", "headphones", ""),
    ("未成年人守护", "shield", names.TEEN),
    ("设置", "settings", names.SETTINGS),
)


def mine_page(page: BilibiliMainActivity) -> Widget:
    """Return the 我的 tab."""
    return ScrollView(
        id="mine_scroll",
        width=MATCH,
        height=MATCH,
        weight=1,
        children=(
            _top(page),
            _account(page),
            _counts(page),
            _vip(page),
            _grid(page, "", FREQUENT),
            _grid(page, "创作中心", CREATION),
            _grid(page, "推荐服务", RECOMMENDED),
            _more(page),
        ),
    )


def _opens(page: BilibiliMainActivity, label: str, activity: str) -> Handler:
    if activity:
        return lambda: page.ctx.open(activity)
    return lambda: page.ctx.toast(f"{label}暂未开放")


def _top(page: BilibiliMainActivity) -> Widget:
    return Row(
        width=MATCH,
        height=44,
        background=WHITE,
        padding=insets(4, 0),
        children=(
            spacer(),
            icon_button("scan", desc="扫一扫", on_click=lambda: page.ctx.toast("没有相机权限，无法扫码")),
            icon_button("moon", desc="夜间模式", on_click=lambda: page.ctx.toast("可在设置中开启深色模式")),
        ),
    )


def _account(page: BilibiliMainActivity) -> Widget:
    who = page.store.profile
    return Row(
        width=MATCH,
        gap=14,
        padding=insets(16, 4, 12, 10),
        background=WHITE,
        children=(
            avatar("me", 62),
            Column(
                weight=1,
                gap=5,
                children=(
                    Row(
                        gap=6,
                        children=(
                            Text(
                                id="user_name", text=who["name"], size=18, bold=True, color=INK, max_lines=1
                            ),
                            level_badge(who["level"]),
                        ),
                    ),
                    Text(
                        text="正式会员",
                        align_self=Align.START,
                        size=10,
                        color=PINK,
                        border=PINK,
                        border_width=0.7,
                        radius=3,
                        padding=insets(4, 1),
                    ),
                    Row(
                        gap=16,
                        children=(
                            Text(text="B币：0.0", size=12, color=INK_3),
                            Text(
                                id="coin_balance", text=f"硬币：{page.store.coins_left}", size=12, color=INK_3
                            ),
                        ),
                    ),
                ),
            ),
            Text(text="空间", size=13, color=INK_3),
            Icon(name="chevron-right", size=18, color=INK_3, important=False),
        ),
    )


def _counts(page: BilibiliMainActivity) -> Widget:
    who = page.store.profile
    counts = (
        ("动态", who["dynamics"], ""),
        ("关注", len(page.store.follows()), names.FOLLOWS),
        ("粉丝", who["fans"], ""),
    )
    return Row(
        width=MATCH,
        background=WHITE,
        padding=insets(0, 4, 0, 14),
        children=[
            Column(
                key=label,
                weight=1,
                gap=2,
                align=Align.CENTER,
                on_click=_opens(page, label, activity),
                children=(
                    Text(id=f"count_{place}", text=str(number), size=17, bold=True, color=INK),
                    Text(text=label, size=12, color=INK_3),
                ),
            )
            for place, (label, number, activity) in enumerate(counts)
        ],
    )


def _vip(page: BilibiliMainActivity) -> Widget:
    return Row(
        id="vip_entry",
        width=MATCH,
        background=WHITE,
        padding=insets(12, 0, 12, 12),
        on_click=lambda: page.ctx.open(names.VIP),
        children=(
            Row(
                weight=1,
                height=58,
                radius=8,
                gap=10,
                background=Gradient("#FFDCE6", "#FFF3E8", horizontal=True),
                padding=insets(14, 0),
                children=(
                    Icon(name="crown", size=24, color=PINK, important=False),
                    Column(
                        weight=1,
                        gap=1,
                        children=(
                            Text(text="成为大会员", size=15, bold=True, color=PINK),
                            Text(
                                text="看番剧、听音乐、享 1080P 高码率", size=11, color="#C9566F", max_lines=1
                            ),
                        ),
                    ),
                    Text(
                        text="会员中心",
                        size=12,
                        color=WHITE,
                        background=PINK,
                        radius=14,
                        padding=insets(12, 5),
                    ),
                ),
            ),
        ),
    )


def _grid(page: BilibiliMainActivity, title: str, entries: tuple[Entry, ...]) -> Widget:
    rows = [entries[at : at + 4] for at in range(0, len(entries), 4)]
    header: list[Widget] = []
    if title:
        header.append(
            Row(
                width=MATCH,
                padding=insets(16, 12, 12, 0),
                children=(
                    Text(
                        text=title if title != "创作中心" else "发布你的作品", size=15, bold=True, color=INK
                    ),
                    spacer(),
                    *((_publish(page),) if title == "创作中心" else ()),
                ),
            )
        )
    return Column(
        width=MATCH,
        background=WHITE,
        margin=insets(0, 0, 0, 8) if title else insets(0),
        padding=insets(0, 4, 0, 8),
        children=(
            *header,
            *(Row(width=MATCH, children=[_cell(page, entry) for entry in row]) for row in rows),
        ),
    )


def _publish(page: BilibiliMainActivity) -> Widget:
    return Row(
        gap=4,
        radius=14,
        background=PINK_SOFT,
        padding=insets(12, 5),
        on_click=lambda: page.ctx.toast("登录创作者账号后即可投稿"),
        children=(
            Icon(name="upload", size=14, color=PINK, important=False),
            Text(text="发布", size=12, color=PINK),
        ),
    )


def _cell(page: BilibiliMainActivity, entry: Entry) -> Widget:
    label, icon, color, activity = entry
    return Column(
        key=label,
        weight=1,
        height=74,
        gap=7,
        align=Align.CENTER,
        justify=Align.CENTER,
        on_click=_opens(page, label, activity),
        children=(
            Icon(name=icon, size=26, color=color, important=False),
            Text(id="mine_entry", text=label, size=12, color=INK_2),
        ),
    )


def _more(page: BilibiliMainActivity) -> Widget:
    return Column(
        width=MATCH,
        background=WHITE,
        children=(
            Text(text="更多服务", size=15, bold=True, color=INK, padding=insets(16, 12, 16, 4)),
            *(
                Row(
                    key=label,
                    width=MATCH,
                    height=50,
                    gap=14,
                    padding=insets(16, 0),
                    on_click=_opens(page, label, activity),
                    children=(
                        Icon(name=icon, size=22, color=INK_2, important=False),
                        Text(id="mine_row", text=label, size=15, color=INK, weight=1),
                        Icon(name="chevron-right", size=18, color=INK_3, important=False),
                    ),
                )
                for label, icon, activity in MORE
            ),
            spacer(12),
        ),
    )
