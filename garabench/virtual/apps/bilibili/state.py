"""The user's data as records; see ``docs/app-state.md``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from garabench.core.app_state import StateRecord
from garabench.virtual.apps.bilibili import content
from garabench.virtual.apps.bilibili.content import load
from garabench.virtual.kit.framework import Context
from garabench.virtual.kit.state import declared_settings, item, numbered, scalar, settings

NOT_OFFERED: Mapping[str, str] = {}
"""Data that is not offered, with the reason."""


def state(ctx: Context) -> Iterator[StateRecord]:
    """Return the user's data: likes, coins, folders, follows, comments, lists, history and settings."""
    data = ctx.data
    yield from _reactions(data)
    yield from _lists(data)
    yield from numbered(_texts(data))
    yield from _account(data)
    yield from settings(data["settings"], declared_settings(load("settings.json")))


def _title(video: str) -> str:
    found = content.videos().get(video)
    return found.title if found else video


def _reactions(data: Mapping[str, Any]) -> Iterator[StateRecord]:
    for video in data["likes"]:
        yield item("like", video, f"点赞了视频《{_title(video)}》", f'Liked the video "{_title(video)}"')
    for video, count in data["coins"].items():
        zh, en = f"给视频《{_title(video)}》投了 {count} 个币", f'Gave {count} coins to "{_title(video)}"'
        yield item("coins", video, zh, en, count=count)
    for video in data["shared"]:
        yield item("share", video, f"分享了视频《{_title(video)}》", f'Shared the video "{_title(video)}"')
    for comment in data["comment_likes"]:
        yield item("comment-like", comment, f"点赞了评论 {comment}", f"Liked the comment {comment}")
    for post in data["dynamic_likes"]:
        yield item("post-like", post, f"点赞了动态 {post}", f"Liked the post {post}")
    for uploader in data["follows"]:
        found = content.uploaders().get(uploader)
        name = found.name if found else uploader
        yield item("follow", uploader, f"关注了 {name}", f"Follows {name}", name=name)


def _lists(data: Mapping[str, Any]) -> Iterator[StateRecord]:
    for folder in data["folders"]:
        name = folder["name"]
        yield item("folder", folder["id"], f"收藏夹“{name}”", f'Folder "{name}"', name=name)
        for video in folder["videos"]:
            zh = f"收藏夹“{name}”中有视频《{_title(video)}》"
            en = f'"{_title(video)}" is in the folder "{name}"'
            yield item("favorite", f"{folder['id']}/{video}", zh, en, folder=name, title=_title(video))
    for row in data["later"]:
        title, done = _title(row["video"]), bool(row["done"])
        yield item("watch-later", row["video"], f"稍后再看《{title}》", f'Watch later: "{title}"')
        if done:
            zh, en = f"稍后再看中的《{title}》已看", f'Watched "{title}" from the watch-later list'
            yield item("watch-later-watched", row["video"], zh, en)
    for video in data["cached"]:
        yield item("download", video, f"已缓存《{_title(video)}》", f'Downloaded "{_title(video)}"')


def _texts(data: Mapping[str, Any]) -> Iterator[StateRecord]:
    for video, rows in data["comments"].items():
        for row in reversed(rows):  # oldest first, so that a new comment does not renumber the others
            zh = f"评论视频《{_title(video)}》：{row['text']}"
            en = f'Commented on "{_title(video)}": {row["text"]}'
            yield item("comment", _id(video, row["text"]), zh, en, video=video, text=row["text"])
    for video, texts in data["danmaku"].items():
        for text in texts:
            zh, en = f"在《{_title(video)}》发弹幕：{text}", f'Bullet comment on "{_title(video)}": {text}'
            yield item("danmaku", _id(video, text), zh, en, video=video, text=text)


def _account(data: Mapping[str, Any]) -> Iterator[StateRecord]:
    for name, value in data["profile"].items():
        yield item(
            "profile", name, f"个人资料 {name}：{value}", f"Profile {name}: {value}", value=scalar(value)
        )
    left = data["coins_left"]
    yield item("balance", "coins", f"剩余 {left} 个硬币", f"{left} coins left", value=left)
    teen = bool(data["teen"])
    yield item("setting", "teen-mode", f"青少年模式为{teen}", f"Youth mode is {teen}", value=teen)
    for row in data["history"]:
        title = _title(row["video"])
        yield item("history", row["video"], f"看过《{title}》", f'Watched "{title}"')
    for query in data["search_history"]:
        yield item("recent-search", query, f"搜索过“{query}”", f'Searched for "{query}"')


def _id(*parts: str) -> str:
    return "/".join(parts)
