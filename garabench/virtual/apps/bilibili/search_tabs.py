"""The other tabs of the search results: series, users, articles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from garabench.virtual.apps.bilibili import content
from garabench.virtual.apps.bilibili.cards import user_row
from garabench.virtual.apps.bilibili.content import Uploader
from garabench.virtual.apps.bilibili.search_index import (
    find_rows,
)
from garabench.virtual.apps.bilibili.theme import (
    INK,
    INK_2,
    INK_3,
    ORANGE,
    PINK,
    WHITE,
    badge,
    message_page,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Button,
    Column,
    ImageView,
    ListView,
    Row,
    Text,
    Widget,
    divider,
    insets,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.bilibili.search import BilibiliSearchActivity


def empty_state() -> Widget:
    """Return the placeholder of an empty tab."""
    return message_page("search", "没有找到相关内容，换个词试试吧")


def series_tab(page: BilibiliSearchActivity, rows: tuple[dict[str, str], ...]) -> Widget:
    """Return 番剧: series whose title contains the query."""
    if not rows:
        return empty_state()

    def row(entry: dict[str, str], _: int) -> Widget:
        return Row(
            key=entry["title"],
            id="bangumi_item",
            width=MATCH,
            gap=12,
            padding=insets(14, 10),
            background=WHITE,
            align=Align.START,
            children=(
                ImageView(seed="season" + entry["title"], kind="cover", width=92, height=124, radius=6),
                Column(
                    weight=1,
                    gap=5,
                    children=(
                        Row(
                            gap=6,
                            children=(
                                badge(entry["style"].split(" · ")[0]),
                                Text(
                                    id="bangumi_title",
                                    text=entry["title"],
                                    size=15,
                                    bold=True,
                                    color=INK,
                                    max_lines=1,
                                ),
                            ),
                        ),
                        Text(text=entry["style"], size=12, color=INK_3, max_lines=1),
                        Text(
                            text=f"{entry['episodes']} · {entry['follows']}追番",
                            size=12,
                            color=INK_3,
                            max_lines=1,
                        ),
                        Text(
                            id="bangumi_score", text=f"{entry['score']}分", size=16, bold=True, color=ORANGE
                        ),
                        Button(
                            text="立即观看",
                            size=13,
                            color=WHITE,
                            background=PINK,
                            radius=16,
                            padding=insets(18, 5),
                            align_self=Align.START,
                            on_click=lambda: page.ctx.toast("该内容为大会员专享"),
                        ),
                    ),
                ),
            ),
        )

    return ListView(id="bangumi_list", width=MATCH, height=MATCH, weight=1, items=rows, build=row)


def users_tab(page: BilibiliSearchActivity, users: tuple[Uploader, ...]) -> Widget:
    """Return 用户: users, the best known first."""
    if not users:
        return empty_state()

    def row(user: Uploader, _: int) -> Widget:
        following = page.store.following(user.id)

        def follow() -> None:
            page.store.set_following(user.id, not following)
            page.ctx.toast("已取消关注" if following else "关注成功")

        return user_row(
            user,
            following=following,
            on_open=page.opens_space(user.id),
            on_follow=page.if_online(follow),
            works=len(content.videos_of(user.id)),
        )

    return ListView(id="user_list", width=MATCH, height=MATCH, weight=1, items=users, build=row)


def articles_tab(page: BilibiliSearchActivity) -> Widget:
    """Return 专栏: articles."""
    rows = find_rows(page.submitted, "articles", ("title", "text"))
    if not rows:
        return empty_state()

    def row(entry: dict[str, str], _: int) -> Widget:
        return Column(
            key=entry["title"],
            id="article_item",
            width=MATCH,
            gap=6,
            padding=insets(14, 12),
            background=WHITE,
            children=(
                Text(id="article_title", text=entry["title"], size=15, bold=True, color=INK, max_lines=2),
                Text(text=entry["text"], size=13, color=INK_2, max_lines=2),
                Text(
                    text=f"{content.uploaders()[entry['author']].name} · {entry['views']}阅读",
                    size=12,
                    color=INK_3,
                ),
                divider(),
            ),
        )

    return ListView(id="article_list", width=MATCH, height=MATCH, weight=1, items=rows, build=row)
