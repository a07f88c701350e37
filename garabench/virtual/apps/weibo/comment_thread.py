"""A comment with all replies."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.weibo import content
from garabench.virtual.apps.weibo.comment_rows import CommentPage, comment_row
from garabench.virtual.apps.weibo.content import ME
from garabench.virtual.apps.weibo.theme import avatar, message_page
from garabench.virtual.ui.widgets import MATCH, Align, Column, ListView, Row, Text, Widget, divider, insets


class SubCommentActivity(CommentPage):
    """回复: a comment and its replies."""

    def on_create(self) -> None:
        """Read the post and the comment from the intent."""
        self.post = self.store.post(str(self.intent.extras.get("post", "")))
        wanted = str(self.intent.extras.get("comment", ""))
        rows = content.comments_of(self.post) if self.post is not None else ()
        self.comment = next((row for row in rows if row.id == wanted), None)

    def bar(self) -> Widget:
        """Return the bar with the number of replies."""
        return self.back_bar("回复")

    def content(self) -> Widget:
        """Return the comment above its replies."""
        post, comment = self.post, self.comment
        if post is None or comment is None:
            return message_page(self.skin, "comment", "该评论不存在或已被删除")
        me = str(self.store.profile["name"])
        own = [(me, row.text) for row in self.store.own_comments(post) if row.of == comment.id]
        rows = [*own, *comment.replies]
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                ListView(
                    id="reply_list",
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    header=(comment_row(self, post, comment),),
                    items=rows,
                    build=lambda row, place: self._reply(*row, mine=place < len(own)),
                ),
                divider(self.skin.line),
                Text(
                    id="reply_box",
                    text=f"回复 {comment.author}",
                    size=14,
                    color=self.skin.ink_3,
                    background=self.skin.card,
                    width=MATCH,
                    padding=insets(16, 15),
                    on_click=partial(self.answer, post, comment),
                ),
            ),
        )

    def _reply(self, name: str, text: str, *, mine: bool) -> Widget:
        return Row(
            id="own_reply_row" if mine else "reply_row",
            width=MATCH,
            gap=10,
            align=Align.START,
            background=self.skin.card,
            padding=insets(28, 9, 14, 9),
            children=(
                avatar(ME if mine else name, 28),
                Column(
                    weight=1,
                    gap=4,
                    children=(
                        Text(id="tvItemCmtName", text=name, size=12.5, color=self.skin.ink_2),
                        Text(id="tvItemCmtContent", text=text, size=14 * self.scale, color=self.skin.ink),
                    ),
                ),
            ),
        )
