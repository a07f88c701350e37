"""Search over the app's content; pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

from garabench.virtual.apps.weibo import content
from garabench.virtual.apps.weibo.content import ME, Topic, User, WeiboPost
from garabench.virtual.apps.weibo.formatting import fold

MAX_SUGGESTIONS = 9
_WELL_KNOWN = 100_000


def words_of(query: str) -> tuple[str, ...]:
    """Return the words of a query, folded."""
    return tuple(word for word in map(fold, re.split(r"\s+", query)) if word)


def _haystack(post: WeiboPost) -> str:
    return fold(f"{post.author.name}{post.text}{post.article}")


def find_posts(query: str, posts: Iterable[WeiboPost] | None = None) -> tuple[WeiboPost, ...]:
    """Return the posts that contain every word of the query, the most liked first."""
    words = words_of(query)
    if not words:
        return ()
    among = content.posts().values() if posts is None else posts
    return content.hottest(post for post in among if all(word in _haystack(post) for word in words))


def find_users(query: str) -> tuple[User, ...]:
    """Return the users whose name or badge matches: exact names first, then by followers."""
    word = fold(query)
    if not word:
        return ()
    found = [
        user
        for user in content.users().values()
        if user.id != ME and (word in fold(user.name) or word in fold(user.verified))
    ]
    return tuple(sorted(found, key=lambda user: (fold(user.name) != word, -user.fans)))


def find_topics(query: str) -> tuple[Topic, ...]:
    """Return the topics that match: exact names first, then in their usual order."""
    word = fold(query)
    if not word:
        return ()
    found = [topic for topic in content.topics().values() if word in fold(topic.topic)]
    return tuple(sorted(found, key=lambda topic: fold(topic.topic) != word))


def leading_user(query: str) -> User | None:
    """Return the user whose card heads the results: an exact name, or the only well-known match."""
    found = find_users(query)
    known = [user for user in found if user.fans > _WELL_KNOWN and fold(query) in fold(user.name)]
    if found and fold(found[0].name) == fold(query):
        return found[0]
    return known[0] if len(known) == 1 else None


def suggestions(query: str) -> tuple[str, ...]:
    """Return suggestions; those that start with the text come first."""
    word = fold(query)
    if not word:
        return ()
    found = [text for text in content.suggested_searches() if word in fold(text)]
    return tuple(sorted(found, key=lambda text: not fold(text).startswith(word)))[:MAX_SUGGESTIONS]
