"""Videos and users as cards and rows."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from garabench.virtual.apps.bilibili import content
from garabench.virtual.apps.bilibili.content import Uploader, Video, age_text, count_text
from garabench.virtual.apps.bilibili.theme import (
    INK,
    INK_2,
    INK_3,
    ORANGE,
    PINK,
    WHITE,
    follow_button,
    level_badge,
)
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
    Insets,
    Row,
    Text,
    Widget,
    insets,
    spacer,
)


def icon_count(icon: str, text: str, color: str = INK_3, *, size: float = 12, rid: str = "") -> Widget:
    """Return an icon with a number."""
    return Row(
        gap=3,
        children=(
            Icon(name=icon, size=size + 2, color=color, important=False),
            Text(id=rid, text=text, size=size, color=color, max_lines=1),
        ),
    )


def avatar(
    user_id: str, size: float, *, rid: str = "avatar", desc: str = "", on_click: Handler | None = None
) -> Widget:
    """Return a user's round avatar."""
    return ImageView(
        id=rid, seed=user_id, kind="avatar", width=size, height=size, radius=999, desc=desc, on_click=on_click
    )


def uploader_badge(*, portrait: bool = False) -> Widget:
    """Return the outlined letters before an uploader's name; 竖屏 for portrait videos."""
    color = PINK if portrait else INK_3
    return Text(
        text="竖屏" if portrait else "UP",
        size=9,
        color=color,
        border=color,
        border_width=0.7,
        radius=3,
        padding=insets(3, 0),
        important=False,
    )


def cover_text(video: Video, size: float) -> Widget:
    """Return the large words on a video's cover; they are part of the picture, so not in the UI tree."""
    look = sum(video.id.encode())
    word = video.tags[0] if len(video.tags[0]) <= 6 else video.channel
    return Text(
        text=word,
        size=size,
        bold=True,
        color=("#FFFFFF", "#FFE14D", "#FFFFFF", "#FFF3C4")[look % 4],
        background=("#59000000", "#73000000", "#CCFB7299", "#59000000")[look // 4 % 4],
        radius=4,
        padding=insets(size / 2.5, size / 6),
        margin=insets(size * 0.6, size * 0.6),
        align_self=(Align.CENTER, Align.START, Align.CENTER, Align.END)[look // 16 % 4],
        align_vertical=Align.CENTER,
        important=False,
    )


def cover(video: Video, *, overlay: Sequence[Widget], radius: float = 6, desc: str = "") -> Widget:
    """Return a video's cover with a shadow below, behind the overlay."""
    return Box(
        width=MATCH,
        height=WRAP,
        radius=radius,
        children=(
            ImageView(
                id="cover",
                seed=video.id,
                kind="cover",
                width=MATCH,
                height=WRAP,
                aspect=1.6,
                radius=radius,
                desc=desc,
            ),
            cover_text(video, 24),
            Row(
                width=MATCH,
                height=30,
                gap=6,
                padding=insets(6, 8, 6, 0),
                radius=radius,
                background=Gradient("#00000000", "#A0000000"),
                align_vertical=Align.END,
                children=overlay,
            ),
        ),
    )


def video_card(video: Video, on_open: Handler, on_more: Handler) -> Widget:
    """Return a card of a two-column page."""
    author = content.uploaders()[video.uploader]
    return Column(
        key=video.id,
        id="video_card",
        cls="android.view.ViewGroup",
        width=MATCH,
        background=WHITE,
        radius=6,
        on_click=on_open,
        on_long_click=on_more,
        children=(
            cover(
                video,
                overlay=(
                    icon_count("play-box", count_text(video.plays), WHITE, size=10.5, rid="cover_left_text1"),
                    icon_count(
                        "danmaku", count_text(video.danmaku), WHITE, size=10.5, rid="cover_left_text2"
                    ),
                    spacer(),
                    Text(id="cover_right_text", text=video.duration, size=10.5, color=WHITE, max_lines=1),
                ),
            ),
            Text(
                id="title",
                text=video.title,
                size=14,
                color=INK,
                max_lines=2,
                height=42,
                line_spacing=1.1,
                margin=insets(8, 7, 8, 2),
            ),
            Row(
                width=MATCH,
                height=32,
                padding=insets(8, 0, 0, 2),
                gap=4,
                children=(
                    uploader_badge(portrait=video.portrait),
                    Text(id="desc", text=author.name, size=12, color=INK_3, max_lines=1, weight=1),
                    more_button(on_more, rid="inline_three_point"),
                ),
            ),
        ),
    )


def more_button(on_click: Handler, *, rid: str = "more", desc: str = "更多") -> Widget:
    """Return the menu button of a card."""
    return Box(
        id=rid,
        desc=desc,
        cls="android.widget.ImageView",
        width=32,
        height=32,
        on_click=on_click,
        children=(
            Icon(
                name="more",
                size=16,
                color=INK_3,
                align_self=Align.CENTER,
                align_vertical=Align.CENTER,
                important=False,
            ),
        ),
    )


def video_row(
    video: Video,
    on_open: Handler,
    *,
    now: dt.datetime | None = None,
    on_more: Handler | None = None,
    note: str = "",
    lead: Sequence[Widget] = (),
    progress: float | None = None,
    title_id: str = "title",
    rid: str = "video_row",
    width: float = 150,
    rank: int = 0,
) -> Widget:
    """Return a video as a list row: cover on the left, text on the right.

    Args:
        video: The video.
        on_open: Called when the row is tapped.
        now: Shows the date of publication relative to it.
        on_more: Handler of the menu button; None for no button.
        note: Text that replaces the play counts.
        lead: Widgets before the cover, such as a check box.
        progress: Share watched, drawn under the cover.
        title_id: Resource id of the title.
        rid: Resource id of the row.
        width: Width of the cover in dp.
        rank: Rank, drawn on the cover; 0 for none.
    """
    author = content.uploaders()[video.uploader]
    picture: list[Widget] = [
        ImageView(id="cover", seed=video.id, kind="cover", width=width, height=width / 1.6, radius=6),
        cover_text(video, width / 8),
        Text(
            id="duration",
            text=video.duration,
            size=11,
            color=WHITE,
            background="#99000000",
            radius=4,
            padding=insets(4, 1),
            margin=insets(4),
            align_self=Align.END,
            align_vertical=Align.END,
        ),
    ]
    if progress is not None:
        picture.append(
            Widget(
                width=width * progress, height=3, background=PINK, align_vertical=Align.END, important=False
            )
        )
    if rank:
        picture.append(
            Text(
                id="rank",
                text=str(rank),
                size=13,
                bold=True,
                color=WHITE,
                background=PINK if rank <= 3 else "#99000000",
                radius=4,
                padding=insets(7, 2),
                margin=insets(4),
            )
        )
    date: tuple[Widget, ...] = ()
    if now:
        date = (
            Text(
                id="pub_date", text=f"· {age_text(video.published, now)}", size=12, color=INK_3, max_lines=1
            ),
        )
    footer: list[Widget]
    if note:
        footer = [Text(id="note", text=note, size=12, color=INK_3, max_lines=1, weight=1)]
    else:
        footer = [
            icon_count("play-box", count_text(video.plays), rid="play_count"),
            icon_count("danmaku", count_text(video.danmaku), rid="danmaku_count"),
            spacer(),
        ]
    if on_more:
        footer.append(more_button(on_more))
    return Row(
        key=video.id,
        id=rid,
        cls="android.view.ViewGroup",
        width=MATCH,
        gap=10,
        padding=insets(12, 7, 10, 7),
        background=WHITE,
        on_click=on_open,
        on_long_click=on_more,
        children=(
            *lead,
            Box(width=width, height=width / 1.6, children=picture),
            Column(
                weight=1,
                height=width / 1.6,
                children=(
                    Text(id=title_id, text=video.title, size=14, color=INK, max_lines=2, line_spacing=1.1),
                    spacer(),
                    Row(
                        gap=4,
                        children=(
                            uploader_badge(),
                            Text(id="upuser", text=author.name, size=12, color=INK_3, max_lines=1),
                            *date,
                        ),
                    ),
                    Row(gap=10, height=24, width=MATCH, children=footer),
                ),
            ),
        ),
    )


def user_row(
    user: Uploader,
    *,
    following: bool,
    on_open: Handler,
    on_follow: Handler,
    rid: str = "user_row",
    works: int = 0,
) -> Widget:
    """Return a user row: avatar, name, followers, follow button."""
    facts = f"{count_text(user.fans)}粉丝" + (f" · {works}个视频" if works else "")
    return Row(
        key=user.id,
        id=rid,
        cls="android.view.ViewGroup",
        width=MATCH,
        gap=12,
        padding=insets(14, 12),
        background=WHITE,
        on_click=on_open,
        children=(
            avatar(user.id, 52),
            Column(
                weight=1,
                gap=3,
                children=(
                    Row(
                        gap=6,
                        children=(
                            Text(id="user_name", text=user.name, size=15, bold=True, color=INK, max_lines=1),
                            level_badge(user.level),
                        ),
                    ),
                    Text(id="user_fans", text=facts, size=12, color=INK_3, max_lines=1),
                    Text(
                        id="user_sign",
                        text=user.verified or user.sign,
                        size=12,
                        color=ORANGE if user.verified else INK_2,
                        max_lines=1,
                    ),
                ),
            ),
            follow_button(following, on_follow),
        ),
    )


CARD_INSETS = Insets(10, 10, 10, 10)
"""Padding of a page of cards."""
