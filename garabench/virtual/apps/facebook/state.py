"""The user's data as records; see ``docs/app-state.md``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from garabench.core.app_state import StateRecord
from garabench.virtual.apps.facebook import content
from garabench.virtual.kit.framework import Context
from garabench.virtual.kit.state import (
    declared_settings,
    item,
    marks,
    numbered,
    searches,
    settings,
    values,
)


def state(ctx: Context) -> Iterator[StateRecord]:
    """Return the user's data: people, reactions, posts, comments, saved items, groups, messages, settings."""
    data = ctx.data
    yield from _people(data)
    yield from _reactions(data)
    yield from numbered(_texts(data))
    yield from _groups(data)
    yield item("profile", "bio", f"简介：{data['bio']}", f"Bio: {data['bio']}", value=data["bio"])
    yield from settings(data["settings"], declared_settings(content.load, "settings"))
    yield from marks("read-notification", data["read"], "看过通知 {}", "Read the notification {}")
    yield from searches(data["searches"])


def _post(post: str) -> str:
    return next((each.text for each in content.posts() if each.id == post), post)


def _person(who: str) -> str:
    known = {**content.people(), **content.pages()}
    return content.name_of(who) if who in known else who


def _item(item_id: str) -> str:
    found = content.items().get(item_id)
    return found.title if found else item_id


def _people(data: Mapping[str, Any]) -> Iterator[StateRecord]:
    for person in content.people().values():
        relation = data["friends"].get(person.id, person.friend)
        zh, en = f"与 {person.name} 的关系：{relation}", f"{person.name}: {relation}"
        yield item("friendship", person.id, zh, en, state=relation)
    for who in data["follows"]:
        name, follows = _person(who.lstrip("-")), not who.startswith("-")
        zh = f"关注了 {name}" if follows else f"取消关注 {name}"
        en = f"Follows {name}" if follows else f"Unfollowed {name}"
        yield item("follow" if follows else "unfollow", who.lstrip("-"), zh, en, title=name)


def _reactions(data: Mapping[str, Any]) -> Iterator[StateRecord]:
    for post, reaction in data["reactions"].items():
        zh, en = f"对“{_post(post)}”的反应：{reaction}", f'{reaction} on "{_post(post)}"'
        yield item("reaction", post, zh, en, reaction=reaction)
    yield from marks("comment-like", data["liked_comments"], "点赞了评论 {}", "Liked the comment {}")
    yield from marks("hidden-post", data["hidden"], "隐藏了帖子“{}”", 'Hid the post "{}"', _post)
    yield from marks("saved-post", data["saved"], "收藏了帖子“{}”", 'Saved the post "{}"', _post)
    yield from marks("saved-item", data["saved_items"], "收藏了商品“{}”", 'Saved the item "{}"', _item)


def _texts(data: Mapping[str, Any]) -> Iterator[StateRecord]:
    for row in reversed(data["posts"]):  # oldest first, so that a new one does not renumber the others
        text = row["text"]
        fields = {name: row.get(name, "") for name in ("text", "audience", "extra", "photo", "in")}
        yield item("post", text, f"发布了“{text}”", f'Posted "{text}"', **fields)
    for post, texts in data["comments"].items():
        for text in texts:
            zh, en = f"评论“{_post(post)}”：{text}", f'Commented on "{_post(post)}": {text}'
            yield item("comment", f"{post}/{text}", zh, en, post=post, text=text)
    for who, texts in data["chats"].items():
        for text in texts:
            zh, en = f"给 {_person(who)} 发消息：{text}", f"Message to {_person(who)}: {text}"
            yield item("message", f"{who}/{text}", zh, en, to=who, text=text)


def _groups(data: Mapping[str, Any]) -> Iterator[StateRecord]:
    for group in content.groups().values():
        first = "joined" if group.joined else ""
        membership = str(data["groups"].get(group.id, first)) or "none"
        zh, en = f"小组“{group.name}”：{membership}", f'Group "{group.name}": {membership}'
        yield item("group-membership", group.id, zh, en, state=membership)
    yield from values("group-answer", data["answers"], "对小组 {} 的回答：{}", "Answer to the group {}: {}")
    yield from values("attendance", data["events"], "活动 {}：{}", "Event {}: {}")
