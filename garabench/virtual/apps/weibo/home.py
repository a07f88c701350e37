"""首页: 关注 with its groups, and 推荐 with its channels."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from garabench.virtual.apps.weibo import content, names
from garabench.virtual.apps.weibo.cards import post_card
from garabench.virtual.apps.weibo.content import WeiboPost
from garabench.virtual.apps.weibo.feeds import post_list
from garabench.virtual.apps.weibo.formatting import count_text
from garabench.virtual.apps.weibo.theme import (
    ORANGE,
    RED,
    icon_button,
    message_page,
    sheet,
    tab_strip,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Column,
    Icon,
    ListView,
    Row,
    Text,
    Widget,
    insets,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.weibo.main import MainTabActivity

CHANNELS = ("推荐", "热门", "榜单", "同城", "文化", "体育", "美食", "萌宠", "数码")
BOARDS = ("推荐", "小时榜", "昨日榜", "周榜", "本地榜", "高赏榜")
CITY_PARTS = ("最新", "附近", "互动")
ALL, SPECIAL, FRIENDS = "全部关注", "特别关注", "好友圈"
_CHANNEL_USERS = {
    "文化": ("slw", "museum", "hanzi", "luyi", "afterfilm", "southwindow", "binlib", "binart", "bedtime"),
    "体育": ("cctv5", "laohe", "xiaoman", "runner", "dawei"),
    "美食": ("taokitchen", "tangbake", "dessert", "dorm", "linshen", "taokitchen2"),
    "萌宠": ("catfu", "orange"),
    "数码": ("laoliang", "geek", "ayue", "xiaomu"),
}


def home_page(page: MainTabActivity) -> Widget:
    """Return the bar with 关注 and 推荐, and the selected feed."""
    parts: list[Widget] = [_bar(page)]
    if page.top == "推荐":
        parts.append(
            tab_strip(
                page.skin, CHANNELS, page.channel, page.pick_channel, rid="channel_tabs", size=14, height=38
            )
        )
        if page.channel == "榜单":
            parts.append(_inner_tabs(page, BOARDS, page.board, page.pick_board, "board_tabs"))
        elif page.channel == "同城":
            parts += [
                _city_search(page),
                _inner_tabs(page, CITY_PARTS, page.city, page.pick_city, "city_tabs"),
            ]
    else:
        parts.append(_group_line(page))
    parts.append(_feed(page) if page.place in page.seen else page.network_error(page.retry_tab))
    return Column(width=MATCH, height=MATCH, weight=1, children=parts)


def _bar(page: MainTabActivity) -> Widget:
    skin = page.skin

    def tab(label: str) -> Widget:
        on = page.top == label
        words: list[Widget] = [
            Text(
                id="home_tab",
                text=label,
                size=18 if on else 16,
                bold=on,
                color=skin.ink if on else skin.ink_3,
                selected=on,
            )
        ]
        if on and label == "关注":
            words.append(Icon(name="chevron-down", size=16, color=skin.ink, important=False))
        return Row(
            key=f"home-{label}",
            height=46,
            gap=2,
            padding=insets(10, 0),
            selected=on,
            on_click=partial(page.pick_top, label),
            children=words,
        )

    return Row(
        id="home_title_bar",
        width=MATCH,
        height=46,
        background=skin.card,
        padding=insets(4, 0),
        justify=Align.SPACE_BETWEEN,
        children=(
            icon_button(skin, "calendar", page.toasting("签到成功"), rid="home_sign", desc="签到"),
            Row(height=46, gap=6, children=(tab("关注"), tab("推荐"))),
            icon_button(
                skin,
                "plus-circle",
                partial(open_publish, page),
                rid="home_publish",
                desc="发布",
                color=ORANGE,
                size=26,
            ),
        ),
    )


def open_publish(page: MainTabActivity) -> None:
    """Open the sheet of things to publish."""
    page.choose(
        (
            ("写微博", partial(page.ctx.open, names.COMPOSER)),
            ("图片", partial(page.ctx.open, names.COMPOSER, pics=3)),
            ("视频", page.toasting("没有可以选择的视频")),
            ("草稿箱", partial(page.ctx.open, names.DRAFTS)),
        )
    )


def _inner_tabs(
    page: MainTabActivity, labels: tuple[str, ...], chosen: str, choose: Callable[[str], None], rid: str
) -> Widget:
    skin = page.skin

    def chip(label: str) -> Widget:
        on = label == chosen
        return Text(
            key=f"{rid}-{label}",
            id="inner_tab",
            text=label,
            size=13,
            color=ORANGE if on else skin.ink_2,
            bold=on,
            background=skin.card if on else None,
            border=ORANGE if on else skin.line,
            border_width=0.8,
            radius=14,
            padding=insets(11, 5),
            selected=on,
            on_click=partial(choose, label),
        )

    return Row(
        id=rid,
        width=MATCH,
        wrap=True,
        gap=8,
        background=skin.soft,
        padding=insets(12, 8),
        children=[chip(label) for label in labels],
    )


def _city_search(page: MainTabActivity) -> Widget:
    skin = page.skin
    return Row(
        width=MATCH,
        height=44,
        gap=10,
        padding=insets(12, 0),
        background=skin.card,
        children=(
            Icon(name="location", size=18, color=ORANGE, important=False),
            Text(id="city_name", text="滨江", size=15, bold=True, color=skin.ink),
            Row(
                id="city_search",
                weight=1,
                height=32,
                radius=16,
                gap=6,
                background=skin.soft,
                padding=insets(12, 0),
                on_click=page.opens(names.SEARCH, hint="滨江地铁"),
                children=(
                    Icon(name="search", size=15, color=skin.ink_3, important=False),
                    Text(text="搜此地", size=13, color=skin.ink_3),
                ),
            ),
        ),
    )


def _group_line(page: MainTabActivity) -> Widget:
    return Row(
        id="group_entry",
        width=MATCH,
        height=34,
        gap=4,
        background=page.skin.card,
        padding=insets(14, 0),
        on_click=partial(open_groups, page),
        children=(
            Text(id="group_name", text=page.group, size=13, color=page.skin.ink_2),
            Icon(name="chevron-down", size=14, color=page.skin.ink_3, important=False),
        ),
    )


def open_groups(page: MainTabActivity) -> None:
    """Open the sheet of groups."""
    page.sheet = partial(_groups, page)


def _groups(page: MainTabActivity) -> Widget:
    skin = page.skin

    def cell(label: str) -> Widget:
        on = page.group == label
        return Text(
            key=f"group-{label}",
            id="group_item",
            text=label,
            size=14,
            color=ORANGE if on else skin.ink,
            background=skin.soft,
            radius=6,
            padding=insets(16, 11),
            selected=on,
            on_click=page.closing(partial(page.pick_group, label)),
        )

    labels = (ALL, SPECIAL, FRIENDS, *(group.name for group in page.store.groups()))
    header = Row(
        width=MATCH,
        padding=insets(16, 6),
        justify=Align.SPACE_BETWEEN,
        children=(
            Text(text="我的分组", size=16, bold=True, color=skin.ink),
            Text(
                id="group_manage",
                text="管理",
                size=14,
                color=skin.link,
                padding=insets(8, 6),
                on_click=page.closing(page.opens(names.GROUPS)),
            ),
        ),
    )
    grid = Row(
        width=MATCH, wrap=True, gap=10, padding=insets(16, 8), children=[cell(label) for label in labels]
    )
    return sheet(skin, (header, grid), rid="group_sheet")


def group_users(page: MainTabActivity) -> tuple[str, ...]:
    """Return the users whose posts the selected group shows."""
    store = page.store
    match page.group:
        case "全部关注":
            return (*store.follows(), content.ME)
        case "特别关注":
            return store.special_users()
        case "好友圈":
            return tuple(user for user in store.follows() if store.is_fan(user))
        case name:
            return next((group.members for group in store.groups() if group.name == name), ())


def _feed(page: MainTabActivity) -> Widget:
    if page.top == "关注":
        posts = page.store.feed_of(group_users(page))
        if not posts:
            return message_page(page.skin, "person", "这个分组里还没有微博")
        return post_list(page, posts, key=page.place, parts=page.parts)
    lists = content.feed()
    match page.channel:
        case "推荐":
            posts = content.pick(lists["recommend"])
        case "热门":
            posts = content.pick(lists["hot"])
        case "榜单":
            return _board(page, page.store.shown(content.pick(lists["boards"][page.board])))
        case "同城":
            posts = content.pick(lists["city"][page.city])
        case channel:
            posts = page.store.feed_of(_CHANNEL_USERS[channel])
    return post_list(page, page.store.shown(posts), key=page.place, parts=page.parts)


def _board(page: MainTabActivity, posts: tuple[WeiboPost, ...]) -> Widget:
    """Return the posts of a board with their ranks."""

    def rank_row(place: int, post: WeiboPost) -> Widget:
        return Row(
            gap=8,
            margin=insets(0, 0, 0, 8),
            children=(
                Box(
                    background=RED if place < 3 else "#B8B8BC",
                    radius=4,
                    padding=insets(7, 2),
                    children=(
                        Text(id="tv_rank", text=f"TOP{place + 1}", size=11, bold=True, color="#FFFFFF"),
                    ),
                ),
                Text(text=f"热度 {count_text(post.likes * 13 + 7)}", size=12, color=page.skin.ink_3),
            ),
        )

    return ListView(
        id="feed_list",
        key=f"feed_list-{page.place}-{page.scale}",
        width=MATCH,
        height=MATCH,
        weight=1,
        gap=8,
        items=posts,
        build=lambda post, place: post_card(page, post, lead=rank_row(place, post)),
    )
