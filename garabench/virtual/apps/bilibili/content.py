"""Bilibili's content: videos, uploaders, lists and comments, loaded once from the data files."""

from __future__ import annotations

import datetime as dt
import functools
import json
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

from garabench.core.seeds import generator


@dataclass(frozen=True, slots=True)
class Uploader:
    """A user who publishes videos; `verified` is the badge's text, or empty."""

    id: str
    name: str
    sign: str
    fans: int
    following: int
    likes: int
    verified: str
    level: int


@dataclass(frozen=True, slots=True)
class Video:
    """A published video with its initial counts.

    Attributes:
        id: The BV number.
        uploader: Id of the `Uploader`.
        seconds: Duration in seconds.
        portrait: Whether it is a short portrait video, shown full-screen.
    """

    id: str
    title: str
    uploader: str
    seconds: int
    plays: int
    danmaku: int
    likes: int
    coins: int
    favorites: int
    shares: int
    comments: int
    published: dt.datetime
    channel: str
    tags: tuple[str, ...]
    description: str
    portrait: bool = False

    @property
    def duration(self) -> str:
        """The duration, such as ``3:52`` or ``1:02:15``."""
        return clock_text(self.seconds)


@dataclass(frozen=True, slots=True)
class BilibiliComment:
    """A comment on a video; ids are stable."""

    id: str
    author: str
    text: str
    likes: int
    at: dt.datetime
    level: int


def load(name: str) -> Any:
    """Parse a data file of this app."""
    file = resources.files("garabench.virtual.apps.bilibili") / "content" / name
    return json.loads(file.read_text(encoding="utf-8"))


@functools.cache
def uploaders() -> Mapping[str, Uploader]:
    """Return all uploaders by id."""
    return {row["id"]: Uploader(**row) for row in load("users.json")["users"]}


@functools.cache
def videos() -> Mapping[str, Video]:
    """Return all videos by BV number, in the order of the data file (the order of relevance)."""
    result = (
        Video(**{**row, "published": dt.datetime.fromisoformat(row["published"]), "tags": tuple(row["tags"])})
        for row in load("videos.json")["videos"]
    )
    return {video.id: video for video in result}


@functools.cache
def feed() -> Mapping[str, Any]:
    """Return the curated lists: recommendations, popular, rankings, weekly picks, channels, searches."""
    data: Mapping[str, Any] = load("feed.json")
    return data


def pick(ids: Iterable[str]) -> tuple[Video, ...]:
    """Return the videos with these numbers, in this order; unknown numbers are skipped."""
    return tuple(videos()[number] for number in ids if number in videos())


def videos_of(uploader: str, *, by: str = "published") -> tuple[Video, ...]:
    """Return an uploader's videos: newest first, or with ``by="plays"`` the most played first."""
    own = [video for video in videos().values() if video.uploader == uploader]
    return tuple(sorted(own, key=lambda video: (getattr(video, by), video.id), reverse=True))


def in_channel(channel: str) -> tuple[Video, ...]:
    """Return a channel's videos: in the curated order if there is one, then the others by plays."""
    first = pick(feed()["channels"].get(channel, ()))
    names = {"番剧": {"动画"}, "国创": {"动画"}}.get(channel, {channel})
    rest = [video for video in videos().values() if video.channel in names and video not in first]
    return first + tuple(sorted(rest, key=lambda video: -video.plays))


def related(video: Video) -> tuple[Video, ...]:
    """Return the videos related to one: same subject first, then same channel, then by popularity."""

    def nearness(other: Video) -> tuple[int, int]:
        shared = len(set(video.tags) & set(other.tags))
        return (
            -3 * shared - (other.channel == video.channel) - (other.uploader == video.uploader),
            -other.plays,
        )

    others = [other for other in videos().values() if other.id != video.id and not other.portrait]
    return tuple(sorted(others, key=nearness)[:14])


def comments_of(video: Video) -> tuple[BilibiliComment, ...]:
    """Return a video's comments, the most liked first."""
    data = load_comments()
    chance = generator(0, "bilibili-comments", video.id)
    own: list[str] = data["by_channel"].get(video.channel, [])
    about = chance.sample(own, min(3, len(own)))
    texts: list[str] = chance.sample(data["common"], 7 + chance.randrange(6))
    for place, text in enumerate(about):
        texts.insert(2 * place, text)
    count = len(texts)
    names = chance.sample(data["names"], count)
    likes = sorted(
        (int(video.likes * chance.uniform(0.0004, 0.03)) + index for index in range(count)), reverse=True
    )
    return tuple(
        BilibiliComment(
            id=f"{video.id}-{index}",
            author=names[index],
            text=texts[index],
            likes=likes[index],
            at=video.published + dt.timedelta(minutes=chance.randrange(5, 60 * 22)),
            level=chance.randrange(3, 7),
        )
        for index in range(count)
    )


@functools.cache
def load_comments() -> Mapping[str, Any]:
    """Return the pools from which comments are drawn."""
    data: Mapping[str, Any] = load("comments.json")
    return data


def fold(text: str) -> str:
    """Normalize a text for search: case-folded, without spaces and punctuation."""
    flat = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in flat if char.isalnum())


def clock_text(seconds: int) -> str:
    """Format a duration as players do."""
    minutes, rest = divmod(max(0, seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes:02}:{rest:02}"


def count_text(number: int) -> str:
    """Format a count as Chinese apps do: ``9876``, ``1.2万``, ``3.4亿``."""
    for unit, name in ((100_000_000, "亿"), (10_000, "万")):
        if number >= unit:
            text = f"{number / unit:.1f}"
            return text.removesuffix(".0") + name
    return str(number)


def age_text(at: dt.datetime, now: dt.datetime) -> str:
    """Format a time as the app does: minutes or hours ago, yesterday, the day, or the full date."""
    here = at.astimezone(now.tzinfo)
    passed = now - here
    if passed < dt.timedelta(minutes=1):
        return "刚刚"
    if passed < dt.timedelta(hours=1):
        return f"{int(passed.total_seconds() // 60)}分钟前"
    if here.date() == now.date():
        return f"{int(passed.total_seconds() // 3600)}小时前"
    if (now.date() - here.date()).days == 1:
        return "昨天"
    if here.year == now.year:
        return f"{here.month}-{here.day}"
    return f"{here.year}-{here.month}-{here.day}"
