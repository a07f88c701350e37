"""The header of a user's page, and the search in their posts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from garabench.virtual.apps.weibo import names
from garabench.virtual.apps.weibo.content import ME, User, users
from garabench.virtual.apps.weibo.feeds import post_list
from garabench.virtual.apps.weibo.formatting import count_text
from garabench.virtual.apps.weibo.post_page import PostPage
from garabench.virtual.apps.weibo.search_index import find_posts
from garabench.virtual.apps.weibo.theme import (
    BLUE_MARK,
    GOLD_MARK,
    ORANGE,
    avatar,
    icon_button,
    message_page,
    pill,
)
from garabench.virtual.ui.widgets import (
    MATCH,
    Column,
    Handler,
    Icon,
    ImageView,
    Row,
    Text,
    TextField,
    Widget,
    insets,
)

if TYPE_CHECKING:
    from garabench.virtual.apps.weibo.profile_page import ProfileInfoActivity


def profile_header(page: ProfileInfoActivity, user: User) -> Widget:
    """Return avatar, name, counts, badge and bio."""
    skin, store = page.skin, page.store
    own = user.id == ME
    name = str(store.profile["name"]) if own else user.name
    sign = str(store.profile["sign"]) if own else user.sign
    following = len(store.follows()) if own else user.following
    fans = int(store.profile["fans"]) if own else user.fans + store.following(user.id)
    marks: list[Widget] = [Text(id="tvNickname", text=name, size=20, bold=True, color=skin.ink, max_lines=1)]
    if user.kind:
        color = BLUE_MARK if user.kind == "org" else GOLD_MARK
        marks.append(Icon(name="check-decagram", size=18, color=color, important=False))
    if store.is_fan(user.id):
        marks.append(
            Text(
                id="tv_fan_mark",
                text="关注了你",
                size=10.5,
                color=skin.ink_3,
                border=skin.line,
                radius=8,
                padding=insets(6, 1),
            )
        )
    lines: list[Widget] = [Row(gap=6, children=marks)]
    lines.append(
        Row(
            gap=18,
            children=(
                _number(
                    page, "粉丝", count_text(fans), page.opens(names.USERS, kind="fans") if own else None
                ),
                _number(
                    page,
                    "关注",
                    count_text(following),
                    page.opens(names.USERS, kind="follows") if own else None,
                ),
            ),
        )
    )
    if user.verified:
        lines.append(Text(id="tv_verified", text=f"微博认证：{user.verified}", size=13, color=skin.ink_2))
    if sign:
        lines.append(Text(id="tv_sign", text=f"简介：{sign}", size=13, color=skin.ink_2))
    lines.append(Text(text=f"IP属地：{user.place}", size=12, color=skin.ink_3))
    if own:
        lines.append(
            Row(
                children=(pill("编辑资料", page.opens(names.EDIT_PROFILE), rid="edit_profile", color=ORANGE),)
            )
        )
    cover = ImageView(seed=f"cover-{user.id}", kind="cover", width=MATCH, height=96, important=False)
    return Column(
        id="profile_head",
        width=MATCH,
        background=skin.card,
        children=(
            cover,
            Row(
                width=MATCH,
                gap=14,
                padding=insets(16, 12),
                children=(avatar(user.id, 70, mark=user.kind), Column(weight=1, gap=6, children=lines)),
            ),
        ),
    )


def _number(page: PostPage, label: str, number: str, on_click: Handler | None) -> Widget:
    return Row(
        id="profile_number",
        desc=f"{label},{number}",
        gap=4,
        on_click=on_click,
        children=(
            Text(id="number_value", text=number, size=15, bold=True, color=page.skin.ink),
            Text(text=label, size=13, color=page.skin.ink_3),
        ),
    )


class ProfileSearchActivity(PostPage):
    """搜索TA的微博."""

    needs_network = False

    def on_create(self) -> None:
        """Read the user from the intent."""
        self.user = users().get(str(self.intent.extras.get("user", "")))
        self.text = self.submitted = ""

    def change(self, text: str) -> None:
        """Handle a change of the text."""
        self.text = text

    def submit(self) -> None:
        """Search the posts."""
        if not self.ctx.online:
            self.ctx.toast("网络不可用，请检查网络设置")
            return
        self.submitted = self.text.strip()
        self.ctx.hide_keyboard()

    def bar(self) -> Widget:
        """Return the field."""
        skin = self.skin
        whose = "我" if self.user is not None and self.user.id == ME else "TA"
        return Row(
            width=MATCH,
            height=50,
            background=skin.card,
            padding=insets(2, 0, 4, 0),
            children=(
                icon_button(skin, "arrow-back", self.ctx.finish, rid="search_back", desc="返回"),
                TextField(
                    id="search_edit",
                    text=self.text,
                    hint=f"搜索{whose}的微博",
                    size=14,
                    color=skin.ink,
                    hint_color=skin.ink_3,
                    background=skin.soft,
                    radius=18,
                    padding=insets(14, 0),
                    weight=1,
                    height=36,
                    on_change=self.change,
                    on_submit=self.submit,
                    action="search",
                    autofocus=True,
                ),
                Text(
                    id="search_button",
                    text="搜索",
                    size=15,
                    color=ORANGE,
                    padding=insets(12, 10),
                    on_click=self.submit,
                ),
            ),
        )

    def content(self) -> Widget:
        """Return the results."""
        if self.user is None or not self.submitted:
            return message_page(self.skin, "search", "输入关键词，搜索微博")
        posts = find_posts(self.submitted, self.store.feed_of((self.user.id,)))
        if not posts:
            return message_page(self.skin, "search", f"没有找到“{self.submitted}”相关的微博")
        return post_list(self, posts, rid="result_list")
