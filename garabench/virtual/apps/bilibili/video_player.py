"""The upper part of the video page: the player, and the tabs below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from garabench.virtual.apps.bilibili.cards import cover_text
from garabench.virtual.apps.bilibili.content import count_text
from garabench.virtual.apps.bilibili.theme import (
    INK_3,
    PINK,
    WHITE,
    icon_button,
    tab_strip,
)
from garabench.virtual.apps.bilibili.video_comments import comment_total
from garabench.virtual.apps.bilibili.video_modes import ComposerMode, Overlay
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Gradient,
    Handler,
    Icon,
    ImageView,
    Row,
    Text,
    Widget,
    divider,
    insets,
    spacer,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.bilibili.video import VideoActivity

VISIBLE_DANMAKU = 3
"""Number of the user's own bullet comments that fit over the picture."""


def player(page: VideoActivity) -> Widget:
    """Return the picture with its controls, under the user's bullet comments."""
    video = page.video
    height = page.ctx.width_dp * 9 / 16

    def toggle() -> None:
        page.playing = not page.playing

    own = page.store.danmaku(video)[-VISIBLE_DANMAKU:] if page.danmaku_on else ()
    flying = [
        Text(
            key=f"danmaku-{place}",
            id="danmaku_own",
            text=text,
            size=15,
            bold=True,
            color=WHITE,
            border=WHITE,
            padding=insets(6, 1),
            max_lines=1,
        )
        for place, text in enumerate(own)
    ]
    return Box(
        id="videoview_container",
        desc=f"播放器,{video.title}",
        width=MATCH,
        height=height,
        background="#000000",
        children=(
            ImageView(seed=video.id, kind="cover", width=MATCH, height=height, important=False),
            cover_text(video, 40),
            Widget(width=MATCH, height=height, background="#26000000", important=False),
            Row(
                width=MATCH,
                height=44,
                padding=insets(4, 0),
                background=Gradient("#80000000", "#00000000"),
                children=(
                    icon_button(
                        "arrow-back", rid="player_back", desc="返回", color=WHITE, on_click=page.ctx.finish
                    ),
                    spacer(),
                    icon_button(
                        "cast",
                        desc="投屏",
                        color=WHITE,
                        on_click=lambda: page.ctx.toast("没有发现可投屏的设备"),
                    ),
                    icon_button(
                        "more",
                        rid="player_more",
                        desc="更多选项",
                        color=WHITE,
                        on_click=page.opens_overlay(Overlay.SHARE),
                    ),
                ),
            ),
            Column(gap=5, margin=insets(48, 46, 16, 0), align=Align.START, children=flying),
            Row(
                width=MATCH,
                height=40,
                gap=6,
                padding=insets(4, 0, 10, 0),
                align_vertical=Align.END,
                background=Gradient("#00000000", "#99000000"),
                children=(
                    icon_button(
                        "pause" if page.playing else "play",
                        rid="player_play",
                        desc="暂停" if page.playing else "播放",
                        color=WHITE,
                        on_click=toggle,
                    ),
                    Box(
                        weight=1,
                        height=3,
                        background="#66FFFFFF",
                        radius=2,
                        children=(Widget(width=6, height=3, background=PINK, radius=2, important=False),),
                    ),
                    Text(id="player_time", text=f"00:03/{video.duration}", size=11, color=WHITE),
                    Icon(name="fullscreen", size=20, color=WHITE, important=False),
                ),
            ),
        ),
    )


def tabs(page: VideoActivity) -> Widget:
    """Return the tabs 简介 and 评论, and the box for bullet comments."""

    def chooses(tab: str) -> Handler:
        def run() -> None:
            page.tab = tab

        return run

    def toggle() -> None:
        page.danmaku_on = not page.danmaku_on
        page.ctx.toast("弹幕已开启" if page.danmaku_on else "弹幕已关闭")

    return Column(
        width=MATCH,
        background=WHITE,
        children=(
            Row(
                width=MATCH,
                height=42,
                padding=insets(0, 0, 10, 0),
                children=(
                    tab_strip(
                        ("简介", "评论"),
                        page.tab,
                        {tab: chooses(tab) for tab in ("简介", "评论")},
                        counts={"评论": count_text(comment_total(page))},
                        gap=20,
                    ),
                    spacer(),
                    Row(
                        height=30,
                        radius=15,
                        border="#E3E5E7",
                        children=(
                            Text(
                                id="danmaku_entry",
                                text="点我发弹幕",
                                size=12,
                                color=INK_3,
                                padding=insets(14, 7, 10, 7),
                                on_click=page.opens_composer(ComposerMode.DANMAKU),
                            ),
                            Text(
                                id="danmaku_switch",
                                desc="关闭弹幕" if page.danmaku_on else "开启弹幕",
                                text="弹",
                                size=12,
                                bold=True,
                                color=PINK if page.danmaku_on else INK_3,
                                padding=insets(8, 7, 12, 7),
                                selected=page.danmaku_on,
                                on_click=toggle,
                            ),
                        ),
                    ),
                ),
            ),
            divider(),
        ),
    )
