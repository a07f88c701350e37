"""The user's data as records; see ``docs/app-state.md``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from garabench.core.app_state import StateRecord
from garabench.virtual.apps.weibo import content
from garabench.virtual.apps.weibo.content import load
from garabench.virtual.kit.framework import Context
from garabench.virtual.kit.state import (
    declared_settings,
    item,
    marks,
    numbered,
    profile,
    searches,
    settings,
    unread,
)

NOT_OFFERED = {"serial": "a counter of ids"}
"""Data without records, with the reason."""


def state(ctx: Context) -> Iterator[StateRecord]:
    """Return the user's data: people, reactions, posts, comments, drafts, messages, history and settings."""
    data = ctx.data
    yield from _people(data)
    yield from _reactions(data)
    yield from numbered(_texts(data))
    yield from numbered(_messages(data))
    yield from unread(data["unread"])
    yield from _notices(data)
    yield from profile(data["profile"])
    youth = bool(data["youth"])
    yield item("setting", "youth-mode", f"青少年模式为{youth}", f"Youth mode is {youth}", value=youth)
    declared = {**declared_settings(load, "settings.json"), "youth_password": ("青少年模式密码", "")}
    yield from settings(data["settings"], declared)
    history = (row["post"] for row in data["history"])
    yield from marks("history", history, "看过微博“{}”", 'Viewed the post "{}"', _post)
    yield from searches(data["searches"])


def _name(user: str) -> str:
    found = content.users().get(user)
    return found.name if found else user


def _post(post: str) -> str:
    found = content.posts().get(post)
    return found.text if found else post


def _people(data: Mapping[str, Any]) -> Iterator[StateRecord]:
    yield from marks("follow", data["follows"], "关注了 {}", "Follows {}", _name)
    yield from marks("special-follow", data["special"], "特别关注 {}", "Specially follows {}", _name)
    yield from marks("fan", data["fans"], "粉丝 {}", "{} is a follower", _name)
    yield from marks("block", data["blocked"], "拉黑了 {}", "Blocked {}", _name)
    yield from marks("follow-topic", data["topics"], "关注了话题“{}”", 'Follows the topic "{}"')
    yield from marks("muted-word", data["words"], "屏蔽了“{}”", 'Muted the word "{}"')
    for group in data["groups"]:
        name = group["name"]
        yield item("group", group["id"], f"分组“{name}”", f'Group "{name}"', name=name)
        for user in group["members"]:
            zh, en = f"{_name(user)} 在分组“{name}”中", f'{_name(user)} is in the group "{name}"'
            yield item("group-member", f"{group['id']}/{user}", zh, en, group=name, name=_name(user))
    for user, row in data["notify"].items():
        mode, kinds = row["mode"], tuple(row["kinds"])
        zh, en = f"{_name(user)} 的微博通知为{mode}", f"Notifications of {_name(user)} are {mode}"
        yield item("post-notifications", user, zh, en, mode=mode, kinds=kinds)


def _reactions(data: Mapping[str, Any]) -> Iterator[StateRecord]:
    yield from marks("like", data["likes"], "点赞了微博“{}”", 'Liked the post "{}"', _post)
    yield from marks("comment-like", data["comment_likes"], "点赞了评论 {}", "Liked the comment {}")
    favorites = (row["post"] for row in data["favorites"])
    yield from marks("favorite", favorites, "收藏了微博“{}”", 'Saved the post "{}"', _post)
    yield from marks("deleted-post", data["deleted"], "删除了微博“{}”", 'Deleted the post "{}"', _post)


def _texts(data: Mapping[str, Any]) -> Iterator[StateRecord]:
    for row in reversed(data["posts"]):  # oldest first, so that a new one does not renumber the others
        text, of = row["text"], row["of"]
        zh = f"转发了“{_post(of)}”：{text}" if of else f"发布了微博“{text}”"
        en = f'Reposted "{_post(of)}": {text}' if of else f'Posted "{text}"'
        fields = {name: row[name] for name in ("text", "place", "visibility", "pics", "of")}
        yield item("repost" if of else "post", f"{of}/{text}" if of else text, zh, en, **fields)
    for post, rows in data["comments"].items():
        for row in reversed(rows):
            text, to = row["text"], row["to"]
            zh, en = f"评论“{_post(post)}”：{text}", f'Commented on "{_post(post)}": {text}'
            yield item("comment", f"{post}/{text}", zh, en, post=post, text=text, to=to)
    for row in reversed(data["drafts"]):
        fields = {name: row[name] for name in ("text", "topic", "place", "visibility")}
        yield item("draft", row["text"], f"草稿“{row['text']}”", f'Draft "{row["text"]}"', **fields)


def _messages(data: Mapping[str, Any]) -> Iterator[StateRecord]:
    for user, rows in data["chats"].items():
        for row in rows:
            text, name = row["text"], _name(user)
            if row["mine"]:
                zh, en, kind = f"给 {name} 发私信：{text}", f"Message to {name}: {text}", "message"
            else:
                zh, en, kind = f"{name} 的私信：{text}", f"Message from {name}: {text}", "received-message"
            yield item(kind, f"{user}/{text}", zh, en, user=user, text=text)


def _notices(data: Mapping[str, Any]) -> Iterator[StateRecord]:
    for kind, name in (
        ("mention", "mentions"),
        ("received-comment", "received"),
        ("received-like", "liked_by"),
    ):
        for row in data[name]:
            user, text = _name(row["user"]), row.get("text", "")
            zh, en = f"{user} 的通知：{text}", f"Notice from {user}: {text}"
            yield item(kind, f"{row['user']}/{row['of']}/{text}", zh, en)
