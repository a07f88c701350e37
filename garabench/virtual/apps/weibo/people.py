"""Rows of people (followed users, followers, search results), and the pages that list them."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.weibo import names
from garabench.virtual.apps.weibo.cards import follow_button
from garabench.virtual.apps.weibo.content import users
from garabench.virtual.apps.weibo.formatting import count_text, fold
from garabench.virtual.apps.weibo.post_page import PostPage
from garabench.virtual.apps.weibo.search_box import search_box
from garabench.virtual.apps.weibo.theme import avatar, bar_text, message_page
from garabench.virtual.ui.widgets import (
    MATCH,
    Column,
    ListView,
    Row,
    Text,
    Widget,
    insets,
)

TITLES = {"follows": "关注", "fans": "粉丝", "special": "特别关注", "suggested": "找人"}
_SUGGESTED = (
    "cng",
    "slw",
    "hiker",
    "citywalk",
    "aqing",
    "bedtime",
    "drli",
    "suhe",
    "suhe2",
    "anan",
    "tangbake",
)


def user_row(page: PostPage, user: str, *, rid: str = "user_row", end: Widget | None = None) -> Widget:
    """Return a user row: avatar, name, badge or bio, followers, and the follow button."""
    known, skin = users()[user], page.skin
    lines: list[Widget] = [
        Text(id="tv_nick", text=known.name, size=15.5, bold=True, color=skin.ink, max_lines=1),
    ]
    if known.verified:
        lines.append(Text(id="tv_verified", text=known.verified, size=12, color=skin.ink_3, max_lines=1))
    elif known.sign:
        lines.append(Text(id="tv_sign", text=known.sign, size=12, color=skin.ink_3, max_lines=1))
    lines.append(
        Text(id="tv_fans", text=f"粉丝：{count_text(known.fans)}", size=12, color=skin.ink_3, max_lines=1)
    )
    return Row(
        key=user,
        id=rid,
        width=MATCH,
        gap=12,
        background=skin.card,
        padding=insets(14, 10),
        on_click=page.opens_user(user),
        children=(
            avatar(user, 50, mark=known.kind),
            Column(weight=1, gap=3, children=lines),
            end or follow_button(page, user),
        ),
    )


class WeiboFriendListActivity(PostPage):
    """关注, 粉丝, 特别关注, or people to follow."""

    def on_create(self) -> None:
        """Read the kind of list from the intent."""
        self.kind = str(self.intent.extras.get("kind", "follows"))
        self.query = ""
        self.order = "默认排序"
        self.listed = self._ids()

    def _ids(self) -> tuple[str, ...]:
        match self.kind:
            case "fans":
                return self.store.fans()
            case "special":
                return self.store.special_users()
            case "suggested":
                return _SUGGESTED
            case _:
                return self.store.follows()

    def change(self, text: str) -> None:
        """Filter the list by a name."""
        self.query = text

    def sort(self) -> None:
        """Choose the sort order."""

        def sets(order: str) -> None:
            self.order = order

        self.choose([(order, partial(sets, order)) for order in ("默认排序", "按粉丝数", "按昵称")])

    def bar(self) -> Widget:
        """Return the title bar; for followed users with a link to the blocked ones and their number."""
        title = TITLES.get(self.kind, "关注")
        if self.kind != "follows":
            return self.back_bar(title)
        blocked = len(self.store.blocked_users())
        return self.back_bar(
            title,
            bar_text(self.skin, f"黑名单（{blocked}）", self.opens(names.BLOCKLIST), rid="list_blocked"),
        )

    def shown(self) -> tuple[str, ...]:
        """The people in the list as of opening it, in the chosen order."""
        found = [user for user in self.listed if fold(self.query) in fold(users()[user].name)]
        if self.order == "按粉丝数":
            found.sort(key=lambda user: -users()[user].fans)
        elif self.order == "按昵称":
            found.sort(key=lambda user: users()[user].name)
        return tuple(found)

    def content(self) -> Widget:
        """Return the search box and the list."""
        skin = self.skin
        shown = self.shown()
        order = Text(
            id="list_sort",
            text=self.order,
            size=13,
            color=skin.ink_2,
            padding=insets(6, 8),
            on_click=self.sort,
        )
        box = search_box(skin, self.query, "搜索昵称", self.change, self.ctx.hide_keyboard, order)
        body: Widget
        if shown:
            body = ListView(
                id="user_list",
                width=MATCH,
                height=MATCH,
                weight=1,
                gap=0.7,
                items=shown,
                build=lambda user, _: user_row(self, user),
            )
        else:
            body = message_page(skin, "person", "没有找到相关的人")
        count = Text(
            id="list_count",
            text=f"全部（{len(self._ids())}）",
            size=12,
            color=skin.ink_3,
            padding=insets(14, 7),
        )
        return Column(width=MATCH, height=MATCH, weight=1, children=(box, count, body))
