"""The user's persistent state: follows, likes, favourites, history and settings.

It lives in ``Context.data`` as JSON-like values, so it survives leaving the app and a force-stop. The
user's own content is in `garabench.virtual.apps.weibo.user_content`.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from garabench.virtual.apps.weibo import content
from garabench.virtual.apps.weibo.content import WeiboPost, load
from garabench.virtual.apps.weibo.user_content import UserContent
from garabench.virtual.kit.server_calls import requires_network

MAX_HISTORY = 200
MAX_SEARCHES = 10
NOTICE_KINDS = ("原创微博", "转发微博", "视频", "文章", "直播")
"""The kinds of posts that can be selected for notifications."""


def initial_data() -> dict[str, Any]:
    """Return the app's initial data: an account with some history."""
    account: dict[str, Any] = load("account.json")
    return {
        **account,
        "posts": [],
        "deleted": [],
        "comments": {},
        "comment_likes": [],
        "notify": {},
        "words": [],
        "settings": {},
        "youth": False,
        "serial": 0,
    }


@dataclass(frozen=True, slots=True)
class FollowGroup:
    """A group of followed people."""

    id: str
    name: str
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DatedPost:
    """A post, and when it was saved or read."""

    post: WeiboPost
    at: dt.datetime


class WeiboStore(UserContent):
    """Reads and modifies the app's data; every method takes effect immediately."""

    # People

    def follows(self) -> tuple[str, ...]:
        """Return the ids of the followed people, latest first."""
        return tuple(self._data["follows"])

    def following(self, user: str) -> bool:
        """Return whether the user follows someone."""
        return user in self._data["follows"]

    @requires_network
    def set_following(self, user: str, follow: bool) -> None:
        """Follow someone, or unfollow them and discard their groups, special following and notifications."""
        self._put("follows", user, follow)
        if not follow:
            self._put("special", user, False)
            self._data["notify"].pop(user, None)
            for row in self._data["groups"]:
                row["members"] = [name for name in row["members"] if name != user]

    def special(self, user: str) -> bool:
        """Return whether someone is specially followed (特别关注)."""
        return user in self._data["special"]

    def special_users(self) -> tuple[str, ...]:
        """Return the ids of the specially followed people."""
        return tuple(self._data["special"])

    @requires_network
    def set_special(self, user: str, special: bool) -> None:
        """Set whether someone is specially followed."""
        if special:
            self.set_following(user, True)
        self._put("special", user, special)

    def fans(self) -> tuple[str, ...]:
        """Return the ids of the user's followers who are not blocked."""
        return tuple(name for name in self._data["fans"] if not self.blocked(name))

    def is_fan(self, user: str) -> bool:
        """Return whether someone follows the user."""
        return user in self.fans()

    def blocked_users(self) -> tuple[str, ...]:
        """Return the ids of blocked users, latest first."""
        return tuple(self._data["blocked"])

    def blocked(self, user: str) -> bool:
        """Return whether a user is blocked."""
        return user in self._data["blocked"]

    @requires_network
    def set_blocked(self, user: str, blocked: bool) -> None:
        """Block a user (which unfollows them), or unblock them."""
        if blocked:
            self.set_following(user, False)
        self._put("blocked", user, blocked)

    # Groups

    def groups(self) -> tuple[FollowGroup, ...]:
        """Return the user's groups, in order."""
        return tuple(
            FollowGroup(row["id"], row["name"], tuple(row["members"])) for row in self._data["groups"]
        )

    @requires_network
    def add_group(self, name: str) -> None:
        """Create a group, unless the name exists."""
        if all(row["name"] != name for row in self._data["groups"]):
            self._data["groups"].append({"id": f"own-{self._next()}", "name": name, "members": []})

    @requires_network
    def remove_group(self, group: str) -> None:
        """Delete a group; its members remain followed."""
        self._data["groups"] = [row for row in self._data["groups"] if row["id"] != group]

    def groups_of(self, user: str) -> frozenset[str]:
        """Return the ids of a user's groups."""
        return frozenset(group.id for group in self.groups() if user in group.members)

    @requires_network
    def set_groups(self, user: str, groups: frozenset[str]) -> None:
        """Set a user's groups; this follows them as well."""
        if groups and not self.following(user):
            self.set_following(user, True)
        for row in self._data["groups"]:
            others = [name for name in row["members"] if name != user]
            row["members"] = [*others, user] if row["id"] in groups else others

    # Notices of a user's posts

    def notice_mode(self, user: str) -> str:
        """Return the notification mode: ``全部``, ``分类型`` or ``关闭``."""
        mode: str = self._data["notify"].get(user, {}).get("mode", "关闭")
        return mode

    def notice_kinds(self, user: str) -> tuple[str, ...]:
        """Return the kinds of posts that cause notifications, in the order of the page."""
        chosen = self._data["notify"].get(user, {}).get("kinds", [])
        return tuple(kind for kind in NOTICE_KINDS if kind in chosen)

    @requires_network
    def set_notice(self, user: str, mode: str, kinds: tuple[str, ...] = ()) -> None:
        """Set which posts cause notifications."""
        self._data["notify"][user] = {"mode": mode, "kinds": list(kinds)}

    # Likes and favourites

    def liked(self, post: WeiboPost) -> bool:
        """Return whether the user likes a post."""
        return post.id in self._data["likes"]

    def likes(self) -> tuple[WeiboPost, ...]:
        """Return the posts that the user likes, latest first."""
        return self.pick(self._data["likes"])

    @requires_network
    def set_liked(self, post: WeiboPost, liked: bool) -> None:
        """Like or unlike a post."""
        self._put("likes", post.id, liked)

    def comment_liked(self, comment: str) -> bool:
        """Return whether the user likes a comment."""
        return comment in self._data["comment_likes"]

    @requires_network
    def set_comment_liked(self, comment: str, liked: bool) -> None:
        """Like or unlike a comment."""
        self._put("comment_likes", comment, liked)

    def favorites(self) -> tuple[DatedPost, ...]:
        """Return the favourite posts, latest first."""
        return self._dated("favorites")

    def is_favorite(self, post: WeiboPost) -> bool:
        """Return whether a post is a favourite."""
        return any(row["post"] == post.id for row in self._data["favorites"])

    @requires_network
    def set_favorite(self, post: WeiboPost, wanted: bool, at: dt.datetime) -> None:
        """Add or remove a favourite."""
        rows = [row for row in self._data["favorites"] if row["post"] != post.id]
        self._data["favorites"] = [{"post": post.id, "at": at.isoformat()}, *rows] if wanted else rows

    # History and searches

    def history(self) -> tuple[DatedPost, ...]:
        """Return the viewed posts, latest first."""
        return self._dated("history")

    def add_view(self, post: WeiboPost, at: dt.datetime) -> None:
        """Add a viewed post to the history, unless the history is turned off."""
        if self.setting("history_record", True):
            rows = [row for row in self._data["history"] if row["post"] != post.id]
            self._data["history"] = [{"post": post.id, "at": at.isoformat()}, *rows][:MAX_HISTORY]

    def delete_view(self, post: WeiboPost) -> None:
        """Remove a post from the history."""
        self._data["history"] = [row for row in self._data["history"] if row["post"] != post.id]

    def clear_history(self) -> None:
        """Clear the history."""
        self._data["history"] = []

    def searches(self) -> tuple[str, ...]:
        """Return recent searches, latest first."""
        return tuple(self._data["searches"])

    def add_search(self, query: str) -> None:
        """Add a query to the recent searches."""
        self._put("searches", query, True)
        del self._data["searches"][MAX_SEARCHES:]

    def delete_search(self, query: str) -> None:
        """Delete a recent search."""
        self._put("searches", query, False)

    def clear_searches(self) -> None:
        """Clear the recent searches."""
        self._data["searches"] = []

    # Topics, account and settings

    def follows_topic(self, topic: str) -> bool:
        """Return whether the user follows a topic."""
        return topic in self._data["topics"]

    def topics(self) -> tuple[str, ...]:
        """Return the followed topics, latest first."""
        return tuple(self._data["topics"])

    @requires_network
    def set_follows_topic(self, topic: str, follow: bool) -> None:
        """Follow or unfollow a topic."""
        self._put("topics", topic, follow)

    @property
    def profile(self) -> Mapping[str, Any]:
        """The user's name, bio, place and level."""
        profile: Mapping[str, Any] = self._data["profile"]
        return profile

    @requires_network
    def set_sign(self, text: str) -> None:
        """Set the user's bio."""
        self._data["profile"]["sign"] = text

    @property
    def words(self) -> tuple[str, ...]:
        """Return the muted words."""
        return tuple(self._data["words"])

    @requires_network
    def set_muted(self, word: str, shield: bool) -> None:
        """Mute or unmute a word."""
        self._put("words", word, shield)

    def shown(self, posts: tuple[WeiboPost, ...]) -> tuple[WeiboPost, ...]:
        """Return the posts without those of blocked users and with muted words."""
        return tuple(
            post
            for post in posts
            if not self.blocked(post.user) and not any(word in post.text for word in self.words)
        )

    @property
    def youth(self) -> bool:
        """Return whether youth mode is on."""
        on: bool = self._data["youth"]
        return on

    def set_youth(self, on: bool) -> None:
        """Toggle youth mode."""
        self._data["youth"] = on

    def setting(self, key: str, default: Any) -> Any:
        """Return a setting's value, or its default."""
        return self._data["settings"].get(key, default)

    def set_setting(self, key: str, value: Any) -> None:
        """Change a setting."""
        self._data["settings"][key] = value

    def _dated(self, name: str) -> tuple[DatedPost, ...]:
        rows = ((self.post(row["post"]), row["at"]) for row in self._data[name])
        return tuple(DatedPost(post, dt.datetime.fromisoformat(at)) for post, at in rows if post is not None)

    def feed_of(self, users: tuple[str, ...]) -> tuple[WeiboPost, ...]:
        """Return the posts of these users, newest first."""
        theirs = [post for post in content.posts().values() if post.user in users]
        if content.ME in users:
            theirs = [post for post in theirs if post.user != content.ME] + list(self.own_posts())
        return self.shown(content.newest(theirs))
