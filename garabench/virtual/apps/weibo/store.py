"""The user's persistent state: follows, likes, favourites, history and settings.

It lives in ``Context.data`` as JSON-like values, so it survives leaving the app and a force-stop. What the
user has written is in `garabench.virtual.apps.weibo.user_content`.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from garabench.virtual.apps.weibo import content
from garabench.virtual.apps.weibo.content import WeiboPost, load
from garabench.virtual.apps.weibo.user_content import UserContent
from garabench.virtual.kit.network import requires_network

HISTORY_MOST = 200
SEARCHES_MOST = 10
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
class Seen:
    """A post, and when it was saved or read."""

    post: WeiboPost
    at: dt.datetime


class WeiboStore(UserContent):
    """Reads and modifies the app's data; every method takes effect immediately."""

    # People

    def follows(self) -> tuple[str, ...]:
        """Ids of the followed people, the latest first."""
        return tuple(self._data["follows"])

    def following(self, user: str) -> bool:
        """Whether the user follows them."""
        return user in self._data["follows"]

    @requires_network
    def set_following(self, user: str, follow: bool) -> None:
        """Follow, or unfollow and forget groups, special following and notices."""
        self._put("follows", user, follow)
        if not follow:
            self._put("special", user, False)
            self._data["notify"].pop(user, None)
            for row in self._data["groups"]:
                row["members"] = [name for name in row["members"] if name != user]

    def special(self, user: str) -> bool:
        """Whether they are followed specially."""
        return user in self._data["special"]

    def specials(self) -> tuple[str, ...]:
        """Ids of the people who are followed specially."""
        return tuple(self._data["special"])

    @requires_network
    def set_special(self, user: str, special: bool) -> None:
        """Follow specially, or as everyone else."""
        if special:
            self.set_following(user, True)
        self._put("special", user, special)

    def fans(self) -> tuple[str, ...]:
        """Return the ids of the user's followers who are not blocked."""
        return tuple(name for name in self._data["fans"] if not self.blocked(name))

    def is_fan(self, user: str) -> bool:
        """Whether they follow the user."""
        return user in self.fans()

    def blocked_users(self) -> tuple[str, ...]:
        """Ids on the blocklist, the latest first."""
        return tuple(self._data["blocked"])

    def blocked(self, user: str) -> bool:
        """Whether they are on the blocklist."""
        return user in self._data["blocked"]

    @requires_network
    def set_blocked(self, user: str, blocked: bool) -> None:
        """Put them on the blocklist (which unfollows them), or take them off it."""
        if blocked:
            self.set_following(user, False)
        self._put("blocked", user, blocked)

    # Groups

    def groups(self) -> tuple[FollowGroup, ...]:
        """The user's own groups, in order."""
        return tuple(
            FollowGroup(row["id"], row["name"], tuple(row["members"])) for row in self._data["groups"]
        )

    @requires_network
    def add_group(self, name: str) -> None:
        """Make a group; a name that is there already changes nothing."""
        if all(row["name"] != name for row in self._data["groups"]):
            self._data["groups"].append({"id": f"own-{self._next()}", "name": name, "members": []})

    @requires_network
    def remove_group(self, group: str) -> None:
        """Drop a group; its members stay followed."""
        self._data["groups"] = [row for row in self._data["groups"] if row["id"] != group]

    def groups_of(self, user: str) -> frozenset[str]:
        """Ids of the groups that they are in."""
        return frozenset(group.id for group in self.groups() if user in group.members)

    @requires_network
    def put_in_groups(self, user: str, groups: frozenset[str]) -> None:
        """Have them in exactly these groups; following comes with it."""
        if groups and not self.following(user):
            self.set_following(user, True)
        for row in self._data["groups"]:
            others = [name for name in row["members"] if name != user]
            row["members"] = [*others, user] if row["id"] in groups else others

    # Notices of a user's posts

    def notice_mode(self, user: str) -> str:
        """``全部``, ``分类型`` or ``关闭``."""
        mode: str = self._data["notify"].get(user, {}).get("mode", "关闭")
        return mode

    def notice_kinds(self, user: str) -> tuple[str, ...]:
        """The kinds of posts that cause notifications, in the order of the page."""
        chosen = self._data["notify"].get(user, {}).get("kinds", [])
        return tuple(kind for kind in NOTICE_KINDS if kind in chosen)

    @requires_network
    def set_notice(self, user: str, mode: str, kinds: tuple[str, ...] = ()) -> None:
        """Set which posts cause notifications."""
        self._data["notify"][user] = {"mode": mode, "kinds": list(kinds)}

    # Likes and favourites

    def liked(self, post: WeiboPost) -> bool:
        """Whether the user likes it."""
        return post.id in self._data["likes"]

    def likes(self) -> tuple[WeiboPost, ...]:
        """The posts that the user likes, the latest first."""
        return self.pick(self._data["likes"])

    @requires_network
    def set_liked(self, post: WeiboPost, liked: bool) -> None:
        """Toggle the like."""
        self._put("likes", post.id, liked)

    def comment_liked(self, comment: str) -> bool:
        """Whether the user likes a comment."""
        return comment in self._data["comment_likes"]

    @requires_network
    def set_comment_liked(self, comment: str, liked: bool) -> None:
        """Toggle the like of a comment."""
        self._put("comment_likes", comment, liked)

    def favorites(self) -> tuple[Seen, ...]:
        """The saved posts, the latest first."""
        return self._seen("favorites")

    def is_favorite(self, post: WeiboPost) -> bool:
        """Whether the post is a favourite."""
        return any(row["post"] == post.id for row in self._data["favorites"])

    @requires_network
    def set_favorite(self, post: WeiboPost, keep: bool, at: dt.datetime) -> None:
        """Keep it, or drop it."""
        rows = [row for row in self._data["favorites"] if row["post"] != post.id]
        self._data["favorites"] = [{"post": post.id, "at": at.isoformat()}, *rows] if keep else rows

    # History and searches

    def history(self) -> tuple[Seen, ...]:
        """The posts that were opened, the latest first."""
        return self._seen("history")

    def add_view(self, post: WeiboPost, at: dt.datetime) -> None:
        """Note that a post was opened, unless the history is switched off."""
        if self.setting("history_record", True):
            rows = [row for row in self._data["history"] if row["post"] != post.id]
            self._data["history"] = [{"post": post.id, "at": at.isoformat()}, *rows][:HISTORY_MOST]

    def delete_view(self, post: WeiboPost) -> None:
        """Take one post out of the history."""
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
        del self._data["searches"][SEARCHES_MOST:]

    def delete_search(self, query: str) -> None:
        """Drop one earlier search."""
        self._put("searches", query, False)

    def clear_searches(self) -> None:
        """Drop all earlier searches."""
        self._data["searches"] = []

    # Topics, account and settings

    def follows_topic(self, topic: str) -> bool:
        """Whether the user follows the topic."""
        return topic in self._data["topics"]

    def topics(self) -> tuple[str, ...]:
        """The followed topics, the latest first."""
        return tuple(self._data["topics"])

    @requires_network
    def set_follows_topic(self, topic: str, follow: bool) -> None:
        """Follow a topic, or unfollow it."""
        self._put("topics", topic, follow)

    @property
    def profile(self) -> Mapping[str, Any]:
        """The user's own name, line, place and level."""
        profile: Mapping[str, Any] = self._data["profile"]
        return profile

    @requires_network
    def set_sign(self, text: str) -> None:
        """Change the line under the user's name."""
        self._data["profile"]["sign"] = text

    @property
    def words(self) -> tuple[str, ...]:
        """Words whose posts are left out of the feeds."""
        return tuple(self._data["words"])

    @requires_network
    def set_word(self, word: str, shield: bool) -> None:
        """Shield from a word, or no longer."""
        self._put("words", word, shield)

    def shown(self, posts: tuple[WeiboPost, ...]) -> tuple[WeiboPost, ...]:
        """The posts without those of blocked people and with shielded words."""
        return tuple(
            post
            for post in posts
            if not self.blocked(post.user) and not any(word in post.text for word in self.words)
        )

    @property
    def youth(self) -> bool:
        """Whether youth mode is on."""
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

    def _seen(self, name: str) -> tuple[Seen, ...]:
        rows = ((self.post(row["post"]), row["at"]) for row in self._data[name])
        return tuple(Seen(post, dt.datetime.fromisoformat(at)) for post, at in rows if post is not None)

    def feed_of(self, users: tuple[str, ...]) -> tuple[WeiboPost, ...]:
        """The posts of these people, the newest first."""
        theirs = [post for post in content.posts().values() if post.user in users]
        if content.ME in users:
            theirs = [post for post in theirs if post.user != content.ME] + list(self.own_posts())
        return self.shown(content.newest(theirs))
