"""The page for managing the groups of followed people."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.weibo import names
from garabench.virtual.apps.weibo.page import WeiboPage
from garabench.virtual.apps.weibo.store import FollowGroup
from garabench.virtual.apps.weibo.theme import ORANGE, bar_text, icon_button, message_page
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Column,
    ListView,
    Row,
    Text,
    TextField,
    Widget,
    insets,
)


class GroupManageActivity(WeiboPage):
    """我的分组; `naming` is the name of a new group while it is typed."""

    needs_network = False

    def on_create(self) -> None:
        """Start without an open dialog."""
        self.naming = ""

    def bar(self) -> Widget:
        """Return the title bar with the button to create a group."""
        return self.back_bar("我的分组", bar_text(self.skin, "新建", self.begin, rid="group_new"))

    def begin(self) -> None:
        """Open the dialog for a new group."""
        self.naming = ""
        self.sheet = self._form

    def change(self, text: str) -> None:
        """Handle a change of the new name."""
        self.naming = text

    def make(self) -> None:
        """Create the group."""
        name = self.naming.strip()
        if not name:
            self.ctx.toast("请输入分组名称")
            return
        if any(group.name == name for group in self.store.groups()):
            self.ctx.toast("该分组已存在")
            return
        self.on_dismiss_dialog()
        self.store.add_group(name)

    def _form(self) -> Widget:
        skin = self.skin
        return Column(
            id="group_form",
            width=300,
            background=skin.card,
            radius=12,
            gap=14,
            padding=insets(20, 20),
            align_self=Align.CENTER,
            align_vertical=Align.CENTER,
            children=(
                Text(text="新建分组", size=17, bold=True, color=skin.ink, align=Align.CENTER),
                TextField(
                    id="group_edit",
                    text=self.naming,
                    hint="分组名称",
                    size=15,
                    color=skin.ink,
                    hint_color=skin.ink_3,
                    background=skin.soft,
                    radius=6,
                    padding=insets(12, 0),
                    width=MATCH,
                    height=42,
                    on_change=self.change,
                    on_submit=self.make,
                    autofocus=True,
                ),
                Row(
                    width=MATCH,
                    children=(
                        Text(
                            id="alert_no",
                            text="取消",
                            size=16,
                            color=skin.ink_2,
                            align=Align.CENTER,
                            weight=1,
                            padding=insets(0, 8),
                            on_click=self.on_dismiss_dialog,
                        ),
                        Text(
                            id="alert_yes",
                            text="确定",
                            size=16,
                            color=ORANGE,
                            align=Align.CENTER,
                            weight=1,
                            padding=insets(0, 8),
                            on_click=self.make,
                        ),
                    ),
                ),
            ),
        )

    def content(self) -> Widget:
        """Return the groups."""
        groups = self.store.groups()
        if not groups:
            return message_page(self.skin, "account-group", "还没有分组")
        return ListView(
            id="group_list",
            width=MATCH,
            height=MATCH,
            weight=1,
            gap=0.7,
            items=groups,
            build=lambda group, _: self._row(group),
        )

    def _delete(self, group: FollowGroup) -> None:
        self.ask(
            f"确定删除分组“{group.name}”吗？组内的人不会被取消关注。",
            "删除",
            partial(self.store.remove_group, group.id),
        )

    def _row(self, group: FollowGroup) -> Widget:
        return Row(
            key=group.id,
            id="group_row",
            width=MATCH,
            height=58,
            background=self.skin.card,
            padding=insets(16, 0, 6, 0),
            on_click=self.opens(names.GROUP, group=group.id),
            children=(
                Text(id="group_title", text=group.name, size=15.5, color=self.skin.ink, weight=1),
                Text(
                    id="group_count",
                    text=f"{len(group.members)}人",
                    size=13,
                    color=self.skin.ink_3,
                ),
                icon_button(
                    self.skin,
                    "trash",
                    partial(self._delete, group),
                    rid="group_delete",
                    desc=f"删除{group.name}",
                    color=self.skin.ink_3,
                    size=19,
                ),
            ),
        )
