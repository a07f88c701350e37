"""Lists of favourites, likes, history and followed topics."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.weibo import content
from garabench.virtual.apps.weibo.cards import post_card
from garabench.virtual.apps.weibo.content import WeiboPost
from garabench.virtual.apps.weibo.feeds import post_list
from garabench.virtual.apps.weibo.formatting import age_text
from garabench.virtual.apps.weibo.post_page import PostPage
from garabench.virtual.apps.weibo.search_box import search_box
from garabench.virtual.apps.weibo.search_index import find_posts
from garabench.virtual.apps.weibo.search_results import topic_row
from garabench.virtual.apps.weibo.store import DatedPost
from garabench.virtual.apps.weibo.theme import bar_text, message_page
from garabench.virtual.ui.widgets import (
    MATCH,
    Column,
    ListView,
    Row,
    Text,
    Widget,
    insets,
    spacer,
)

TITLES = {"favorites": "我的收藏", "likes": "赞过的微博", "history": "浏览历史", "topics": "我的话题"}
EMPTY = {
    "favorites": "还没有收藏",
    "likes": "还没有赞过微博",
    "history": "还没有浏览记录",
    "topics": "还没有关注话题",
}


class PostListActivity(PostPage):
    """我的收藏, 赞过的微博, 浏览历史 or 我的话题."""

    needs_network = False

    def on_create(self) -> None:
        """Read the kind of list from the intent."""
        kind = str(self.intent.extras.get("kind", "favorites"))
        self.kind = kind if kind in TITLES else "favorites"
        self.query = ""

    def change(self, text: str) -> None:
        """Filter the list by the text."""
        self.query = text

    def bar(self) -> Widget:
        """Return the title bar, with the number of favourites or the button to clear the history."""
        actions = []
        if self.kind == "history" and self.store.history():
            actions.append(
                bar_text(
                    self.skin,
                    "清空",
                    partial(self.ask, "确定清空全部浏览历史吗？", "清空", self.store.clear_history),
                )
            )
        line = f"共{len(self.store.favorites())}条" if self.kind == "favorites" else ""
        return self.back_bar(TITLES[self.kind], *actions, line=line)

    def content(self) -> Widget:
        """Return the list."""
        if self.kind == "topics":
            return self._topics()
        if self.kind == "history":
            return self._history()
        posts = self.store.likes()
        if self.kind == "favorites":
            posts = tuple(seen.post for seen in self.store.favorites())
        if self.query:
            among = {post.id for post in find_posts(self.query, posts)}
            posts = tuple(post for post in posts if post.id in among)
        parts: list[Widget] = []
        if self.kind == "favorites":
            parts.append(search_box(self.skin, self.query, "搜索收藏", self.change, self.ctx.hide_keyboard))
        parts.append(
            post_list(self, posts, rid="post_list", key=self.kind)
            if posts
            else message_page(self.skin, "star", "没有找到相关收藏" if self.query else EMPTY[self.kind])
        )
        return Column(width=MATCH, height=MATCH, weight=1, children=parts)

    def _topics(self) -> Widget:
        topics = [content.topic_named(name) for name in self.store.topics()]
        if not topics:
            return message_page(self.skin, "pound", EMPTY["topics"])
        return ListView(
            id="topic_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            gap=0.7,
            items=topics,
            build=lambda topic, _: topic_row(self, topic),
        )

    def _history(self) -> Widget:
        seen = self.store.history()
        if not seen:
            return message_page(self.skin, "history", EMPTY["history"])
        return ListView(
            id="post_list",
            key=f"history-{self.scale}",
            width=MATCH,
            height=MATCH,
            weight=1,
            gap=8,
            items=seen,
            build=lambda row, _: self._dated(row),
        )

    def _forget(self, post: WeiboPost) -> None:
        self.store.delete_view(post)
        self.ctx.toast("已删除")

    def _dated(self, row: DatedPost) -> Widget:
        lead = Row(
            width=MATCH,
            height=30,
            margin=insets(0, 0, 0, 4),
            children=(
                Text(text=f"浏览于 {age_text(row.at, self.ctx.now())}", size=12, color=self.skin.ink_3),
                spacer(),
                Text(
                    id="history_remove",
                    text="删除",
                    size=12.5,
                    color=self.skin.link,
                    padding=insets(10, 6),
                    on_click=partial(self._forget, row.post),
                ),
            ),
        )
        return post_card(self, row.post, lead=lead)
