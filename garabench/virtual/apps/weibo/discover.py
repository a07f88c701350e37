"""发现: the search box, trending searches and trending posts."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from garabench.virtual.apps.weibo import content, names
from garabench.virtual.apps.weibo.content import Topic
from garabench.virtual.apps.weibo.feeds import post_list
from garabench.virtual.apps.weibo.theme import ORANGE, RED, WHITE
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    Handler,
    Icon,
    Row,
    Text,
    Widget,
    divider,
    insets,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.weibo.main import MainTabActivity
    from garabench.virtual.apps.weibo.page import WeiboPage

VISIBLE_HOT = 10
MARK_COLORS = {"热": "#FF9406", "新": "#FF3852", "沸": "#F86400", "爆": "#BD0000"}
_ENTRIES = (
    ("榜单", "chart", "榜单"),
    ("同城", "location", "同城"),
    ("热搜", "fire", "热搜"),
    ("话题", "tag", "话题"),
    ("找人", "account-search", "找人"),
)


def discover_page(page: MainTabActivity) -> Widget:
    """Return the tab."""
    header = (_hot(page), _entries(page), _line(page))
    posts = page.store.shown(content.pick(content.feed()["hot"]))
    return Column(
        width=MATCH,
        height=MATCH,
        weight=1,
        children=(
            search_entry(page, f"大家正在搜：{content.hot_topics()[1].topic}"),
            post_list(page, posts, rid="discover_list", header=header),
        ),
    )


def search_entry(page: MainTabActivity, hint: str) -> Widget:
    """Return the box that opens the search page."""
    skin = page.skin
    return Row(
        width=MATCH,
        height=50,
        padding=insets(12, 0),
        background=skin.card,
        children=(
            Row(
                id="tvSearchKeyword",
                desc="搜索框",
                weight=1,
                height=36,
                radius=18,
                gap=8,
                background=skin.soft,
                padding=insets(14, 0),
                on_click=page.opens(names.SEARCH, hint=content.hot_topics()[1].topic),
                children=(
                    Icon(name="search", size=17, color=skin.ink_3, important=False),
                    Text(id="search_hint", text=hint, size=14, color=skin.ink_3, max_lines=1, weight=1),
                ),
            ),
        ),
    )


def mark(topic: Topic) -> Widget:
    """Return the coloured badge of a trending topic, such as 热."""
    return Text(
        text=topic.mark,
        size=10,
        color=WHITE,
        background=MARK_COLORS.get(topic.mark, ORANGE),
        radius=3,
        padding=insets(3, 1),
        visible=bool(topic.mark),
    )


def _hot(page: MainTabActivity) -> Widget:
    shown = content.hot_topics()[:VISIBLE_HOT]
    pairs = [shown[at : at + 2] for at in range(0, VISIBLE_HOT, 2)]

    def item(topic: Topic) -> Widget:
        return Row(
            key=topic.topic,
            id="hot_item",
            weight=1,
            height=40,
            gap=6,
            on_click=page.opens(names.TOPIC, topic=topic.topic),
            children=(
                Text(
                    text=str(topic.rank),
                    size=14,
                    bold=True,
                    color=RED if topic.rank <= 3 else ORANGE,
                    width=18,
                    important=False,
                ),
                Text(id="hot_text", text=topic.topic, size=14, color=page.skin.ink, max_lines=1, weight=1),
                mark(topic),
            ),
        )

    rows: list[Widget] = [
        Row(
            width=MATCH,
            height=38,
            justify=Align.SPACE_BETWEEN,
            children=(
                Text(id="hot_title", text="微博热搜", size=16, bold=True, color=page.skin.ink),
                _more(page, page.opens(names.HOT)),
            ),
        )
    ]
    rows += [Row(width=MATCH, height=40, gap=14, children=[item(topic) for topic in pair]) for pair in pairs]
    return Column(
        width=MATCH,
        background=page.skin.card,
        padding=insets(14, 4, 14, 8),
        margin=insets(0, 0, 0, 8),
        children=rows,
    )


def _more(page: WeiboPage, on_click: Handler) -> Widget:
    return Row(
        id="hot_more",
        height=38,
        gap=2,
        on_click=on_click,
        children=(
            Text(text="完整热搜榜", size=13, color=page.skin.ink_3),
            Icon(name="chevron-right", size=16, color=page.skin.ink_3, important=False),
        ),
    )


def _entries(page: MainTabActivity) -> Widget:
    def go(kind: str) -> None:
        if kind in ("榜单", "同城"):
            page.top = "推荐"
            page.pick_tab("首页")
            page.pick_channel(kind)
        elif kind == "热搜":
            page.ctx.open(names.HOT)
        elif kind == "话题":
            page.ctx.open(names.POSTS, kind="topics")
        else:
            page.ctx.open(names.USERS, kind="suggested")

    return Row(
        width=MATCH,
        height=76,
        background=page.skin.card,
        margin=insets(0, 0, 0, 8),
        children=[
            Column(
                key=label,
                id="discover_entry",
                weight=1,
                gap=6,
                align=Align.CENTER,
                justify=Align.CENTER,
                height=76,
                on_click=partial(go, kind),
                children=(
                    Icon(name=icon, size=26, color=ORANGE, important=False),
                    Text(id="entry_text", text=label, size=12, color=page.skin.ink_2),
                ),
            )
            for label, icon, kind in _ENTRIES
        ],
    )


def _line(page: MainTabActivity) -> Widget:
    return Column(
        width=MATCH,
        background=page.skin.card,
        children=(
            Text(
                id="section_title",
                text="热门微博",
                size=16,
                bold=True,
                color=page.skin.ink,
                padding=insets(14, 10),
            ),
            divider(page.skin.line),
        ),
    )
