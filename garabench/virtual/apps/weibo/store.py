"""The user's lasting state: whom they follow, what they like and keep, what they have seen and set.

It lives in ``Context.data`` as JSON-like values, so it survives leaving the app and a force-stop. What the
user has written is in `garabench.virtual.apps.weibo.writings`.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from garabench.virtual.apps.servers import on_servers
from garabench.virtual.apps.weibo import content
from garabench.virtual.apps.weibo.content import Post, load
from garabench.virtual.apps.weibo.writings import Writings

HISTORY_MOST = 200
SEARCHES_MOST = 10
NOTICE_KINDS = ("原创微博", "转发微博", "视频", "文章", "直播")
"""The kinds of posts that one can be told of one by one."""


def initial_data() -> dict[str, Any]:
    """The app's data after installation: an account that has been used for a while."""
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
class Group:
    """A group of followed people."""

    id: str
    name: str
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """A post, and when it was kept or read."""

    post: Post
    at: dt.datetime


class Store(Writings):
    """Reads and changes the app's data; every method takes effect at once."""

    # People

    def follows(self) -> tuple[str, ...]:
        """Ids of the followed people, the latest first."""
        return tuple(self._data["follows"])

    def following(self, user: str) -> bool:
        """Whether the user follows them."""
        return user in self._data["follows"]

    @on_servers
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

    @on_servers
    def set_special(self, user: str, special: bool) -> None:
        """Follow specially, or as everyone else."""
        if special:
            self.set_following(user, True)
        self._put("special", user, special)

    def fans(self) -> tuple[str, ...]:
        """Ids of those who follow the user and are not blocked."""
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

    @on_servers
    def set_blocked(self, user: str, blocked: bool) -> None:
        """Put them on the blocklist (which unfollows them), or take them off it."""
        if blocked:
            self.set_following(user, False)
        self._put("blocked", user, blocked)

    # Groups

    def groups(self) -> tuple[Group, ...]:
        """The user's own groups, in order."""
        return tuple(Group(row["id"], row["name"], tuple(row["members"])) for row in self._data["groups"])

    @on_servers
    def add_group(self, name: str) -> None:
        """Make a group; a name that is there already changes nothing."""
        if all(row["name"] != name for row in self._data["groups"]):
            self._data["groups"].append({"id": f"own-{self._next()}", "name": name, "members": []})

    @on_servers
    def remove_group(self, group: str) -> None:
        """Drop a group; its members stay followed."""
        self._data["groups"] = [row for row in self._data["groups"] if row["id"] != group]

    def groups_of(self, user: str) -> frozenset[str]:
        """Ids of the groups that they are in."""
        return frozenset(group.id for group in self.groups() if user in group.members)

    @on_servers
    def put_in_groups(self, user: str, groups: frozenset[str]) -> None:
        """Have them in exactly these groups; following comes with it."""
        if groups and not self.following(user):
            self.set_following(user, True)
        for row in self._data["groups"]:
            kept = [name for name in row["members"] if name != user]
            row["members"] = [*kept, user] if row["id"] in groups else kept

    # Notices of a user's posts

    def notice_mode(self, user: str) -> str:
        """``全部``, ``分类型`` or ``关闭``."""
        mode: str = self._data["notify"].get(user, {}).get("mode", "关闭")
        return mode

    def notice_kinds(self, user: str) -> tuple[str, ...]:
        """The kinds of posts that one is told of, in the page's order."""
        chosen = self._data["notify"].get(user, {}).get("kinds", [])
        return tuple(kind for kind in NOTICE_KINDS if kind in chosen)

    @on_servers
    def set_notice(self, user: str, mode: str, kinds: tuple[str, ...] = ()) -> None:
        """Set of which posts one is told."""
        self._data["notify"][user] = {"mode": mode, "kinds": list(kinds)}

    # Likes and favourites

    def liked(self, post: Post) -> bool:
        """Whether the user likes it."""
        return post.id in self._data["likes"]

    def likes(self) -> tuple[Post, ...]:
        """The posts that the user likes, the latest first."""
        return self.pick(self._data["likes"])

    @on_servers
    def set_liked(self, post: Post, liked: bool) -> None:
        """Like it, or take the like back."""
        self._put("likes", post.id, liked)

    def comment_liked(self, comment: str) -> bool:
        """Whether the user likes a comment."""
        return comment in self._data["comment_likes"]

    @on_servers
    def set_comment_liked(self, comment: str, liked: bool) -> None:
        """Like a comment, or take the like back."""
        self._put("comment_likes", comment, liked)

    def favorites(self) -> tuple[Seen, ...]:
        """The kept posts, the latest first."""
        return self._seen("favorites")

    def kept(self, post: Post) -> bool:
        """Whether the post is kept."""
        return any(row["post"] == post.id for row in self._data["favorites"])

    @on_servers
    def set_kept(self, post: Post, keep: bool, at: dt.datetime) -> None:
        """Keep it, or drop it."""
        rows = [row for row in self._data["favorites"] if row["post"] != post.id]
        self._data["favorites"] = [{"post": post.id, "at": at.isoformat()}, *rows] if keep else rows

    # History and searches

    def history(self) -> tuple[Seen, ...]:
        """The posts that were opened, the latest first."""
        return self._seen("history")

    def note_seen(self, post: Post, at: dt.datetime) -> None:
        """Note that a post was opened, unless the history is switched off."""
        if self.setting("history_record", True):
            rows = [row for row in self._data["history"] if row["post"] != post.id]
            self._data["history"] = [{"post": post.id, "at": at.isoformat()}, *rows][:HISTORY_MOST]

    def forget_seen(self, post: Post) -> None:
        """Take one post out of the history."""
        self._data["history"] = [row for row in self._data["history"] if row["post"] != post.id]

    def clear_history(self) -> None:
        """Empty the history."""
        self._data["history"] = []

    def searches(self) -> tuple[str, ...]:
        """Earlier searches, the latest first."""
        return tuple(self._data["searches"])

    def note_search(self, query: str) -> None:
        """Put a query on top of the earlier searches."""
        self._put("searches", query, True)
        del self._data["searches"][SEARCHES_MOST:]

    def forget_search(self, query: str) -> None:
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

    @on_servers
    def set_follows_topic(self, topic: str, follow: bool) -> None:
        """Follow a topic, or unfollow it."""
        self._put("topics", topic, follow)

    @property
    def profile(self) -> Mapping[str, Any]:
        """The user's own name, line, place and level."""
        profile: Mapping[str, Any] = self._data["profile"]
        return profile

    @on_servers
    def set_sign(self, text: str) -> None:
        """Change the line under the user's name."""
        self._data["profile"]["sign"] = text

    @property
    def words(self) -> tuple[str, ...]:
        """Words whose posts are left out of the feeds."""
        return tuple(self._data["words"])

    @on_servers
    def set_word(self, word: str, shield: bool) -> None:
        """Shield from a word, or no longer."""
        self._put("words", word, shield)

    def shown(self, posts: tuple[Post, ...]) -> tuple[Post, ...]:
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
        """Switch youth mode."""
        self._data["youth"] = on

    def setting(self, key: str, default: Any) -> Any:
        """A setting's value, or its default."""
        return self._data["settings"].get(key, default)

    def set_setting(self, key: str, value: Any) -> None:
        """Change a setting."""
        self._data["settings"][key] = value

    def _seen(self, name: str) -> tuple[Seen, ...]:
        rows = ((self.post(row["post"]), row["at"]) for row in self._data[name])
        return tuple(Seen(post, dt.datetime.fromisoformat(at)) for post, at in rows if post is not None)

    def feed_of(self, users: tuple[str, ...]) -> tuple[Post, ...]:
        """The posts of these people, the newest first."""
        theirs = [post for post in content.posts().values() if post.user in users]
        if content.ME in users:
            theirs = [post for post in theirs if post.user != content.ME] + list(self.own_posts())
        return self.shown(content.newest(theirs))
