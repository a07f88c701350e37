"""A user's page: profile, posts by tabs, and actions."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.weibo import names
from garabench.virtual.apps.weibo.cards import post_card, relation
from garabench.virtual.apps.weibo.content import ME, User, WeiboPost, user_named, users
from garabench.virtual.apps.weibo.feeds import list_end
from garabench.virtual.apps.weibo.page import Choice
from garabench.virtual.apps.weibo.post_page import PostPage
from garabench.virtual.apps.weibo.profile_header import profile_header
from garabench.virtual.apps.weibo.theme import (
    ORANGE,
    RED,
    icon_button,
    message_page,
    sheet,
    tab_strip,
)
from garabench.virtual.kit.intent_filter import IntentFilter
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    CheckBox,
    Column,
    Handler,
    Icon,
    ImageView,
    ListView,
    Row,
    Text,
    Widget,
    divider,
    insets,
)

TABS = ("主页", "微博", "视频", "文章", "相册")
_FEATURED = 6


class ProfileInfoActivity(PostPage):
    """A user's page; with the id ``me``, the user's own."""

    filters = (IntentFilter.of("android.intent.action.VIEW", scheme="sinaweibo", host="userinfo"),)

    def on_create(self) -> None:
        """Read the user from the intent; the user's own page starts on 微博."""
        self.user = users().get(self.request_param("user", "uid")) or user_named(
            self.request_param("nick", "nick")
        )
        tab = self.intent.extras.get("tab")
        self.own = self.user is not None and self.user.id == ME
        self.tab = str(tab) if tab in TABS else ("微博" if self.own else "主页")
        self.chosen: frozenset[str] = frozenset()

    def pick_tab(self, tab: str) -> None:
        """Select a tab."""
        self.tab = tab

    def posts(self) -> tuple[WeiboPost, ...]:
        """The posts of the selected tab, newest first; 主页 shows the most liked ones."""
        if self.user is None:
            return ()
        found = self.store.feed_of((self.user.id,))
        match self.tab:
            case "视频":
                return tuple(post for post in found if post.video)
            case "文章":
                return tuple(post for post in found if post.article)
            case "主页":
                return tuple(sorted(found, key=lambda post: -post.likes)[:_FEATURED])
            case _:
                return found

    def bar(self) -> Widget:
        """Return the bar with back, search, notification and menu buttons."""
        user, skin = self.user, self.skin
        if user is None:
            return self.back_bar("主页")
        actions = [
            icon_button(
                skin,
                "search",
                self.opens(names.PROFILE_SEARCH, user=user.id),
                rid="profile_search",
                desc="搜索微博",
            )
        ]
        if self.own:
            drafts = len(self.store.drafts())
            actions.append(
                icon_button(
                    skin,
                    "file-document-edit",
                    self.opens(names.DRAFTS),
                    rid="profile_drafts",
                    desc=f"草稿箱,{drafts}",
                )
            )
        else:
            actions += [
                icon_button(skin, "bell", self.notices, rid="profile_notice", desc="博文通知"),
                icon_button(skin, "dots-horizontal", self.open_menu, rid="profile_more", desc="更多"),
            ]
        return self.back_bar(str(self.store.profile["name"]) if self.own else user.name, *actions)

    def notices(self) -> None:
        """Open the page with the notification settings for posts."""
        if self.user is not None:
            self.ctx.open(names.PROFILE_NOTICE, user=self.user.id)

    def open_menu(self) -> None:
        """Open the user's menu."""
        user = self.user
        if user is None:
            return
        choices: list[Choice] = []
        if self.store.following(user.id):
            special = self.store.special(user.id)
            choices += [
                (
                    "取消特别关注" if special else "设为特别关注",
                    partial(self._special, user.id, not special),
                ),
                ("设置分组", partial(self.open_groups, user.id)),
                ("取消关注", partial(self.ask_unfollow, user.id)),
            ]
        if self.store.blocked(user.id):
            choices.append(("移出黑名单", partial(self.store.set_blocked, user.id, False)))
        else:
            choices.append(("加入黑名单", partial(self.ask_block, user.id)))
        choices.append(("投诉", partial(self.ctx.toast, "投诉已提交")))
        self.choose(choices)

    def _special(self, user: str, special: bool) -> None:
        self.store.set_special(user, special)
        self.ctx.toast("已设为特别关注" if special else "已取消特别关注")

    def on_follow(self) -> None:
        """Handle the follow button: follow, or open the options of a followed user."""
        user = self.user
        if user is None:
            return
        if not self.store.following(user.id):
            self.follow(user.id)
        else:
            special = self.store.special(user.id)
            self.choose(
                (
                    (
                        "取消特别关注" if special else "设为特别关注",
                        partial(self._special, user.id, not special),
                    ),
                    ("设置分组", partial(self.open_groups, user.id)),
                    ("取消关注", partial(self.ask_unfollow, user.id)),
                )
            )

    # Groups

    def open_groups(self, user: str) -> None:
        """Open the sheet of groups with the user's groups checked."""
        self.chosen = self.store.groups_of(user)
        self.sheet = partial(self._groups, user)

    def _toggle(self, group: str) -> None:
        self.chosen = self.chosen ^ {group}

    def _save_groups(self, user: str) -> None:
        self.store.set_groups(user, self.chosen)
        self.ctx.toast("设置成功")

    def _groups(self, user: str) -> Widget:
        skin = self.skin
        rows: list[Widget] = [
            Row(
                width=MATCH,
                padding=insets(18, 8),
                justify=Align.SPACE_BETWEEN,
                children=(
                    Text(text="选择分组", size=16.5, bold=True, color=skin.ink),
                    Text(
                        id="group_done",
                        text="完成",
                        size=15,
                        color=ORANGE,
                        padding=insets(8, 6),
                        on_click=self.closing(partial(self._save_groups, user)),
                    ),
                ),
            ),
            divider(skin.line),
        ]
        for group in self.store.groups():
            toggle = partial(self._toggle, group.id)
            rows.append(
                Row(
                    key=group.id,
                    width=MATCH,
                    height=50,
                    padding=insets(18, 0),
                    on_click=toggle,
                    children=(
                        Text(text=group.name, size=15.5, color=skin.ink, weight=1),
                        CheckBox(
                            id="group_check",
                            desc=group.name,
                            checked=group.id in self.chosen,
                            color=ORANGE,
                            round=True,
                            width=28,
                            height=28,
                            on_click=toggle,
                        ),
                    ),
                )
            )
        return sheet(skin, rows, rid="group_sheet")

    # The page

    def content(self) -> Widget:
        """Return the header, the tabs and the posts, and for others the bar at the bottom."""
        user = self.user
        if user is None:
            return message_page(self.skin, "person", "用户不存在")
        strip = tab_strip(
            self.skin, TABS, self.tab, self.pick_tab, rid="profile_tabs", justify=Align.SPACE_AROUND
        )
        header: list[Widget] = [profile_header(self, user), strip, Widget(height=8, important=False)]
        posts = self.posts()
        if self.store.blocked(user.id) or not posts:
            words = "对方在你的黑名单中" if self.store.blocked(user.id) else "这里还没有内容"
            header.append(
                Text(
                    id="tips",
                    text=words,
                    size=14,
                    color=self.skin.ink_3,
                    align=Align.CENTER,
                    width=MATCH,
                    padding=insets(0, 60),
                )
            )
            posts = ()
        pictures = self.tab == "相册"
        shown: tuple[WeiboPost, ...] = tuple(post for post in posts if post.pics) if pictures else posts
        items: tuple[WeiboPost | None, ...] = (*shown, None) if shown and not pictures else shown
        page_list = ListView(
            id="profile_list",
            key=f"profile-{self.tab}-{self.scale}",
            width=MATCH,
            height=MATCH,
            weight=1,
            gap=8,
            header=header,
            items=items,
            build=lambda post, _: self._below(post, pictures),
        )
        footer = () if self.own else (divider(self.skin.line), self._footer(user))
        return Column(width=MATCH, height=MATCH, weight=1, children=(page_list, *footer))

    def _below(self, post: WeiboPost | None, pictures: bool) -> Widget:
        if post is None:
            return list_end(self)
        return self._album(post) if pictures else post_card(self, post)

    def _album(self, post: WeiboPost) -> Widget:
        return Row(
            key=f"album-{post.id}",
            id="album_row",
            width=MATCH,
            gap=4,
            padding=insets(4, 0),
            on_click=self.opens_post(post),
            children=[
                ImageView(
                    key=f"pic-{place}",
                    id="iv_picture",
                    seed=f"{post.id}-{place}",
                    kind="cover",
                    weight=1,
                    height=110,
                )
                for place in range(min(3, post.pics))
            ],
        )

    def _footer(self, user: User) -> Widget:
        skin = self.skin
        label = relation(self, user.id)
        follows = label == "关注"

        def part(rid: str, icon: str, text: str, color: str, call: Handler, *, desc: str = "") -> Widget:
            return Row(
                id=rid,
                desc=desc or text,
                weight=1,
                height=50,
                gap=6,
                justify=Align.CENTER,
                selected=rid == "btn_follow" and not follows,
                on_click=call,
                children=(
                    Icon(name=icon, size=19, color=color, important=False),
                    Text(id=f"{rid}_text", text=text, size=15, color=color),
                ),
            )

        heart = "heart" if label == "特别关注" else ("check" if not follows else "plus")
        color = RED if label == "特别关注" else (ORANGE if follows else skin.ink_2)
        return Row(
            id="profile_toolbar",
            width=MATCH,
            height=50,
            background=skin.card,
            children=(
                part("btn_follow", heart, label, color, self.on_follow),
                Widget(width=0.7, height=26, background=skin.line, important=False),
                part("btn_message", "message", "私信", skin.ink_2, self.opens(names.CHAT, user=user.id)),
            ),
        )
