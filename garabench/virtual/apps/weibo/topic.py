"""A topic's page: counts, posts by sort order, and the composer button."""

from __future__ import annotations

from garabench.virtual.apps.weibo import content, names
from garabench.virtual.apps.weibo.content import WeiboPost
from garabench.virtual.apps.weibo.feeds import post_list
from garabench.virtual.apps.weibo.post_page import PostPage
from garabench.virtual.apps.weibo.theme import ORANGE, WHITE, icon_button, message_page, pill, tab_strip
from garabench.virtual.kit.intent_filter import IntentFilter
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Gradient,
    Icon,
    ImageView,
    Row,
    Text,
    Widget,
    divider,
    insets,
)

TABS = ("综合", "实时", "热门", "视频", "图片")
_HOTTEST = 5


class TopicActivity(PostPage):
    """The page of a topic."""

    filters = (IntentFilter.of("android.intent.action.VIEW", scheme="sinaweibo", host="pageinfo"),)

    def on_create(self) -> None:
        """Read the topic from the intent."""
        self.topic = content.topic_named(self.request_param("topic", "title").strip("#"))
        self.tab = "综合"

    def pick_tab(self, tab: str) -> None:
        """Select a tab."""
        self.tab = tab

    def bar(self) -> Widget:
        """Return the title bar."""
        search = icon_button(
            self.skin,
            "search",
            self.opens(names.SEARCH, query=self.topic.topic),
            rid="topic_search",
            desc="搜索",
        )
        return self.back_bar("话题", search)

    def posts(self) -> tuple[WeiboPost, ...]:
        """The posts of the selected tab."""
        own = tuple(post for post in self.store.own_posts() if self.topic.topic in post.topics)
        found = self.store.shown((*own, *content.posts_on(self.topic.topic)))
        found = tuple(dict.fromkeys(found))
        match self.tab:
            case "实时":
                return content.newest(found)
            case "热门":
                return content.hottest(found)[:_HOTTEST]
            case "视频":
                return tuple(post for post in found if post.video)
            case "图片":
                return tuple(post for post in found if post.pics)
            case _:
                ranked = content.hottest(found)
                return tuple(sorted(ranked, key=self._by_host))

    def _by_host(self, post: WeiboPost) -> tuple[bool, float]:
        """Return a sort key that puts the host's posts first, newest first."""
        hosts = post.author.name == self.topic.host
        return not hosts, -post.at.timestamp() if hosts else 0

    def content(self) -> Widget:
        """Return the header, the tabs and the posts."""
        posts = self.posts()
        strip = tab_strip(
            self.skin, TABS, self.tab, self.pick_tab, rid="topic_tabs", justify=Align.SPACE_AROUND
        )
        feed = (
            post_list(self, posts, rid="topic_list", key=self.tab)
            if posts
            else message_page(self.skin, "tag", "还没有相关微博")
        )
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(self._header(), strip, feed, divider(self.skin.line), self._footer()),
        )

    def _follow(self) -> None:
        follow = not self.store.follows_topic(self.topic.topic)
        self.store.set_follows_topic(self.topic.topic, follow)
        self.ctx.toast("关注成功" if follow else "已取消关注")

    def _header(self) -> Widget:
        topic = self.topic
        following = self.store.follows_topic(topic.topic)
        words: list[Widget] = [
            Text(id="topic_title", text=f"#{topic.topic}#", size=18, bold=True, color=WHITE, max_lines=2),
            Text(
                id="topic_numbers",
                text=f"阅读{topic.reads}  讨论{topic.talks}",
                size=12,
                color="#E6FFFFFF",
                max_lines=1,
            ),
        ]
        if topic.host:
            words.append(
                Text(
                    id="topic_host",
                    text=f"主持人：{topic.host}",
                    size=12,
                    color="#E6FFFFFF",
                    max_lines=1,
                    on_click=self.opens_author(topic.host),
                )
            )
        lines: list[Widget] = [
            Row(
                width=MATCH,
                gap=12,
                children=(
                    ImageView(seed=topic.topic, kind="cover", width=64, height=64, radius=8, important=False),
                    Column(weight=1, gap=5, children=words),
                    pill(
                        "已关注" if following else "关注",
                        self.if_online(self._follow),
                        rid="topic_follow",
                        color=WHITE,
                        selected=following,
                    ),
                ),
            )
        ]
        if topic.intro:
            lines.append(
                Text(
                    id="topic_intro",
                    text=f"导语：{topic.intro}",
                    size=12.5,
                    color=WHITE,
                    margin=insets(0, 10, 0, 0),
                )
            )
        return Column(
            width=MATCH,
            background=Gradient("#D96A12", "#7B5A3C", horizontal=True),
            padding=insets(14, 14),
            children=lines,
        )

    def _footer(self) -> Widget:
        return Box(
            id="topic_publish",
            width=MATCH,
            height=48,
            background=self.skin.card,
            on_click=self.opens(names.COMPOSER, topic=self.topic.topic),
            children=(
                Row(
                    gap=6,
                    align_self=Align.CENTER,
                    align_vertical=Align.CENTER,
                    children=(
                        Icon(name="edit", size=18, color=ORANGE, important=False),
                        Text(text="参与讨论", size=15, color=ORANGE),
                    ),
                ),
            ),
        )
