"""The tabs of 首页: recommendations, popular, live rooms, animation and film."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from garabench.virtual.apps.bilibili import content, names
from garabench.virtual.apps.bilibili.cards import CARD_INSETS, video_card, video_row
from garabench.virtual.apps.bilibili.content import Video
from garabench.virtual.apps.bilibili.theme import GAP, INK, INK_3, PINK, WHITE
from garabench.virtual.ui.widgets import (
    MATCH,
    WRAP,
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
    insets,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.bilibili.home import BilibiliMainActivity

HOT_ENTRIES = (
    ("排行榜", "trophy", "#FF7F24"),
    ("每周必看", "calendar-check", "#00AEEC"),
    ("入站必刷", "fire", "#FB7299"),
)


def _grid(page: BilibiliMainActivity, videos: Sequence[Video], header: Sequence[Widget] = ()) -> Widget:
    return ListView(
        id="feed_list",
        key=f"feed-{page.top}",
        width=MATCH,
        height=MATCH,
        weight=1,
        columns=2,
        gap=GAP,
        padding=CARD_INSETS,
        items=videos,
        header=header,
        build=lambda video, _: video_card(video, page.opens(video), page.opens_menu(video)),
    )


def recommended(page: BilibiliMainActivity) -> Widget:
    """Return the endless page of cards, with a banner at the top."""
    first, *_ = content.pick(content.feed()["weekly"][0]["videos"])
    banner = Box(
        id="banner",
        width=MATCH,
        height=WRAP,
        radius=8,
        on_click=lambda: page.ctx.open(names.WEEKLY),
        children=(
            ImageView(seed="banner-weekly", kind="banner", width=MATCH, height=WRAP, aspect=2.6, radius=8),
            Row(
                width=MATCH,
                height=44,
                padding=insets(12, 12, 12, 0),
                radius=8,
                background=Gradient("#00000000", "#B0000000"),
                align_vertical=Align.END,
                children=(
                    Text(
                        id="banner_title",
                        text=f"每周必看 · {content.feed()['weekly'][0]['theme']}",
                        size=14,
                        bold=True,
                        color=WHITE,
                        max_lines=1,
                    ),
                ),
            ),
        ),
    )
    videos = [video for video in content.pick(content.feed()["recommend"]) if video != first]
    return _grid(page, videos, (banner,))


def channel(page: BilibiliMainActivity, name: str) -> Widget:
    """Return 动画 or 影视: its own picks, then other matching videos."""
    own = content.pick(content.feed()[name])
    rest = [video for video in content.in_channel("动画" if name == "anime" else "影视") if video not in own]
    return _grid(page, [*own, *rest])


def hot(page: BilibiliMainActivity) -> Widget:
    """Return 热门: the links to the rankings above the popular videos."""
    entries = Row(
        id="hot_entries",
        width=MATCH,
        padding=insets(12, 14),
        background=WHITE,
        margin=insets(0, 0, 0, 8),
        justify=Align.SPACE_AROUND,
        children=[_entry(label, icon, color, _opens(page, label)) for label, icon, color in HOT_ENTRIES],
    )
    now = page.ctx.now()
    return ListView(
        id="feed_list",
        key="feed-hot",
        width=MATCH,
        height=MATCH,
        weight=1,
        items=content.pick(content.feed()["hot"]),
        header=(entries,),
        build=lambda video, _: video_row(video, page.opens(video), now=now, on_more=page.opens_menu(video)),
    )


def _opens(page: BilibiliMainActivity, label: str) -> Handler:
    match label:
        case "排行榜":
            return lambda: page.ctx.open(names.RANKING)
        case "每周必看":
            return lambda: page.ctx.open(names.WEEKLY)
        case _:
            return lambda: page.ctx.toast("入站必刷正在整理中，先看看排行榜吧")


def _entry(label: str, icon: str, color: str, on_click: Handler) -> Widget:
    return Column(
        key=label,
        width=96,
        gap=6,
        align=Align.CENTER,
        on_click=on_click,
        children=(
            Box(
                width=46,
                height=46,
                radius=23,
                background=color,
                children=(
                    Icon(
                        name=icon,
                        size=26,
                        color=WHITE,
                        align_self=Align.CENTER,
                        align_vertical=Align.CENTER,
                        important=False,
                    ),
                ),
            ),
            Text(id="entry_name", text=label, size=13, color=INK),
        ),
    )


def live(page: BilibiliMainActivity) -> Widget:
    """Return 直播: the current live rooms."""

    def room(row: dict[str, str], _: int) -> Widget:
        host = content.uploaders()[row["host"]]
        return Column(
            id="live_card",
            width=MATCH,
            background=WHITE,
            radius=6,
            on_click=lambda: page.ctx.toast("主播正在调试设备，稍后再来"),
            children=(
                Box(
                    width=MATCH,
                    height=WRAP,
                    children=(
                        ImageView(
                            seed="live" + row["title"],
                            kind="cover",
                            width=MATCH,
                            height=WRAP,
                            aspect=1.6,
                            radius=6,
                        ),
                        Row(
                            gap=4,
                            margin=insets(6),
                            padding=insets(5, 2),
                            radius=4,
                            background=PINK,
                            children=(
                                Icon(name="live", size=11, color=WHITE, important=False),
                                Text(text="直播中", size=10, color=WHITE),
                            ),
                        ),
                    ),
                ),
                Text(text=row["title"], size=14, color=INK, max_lines=1, margin=insets(8, 7, 8, 2)),
                Text(
                    text=f"{host.name} · {row['area']} · {row['watching']}人看过",
                    size=12,
                    color=INK_3,
                    max_lines=1,
                    margin=insets(8, 0, 8, 8),
                ),
            ),
        )

    return ListView(
        id="live_list",
        width=MATCH,
        height=MATCH,
        weight=1,
        columns=2,
        gap=GAP,
        padding=CARD_INSETS,
        items=content.feed()["live"],
        build=room,
    )
