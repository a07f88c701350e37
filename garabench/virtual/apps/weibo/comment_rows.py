"""Rows below a post: comments with replies, reposts, likes; and the actions on a comment."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from functools import partial

from garabench.virtual.apps.weibo import names
from garabench.virtual.apps.weibo.content import ME, WeiboComment, WeiboPost, user_named
from garabench.virtual.apps.weibo.formatting import age_text, count_text, links_in
from garabench.virtual.apps.weibo.page import Choice
from garabench.virtual.apps.weibo.post_page import PostPage
from garabench.virtual.apps.weibo.theme import ORANGE, avatar
from garabench.virtual.apps.weibo.user_content import OwnComment
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Handler,
    Icon,
    Row,
    Text,
    Widget,
    insets,
    spacer,
)

_VISIBLE_REPLIES = 2


class CommentPage(PostPage):
    """A page with comments."""

    def like_comment(self, comment: WeiboComment) -> None:
        """Toggle the like of a comment."""
        if not self.ctx.online:
            self.ctx.toast("网络不可用，请检查网络设置")
            return
        self.store.set_comment_liked(comment.id, not self.store.comment_liked(comment.id))

    def answer(self, post: WeiboPost, comment: WeiboComment) -> None:
        """Open the composer for a reply to a comment."""
        self.ctx.open(names.COMMENT, post=post.id, of=comment.id, to=comment.author)

    def comment_menu(self, post: WeiboPost, comment: WeiboComment) -> None:
        """Open the menu of a comment."""
        quote = f"//@{comment.author}：{comment.text}"
        choices: list[Choice] = [
            ("回复", partial(self.answer, post, comment)),
            ("转发", partial(self.ctx.open, names.FORWARD, post=post.id, quote=quote)),
            ("复制", partial(self.ctx.toast, "已复制到剪贴板")),
            ("举报", partial(self.ctx.toast, "举报已提交")),
        ]
        if user_named(comment.author):
            choices.insert(2, ("查看主页", self.opens_author(comment.author)))
        self.choose(choices)

    def own_menu(self, post: WeiboPost, row: OwnComment | WeiboPost) -> None:
        """Open the menu of the user's own comment or repost."""

        def run() -> None:
            if isinstance(row, WeiboPost):
                self.store.delete_post(row)
            else:
                self.store.delete_comment(post, row.id)
            self.ctx.toast("删除成功")

        self.choose((("复制", partial(self.ctx.toast, "已复制到剪贴板")), ("删除", run)))


def _line(
    page: PostPage,
    *,
    rid: str,
    key: str,
    seed: str,
    mark: str,
    on_face: Handler | None,
    children: Sequence[Widget],
    on_click: Handler | None,
) -> Widget:
    return Row(
        key=key,
        id=rid,
        width=MATCH,
        gap=10,
        align=Align.START,
        background=page.skin.card,
        padding=insets(14, 10, 14, 4),
        on_click=on_click,
        children=(
            avatar(seed, 34, mark=mark, on_click=on_face),
            Column(weight=1, gap=4, children=children),
        ),
    )


def _name(page: PostPage, name: str, *, own: bool = False) -> Widget:
    return Text(id="tvItemCmtName", text=name, size=13, color=ORANGE if own else page.skin.ink_2, max_lines=1)


def _text(page: PostPage, text: str) -> Widget:
    return Text(
        id="tvItemCmtContent",
        text=text,
        size=14.5 * page.scale,
        color=page.skin.ink,
        line_spacing=1.2,
        spans=tuple((part, page.skin.link) for part in links_in(text)),
    )


def _when(page: PostPage, at: dt.datetime, place: str = "") -> Widget:
    words = age_text(min(at, page.ctx.now()), page.ctx.now())
    return Text(
        id="tvItemCmtDate", text=f"{words} 来自{place}" if place else words, size=11.5, color=page.skin.ink_3
    )


def comment_row(page: CommentPage, post: WeiboPost, comment: WeiboComment, *, likes: bool = True) -> Widget:
    """Return the row of a comment (or repost): its text, replies and like button."""
    skin = page.skin
    known = user_named(comment.author)
    lines: list[Widget] = [_name(page, comment.author), _text(page, comment.text)]
    own = [row for row in page.store.own_comments(post) if row.of == comment.id]
    if likes and (own or comment.replies):
        lines.append(_replies(page, post, comment, own))
    footer: list[Widget] = [_when(page, comment.at, comment.place), spacer()]
    if likes:
        liked = page.store.comment_liked(comment.id)
        color = ORANGE if liked else skin.ink_3
        number = comment.likes + liked
        footer += [
            Row(
                id="comment_reply",
                desc="回复",
                padding=insets(8, 7),
                on_click=partial(page.answer, post, comment),
                children=(Icon(name="comment", size=16, color=skin.ink_3, important=False),),
            ),
            Row(
                id="comment_like",
                desc=f"{'已赞' if liked else '赞'}{comment.author}的评论,{count_text(number)}",
                gap=4,
                padding=insets(8, 7),
                selected=liked,
                on_click=partial(page.like_comment, comment),
                children=(
                    Icon(name="like-filled" if liked else "like", size=16, color=color, important=False),
                    Text(id="comment_like_count", text=count_text(number), size=12, color=color),
                ),
            ),
        ]
    lines.append(Row(width=MATCH, height=30, children=footer))
    return _line(
        page,
        rid="comment_item",
        key=comment.id,
        seed=known.id if known else comment.author,
        mark=known.kind if known else "",
        on_face=page.opens_author(comment.author),
        children=lines,
        on_click=partial(page.comment_menu, post, comment),
    )


def _replies(page: CommentPage, post: WeiboPost, comment: WeiboComment, own: list[OwnComment]) -> Widget:
    skin = page.skin
    rows: list[Widget] = []
    me = str(page.store.profile["name"])
    comments = [(me, row.text, True) for row in own] + [(name, text, False) for name, text in comment.replies]
    for place, (name, text, mine) in enumerate(comments[: _VISIBLE_REPLIES + len(own)]):
        rows.append(
            Text(
                key=f"reply-{place}",
                id="own_reply" if mine else "sub_reply",
                text=f"{name}：{text}",
                size=13,
                color=skin.ink_2,
                spans=((f"{name}：", skin.link),),
            )
        )
    if len(comment.replies) > _VISIBLE_REPLIES:
        rows.append(
            Text(
                id="more_replies",
                text=f"共{len(comment.replies) + len(own)}条回复 >",
                size=12.5,
                color=skin.link,
                on_click=page.opens(names.FLOOR, post=post.id, comment=comment.id),
            )
        )
    return Column(
        id="reply_block",
        width=MATCH,
        gap=5,
        radius=4,
        background=skin.soft,
        padding=insets(10, 7),
        on_click=page.opens(names.FLOOR, post=post.id, comment=comment.id),
        children=rows,
    )


def own_row(page: CommentPage, post: WeiboPost, row: OwnComment | WeiboPost) -> Widget:
    """Return the row of the user's own comment or repost."""
    me = str(page.store.profile["name"])
    return _line(
        page,
        rid="own_repost" if isinstance(row, WeiboPost) else "own_comment",
        key=row.id,
        seed=ME,
        mark="",
        on_face=page.opens_user(ME),
        children=(
            _name(page, me, own=True),
            _text(page, row.text),
            Row(width=MATCH, height=30, children=(_when(page, row.at),)),
        ),
        on_click=partial(page.own_menu, post, row),
    )


def plain_row(page: PostPage, name: str) -> Widget:
    """Return a row of a user who likes the post."""
    known = user_named(name)
    return Row(
        key=name,
        id="like_item",
        width=MATCH,
        height=56,
        gap=12,
        background=page.skin.card,
        padding=insets(14, 0),
        on_click=page.opens_author(name),
        children=(
            avatar(known.id if known else name, 36, mark=known.kind if known else ""),
            Text(id="like_name", text=name, size=14.5, color=page.skin.ink, weight=1, max_lines=1),
            Icon(name="like-filled", size=16, color=ORANGE, important=False),
        ),
    )
