"""动态: posts of followed uploaders."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

from garabench.virtual.apps.bilibili import content
from garabench.virtual.apps.bilibili.cards import avatar, cover_text
from garabench.virtual.apps.bilibili.content import age_text, count_text
from garabench.virtual.apps.bilibili.theme import BACKGROUND, INK, INK_2, INK_3, PINK, WHITE, message_page
from garabench.virtual.ui.widgets import (
    MATCH,
    WRAP,
    Align,
    Box,
    Column,
    Handler,
    Icon,
    ImageView,
    ListView,
    Row,
    ScrollView,
    Text,
    Widget,
    insets,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.bilibili.home import BilibiliMainActivity


def dynamic_page(page: BilibiliMainActivity) -> Widget:
    """Return the strip of followed uploaders above their posts."""
    posts = [row for row in content.feed()["dynamics"] if page.store.following(row["user"])]
    posts.sort(key=lambda row: str(row["at"]), reverse=True)
    header = Row(
        width=MATCH,
        height=48,
        justify=Align.CENTER,
        background=WHITE,
        children=(Text(id="dynamic_title", text="动态", size=17, bold=True, color=INK),),
    )
    if not posts:
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(header, message_page("dynamic", "关注喜欢的UP主，在这里看到他们的动态")),
        )
    return Column(
        width=MATCH,
        height=MATCH,
        weight=1,
        children=(
            header,
            ListView(
                id="dy_list",
                width=MATCH,
                height=MATCH,
                weight=1,
                gap=8,
                items=posts,
                header=(_followed(page),),
                build=lambda row, _: _post(page, row),
            ),
        ),
    )


def _followed(page: BilibiliMainActivity) -> Widget:
    users = [content.uploaders()[user] for user in page.store.follows()]
    return Column(
        width=MATCH,
        background=WHITE,
        padding=insets(0, 6, 0, 12),
        margin=insets(0, 0, 0, 8),
        children=(
            Text(text="最常访问", size=13, color=INK_3, margin=insets(14, 4, 0, 8)),
            ScrollView(
                id="up_list",
                horizontal=True,
                width=MATCH,
                height=WRAP,
                gap=4,
                padding=insets(8, 0),
                cls="androidx.recyclerview.widget.RecyclerView",
                children=[
                    Column(
                        key=user.id,
                        width=68,
                        gap=5,
                        align=Align.CENTER,
                        on_click=page.opens_space(user.id),
                        children=(
                            avatar(user.id, 46),
                            Text(
                                id="up_name",
                                text=user.name,
                                size=11,
                                color=INK_2,
                                max_lines=1,
                                align=Align.CENTER,
                            ),
                        ),
                    )
                    for user in users
                ],
            ),
        ),
    )


def _post(page: BilibiliMainActivity, row: dict[str, Any]) -> Widget:
    user = content.uploaders()[row["user"]]
    liked = page.store.dynamic_liked(row["id"])
    at = dt.datetime.fromisoformat(row["at"])
    body: list[Widget] = [
        Row(
            gap=10,
            on_click=page.opens_space(user.id),
            children=(
                avatar(user.id, 40),
                Column(
                    gap=2,
                    weight=1,
                    children=(
                        Text(id="dy_name", text=user.name, size=14, color=PINK, bold=True, max_lines=1),
                        Text(text=age_text(at, page.ctx.now()), size=11, color=INK_3),
                    ),
                ),
            ),
        ),
        Text(
            id="dy_text", text=row["text"], size=15, color=INK, line_spacing=1.25, margin=insets(0, 10, 0, 0)
        ),
    ]
    for video in content.pick([row["video"]] if "video" in row else []):
        body.append(
            Row(
                id="dy_video",
                width=MATCH,
                radius=6,
                gap=10,
                background=BACKGROUND,
                margin=insets(0, 10, 0, 0),
                on_click=page.opens(video),
                children=(
                    Box(
                        children=(
                            ImageView(seed=video.id, kind="cover", width=132, height=82, radius=6),
                            cover_text(video, 16),
                        )
                    ),
                    Column(
                        weight=1,
                        gap=6,
                        padding=insets(0, 0, 8, 0),
                        children=(
                            Text(id="dy_video_title", text=video.title, size=14, color=INK, max_lines=2),
                            Text(
                                text=f"{count_text(video.plays)}播放  {video.duration}",
                                size=12,
                                color=INK_3,
                                max_lines=1,
                            ),
                        ),
                    ),
                ),
            )
        )

    def like() -> None:
        page.store.set_dynamic_liked(row["id"], not liked)

    body.append(
        Row(
            width=MATCH,
            height=44,
            children=(
                _action("share", "分享", INK_2, lambda: page.ctx.toast("已复制动态链接")),
                _action("comment", count_text(row["comments"]), INK_2, lambda: page.ctx.toast("评论加载中")),
                _action(
                    "like-filled" if liked else "like",
                    count_text(row["likes"] + liked),
                    PINK if liked else INK_2,
                    page.if_online(like),
                    rid="dy_like",
                    desc=f"{'已点赞' if liked else '点赞'},{count_text(row['likes'] + liked)}",
                    selected=liked,
                ),
            ),
        )
    )
    return Column(
        key=row["id"],
        id="dy_card",
        width=MATCH,
        background=WHITE,
        padding=insets(14, 12, 14, 0),
        children=body,
    )


def _action(
    icon: str,
    label: str,
    color: str,
    on_click: Handler,
    *,
    rid: str = "",
    desc: str = "",
    selected: bool = False,
) -> Widget:
    return Box(
        id=rid,
        desc=desc,
        weight=1,
        height=44,
        selected=selected,
        on_click=on_click,
        children=(
            Row(
                gap=6,
                align_self=Align.CENTER,
                align_vertical=Align.CENTER,
                children=(
                    Icon(name=icon, size=18, color=color, important=False),
                    Text(text=label, size=13, color=color),
                ),
            ),
        ),
    )
