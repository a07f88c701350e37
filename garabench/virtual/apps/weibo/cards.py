"""The card of a post in feeds, and its parts."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.weibo import names
from garabench.virtual.apps.weibo.content import ME, WeiboPost, users
from garabench.virtual.apps.weibo.formatting import age_text, count_text, links_in
from garabench.virtual.apps.weibo.post_page import PostPage
from garabench.virtual.apps.weibo.theme import GOLD_MARK, ORANGE, avatar, icon_button
from garabench.virtual.apps.weibo.user_content import OPEN
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Handler,
    Icon,
    ImageView,
    Row,
    Text,
    Widget,
    insets,
)

LONG_TEXT = 140
"""Longer texts are cut off with 全文 in feeds."""
_GRID_GAP = 4


def post_card(page: PostPage, post: WeiboPost, *, lead: Widget | None = None) -> Widget:
    """Return the card of a post in a feed: author, text, pictures, and the three buttons."""
    parts: list[Widget] = [] if lead is None else [lead]
    parts += [author_row(page, post), *body(page, post)]
    return Column(
        key=post.id,
        id="card_mblog",
        width=MATCH,
        background=page.skin.card,
        padding=insets(12, 12, 12, 0),
        on_click=page.opens_post(post),
        children=(*parts, buttons(page, post)),
    )


def author_row(page: PostPage, post: WeiboPost, *, follow: bool = True) -> Widget:
    """Return the author's avatar and name, time and source, and the menu button."""
    author, skin = post.author, page.skin
    name = str(page.store.profile["name"]) if author.id == ME else author.name
    where = f" 来自 {post.source}" if post.source else ""
    end: list[Widget] = []
    if follow and author.id != ME and not page.store.following(author.id):
        end.append(follow_button(page, author.id))
    end.append(
        icon_button(
            skin,
            "chevron-down",
            partial(page.menu, post),
            rid="mblogMenu",
            desc="更多",
            color=skin.ink_3,
            size=20,
            touch_size=34,
        )
    )
    return Row(
        width=MATCH,
        gap=10,
        children=(
            avatar(
                author.id, 40, mark=author.kind, rid="ivItemPortrait", on_click=page.opens_user(author.id)
            ),
            Column(
                weight=1,
                gap=2,
                children=(
                    Text(
                        id="tvItemName",
                        text=name,
                        size=15,
                        color="#EB7340" if author.fans > 1_000_000 else skin.ink,
                        max_lines=1,
                        on_click=page.opens_user(author.id),
                    ),
                    Text(
                        id="tvItemDate",
                        text=f"{age_text(post.at, page.ctx.now())}{where}",
                        size=11.5,
                        color=skin.ink_3,
                        max_lines=1,
                    ),
                ),
            ),
            *end,
        ),
    )


def body(page: PostPage, post: WeiboPost, *, whole: bool = False) -> list[Widget]:
    """Return the text and the attachments."""
    skin = page.skin
    text = post.text if whole or len(post.text) <= LONG_TEXT else f"{post.text[:LONG_TEXT]}...全文"
    shown: list[Widget] = [styled_text(page, text)]
    marks: list[Widget] = []
    if post.user == ME and post.place and post.id.startswith("own-"):
        marks.append(_mark(page, "location", post.place, "tv_location"))
    if post.visibility != OPEN:
        marks.append(_mark(page, "lock", post.visibility, "tv_visibility"))
    if marks:
        shown.append(Row(gap=14, margin=insets(0, 8, 0, 0), children=marks))
    if post.of:
        shown.append(_repost(page, post))
    else:
        shown += attachments(page, post)
    if post.user != ME and post.place and whole:
        shown.append(Text(text=f"发布于 {post.place}", size=12, color=skin.ink_3, margin=insets(0, 8, 0, 0)))
    return shown


def styled_text(page: PostPage, text: str, *, rid: str = "contentTextView", size: float = 15.5) -> Widget:
    """Return a post's text with coloured topics and names."""
    links = tuple((part, page.skin.link) for part in links_in(text))
    if text.endswith("...全文"):
        links = (*links, ("全文", page.skin.link))
    return Text(
        id=rid,
        text=text,
        size=size * page.scale,
        color=page.skin.ink,
        line_spacing=1.25,
        spans=links,
        margin=insets(0, 8, 0, 0),
    )


def topic_links(page: PostPage, post: WeiboPost) -> Widget:
    """Return the topics of a post as links."""
    return Row(
        width=MATCH,
        gap=8,
        wrap=True,
        margin=insets(0, 10, 0, 0),
        children=[
            Text(
                key=topic,
                id="topic_link",
                text=f"#{topic}#",
                size=12.5,
                color=page.skin.link,
                background=page.skin.soft,
                radius=4,
                padding=insets(8, 4),
                on_click=page.opens(names.TOPIC, topic=topic),
            )
            for topic in post.topics
        ],
    )


def attachments(page: PostPage, post: WeiboPost) -> list[Widget]:
    """Return the pictures, the video or the article of a post."""
    if post.video:
        return [_video(page, post)]
    if post.article:
        return [_article(page, post)]
    return [_pictures(page, post)] if post.pics else []


def _mark(page: PostPage, icon: str, text: str, rid: str) -> Widget:
    return Row(
        gap=3,
        children=(
            Icon(name=icon, size=13, color=page.skin.link, important=False),
            Text(id=rid, text=text, size=12, color=page.skin.link, max_lines=1),
        ),
    )


def _video(page: PostPage, post: WeiboPost) -> Widget:
    return Box(
        id="video_cover",
        desc=f"视频,{post.video}",
        width=MATCH,
        margin=insets(0, 8, 0, 0),
        on_click=page.opens(names.VIDEO, post=post.id),
        children=(
            ImageView(seed=post.id, kind="cover", width=MATCH, height=190, radius=6, important=False),
            Icon(
                name="play-circle",
                size=46,
                color="#E6FFFFFF",
                align_self=Align.CENTER,
                align_vertical=Align.CENTER,
                important=False,
            ),
            Text(
                id="video_duration",
                text=post.video,
                size=11,
                color="#FFFFFF",
                background="#99000000",
                radius=3,
                padding=insets(5, 2),
                margin=insets(0, 0, 8, 8),
                align_self=Align.END,
                align_vertical=Align.END,
            ),
        ),
    )


def _article(page: PostPage, post: WeiboPost) -> Widget:
    return Row(
        id="card_article",
        width=MATCH,
        background=page.skin.soft,
        radius=6,
        gap=10,
        margin=insets(0, 8, 0, 0),
        children=(
            ImageView(seed=post.id, kind="cover", width=110, height=74, radius=6, important=False),
            Column(
                weight=1,
                gap=6,
                padding=insets(0, 6, 8, 6),
                children=(
                    Text(
                        id="tv_article_title",
                        text=post.article,
                        size=15 * page.scale,
                        bold=True,
                        color=page.skin.ink,
                        max_lines=2,
                    ),
                    Text(text="头条文章", size=11, color=GOLD_MARK),
                ),
            ),
        ),
    )


def _pictures(page: PostPage, post: WeiboPost) -> Widget:
    own = post.id.startswith("own-")

    def picture(place: int, width: float, height: float) -> Widget:
        return ImageView(
            key=f"pic-{place}",
            id="iv_picture",
            desc=f"图片{place + 1}",
            seed=f"album-{place}" if own else f"{post.id}-{place}",
            kind="cover",
            width=width,
            height=height,
            radius=4,
            on_click=page.opens(names.PICTURES, post=post.id, place=place),
        )

    if post.pics == 1:
        return Row(margin=insets(0, 8, 0, 0), children=(picture(0, 210, 150),))
    across = 2 if post.pics in (2, 4) else 3
    side = (page.ctx.width_dp - 24 - 2 * _GRID_GAP) / 3
    rows: list[Widget] = []
    for first in range(0, post.pics, across):
        places = range(first, min(first + across, post.pics))
        rows.append(Row(gap=_GRID_GAP, children=[picture(place, side, side) for place in places]))
    return Column(id="pic_grid", gap=_GRID_GAP, margin=insets(0, 8, 0, 0), children=rows)


def _repost(page: PostPage, post: WeiboPost) -> Widget:
    """Return the reposted post on a separate background."""
    origin = page.store.post(post.of)
    skin = page.skin
    inner: list[Widget]
    if origin is None:
        inner = [Text(id="retweeted_text", text="抱歉，此微博已被作者删除。", size=14, color=skin.ink_3)]
    else:
        inner = [
            Text(
                id="retweeted_text",
                text=f"@{users()[origin.user].name}：{origin.text}",
                size=14.5 * page.scale,
                color=skin.ink_2,
                line_spacing=1.2,
                spans=tuple((part, skin.link) for part in links_in(f"@{origin.author.name} {origin.text}")),
            ),
            *attachments(page, origin),
        ]
    return Column(
        id="retweeted_card",
        width=MATCH,
        background=skin.soft,
        radius=4,
        padding=insets(10, 8),
        margin=insets(0, 8, 0, 0),
        on_click=page.opens_post(origin) if origin else None,
        children=inner,
    )


def follow_button(page: PostPage, user: str, *, rid: str = "btn_follow") -> Widget:
    """Return the button 关注, 已关注, 互相关注 or 特别关注."""
    label = relation(page, user)
    on = label != "关注"
    color = page.skin.ink_3 if on else ORANGE
    return Row(
        id=rid,
        desc=label,
        height=28,
        radius=14,
        gap=2,
        border=color,
        border_width=0.8,
        padding=insets(11, 0),
        selected=on,
        on_click=page.follows(user),
        children=(
            Icon(name="check" if on else "plus", size=13, color=color, important=False),
            Text(id="tv_follow", text=label, size=12.5, color=color, max_lines=1),
        ),
    )


def relation(page: PostPage, user: str) -> str:
    """Return the label of a user's follow button."""
    if not page.store.following(user):
        return "关注"
    if page.store.special(user):
        return "特别关注"
    return "互相关注" if page.store.is_fan(user) else "已关注"


def buttons(page: PostPage, post: WeiboPost) -> Widget:
    """Return the buttons 转发, 评论 and 赞 with their counts."""
    liked = page.store.liked(post)
    passed = post.reposts + len(page.store.own_reposts(post))
    comments = post.comments + len(page.store.own_comments(post))
    likes = post.likes + liked
    return Row(
        id="mblogButtonLayout",
        width=MATCH,
        height=42,
        children=(
            _button(page, "leftButton", "share", "转发", passed, partial(page.forward, post)),
            _button(page, "midButton", "comment", "评论", comments, partial(page.write_comment, post)),
            _button(page, "rightButton", "like", "赞", likes, partial(page.like, post), on=liked),
        ),
    )


def _button(
    page: PostPage, rid: str, icon: str, word: str, number: int, on_click: Handler, *, on: bool = False
) -> Widget:
    color = ORANGE if on else page.skin.ink_2
    label = count_text(number) if number else word
    state = f"已{word}" if on else word
    return Row(
        id=rid,
        desc=f"{state},{count_text(number)}",
        weight=1,
        height=42,
        gap=6,
        justify=Align.CENTER,
        selected=on,
        on_click=on_click,
        children=(
            Icon(name=f"{icon}-filled" if on else icon, size=18, color=color, important=False),
            Text(text=label, size=12.5, color=color),
        ),
    )
