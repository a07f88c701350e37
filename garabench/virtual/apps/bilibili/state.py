"""The user's data as records; see ``docs/app-state.md``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from garabench.core.app_state import StateRecord
from garabench.virtual.apps.bilibili import content
from garabench.virtual.apps.bilibili.content import load
from garabench.virtual.kit.framework import Context
from garabench.virtual.kit.state import (
    declared_settings,
    item,
    marks,
    numbered,
    profile,
    searches,
    settings,
)


def state(ctx: Context) -> Iterator[StateRecord]:
    """Return the user's data: likes, coins, folders, follows, comments, lists, history and settings."""
    data = ctx.data
    yield from _reactions(data)
    yield from _lists(data)
    yield from numbered(_texts(data))
    yield from profile(data["profile"])
    left, teen = data["coins_left"], bool(data["teen"])
    yield item("balance", "coins", f"剩余 {left} 个硬币", f"{left} coins left", value=left)
    yield item("setting", "teen-mode", f"青少年模式为{teen}", f"Youth mode is {teen}", value=teen)
    yield from settings(data["settings"], declared_settings(load, "settings.json"))
    history = (row["video"] for row in data["history"])
    yield from marks("history", history, "看过《{}》", 'Watched "{}"', _title)
    yield from searches(data["search_history"])


def _title(video: str) -> str:
    found = content.videos().get(video)
    return found.title if found else video


def _name(uploader: str) -> str:
    found = content.uploaders().get(uploader)
    return found.name if found else uploader


def _reactions(data: Mapping[str, Any]) -> Iterator[StateRecord]:
    yield from marks("like", data["likes"], "点赞了视频《{}》", 'Liked the video "{}"', _title)
    for video, count in data["coins"].items():
        zh, en = f"给视频《{_title(video)}》投了 {count} 个币", f'Gave {count} coins to "{_title(video)}"'
        yield item("coins", video, zh, en, count=count)
    yield from marks("share", data["shared"], "分享了视频《{}》", 'Shared the video "{}"', _title)
    yield from marks("comment-like", data["comment_likes"], "点赞了评论 {}", "Liked the comment {}")
    yield from marks("post-like", data["dynamic_likes"], "点赞了动态 {}", "Liked the post {}")
    yield from marks("follow", data["follows"], "关注了 {}", "Follows {}", _name)


def _lists(data: Mapping[str, Any]) -> Iterator[StateRecord]:
    for folder in data["folders"]:
        name = folder["name"]
        yield item("folder", folder["id"], f"收藏夹“{name}”", f'Folder "{name}"', name=name)
        for video in folder["videos"]:
            zh = f"收藏夹“{name}”中有视频《{_title(video)}》"
            en = f'"{_title(video)}" is in the folder "{name}"'
            yield item("favorite", f"{folder['id']}/{video}", zh, en, folder=name, title=_title(video))
    later = (row["video"] for row in data["later"])
    yield from marks("watch-later", later, "稍后再看《{}》", 'Watch later: "{}"', _title)
    watched = (row["video"] for row in data["later"] if row["done"])
    zh, en = "稍后再看中的《{}》已看", 'Watched "{}" from the watch-later list'
    yield from marks("watch-later-watched", watched, zh, en, _title)
    yield from marks("download", data["cached"], "已缓存《{}》", 'Downloaded "{}"', _title)


def _texts(data: Mapping[str, Any]) -> Iterator[StateRecord]:
    for video, rows in data["comments"].items():
        for row in reversed(rows):  # oldest first, so that a new comment does not renumber the others
            text = row["text"]
            zh, en = f"评论视频《{_title(video)}》：{text}", f'Commented on "{_title(video)}": {text}'
            yield item("comment", f"{video}/{text}", zh, en, video=video, text=text)
    for video, texts in data["danmaku"].items():
        for text in texts:
            zh, en = f"在《{_title(video)}》发弹幕：{text}", f'Bullet comment on "{_title(video)}": {text}'
            yield item("danmaku", f"{video}/{text}", zh, en, video=video, text=text)
