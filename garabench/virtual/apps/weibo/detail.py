"""A post's page: full text, reposts, comments and likes."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.weibo import content, names
from garabench.virtual.apps.weibo.cards import author_row, body, topic_links
from garabench.virtual.apps.weibo.comment_rows import CommentPage, comment_row, own_row, plain_row
from garabench.virtual.apps.weibo.content import ME, WeiboComment, WeiboPost
from garabench.virtual.apps.weibo.formatting import count_text
from garabench.virtual.apps.weibo.theme import ORANGE, icon_button, message_page
from garabench.virtual.apps.weibo.user_content import OPEN, OwnComment
from garabench.virtual.kit.intent_filter import IntentFilter
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Handler,
    Icon,
    ListView,
    Row,
    Text,
    Widget,
    divider,
    insets,
    spacer,
)

TABS = ("转发", "评论", "赞")
BY_HEAT, BY_TIME = "按热度", "按时间"


class DetailWeiboActivity(CommentPage):
    """微博正文."""

    filters = (IntentFilter.of("android.intent.action.VIEW", scheme="sinaweibo", host="detail"),)

    def on_create(self) -> None:
        """Read the post and the tab from the intent, and add the post to the history."""
        self.post = self.store.post(self.request_param("post", "mblogid"))
        tab = self.intent.extras.get("tab")
        self.tab = str(tab) if tab in TABS else "评论"
        self.order = BY_HEAT
        if self.post is not None and self.loaded:
            self.store.add_view(self.post, self.ctx.now())

    def pick_tab(self, tab: str) -> None:
        """Select 转发, 评论 or 赞."""
        self.tab = tab

    def toggle_order(self) -> None:
        """Sort the comments by popularity or by time."""
        self.order = BY_TIME if self.order == BY_HEAT else BY_HEAT

    def deleted(self, post: WeiboPost) -> None:
        """Leave the page if its post was deleted."""
        self.ctx.finish()

    def bar(self) -> Widget:
        """Return the bar with title, author, and the post's menu."""
        if self.post is None:
            return self.back_bar("微博正文")
        more = icon_button(
            self.skin, "dots-horizontal", partial(self.menu, self.post), rid="titleMore", desc="更多"
        )
        name = str(self.store.profile["name"]) if self.post.user == ME else self.post.author.name
        line = f"{name}：{self.post.article}" if self.post.article else name
        return self.back_bar("微博正文", more, line=line)

    def content(self) -> Widget:
        """Return the post, the tabs, the rows of the selected tab, and the bar at the bottom."""
        post = self.post
        if post is None:
            return message_page(self.skin, "alert-circle", "该微博不存在或已被删除")
        rows = self._rows(post)
        header: list[Widget] = [self._post_in_full(post), self._tabs(post)]
        if not rows:
            header.append(self._nothing())
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                ListView(
                    id="detail_list",
                    key=f"detail-{self.tab}-{self.order}-{self.scale}",
                    width=MATCH,
                    height=MATCH,
                    weight=1,
                    items=rows,
                    header=header,
                    build=lambda row, _: self._row(post, row),
                ),
                divider(self.skin.line),
                self._footer(post),
            ),
        )

    def _rows(self, post: WeiboPost) -> list[WeiboComment | OwnComment | WeiboPost | str]:
        match self.tab:
            case "转发":
                return [*self.store.own_reposts(post), *content.reposts_of(post)]
            case "赞":
                mine = [str(self.store.profile["name"])] if self.store.liked(post) else []
                others = content.comments_of(post) + content.reposts_of(post)
                return [*mine, *dict.fromkeys(row.author for row in others if post.likes)]
            case _:
                own = [row for row in self.store.own_comments(post) if not row.of]
                others = content.comments_of(post)
                if self.order == BY_TIME:
                    others = tuple(sorted(others, key=lambda row: row.at, reverse=True))
                return [*own, *others]

    def _row(self, post: WeiboPost, row: WeiboComment | OwnComment | WeiboPost | str) -> Widget:
        if isinstance(row, str):
            return plain_row(self, row)
        if isinstance(row, WeiboPost):
            return own_row(self, post, row)
        if isinstance(row, OwnComment):
            return own_row(self, post, row)
        return comment_row(self, post, row, likes=self.tab == "评论")

    def _post_in_full(self, post: WeiboPost) -> Widget:
        parts = [author_row(self, post), *body(self, post, whole=True)]
        if post.topics:
            parts.append(topic_links(self, post))
        return Column(
            id="detail_mblog",
            width=MATCH,
            background=self.skin.card,
            padding=insets(14, 12, 14, 14),
            margin=insets(0, 0, 0, 8),
            children=parts,
        )

    def _tabs(self, post: WeiboPost) -> Widget:
        skin = self.skin
        counts = {
            "转发": post.reposts + len(self.store.own_reposts(post)),
            "评论": post.comments + len(self.store.own_comments(post)),
            "赞": post.likes + self.store.liked(post),
        }

        def tab(label: str) -> Widget:
            on = self.tab == label
            return Box(
                key=f"detail-tab-{label}",
                cls="android.widget.LinearLayout",
                height=42,
                selected=on,
                on_click=partial(self.pick_tab, label),
                children=(
                    Row(
                        gap=4,
                        align_self=Align.CENTER,
                        align_vertical=Align.CENTER,
                        children=(
                            Text(
                                id="detail_tab",
                                text=label,
                                size=14.5,
                                bold=on,
                                color=skin.ink if on else skin.ink_3,
                                selected=on,
                            ),
                            Text(
                                id="detail_count",
                                text=count_text(counts[label]),
                                size=13,
                                color=skin.ink if on else skin.ink_3,
                            ),
                        ),
                    ),
                    Widget(
                        width=22,
                        height=3,
                        radius=2,
                        background=ORANGE if on else None,
                        align_self=Align.CENTER,
                        align_vertical=Align.END,
                        important=False,
                    ),
                ),
            )

        cells: list[Widget] = [tab("转发"), tab("评论")]
        if self.tab == "评论":
            cells.append(
                Text(
                    id="comment_order",
                    text=self.order,
                    size=12,
                    color=skin.link,
                    padding=insets(6, 10),
                    on_click=self.toggle_order,
                )
            )
        cells += [spacer(), tab("赞")]
        return Row(
            id="detail_tabs",
            width=MATCH,
            height=42,
            gap=22,
            padding=insets(16, 0),
            background=skin.card,
            children=cells,
        )

    def _nothing(self) -> Widget:
        words = {"转发": "还没有人转发", "评论": "还没有人评论，快来抢沙发", "赞": "还没有人点赞"}[self.tab]
        return Text(
            id="tips",
            text=words,
            size=14,
            color=self.skin.ink_3,
            align=Align.CENTER,
            width=MATCH,
            padding=insets(0, 48),
        )

    def _footer(self, post: WeiboPost) -> Widget:
        liked = self.store.liked(post)
        write = partial(self.ctx.open, names.COMMENT, post=post.id)
        passes = partial(self.ctx.open, names.FORWARD, post=post.id)
        if post.visibility != OPEN:
            passes = partial(self.ctx.toast, "该微博不允许转发")
        likes = count_text(post.likes + liked)
        return Row(
            id="toolbar",
            width=MATCH,
            height=48,
            background=self.skin.card,
            children=(
                self._tool("forward", "share", "转发", passes),
                self._tool("comment", "comment", "评论", write),
                self._tool(
                    "liked",
                    "like",
                    "赞",
                    partial(self.like, post),
                    on=liked,
                    desc=f"{'已赞' if liked else '赞'},{likes}",
                ),
            ),
        )

    def _tool(
        self, rid: str, icon: str, word: str, on_click: Handler, *, on: bool = False, desc: str = ""
    ) -> Widget:
        color = ORANGE if on else self.skin.ink_2
        return Row(
            id=rid,
            desc=desc or word,
            weight=1,
            height=48,
            gap=6,
            justify=Align.CENTER,
            selected=on,
            on_click=on_click,
            children=(
                Icon(name=f"{icon}-filled" if on else icon, size=19, color=color, important=False),
                Text(text=word, size=13.5, color=color),
            ),
        )
