"""Pages of a profile: notification settings for posts, and the user's own data."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.weibo.content import users
from garabench.virtual.apps.weibo.page import WeiboPage
from garabench.virtual.apps.weibo.store import NOTICE_KINDS
from garabench.virtual.apps.weibo.theme import ORANGE, message_page, save_button
from garabench.virtual.ui.widgets import (
    MATCH,
    CheckBox,
    Column,
    RadioButton,
    Row,
    Text,
    TextField,
    Widget,
    divider,
    insets,
)

ALL, KINDS, OFF = "全部", "分类型", "关闭"
_MODE_TEXTS = {
    ALL: ("全部博文通知", "发布任何微博时都通知我"),
    KINDS: ("分类型通知", "只通知我选择的类型"),
    OFF: ("关闭通知", "不通知我"),
}
MAX_BIO = 70


class BlogNotificationActivity(WeiboPage):
    """博文通知: notifications about a user's posts."""

    def on_create(self) -> None:
        """Read the user from the intent."""
        self.user = users().get(str(self.intent.extras.get("user", "")))

    def bar(self) -> Widget:
        """Return the title bar."""
        return self.back_bar("博文通知")

    def choose_mode(self, user: str, mode: str) -> None:
        """Choose which posts trigger notifications; requires following the user."""
        if not self.store.following(user):
            self.ctx.toast("关注后才能设置博文通知")
            return
        self.store.set_notice(user, mode, self.store.notice_kinds(user) if mode == KINDS else ())

    def toggle(self, user: str, kind: str) -> None:
        """Toggle a kind of posts."""
        kinds = [name for name in NOTICE_KINDS if (name in self.store.notice_kinds(user)) != (name == kind)]
        self.store.set_notice(user, KINDS, tuple(kinds))

    def content(self) -> Widget:
        """Return the modes, and under 分类型 the kinds."""
        user, skin = self.user, self.skin
        if user is None:
            return message_page(skin, "person", "用户不存在")
        mode = self.store.notice_mode(user.id)
        rows: list[Widget] = [
            Text(
                id="notice_user",
                text=user.name,
                size=15,
                bold=True,
                color=skin.ink,
                padding=insets(16, 14, 16, 8),
            )
        ]
        for value, (label, note) in _MODE_TEXTS.items():
            call = partial(self.choose_mode, user.id, value)
            rows += [
                Row(
                    key=value,
                    id="notice_row",
                    width=MATCH,
                    height=64,
                    background=skin.card,
                    padding=insets(16, 0),
                    on_click=call,
                    children=(
                        Column(
                            weight=1,
                            gap=3,
                            children=(
                                Text(id="notice_label", text=label, size=15.5, color=skin.ink),
                                Text(text=note, size=12, color=skin.ink_3),
                            ),
                        ),
                        RadioButton(
                            id="notice_radio",
                            desc=label,
                            checked=value == mode,
                            color=ORANGE,
                            width=28,
                            height=28,
                            on_click=call,
                        ),
                    ),
                ),
                divider(skin.line),
            ]
            if value == KINDS and mode == KINDS:
                rows += [self._kind(user.id, kind) for kind in NOTICE_KINDS]
        return Column(width=MATCH, height=MATCH, weight=1, children=rows)

    def _kind(self, user: str, kind: str) -> Widget:
        call = partial(self.toggle, user, kind)
        return Row(
            key=f"kind-{kind}",
            id="kind_row",
            width=MATCH,
            height=48,
            background=self.skin.soft,
            padding=insets(32, 0, 16, 0),
            on_click=call,
            children=(
                Text(text=kind, size=14.5, color=self.skin.ink, weight=1),
                CheckBox(
                    id="kind_check",
                    desc=kind,
                    checked=kind in self.store.notice_kinds(user),
                    color=ORANGE,
                    width=28,
                    height=28,
                    on_click=call,
                ),
            ),
        )


class EditProfileActivity(WeiboPage):
    """编辑资料: the user's bio."""

    needs_network = False

    def on_create(self) -> None:
        """Start with the current bio."""
        self.text = str(self.store.profile["sign"])

    def change(self, text: str) -> None:
        """Handle a change of the bio."""
        self.text = text

    def save(self) -> None:
        """Save the bio."""
        if len(self.text) > MAX_BIO:
            self.ctx.toast(f"简介最多{MAX_BIO}字")
            return
        self.store.set_sign(self.text.strip())
        self.ctx.toast("保存成功")
        self.ctx.finish()

    def bar(self) -> Widget:
        """Return the title bar with the save button."""
        return self.back_bar("编辑资料", save_button("保存", self.save))

    def content(self) -> Widget:
        """Return the name, which is read-only, and the field."""
        skin = self.skin
        return Column(
            width=MATCH,
            height=MATCH,
            weight=1,
            children=(
                Row(
                    width=MATCH,
                    height=54,
                    background=skin.card,
                    padding=insets(16, 0),
                    on_click=self.toasting("昵称每年可修改1次，今年已修改"),
                    children=(
                        Text(text="昵称", size=15, color=skin.ink_3, width=70),
                        Text(
                            id="edit_name",
                            text=str(self.store.profile["name"]),
                            size=15,
                            color=skin.ink,
                            weight=1,
                        ),
                    ),
                ),
                divider(skin.line),
                Row(
                    width=MATCH,
                    background=skin.card,
                    padding=insets(16, 0),
                    children=(
                        Text(text="简介", size=15, color=skin.ink_3, width=70),
                        TextField(
                            id="edit_sign",
                            text=self.text,
                            hint="介绍一下自己",
                            size=15,
                            color=skin.ink,
                            hint_color=skin.ink_3,
                            weight=1,
                            height=54,
                            on_change=self.change,
                            on_submit=self.save,
                        ),
                    ),
                ),
            ),
        )
