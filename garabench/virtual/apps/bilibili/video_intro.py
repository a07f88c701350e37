"""The introduction of the video page: uploader, title, actions, related videos."""

from __future__ import annotations

from typing import TYPE_CHECKING

from garabench.virtual.apps.bilibili import content
from garabench.virtual.apps.bilibili.cards import avatar, icon_count, video_row
from garabench.virtual.apps.bilibili.content import count_text
from garabench.virtual.apps.bilibili.theme import (
    INK,
    INK_2,
    INK_3,
    LINE,
    PINK,
    WHITE,
    follow_button,
)
from garabench.virtual.apps.bilibili.video_modes import Overlay
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Handler,
    Icon,
    ListView,
    Row,
    Text,
    Widget,
    divider,
    insets,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.bilibili.video import VideoActivity


def intro_tab(page: VideoActivity) -> Widget:
    """Return uploader, title, counts and actions above related videos."""
    return ListView(
        id="intro_list",
        width=MATCH,
        height=MATCH,
        weight=1,
        background=WHITE,
        items=content.related(page.video),
        header=(_uploader(page), _title(page), _actions(page), divider("#E3E5E7", insets(0, 4, 0, 4))),
        build=lambda video, _: video_row(
            video,
            page.opens(video),
            on_more=page.opens_menu(video),
            title_id="related_title",
            rid="related_item",
            width=140,
        ),
    )


def _uploader(page: VideoActivity) -> Widget:
    author = page.author
    return Row(
        width=MATCH,
        gap=10,
        padding=insets(14, 12, 14, 6),
        children=(
            avatar(
                author.id,
                38,
                rid="up_avatar",
                desc=f"{author.name}的头像",
                on_click=page.opens_space(author.id),
            ),
            Column(
                weight=1,
                gap=1,
                on_click=page.opens_space(author.id),
                children=(
                    Text(id="up_name", text=author.name, size=14, bold=True, color=PINK, max_lines=1),
                    Text(
                        id="up_fans",
                        text=f"{count_text(author.fans)}粉丝  {len(content.videos_of(author.id))}视频",
                        size=11,
                        color=INK_3,
                        max_lines=1,
                    ),
                ),
            ),
            follow_button(page.store.following(author.id), page.if_online(page.follow)),
        ),
    )


def _title(page: VideoActivity) -> Widget:
    video = page.video
    at = video.published

    def toggle() -> None:
        page.described = not page.described

    rows: list[Widget] = [
        Row(
            width=MATCH,
            gap=8,
            align=Align.START,
            on_click=toggle,
            children=(
                Text(
                    id="title",
                    text=video.title,
                    size=17,
                    bold=True,
                    color=INK,
                    max_lines=0 if page.described else 2,
                    weight=1,
                    line_spacing=1.15,
                ),
                Icon(
                    name="chevron-up" if page.described else "chevron-down",
                    size=20,
                    color=INK_3,
                    important=False,
                ),
            ),
        ),
        Row(
            gap=12,
            margin=insets(0, 6, 0, 0),
            children=(
                icon_count("play-box", count_text(video.plays), rid="view_count"),
                icon_count(
                    "danmaku", count_text(video.danmaku + len(page.store.danmaku(video))), rid="danmaku_count"
                ),
                Text(
                    id="publish_time",
                    text=f"{at.year}年{at.month}月{at.day}日 {at.hour:02}:{at.minute:02}",
                    size=12,
                    color=INK_3,
                ),
            ),
        ),
    ]
    if page.described:
        rows += [
            Text(id="bvid", text=video.id, size=12, color=INK_3, margin=insets(0, 6, 0, 0)),
            Text(id="desc", text=video.description, size=13, color=INK_2, margin=insets(0, 6, 0, 0)),
            Row(
                wrap=True,
                gap=8,
                width=MATCH,
                margin=insets(0, 8, 0, 0),
                children=[
                    Text(
                        id="tag",
                        text=tag,
                        size=12,
                        color=INK_2,
                        background=LINE,
                        radius=12,
                        padding=insets(10, 4),
                    )
                    for tag in video.tags
                ],
            ),
        ]
    return Column(width=MATCH, padding=insets(14, 2, 14, 0), children=rows)


def _actions(page: VideoActivity) -> Widget:
    video, store = page.video, page.store
    liked, coins = store.liked(video), store.coins(video)
    folders = [folder.name for folder in store.folders() if video.id in folder.videos]
    saved = bool(folders)
    shared = store.shared(video)

    def action(
        rid: str,
        icon: str,
        words: tuple[str, str],
        count: int,
        on: bool,
        on_click: Handler,
        on_long_click: Handler | None = None,
        *,
        note: str = "",
    ) -> Widget:
        number = count_text(count)
        return Column(
            id=rid,
            cls="android.widget.FrameLayout",
            desc=f"{words[1] if on else words[0]},{number}{note}",
            weight=1,
            height=58,
            gap=4,
            align=Align.CENTER,
            justify=Align.CENTER,
            selected=on,
            on_click=page.if_online(on_click),
            on_long_click=page.if_online(on_long_click) if on_long_click else None,
            children=(
                Icon(name=icon, size=27, color=PINK if on else INK_2, important=False),
                Text(id=f"{rid}_count", text=number, size=11, color=PINK if on else INK_3),
            ),
        )

    dislike = Column(
        id="frame_dislike",
        cls="android.widget.FrameLayout",
        desc="不喜欢",
        weight=1,
        height=58,
        gap=4,
        align=Align.CENTER,
        justify=Align.CENTER,
        on_click=lambda: page.ctx.toast("将减少此类内容推荐"),
        children=(
            Icon(name="dislike-filled", size=27, color=INK_2, important=False),
            Text(text="不喜欢", size=11, color=INK_3),
        ),
    )
    return Row(
        id="actions",
        width=MATCH,
        padding=insets(4, 8, 4, 4),
        children=(
            action(
                "frame_like",
                "like-filled",
                ("点赞", "已点赞"),
                video.likes + liked,
                liked,
                page.like,
                page.triple,
            ),
            dislike,
            action("frame_coin", "coin", ("投币", "已投币"), video.coins + coins, coins > 0, page.ask_coins),
            action(
                "frame_fav",
                "star-filled",
                ("收藏", "已收藏"),
                video.favorites + saved,
                saved,
                page.ask_folders,
                note=f",在{'、'.join(folders)}" if saved else "",
            ),
            action(
                "frame_share",
                "share-filled",
                ("分享", "已分享"),
                video.shares + shared,
                shared,
                page.opens_overlay(Overlay.SHARE),
            ),
        ),
    )
