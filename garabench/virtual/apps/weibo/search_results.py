"""The results of a search, by tabs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from garabench.virtual.apps.weibo import content, names
from garabench.virtual.apps.weibo.content import Topic, WeiboPost
from garabench.virtual.apps.weibo.feeds import post_list
from garabench.virtual.apps.weibo.people import user_row
from garabench.virtual.apps.weibo.search_index import find_posts, find_topics, find_users, leading_user
from garabench.virtual.apps.weibo.theme import message_page, tab_strip
from garabench.virtual.ui.widgets import MATCH, Column, Icon, ImageView, ListView, Row, Text, Widget, insets

if TYPE_CHECKING:
    from garabench.virtual.apps.weibo.page import WeiboPage
    from garabench.virtual.apps.weibo.search import SearchResultActivity

TABS = ("综合", "实时", "用户", "视频", "图片", "话题", "文章", "关注")


def results(page: SearchResultActivity) -> Widget:
    """Return the tabs above the results of the selected one."""
    strip = tab_strip(page.skin, TABS, page.tab, page.pick_tab, rid="result_tabs")
    return Column(width=MATCH, height=MATCH, weight=1, children=(strip, _shown(page)))


def _shown(page: SearchResultActivity) -> Widget:
    query = page.submitted.strip("# ")
    nothing = message_page(page.skin, "search", f"抱歉，未找到“{query}”相关结果")
    if page.tab == "用户":
        users = [user for user in find_users(query) if not page.store.blocked(user.id)]
        return _users(page, tuple(user.id for user in users)) if users else nothing
    if page.tab == "话题":
        topics = find_topics(query)
        if not topics:
            return nothing
        return ListView(
            id="topic_results",
            width=MATCH,
            height=MATCH,
            weight=1,
            gap=0.7,
            items=topics,
            item_height=76,
            build=lambda topic, _: topic_row(page, topic),
        )
    posts = _posts(page, query)
    header = _header(page, query) if page.tab == "综合" else ()
    if not posts and not header:
        return nothing
    return post_list(page, posts, rid="result_list", header=header, key=page.tab)


def _posts(page: SearchResultActivity, query: str) -> tuple[WeiboPost, ...]:
    own = page.store.own_posts()
    among = dict.fromkeys((*own, *(post for post in content.posts().values() if post.user != content.ME)))
    found = page.store.shown(find_posts(query, among))
    match page.tab:
        case "实时":
            return content.newest(found)
        case "视频":
            return tuple(post for post in found if post.video)
        case "图片":
            return tuple(post for post in found if post.pics and not post.article)
        case "文章":
            return tuple(post for post in found if post.article)
        case "关注":
            return tuple(post for post in found if page.store.following(post.user))
        case _:
            return found


def _users(page: SearchResultActivity, users: tuple[str, ...]) -> Widget:
    return ListView(
        id="user_results",
        width=MATCH,
        height=MATCH,
        weight=1,
        gap=0.7,
        items=users,
        build=lambda user, _: user_row(page, user),
    )


def _header(page: SearchResultActivity, query: str) -> tuple[Widget, ...]:
    """Return the cards above the posts: the matching user, and the topic of that name."""
    cards: list[Widget] = []
    user = leading_user(query)
    if user is not None and not page.store.blocked(user.id):
        cards.append(user_row(page, user.id, rid="user_card"))
    topic = next((topic for topic in find_topics(query) if topic.topic == query), None)
    if topic is not None:
        cards.append(topic_row(page, topic))
    return tuple(cards)


def topic_row(page: WeiboPage, topic: Topic) -> Widget:
    """Return a topic with its counts."""
    skin = page.skin
    return Row(
        key=topic.topic,
        id="topic_row",
        width=MATCH,
        height=76,
        gap=12,
        background=skin.card,
        padding=insets(14, 0),
        on_click=page.opens(names.TOPIC, topic=topic.topic),
        children=(
            ImageView(seed=topic.topic, kind="cover", width=52, height=52, radius=6, important=False),
            Column(
                weight=1,
                gap=5,
                children=(
                    Text(
                        id="topic_name",
                        text=f"#{topic.topic}#",
                        size=15,
                        bold=True,
                        color=skin.ink,
                        max_lines=1,
                    ),
                    Text(
                        id="topic_numbers",
                        text=f"{topic.talks}讨论 {topic.reads}阅读",
                        size=12,
                        color=skin.ink_3,
                        max_lines=1,
                    ),
                ),
            ),
            Icon(name="chevron-right", size=18, color=skin.ink_3, important=False),
        ),
    )
