"""The comments of the video page."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from garabench.virtual.apps.bilibili import content
from garabench.virtual.apps.bilibili.cards import avatar
from garabench.virtual.apps.bilibili.content import BilibiliComment, age_text, count_text
from garabench.virtual.apps.bilibili.theme import INK, INK_2, INK_3, LINE, PINK, WHITE, badge, level_badge
from garabench.virtual.apps.bilibili.video_modes import ComposerMode, Overlay
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Icon,
    ListView,
    Row,
    Text,
    Widget,
    divider,
    insets,
    spacer,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.bilibili.video import VideoActivity


def comment_total(page: VideoActivity) -> int:
    """Return the number of comments on the video, including the user's."""
    return page.video.comments + len(page.store.own_comments(page.video))


def comment_tab(page: VideoActivity) -> Widget:
    """Return the list of comments above the bar for a new one."""
    own = page.store.own_comments(page.video)
    others = list(content.comments_of(page.video))
    if page.newest_comments:
        others.sort(key=lambda comment: comment.at, reverse=True)
    me = page.store.profile
    mine = [
        BilibiliComment(f"own-{place}", str(me["name"]), text, 0, at, int(me["level"]))
        for place, (text, at) in enumerate(own)
    ]

    def toggle() -> None:
        page.newest_comments = not page.newest_comments

    header = Row(
        width=MATCH,
        height=42,
        padding=insets(14, 0),
        background=WHITE,
        children=(
            Text(
                id="comment_sort_title",
                text="最新评论" if page.newest_comments else "热门评论",
                size=14,
                bold=True,
                color=INK,
            ),
            spacer(),
            Row(
                id="comment_sort",
                gap=4,
                padding=insets(6, 8),
                on_click=toggle,
                children=(
                    Icon(name="sort", size=15, color=INK_3, important=False),
                    Text(text="按时间" if page.newest_comments else "按热度", size=13, color=INK_3),
                ),
            ),
        ),
    )
    return Column(
        width=MATCH,
        height=MATCH,
        weight=1,
        children=(
            ListView(
                id="comment_list",
                width=MATCH,
                height=MATCH,
                weight=1,
                background=WHITE,
                items=[*mine, *others],
                header=(header,),
                build=lambda comment, place: _comment(page, comment, place if place < len(mine) else None),
            ),
            divider(),
            _write_bar(page),
        ),
    )


def _write_bar(page: VideoActivity) -> Widget:
    return Row(
        width=MATCH,
        height=52,
        padding=insets(12, 0),
        gap=10,
        background=WHITE,
        children=(
            avatar("me", 30),
            Row(
                id="comment_box",
                weight=1,
                height=36,
                radius=18,
                background=LINE,
                padding=insets(14, 0),
                on_click=page.opens_composer(ComposerMode.COMMENT),
                children=(Text(id="comment_hint", text="发一条友善的评论", size=13, color=INK_3, weight=1),),
            ),
            Icon(name="emoji", size=24, color=INK_2, important=False),
        ),
    )


def _comment(page: VideoActivity, comment: BilibiliComment, own: int | None) -> Widget:
    liked = page.store.comment_liked(f"{page.video.id}/{comment.id}" if own is not None else comment.id)
    key = f"{page.video.id}/{comment.id}" if own is not None else comment.id
    likes = comment.likes + liked

    def like() -> None:
        page.store.set_comment_liked(key, not liked)

    def ask_delete() -> None:
        if own is not None:
            page.deleting = own
            page.overlay = Overlay.DELETE_COMMENT

    marks: list[Widget] = [
        Text(
            id="comment_name",
            text=comment.author,
            size=13,
            color=PINK if own is not None else INK_2,
            bold=own is not None,
            max_lines=1,
        ),
        level_badge(comment.level),
    ]
    if own is not None:
        marks.append(badge("我"))
    footer: list[Widget] = [
        Row(
            id="comment_like",
            desc=f"{'已点赞' if liked else '点赞'},{count_text(likes)}",
            gap=4,
            padding=insets(0, 8, 10, 8),
            selected=liked,
            on_click=page.if_online(like),
            children=(
                Icon(
                    name="like-filled" if liked else "like",
                    size=15,
                    color=PINK if liked else INK_3,
                    important=False,
                ),
                Text(
                    id="comment_like_count",
                    text=count_text(likes) if likes else "点赞",
                    size=12,
                    color=PINK if liked else INK_3,
                ),
            ),
        ),
        Icon(name="dislike", size=15, color=INK_3, important=False),
        Icon(name="comment", size=15, color=INK_3, important=False, margin=insets(18, 0, 0, 0)),
        spacer(),
    ]
    if own is not None:
        footer.append(
            Text(
                id="comment_delete",
                text="删除",
                size=12,
                color=INK_3,
                padding=insets(8, 8),
                on_click=ask_delete,
            )
        )
    return Row(
        key=key,
        id="comment_item",
        cls="android.view.ViewGroup",
        width=MATCH,
        gap=10,
        align=Align.START,
        padding=insets(14, 10, 14, 0),
        children=(
            avatar(comment.author if own is None else "me", 36),
            Column(
                weight=1,
                gap=4,
                children=(
                    Row(gap=6, children=marks),
                    Text(text=_when(comment.at, page.ctx.now()), size=11, color=INK_3),
                    Text(id="comment_content", text=comment.text, size=15, color=INK, line_spacing=1.2),
                    Row(width=MATCH, children=footer),
                    divider(LINE),
                ),
            ),
        ),
    )


def _when(at: dt.datetime, now: dt.datetime) -> str:
    return age_text(at, now)
