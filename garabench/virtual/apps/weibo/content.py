"""Weibo's content: people, posts, topics and comments, loaded once from the data files."""

from __future__ import annotations

import datetime as dt
import functools
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

from garabench.core.seeds import generator
from garabench.virtual.apps.weibo.formatting import topics_in

ME = "me"
"""Id of the phone's own user."""


@dataclass(frozen=True, slots=True)
class User:
    """A user; `kind` is ``org`` (blue badge), ``person`` (gold badge) or empty; `verified` is its text."""

    id: str
    name: str
    sign: str
    fans: int
    following: int
    verified: str
    kind: str
    place: str


@dataclass(frozen=True, slots=True)
class WeiboPost:
    """A post with its initial counts.

    Attributes:
        id: Stable id.
        user: Id of the `User`.
        pics: Number of pictures.
        source: The device or site from which it was sent.
        video: Duration of its video, or empty.
        place: The author's region; for the user's posts, the attached place.
        article: Title of the article, or empty.
        of: Id of the reposted post, or empty.
        visibility: Who can see the post.
    """

    id: str
    user: str
    at: dt.datetime
    text: str
    pics: int = 0
    source: str = ""
    reposts: int = 0
    comments: int = 0
    likes: int = 0
    video: str = ""
    place: str = ""
    article: str = ""
    of: str = ""
    visibility: str = "公开"

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics named in the text."""
        return topics_in(self.text)

    @property
    def author(self) -> User:
        """The author."""
        return users()[self.user]


@dataclass(frozen=True, slots=True)
class WeiboComment:
    """A comment on a post, with replies; ids are stable."""

    id: str
    author: str
    text: str
    likes: int
    at: dt.datetime
    place: str
    replies: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic; `heat` is 0 unless it is trending, and then `rank` starts at 1."""

    topic: str
    heat: int
    mark: str
    category: str
    reads: str
    talks: str
    host: str
    intro: str
    rank: int = 0


def load(name: str) -> Any:
    """Parse a data file of this app."""
    file = resources.files("garabench.virtual.apps.weibo") / "content" / name
    return json.loads(file.read_text(encoding="utf-8"))


@functools.cache
def users() -> Mapping[str, User]:
    """Return all users by id."""
    return {row["id"]: User(**row) for row in load("users.json")["users"]}


@functools.cache
def _names() -> Mapping[str, User]:
    return {user.name: user for user in users().values()}


def user_named(name: str) -> User | None:
    """Return the user of that name, if there is one."""
    return _names().get(name)


@functools.cache
def posts() -> Mapping[str, WeiboPost]:
    """Return all posts of the data files by id."""
    rows = load("posts.json")["posts"]
    result = (WeiboPost(**{**row, "at": dt.datetime.fromisoformat(row["at"])}) for row in rows)
    return {post.id: post for post in result}


@functools.cache
def feed() -> Mapping[str, Any]:
    """Return the curated lists: recommendations, boards, the city, videos, places."""
    data: Mapping[str, Any] = load("feed.json")
    return data


@functools.cache
def hot_topics() -> tuple[Topic, ...]:
    """Return the trending topics, the hottest first."""
    rows = load("topics.json")["hot"]
    return tuple(Topic(**row, rank=place) for place, row in enumerate(rows, start=1))


@functools.cache
def topics() -> Mapping[str, Topic]:
    """Return all topics by name: the trending ones, then the others."""
    others = (Topic(**row) for row in load("topics.json")["others"])
    return {topic.topic: topic for topic in (*hot_topics(), *others)}


@functools.cache
def suggested_searches() -> tuple[str, ...]:
    """Return the words that the search box can suggest."""
    return tuple(load("topics.json")["suggestions"])


def topic_named(name: str) -> Topic:
    """Return a topic by name; an unknown one is empty."""
    known = topics().get(name)
    return known or Topic(name, 0, "", "生活", "0", "0", "", "")


def pick(ids: Iterable[str]) -> tuple[WeiboPost, ...]:
    """Return the posts with these ids, in this order."""
    return tuple(posts()[name] for name in ids if name in posts())


def newest(found: Iterable[WeiboPost]) -> tuple[WeiboPost, ...]:
    """Return the posts, newest first."""
    return tuple(sorted(found, key=lambda post: (post.at, post.id), reverse=True))


def hottest(found: Iterable[WeiboPost]) -> tuple[WeiboPost, ...]:
    """Return the posts, the most liked first."""
    return tuple(sorted(found, key=lambda post: (-post.likes, post.id)))


def posts_of(user: str) -> tuple[WeiboPost, ...]:
    """Return a user's posts, newest first."""
    return newest(post for post in posts().values() if post.user == user)


def posts_on(topic: str) -> tuple[WeiboPost, ...]:
    """Return the posts on a topic, the most liked first."""
    return hottest(post for post in posts().values() if topic in post.topics)


@functools.cache
def comment_pools() -> Mapping[str, Any]:
    """Return the comments of certain posts, and the pools for all others."""
    data: Mapping[str, Any] = load("comments.json")
    return data


@functools.lru_cache(maxsize=256)
def comments_of(post: WeiboPost) -> tuple[WeiboComment, ...]:
    """Return a post's comments, the hottest first; none if its count is 0."""
    pools = comment_pools()
    chance = generator(0, "weibo-comments", post.id)
    rows: list[tuple[str, str, int]] = [tuple(row) for row in pools["by_post"].get(post.id, ())]
    rows.sort(key=lambda row: -row[2])
    most = min(post.comments, 9 + chance.randrange(8)) - len(rows)
    if post.user != ME and most > 0:
        likes = rows[-1][2] if rows else max(1, post.likes // 20)
        authors = chance.sample(pools["names"], min(most, len(pools["names"])))
        texts = chance.sample(pools["common"], len(authors))
        for author, text in zip(authors, texts, strict=True):
            likes = int(likes * chance.uniform(0.45, 0.95))
            rows.append((author, text, likes))
    places = sorted({user.place for user in users().values()})
    result = []
    for index, (author, text, likes) in enumerate(rows):
        count = chance.choice((0, 0, 0, 1, 2, 4)) if likes > 3 else 0
        replies = tuple(
            zip(chance.sample(pools["names"], count), chance.sample(pools["replies"], count), strict=True)
        )
        after = dt.timedelta(minutes=chance.randrange(1, 20))
        result.append(
            WeiboComment(
                f"{post.id}/{index}", author, text, likes, post.at + after, chance.choice(places), replies
            )
        )
    return tuple(result)


@functools.lru_cache(maxsize=128)
def reposts_of(post: WeiboPost) -> tuple[WeiboComment, ...]:
    """Return the reposts of a post: users and their texts."""
    pools = comment_pools()
    chance = generator(0, "weibo-reposts", post.id)
    count = min(post.reposts, 6 + chance.randrange(8))
    authors = chance.sample(pools["names"], min(count, len(pools["names"])))
    words = ("转发微博", "转发微博", "马克", "转给需要的人", "//", "看看", "同意")
    return tuple(
        WeiboComment(
            f"{post.id}/r{index}",
            author,
            chance.choice(words).replace("//", f"//@{post.author.name}："),
            chance.randrange(9),
            post.at + dt.timedelta(minutes=index + 1),
            "",
        )
        for index, author in enumerate(authors)
    )
