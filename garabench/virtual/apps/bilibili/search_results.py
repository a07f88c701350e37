"""Search results: videos by sort order and length, series, users, articles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from garabench.virtual.apps.bilibili import content
from garabench.virtual.apps.bilibili.cards import avatar, cover_text, video_row
from garabench.virtual.apps.bilibili.content import Uploader, count_text
from garabench.virtual.apps.bilibili.search_index import (
    BilibiliSortOrder,
    Length,
    find_rows,
    find_uploaders,
    find_videos,
    leading_uploader,
)
from garabench.virtual.apps.bilibili.search_tabs import articles_tab, empty_state, series_tab, users_tab
from garabench.virtual.apps.bilibili.theme import (
    INK,
    INK_2,
    INK_3,
    ORANGE,
    PINK,
    WHITE,
    chip,
    follow_button,
    level_badge,
    tab_strip,
)
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
    divider,
    insets,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.bilibili.search import BilibiliSearchActivity

TABS = ("综合", "番剧", "用户", "专栏")


def results_page(page: BilibiliSearchActivity) -> Widget:
    """Return the tabs and the list of the selected one."""
    query = page.submitted
    series = find_rows(query, "bangumi", ("title",))
    users = find_uploaders(query)

    def chooses(tab: str) -> Handler:
        def run() -> None:
            page.tab = tab

        return run

    tabs = Row(
        width=MATCH,
        background=WHITE,
        children=(
            tab_strip(
                TABS,
                page.tab,
                {tab: chooses(tab) for tab in TABS},
                rid="search_tabs",
                gap=30,
                counts={
                    "番剧": str(len(series)) if series else "",
                    "用户": str(len(users)) if users else "",
                },
            ),
        ),
    )
    match page.tab:
        case "番剧":
            body = series_tab(page, series)
        case "用户":
            body = users_tab(page, users)
        case "专栏":
            body = articles_tab(page)
        case _:
            body = _videos(page)
    return Column(width=MATCH, height=MATCH, weight=1, children=(tabs, divider(), body))


def _videos(page: BilibiliSearchActivity) -> Widget:
    found = find_videos(page.submitted, page.order, page.length)
    plain = page.order is BilibiliSortOrder.DEFAULT and page.length is Length.ALL
    leader = leading_uploader(page.submitted) if plain else None
    header: list[Widget] = []
    if leader is not None:
        header.append(_leader(page, leader))
    now = page.ctx.now()
    if not found and not header:
        body = empty_state()
    else:
        body = ListView(
            id="search_result_list",
            key=f"results-{page.submitted}-{page.order.name}-{page.length.name}",
            width=MATCH,
            height=MATCH,
            weight=1,
            items=found,
            header=header,
            build=lambda video, _: video_row(
                video, page.opens(video), now=now, on_more=page.opens_menu(video), rid="search_item"
            ),
        )
    return Column(width=MATCH, height=MATCH, weight=1, children=(*_filters(page), body))


def _filters(page: BilibiliSearchActivity) -> tuple[Widget, ...]:
    def orders(order: BilibiliSortOrder) -> Handler:
        def run() -> None:
            page.order = order

        return run

    def lengths(length: Length) -> Handler:
        def run() -> None:
            page.length = length

        return run

    def toggle() -> None:
        page.filters_open = not page.filters_open

    active = page.filters_open or page.length is not Length.ALL
    row = Row(
        width=MATCH,
        height=42,
        background=WHITE,
        padding=insets(6, 0, 4, 0),
        children=(
            *(
                Text(
                    key=order.name,
                    id="sort_order",
                    text=order.value,
                    size=13,
                    color=PINK if order is page.order else INK_2,
                    bold=order is page.order,
                    selected=order is page.order,
                    weight=1,
                    align=Align.CENTER,
                    padding=insets(2, 11),
                    on_click=orders(order),
                )
                for order in BilibiliSortOrder
            ),
            Row(
                id="filter",
                gap=3,
                padding=insets(10, 10),
                selected=active,
                on_click=toggle,
                children=(
                    Text(id="filter_text", text="筛选", size=13, color=PINK if active else INK_2),
                    Icon(name="filter", size=15, color=PINK if active else INK_2, important=False),
                ),
            ),
        ),
    )
    if not page.filters_open:
        return (row,)
    return (
        row,
        Column(
            id="filter_panel",
            width=MATCH,
            background=WHITE,
            padding=insets(14, 2, 14, 12),
            gap=8,
            children=(
                Text(text="时长", size=12, color=INK_3),
                Row(
                    width=MATCH,
                    wrap=True,
                    gap=8,
                    children=[
                        chip(length.label, length is page.length, lengths(length), rid="duration_filter")
                        for length in Length
                    ],
                ),
            ),
        ),
    )


def _leader(page: BilibiliSearchActivity, user: Uploader) -> Widget:
    """Return the card of the matching user: details, follow button, latest videos."""
    works = content.videos_of(user.id)
    following = page.store.following(user.id)

    def follow() -> None:
        page.store.set_following(user.id, not following)
        page.ctx.toast("已取消关注" if following else "关注成功")

    recent = [
        Column(
            key=video.id,
            width=132,
            gap=5,
            on_click=page.opens(video),
            children=(
                Box(
                    children=(
                        ImageView(seed=video.id, kind="cover", width=132, height=82, radius=6),
                        cover_text(video, 16),
                    )
                ),
                Text(id="up_video_title", text=video.title, size=12, color=INK, max_lines=2, height=34),
            ),
        )
        for video in works[:5]
    ]
    return Column(
        id="up_card",
        width=MATCH,
        background=WHITE,
        margin=insets(0, 0, 0, 8),
        padding=insets(0, 12, 0, 10),
        children=(
            Row(
                width=MATCH,
                gap=12,
                padding=insets(14, 0),
                on_click=page.opens_space(user.id),
                children=(
                    avatar(user.id, 54),
                    Column(
                        weight=1,
                        gap=3,
                        children=(
                            Row(
                                gap=6,
                                children=(
                                    Text(
                                        id="up_card_name",
                                        text=user.name,
                                        size=16,
                                        bold=True,
                                        color=INK,
                                        max_lines=1,
                                    ),
                                    level_badge(user.level),
                                ),
                            ),
                            Text(
                                text=f"{count_text(user.fans)}粉丝 · {len(works)}个视频",
                                size=12,
                                color=INK_3,
                                max_lines=1,
                            ),
                            Text(text=user.verified or user.sign, size=12, color=ORANGE, max_lines=1),
                        ),
                    ),
                    follow_button(following, page.if_online(follow)),
                ),
            ),
            ScrollView(
                horizontal=True,
                id="up_card_videos",
                width=MATCH,
                height=WRAP,
                gap=10,
                padding=insets(14, 12, 14, 0),
                children=recent,
            ),
            Row(
                width=MATCH,
                justify=Align.CENTER,
                height=36,
                on_click=page.opens_space(user.id),
                children=(
                    Text(id="up_card_all", text="查看全部", size=13, color=INK_3),
                    Icon(name="chevron-right", size=16, color=INK_3, important=False),
                ),
            ),
        ),
    )
