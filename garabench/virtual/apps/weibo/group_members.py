"""The members of a group."""

from __future__ import annotations

from functools import partial

from garabench.virtual.apps.weibo.people import user_row
from garabench.virtual.apps.weibo.post_page import PostPage
from garabench.virtual.apps.weibo.theme import ORANGE, message_page, pill
from garabench.virtual.ui.widgets import MATCH, ListView, Widget


class GroupMembersActivity(PostPage):
    """All followed people, each with a button to add or remove them."""

    needs_network = False

    def on_create(self) -> None:
        """Read the group from the intent; its members come first."""
        wanted = str(self.intent.extras.get("group", ""))
        self.group = next((group for group in self.store.groups() if group.id == wanted), None)
        members = self.group.members if self.group else ()
        self.listed = (*members, *(user for user in self.store.follows() if user not in members))

    def bar(self) -> Widget:
        """Return the bar with the group's name."""
        return self.back_bar(self.group.name if self.group else "分组")

    def toggle(self, group: str, user: str) -> None:
        """Add a user to the group, or remove them."""
        self.store.set_groups(user, self.store.groups_of(user) ^ {group})

    def content(self) -> Widget:
        """Return the list."""
        if self.group is None:
            return message_page(self.skin, "account-group", "该分组不存在")
        group = self.group.id

        def row(user: str, _: int) -> Widget:
            inside = group in self.store.groups_of(user)
            button = pill(
                "移出" if inside else "加入",
                partial(self.toggle, group, user),
                rid="member_button",
                color=self.skin.ink_3 if inside else ORANGE,
                selected=inside,
            )
            return user_row(self, user, rid="member_row", end=button)

        return ListView(
            id="member_list", width=MATCH, height=MATCH, weight=1, gap=0.7, items=self.listed, build=row
        )
