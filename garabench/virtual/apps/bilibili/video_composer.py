"""The composer of the video page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from garabench.virtual.apps.bilibili.composer import choice_row, composer
from garabench.virtual.apps.bilibili.theme import chip
from garabench.virtual.apps.bilibili.video_modes import ComposerMode
from garabench.virtual.ui.widgets import Handler, Row, Widget

if TYPE_CHECKING:
    from garabench.virtual.apps.bilibili.video import VideoActivity

SIZES = ("小", "标准")
PLACES = ("滚动", "顶部", "底部")
COLORS = {"白色": "#FFFFFF", "粉色": "#FF6699", "蓝色": "#54C3F1", "黄色": "#FFD302"}


def composer_panel(page: VideoActivity) -> Widget:
    """Return the composer for a comment, or for a bullet comment with its appearance."""
    if page.composing is ComposerMode.COMMENT:
        return composer(
            text=page.draft,
            hint="发一条友善的评论",
            action="发布",
            on_change=page.change_draft,
            on_send=page.send,
            on_close=page.close_composer,
            rid="comment",
        )

    def sets(name: str, value: str) -> Handler:
        return lambda: setattr(page, name, value)

    def choices(name: str, values: tuple[str, ...]) -> Widget:
        now = getattr(page, name)
        return Row(gap=8, children=[chip(value, value == now, sets(name, value)) for value in values])

    return composer(
        text=page.draft,
        hint="发个友善的弹幕见证当下",
        action="发送",
        on_change=page.change_draft,
        on_send=page.send,
        on_close=page.close_composer,
        above=(
            choice_row("字体大小", (choices("danmaku_size", SIZES),)),
            choice_row("弹幕位置", (choices("danmaku_place", PLACES),)),
            choice_row("弹幕颜色", (choices("danmaku_color", tuple(COLORS)),)),
        ),
        rid="danmaku",
    )
