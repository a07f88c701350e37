"""Search over the app's content: matching, sorting and filtering; pure."""

from __future__ import annotations

import enum
import re

from garabench.virtual.apps.bilibili import content
from garabench.virtual.apps.bilibili.content import Uploader, Video, fold


class BilibiliSortOrder(enum.Enum):
    """Sort orders of the results; the value is the label."""

    DEFAULT = "综合排序"
    PLAYS = "播放量"
    NEWEST = "新发布"
    DANMAKU = "弹幕多"


class Length(enum.Enum):
    """Duration filters: label, minimum and maximum minutes."""

    ALL = ("全部时长", 0, 10_000)
    SHORT = ("0-10分钟", 0, 10)
    MEDIUM = ("10-30分钟", 10, 30)
    LONG = ("30-60分钟", 30, 60)
    FULL = ("60分钟以上", 60, 10_000)

    @property
    def label(self) -> str:
        """The text on the filter."""
        return self.value[0]

    def matches(self, video: Video) -> bool:
        """Return whether a video has this length."""
        return self.value[1] * 60 <= video.seconds < self.value[2] * 60


def _words(query: str) -> list[str]:
    """Split a query at spaces and dashes; the words are folded."""
    return [word for word in map(fold, re.split(r"[\s\-–—·]+", query)) if word]


def _pairs(word: str) -> set[str]:
    return {word[place : place + 2] for place in range(len(word) - 1)} or {word}


def _score(words: list[str], video: Video) -> float:
    """Return how well a video matches; 0 if it does not."""
    title, author = fold(video.title), fold(content.uploaders()[video.uploader].name)
    tags = {fold(tag) for tag in video.tags}
    total = 0.0
    for word in words:
        if word in title:
            total += 10
        elif word in tags:
            total += 8
        elif word in author:
            total += 6
        else:
            shared = _pairs(word) & _pairs(title + author)
            share = len(shared) / len(_pairs(word))
            if share < 0.6:
                return 0
            total += 4 * share
    return total / len(words)


def find_videos(
    query: str, order: BilibiliSortOrder = BilibiliSortOrder.DEFAULT, length: Length = Length.ALL
) -> tuple[Video, ...]:
    """Return matching videos, best first; those of equal score in the order of the content."""
    words = _words(query)
    if not words:
        return ()
    scored = [(round(_score(words, video)), video) for video in content.videos().values()]
    found = [(score, video) for score, video in scored if score and length.matches(video)]
    match order:
        case BilibiliSortOrder.DEFAULT:
            found.sort(key=lambda pair: -pair[0])
        case BilibiliSortOrder.PLAYS:
            found.sort(key=lambda pair: -pair[1].plays)
        case BilibiliSortOrder.NEWEST:
            found.sort(key=lambda pair: pair[1].published, reverse=True)
        case BilibiliSortOrder.DANMAKU:
            found.sort(key=lambda pair: -pair[1].danmaku)
    return tuple(video for _, video in found)


def find_uploaders(query: str) -> tuple[Uploader, ...]:
    """Return the users whose name contains the query, the best known first."""
    word = fold(query)
    if not word:
        return ()
    known = content.uploaders().values()
    found = [user for user in known if word in fold(user.name)]
    if not found and len(word) >= 4:  # a typo: one character differs
        found = [user for user in known if len(set(word) & set(fold(user.name))) >= len(word) - 1]
    return tuple(sorted(found, key=lambda user: -user.fans))


def leading_uploader(query: str) -> Uploader | None:
    """Return the user whose card heads the results: a well-known name that mostly equals the query."""
    for user in find_uploaders(query):
        if len(fold(query)) * 2 >= len(fold(user.name)) - 5 and user.fans > 100_000 and len(fold(query)) > 1:
            return user
    return None


def find_rows(query: str, kind: str, fields: tuple[str, ...]) -> tuple[dict[str, str], ...]:
    """Return series or articles of the feed's list ``kind`` with the query in one of the fields."""
    word = fold(query)
    rows: list[dict[str, str]] = content.feed()[kind]
    return tuple(row for row in rows if word and any(word in fold(row[name]) for name in fields))


def suggestions(query: str) -> tuple[str, ...]:
    """Return suggestions while the user types, at most eight."""
    word = fold(query)
    known: list[str] = content.feed()["suggestions"]
    return tuple(text for text in known if word and fold(text).startswith(word))[:8]
